//! A program run from start to end: one text in, one text out, within a time limit.

use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::interrupt;
use crate::worker::Failure;

/// How long to wait before looking again.
const WAKE: Duration = Duration::from_millis(1);

/// Ends its process when dropped.
struct Guard(Child);

impl Drop for Guard {
    fn drop(&mut self) {
        // Both fail only when it has ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs `command` with `input` as its standard input and returns its standard output.
///
/// # Errors
/// When it cannot be started, ends badly, or takes longer than `limit`.
pub fn output(mut command: Command, input: Vec<u8>, limit: Duration) -> Result<Vec<u8>, Failure> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // Ctrl-C in a terminal is the harness's, which ends what it has started.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let child = command
        .spawn()
        .map_err(|error| Failure::Start { program: command.get_program().into(), error })?;
    let mut child = Guard(child);
    let (Some(mut stdin), Some(mut stdout), Some(mut stderr)) =
        (child.0.stdin.take(), child.0.stdout.take(), child.0.stderr.take())
    else {
        unreachable!("all three streams were asked for");
    };
    // A program that ends early closes its input: its exit status says more than that.
    thread::spawn(move || stdin.write_all(&input));
    let output = thread::spawn(move || {
        let mut text = Vec::new();
        stdout.read_to_end(&mut text).map(|_| text)
    });
    let errors = thread::spawn(move || {
        let mut text = Vec::new();
        let _ = stderr.read_to_end(&mut text);
        String::from_utf8_lossy(&text).trim().to_owned()
    });
    let start = Instant::now();
    let status = loop {
        match child.0.try_wait() {
            Ok(Some(status)) => break Ok(status),
            Err(error) => break Err(error.to_string()),
            Ok(None) if interrupt::requested() => return Err(Failure::Interrupted),
            Ok(None) if start.elapsed() > limit => {
                return Err(Failure::TimedOut { limit, stderr: String::new() });
            }
            Ok(None) => thread::sleep(WAKE),
        }
    };
    let stderr = errors.join().unwrap_or_default();
    match (status, output.join()) {
        (Ok(status), Ok(Ok(text))) if status.success() => Ok(text),
        (Ok(status), _) => Err(Failure::Died { status: status.to_string(), stderr }),
        (Err(status), _) => Err(Failure::Died { status, stderr }),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_secs(20);

    #[test]
    fn what_goes_in_comes_out() {
        let text = vec![b'x'; 1 << 20];
        assert_eq!(output(Command::new("cat"), text.clone(), LIMIT).unwrap(), text);
    }

    #[test]
    fn a_bad_end_is_told_with_what_it_said() {
        let mut command = Command::new("cat");
        command.arg("/no/such/file");
        let failure = output(command, Vec::new(), LIMIT).unwrap_err().to_string();
        assert!(
            failure.contains("exit status: 1") && failure.contains("/no/such/file"),
            "{failure}"
        );
        let failure = output(Command::new("/no/such/program"), Vec::new(), LIMIT).unwrap_err();
        assert!(matches!(failure, Failure::Start { .. }), "{failure}");
    }

    #[test]
    fn one_that_does_not_end_is_ended() {
        let mut command = Command::new("sleep");
        command.arg("60");
        let start = Instant::now();
        let failure = output(command, Vec::new(), Duration::from_millis(50)).unwrap_err();
        assert!(matches!(failure, Failure::TimedOut { .. }), "{failure}");
        assert!(start.elapsed() < LIMIT);
    }
}
