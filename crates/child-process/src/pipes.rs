//! What a child says on its standard output, line by line and with a time limit, and the end of
//! what it says on its standard error.
//!
//! On Unix both pipes are waited for at once with `poll`: no thread stands between the child and the
//! program that started it, which halves the time that a short request takes. Elsewhere a thread reads
//! each pipe.

use std::process::{ChildStderr, ChildStdout};
use std::time::{Duration, Instant};

use write_backend::protocol::MAX_LINE;

#[cfg(not(unix))]
use threads::Sources;
#[cfg(unix)]
use unix::Sources;

/// How much of a child's standard error is kept for a message.
const STDERR_KEPT: usize = 2048;

/// What waiting came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// A line without its end, or all there was.
    Bytes(Vec<u8>),
    /// More bytes than a line may have, without an end.
    TooLong(Vec<u8>),
    /// The stream ended, perhaps in the middle of a line.
    Closed,
    /// Nothing yet.
    Nothing,
}

/// Both streams of a child.
#[derive(Debug)]
pub(crate) struct Pipes {
    sources: Sources,
    said: Said,
}

/// What has been read and not been asked for yet.
#[derive(Debug, Default)]
struct Said {
    output: Vec<u8>,
    errors: Vec<u8>,
}

impl Pipes {
    /// The streams of a child that was just started.
    pub(crate) fn new(output: ChildStdout, errors: ChildStderr) -> Self {
        Self { sources: Sources::new(output, errors), said: Said::default() }
    }

    /// Waits for a line on standard output, at most `limit`.
    pub(crate) fn line(&mut self, limit: Duration) -> Heard {
        self.wait(limit, |said, is_open| {
            let ended = (!is_open).then_some(Heard::Closed);
            take_line(&mut said.output).or(ended)
        })
    }

    /// Waits for the end of standard output, at most `limit`; everything it had to say.
    pub(crate) fn all(&mut self, limit: Duration) -> Heard {
        self.wait(limit, |said, is_open| {
            (!is_open).then(|| Heard::Bytes(std::mem::take(&mut said.output)))
        })
    }

    fn wait(&mut self, limit: Duration, take: impl Fn(&mut Said, bool) -> Option<Heard>) -> Heard {
        let start = Instant::now();
        loop {
            if let Some(heard) = take(&mut self.said, self.sources.output.is_some()) {
                return heard;
            }
            let Some(left) = limit.checked_sub(start.elapsed()) else { return Heard::Nothing };
            self.sources.wait(left, &mut self.said);
        }
    }

    /// The end of standard error; waits at most `limit` for its close.
    pub(crate) fn last_words(&mut self, limit: Duration) -> String {
        let start = Instant::now();
        // What is still said on standard output does not matter any more.
        self.sources.output = None;
        while self.sources.errors.is_some() {
            let Some(left) = limit.checked_sub(start.elapsed()) else { break };
            self.sources.wait(left, &mut self.said);
        }
        String::from_utf8_lossy(&self.said.errors).into_owned()
    }
}

/// Takes the first whole line out of `buffer`.
fn take_line(buffer: &mut Vec<u8>) -> Option<Heard> {
    if let Some(end) = buffer.iter().position(|byte| *byte == b'\n') {
        let rest = buffer.split_off(end + 1);
        buffer.truncate(end);
        return Some(Heard::Bytes(std::mem::replace(buffer, rest)));
    }
    (buffer.len() > MAX_LINE).then(|| Heard::TooLong(std::mem::take(buffer)))
}

/// Adds `bytes` to `kept` and keeps the end.
fn keep_end(kept: &mut Vec<u8>, bytes: &[u8]) {
    kept.extend_from_slice(bytes);
    let surplus = kept.len().saturating_sub(STDERR_KEPT);
    kept.drain(..surplus);
}

#[cfg(unix)]
mod unix {
    use std::io::Read;
    use std::process::{ChildStderr, ChildStdout};
    use std::time::Duration;

    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    use super::{Said, keep_end};

    /// The pipes; one that has ended is gone.
    #[derive(Debug)]
    pub(super) struct Sources {
        pub(super) output: Option<ChildStdout>,
        pub(super) errors: Option<ChildStderr>,
    }

    impl Sources {
        pub(super) fn new(output: ChildStdout, errors: ChildStderr) -> Self {
            Self { output: Some(output), errors: Some(errors) }
        }

        /// Waits until there is something on either pipe, or for `left`, and reads it.
        pub(super) fn wait(&mut self, left: Duration, said: &mut Said) {
            let mut waited = Vec::with_capacity(2);
            waited.extend(self.output.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
            waited.extend(self.errors.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
            let left = Timespec::try_from(left).ok();
            // An interrupted call is like one that found nothing: the caller looks at the time.
            if poll(&mut waited, left.as_ref()).unwrap_or(0) == 0 {
                return;
            }
            let mut ready = waited.iter().map(|polled| !polled.revents().is_empty());
            let output = self.output.is_some() && ready.next() == Some(true);
            let errors = self.errors.is_some() && ready.next() == Some(true);
            drop(waited);
            if output {
                read(&mut self.output, |bytes| said.output.extend_from_slice(bytes));
            }
            if errors {
                read(&mut self.errors, |bytes| keep_end(&mut said.errors, bytes));
            }
        }
    }

    /// Reads what is there; a pipe that has ended is dropped.
    fn read<S: Read>(pipe: &mut Option<S>, add: impl FnOnce(&[u8])) {
        let mut bytes = [0; 4096];
        match pipe.as_mut().map(|pipe| pipe.read(&mut bytes)) {
            Some(Ok(count @ 1..)) => add(&bytes[..count]),
            _ => *pipe = None,
        }
    }
}

#[cfg(not(unix))]
mod threads {
    use std::io::Read;
    use std::process::{ChildStderr, ChildStdout};
    use std::sync::mpsc::{self, Receiver, SyncSender};
    use std::thread;
    use std::time::Duration;

    use super::{Said, keep_end};

    /// Whether each pipe is still open, and what comes from both.
    #[derive(Debug)]
    pub(super) struct Sources {
        pub(super) output: Option<()>,
        pub(super) errors: Option<()>,
        read: Receiver<(Pipe, Vec<u8>)>,
    }

    #[derive(Debug, Clone, Copy)]
    enum Pipe {
        Output,
        Errors,
    }

    impl Sources {
        pub(super) fn new(output: ChildStdout, errors: ChildStderr) -> Self {
            // Bounded, so that a child that never ends its line does not fill the memory.
            let (sender, read) = mpsc::sync_channel(32);
            reader(Pipe::Output, output, sender.clone());
            reader(Pipe::Errors, errors, sender);
            Self { output: Some(()), errors: Some(()), read }
        }

        /// Waits until there is something from either pipe, or for `left`.
        pub(super) fn wait(&mut self, left: Duration, said: &mut Said) {
            match self.read.recv_timeout(left) {
                // Nothing at all is read at the end of a pipe.
                Ok((Pipe::Output, bytes)) if bytes.is_empty() => self.output = None,
                Ok((Pipe::Errors, bytes)) if bytes.is_empty() => self.errors = None,
                Ok((Pipe::Output, bytes)) => said.output.extend_from_slice(&bytes),
                Ok((Pipe::Errors, bytes)) => keep_end(&mut said.errors, &bytes),
                Err(_) => {}
            }
        }
    }

    fn reader(
        pipe: Pipe,
        mut stream: impl Read + Send + 'static,
        sender: SyncSender<(Pipe, Vec<u8>)>,
    ) {
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            loop {
                let count = stream.read(&mut bytes).unwrap_or(0);
                if sender.send((pipe, bytes[..count].to_vec())).is_err() || count == 0 {
                    break;
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_taken_one_by_one() {
        let mut buffer = b"one\ntwo\nthr".to_vec();
        assert_eq!(take_line(&mut buffer), Some(Heard::Bytes(b"one".to_vec())));
        assert_eq!(take_line(&mut buffer), Some(Heard::Bytes(b"two".to_vec())));
        assert_eq!(take_line(&mut buffer), None);
        assert_eq!(buffer, b"thr");
        let mut long = vec![b'x'; MAX_LINE + 1];
        assert!(matches!(take_line(&mut long), Some(Heard::TooLong(_))));
    }

    #[test]
    fn the_end_of_standard_error_is_kept() {
        let mut kept = Vec::new();
        keep_end(&mut kept, "x".repeat(3 * STDERR_KEPT).as_bytes());
        keep_end(&mut kept, b"end");
        assert_eq!(kept.len(), STDERR_KEPT);
        assert!(kept.ends_with(b"end"));
    }
}
