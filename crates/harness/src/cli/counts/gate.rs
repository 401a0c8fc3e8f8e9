//! `--check`: what changed since a stored run.

use std::path::Path;

use anyhow::{anyhow, bail};

use crate::counts::tools::Tools;
use records::schema::Results;
use report::counts::check;
use report::units;

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

pub(super) fn compare(
    stored: &Results,
    results: &Results,
    file: &Path,
    tolerance: f64,
) -> anyhow::Result<(String, bool)> {
    let comparison =
        check::compare(stored, results, tolerance).map_err(|reason| anyhow!(reason))?;
    let file = file.display();
    let is_unchanged = comparison.changes.is_empty();
    let advice = format!("If that is as it should be, store the new numbers with --out {file}.\n");
    let text = format!(
        "\nCompared with {file}:\n{comparison}{} of {} changed by more than {} %.\n{}",
        units::counted(comparison.changes.len(), "number", "numbers"),
        units::counted(comparison.cases, "case", "cases"),
        units::count(tolerance * 100.0),
        if is_unchanged { "" } else { &advice },
    );
    Ok((text, is_unchanged))
}

#[cfg(test)]
mod tests {
    use super::*;

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
