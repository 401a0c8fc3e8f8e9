//! One life of a program that shows behaviour: started for one thing, it says messages; each must come
//! within a limit.

use std::path::Path;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use child_process::{Child, Heard};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::interrupt;

/// How long to wait before looking for an interrupt again.
const WAKE: Duration = Duration::from_millis(100);

/// A running program; killed when dropped.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    limit: Duration,
}

impl Process {
    /// Starts `program` with `arguments`; each message must come within `limit`.
    pub(super) fn start(
        program: &Path,
        arguments: &[&str],
        limit: Duration,
    ) -> Result<Self, String> {
        let child = Child::start(Command::new(program).args(arguments));
        let child = child.map_err(|error| format!("{}: {error}", program.display()))?;
        Ok(Self { child, limit })
    }

    /// The next message; `None` when it says no more. An error when nothing comes in time, when what
    /// comes is no `T`, and when the user has asked to end.
    pub(super) fn says<T: DeserializeOwned>(&mut self) -> Result<Option<T>, String> {
        let start = Instant::now();
        loop {
            match self.child.hear(WAKE) {
                Heard::Line(line) => {
                    let said = serde_json::from_str(&line);
                    return said.map(Some).map_err(|error| format!("`{line}`: {error}"));
                }
                Heard::End => return Ok(None),
                Heard::Nothing if interrupt::requested() => return Err("interrupted".to_owned()),
                Heard::Nothing if start.elapsed() > self.limit => {
                    return Err(format!("silent for {} s", self.limit.as_secs()));
                }
                Heard::Nothing => {}
            }
        }
    }

    /// The one message that it says; without one, its last words are the error.
    pub(super) fn answers<T: DeserializeOwned>(&mut self) -> Result<T, String> {
        match self.says()? {
            Some(answer) => Ok(answer),
            None => Err(self.end()?),
        }
    }

    /// Sends a message.
    pub(super) fn tell(&mut self, message: &impl Serialize) -> Result<(), String> {
        let line = serde_json::to_string(message).map_err(|error| error.to_string())?;
        self.child.tell(&line).map_err(|error| error.to_string())
    }

    /// Waits for its end, which must be near, and says how it was.
    pub(super) fn end(&mut self) -> Result<String, String> {
        let ended = self.child.end().map_err(|error| error.to_string())?;
        let words = ended.last_words();
        Ok(if words.is_empty() { ended.status.to_string() } else { words.to_owned() })
    }

    /// Kills it. What it had said until then can still be read.
    pub(super) fn kill(&mut self) -> Result<ExitStatus, String> {
        self.child.kill().map_err(|error| error.to_string())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn silence_nonsense_and_an_early_end_are_told() {
        let shell = |script, limit| {
            Process::start(Path::new("/bin/sh"), &["-c", script], Duration::from_secs(limit))
        };
        let error = shell("exec sleep 60", 0).unwrap().says::<u32>().unwrap_err();
        assert_eq!(error, "silent for 0 s");
        let error = shell("echo x", 60).unwrap().says::<u32>().unwrap_err();
        assert!(error.starts_with("`x`: "), "{error}");
        let error = shell("echo no >&2; exit 3", 60).unwrap().answers::<u32>().unwrap_err();
        assert_eq!(error, "no");
    }
}
