//! What this process has from the one that started it. Linux only: elsewhere no signal counts as ignored, a
//! bench begins when it begins, and goes on when cargo alone is ended.

use std::time::SystemTime;

/// The signals that were ignored at the start of this program, a bit for each: the lowest is signal 1.
pub fn ignored_signals() -> u64 {
    ignored().unwrap_or(0)
}

/// When the run began that this program is a part of: with cargo, which may have started others for it
/// before, so that all of them have one day. Now where something else has started this program.
pub fn run_started() -> SystemTime {
    cargo_started().unwrap_or_else(SystemTime::now)
}

#[cfg(target_os = "linux")]
pub use linux::end_with_cargo;
#[cfg(target_os = "linux")]
use linux::{cargo_started, ignored};

#[cfg(target_os = "linux")]
mod linux {
    use std::fs;
    use std::time::{Duration, SystemTime, UNIX_EPOCH};

    use rustix::process::{Pid, Signal, getppid, set_parent_process_death_signal};

    /// `SigIgn` of `proc_pid_status(5)`.
    pub(super) fn ignored() -> Option<u64> {
        let status = fs::read_to_string("/proc/self/status").ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
        u64::from_str_radix(line.trim(), 16).ok()
    }

    fn cargo() -> Option<Pid> {
        let parent = getppid()?;
        let name = fs::read_to_string(format!("/proc/{}/comm", parent.as_raw_nonzero())).ok()?;
        (name.trim_end() == "cargo").then_some(parent)
    }

    /// `starttime` of `proc_pid_stat(5)`, after the start of the system: `btime` of `proc_stat(5)`.
    pub(super) fn cargo_started() -> Option<SystemTime> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", cargo()?.as_raw_nonzero())).ok()?;
        // The name in brackets may hold spaces. It is followed by the third field, and this is the 22nd.
        let ticks: u64 = stat.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()?;
        let system = fs::read_to_string("/proc/stat").ok()?;
        let boot = system.lines().find_map(|line| line.strip_prefix("btime "))?.parse().ok()?;
        let seconds = ticks / rustix::param::clock_ticks_per_second();
        Some(UNIX_EPOCH + Duration::from_secs(boot) + Duration::from_secs(seconds))
    }

    /// Lets the system send SIGTERM to this process when the cargo that started it ends before it does: a
    /// signal to cargo alone is meant for the run.
    pub fn end_with_cargo() {
        if cargo().is_some() {
            // Without it the run goes on to its end.
            let _ = set_parent_process_death_signal(Some(Signal::TERM));
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn ignored() -> Option<u64> {
    None
}

#[cfg(not(target_os = "linux"))]
fn cargo_started() -> Option<SystemTime> {
    None
}

#[cfg(not(target_os = "linux"))]
pub fn end_with_cargo() {}
