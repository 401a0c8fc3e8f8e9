//! A process that is started for something, and both ends of the pipes to it.
//!
//! [`Child`] is the end of the program that starts it: what the process says is read line by line, each
//! line with a time limit; when it has ended, its status and its last words can be told.
//! [`lines_of_input`] is the other end: the process ends when its input does, so that nothing is left
//! running when the program that started it has gone.

#![forbid(unsafe_code)]

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::process::{self, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// A running process; killed when dropped.
#[derive(Debug)]
pub struct Child {
    process: process::Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: Receiver<String>,
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
    /// All that it said on standard error.
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
        let (Some(output), Some(mut errors)) = (process.stdout.take(), process.stderr.take())
        else {
            unreachable!("both were asked for");
        };
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            let mut bytes = Vec::new();
            while output.read_until(b'\n', &mut bytes).is_ok() && bytes.pop() == Some(b'\n') {
                if sender.send(String::from_utf8_lossy(&bytes).into_owned()).is_err() {
                    break;
                }
                bytes.clear();
            }
        });
        let (sender, last) = mpsc::channel();
        thread::spawn(move || {
            let mut bytes = Vec::new();
            // What was read before a failure is still worth showing; nobody may want it.
            let _ = errors.read_to_end(&mut bytes);
            let _ = sender.send(String::from_utf8_lossy(&bytes).into_owned());
        });
        Ok(Self { input: process.stdin.take(), process, lines, errors: last })
    }

    /// Waits for the next line, at most `limit`.
    pub fn hear(&mut self, limit: Duration) -> Heard {
        match self.lines.recv_timeout(limit) {
            Ok(line) => Heard::Line(line),
            Err(RecvTimeoutError::Disconnected) => Heard::End,
            Err(RecvTimeoutError::Timeout) => Heard::Nothing,
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

    /// Waits for its end, which must be near, and tells how it was.
    ///
    /// # Errors
    /// When the system cannot wait for it.
    pub fn end(&mut self) -> io::Result<Ended> {
        let status = self.process.wait()?;
        Ok(Ended { status, errors: self.errors.recv().unwrap_or_default() })
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
    fn what_was_said_before_a_kill_can_be_heard_after_it() {
        let mut child = shell("echo 1; exec sleep 60");
        assert_eq!(child.hear(LONG), line("1"));
        assert_eq!(child.hear(Duration::ZERO), Heard::Nothing);
        assert_eq!(child.kill().unwrap().code(), None);
        assert_eq!(child.hear(LONG), Heard::End);
    }
}
