//! A child process: started with pipes, spoken to and heard with a time limit, ended when dropped. All
//! programs that the harness runs and waits for are such children.

use std::io::{self, Write as _};
use std::process::{self, ChildStdin, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::interrupt;
use crate::worker::Failure;
use crate::worker::pipes::{Heard, Pipes};

/// How long the harness waits before it looks for an interrupt again. It waits on another core than
/// a worker's, and a waiting thread takes no time from it.
const WAKE: Duration = Duration::from_millis(100);
/// How long a child that has nothing left to do may take to end.
const END: Duration = Duration::from_secs(5);
/// How long the harness waits for the last words of a child that has ended: only a process that the
/// child has started itself can delay them.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// A running child.
#[derive(Debug)]
pub struct Child {
    process: process::Child,
    input: Option<ChildStdin>,
    pipes: Pipes,
}

impl Child {
    /// Starts `command`.
    pub fn start(mut command: Command) -> Result<Self, Failure> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Ctrl-C in a terminal goes to the whole foreground group: the harness alone must get it, so
        // that it can end its children in good order.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut process = command
            .spawn()
            .map_err(|error| Failure::Start { program: command.get_program().into(), error })?;
        let (Some(output), Some(errors)) = (process.stdout.take(), process.stderr.take()) else {
            unreachable!("both streams were asked for");
        };
        Ok(Self { input: process.stdin.take(), process, pipes: Pipes::new(output, errors) })
    }

    /// Its process's number.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Sends `message` as one line of JSON.
    pub fn tell(&mut self, message: &impl Serialize) -> Result<(), Failure> {
        let mut line = serde_json::to_vec(message)
            .map_err(|error| Failure::Reported(format!("request: {error}")))?;
        line.push(b'\n');
        let told = match &mut self.input {
            Some(input) => input.write_all(&line).and_then(|()| input.flush()),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        };
        told.map_err(|_| self.died())
    }

    /// The next line that it says, without its end; `None` when it says no more.
    pub fn line(&mut self, limit: Duration) -> Result<Option<Vec<u8>>, Failure> {
        self.hear(limit, Pipes::line)
    }

    /// Waits for what `hear` finds in the pipes, and looks for an interrupt now and then.
    fn hear(
        &mut self,
        limit: Duration,
        hear: fn(&mut Pipes, Duration) -> Heard,
    ) -> Result<Option<Vec<u8>>, Failure> {
        let start = Instant::now();
        loop {
            match hear(&mut self.pipes, WAKE) {
                Heard::Bytes(bytes) => return Ok(Some(bytes)),
                Heard::TooLong(bytes) => {
                    return Err(self.nonsense(&String::from_utf8_lossy(&bytes)));
                }
                Heard::Closed => return Ok(None),
                Heard::Nothing if interrupt::requested() => return Err(Failure::Interrupted),
                Heard::Nothing if start.elapsed() > limit => {
                    return Err(Failure::TimedOut { limit, stderr: self.last_words() });
                }
                Heard::Nothing => {}
            }
        }
    }

    fn output(mut self, limit: Duration) -> Result<Vec<u8>, Failure> {
        drop(self.input.take());
        let text = self.hear(limit, Pipes::all)?.unwrap_or_default();
        self.end().map(|()| text)
    }

    /// Waits for the end of a child that has said that it finished.
    pub fn end(&mut self) -> Result<(), Failure> {
        drop(self.input.take());
        let start = Instant::now();
        // Its output closes when it exits: that wakes sooner than looking again and again. What else
        // is heard changes nothing.
        let _ = self.pipes.line(END);
        loop {
            match self.process.try_wait() {
                Ok(Some(status)) if status.success() => return Ok(()),
                Ok(Some(_)) | Err(_) => return Err(self.died()),
                Ok(None) if start.elapsed() > END => {
                    return Err(Failure::Stays { limit: END, stderr: self.last_words() });
                }
                // It has nothing left to do but to exit.
                Ok(None) => thread::sleep(Duration::from_micros(50)),
            }
        }
    }

    /// Ends it with a signal that it can neither see nor hinder, and says how it ended: perhaps by
    /// itself just before. What it had said until then can still be read.
    pub fn kill(&mut self) -> io::Result<ExitStatus> {
        self.process.kill()?;
        self.process.wait()
    }

    /// The failure of a child that has ended, or has closed its output, without being asked to.
    pub fn died(&mut self) -> Failure {
        let start = Instant::now();
        let status = loop {
            match self.process.try_wait() {
                Ok(Some(status)) => break status.to_string(),
                Err(error) => break error.to_string(),
                Ok(None) if start.elapsed() > END || interrupt::requested() => {
                    break "it closed its output without ending".to_owned();
                }
                Ok(None) => thread::sleep(Duration::from_millis(1)),
            }
        };
        Failure::Died { status, stderr: self.last_words() }
    }

    /// The failure for an answer that is none; ends the child.
    pub fn nonsense(&mut self, line: &str) -> Failure {
        const SHOWN: usize = 200;
        let line = line.trim_end().chars().take(SHOWN).collect();
        Failure::Nonsense { line, stderr: self.last_words() }
    }

    /// Ends it and returns the end of its standard error.
    fn last_words(&mut self) -> String {
        let _ = self.process.kill();
        self.pipes.last_words(LAST_WORDS)
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // Both fail only when it has ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Runs `command` to its end and returns all that it writes to its standard output.
pub fn output(command: Command, limit: Duration) -> Result<Vec<u8>, Failure> {
    Child::start(command)?.output(limit)
}

/// The same after `message` was told.
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

    const LIMIT: Duration = Duration::from_secs(60);

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn lines_are_read_to_the_end_and_one_that_was_cut_off_is_none() {
        let mut child = Child::start(shell("echo 1; read line; echo $line; printf 3")).unwrap();
        assert_eq!(child.line(LIMIT).unwrap().unwrap(), b"1");
        child.tell(&2).unwrap();
        assert_eq!(child.line(LIMIT).unwrap().unwrap(), b"2");
        assert_eq!(child.line(LIMIT).unwrap(), None);
    }

    #[test]
    fn what_was_said_before_a_kill_can_be_read_after_it() {
        let mut child = Child::start(shell("echo 1; echo 2; exec sleep 60")).unwrap();
        assert_eq!(child.line(LIMIT).unwrap().unwrap(), b"1");
        assert_eq!(child.kill().unwrap().code(), None);
        // The second line may or may not have been said.
        assert!(child.line(LIMIT).unwrap().is_none_or(|line| line == b"2"));
    }

    #[test]
    fn a_whole_output_may_be_long() {
        let command = shell("read number; head -c $number /dev/zero");
        assert_eq!(answer(command, &1_000_000, LIMIT).unwrap(), vec![0; 1_000_000]);
    }

    #[test]
    fn every_bad_end_has_its_reason() {
        let failure = |script, limit| output(shell(script), limit).unwrap_err();
        let died = failure("echo no luck >&2; exit 3", LIMIT).to_string();
        assert!(died.contains("exit status: 3") && died.contains("no luck"), "{died}");
        let start = Instant::now();
        let silent = failure("exec sleep 60", Duration::ZERO);
        assert!(matches!(silent, Failure::TimedOut { .. }), "{silent}");
        assert!(start.elapsed() < LIMIT, "it was not ended");
        let absent = output(Command::new("/no/such/program"), LIMIT).unwrap_err();
        assert!(matches!(absent, Failure::Start { .. }), "{absent}");
    }
}
