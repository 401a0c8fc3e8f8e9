//! The page of a published run: whatever of it is there.

use crate::counted::Counted;
use crate::counts::tables;
use crate::pictures::published::{pictures, section};
use crate::{calibration, comparison, facts, header, times};
use records::calibration::Calibration;
use records::looked_up::LookedUp;
use records::published::Published;

/// The title, and what this was made from.
const TITLE: &str = "# Results\n\nMade from the files beside this one by `cargo run -p harness -- \
     report`; not to be edited. What the fields mean: [FORMAT.md](../../FORMAT.md); how it was \
     measured: [METHOD.md](../../../METHOD.md).\n";

/// The title of a calibration with as many launches as a precision took.
const PRECISE: &str = "Calibration to a given precision";

/// The whole page; `luck` is the spread that code layout alone gives to a build of one's own.
#[must_use]
pub fn page(run: &Published, typed: &LookedUp, luck: Option<f64>) -> String {
    let mut parts = vec![TITLE.to_owned()];
    parts.extend(run.results().map(header::header));
    parts.push(section(&pictures(run)));
    parts.push(times(run));
    parts.push(run.counts.as_ref().map(tables::tables).unwrap_or_default());
    parts.push(comparisons(run, luck));
    parts.extend(calibration("Calibration", run.calibration.as_ref()));
    parts.extend(calibration(PRECISE, run.precise_calibration.as_ref()));
    if run.behaviour.is_some() {
        parts.push(
            "### Behaviour\n\nWhat backends do with awkward input and when they are killed: \
             [behaviour.md](behaviour.md).\n"
                .to_owned(),
        );
    }
    if let Some(found) = &run.facts {
        parts.push(facts::section(found, run.behaviour.as_ref(), typed));
    }
    let parts = parts.iter().map(|part| part.trim_end_matches('\n'));
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n") + "\n"
}

/// The tables of times; those with engines as shipped have the counts beside them.
fn times(run: &Published) -> String {
    match (&run.compare, &run.equal_flags) {
        (Some(shipped), _) => {
            let counted = Counted::new(shipped, run.counts.as_ref());
            times::tables_with_counts(&shipped.cases, &counted)
        }
        (None, Some(equal)) => times::tables(&equal.cases),
        (None, None) => String::new(),
    }
}

/// The tables of ratios.
fn comparisons(run: &Published, luck: Option<f64>) -> String {
    match (&run.compare, &run.equal_flags) {
        (Some(shipped), equal) => comparison::tables_of_published(shipped, equal.as_ref(), luck),
        (None, Some(equal)) => comparison::tables(equal, luck),
        (None, None) => String::new(),
    }
}

fn calibration(title: &str, found: Option<&Calibration>) -> Option<String> {
    Some(format!("### {title}\n\n{}", calibration::tables(found?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshots::results;
    use records::schema::Results;
    use records::testing;

    fn headings(change: impl Fn(&mut Published)) -> Vec<String> {
        let mut run = Published::empty("box", "2026-01-02");
        change(&mut run);
        let text = page(&run, &LookedUp::default(), None);
        assert!(!text.contains("\n\n\n"), "{text}");
        let headings = text.lines().filter_map(|line| line.strip_prefix("### "));
        headings.map(str::to_owned).collect()
    }

    fn counts() -> Results {
        let mut counts = results();
        counts.producer = "counts".to_owned();
        for case in &mut counts.cases {
            case.time = None;
            case.counts = testing::first_format().cases[1].counts.clone();
        }
        counts
    }

    #[test]
    fn what_is_there_has_its_part_whatever_else_is() {
        let found = headings(|run| run.counts = Some(counts()));
        assert!(found.contains(&"Counts".to_owned()), "{found:?}");
        assert_eq!(headings(|run| run.behaviour = Some(testing::behaviour())), ["Behaviour"]);
        let found = headings(|run| run.precise_calibration = Some(testing::calibration()));
        assert_eq!(found, ["Calibration to a given precision"]);
        let found = headings(|run| run.equal_flags = Some(results()));
        assert!(found.contains(&"Summary".to_owned()), "{found:?}");
    }

    #[test]
    fn counts_stand_after_the_times_of_a_full_run() {
        let found = headings(|run| {
            run.compare = Some(results());
            run.counts = Some(counts());
        });
        let place = |title: &str| found.iter().position(|it| it.starts_with(title)).unwrap();
        assert!(place("Time per transaction") < place("Counts"), "{found:?}");
        assert!(place("Counts") < place("Binding overhead"), "{found:?}");
    }
}
