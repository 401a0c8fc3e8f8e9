//! The page of a published run: whatever of it is there.

use crate::counted::Counted;
use crate::engine::{self, PAGE};
use crate::pictures::{pictures, section};
use crate::suites::{self, SuiteView};
use crate::table::{bullets, markdown};
use crate::view::RunView;
use crate::{agreement, calibration, comparison, counts, facts, header, layouts, times};
use records::calibration::Calibration;
use records::looked_up::LookedUp;

/// The title, and what this was made from.
const TITLE: &str = "# Results\n\nMade from the files beside this one by `cargo run -p harness -- \
     report`; not to be edited. What the fields mean: [FORMAT.md](../../FORMAT.md); how it was \
     measured: [METHOD.md](../../../METHOD.md).\n";

/// The title of a calibration with as many launches as a precision took.
const PRECISE: &str = "Calibration to a given precision";

/// The whole page.
#[must_use]
pub fn page(view: &RunView<'_>, typed: &LookedUp) -> String {
    let run = view.run;
    let mut parts = vec![TITLE.to_owned()];
    parts.extend(run.results().map(header::header));
    parts.push(section(&pictures(view)));
    if let Some(timed) = view.timed() {
        // The counts are of engines as shipped.
        let counted = view.compare.as_ref().map(|timed| Counted::new(timed, view.counts.as_ref()));
        parts.push(markdown(&times::sections(timed, counted.as_ref())));
    }
    parts.extend(view.counts.as_ref().map(|counts| markdown(&counts::tables::sections(counts))));
    if let Some(timed) = view.timed() {
        parts.push(markdown(&comparison::sections(timed)));
    }
    if engine::page(view).is_some() {
        parts.push(format!(
            "### Engines\n\nThe LMDB of each binding against the others', without a binding: [{PAGE}]({PAGE}).\n"
        ));
    }
    let calibration = |title: &str, found: &Option<Calibration>| {
        found.as_ref().map(|found| format!("### {title}\n\n{}", calibration::tables(found)))
    };
    parts.extend(calibration("Calibration", &run.calibration));
    parts.extend(calibration(PRECISE, &run.precise_calibration));
    parts.extend(run.agreement.as_ref().map(|found| agreement::section(found).to_string()));
    parts.extend(run.link_orders.as_ref().map(|found| markdown(&layouts::sections(found))));
    if run.behaviour.is_some() {
        parts.push(
            "### Behaviour\n\nWhat backends do with awkward input and when they are killed: \
             [behaviour.md](behaviour.md).\n"
                .to_owned(),
        );
    }
    let suites = suites::views(view);
    if !suites.is_empty() {
        let link = |it: &SuiteView<'_>| format!("[{}]({})", it.suite.question, it.page_name());
        let links: Vec<String> = suites.iter().map(link).collect();
        parts.push(format!("### Questions\n\n{}", bullets(&links)));
    }
    if let Some(found) = &run.facts {
        parts.push(facts::section(found, run.behaviour.as_ref(), typed));
    }
    let parts = parts.iter().map(|part| part.trim_end_matches('\n'));
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use records::published::Published;
    use records::testing::{self, Run};

    fn headings(change: impl Fn(&mut Published)) -> Vec<String> {
        let mut run = Published::empty("box", "2026-01-02");
        change(&mut run);
        let text = page(&RunView::new(&run), &LookedUp::default());
        assert!(!text.contains("\n\n\n"), "{text}");
        let headings = text.lines().filter_map(|line| line.strip_prefix("### "));
        headings.map(str::to_owned).collect()
    }

    #[test]
    fn what_is_there_has_its_part_whatever_else_is() {
        assert_eq!(headings(|run| run.behaviour = Some(testing::behaviour())), ["Behaviour"]);
        let found = headings(|run| {
            run.compare = Some(Run::whole().build());
            run.counts = Some(Run::counts().backend("raw-ffi", None, 1.0).build());
        });
        let place = |title: &str| found.iter().position(|it| it.starts_with(title)).unwrap();
        assert!(place("Time per transaction") < place("Counts"), "{found:?}");
        assert!(place("Counts") < place("Binding overhead"), "{found:?}");
    }
}
