//! A process that is started for something, and both ends of the pipes to it.
//!
//! [`Child`] is the end of the program that starts it: what the process says is read line by line, each
//! line with a time limit; when it has ended, its status and its last words can be told.
//! [`lines_of_input`] is the other end: the process ends when its input does, so that nothing is left
//! running when the program that started it has gone.

#![forbid(unsafe_code)]

mod pipes;

use std::io::{self, BufRead as _, Write as _};
use std::process::{self, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use crate::pipes::{Pipes, Said};

/// A longer line is cut here.
const LONGEST: usize = 1024 * 1024;
/// How long the last words of a process that has ended are waited for: only a process that it has started
/// itself can delay them.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// A running process; killed when dropped.
#[derive(Debug)]
pub struct Child {
    process: process::Child,
    input: Option<ChildStdin>,
    pipes: Pipes,
    said: Said,
}

/// What waiting for a line came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// A line, without its end.
    Line(String),
    /// It says no more. A line that was cut off was not said.
    End,
    /// Nothing in time.
    Nothing,
}

/// How a process ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// Its exit code or signal.
    pub status: ExitStatus,
    /// The end of what it said on standard error.
    pub errors: String,
}

impl Ended {
    /// The last line on standard error, where programs say why they end.
    #[must_use]
    pub fn last_words(&self) -> &str {
        self.errors.lines().last().unwrap_or_default()
    }
}

impl Child {
    /// Starts `command` with pipes to it, in a process group of its own: Ctrl-C in a terminal is for the
    /// program that starts it.
    ///
    /// # Errors
    /// When the system cannot start it.
    pub fn start(command: &mut Command) -> io::Result<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let mut process = command.spawn()?;
        let (Some(output), Some(errors)) = (process.stdout.take(), process.stderr.take()) else {
            unreachable!("both were asked for");
        };
        let pipes = Pipes::new(output, errors);
        Ok(Self { input: process.stdin.take(), process, pipes, said: Said::default() })
    }

    /// The number of its process.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Waits for the next line, at most `limit`.
    pub fn hear(&mut self, limit: Duration) -> Heard {
        let heard = self.wait(limit, |said, is_open| match line(&mut said.output) {
            None if !is_open => Some(Heard::End),
            line => line.map(Heard::Line),
        });
        heard.unwrap_or(Heard::Nothing)
    }

    /// Waits until it says no more, at most `limit`, and returns all that was not heard before.
    pub fn hear_all(&mut self, limit: Duration) -> Option<Vec<u8>> {
        self.wait(limit, |said, is_open| (!is_open).then(|| std::mem::take(&mut said.output)))
    }

    fn wait<T>(
        &mut self,
        limit: Duration,
        take: impl Fn(&mut Said, bool) -> Option<T>,
    ) -> Option<T> {
        let start = Instant::now();
        loop {
            let taken = take(&mut self.said, self.pipes.output.is_some());
            if taken.is_some() {
                return taken;
            }
            let left = limit.checked_sub(start.elapsed())?;
            self.pipes.wait(left, &mut self.said);
        }
    }

    /// Sends it a line.
    ///
    /// # Errors
    /// When it does not listen any more.
    pub fn tell(&mut self, line: &str) -> io::Result<()> {
        // One write, so that it never reads a part.
        match &mut self.input {
            Some(input) => input.write_all(format!("{line}\n").as_bytes()),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    /// Ends its input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Waits for its end, at most `limit`; `None` if it still runs.
    ///
    /// # Errors
    /// When the system does not say.
    pub fn status(&mut self, limit: Duration) -> io::Result<Option<ExitStatus>> {
        let start = Instant::now();
        loop {
            let status = self.process.try_wait()?;
            if status.is_some() || start.elapsed() > limit {
                return Ok(status);
            }
            // It has nothing left to do but to exit.
            thread::sleep(Duration::from_micros(50));
        }
    }

    /// Waits for its end, which must be near, and tells how it was.
    ///
    /// # Errors
    /// When the system cannot wait for it.
    pub fn end(&mut self) -> io::Result<Ended> {
        // What it may still say must not keep it from ending.
        while self.pipes.is_open() && self.process.try_wait()?.is_none() {
            self.pipes.wait(Duration::from_millis(1), &mut self.said);
        }
        let status = self.process.wait()?;
        Ok(Ended { status, errors: self.last_words() })
    }

    /// The end of what it said on standard error; it must have ended.
    pub fn last_words(&mut self) -> String {
        let start = Instant::now();
        while self.pipes.errors.is_some() {
            let Some(left) = LAST_WORDS.checked_sub(start.elapsed()) else { break };
            self.pipes.wait(left, &mut self.said);
        }
        String::from_utf8_lossy(&self.said.errors).into_owned()
    }

    /// Ends it with a signal that it can neither see nor hinder, and tells how it ended: perhaps by
    /// itself just before. What it had said until then can still be heard.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn kill(&mut self) -> io::Result<ExitStatus> {
        self.process.kill()?;
        self.process.wait()
    }
}

/// Takes the first line out of `said`.
fn line(said: &mut Vec<u8>) -> Option<String> {
    let end = said.iter().position(|byte| *byte == b'\n');
    let end = end.or_else(|| (said.len() > LONGEST).then_some(LONGEST))?;
    let rest = said.split_off(end + 1);
    let mut line = std::mem::replace(said, rest);
    line.pop();
    Some(String::from_utf8_lossy(&line).into_owned())
}

impl Drop for Child {
    fn drop(&mut self) {
        // It may have ended by itself; there is nothing to do about another failure.
        let _ = self.kill();
    }
}

/// The lines of this process's standard input. The process ends when its input does.
#[must_use]
pub fn lines_of_input() -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            // Nobody may be listening.
            let _ = sender.send(line);
        }
        process::exit(0);
    });
    receiver
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    fn shell(script: &str) -> Child {
        Child::start(Command::new("/bin/sh").args(["-c", script])).unwrap()
    }

    fn line(text: &str) -> Heard {
        Heard::Line(text.to_owned())
    }

    #[test]
    fn lines_are_heard_to_the_end_and_a_cut_one_is_none() {
        let mut child = shell("read a; echo $a; echo; printf 3; echo why >&2; echo no >&2; exit 7");
        child.tell("1").unwrap();
        let heard = [(); 4].map(|()| child.hear(LONG));
        assert_eq!(heard, [line("1"), line(""), Heard::End, Heard::End]);
        let ended = child.end().unwrap();
        assert_eq!((ended.status.code(), ended.last_words()), (Some(7), "no"));
    }

    #[test]
    fn a_line_that_never_ends_is_cut_and_a_whole_output_may_be_long() {
        let mut endless = shell("exec cat /dev/zero");
        assert!(matches!(endless.hear(LONG), Heard::Line(line) if line.len() == LONGEST));
        let mut long = shell("read number; head -c $number /dev/zero");
        long.tell("3000000").unwrap();
        assert_eq!(long.hear_all(LONG).map(|all| all.len()), Some(3_000_000));
        assert!(long.end().unwrap().status.success());
    }

    #[test]
    fn what_was_said_before_a_kill_can_be_heard_after_it() {
        let mut child = shell("echo 1; exec sleep 60");
        assert_eq!(child.hear(LONG), line("1"));
        assert_eq!(child.hear(Duration::ZERO), Heard::Nothing);
        assert_eq!(child.kill().unwrap().code(), None);
        assert_eq!(child.hear(LONG), Heard::End);
    }
}
