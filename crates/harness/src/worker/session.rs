//! One life of a worker program: start, hello, requests with a time limit, end.

use std::io::{self, BufRead as _, BufReader, Read, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use write_backend::protocol::{Hello, MAX_LINE, PROTOCOL, Reply, Request};

use crate::interrupt;
use crate::machine::pin::{self, Core};
use crate::registry::Backend;
use crate::worker::Failure;

/// How long the harness waits before it looks for an interrupt again. It waits on another core than
/// the worker's, and a waiting thread takes no time from it.
const WAKE: Duration = Duration::from_millis(100);

/// How long a worker that was asked to finish may take to end.
const END: Duration = Duration::from_secs(5);

/// How long the harness waits for the last words of a worker that has ended: they are read by
/// another thread. Only a process that the worker has started itself can hold them open longer.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// How much of a worker's standard error is kept for a message.
const STDERR_KEPT: usize = 2048;

/// How a worker is started.
#[derive(Debug, Clone)]
pub struct Start {
    /// The core it is bound to, where that is possible.
    pub core: Option<Core>,
    /// Bytes added to its environment: moves its stack, so that launches differ in it by chance
    /// instead of by the length of the user's environment (Mytkowicz et al., "Producing wrong data
    /// without doing anything obviously wrong!", 2009).
    pub padding: usize,
    /// How long it may take to answer a request.
    pub limit: Duration,
}

/// A running worker; ended when dropped.
#[derive(Debug)]
pub struct Session {
    child: Child,
    input: Option<ChildStdin>,
    replies: Receiver<io::Result<Vec<u8>>>,
    stderr: Arc<Mutex<Vec<u8>>>,
    stderr_reader: JoinHandle<()>,
    limit: Duration,
}

impl Session {
    /// Starts `program`, asks who it is, and refuses it unless it is `backend` with the engine that
    /// its binding ships.
    ///
    /// # Errors
    /// When it cannot be started, does not answer, or is another one.
    pub fn start(
        program: &Path,
        backend: &Backend,
        start: &Start,
    ) -> Result<(Self, Hello), Failure> {
        Self::start_command(Command::new(program), program, backend, start)
    }

    /// The same for a `program` that `command` runs inside another, for example a profiler.
    ///
    /// # Errors
    /// Those of [`start`](Self::start).
    pub fn start_command(
        command: Command,
        program: &Path,
        backend: &Backend,
        start: &Start,
    ) -> Result<(Self, Hello), Failure> {
        let mut session = Self::spawn(command, start)?;
        let hello = match session.ask(&Request::Hello)? {
            Reply::Hello(hello) => *hello,
            other => return Err(session.nonsense(&format!("{other:?}"))),
        };
        match refusal(&hello, backend) {
            Some(reason) => {
                Err(Failure::Refused { program: program.display().to_string(), reason })
            }
            None => Ok((session, hello)),
        }
    }

    fn spawn(mut command: Command, start: &Start) -> Result<Self, Failure> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.env("HARNESS_PADDING", "x".repeat(start.padding));
        // Ctrl-C in a terminal goes to the whole foreground group: the harness alone must get it, so
        // that it can end the workers in good order.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command
            .spawn()
            .map_err(|error| Failure::Start { program: command.get_program().into(), error })?;
        if let Some(core) = start.core {
            pin::bind_process(child.id(), core);
        }
        let (Some(input), Some(output), Some(errors)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            unreachable!("all three streams were asked for");
        };
        let (sender, replies) = mpsc::channel();
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            loop {
                let line = read_line(&mut output);
                let last = !matches!(&line, Ok(line) if line.ends_with(b"\n"));
                if sender.send(line).is_err() || last {
                    break;
                }
            }
        });
        let stderr = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&stderr);
        let stderr_reader = thread::spawn(move || keep_end(errors, &kept));
        let limit = start.limit;
        Ok(Self { child, input: Some(input), replies, stderr, stderr_reader, limit })
    }

    /// Sends `request` and waits for the reply.
    ///
    /// # Errors
    /// When the worker ends, does not answer in time, or answers what is no reply;
    /// [`Failure::Reported`] with its own reason when it says that it could not do it; and
    /// [`Failure::Interrupted`].
    pub fn ask(&mut self, request: &Request) -> Result<Reply, Failure> {
        // Workers that always answer at once never let the harness wait, so it looks here too.
        if interrupt::requested() {
            return Err(Failure::Interrupted);
        }
        let mut line = serde_json::to_vec(request)
            .map_err(|error| Failure::Reported(format!("request: {error}")))?;
        line.push(b'\n');
        let sent = match &mut self.input {
            Some(input) => input.write_all(&line).and_then(|()| input.flush()),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        };
        if sent.is_err() {
            return Err(self.died());
        }
        let line = self.receive()?;
        match serde_json::from_slice(&line) {
            Ok(Reply::Failed { reason }) => Err(Failure::Reported(reason)),
            Ok(reply) => Ok(reply),
            Err(_) => Err(self.nonsense(&String::from_utf8_lossy(&line))),
        }
    }

    fn receive(&mut self) -> Result<Vec<u8>, Failure> {
        let start = Instant::now();
        loop {
            match self.replies.recv_timeout(WAKE) {
                Ok(Ok(line)) if line.ends_with(b"\n") => return Ok(line),
                Ok(Ok(line)) if line.len() > MAX_LINE => {
                    return Err(self.nonsense(&String::from_utf8_lossy(&line)));
                }
                // The end of its output, or a line without an end.
                Ok(_) | Err(RecvTimeoutError::Disconnected) => return Err(self.died()),
                Err(RecvTimeoutError::Timeout) if interrupt::requested() => {
                    return Err(Failure::Interrupted);
                }
                Err(RecvTimeoutError::Timeout) if start.elapsed() > self.limit => {
                    return Err(Failure::TimedOut { limit: self.limit, stderr: self.last_words() });
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Asks the worker to finish and waits until it has ended.
    ///
    /// # Errors
    /// When it does not say that it finished, or ends in another way than well.
    pub fn finish(mut self) -> Result<(), Failure> {
        match self.ask(&Request::Finish)? {
            Reply::Finished => {}
            other => return Err(self.nonsense(&format!("{other:?}"))),
        }
        drop(self.input.take());
        let start = Instant::now();
        loop {
            match self.child.try_wait() {
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

    /// The failure for a reply that does not answer the request; ends the worker.
    #[must_use]
    pub fn nonsense(&mut self, line: &str) -> Failure {
        const SHOWN: usize = 200;
        let line = line.trim_end().chars().take(SHOWN).collect();
        Failure::Nonsense { line, stderr: self.last_words() }
    }

    fn died(&mut self) -> Failure {
        let start = Instant::now();
        let status = loop {
            match self.child.try_wait() {
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

    /// Ends the worker and returns the end of its standard error.
    fn last_words(&mut self) -> String {
        let _ = self.child.kill();
        let start = Instant::now();
        while !self.stderr_reader.is_finished() && start.elapsed() < LAST_WORDS {
            thread::sleep(Duration::from_millis(1));
        }
        // A reader that panicked leaves what it had read.
        let kept = self.stderr.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&kept).into_owned()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // Both fail only when it has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Why a worker that said `hello` may not be measured as `backend`.
fn refusal(hello: &Hello, backend: &Backend) -> Option<String> {
    if hello.protocol != PROTOCOL {
        return Some(format!("protocol {PROTOCOL} expected, found {}", hello.protocol));
    }
    if hello.backend != backend.id {
        return Some(format!("backend {} expected, found {}", backend.id, hello.backend));
    }
    let named = |version: Option<&str>| match version {
        Some(version) => format!("LMDB {version}"),
        None => "no LMDB".to_owned(),
    };
    let found = hello.engine_version.as_deref();
    (found != backend.engine_version).then(|| {
        format!(
            "{} expected for {}, found {}",
            named(backend.engine_version),
            backend.id,
            named(found)
        )
    })
}

/// One line with its end; without an end if the stream ended or the line is too long.
fn read_line(output: &mut impl io::BufRead) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    output.by_ref().take(MAX_LINE as u64 + 1).read_until(b'\n', &mut line)?;
    Ok(line)
}

/// Reads `stream` to its end and keeps the last bytes.
fn keep_end(mut stream: impl Read, kept: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 512];
    while let Ok(count @ 1..) = stream.read(&mut buffer) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&buffer[..count]);
        let surplus = kept.len().saturating_sub(STDERR_KEPT);
        kept.drain(..surplus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;
    use write_backend::protocol::Profile;

    fn hello(backend: &str, engine: Option<&str>) -> Hello {
        Hello {
            protocol: PROTOCOL,
            backend: backend.to_owned(),
            binding: None,
            engine_crate: None,
            engine_version: engine.map(str::to_owned),
            profile: Profile::Debug,
            pid: 1,
            put_alignment: None,
            loop_alignment: [0, 0],
        }
    }

    #[test]
    fn another_engine_is_refused_and_named() {
        let raw = registry::find("raw-ffi").unwrap();
        assert_eq!(refusal(&hello("raw-ffi", Some("0.9.21")), raw), None);
        assert_eq!(
            refusal(&hello("raw-ffi", Some("0.9.70")), raw).unwrap(),
            "LMDB 0.9.21 expected for raw-ffi, found LMDB 0.9.70"
        );
        assert!(refusal(&hello("raw-ffi", None), raw).unwrap().ends_with("found no LMDB"));
        assert!(refusal(&hello("heed", Some("0.9.21")), raw).unwrap().contains("found heed"));
        let mut old = hello("raw-ffi", Some("0.9.21"));
        old.protocol = 0;
        assert!(refusal(&old, raw).unwrap().contains("protocol"));
    }

    #[test]
    fn the_end_of_standard_error_is_kept() {
        let kept = Mutex::new(Vec::new());
        let text = format!("{}end", "x".repeat(3 * STDERR_KEPT));
        keep_end(text.as_bytes(), &kept);
        let kept = kept.into_inner().unwrap();
        assert_eq!(kept.len(), STDERR_KEPT);
        assert!(kept.ends_with(b"end"));
    }
}
