//! Puts a run among the published ones: all of its files, or none of them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::behaviour::Behaviour;
use crate::calibration::Calibration;
use crate::day::Day;
use crate::facts::schema::Facts;
use crate::host_name::HostName;
use crate::one_run::{self, Claims};
use crate::presence::is_there;
use crate::publishable;
use crate::published::file;
use crate::schema::Results;
use crate::store::{self, StoreError};
use crate::stored::Stored;

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
    name: Result<&'static str, String>,
    text: String,
    started_unix: u64,
    claims: Claims,
    refusals: Vec<String>,
    marks: Vec<String>,
}

impl Candidate {
    /// A results file with this `text`; `source` names it in messages.
    #[must_use]
    pub fn results(source: &str, text: String, found: &Results) -> Self {
        Self {
            source: source.to_owned(),
            name: publishable::file_name(found),
            text,
            started_unix: found.started_unix,
            claims: [
                one_run::of_host(&found.host),
                one_run::of_backends(&found.backends, found.options.cflags.as_deref()),
            ]
            .concat(),
            refusals: publishable::refusals(found),
            marks: publishable::marks(found),
        }
    }

    /// A calibration. Nothing speaks against one: it says of itself how good it is.
    #[must_use]
    pub fn calibration(source: &str, text: String, found: &Calibration) -> Self {
        Self {
            source: source.to_owned(),
            name: Ok(match found.precision {
                Some(_) => file::PRECISE_CALIBRATION,
                None => file::CALIBRATION,
            }),
            text,
            started_unix: found.started_unix,
            claims: one_run::of_host(&found.host),
            refusals: Vec::new(),
            marks: Vec::new(),
        }
    }

    /// A behaviour file.
    #[must_use]
    pub fn behaviour(source: &str, text: String, found: &Behaviour) -> Self {
        Self {
            source: source.to_owned(),
            name: Ok(file::BEHAVIOUR),
            text,
            started_unix: found.started_unix,
            claims: [one_run::of_host(&found.host), one_run::of_backends(&found.backends, None)]
                .concat(),
            refusals: publishable::behaviour_refusals(found),
            marks: Vec::new(),
        }
    }

    /// A file of facts.
    #[must_use]
    pub fn facts(source: &str, text: String, found: &Facts) -> Self {
        Self {
            source: source.to_owned(),
            name: Ok(file::FACTS),
            text,
            started_unix: found.started_unix,
            claims: [one_run::of_host(&found.host), one_run::of_facts(found)].concat(),
            refusals: Vec::new(),
            marks: Vec::new(),
        }
    }

    /// What a reader of the published file is told before he believes a number.
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
        for name in [file::CALIBRATION, file::PRECISE_CALIBRATION] {
            found.extend(read(&directory.join(name), Self::calibration)?);
        }
        found.extend(read(&directory.join(file::BEHAVIOUR), Self::behaviour)?);
        found.extend(read(&directory.join(file::FACTS), Self::facts)?);
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
    let failed = |error| StoreError::Io { path: path.to_owned(), error };
    let bytes = fs::read(path).map_err(failed)?;
    let found: T = store::parse(&bytes, path)?;
    let source = path.file_name().unwrap_or_default().to_string_lossy();
    // What was read as JSON is valid UTF-8.
    Ok(Some(candidate(&source, String::from_utf8_lossy(&bytes).into_owned(), &found)))
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
        let Ok(name) = candidate.name else { continue };
        let path = directory.join(name);
        match stored.iter().find(|it| it.source == name) {
            Some(same) if same.text == candidate.text => {}
            Some(_) if !target.replace => reasons.push(format!(
                "{}: {} is there already and holds something else: --replace replaces it",
                candidate.source,
                path.display()
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

/// A run is of one machine and of one version of everything: what of `candidates`, and of the files
/// in `stored` that stay, is not.
fn mixtures(candidates: &[Candidate], stored: &[Candidate]) -> Vec<String> {
    let stays = |it: &&Candidate| {
        !candidates.iter().any(|new| new.name.as_ref().ok() == it.name.as_ref().ok())
    };
    let all: Vec<&Candidate> = candidates.iter().chain(stored.iter().filter(stays)).collect();
    one_run::mixtures(all.iter().map(|it| (it.source.as_str(), &it.claims)))
}

/// Two files that would have one name among the published ones: the second would replace the first.
fn collisions(candidates: &[Candidate]) -> Vec<String> {
    let mut found = Vec::new();
    for (index, candidate) in candidates.iter().enumerate() {
        let Ok(name) = candidate.name else { continue };
        let others = &candidates[..index];
        if let Some(other) = others.iter().find(|it| it.name.as_ref().ok() == Some(&name)) {
            let [one, two] = [&other.source, &candidate.source];
            found.push(format!("{one} and {two} would both be published as {name}"));
        }
    }
    found
}

#[cfg(test)]
#[path = "publication/tests.rs"]
mod tests;
