//! Both pipes from a child.
//!
//! On Unix they are waited for at once with `poll`: no thread stands between the child and the program
//! that started it, which halves the time that a short request takes. Elsewhere a thread reads each.

/// How much of a child's standard error is kept.
const ERRORS_KEPT: usize = 16 * 1024;

#[cfg(not(unix))]
pub(crate) use threads::Pipes;
#[cfg(unix)]
pub(crate) use unix::Pipes;

impl Pipes {
    /// Whether anything may still come.
    pub(crate) fn is_open(&self) -> bool {
        self.output.is_some() || self.errors.is_some()
    }
}

/// What has been read and not been asked for yet.
#[derive(Debug, Default)]
pub(crate) struct Said {
    pub(crate) output: Vec<u8>,
    /// The end of it.
    pub(crate) errors: Vec<u8>,
}

impl Said {
    fn add_errors(&mut self, bytes: &[u8]) {
        self.errors.extend_from_slice(bytes);
        let surplus = self.errors.len().saturating_sub(ERRORS_KEPT);
        self.errors.drain(..surplus);
    }
}

#[cfg(unix)]
mod unix {
    use std::io::Read;
    use std::process::{ChildStderr, ChildStdout};
    use std::time::Duration;

    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    use super::Said;

    /// The pipes; one that has ended is gone.
    #[derive(Debug)]
    pub(crate) struct Pipes {
        pub(crate) output: Option<ChildStdout>,
        pub(crate) errors: Option<ChildStderr>,
    }

    impl Pipes {
        pub(crate) fn new(output: ChildStdout, errors: ChildStderr) -> Self {
            Self { output: Some(output), errors: Some(errors) }
        }

        /// Waits until there is something on either pipe, or for `left`, and reads it.
        pub(crate) fn wait(&mut self, left: Duration, said: &mut Said) {
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
                read(&mut self.errors, |bytes| said.add_errors(bytes));
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

    use super::Said;

    /// Whether each pipe is still open, and what comes from both.
    #[derive(Debug)]
    pub(crate) struct Pipes {
        pub(crate) output: Option<()>,
        pub(crate) errors: Option<()>,
        read: Receiver<(Pipe, Vec<u8>)>,
    }

    #[derive(Debug, Clone, Copy)]
    enum Pipe {
        Output,
        Errors,
    }

    impl Pipes {
        pub(crate) fn new(output: ChildStdout, errors: ChildStderr) -> Self {
            // Bounded, so that a child that never ends its line does not fill the memory.
            let (sender, read) = mpsc::sync_channel(32);
            reader(Pipe::Output, output, sender.clone());
            reader(Pipe::Errors, errors, sender);
            Self { output: Some(()), errors: Some(()), read }
        }

        /// Waits until there is something from either pipe, or for `left`.
        pub(crate) fn wait(&mut self, left: Duration, said: &mut Said) {
            match self.read.recv_timeout(left) {
                // Nothing at all is read at the end of a pipe.
                Ok((Pipe::Output, bytes)) if bytes.is_empty() => self.output = None,
                Ok((Pipe::Errors, bytes)) if bytes.is_empty() => self.errors = None,
                Ok((Pipe::Output, bytes)) => said.output.extend_from_slice(&bytes),
                Ok((Pipe::Errors, bytes)) => said.add_errors(&bytes),
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
    fn the_end_of_standard_error_is_kept() {
        let mut said = Said::default();
        said.add_errors("x".repeat(3 * ERRORS_KEPT).as_bytes());
        said.add_errors(b"end");
        assert_eq!(said.errors.len(), ERRORS_KEPT);
        assert!(said.errors.ends_with(b"end"));
    }
}
