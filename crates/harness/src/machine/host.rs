//! Host, system, processor and file system, as far as they can be found out. What cannot is
//! "unknown": never an error, never a guess.

use std::fs;
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use records::host::Host;

pub fn observe() -> Host {
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let governor = "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor";
    Host {
        name: host_name(),
        system: system(),
        cpu: cpu(&cpuinfo).unwrap_or_else(|| format!("unknown {}", std::env::consts::ARCH)),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        virtual_machine: virtual_machine(&cpuinfo),
        governor: fs::read_to_string(governor).ok().map(|text| text.trim().to_owned()),
        rustc: env!("HARNESS_RUSTC").to_owned(),
        target: env!("HARNESS_TARGET").to_owned(),
        rustflags: env!("HARNESS_RUSTFLAGS").to_owned(),
    }
}

#[cfg(unix)]
fn host_name() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

#[cfg(not(unix))]
fn host_name() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_else(|_| "unknown".to_owned())
}

#[cfg(unix)]
fn system() -> String {
    let uname = rustix::system::uname();
    let names = [uname.sysname(), uname.release()].map(|name| name.to_string_lossy());
    let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let name = pretty_name(&release).map_or(String::new(), |name| format!("{name}, "));
    name + &names.join(" ")
}

#[cfg(not(unix))]
fn system() -> String {
    std::env::consts::OS.to_owned()
}

/// The value of `PRETTY_NAME` in an `os-release` file (freedesktop.org, `os-release(5)`).
#[cfg(unix)]
fn pretty_name(release: &str) -> Option<String> {
    let value = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="))?;
    Some(value.trim_matches(['"', '\'']).to_owned())
}

fn cpu(cpuinfo: &str) -> Option<String> {
    let line = cpuinfo.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// Whether the processor says that it is a virtual machine's (x86's "hypervisor" flag).
fn virtual_machine(cpuinfo: &str) -> Option<bool> {
    let flags = cpuinfo.lines().find(|line| line.starts_with("flags"))?;
    Some(flags.split_whitespace().any(|flag| flag == "hypervisor"))
}

/// The type of the file system that `directory` is on, as Linux's mount table names it (`ext4`,
/// `tmpfs`, ...); "unknown" elsewhere.
pub fn file_system(directory: &Path) -> String {
    let Ok(directory) = directory.canonicalize() else { return "unknown".to_owned() };
    let table = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    file_system_in(&table, &directory).unwrap_or("unknown").to_owned()
}

/// How long it takes in `directory` to write a page and wait until it is on the disk, in nanoseconds: the
/// median of a few times; `None` where that is not possible.
pub fn sync_ns(directory: &Path) -> Option<f64> {
    /// Enough for a median. Fewer where one takes longer than any disk without moving parts.
    const TIMES: usize = 9;
    const LONG: Duration = Duration::from_millis(20);
    let mut file = tempfile::tempfile_in(directory).ok()?;
    let mut times = Vec::new();
    for number in 0..TIMES {
        file.seek(SeekFrom::Start(0)).ok()?;
        let start = Instant::now();
        file.write_all(&[number as u8; 4096]).and_then(|()| file.sync_data()).ok()?;
        times.push(start.elapsed());
        if times[number] > LONG {
            break;
        }
    }
    times.sort();
    Some(times[times.len() / 2].as_nanos() as f64)
}

/// How many bytes the file system of `directory` has left for this user; `None` where that cannot
/// be found out.
pub fn bytes_left(directory: &Path) -> Option<u64> {
    #[cfg(unix)]
    let left =
        rustix::fs::statvfs(directory).ok().map(|it| it.f_bavail.saturating_mul(it.f_frsize));
    #[cfg(not(unix))]
    let (left, _) = (None, directory);
    left
}

/// The type of the last mounted file system among those with the longest mount point above
/// `directory` (`proc_pid_mountinfo(5)`).
fn file_system_in<'table>(table: &'table str, directory: &Path) -> Option<&'table str> {
    let mounts = table.lines().filter_map(|line| {
        let (mount, options) = line.split_once(" - ")?;
        // Spaces in a mount point are written as \040.
        let point = mount.split(' ').nth(4)?.replace("\\040", " ");
        let kind = options.split(' ').next()?;
        directory.starts_with(&point).then_some((point.len(), kind))
    });
    mounts.max_by_key(|(length, _)| *length).map(|(_, kind)| kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_mount_point_wins_and_the_last_of_equals() {
        let table = "\
            1 0 8:1 / / rw shared:1 - ext4 /dev/root rw\n\
            2 1 0:2 / /scratch rw - ext4 /dev/sdb rw\n\
            3 1 0:3 / /scratch rw - tmpfs tmpfs rw\n\
            4 1 0:4 / /with\\040space rw - xfs /dev/sdc rw\n";
        let kind = |path: &str| file_system_in(table, Path::new(path));
        assert_eq!(kind("/scratch/a"), Some("tmpfs"));
        assert_eq!(kind("/scratchy"), Some("ext4"));
        assert_eq!(kind("/with space/b"), Some("xfs"));
        assert_eq!(file_system_in("nonsense", Path::new("/")), None);
    }

    #[test]
    fn the_processor_is_read_from_its_description() {
        let text = "processor\t: 0\nmodel name\t: Some CPU\nflags\t\t: fpu hypervisor\n";
        assert_eq!(cpu(text).as_deref(), Some("Some CPU"));
        assert_eq!(virtual_machine(text), Some(true));
        assert_eq!(cpu("").as_deref(), None);
        assert_eq!(virtual_machine(""), None);
    }

    #[cfg(unix)]
    #[test]
    fn the_system_is_named() {
        assert_eq!(pretty_name("A=1\nPRETTY_NAME=\"Some OS\"\n").as_deref(), Some("Some OS"));
    }
}
