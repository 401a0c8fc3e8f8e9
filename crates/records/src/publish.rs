//! Puts a run among the published ones: all of its files, or none of them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::behaviour::Behaviour;
use crate::builds::{self, BuildDifference, Part, Property};
use crate::calibration::Calibration;
use crate::facts::Facts;
use crate::names::Day;
use crate::names::HostName;
use crate::published::{file, suite_files};
use crate::quality;
use crate::schema::Results;
use crate::store::{self, Problem, StoreError, Stored, is_there};
use crate::trials::{Agreement, LayoutTrial};

/// Why a run was not published. Nothing was written then.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// All reasons, one line each.
    #[error("not published:\n- {}", .0.join("\n- "))]
    Refused(Vec<String>),
    /// A file could not be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Where a run goes.
#[derive(Debug, Clone)]
pub struct Target<'a> {
    /// The directory of all results.
    pub results: &'a Path,
    /// The machine's name.
    pub name: &'a HostName,
    /// The day; that on which the files were measured, unless given.
    pub date: Option<Day>,
    /// Whether other files of the same names may be replaced.
    pub replace: bool,
}

/// A file to publish.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// Its name in messages.
    source: String,
    /// What it is called among the published ones; the reason where it cannot be.
    name: Result<String, String>,
    text: String,
    started_unix: u64,
    built: Vec<Property>,
    refusals: Vec<String>,
    marks: Vec<String>,
}

impl Candidate {
    fn new(
        source: &str,
        name: Result<String, String>,
        text: String,
        started_unix: u64,
        built: Vec<Property>,
    ) -> Self {
        let (source, refusals, marks) = (source.to_owned(), Vec::new(), Vec::new());
        Self { source, name, text, started_unix, built, refusals, marks }
    }

    /// A results file with this `text`; `source` names it in messages.
    #[must_use]
    pub fn results(source: &str, text: String, found: &Results) -> Self {
        let (name, built) = (quality::file_name(found), builds::of_results(found));
        let candidate = Self::new(source, name, text, found.started_unix, built);
        let (refusals, marks) = (quality::refusals(found), quality::marks(found));
        Self { refusals, marks, ..candidate }
    }

    /// A calibration. Nothing speaks against one: it says of itself how good it is.
    #[must_use]
    pub fn calibration(source: &str, text: String, found: &Calibration) -> Self {
        let is_precise = found.precision.is_some();
        let name = if is_precise { file::PRECISE_CALIBRATION } else { file::CALIBRATION };
        Self::new(
            source,
            Ok(name.to_owned()),
            text,
            found.started_unix,
            builds::of_host(&found.host),
        )
    }

    /// A behaviour file.
    #[must_use]
    pub fn behaviour(source: &str, text: String, found: &Behaviour) -> Self {
        let built = builds::of_behaviour(found);
        let candidate =
            Self::new(source, Ok(file::BEHAVIOUR.to_owned()), text, found.started_unix, built);
        Self { refusals: quality::behaviour_refusals(found), ..candidate }
    }

    /// A file of facts.
    #[must_use]
    pub fn facts(source: &str, text: String, found: &Facts) -> Self {
        let built = builds::of_facts(found);
        Self::new(source, Ok(file::FACTS.to_owned()), text, found.started_unix, built)
    }

    /// Whether several runs agree. Sources that were built alike is what they have in common.
    #[must_use]
    pub fn agreement(source: &str, text: String, found: &Agreement) -> Self {
        let built = builds::of_host(&found.host);
        Self::new(source, Ok(file::AGREEMENT.to_owned()), text, found.started_unix, built)
    }

    /// A comparison of link orders with real builds.
    #[must_use]
    pub fn link_orders(source: &str, text: String, found: &LayoutTrial) -> Self {
        let built = builds::of_host(&found.host);
        Self::new(source, Ok(file::LINK_ORDERS.to_owned()), text, found.started_unix, built)
    }

    /// What a reader of the published file is told before any number.
    #[must_use]
    pub fn marks(&self) -> &[String] {
        &self.marks
    }

    /// The files of a run in `directory`: those of the names that the benches give, and of the names
    /// of a published run.
    ///
    /// # Errors
    /// When one cannot be read or is not what its name says.
    pub fn all_in(directory: &Path) -> Result<Vec<Self>, StoreError> {
        let mut found = Vec::new();
        for name in [file::COMPARE, file::EQUAL_FLAGS, file::COUNTS] {
            found.extend(read(&directory.join(name), Self::results)?);
        }
        for path in suite_files(directory)? {
            found.extend(read(&path, Self::results)?);
        }
        for name in [file::CALIBRATION, file::PRECISE_CALIBRATION] {
            found.extend(read(&directory.join(name), Self::calibration)?);
        }
        found.extend(read(&directory.join(file::BEHAVIOUR), Self::behaviour)?);
        found.extend(read(&directory.join(file::FACTS), Self::facts)?);
        found.extend(read(&directory.join(file::AGREEMENT), Self::agreement)?);
        found.extend(read(&directory.join(file::LINK_ORDERS), Self::link_orders)?);
        Ok(found)
    }

    fn day(&self) -> Day {
        Day::of_unix(self.started_unix)
    }
}

/// The candidate in the file at `path`; `None` if there is no such file.
fn read<T: Stored>(
    path: &Path,
    candidate: impl Fn(&str, String, &T) -> Candidate,
) -> Result<Option<Candidate>, StoreError> {
    if !is_there(path)? {
        return Ok(None);
    }
    let bytes = fs::read(path).map_err(|error| Problem::Io(error).at(path))?;
    let found: T = store::parse(&bytes, path)?;
    let source = path.file_name().unwrap_or_default().to_string_lossy();
    // What was read as JSON is valid UTF-8. A checkout may have line ends of another system.
    let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
    Ok(Some(candidate(&source, text, &found)))
}

/// Publishes `candidates` as one run; the files that are new or changed.
///
/// # Errors
/// All reasons against it, or what could not be written.
pub fn publish(
    target: &Target<'_>,
    candidates: &[Candidate],
) -> Result<Vec<PathBuf>, PublishError> {
    let mut reasons = Vec::new();
    for candidate in candidates {
        let of = |reason: &String| format!("{}: {reason}", candidate.source);
        reasons.extend(candidate.refusals.iter().map(of));
    }
    reasons.extend(day_refusal(target, candidates));
    let first = candidates.first().map(Candidate::day);
    let Some(day) = target.date.or(first) else {
        return Err(PublishError::Refused(vec!["there is nothing to publish".to_owned()]));
    };
    let directory = target.results.join(target.name.as_str()).join(day.to_string());
    let stored = if is_there(&directory)? { Candidate::all_in(&directory)? } else { Vec::new() };
    reasons.extend(collisions(candidates));
    reasons.extend(mixtures(candidates, &stored));

    let mut writes = Vec::new();
    for candidate in candidates {
        let Ok(name) = &candidate.name else { continue };
        let path = directory.join(name);
        match stored.iter().find(|it| it.source == *name) {
            Some(same) if same.text == candidate.text => {}
            Some(_) if !target.replace => reasons.push(format!(
                "{}: {} is there already and holds something else: `cargo run -p harness -- publish \
                 {} --replace` replaces it",
                candidate.source,
                path.display(),
                target.name
            )),
            _ => writes.push((path, &candidate.text)),
        }
    }
    if !reasons.is_empty() {
        return Err(PublishError::Refused(reasons));
    }
    for (path, text) in &writes {
        store::write_text(path, text)?;
    }
    Ok(writes.into_iter().map(|(path, _)| path).collect())
}

/// Files of several days are one run only if somebody says so.
fn day_refusal(target: &Target<'_>, candidates: &[Candidate]) -> Option<String> {
    let mut days: Vec<Day> = candidates.iter().map(Candidate::day).collect();
    days.dedup();
    let differ = target.date.is_none() && days.len() > 1;
    let words = || {
        let words = candidates.iter().map(|it| format!("{} of {}", it.source, it.day()));
        words.collect::<Vec<_>>().join(", ")
    };
    differ.then(|| format!("the files are of several days ({}): choose one with --date", words()))
}

/// A run is of one machine and one build of everything: what of `candidates`, and of the files in
/// `stored` that stay, is not. Each property is named once for each file.
fn mixtures(candidates: &[Candidate], stored: &[Candidate]) -> Vec<String> {
    let stays = |it: &&Candidate| {
        !candidates.iter().any(|new| new.name.as_ref().ok() == it.name.as_ref().ok())
    };
    let all: Vec<&Candidate> = stored.iter().filter(stays).chain(candidates).collect();
    let mut found = Vec::new();
    for (index, file) in all.iter().enumerate() {
        let mut named = Vec::new();
        for earlier in &all[..index] {
            for BuildDifference { what, a, b, .. } in mixed(earlier, file) {
                if !named.contains(&what) {
                    let [one, other] = [&file.source, &earlier.source];
                    found.push(format!("{one}: {what} is {b}, in {other} {a}: not one run"));
                    named.push(what);
                }
            }
        }
    }
    found
}

/// Differences that files of one run cannot have. With other `CFLAGS` engines are built otherwise.
fn mixed(one: &Candidate, other: &Candidate) -> Vec<BuildDifference> {
    let mut found = builds::differences(&one.built, &other.built);
    let other_flags = found.iter().any(|it| it.part == Part::CFlags);
    found.retain(|it| match it.part {
        Part::Processor | Part::Rust | Part::Versions | Part::Settings | Part::Turns => true,
        Part::Engine => !other_flags,
        Part::CFlags | Part::Profile | Part::Alignment | Part::Counters => false,
    });
    found
}

/// Two files that would have one name among the published ones: the second would replace the first.
fn collisions(candidates: &[Candidate]) -> Vec<String> {
    let mut found = Vec::new();
    for (index, candidate) in candidates.iter().enumerate() {
        let Ok(name) = &candidate.name else { continue };
        let others = &candidates[..index];
        if let Some(other) = others.iter().find(|it| it.name.as_ref().ok() == Some(name)) {
            let [one, two] = [&other.source, &candidate.source];
            found.push(format!("{one} and {two} would both be published as {name}"));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Suite;
    use crate::testing::Run;

    fn candidate(name: &str, run: Run) -> Candidate {
        let results = run.build();
        Candidate::results(name, store::to_text(&results).unwrap(), &results)
    }

    fn compare() -> Candidate {
        candidate("compare.json", Run::whole())
    }

    fn counts(change: impl FnOnce(&mut Results)) -> Candidate {
        let run = Run::counts().backend("raw-ffi", None, 1.0);
        candidate("counts.json", run.edit(change))
    }

    struct Place(tempfile::TempDir);

    impl Place {
        fn new() -> Self {
            Self(tempfile::tempdir().unwrap())
        }

        fn publish(
            &self,
            date: Option<&str>,
            replace: bool,
            candidates: &[Candidate],
        ) -> Result<Vec<PathBuf>, PublishError> {
            let (name, date) = ("box".parse().unwrap(), date.map(|date| date.parse().unwrap()));
            let target = Target { results: self.0.path(), name: &name, date, replace };
            publish(&target, candidates)
        }

        fn refusals(&self, date: Option<&str>, candidates: &[Candidate]) -> Vec<String> {
            match self.publish(date, false, candidates) {
                Err(PublishError::Refused(reasons)) => reasons,
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn a_run_goes_to_its_day_to_the_last_byte_and_stays_unless_it_is_to_be_replaced() {
        let place = Place::new();
        let path = place.0.path().join("box/2026-11-30/compare.json");
        let written = place.publish(None, false, &[compare()]).unwrap();
        assert_eq!(written, std::slice::from_ref(&path));
        assert_eq!(fs::read_to_string(&path).unwrap(), compare().text);
        assert_eq!(store::read::<Results>(&path).unwrap(), Run::whole().build());
        // The same again changes nothing.
        assert_eq!(place.publish(None, false, &[compare()]).unwrap(), Vec::<PathBuf>::new());
        let elsewhere = place.publish(Some("2026-12-01"), false, &[compare()]).unwrap();
        assert_eq!(elsewhere, [place.0.path().join("box/2026-12-01/compare.json")]);
        let other = candidate("compare.json", Run::whole().edit(|it| it.options.seed = 1));
        assert!(place.refusals(None, std::slice::from_ref(&other))[0].contains("--replace"));
        assert_eq!(fs::read_to_string(&path).unwrap(), compare().text);
        place.publish(None, true, std::slice::from_ref(&other)).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), other.text);
    }

    #[test]
    fn one_bad_file_keeps_all_others_back() {
        let place = Place::new();
        let reasons = place.refusals(None, &[compare(), counts(|it| it.complete = false)]);
        assert_eq!(reasons, ["counts.json: the run is partial: it was interrupted"]);
        let reasons = place.refusals(None, &[compare(), compare()]);
        assert!(reasons[0].contains("would both be published as compare.json"), "{reasons:?}");
        assert_eq!(place.refusals(None, &[]), ["there is nothing to publish"]);
        assert_eq!(fs::read_dir(place.0.path()).unwrap().count(), 0);
    }

    #[test]
    fn suites_have_files_of_their_own() {
        let place = Place::new();
        let of = |name: &str| {
            let suite =
                Suite { name: name.to_owned(), question: "How?".to_owned(), ..Suite::default() };
            let run = Run::whole().workloads(&["abort-n1-v4-k4-sequential-nosync"]);
            candidate(name, run.edit(|it| it.options.suite = Some(suite)))
        };
        let written = place.publish(None, false, &[compare(), of("puts"), of("states")]).unwrap();
        let names: Vec<_> = written.iter().filter_map(|path| path.file_name()).collect();
        assert_eq!(names, ["compare.json", "suite-puts.json", "suite-states.json"]);
        assert_eq!(of("puts").marks(), &[] as &[String]);
        let runs = crate::published::load(place.0.path()).unwrap();
        let suites: Vec<&str> = runs[0].suites.keys().map(String::as_str).collect();
        assert_eq!(suites, ["puts", "states"]);
        assert_eq!(place.publish(None, false, &[of("puts")]).unwrap(), Vec::<PathBuf>::new());
    }

    #[test]
    fn a_run_is_of_one_day_one_machine_and_one_build() {
        let place = Place::new();
        let counts = counts(|it| {
            it.started_unix += 24 * 60 * 60;
            it.host.cpu = "Other CPU".to_owned();
            it.backends[0].binding_version = Some("9".to_owned());
            it.backends[0].engine_build.optimisation = Some("-O2".to_owned());
        });
        let expected = [
            "the files are of several days (compare.json of 2026-11-30, counts.json of \
             2026-12-01): choose one with --date",
            "counts.json: processor is Other CPU, in compare.json Some CPU: not one run",
            "counts.json: binding of raw-ffi is 9, in compare.json 0.8.0: not one run",
            "counts.json: engine build of raw-ffi is bundled, -O2, NDEBUG, GNU C17 12.2.0, in \
             compare.json bundled, -O3, NDEBUG, GNU C17 12.2.0: not one run",
        ];
        assert_eq!(place.refusals(None, &[compare(), counts.clone()]), expected);
        // What was published before belongs to the run as well.
        place.publish(None, false, &[compare()]).unwrap();
        let reasons = place.refusals(Some("2026-11-30"), &[counts]);
        assert_eq!(reasons, expected[1..]);
        // Equal flags build another engine.
        let equal = candidate(
            "equal.json",
            Run::whole().edit(|it| {
                it.options.cflags = Some("-O1".to_owned());
                it.backends
                    .iter_mut()
                    .for_each(|it| it.engine_build.optimisation = Some("-O1".into()));
            }),
        );
        place.publish(None, false, &[equal]).unwrap();
    }
}
