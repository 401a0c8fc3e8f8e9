//! The timed worker under strace: which system calls a transaction makes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

use crate::backends::Kind;
use crate::counts::run::Plan;
use crate::selection::Case;
use crate::worker::{Failure, PreparedWorker as _, ProcessLauncher};

const TRACE: &str = "trace";

/// Counts the worker of `case`: system calls per transaction by kind.
pub fn count(
    launcher: &mut ProcessLauncher,
    case: &Case,
    plan: Plan,
) -> Result<BTreeMap<String, f64>, Failure> {
    let place = launcher.place(&case.backend, &case.workload)?;
    let mut command = Command::new("strace");
    // Without the contents of buffers, which may be long.
    command.args(["-q", "-s", "0", "-o", TRACE]).current_dir(place.directory());
    command.arg(launcher.programs().of(&case.backend, Kind::Worker)?);
    let mut worker = launcher.launch_inside(command, place, &case.backend)?;
    for transactions in [plan.warm_up, plan.transactions, 2 * plan.transactions] {
        worker.run(0, transactions)?;
    }
    let (place, transactions) = worker.finish()?;
    let path = place.directory().join(TRACE);
    let text = fs::read(&path).map_err(|error| Failure::directory(&path, &error))?;
    launcher.check(place, transactions)?;
    // Replies to: hello, prepare, three runs, finish.
    match &between_replies(&text)[..] {
        [_, _, _, once, twice, _] => Ok(difference(once, twice, plan.transactions)),
        windows => {
            let found = windows.len();
            Err(Failure::Reported(format!("strace saw {found} replies of the worker, not 6")))
        }
    }
}

type Calls = BTreeMap<String, u64>;

/// What is counted instead of `pwrite` where the file was opened with `O_DSYNC`: the call returns when
/// the bytes are on the disk. LMDB writes its meta page so in mode sync.
pub const SYNCED_WRITE: &str = "pwrite_dsync";

/// Counts the system calls of a worker between its replies.
///
/// A worker replies by one `write` to its standard output. Returned is one set of numbers for each
/// reply: the calls since the reply before it, the reply itself not among them.
///
/// Lines that are no calls (signals, the end of the process) are passed over.
fn between_replies(text: &[u8]) -> Vec<Calls> {
    let text = String::from_utf8_lossy(text);
    let mut windows = Vec::new();
    let mut window = Calls::new();
    // Descriptors that write through, as they stand in a call.
    let mut synced = BTreeSet::new();
    for line in text.lines() {
        let Some((name, arguments)) = call(line) else { continue };
        let descriptor = arguments.split([',', ')']).next().unwrap_or_default();
        match name {
            "write" if descriptor == "1" => {
                windows.push(std::mem::take(&mut window));
                continue;
            }
            "open" | "openat" if arguments.contains("O_DSYNC") => {
                let result = arguments.rsplit_once("= ").map(|(_, result)| result.trim());
                synced.extend(result.map(str::to_owned));
            }
            "close" => {
                synced.remove(descriptor);
            }
            _ => {}
        }
        let kind = match kind(name) {
            "pwrite" if synced.contains(descriptor) => SYNCED_WRITE,
            kind => kind,
        };
        *window.entry(kind.to_owned()).or_default() += 1;
    }
    windows
}

/// Name and arguments of the call in a line `name(arguments) = result`.
fn call(line: &str) -> Option<(&str, &str)> {
    let (name, arguments) = line.trim_start().split_once('(')?;
    let is_name = !name.is_empty()
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    is_name.then_some((name, arguments))
}

/// The call's kind: the names of calls that take 64-bit offsets end with 64 on some systems.
fn kind(name: &str) -> &str {
    match name {
        "pwrite64" => "pwrite",
        "pread64" => "pread",
        "ftruncate64" => "ftruncate",
        "fcntl64" => "fcntl",
        name => name,
    }
}

/// The calls per transaction by difference of two runs, of 2n and of n transactions; what is equal in
/// both is not there.
fn difference(once: &Calls, twice: &Calls, transactions: u64) -> BTreeMap<String, f64> {
    let kinds = once.keys().chain(twice.keys());
    kinds
        .filter_map(|kind| {
            let count = |calls: &Calls| calls.get(kind).copied().unwrap_or(0) as f64;
            let difference = count(twice) - count(once);
            (difference != 0.0).then(|| (kind.clone(), difference / transactions as f64))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_counted_between_replies() {
        let text = br#"execve("./worker", ["./worker"], 0x7ffc /* 3 vars */) = 0
write(1, "{\"reply\":\"hello\""..., 360)  = 360
read(0, "{\"request\":\"run\""..., 8192) = 47
pwrite64(4, "\2\0\0\0"..., 4096, 8192)   = 4096
--- SIGCHLD {si_signo=SIGCHLD} ---
pwrite64(4, "write(1, "..., 104, 40) = 104
write(10, "x", 1) = 1
fdatasync(4)                            = 0
write(1, "{\"reply\":\"ran\""..., 55)    = 55
exit_group(0)                           = ?
+++ exited with 0 +++
"#;
        let windows = between_replies(text);
        assert_eq!(windows.len(), 2);
        assert_eq!(windows[0], Calls::from([("execve".to_owned(), 1)]));
        let expected = [("read", 1), ("pwrite", 2), ("write", 1), ("fdatasync", 1)];
        let expected = expected.map(|(kind, count)| (kind.to_owned(), count));
        assert_eq!(windows[1], Calls::from(expected));
    }

    #[test]
    fn writes_to_a_synced_descriptor_are_told_apart() {
        let text = br#"openat(AT_FDCWD, ""..., O_RDWR|O_CREAT|O_CLOEXEC, 0600) = 4
openat(AT_FDCWD, ""..., O_RDWR|O_DSYNC|O_CLOEXEC) = 6
pwrite64(4, ""..., 4096, 8192) = 4096
pwrite64(6, ""..., 104, 40) = 104
close(6) = 0
pwrite64(6, ""..., 104, 40) = 104
write(1, ""..., 5) = 5
"#;
        let windows = between_replies(text);
        assert_eq!(windows[0].get("pwrite"), Some(&2));
        assert_eq!(windows[0].get(SYNCED_WRITE), Some(&1));
    }

    #[test]
    fn what_is_done_once_cancels() {
        let calls = |numbers: [(&str, u64); 2]| -> Calls {
            numbers.map(|(kind, count)| (kind.to_owned(), count)).into()
        };
        let once = calls([("read", 1), ("pwrite", 24)]);
        let twice = calls([("read", 1), ("pwrite", 48)]);
        let per = difference(&once, &twice, 12);
        assert_eq!(per, BTreeMap::from([("pwrite".to_owned(), 2.0)]));
        assert_eq!(difference(&Calls::new(), &Calls::new(), 12), BTreeMap::new());
    }
}
