//! What values a results file may have. What cannot have been measured is refused with the field it
//! stands in: a table made from it would look like any other.

use std::collections::HashSet;

use write_backend::{Axis, Workload};

use crate::invalid::{
    Invalid, above_zero, at_least_one, bounds, check, confidence, each, not_empty, not_negative,
    not_negative_if_there,
};
use crate::names::LAST_SECOND;
use crate::schema::{
    Asked, BackendRecord, CaseRecord, Counts, Ratio, Results, Split, Status, Suite, Time,
};

/// The benches that write results files.
const PRODUCERS: [&str; 3] = ["compare", "counts", "write"];
/// Functions are placed modulo this many bytes.
const LINE: u32 = 64;
/// No two backends differ by more, as a logarithm: that would be a factor of 10^13.
const MOST_LOG: f64 = 30.0;

/// Refuses values that no run can have.
///
/// # Errors
/// The first field that has such a value, and what is allowed.
pub(crate) fn results(results: &Results) -> Result<(), Invalid> {
    let known = PRODUCERS.contains(&results.producer.as_str());
    let allowed = format!("one of {}", PRODUCERS.join(", "));
    check(known, "producer", format!("`{}`", results.producer), &allowed)?;
    started(results.started_unix)?;
    confidence("options.confidence", results.options.confidence)?;
    at_least_one("options.map_size", results.options.map_size as u64)?;
    at_least_one("host.cores", results.host.cores as u64)?;
    asked(&results.options.asked).map_err(|invalid| invalid.within("options.asked"))?;
    let of_suite = results.options.suite.as_ref().map_or(Ok(()), suite);
    of_suite.map_err(|invalid| invalid.within("options.suite"))?;
    backends(&results.backends)?;
    let mut seen = HashSet::new();
    each("cases", &results.cases, |it| {
        case(it, results)?;
        once("workload", seen.insert((&it.backend, it.workload)))
    })?;
    for (field, twins) in [("twins", &results.twins), ("echoes", &results.echoes)] {
        let mut seen = HashSet::new();
        each(field, twins, |it| {
            workload(&it.workload)?;
            logs("log_ratios", &it.log_ratios, it.log_ratios.len())?;
            once("workload", seen.insert(it.workload))
        })?;
    }
    Ok(())
}

/// Refuses a moment whose day has no name.
pub(crate) fn started(unix: u64) -> Result<(), Invalid> {
    check(unix <= LAST_SECOND, "started_unix", unix, "seconds since 1970, before the year 10000")
}

/// Refuses what is there for a second time.
pub(crate) fn once(field: &str, is_new: bool) -> Result<(), Invalid> {
    if is_new { Ok(()) } else { Err(Invalid::new(field, "it is there already")) }
}

fn asked(asked: &Asked) -> Result<(), Invalid> {
    for (key, values) in &asked.axes {
        check(Axis::find(key).is_some(), "axes", format!("`{key}`"), "the name of an axis")?;
        at_least_one(&format!("axes.{key}"), values.len() as u64)?;
    }
    each("also", &asked.also, self::asked)
}

/// A suite's name is a part of the names of files.
fn suite(suite: &Suite) -> Result<(), Invalid> {
    let is_allowed = |it: u8| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'-';
    let is_name = !suite.name.is_empty() && suite.name.bytes().all(is_allowed);
    check(is_name, "name", format!("`{}`", suite.name), "of a-z, 0-9 and `-`")?;
    for key in &suite.compares {
        check(Axis::find(key).is_some(), "compares", format!("`{key}`"), "the name of an axis")?;
    }
    not_empty("question", &suite.question)
}

/// Checks the backends of any file that has them.
pub(crate) fn backends(backends: &[BackendRecord]) -> Result<(), Invalid> {
    let mut seen = HashSet::new();
    each("backends", backends, |backend| {
        let BackendRecord { id, control, colour, .. } = backend;
        not_empty("id", id)?;
        backend.one_link_order.as_ref().map_or(Ok(()), |it| not_empty("one_link_order", it))?;
        once("id", seen.insert(id))?;
        check(control.as_ref() != Some(id), "control", format!("`{id}`"), "another backend")?;
        let is_colour = |it: &String| {
            it.len() == 7 && it.starts_with('#') && it[1..].bytes().all(|it| it.is_ascii_hexdigit())
        };
        let found = format!("`{}`", colour.as_deref().unwrap_or_default());
        check(colour.as_ref().is_none_or(is_colour), "colour", found, "one like #0072b2")?;
        let loops = backend.loop_alignment.iter();
        let loops = loops.map(|(name, value)| (format!("loop_alignment.{name}"), *value));
        let put = backend.put_alignment.map(|value| ("put_alignment".to_owned(), value));
        loops.chain(put).try_for_each(|(name, value)| {
            check(value < LINE, &name, value, &format!("below {LINE}"))
        })
    })?;
    let references = backends.iter().filter(|it| it.reference).count();
    check(references <= 1, "backends", format!("{references} references"), "one at most")
}

fn workload(workload: &Workload) -> Result<(), Invalid> {
    workload.check().map_err(|problem| Invalid::new("workload", problem))
}

fn case(case: &CaseRecord, results: &Results) -> Result<(), Invalid> {
    workload(&case.workload)?;
    not_empty("backend", &case.backend)?;
    status(case, &results.producer)?;
    let backend = results.backend(&case.backend);
    // A worker that could not say what it is has no record; its cases say why.
    if case.status == Status::Ok && backend.is_none() {
        return Err(unknown("backend", &case.backend));
    }
    case.time.as_ref().map_or(Ok(()), |it| time(it, results.schema))?;
    let launches = case.time.as_ref().map_or(0, |time| time.launches_ns.len());
    for (id, blocks) in &case.log_ratios {
        let control = backend.and_then(|it| it.control.as_deref());
        let is_denominator = results.reference() == Some(id) || control == Some(id);
        let must_be = "the backend's control or the reference";
        check(is_denominator, "log_ratios", format!("`{id}`"), must_be)?;
        results.backend(id).ok_or_else(|| unknown("log_ratios", id))?;
        logs(&format!("log_ratios.{id}"), blocks, launches)?;
    }
    if results.schema == 1 {
        for (name, ratio) in [("overhead", &case.overhead), ("relative", &case.relative)] {
            let ratio = ratio.as_ref().map_or(Ok(()), |it| stored_ratio(it, results));
            ratio.map_err(|invalid| invalid.within(name))?;
        }
        if let Some(floor) = &case.noise_floor {
            bounds(floor.low, floor.high).map_err(|invalid| invalid.within("noise_floor"))?;
        }
    }
    case.counts.as_ref().map_or(Ok(()), counts).map_err(|invalid| invalid.within("counts"))
}

fn unknown(field: &str, id: &str) -> Invalid {
    Invalid::new(field, format!("`{id}` is not in `backends`"))
}

/// A case that is `ok` holds what its bench is there for and no reason, any other a reason and nothing
/// measured.
fn status(case: &CaseRecord, producer: &str) -> Result<(), Invalid> {
    let CaseRecord { time, log_ratios, counts, .. } = case;
    let measured = [
        ("launches_ns", time.is_some()),
        ("log_ratios", !log_ratios.is_empty()),
        ("counts", counts.is_some()),
    ];
    if case.status == Status::Ok {
        check(case.reason.is_none(), "reason", "a reason", "absent where `status` is `ok`")?;
        let wanted = if producer == "counts" { "counts" } else { "launches_ns" };
        let is_there = measured.iter().any(|(name, is_there)| *name == wanted && *is_there);
        let must_be = format!("there in a file of `{producer}` where `status` is `ok`");
        return check(is_there, wanted, "none", &must_be);
    }
    let name = case.status.to_string();
    let has_reason = case.reason.as_ref().is_some_and(|reason| !reason.is_empty());
    check(has_reason, "reason", "none", &format!("there where `status` is `{name}`"))?;
    measured.into_iter().try_for_each(|(field, is_there)| {
        let must_be = format!("absent where `status` is `{name}`");
        check(!is_there, field, "a measurement", &must_be)
    })
}

fn time(time: &Time, schema: u32) -> Result<(), Invalid> {
    let launches = &time.launches_ns;
    check(!launches.is_empty(), "launches_ns", "an empty list", "one time for each launch")?;
    for (index, launch) in launches.iter().enumerate() {
        above_zero(&format!("launches_ns[{index}]"), *launch)?;
    }
    // In a file of format 1 these are stored.
    let derived = [Some(time.mean_ns), Some(time.median_ns), time.error_ns, time.std_dev_ns];
    let is_possible = derived.into_iter().flatten().all(|it| it.is_finite() && it >= 0.0);
    let field = if schema == 1 { "time" } else { "launches_ns" };
    check(is_possible, field, "their mean or deviation", "a finite number that is not below 0")?;
    at_least_one("transactions_per_sample", time.transactions_per_sample)
}

fn logs(field: &str, blocks: &[f64], launches: usize) -> Result<(), Invalid> {
    let must_be = format!("{launches}, one for each launch, and at least 1");
    let is_whole = blocks.len() == launches && launches > 0;
    check(is_whole, field, format!("{} blocks", blocks.len()), &must_be)?;
    for (index, log) in blocks.iter().enumerate() {
        let must_be = format!("from -{MOST_LOG} to {MOST_LOG}");
        check(log.abs() <= MOST_LOG, &format!("{field}[{index}]"), log, &must_be)?;
    }
    Ok(())
}

fn stored_ratio(ratio: &Ratio, results: &Results) -> Result<(), Invalid> {
    results.backend(&ratio.against).ok_or_else(|| unknown("against", &ratio.against))?;
    bounds(ratio.low, ratio.high)?;
    confidence("confidence", ratio.confidence)?;
    let is_within = ratio.low <= ratio.estimate && ratio.estimate <= ratio.high;
    let must_be = format!("within `low` and `high`, {} to {}", ratio.low, ratio.high);
    check(is_within, "estimate", ratio.estimate, &must_be)
}

fn counts(counts: &Counts) -> Result<(), Invalid> {
    at_least_one("transactions", counts.transactions)?;
    for (name, value) in [
        ("instructions_per_transaction", counts.instructions_per_transaction),
        ("instructions_spread", counts.instructions_spread),
        ("rust_allocations_per_transaction", counts.rust_allocations_per_transaction),
        ("rust_bytes_per_transaction", counts.rust_bytes_per_transaction),
        ("c_allocations_per_transaction", counts.c_allocations_per_transaction),
    ] {
        not_negative_if_there(name, value)?;
    }
    if let Some(Split { binding, lmdb, libc_memory, libc_bytes, libc_other, other }) =
        counts.instructions
    {
        // Of two runs that were not steady, a part may have lost what another has gained.
        let off = counts.instructions_spread.unwrap_or(0.0);
        for part in [binding, lmdb, libc_memory, libc_bytes, libc_other, other] {
            let must_be = format!("not below 0 by more than the spread, {off}");
            check(part >= -off, "instructions", part, &must_be)?;
        }
    }
    for (kind, value) in counts.system_calls_per_transaction.iter().flatten() {
        not_negative(&format!("system_calls_per_transaction.{kind}"), *value)?;
    }
    Ok(())
}
