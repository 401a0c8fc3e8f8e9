//! A worker program spoken to without the harness: the protocol alone.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use write_backend::protocol::{Reply, Request};

/// The watchdog: no reply takes this long, however busy the machine is.
const LIMIT: Duration = Duration::from_secs(60);

/// A running worker program; killed when dropped.
pub(crate) struct Worker {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Worker {
    pub(crate) fn start(program: &Path) -> Self {
        let mut command = Command::new(program);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let input = child.stdin.take().expect("it was asked for");
        let output = BufReader::new(child.stdout.take().expect("it was asked for"));
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            output.lines().map_while(Result::ok).all(|line| sender.send(line).is_ok())
        });
        Self { child, input, lines }
    }

    pub(crate) fn ask(&mut self, request: &Request) -> Reply {
        let line = serde_json::to_string(request).expect("a request is JSON");
        writeln!(self.input, "{line}").expect("it reads");
        let reply = self.lines.recv_timeout(LIMIT).expect("it answers in time");
        serde_json::from_str(&reply).expect("it speaks the protocol")
    }

    /// Asks it to finish and waits for its end.
    pub(crate) fn finish(mut self) {
        assert_eq!(self.ask(&Request::Finish), Reply::Finished);
        assert!(self.child.wait().expect("it ends").success());
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // Both fail only when it has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
