//! What values a results file may have. What cannot have been measured is refused with the field it
//! stands in: a table made from it would look like any other.

use std::collections::{HashMap, HashSet};

use write_backend::Workload;

use crate::day::LAST_SECOND;
use crate::invalid::{
    Invalid, above_zero, at_least_one, bounds, check, confidence, each, not_empty, not_negative,
    not_negative_if_there,
};
use crate::schema::{BackendRecord, CaseRecord, Comparison, Counts, Results, Split, Status, Time};
use statistics::Verdict;

mod agreement;
pub(crate) mod texts;

/// The benches that write results files.
const PRODUCERS: [&str; 3] = ["compare", "counts", "write"];
/// Functions are placed modulo this many bytes.
const LINE: u32 = 64;
/// A mean of equal launches may be off by its last digits.
const ROUNDING: f64 = 1e-9;

/// Refuses values that no run can have.
///
/// # Errors
/// The first field that has such a value, and what is allowed.
pub fn results(results: &Results) -> Result<(), Invalid> {
    let known = PRODUCERS.contains(&results.producer.as_str());
    let allowed = format!("one of {}", PRODUCERS.join(", "));
    check(known, "producer", format!("`{}`", results.producer), &allowed)?;
    started(results.started_unix)?;
    confidence("options.confidence", results.options.confidence)?;
    at_least_one("options.map_size", results.options.map_size as u64)?;
    at_least_one("host.cores", results.host.cores as u64)?;
    backends(&results.backends)?;
    let ids: HashSet<&str> = results.backends.iter().map(|it| it.id.as_str()).collect();
    texts::results(results)?;
    each("cases", &results.cases, |it| {
        case(it, &ids)?;
        is_measured(it, &results.producer)?;
        agreement::case(it, results)
    })?;
    agreement::one_floor(&results.cases)?;
    no_case_twice(&results.cases)
}

/// Refuses a moment whose day has no name.
///
/// # Errors
/// Those of [`results`].
pub(crate) fn started(unix: u64) -> Result<(), Invalid> {
    check(unix <= LAST_SECOND, "started_unix", unix, "seconds since 1970, before the year 10000")
}

/// Checks the backends of any file that has them.
///
/// # Errors
/// Those of [`results`].
pub(crate) fn backends(backends: &[BackendRecord]) -> Result<(), Invalid> {
    let mut seen = HashMap::new();
    for (index, backend) in backends.iter().enumerate() {
        let field = |name: &str| format!("backends[{index}].{name}");
        not_empty(&field("id"), &backend.id)?;
        texts::backend(&format!("backends[{index}]"), backend)?;
        if let Some(first) = seen.insert(backend.id.as_str(), index) {
            let problem = format!("`{}` is there already, in backends[{first}]", backend.id);
            return Err(Invalid::new(field("id"), problem));
        }
        let is_own = backend.control.as_ref() == Some(&backend.id);
        check(!is_own, &field("control"), format!("`{}`", backend.id), "another backend")?;
        let below = format!("below {LINE}");
        for (name, value) in [
            ("put_alignment", backend.put_alignment),
            ("loop_alignment[0]", Some(backend.loop_alignment[0])),
            ("loop_alignment[1]", Some(backend.loop_alignment[1])),
        ] {
            let value = value.unwrap_or(0);
            check(value < LINE, &field(name), value, &below)?;
        }
    }
    Ok(())
}

/// A case alone; `ids` are the backends of its file.
fn case(case: &CaseRecord, ids: &HashSet<&str>) -> Result<(), Invalid> {
    case.workload.check().map_err(|problem| Invalid::new("workload", problem))?;
    not_empty("backend", &case.backend)?;
    status(case)?;
    // A worker that could not say what it is has no record; its cases say why.
    if case.status == Status::Ok {
        known("backend", &case.backend, ids)?;
    }
    if let Some(found) = &case.time {
        time(found).map_err(|invalid| invalid.within("time"))?;
    }
    for (name, ratio) in [("overhead", &case.overhead), ("relative", &case.relative)] {
        let Some(ratio) = ratio else { continue };
        comparison(ratio, &case.backend, ids).map_err(|invalid| invalid.within(name))?;
    }
    if let Some(floor) = &case.noise_floor {
        bounds(floor.low, floor.high).map_err(|invalid| invalid.within("noise_floor"))?;
    }
    if let Some(found) = &case.counts {
        counts(found).map_err(|invalid| invalid.within("counts"))?;
    }
    Ok(())
}

fn known(field: &str, id: &str, ids: &HashSet<&str>) -> Result<(), Invalid> {
    let problem = || Invalid::new(field, format!("`{id}` is not in `backends`"));
    if ids.contains(id) { Ok(()) } else { Err(problem()) }
}

/// A measured case has no reason, any other has one and nothing measured.
fn status(case: &CaseRecord) -> Result<(), Invalid> {
    if case.status == Status::Ok {
        let has_reason = case.reason.is_some();
        return check(!has_reason, "reason", "a reason", "absent where `status` is `ok`");
    }
    let reason = case.reason.as_deref().unwrap_or("");
    check(!reason.is_empty(), "reason", "none", "there unless `status` is `ok`")?;
    for (name, is_there) in [
        ("time", case.time.is_some()),
        ("overhead", case.overhead.is_some()),
        ("relative", case.relative.is_some()),
        ("counts", case.counts.is_some()),
    ] {
        check(!is_there, name, "a measurement", "absent unless `status` is `ok`")?;
    }
    Ok(())
}

/// A case that is `ok` holds what its bench is there for.
fn is_measured(case: &CaseRecord, producer: &str) -> Result<(), Invalid> {
    let (field, is_there) = match producer {
        "counts" => ("counts", case.counts.is_some()),
        _ => ("time", case.time.is_some()),
    };
    let must_be = format!("there in a file of `{producer}` where `status` is `ok`");
    check(is_there || case.status != Status::Ok, field, "none", &must_be)
}

fn time(time: &Time) -> Result<(), Invalid> {
    let launches = &time.launches_ns;
    check(!launches.is_empty(), "launches_ns", "an empty list", "one time for each launch")?;
    for (index, launch) in launches.iter().enumerate() {
        above_zero(&format!("launches_ns[{index}]"), *launch)?;
    }
    let low = launches.iter().copied().fold(f64::INFINITY, f64::min);
    let high = launches.iter().copied().fold(0.0, f64::max);
    for (name, centre) in [("mean_ns", time.mean_ns), ("median_ns", time.median_ns)] {
        above_zero(name, centre)?;
        let is_within = low * (1.0 - ROUNDING) <= centre && centre <= high * (1.0 + ROUNDING);
        check(is_within, name, centre, &format!("within the launches, {low} to {high}"))?;
    }
    not_negative_if_there("error_ns", time.error_ns)?;
    not_negative_if_there("std_dev_ns", time.std_dev_ns)?;
    at_least_one("transactions_per_sample", time.transactions_per_sample)
}

fn comparison(ratio: &Comparison, backend: &str, ids: &HashSet<&str>) -> Result<(), Invalid> {
    known("against", &ratio.against, ids)?;
    let is_other = ratio.against != backend;
    check(is_other, "against", format!("`{backend}`"), "another backend than the case's own")?;
    above_zero("estimate", ratio.estimate)?;
    bounds(ratio.low, ratio.high)?;
    let is_within = ratio.low <= ratio.estimate && ratio.estimate <= ratio.high;
    let allowed = format!("within `low` and `high`, {} to {}", ratio.low, ratio.high);
    check(is_within, "estimate", ratio.estimate, &allowed)?;
    confidence("confidence", ratio.confidence)?;
    let is_possible = match ratio.verdict {
        Verdict::Faster => ratio.high < 1.0,
        Verdict::Slower => ratio.low > 1.0,
        Verdict::NoDifferenceFound => true,
    };
    let allowed = "no-difference-found where the interval does not lie on that side of 1";
    check(is_possible, "verdict", format!("`{}`", ratio.verdict), allowed)
}

fn counts(counts: &Counts) -> Result<(), Invalid> {
    at_least_one("transactions", counts.transactions)?;
    for (name, value) in [
        ("instructions_per_transaction", counts.instructions_per_transaction),
        ("instructions_per_put", counts.instructions_per_put),
        ("instructions_spread", counts.instructions_spread),
        ("rust_allocations_per_transaction", counts.rust_allocations_per_transaction),
        ("rust_bytes_per_transaction", counts.rust_bytes_per_transaction),
        ("c_allocations_per_transaction", counts.c_allocations_per_transaction),
    ] {
        not_negative_if_there(name, value)?;
    }
    if let Some(split) = &counts.instructions {
        let Split { binding, lmdb, libc_memory, libc_bytes, libc_other, other } = *split;
        for (name, value) in [
            ("binding", binding),
            ("lmdb", lmdb),
            ("libc_memory", libc_memory),
            ("libc_bytes", libc_bytes),
            ("libc_other", libc_other),
            ("other", other),
        ] {
            // Of two runs that were not steady, a part may have lost what another has gained.
            let off = counts.instructions_spread.unwrap_or(0.0);
            let allowed = format!("finite and below 0 by no more than the spread, {off}");
            check(value.is_finite() && value >= -off, name, value, &allowed)
                .map_err(|invalid| invalid.within("instructions"))?;
        }
    }
    for (kind, value) in counts.system_calls_per_transaction.iter().flatten() {
        not_negative(&format!("system_calls_per_transaction.{kind}"), *value)?;
    }
    Ok(())
}

fn no_case_twice(cases: &[CaseRecord]) -> Result<(), Invalid> {
    let mut seen: HashMap<(&str, Workload), usize> = HashMap::with_capacity(cases.len());
    for (index, case) in cases.iter().enumerate() {
        if let Some(first) = seen.insert((case.backend.as_str(), case.workload), index) {
            return Err(Invalid::new(
                format!("cases[{index}]"),
                format!("{}/{} is there already, in cases[{first}]", case.workload, case.backend),
            ));
        }
    }
    Ok(())
}
