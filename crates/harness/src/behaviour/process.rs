//! One life of a program that shows behaviour: started for one thing, it says lines; each must come
//! within a limit.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::interrupt;

/// How long to wait before looking for an interrupt again.
const WAKE: Duration = Duration::from_millis(100);

/// A running program; killed when dropped.
#[derive(Debug)]
pub struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    last_words: Receiver<String>,
    limit: Duration,
}

impl Process {
    /// Starts `program` with `arguments`; each line must come within `limit`.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(program: &Path, arguments: &[&str], limit: Duration) -> Result<Self, String> {
        let mut command = Command::new(program);
        command.args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Ctrl-C in a terminal is for the harness alone, which ends the programs in good order.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child =
            command.spawn().map_err(|error| format!("{}: {error}", program.display()))?;
        let (Some(output), Some(mut errors)) = (child.stdout.take(), child.stderr.take()) else {
            unreachable!("all three streams were asked for");
        };
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            let mut line = String::new();
            // A line without an end was cut off: it was not said.
            while output.read_line(&mut line).is_ok() && line.ends_with('\n') {
                if sender.send(std::mem::take(&mut line)).is_err() {
                    break;
                }
            }
        });
        let (sender, last_words) = mpsc::channel();
        thread::spawn(move || {
            let mut bytes = Vec::new();
            // What was read before a failure is still worth showing.
            let _ = errors.read_to_end(&mut bytes);
            let text = String::from_utf8_lossy(&bytes);
            let _ = sender.send(text.lines().last().unwrap_or_default().to_owned());
        });
        Ok(Self { input: child.stdin.take(), child, lines, last_words, limit })
    }

    /// The next line; `None` when it says no more.
    ///
    /// # Errors
    /// When nothing comes in time, what comes is no `T`, or the user has asked to end.
    pub fn says<T: DeserializeOwned>(&mut self) -> Result<Option<T>, String> {
        let start = Instant::now();
        loop {
            match self.lines.recv_timeout(WAKE) {
                Ok(line) => return parse(&line).map(Some),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) if interrupt::requested() => {
                    return Err("interrupted".to_owned());
                }
                Err(RecvTimeoutError::Timeout) if start.elapsed() > self.limit => {
                    return Err(format!("silent for {} s", self.limit.as_secs()));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// The one line it says: an error with its last words if it does not.
    ///
    /// # Errors
    /// Those of [`says`](Self::says), and when it ends without a line.
    pub fn answers<T: DeserializeOwned>(&mut self) -> Result<T, String> {
        match self.says()? {
            Some(answer) => Ok(answer),
            None => Err(self.end()?),
        }
    }

    /// Sends a line.
    ///
    /// # Errors
    /// When it does not listen any more.
    pub fn tell(&mut self, message: &impl Serialize) -> Result<(), String> {
        let mut line = serde_json::to_vec(message).map_err(|error| error.to_string())?;
        line.push(b'\n');
        let told = match &mut self.input {
            Some(input) => input.write_all(&line),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        };
        told.map_err(|error| error.to_string())
    }

    /// Waits for its end, which must be near, and says how it was.
    ///
    /// # Errors
    /// When the system cannot wait for it.
    pub fn end(&mut self) -> Result<String, String> {
        let status = self.child.wait().map_err(|error| error.to_string())?;
        let last_words = self.last_words.recv().unwrap_or_default();
        Ok(if last_words.is_empty() { status.to_string() } else { last_words })
    }

    /// Ends it with a signal that it can neither see nor hinder, and tells how it ended: perhaps by
    /// itself just before. What it had said until then can still be read.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn kill(&mut self) -> Result<ExitStatus, String> {
        self.child.kill().map_err(|error| error.to_string())?;
        self.child.wait().map_err(|error| error.to_string())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself; there is nothing to do about another failure.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn parse<T: DeserializeOwned>(line: &str) -> Result<T, String> {
    serde_json::from_str(line).map_err(|error| format!("`{}`: {error}", line.trim_end()))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> Process {
        Process::start(Path::new("/bin/sh"), &["-c", script], limit).unwrap()
    }

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn lines_are_read_to_the_end_and_a_cut_one_is_none() {
        let mut process = shell("echo 1; echo 2; printf 3", LONG);
        assert_eq!(process.says(), Ok(Some(1)));
        assert_eq!(process.says(), Ok(Some(2)));
        assert_eq!(process.says::<u32>(), Ok(None));
    }

    #[test]
    fn what_was_said_before_a_kill_can_be_read_after_it() {
        let mut process = shell("echo 1; echo 2; exec sleep 60", LONG);
        assert_eq!(process.says(), Ok(Some(1)));
        assert_eq!(process.kill().unwrap().code(), None);
        // The second line may or may not have been said.
        assert!(matches!(process.says(), Ok(Some(2) | None)));
    }

    #[test]
    fn silence_nonsense_and_an_early_end_are_told() {
        let error = shell("exec sleep 60", Duration::ZERO).says::<u32>().unwrap_err();
        assert_eq!(error, "silent for 0 s");
        let error = shell("echo x", LONG).says::<u32>().unwrap_err();
        assert!(error.starts_with("`x`: "), "{error}");
        let error = shell("echo no >&2; exit 3", LONG).answers::<u32>().unwrap_err();
        assert_eq!(error, "no");
    }
}
