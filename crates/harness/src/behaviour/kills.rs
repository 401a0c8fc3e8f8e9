//! Writers that are killed at random moments, and what they leave.
//!
//! One environment is written, killed, checked and written again, as often as asked for. The check is
//! another process with raw FFI on the same engine; every second time it has the environment open
//! already when the writer is killed, so that the lock it held must be taken over instead of made
//! new.

use std::path::Path;
use std::thread;
use std::time::Duration;

use write_backend::SyncMode;
use write_backend::protocol::behaviour::{CHECK, Found, Opened, Question, WRITE, Wrote};

use super::matrix::start;
use crate::interrupt;
use crate::random::Random;
use crate::worker::child::Child;
use records::behaviour::Kills;

/// How long a program may be silent: thousands of times longer than a commit takes.
const LIMIT: Duration = Duration::from_secs(30);
/// A writer lives up to so long after it has opened the environment: tens of commits.
const LIFE: Duration = Duration::from_millis(12);
/// One writer in so many may be killed while it is still opening the environment.
const OPENING_EVERY: usize = 8;
/// Such a writer lives up to so long: about as long as starting and opening take.
const OPENING: Duration = Duration::from_millis(4);
const KEPT: usize = 5;

/// Who writes, who checks, how often, where.
#[derive(Debug, Clone, Copy)]
pub struct Plan<'plan> {
    pub writer: &'plan Path,
    pub checker: &'plan Path,
    /// What commits wait for.
    pub sync: SyncMode,
    pub kills: u64,
    pub directory: &'plan Path,
}

#[derive(Debug)]
struct Life {
    opened: bool,
    watched: bool,
    reported: u64,
    /// Why the writer had ended by itself before it was killed.
    gave_up: Option<String>,
    found: Result<Found, String>,
}

/// Kills as many writers as `plan` says, or fewer after an interrupt; `tally` says of whom, and gets
/// the counts; `killed` is called after each.
pub fn kill(
    plan: &Plan<'_>,
    random: &mut Random,
    tally: &mut Kills,
    killed: &mut impl FnMut(),
) -> Result<(), String> {
    let mut home = Home::new(plan.directory)?;
    for number in 0..plan.kills {
        if interrupt::requested() {
            break;
        }
        let life = home.live_and_die(plan, number % 2 == 1, random)?;
        let sound = count(tally, &life, home.last);
        killed();
        match life.found {
            // The checker has written one itself.
            Ok(found) if sound => home.last = found.last + 1,
            // What is wrong once is counted once.
            _ => home = Home::new(plan.directory)?,
        }
    }
    Ok(())
}

/// Adds what `life` left to `tally`; whether all was as it must be.
fn count(tally: &mut Kills, life: &Life, last: u64) -> bool {
    let mut wrong = Vec::new();
    tally.kills += 1;
    tally.while_opening += u64::from(!life.opened);
    tally.watched += u64::from(life.watched);
    tally.reported += life.reported - last;
    if let Some(reason) = &life.gave_up {
        tally.refused += 1;
        wrong.push(format!("the writer ended by itself: {reason}"));
    }
    match &life.found {
        Ok(found) => {
            tally.committed_unreported += u64::from(found.last > life.reported);
            tally.lost += found.lost;
            tally.partial += found.partial;
            tally.refused += u64::from(found.refused.is_some());
            wrong.extend(found.wrong.clone());
            wrong.extend(found.refused.clone());
        }
        Err(reason) => {
            tally.unreadable += 1;
            wrong.push(reason.clone());
        }
    }
    let sound = wrong.is_empty();
    wrong.retain(|what| !tally.wrong.contains(what));
    tally.wrong.extend(wrong);
    tally.wrong.truncate(KEPT);
    sound
}

struct Home {
    directory: tempfile::TempDir,
    last: u64,
}

impl Home {
    fn new(root: &Path) -> Result<Self, String> {
        let directory = tempfile::Builder::new().prefix("behaviour-").tempdir_in(root);
        let directory = directory.map_err(|error| format!("{}: {error}", root.display()))?;
        Ok(Self { directory, last: 0 })
    }

    /// Starts a writer, kills it at a random moment, and lets the checker look.
    fn live_and_die(
        &self,
        plan: &Plan<'_>,
        watched: bool,
        random: &mut Random,
    ) -> Result<Life, String> {
        let Some(directory) = self.directory.path().to_str() else {
            return Err("the directory's name cannot be told to a program".to_owned());
        };
        let checker = || -> Result<Child, String> {
            let mut checker = start(plan.checker, &[CHECK, directory])?;
            let Opened = checker.answers(LIMIT)?;
            Ok(checker)
        };
        let early = if watched { Some(checker()) } else { None };
        let first = (self.last + 1).to_string();
        let mode = plan.sync.name();
        let arguments = [WRITE, directory, mode, &first];
        let mut writer = start(plan.writer, &arguments)?;
        let mut opened = false;
        if random.below(OPENING_EVERY) == 0 {
            thread::sleep(up_to(OPENING, random));
        } else {
            opened = writer.says::<Wrote>(LIMIT)?.is_some();
            thread::sleep(up_to(LIFE, random));
        }
        let status = writer.kill()?;
        let mut reported = self.last;
        while let Some(said) = writer.says(LIMIT)? {
            match said {
                Wrote::Open => opened = true,
                Wrote::Batch(number) => reported = number,
            }
        }
        // A killed process has no exit code.
        let gave_up = status.code().map(|_| writer.died().to_string());
        let found = early.unwrap_or_else(checker).and_then(|mut checker| {
            checker.tell(&Question { reported })?;
            Ok(checker.answers(LIMIT)?)
        });
        Ok(Life { opened, watched, reported, gave_up, found })
    }
}

fn up_to(limit: Duration, random: &mut Random) -> Duration {
    // A few milliseconds are few microseconds.
    Duration::from_micros(random.below(limit.as_micros() as usize) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn life(reported: u64, found: Result<Found, String>) -> Life {
        Life { opened: true, watched: false, reported, gave_up: None, found }
    }

    #[test]
    fn what_is_found_is_counted() {
        let mut tally = Kills::none("heed", SyncMode::NoSync, "raw-ffi");
        let whole = Found { last: 11, ..Found::default() };
        assert!(count(&mut tally, &life(10, Ok(whole)), 3));
        assert_eq!((tally.kills, tally.reported, tally.committed_unreported), (1, 7, 1));
        assert!(tally.is_sound());

        let lost = Found { last: 12, lost: 2, wrong: Some("gone".into()), ..Found::default() };
        assert!(!count(&mut tally, &life(14, Ok(lost.clone())), 12));
        assert!(!count(&mut tally, &life(14, Ok(lost)), 12));
        assert!(!count(&mut tally, &life(14, Err("no environment".into())), 14));
        assert_eq!((tally.kills, tally.lost, tally.unreadable), (4, 4, 1));
        assert_eq!(tally.wrong, ["gone", "no environment"]);
        assert!(!tally.is_sound());
    }

    #[test]
    fn a_writer_that_gives_up_is_no_kill_without_a_word() {
        let mut tally = Kills::none("heed", SyncMode::NoSync, "raw-ffi");
        let found = Ok(Found { last: 3, ..Found::default() });
        let gone = Life { gave_up: Some("map full".to_owned()), ..life(3, found) };
        assert!(!count(&mut tally, &gone, 3));
        assert_eq!(tally.refused, 1);
    }
}
