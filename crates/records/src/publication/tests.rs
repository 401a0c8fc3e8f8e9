//! Publishing into a directory of its own.

use super::*;
use crate::testing::fixtures;

fn candidate(results: &Results) -> Candidate {
    let text = serde_json::to_string(results).unwrap();
    Candidate::results("compare.json", text, results)
}

struct Place {
    results: tempfile::TempDir,
    name: HostName,
}

impl Place {
    fn new() -> Self {
        Self { results: tempfile::tempdir().unwrap(), name: "box".parse().unwrap() }
    }

    fn target(&self) -> Target<'_> {
        Target { results: self.results.path(), name: &self.name, date: None, replace: false }
    }

    fn publish(&self, candidates: &[Candidate]) -> Vec<PathBuf> {
        publish(&self.target(), candidates).unwrap()
    }
}

fn refusals(published: Result<Vec<PathBuf>, PublishError>) -> Vec<String> {
    match published {
        Err(PublishError::Refused(reasons)) => reasons,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_run_goes_to_its_day_to_the_last_byte() {
    let place = Place::new();
    let results = fixtures::publishable();
    let path = place.results.path().join("box/2026-11-30/compare.json");
    assert_eq!(place.publish(&[candidate(&results)]), std::slice::from_ref(&path));
    assert_eq!(fs::read_to_string(&path).unwrap(), serde_json::to_string(&results).unwrap());
    // The same again changes nothing.
    assert_eq!(place.publish(&[candidate(&results)]), Vec::<PathBuf>::new());
    let date = Some("2026-12-01".parse().unwrap());
    let elsewhere = publish(&Target { date, ..place.target() }, &[candidate(&results)]).unwrap();
    assert_eq!(elsewhere, [place.results.path().join("box/2026-12-01/compare.json")]);
}

#[test]
fn what_is_there_stays_unless_it_is_to_be_replaced() {
    let place = Place::new();
    place.publish(&[candidate(&fixtures::publishable())]);
    let mut other = fixtures::publishable();
    other.options.seed = 1;
    let reasons = refusals(publish(&place.target(), &[candidate(&other)]));
    assert!(reasons[0].contains("--replace"), "{reasons:?}");
    let path = place.results.path().join("box/2026-11-30/compare.json");
    assert_eq!(store::read::<Results>(&path).unwrap(), fixtures::publishable());
    let target = Target { replace: true, ..place.target() };
    assert_eq!(publish(&target, &[candidate(&other)]).unwrap(), std::slice::from_ref(&path));
    assert_eq!(store::read::<Results>(&path).unwrap(), other);
}

#[test]
fn one_bad_file_keeps_all_others_back() {
    let place = Place::new();
    let mut counts = fixtures::publishable();
    counts.producer = "counts".to_owned();
    counts.complete = false;
    let text = serde_json::to_string(&counts).unwrap();
    let counts = Candidate::results("counts.json", text, &counts);
    let reasons =
        refusals(publish(&place.target(), &[candidate(&fixtures::publishable()), counts]));
    assert_eq!(reasons, ["counts.json: the run is partial: it was interrupted"]);
    assert_eq!(fs::read_dir(place.results.path()).unwrap().count(), 0);
    let reasons = refusals(publish(&place.target(), &[]));
    assert_eq!(reasons, ["there is nothing to publish"]);
}

#[test]
fn a_run_is_of_one_day_one_machine_and_one_version() {
    let place = Place::new();
    let mut counts = fixtures::publishable();
    counts.producer = "counts".to_owned();
    counts.started_unix += 24 * 60 * 60;
    counts.host.cpu = "Other CPU".to_owned();
    counts.backends[1].binding_version = Some("9".to_owned());
    let text = serde_json::to_string(&counts).unwrap();
    let counts = Candidate::results("counts.json", text, &counts);
    let all = [candidate(&fixtures::publishable()), counts.clone()];
    let reasons = refusals(publish(&place.target(), &all));
    assert_eq!(
        reasons,
        [
            "the files are of several days (compare.json of 2026-11-30, counts.json of \
             2026-12-01): choose one with --date",
            "counts.json: the processor is Other CPU, in compare.json Some CPU: not one run",
            "counts.json: the version of owned-buffer is 9 on engine 0.8.0, in compare.json 0.8.0 \
             on engine 0.8.0: not one run",
        ]
    );
    // What was published before belongs to the run as well.
    place.publish(&[candidate(&fixtures::publishable())]);
    let date = Some("2026-11-30".parse().unwrap());
    let reasons = refusals(publish(&Target { date, ..place.target() }, &[counts]));
    assert_eq!(reasons.len(), 2, "{reasons:?}");
}

#[test]
fn two_files_of_one_name_are_refused() {
    let place = Place::new();
    let mut equal = fixtures::publishable();
    equal.options.cflags = Some("-O3".to_owned());
    for backend in &mut equal.backends {
        backend.engine_build = fixtures::results().backends[0].engine_build.clone();
    }
    let text = serde_json::to_string(&equal).unwrap();
    let both = [file::COMPARE, file::EQUAL_FLAGS]
        .map(|name| Candidate::results(name, text.clone(), &equal));
    assert_eq!(
        refusals(publish(&place.target(), &both)),
        ["compare.json and compare-equal-flags.json would both be published as \
          compare-equal-flags.json"]
    );
    assert_eq!(fs::read_dir(place.results.path()).unwrap().count(), 0);
}

#[test]
fn a_run_is_of_one_compiler_and_one_build_of_each_engine() {
    let place = Place::new();
    let mut counts = fixtures::publishable();
    counts.producer = "counts".to_owned();
    counts.host.rustc = "rustc 1.91.0".to_owned();
    counts.backends[0].engine_build.optimisation = Some("-O2".to_owned());
    let text = serde_json::to_string(&counts).unwrap();
    let counts = Candidate::results("counts.json", text, &counts);
    let reasons =
        refusals(publish(&place.target(), &[candidate(&fixtures::publishable()), counts]));
    assert_eq!(reasons.len(), 2, "{reasons:?}");
    assert!(reasons[0].contains("the compiler is rustc 1.91.0, in compare.json rustc 1.90.0"));
    assert!(reasons[1].contains("the engine build of raw-ffi is bundled, -O2"), "{reasons:?}");
}
