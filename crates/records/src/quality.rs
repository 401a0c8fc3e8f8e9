//! Why a run may not be published, and what a reader is told of one that may. Pure: all reasons at once.

use std::collections::BTreeMap;

use statistics::Interval;
use write_backend::protocol::Profile;
use write_backend::{SyncMode, Workload};

use crate::behaviour::Behaviour;
use crate::host;
use crate::published::file;
use crate::schema::{
    BackendRecord, CONFIDENCE, CaseRecord, LAUNCHES, Results, Status, default_workloads,
};
use crate::shipped;

/// How many failed cases are named.
const NAMED: usize = 3;
/// Said of times that were taken on any core.
const UNBOUND: &str =
    "Workers could not be bound to a core: the scheduler adds differences of its own";
/// How rare a number of floors that exclude 1 must be, if nothing but chance were at work, to say
/// that something else is: one run in a thousand.
const RARE: f64 = 0.001;
/// How rare it must be for readers to be told.
const ODD: f64 = 0.05;

/// The name that a results file has in a published run.
///
/// # Errors
/// Why it has none.
pub fn file_name(results: &Results) -> Result<String, String> {
    let suite = results.options.suite.as_ref().map(|suite| suite.name.as_str());
    match (results.producer.as_str(), &results.options.cflags) {
        ("compare", None) => Ok(suite.map_or(file::COMPARE.to_owned(), file::suite_times)),
        ("compare", Some(cflags)) if suite.is_none() => equal_flags(&results.backends)
            .map(|()| file::EQUAL_FLAGS.to_owned())
            .map_err(|reason| format!("engines were built with CFLAGS `{cflags}`, but {reason}")),
        ("counts", None) => Ok(suite.map_or(file::COUNTS.to_owned(), file::suite_counts)),
        ("counts" | "compare", Some(cflags)) => Err(format!(
            "engines were built with CFLAGS `{cflags}`: counts and suites are published as shipped, \
             without"
        )),
        (producer, _) => Err(format!("`{producer}` writes nothing that is published")),
    }
}

/// Refuses engines that were not seen to be built with the same flags: in what makes a difference,
/// optimisation and assertions.
fn equal_flags(backends: &[BackendRecord]) -> Result<(), String> {
    let engines = backends.iter().filter(|backend| backend.engine_version.is_some());
    let mut found: Vec<(String, Vec<&str>)> = Vec::new();
    for backend in engines {
        let build = &backend.engine_build;
        let (Some(optimisation), Some(assertions)) = (&build.optimisation, build.assertions) else {
            return Err(format!("it cannot be seen how the engine of {} was built", backend.id));
        };
        let assertions = if assertions { "assertions on" } else { "NDEBUG" };
        let switches = build.switches.as_ref().map_or(String::new(), |it| format!(", {it}"));
        let flags = format!("{optimisation}, {assertions}{switches}");
        match found.iter_mut().find(|(known, _)| *known == flags) {
            Some((_, ids)) => ids.push(&backend.id),
            None => found.push((flags, vec![&backend.id])),
        }
    }
    if found.len() < 2 {
        return Ok(());
    }
    let words: Vec<String> =
        found.iter().map(|(flags, ids)| format!("{} with {flags}", ids.join(", "))).collect();
    Err(format!("not all with the same: {}", words.join("; ")))
}

/// Why a results file may not be published; empty if it may.
#[must_use]
pub fn refusals(results: &Results) -> Vec<String> {
    let mut reasons = Vec::new();
    reasons.extend(file_name(results).err());
    reasons.extend((!results.complete).then(|| PARTIAL.to_owned()));
    reasons.extend(results.cases.is_empty().then(|| "it has no cases".to_owned()));
    reasons.extend(builds(&results.backends));
    reasons.extend(shipped::deviations(results));
    reasons.extend(failed(results));
    if results.producer == "compare" {
        reasons.extend(times(results));
    }
    reasons
}

/// Why a behaviour file may not be published; empty if it may.
#[must_use]
pub fn behaviour_refusals(found: &Behaviour) -> Vec<String> {
    let mut reasons = Vec::new();
    reasons.extend((!found.complete).then(|| PARTIAL.to_owned()));
    reasons.extend(found.cases.is_empty().then(|| "it has no cases".to_owned()));
    reasons.extend(builds(&found.backends));
    reasons.extend(found.failures.iter().map(|reason| format!("not found out: {reason}")));
    reasons
}

const PARTIAL: &str = "the run is partial: it was interrupted";

/// What spoils times and no counts.
fn times(results: &Results) -> Vec<String> {
    let mut reasons = Vec::new();
    let shifted = ids(&results.backends, |backend| !backend.is_aligned());
    reasons.extend(shifted.map(|ids| {
        format!(
            "functions are not aligned to 64 bytes in {ids}: code layout would be part of the \
             result (were RUSTFLAGS or CFLAGS set for the target?)"
        )
    }));
    reasons.extend(synced_nowhere(results).map(|place| {
        format!(
            "sync modes other than nosync were measured on {place}, where syncing costs nothing: use --dir"
        )
    }));
    // A file whose confidence is none is not read.
    let needed = statistics::blocks_needed(results.options.confidence).unwrap_or(usize::MAX);
    if let Some(launches) = fewest_launches(results).filter(|launches| *launches < needed) {
        let confidence = percent(results.options.confidence);
        reasons.push(format!(
            "{launches} launches of a case: an interval at {confidence} % needs {needed}"
        ));
    }
    let floors = Floors::of(results);
    if floors.all == 0 && !results.cases.is_empty() {
        reasons.push("it has no noise floor: nothing says how far equal workers differ".to_owned());
    }
    if floors.likelihood() < RARE {
        reasons.push(format!(
            "A/A floors that exclude 1, more than chance explains (so many or more in less than \
             {:.1} % of runs): {}",
            RARE * 100.0,
            floors.words()
        ));
    }
    reasons
}

/// Where commits were told to wait for a disk and had none to wait for.
#[must_use]
pub fn synced_nowhere(results: &Results) -> Option<String> {
    let is_synced = |case: &CaseRecord| case.workload.sync != SyncMode::NoSync;
    let options = &results.options;
    results
        .cases
        .iter()
        .any(is_synced)
        .then(|| host::without_disk(&options.file_system, options.sync_ns))
        .flatten()
}

/// What spoils everything.
fn builds(backends: &[BackendRecord]) -> Vec<String> {
    let debug = ids(backends, |backend| backend.profile == Profile::Debug);
    let system = ids(backends, |backend| backend.engine_build.bundled == Some(false));
    let reasons = [
        debug.map(|ids| format!("debug build: {ids}")),
        system.map(|ids| format!("LMDB of the system, not the one the binding ships: {ids}")),
    ];
    reasons.into_iter().flatten().collect()
}

fn ids(backends: &[BackendRecord], wanted: impl Fn(&BackendRecord) -> bool) -> Option<String> {
    let found: Vec<&str> =
        backends.iter().filter(|it| wanted(it)).map(|it| it.id.as_str()).collect();
    (!found.is_empty()).then(|| found.join(", "))
}

fn failed(results: &Results) -> Option<String> {
    let cases = &results.cases;
    let failed: Vec<&CaseRecord> =
        cases.iter().filter(|case| case.status == Status::Failed).collect();
    let name = |case: &&CaseRecord| {
        let reason = case.reason.as_deref().unwrap_or_default();
        format!("{}/{} ({reason})", case.workload, case.backend)
    };
    let named: Vec<String> = failed.iter().take(NAMED).map(name).collect();
    let more = if failed.len() > NAMED { ", ..." } else { "" };
    (!failed.is_empty()).then(|| {
        format!("failed cases, {} of {}: {}{more}", failed.len(), cases.len(), named.join(", "))
    })
}

/// What a reader is told with the tables of a run, before any number; empty if nothing.
#[must_use]
pub fn marks(results: &Results) -> Vec<String> {
    let mut marks = shipped::deviations(results);
    marks.extend(one_link_order(results));
    let fewest = fewest_launches(results);
    if fewest.is_some() && results.options.core.is_none() {
        marks.push(UNBOUND.to_owned());
    }
    marks.extend(results.options.disturbances.iter().cloned());
    let saves = |governor: &&String| ["powersave", "conservative"].contains(&governor.as_str());
    if let Some(governor) =
        results.host.governor.as_ref().filter(saves).filter(|_| fewest.is_some())
    {
        marks.push(format!(
            "The frequency governor `{governor}` saves power: speed changes with load"
        ));
    }
    if let Some(launches) = fewest.filter(|_| results.producer == "compare") {
        if launches < LAUNCHES {
            marks.push(format!("Fewer launches than the {LAUNCHES} of a whole run: {launches}"));
        }
        let (there, all) = asked_for(results);
        if there < all {
            marks.push(format!("Only a part of the cases asked for: {there} of {all}"));
        }
        let (there, all) = of_default_matrix(results);
        match &results.options.suite {
            Some(suite) if suite.narrowed => {
                marks.push(format!("Only a part of the suite {}", suite.name));
            }
            None if there == 0 && all > 0 => {
                marks.push("Workloads of one's own, none of the default matrix".to_owned());
            }
            None if there < all => marks.push(format!(
                "A selection of cases: it has {there} of the {all} of the default matrix"
            )),
            _ => {}
        }
        let confidence = results.options.confidence;
        if (confidence - CONFIDENCE).abs() > f64::EPSILON {
            let [found, usual] = [confidence, CONFIDENCE].map(percent);
            marks.push(format!("Intervals at {found} %, not at {usual} % as in other runs"));
        }
    }
    let floors = Floors::of(results);
    if floors.likelihood() < ODD {
        marks.push(format!(
            "More equal workers (A/A) were measured as different than chance explains: on {}. There, a \
             difference up to that size is not claimed",
            floors.words()
        ));
    }
    marks
}

/// How often two equal workers were measured as different, where that is no more than chance explains;
/// `None` where none of a run's workloads has an A/A twin, or it is one of its [`marks`].
#[must_use]
pub fn noise_check(results: &Results) -> Option<String> {
    let floors = Floors::of(results);
    let (found, all, expected) = (floors.excluding.len(), floors.all, floors.expected());
    (all > 0 && floors.likelihood() >= ODD).then(|| {
        format!(
            "Noise check (A/A): equal workers seemed different on {found} of {all} workloads; chance alone \
             gives {expected:.1}"
        )
    })
}

/// Which backends were measured in one build, for each reason.
#[must_use]
pub fn one_link_order(results: &Results) -> Vec<String> {
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for backend in &results.backends {
        let Some(reason) = &backend.one_link_order else { continue };
        match reasons.iter_mut().find(|(known, _)| known == reason) {
            Some((_, ids)) => ids.push(&backend.id),
            None => reasons.push((reason, vec![&backend.id])),
        }
    }
    if results.schema == 1 && !reasons.is_empty() {
        return vec!["Made with one link order: these verdicts hold for one build only".to_owned()];
    }
    let words = |(reason, ids): &(&str, Vec<&str>)| {
        format!(
            "In one link order, so that its ratios hold for one build and have no verdict: {} ({reason})",
            ids.join(", ")
        )
    };
    reasons.iter().map(words).collect()
}

/// Whether every case of the default matrix was measured, of the backends that were asked for.
#[must_use]
pub fn has_default_matrix(results: &Results) -> bool {
    let (there, all) = of_default_matrix(results);
    there == all
}

/// How many cases of the default matrix are there, and how many it has.
fn of_default_matrix(results: &Results) -> (usize, usize) {
    let workloads = default_workloads();
    let all = workloads.len() * results.options.asked.backends.len();
    let asked = &results.options.asked.backends;
    (measured(results, |it| asked.contains(&it.backend) && workloads.contains(&it.workload)), all)
}

/// How many of the cases that were asked for are there, and how many they are.
fn asked_for(results: &Results) -> (usize, usize) {
    let asked = &results.options.asked;
    (measured(results, |it| asked.includes(&it.backend, &it.workload)), asked.cases())
}

/// How many of the cases that are `wanted` were measured, or are not offered.
fn measured(results: &Results, wanted: impl Fn(&CaseRecord) -> bool) -> usize {
    let cases = results.cases.iter().filter(|case| case.status != Status::Failed);
    cases.filter(|case| wanted(case)).count()
}

fn fewest_launches(results: &Results) -> Option<usize> {
    results.cases.iter().filter_map(|case| Some(case.time.as_ref()?.launches_ns.len())).min()
}

/// A part of 1 in percent, without digits that say nothing: `95`, `99.9`.
fn percent(part: f64) -> String {
    let text = format!("{:.3}", part * 100.0);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The noise floors of a run, and those that exclude 1: where the instrument preferred one of two
/// equal workers.
struct Floors {
    /// How many workloads have one.
    all: usize,
    excluding: Vec<Workload>,
    /// The part of equal pairs whose interval excludes 1 by chance: 1 - confidence.
    rate: f64,
}

impl Floors {
    fn of(results: &Results) -> Self {
        let floors: BTreeMap<Workload, Interval> =
            results.cases.iter().filter_map(|it| Some((it.workload, it.noise_floor?))).collect();
        let excluding = floors.iter().filter(|(_, floor)| !floor.contains(1.0));
        let excluding = excluding.map(|(workload, _)| *workload).collect();
        Self { all: floors.len(), excluding, rate: 1.0 - results.options.confidence }
    }

    /// How likely at least so many are by chance: the floors of different workloads have no launch
    /// in common, so their number is binomial.
    fn likelihood(&self) -> f64 {
        // The rate is that of a confidence, which lies between 0 and 1.
        statistics::at_least(self.all, self.excluding.len(), self.rate).unwrap_or(1.0)
    }

    /// How many exclude 1 where chance alone decides.
    fn expected(&self) -> f64 {
        self.all as f64 * self.rate
    }

    /// `2 of 24 workloads (1.2 expected by chance): abort-n1-..., ...`.
    fn words(&self) -> String {
        let names: Vec<String> = self.excluding.iter().map(ToString::to_string).collect();
        let (found, all, expected) = (names.len(), self.all, self.expected());
        let names = names.join(", ");
        format!("{found} of {all} workloads ({expected:.1} expected by chance): {names}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Run, workload};

    const ONE: &str = "commit-n10-v64-k4-sequential-nosync";

    /// A good run after `change`.
    fn whole(change: impl FnOnce(&mut Results)) -> Results {
        let mut results = Run::whole().build();
        change(&mut results);
        results.conclude();
        results
    }

    #[test]
    fn a_good_run_is_published_by_what_made_it() {
        let counts = Run::counts().backend("raw-ffi", None, 1.0).build();
        for (run, name) in [(whole(|_| {}), file::COMPARE), (counts.clone(), file::COUNTS)] {
            assert_eq!((refusals(&run), marks(&run)), (vec![], vec![]));
            assert_eq!(file_name(&run).as_deref(), Ok(name));
        }
        let flags = |it: &mut Results| it.options.cflags = Some("-O3".to_owned());
        assert_eq!(file_name(&whole(flags)).as_deref(), Ok(file::EQUAL_FLAGS));
        let counts = Run::counts().edit(flags).build();
        assert!(file_name(&counts).unwrap_err().contains("as shipped"));
        let write = whole(|it| it.producer = "write".to_owned());
        assert!(file_name(&write).unwrap_err().contains("`write`"));
        // In memory, and nothing was synced.
        let memory = whole(|it| it.options.file_system = "tmpfs".to_owned());
        assert_eq!(refusals(&memory), Vec::<String>::new());
    }

    #[test]
    fn each_reason_alone() {
        type Change = fn(&mut Results);
        let cases: [(&str, Change); 12] = [
            ("on overlay that answers a sync after 4.6 us, as no disk does, where syncing", |it| {
                it.options.file_system = "overlay".to_owned();
                it.options.sync_ns = Some(4600.0);
                it.cases[0].workload.sync = SyncMode::Sync;
            }),
            ("the run is partial", |it| it.complete = false),
            ("it has no cases", |it| it.cases.clear()),
            ("failed cases, 1 of 72: commit-n10-v64-k4-sequential-nosync/heed (no room)", |it| {
                let case = it.cases.iter_mut().find(|it| it.backend == "heed");
                *case.unwrap() = CaseRecord::failed("heed", workload(ONE), "no room".to_owned());
            }),
            ("it has no noise floor", |it| it.twins.clear()),
            ("debug build: heed", |it| it.backends[2].profile = Profile::Debug),
            ("LMDB of the system, not the one the binding ships: heed", |it| {
                it.backends[2].engine_build.bundled = Some(false);
            }),
            ("not aligned to 64 bytes in heed", |it| it.backends[2].put_alignment = Some(16)),
            ("on tmpfs, where syncing costs nothing", |it| {
                it.options.file_system = "tmpfs".to_owned();
                it.cases[0].workload.sync = SyncMode::Sync;
            }),
            (
                "`-DNDEBUG`, but not all with the same: raw-ffi, raw-ffi@lmdb-master-sys with -O3, \
                 NDEBUG; heed with -O1",
                |it| {
                    it.options.cflags = Some("-DNDEBUG".to_owned());
                    it.backends[2].engine_build.optimisation = Some("-O1".to_owned());
                },
            ),
            ("cannot be seen how the engine of heed was built", |it| {
                it.options.cflags = Some("-DNDEBUG".to_owned());
                it.backends[2].engine_build.assertions = None;
            }),
            ("24 of 24 workloads (1.2 expected by chance): abort-n1-", |it| bias(it, 24)),
        ];
        for (expected, change) in cases {
            let found = refusals(&whole(change));
            assert!(found.len() == 1 && found[0].contains(expected), "{expected}: {found:?}");
        }
        let few = refusals(&Run::whole().launches(5).build());
        assert_eq!(few[0], "5 launches of a case: an interval at 95 % needs 6");
    }

    /// Makes the twin slower than its equal on the first workloads.
    fn bias(results: &mut Results, workloads: usize) {
        let twins = results.twins[..workloads].iter_mut();
        twins.flat_map(|twin| &mut twin.log_ratios).for_each(|log| *log += 0.05);
    }

    #[test]
    fn chance_explains_five_floors_of_twenty_four_and_no_sixth() {
        for (excluding, is_refused) in [(0, false), (5, false), (6, true)] {
            let run = whole(|it| bias(it, excluding));
            assert_eq!(!refusals(&run).is_empty(), is_refused, "{excluding}");
            let marked = marks(&run).iter().any(|it| it.contains("equal workers (A/A)"));
            assert_eq!((marked, noise_check(&run).is_none()), (excluding > 3, excluding > 3));
        }
    }

    #[test]
    fn less_than_a_whole_run_is_marked() {
        let mut run = Run::whole().launches(29).build();
        (run.options.confidence, run.options.core) = (0.9, None);
        run.options.disturbances = vec!["It rained".to_owned()];
        run.host.governor = Some("powersave".to_owned());
        run.cases.pop();
        let expected = [
            UNBOUND,
            "It rained",
            "The frequency governor `powersave` saves power: speed changes with load",
            "Fewer launches than the 50 of a whole run: 29",
            "Only a part of the cases asked for: 71 of 72",
            "A selection of cases: it has 71 of the 72 of the default matrix",
            "Intervals at 90 %, not at 95 % as in other runs",
        ];
        assert_eq!(marks(&run)[..7], expected);
        assert!(!has_default_matrix(&run) && has_default_matrix(&whole(|_| {})));
        let small = marks(&Run::whole().workloads(&[ONE]).build());
        assert_eq!(small, ["A selection of cases: it has 3 of the 72 of the default matrix"]);
    }

    #[test]
    fn behaviour_must_be_whole_and_of_a_release_build() {
        let mut found = crate::testing::behaviour();
        assert_eq!(behaviour_refusals(&found), Vec::<String>::new());
        found.failures.push("heed: it did not start".to_owned());
        found.complete = false;
        found.backends[0].profile = Profile::Debug;
        assert_eq!(behaviour_refusals(&found).len(), 3);
    }
}
