//! `--check`: what changed since a stored run.

use std::path::Path;
use std::str::FromStr;

use anyhow::{anyhow, bail};

use crate::counts::tools::Tools;
use records::schema::Results;
use report::counts::check;
use report::units;

/// A share, written `0.5%` or `0.005`; 0 allows no change.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Tolerance(f64);

impl FromStr for Tolerance {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (number, scale) = match text.strip_suffix('%') {
            Some(number) => (number.trim(), 0.01),
            None => (text, 1.0),
        };
        let part = number.parse::<f64>().map_err(|error| format!("`{text}`: {error}"))? * scale;
        if (0.0..1.0).contains(&part) {
            Ok(Self(part))
        } else {
            Err(format!("`{text}` must be at least 0 % and less than 100 %, for example 0.5%"))
        }
    }
}

/// Refuses to compare with numbers that cannot be counted here.
pub(super) fn can_compare(stored: &Results, tools: &Tools) -> anyhow::Result<()> {
    let counters = stored.counters.clone().unwrap_or_default();
    for (had, tool) in [(counters.valgrind, &tools.valgrind), (counters.strace, &tools.strace)] {
        if let (Some(version), Err(reason)) = (had, tool) {
            bail!("--check: the stored file was made with {version}, and here {reason}");
        }
    }
    Ok(())
}

/// Prints what changed; whether nothing did.
pub(super) fn compare(
    stored: &Results,
    results: &Results,
    file: &Path,
    Tolerance(tolerance): Tolerance,
) -> anyhow::Result<bool> {
    let comparison =
        check::compare(stored, results, tolerance).map_err(|reason| anyhow!(reason))?;
    let file = file.display();
    let count = units::counted(comparison.changes.len(), "number", "numbers");
    print!("\nCompared with {file}:\n{comparison}");
    println!(
        "{count} of {} changed by more than {} %.",
        units::counted(comparison.cases, "case", "cases"),
        units::count(tolerance * 100.0)
    );
    if !comparison.changes.is_empty() {
        println!("If that is as it should be, store the new numbers with --out {file}.");
    }
    Ok(comparison.changes.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tolerances_may_be_zero() {
        assert_eq!("0".parse(), Ok(Tolerance(0.0)));
        assert_eq!("0.5%".parse(), Ok(Tolerance(0.005)));
        for bad in ["100%", "-1%", "NaN", "x", ""] {
            assert!(bad.parse::<Tolerance>().is_err(), "{bad}");
        }
    }

    #[test]
    fn what_cannot_be_counted_here_is_not_compared() {
        let stored = Results {
            counters: Some(records::schema::Counters {
                valgrind: Some("valgrind-3".to_owned()),
                ..Default::default()
            }),
            ..records::testing::Run::counts().build()
        };
        let absent = || Err("it is not there".to_owned());
        let mut tools = Tools { valgrind: absent(), strace: absent(), libc: None };
        let message = can_compare(&stored, &tools).unwrap_err().to_string();
        assert!(message.contains("valgrind-3, and here it is not there"), "{message}");
        tools.valgrind = Ok("valgrind-4".to_owned());
        assert!(can_compare(&stored, &tools).is_ok());
    }
}
