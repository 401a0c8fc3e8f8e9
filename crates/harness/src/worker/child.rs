//! A child process as the harness waits for it: with a time limit and an eye on interrupts, and with a
//! [`Failure`] for each way in which it can go wrong.

use std::ffi::OsStr;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use child_process::Heard;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::interrupt;
use crate::worker::failure::{Failure, one_line};

/// How long the harness waits before it looks for an interrupt again. It waits on another core than
/// a worker's, and a waiting thread takes no time from it.
const WAKE: Duration = Duration::from_millis(100);
/// How long a child that has nothing left to do may take to end.
const END: Duration = Duration::from_secs(5);
/// How much of a child's standard error a failure shows, in bytes.
const SHOWN: usize = 2048;

/// Whether a variable changes the allocator of a program, what is loaded into it or when, or what counts it.
fn moves_measurements(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    let named =
        ["GLIBC_TUNABLES", "LD_PRELOAD", "LD_AUDIT", "LD_BIND_NOW", "DYLD_INSERT_LIBRARIES"];
    let prefixes = ["MALLOC_", "_RJEM_MALLOC_", "MIMALLOC_", "VALGRIND_"];
    named.contains(&&*name) || prefixes.iter().any(|prefix| name.starts_with(prefix))
}

#[derive(Debug)]
pub struct Child(child_process::Child);

impl Child {
    /// Starts `command` without what is set for the user's programs and moves measurements.
    pub fn start(mut command: Command) -> Result<Self, Failure> {
        let given = command.get_envs().map(|(name, _)| name.to_owned());
        let names = std::env::vars_os().map(|(name, _)| name).chain(given);
        for name in names.filter(|name| moves_measurements(name)).collect::<Vec<_>>() {
            command.env_remove(name);
        }
        child_process::Child::start(&mut command).map(Self).map_err(|error| {
            let program = command.get_program().display();
            Failure::Failed(format!("cannot start {program}: {error}"))
        })
    }

    pub fn id(&self) -> u32 {
        self.0.id()
    }

    pub fn tell(&mut self, message: &impl Serialize) -> Result<(), Failure> {
        let line = serde_json::to_string(message)
            .map_err(|error| Failure::Reported(format!("request: {error}")))?;
        self.0.tell(&line).map_err(|_| self.died())
    }

    /// The next line that it says, without its end; `None` when it says no more.
    pub fn line(&mut self, limit: Duration) -> Result<Option<String>, Failure> {
        self.patiently(limit, |child| match child.hear(WAKE) {
            Heard::Line(line) => Some(Some(line)),
            Heard::End => Some(None),
            Heard::Nothing => None,
        })
    }

    /// The next message that it says; `None` when it says no more.
    pub fn says<T: DeserializeOwned>(&mut self, limit: Duration) -> Result<Option<T>, Failure> {
        let Some(line) = self.line(limit)? else { return Ok(None) };
        serde_json::from_str(&line).map(Some).map_err(|_| self.nonsense(&line))
    }

    /// The one message it says: how it ended if it does not.
    pub fn answers<T: DeserializeOwned>(&mut self, limit: Duration) -> Result<T, Failure> {
        self.says(limit)?.ok_or_else(|| self.died())
    }

    /// Waits for what `hear` finds, and looks for an interrupt now and then.
    fn patiently<T>(
        &mut self,
        limit: Duration,
        hear: impl Fn(&mut child_process::Child) -> Option<T>,
    ) -> Result<T, Failure> {
        let start = Instant::now();
        loop {
            match hear(&mut self.0) {
                Some(heard) => return Ok(heard),
                None if interrupt::requested() => return Err(Failure::Interrupted),
                None if start.elapsed() > limit => {
                    return Err(
                        self.failure(&format!("the worker did not answer within {limit:?}"))
                    );
                }
                None => {}
            }
        }
    }

    fn output(mut self, limit: Duration) -> Result<Vec<u8>, Failure> {
        self.0.close_input();
        let text = self.patiently(limit, |child| child.hear_all(WAKE))?;
        self.end().map(|()| text)
    }

    /// Waits for the end of a child that has said that it finished.
    pub fn end(&mut self) -> Result<(), Failure> {
        self.0.close_input();
        // Its output closes when it exits: that wakes sooner than looking again and again. What else
        // is heard changes nothing.
        let _ = self.0.hear(END);
        match self.0.status(END) {
            Ok(Some(status)) if status.success() => Ok(()),
            Ok(None) => {
                let what = format!("the worker finished, but did not end within {END:?}");
                Err(self.failure(&what))
            }
            Ok(Some(_)) | Err(_) => Err(self.died()),
        }
    }

    /// Ends it with a signal that it can neither see nor hinder, and says how it ended: perhaps by
    /// itself just before. What it had said until then can still be read.
    pub fn kill(&mut self) -> Result<ExitStatus, Failure> {
        self.0.kill().map_err(|error| Failure::Reported(error.to_string()))
    }

    /// The failure of a child that has ended, or has closed its output, without being asked to.
    pub fn died(&mut self) -> Failure {
        let limit = if interrupt::requested() { Duration::ZERO } else { END };
        let status = match self.0.status(limit) {
            Ok(Some(status)) => status.to_string(),
            Ok(None) => "it closed its output without ending".to_owned(),
            Err(error) => error.to_string(),
        };
        self.failure(&format!("the worker ended ({status})"))
    }

    /// The failure for an answer that is none; ends the child.
    pub fn nonsense(&mut self, line: &str) -> Failure {
        const SHOWN: usize = 200;
        let line: String = line.chars().take(SHOWN).collect();
        self.failure(&format!("the worker spoke nonsense: `{}`", one_line(&line)))
    }

    /// The failure for `what` it did, with the end of its standard error; ends it.
    fn failure(&mut self, what: &str) -> Failure {
        let _ = self.0.kill();
        let words = self.0.last_words();
        let mut start = words.len().saturating_sub(SHOWN);
        while !words.is_char_boundary(start) {
            start += 1;
        }
        Failure::with_last_words(what, &words[start..])
    }
}

/// Runs `command` to its end and returns all that it writes to its standard output.
pub fn output(command: Command, limit: Duration) -> Result<Vec<u8>, Failure> {
    Child::start(command)?.output(limit)
}

pub fn answer(
    command: Command,
    message: &impl Serialize,
    limit: Duration,
) -> Result<Vec<u8>, Failure> {
    let mut child = Child::start(command)?;
    child.tell(message)?;
    child.output(limit)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_for_the_users_programs_is_not_set_for_workers() {
        let mut command = Command::new("env");
        for name in ["GLIBC_TUNABLES", "LD_PRELOAD", "MALLOC_ARENA_MAX", "VALGRIND_OPTS", "KEPT"] {
            command.env(name, "");
        }
        let said = output(command, Duration::from_secs(60)).unwrap();
        let said = String::from_utf8(said).unwrap();
        let moving = said.lines().find(|line| moves_measurements(OsStr::new(line)));
        assert!(moving.is_none() && said.contains("KEPT="), "{said}");
    }
}
