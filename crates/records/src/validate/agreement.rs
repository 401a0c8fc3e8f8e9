//! Numbers of a file that follow from others in it must agree with them: one that was changed by hand,
//! or by a program that knows half of the format, would be believed like any other.

use std::collections::HashMap;

use write_backend::Workload;

use crate::REFERENCE;
use crate::invalid::{Invalid, check};
use crate::schema::{CaseRecord, Counts, Results, Split, Time};
use statistics::Interval;

use super::ROUNDING;

/// Checks `case` of `results` alone; its values are possible, each for itself.
///
/// # Errors
/// The first field that does not agree, and with what.
pub(crate) fn case(case: &CaseRecord, results: &Results) -> Result<(), Invalid> {
    if let Some(found) = &case.time {
        time(found).map_err(|invalid| invalid.within("time"))?;
    }
    let record = results.backends.iter().find(|it| it.id == case.backend);
    let control = record.and_then(|it| it.control.as_deref());
    for (name, ratio, denominator) in
        [("overhead", &case.overhead, control), ("relative", &case.relative, Some(REFERENCE))]
    {
        let Some(ratio) = ratio else { continue };
        let must_be = match denominator {
            Some(id) => format!("`{id}`"),
            None => "a backend with a `control`".to_owned(),
        };
        let is_so = denominator == Some(ratio.against.as_str());
        check(is_so, "against", format!("`{}`", ratio.against), &must_be)
            .and_then(|()| equal("confidence", ratio.confidence, results.options.confidence, 1.0))
            .map_err(|invalid| invalid.within(name))?;
    }
    if let Some(found) = &case.counts {
        counts(found, case.workload.batch_size).map_err(|invalid| invalid.within("counts"))?;
    }
    Ok(())
}

/// The noise floor is that of a workload: all its cases have the same.
///
/// # Errors
/// The first case that has another one than a case before it.
pub(crate) fn one_floor(cases: &[CaseRecord]) -> Result<(), Invalid> {
    let mut floors: HashMap<Workload, (usize, Interval)> = HashMap::new();
    for (index, case) in cases.iter().enumerate() {
        let Some(floor) = case.noise_floor else { continue };
        let (first, expected) = *floors.entry(case.workload).or_insert((index, floor));
        let must_be = format!(
            "{} to {} as in cases[{first}], of the same workload",
            expected.low, expected.high
        );
        let found = format!("{} to {}", floor.low, floor.high);
        check(floor == expected, &format!("cases[{index}].noise_floor"), found, &must_be)?;
    }
    Ok(())
}

/// Times are those of the launches. Ratios are of rounds, which are not stored.
fn time(time: &Time) -> Result<(), Invalid> {
    let Some(expected) = Time::new(time.launches_ns.clone(), time.transactions_per_sample) else {
        return Err(Invalid::new("launches_ns", "their mean or deviation is no number"));
    };
    // A deviation of equal launches is nothing but the rounding of their mean.
    let scale = expected.mean_ns;
    equal("mean_ns", time.mean_ns, expected.mean_ns, scale)?;
    equal("median_ns", time.median_ns, expected.median_ns, scale)?;
    for (name, found, expected) in [
        ("std_dev_ns", time.std_dev_ns, expected.std_dev_ns),
        ("error_ns", time.error_ns, expected.error_ns),
    ] {
        match (found, expected) {
            (Some(found), Some(expected)) => equal(name, found, expected, scale)?,
            (None, None) => {}
            (Some(found), None) => check(false, name, found, "absent for a single launch")?,
            (None, Some(expected)) => {
                check(false, name, "none", &format!("{expected}, as the launches say"))?;
            }
        }
    }
    Ok(())
}

fn counts(counts: &Counts, batch_size: usize) -> Result<(), Invalid> {
    let Some(total) = counts.instructions_per_transaction else { return Ok(()) };
    if let Some(per_put) = counts.instructions_per_put {
        equal("instructions_per_put", per_put, total / batch_size as f64, 0.0)?;
    }
    if let Some(split) = counts.instructions {
        let Split { binding, lmdb, libc_memory, libc_bytes, libc_other, other } = split;
        let parts = [binding, lmdb, libc_memory, libc_bytes, libc_other, other];
        // Parts below 0 may cancel others.
        let scale = parts.iter().map(|part| part.abs()).sum();
        let sum: f64 = parts.iter().sum();
        let is_so = is_close(total, sum, scale);
        let must_be = format!("{sum}, the sum of `instructions`");
        check(is_so, "instructions_per_transaction", total, &must_be)?;
    }
    Ok(())
}

fn equal(field: &str, found: f64, expected: f64, scale: f64) -> Result<(), Invalid> {
    let is_so = is_close(found, expected, scale);
    check(is_so, field, found, &format!("{expected}, which follows from other fields"))
}

/// Whether two numbers are the same but for rounding; `scale` is that of what they were made from.
fn is_close(found: f64, expected: f64, scale: f64) -> bool {
    (found - expected).abs() <= ROUNDING * expected.abs().max(scale)
}
