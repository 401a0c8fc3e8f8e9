//! A process that is started for something, and both ends of the pipes to it.
//!
//! [`Child`] is the end of the program that starts it: what the process says is heard line by line, each
//! line with a time limit; when it has ended, its status and its last words can be told. All programs of
//! this project that are started and waited for are such children.
//!
//! [`lines_of_input`] is the other end: the process ends when its input does, so that nothing is left
//! running when the program that started it has gone.

#![forbid(unsafe_code)]

use std::io::{self, BufRead as _, Write as _};
use std::process::{self, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use pipes::Pipes;

mod pipes;

pub use pipes::Heard;

/// How long its last words are waited for when it has ended: only a process that it has started itself
/// can delay them.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// A running process; killed when dropped.
#[derive(Debug)]
pub struct Child {
    process: process::Child,
    input: Option<ChildStdin>,
    pipes: Pipes,
}

impl Child {
    /// Starts `command` with pipes to it, in a process group of its own: Ctrl-C in a terminal goes to
    /// the whole foreground group, and the program that starts it ends it in good order.
    ///
    /// # Errors
    /// When the system cannot start it.
    pub fn start(command: &mut Command) -> io::Result<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let mut process = command.spawn()?;
        let (Some(output), Some(errors)) = (process.stdout.take(), process.stderr.take()) else {
            unreachable!("both streams were asked for");
        };
        Ok(Self { input: process.stdin.take(), process, pipes: Pipes::new(output, errors) })
    }

    /// Its number.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.process.id()
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

    /// Ends its input: there is nothing more to tell it.
    pub fn tell_no_more(&mut self) {
        self.input = None;
    }

    /// Waits for the next line, at most `limit`.
    pub fn hear(&mut self, limit: Duration) -> Heard {
        self.pipes.line(limit)
    }

    /// Waits for the end of what it says, at most `limit`, and gives all of it.
    pub fn hear_all(&mut self, limit: Duration) -> Heard {
        self.pipes.all(limit)
    }

    /// Waits for its end, at most `limit`; `None` if it still runs.
    ///
    /// # Errors
    /// When the system cannot wait for it.
    pub fn wait(&mut self, limit: Duration) -> io::Result<Option<ExitStatus>> {
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

    /// Ends it with a signal that it can neither see nor hinder, and says how it ended: perhaps by
    /// itself just before. What it had said until then can still be heard.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn kill(&mut self) -> io::Result<ExitStatus> {
        self.process.kill()?;
        self.process.wait()
    }

    /// Ends it and returns the end of what it said on standard error, where programs say why they end.
    pub fn last_words(&mut self) -> String {
        // It may have ended by itself.
        let _ = self.process.kill();
        self.pipes.last_words(LAST_WORDS)
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
        Heard::Bytes(text.as_bytes().to_owned())
    }

    #[test]
    fn lines_are_heard_to_the_end_and_a_cut_one_is_none() {
        let mut child = shell("read a; echo $a; echo; printf 3; echo why >&2; echo no >&2; exit 7");
        child.tell("1").unwrap();
        let heard = [(); 4].map(|()| child.hear(LONG));
        assert_eq!(heard, [line("1"), line(""), Heard::Closed, Heard::Closed]);
        assert_eq!(child.wait(LONG).unwrap().unwrap().code(), Some(7));
        assert_eq!(child.last_words(), "why\nno\n");
    }

    #[test]
    fn what_was_said_before_a_kill_can_be_heard_after_it() {
        let mut child = shell("echo 1; echo 2; exec sleep 60");
        assert_eq!(child.hear(LONG), line("1"));
        assert_eq!(child.wait(Duration::ZERO).unwrap(), None);
        assert_eq!(child.kill().unwrap().code(), None);
        // The second line may or may not have been said.
        assert!([line("2"), Heard::Closed].contains(&child.hear(LONG)));
    }

    #[test]
    fn a_whole_output_may_be_long() {
        let mut child = shell("read number; head -c $number /dev/zero");
        child.tell("1000000").unwrap();
        assert_eq!(child.hear_all(LONG), Heard::Bytes(vec![0; 1_000_000]));
    }
}
