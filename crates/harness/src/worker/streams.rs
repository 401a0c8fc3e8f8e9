//! What a worker says on its standard output, line by line and with a time limit, and the end of
//! what it says on its standard error.
//!
//! On Unix both pipes are waited for at once with `poll`: no thread stands between the worker and the
//! harness, which halves the time that a short request takes. Elsewhere a thread reads each pipe.

use write_backend::protocol::MAX_LINE;

/// How much of a worker's standard error is kept for a message.
const STDERR_KEPT: usize = 2048;

/// What waiting for a line came to.
#[derive(Debug, PartialEq, Eq)]
pub enum Heard {
    /// A line, without its end.
    Line(Vec<u8>),
    /// More bytes than a line may have, without an end.
    TooLong(Vec<u8>),
    /// The stream ended, perhaps in the middle of a line.
    Closed,
    /// Nothing yet.
    Nothing,
}

/// Takes the first whole line out of `buffer`.
fn take_line(buffer: &mut Vec<u8>) -> Option<Heard> {
    if let Some(end) = buffer.iter().position(|byte| *byte == b'\n') {
        let rest = buffer.split_off(end + 1);
        buffer.truncate(end);
        return Some(Heard::Line(std::mem::replace(buffer, rest)));
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
pub use unix::Streams;

#[cfg(unix)]
mod unix {
    use std::io::Read;
    use std::process::{ChildStderr, ChildStdout};
    use std::time::{Duration, Instant};

    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    use super::{Heard, keep_end, take_line};

    /// Both streams of a worker.
    #[derive(Debug)]
    pub struct Streams {
        output: Option<ChildStdout>,
        errors: Option<ChildStderr>,
        buffer: Vec<u8>,
        kept: Vec<u8>,
    }

    impl Streams {
        /// The streams of a worker that was just started.
        #[must_use]
        pub fn new(output: ChildStdout, errors: ChildStderr) -> Self {
            Self {
                output: Some(output),
                errors: Some(errors),
                buffer: Vec::new(),
                kept: Vec::new(),
            }
        }

        /// Waits for a line on standard output, at most `limit`.
        pub fn line(&mut self, limit: Duration) -> Heard {
            let start = Instant::now();
            loop {
                if let Some(heard) = take_line(&mut self.buffer) {
                    return heard;
                }
                if self.output.is_none() {
                    return Heard::Closed;
                }
                let Some(left) = limit.checked_sub(start.elapsed()) else { return Heard::Nothing };
                self.wait(left);
            }
        }

        /// The end of standard error; waits at most `limit` for its close, which only a process that
        /// the worker has started itself can delay.
        pub fn last_words(&mut self, limit: Duration) -> String {
            let start = Instant::now();
            while self.errors.is_some() {
                let Some(left) = limit.checked_sub(start.elapsed()) else { break };
                // What is still said on standard output does not matter any more.
                self.output = None;
                self.wait(left);
            }
            String::from_utf8_lossy(&self.kept).into_owned()
        }

        /// Waits until there is something on either stream, or for `left`, and reads it.
        fn wait(&mut self, left: Duration) {
            let mut waited = Vec::with_capacity(2);
            waited.extend(self.output.as_ref().map(|it| PollFd::new(it, PollFlags::IN)));
            waited.extend(self.errors.as_ref().map(|it| PollFd::new(it, PollFlags::IN)));
            let left = Timespec::try_from(left).ok();
            // An interrupted call is like one that found nothing: the caller looks at the time.
            if poll(&mut waited, left.as_ref()).unwrap_or(0) == 0 {
                return;
            }
            let is_ready = |polled: &PollFd<'_>| !polled.revents().is_empty();
            let mut ready = waited.iter().map(is_ready);
            let output = self.output.is_some() && ready.next() == Some(true);
            let errors = self.errors.is_some() && ready.next() == Some(true);
            drop(waited);
            if output {
                read(&mut self.output, |bytes| self.buffer.extend_from_slice(bytes));
            }
            if errors {
                read(&mut self.errors, |bytes| keep_end(&mut self.kept, bytes));
            }
        }
    }

    /// Reads what is there; a stream that has ended is dropped.
    fn read<S: Read>(stream: &mut Option<S>, add: impl FnOnce(&[u8])) {
        let mut bytes = [0; 4096];
        match stream.as_mut().map(|stream| stream.read(&mut bytes)) {
            Some(Ok(count @ 1..)) => add(&bytes[..count]),
            _ => *stream = None,
        }
    }
}

#[cfg(not(unix))]
pub use threads::Streams;

#[cfg(not(unix))]
mod threads {
    use std::io::Read;
    use std::process::{ChildStderr, ChildStdout};
    use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
    use std::thread;
    use std::time::{Duration, Instant};

    use super::{Heard, keep_end, take_line};

    /// Both streams of a worker.
    #[derive(Debug)]
    pub struct Streams {
        output: Receiver<Vec<u8>>,
        errors: Receiver<Vec<u8>>,
        buffer: Vec<u8>,
        kept: Vec<u8>,
    }

    impl Streams {
        /// The streams of a worker that was just started.
        #[must_use]
        pub fn new(output: ChildStdout, errors: ChildStderr) -> Self {
            let (buffer, kept) = (Vec::new(), Vec::new());
            Self { output: reader(output), errors: reader(errors), buffer, kept }
        }

        /// Waits for a line on standard output, at most `limit`.
        pub fn line(&mut self, limit: Duration) -> Heard {
            let start = Instant::now();
            loop {
                if let Some(heard) = take_line(&mut self.buffer) {
                    return heard;
                }
                let left = limit.saturating_sub(start.elapsed());
                match self.output.recv_timeout(left) {
                    Ok(bytes) => self.buffer.extend_from_slice(&bytes),
                    Err(RecvTimeoutError::Timeout) => return Heard::Nothing,
                    Err(RecvTimeoutError::Disconnected) => return Heard::Closed,
                }
            }
        }

        /// The end of standard error; waits at most `limit` for its close.
        pub fn last_words(&mut self, limit: Duration) -> String {
            let start = Instant::now();
            while let Ok(bytes) = self.errors.recv_timeout(limit.saturating_sub(start.elapsed())) {
                keep_end(&mut self.kept, &bytes);
            }
            String::from_utf8_lossy(&self.kept).into_owned()
        }
    }

    fn reader(mut stream: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
        // Bounded, so that a worker that never ends its line does not fill the memory.
        let (sender, receiver) = mpsc::sync_channel(32);
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = stream.read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        receiver
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_taken_one_by_one() {
        let mut buffer = b"one\ntwo\nthr".to_vec();
        assert_eq!(take_line(&mut buffer), Some(Heard::Line(b"one".to_vec())));
        assert_eq!(take_line(&mut buffer), Some(Heard::Line(b"two".to_vec())));
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
