//! Runs of `compare` that say less than a whole one: too little to publish, or to be marked.

use std::collections::HashSet;

use crate::schema::{CONFIDENCE, CaseRecord, LAUNCHES, Results, Status, default_workloads};

/// Why too little was measured for anything to be said; empty if it was enough.
#[must_use]
pub fn refusals(results: &Results) -> Vec<String> {
    let mut reasons = Vec::new();
    // A file whose confidence is none is not read.
    let needed = statistics::blocks_needed(results.options.confidence).unwrap_or(usize::MAX);
    if let Some(launches) = fewest_launches(results).filter(|launches| *launches < needed) {
        reasons.push(format!(
            "{launches} launches of a case: an interval at {} % needs {needed}",
            percent(results.options.confidence)
        ));
    }
    let has_cases = !results.cases.is_empty();
    if has_cases && results.cases.iter().all(|case| case.noise_floor.is_none()) {
        reasons.push("it has no noise floor: nothing says how far equal workers differ".to_owned());
    }
    reasons
}

/// What a reader is told of a run that is less than a whole one; empty if it is none, or no times.
#[must_use]
pub fn marks(results: &Results) -> Vec<String> {
    let mut marks = Vec::new();
    let Some(launches) = fewest_launches(results) else { return marks };
    if launches < LAUNCHES {
        marks.push(format!("Fewer launches than the {LAUNCHES} of a whole run: {launches}"));
    }
    let (there, all) = of_default_matrix(results);
    if there < all {
        marks.push(format!("Only a part of the default matrix: {there} of its {all} cases"));
    }
    let confidence = results.options.confidence;
    if (confidence - CONFIDENCE).abs() > f64::EPSILON {
        let [found, usual] = [confidence, CONFIDENCE].map(percent);
        marks.push(format!("Intervals at {found} %, not at {usual} % as in other runs"));
    }
    marks
}

/// Whether every case of the default matrix was measured.
#[must_use]
pub fn has_default_matrix(results: &Results) -> bool {
    let (there, all) = of_default_matrix(results);
    there == all
}

/// How many cases of the default matrix were timed, and how many there are: each of the file's backends on
/// each of its workloads.
fn of_default_matrix(results: &Results) -> (usize, usize) {
    let timed: HashSet<_> = timed(results).map(|case| (&*case.backend, case.workload)).collect();
    let workloads = default_workloads();
    let wanted = results.backends.iter().flat_map(|it| workloads.iter().map(|one| (&*it.id, *one)));
    let (mut there, mut all) = (0, 0);
    for case in wanted {
        all += 1;
        there += usize::from(timed.contains(&case));
    }
    (there, all)
}

fn timed(results: &Results) -> impl Iterator<Item = &CaseRecord> {
    let is_timed = |case: &&CaseRecord| case.status == Status::Ok && case.time.is_some();
    results.cases.iter().filter(is_timed)
}

fn fewest_launches(results: &Results) -> Option<usize> {
    timed(results).filter_map(|case| Some(case.time.as_ref()?.launches_ns.len())).min()
}

/// A part of 1 in percent, without digits that say nothing: `95`, `99.9`.
fn percent(part: f64) -> String {
    let text = format!("{:.3}", part * 100.0);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::testing::fixtures;

    /// A run with all cases of the default matrix and as many launches as are usual.
    pub(crate) fn whole() -> Results {
        let mut results = fixtures::results();
        let mut template = results.cases[1].clone();
        template.time.as_mut().unwrap().launches_ns = vec![2090.25; LAUNCHES];
        let workloads = default_workloads();
        let wanted = results
            .backends
            .iter()
            .flat_map(|it| workloads.iter().map(|one| (it.id.clone(), *one)));
        let case = |(backend, workload)| CaseRecord { backend, workload, ..template.clone() };
        results.cases = wanted.map(case).collect();
        results
    }

    #[test]
    fn a_whole_run_is_not_weak() {
        assert_eq!((refusals(&whole()), marks(&whole())), (vec![], vec![]));
        assert!(has_default_matrix(&whole()));
    }

    #[test]
    fn too_few_launches_and_no_floor_are_refused() {
        let mut results = whole();
        results.cases[7].time.as_mut().unwrap().launches_ns.truncate(5);
        assert_eq!(refusals(&results), ["5 launches of a case: an interval at 95 % needs 6"]);
        let mut results = whole();
        results.cases.iter_mut().for_each(|case| case.noise_floor = None);
        assert!(refusals(&results)[0].contains("no noise floor"));
    }

    #[test]
    fn less_than_usual_is_marked() {
        let mut results = whole();
        results.options.confidence = 0.9;
        results.cases.pop();
        results.cases[0].time.as_mut().unwrap().launches_ns.truncate(29);
        let found = marks(&results);
        assert_eq!(found.len(), 3, "{found:?}");
        assert_eq!(found[0], "Fewer launches than the 30 of a whole run: 29");
        let all = whole().cases.len();
        assert!(found[1].ends_with(&format!("{} of its {all} cases", all - 1)), "{found:?}");
        assert_eq!(found[2], "Intervals at 90 %, not at 95 % as in other runs");
        assert!(!has_default_matrix(&results));
        results.cases.iter_mut().for_each(|case| case.time = None);
        assert_eq!(marks(&results), Vec::<String>::new(), "counts are no times");
    }
}
