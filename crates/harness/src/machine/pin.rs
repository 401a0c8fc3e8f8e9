//! Binding processes to one core. Linux only: elsewhere nothing is bound, [`choose_core`] returns
//! `None`, and the harness says so in its output. What is lost is protection from the scheduler: two
//! workers on different cores were seen to differ by 4 % without any reason of their own.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Core(pub usize);

#[cfg(target_os = "linux")]
pub use linux::{bind_process, choose_core, disturbances, leave_core};

#[cfg(target_os = "linux")]
mod linux {
    use std::fs;
    use std::path::Path;

    use rustix::process::Pid;
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    use super::Core;

    fn allowed() -> Vec<usize> {
        let Ok(set) = sched_getaffinity(None) else { return Vec::new() };
        (0..CpuSet::MAX_CPU).filter(|core| set.is_set(*core)).collect()
    }

    fn set(cores: &[usize]) -> CpuSet {
        let mut set = CpuSet::new();
        for core in cores {
            set.set(*core);
        }
        set
    }

    /// The core to bind workers to: `asked`, or the last one of the fastest kind, since interrupts and the
    /// system's own work tend to sit on the first.
    ///
    /// # Errors
    /// When this process may not use the one that is asked for.
    pub fn choose_core(asked: Option<usize>) -> Result<Option<Core>, String> {
        let allowed = allowed();
        match asked {
            Some(core) if !allowed.contains(&core) => {
                let cores: Vec<String> = allowed.iter().map(usize::to_string).collect();
                Err(format!("--core {core}: this process may use {}", cores.join(", ")))
            }
            Some(core) => Ok(Some(Core(core))),
            None => Ok(fastest(&allowed, speed).map(Core)),
        }
    }

    /// The last of those that nobody is faster than.
    pub(super) fn fastest(cores: &[usize], speed: impl Fn(usize) -> u64) -> Option<usize> {
        cores.iter().copied().max_by_key(|core| speed(*core))
    }

    /// What tells kinds of cores apart, larger for faster: the kernel's measure of them, or the highest
    /// frequency in kHz. The same for all where the system says neither.
    fn speed(core: usize) -> u64 {
        let files = ["cpu_capacity", "cpufreq/cpuinfo_max_freq"];
        let read = |file| fs::read_to_string(format!("/sys/devices/system/cpu/cpu{core}/{file}"));
        files.into_iter().find_map(|file| read(file).ok()?.trim().parse().ok()).unwrap_or(0)
    }

    /// What may disturb the times of workers on one core that no calibration knows: sentences.
    pub fn disturbances() -> Vec<String> {
        let alone = (allowed().len() == 1)
            .then(|| "Harness and workers share the one core that this process may use".to_owned());
        let quota = quota(Path::new("/sys/fs/cgroup"), &read("/proc/self/cgroup"));
        let quota = quota.map(|cores| format!("A CPU quota of {cores} cores pauses the run"));
        alone.into_iter().chain(quota).collect()
    }

    fn read(path: impl AsRef<Path>) -> String {
        fs::read_to_string(path).unwrap_or_default()
    }

    /// The smallest quota in cores of the groups that `groups` names, below `top`: `cpu.max` of control groups
    /// version 2, `cpu.cfs_*` of version 1 (the kernel's `cgroup-v2.rst`, `sched-bwc.rst`).
    pub(super) fn quota(top: &Path, groups: &str) -> Option<f64> {
        let part = |quota: &str, period: &str| {
            let [quota, period]: [Option<f64>; 2] =
                [quota, period].map(|it| it.trim().parse().ok());
            quota.filter(|quota| *quota > 0.0).zip(period).map(|(quota, period)| quota / period)
        };
        let of = |directory: &Path| {
            let max = read(directory.join("cpu.max"));
            let [quota, period] =
                ["quota", "period"].map(|it| read(directory.join(format!("cpu.cfs_{it}_us"))));
            max.trim()
                .split_once(' ')
                .and_then(|(quota, period)| part(quota, period))
                .or_else(|| part(&quota, &period))
        };
        let paths = groups.lines().filter_map(|line| {
            let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
            let has_cpu = controllers.split(',').any(|it| it == "cpu");
            (controllers.is_empty() || has_cpu).then(|| {
                top.join(if has_cpu { "cpu" } else { "" }).join(path.trim_start_matches('/'))
            })
        });
        let all = paths.flat_map(|path| {
            let above: Vec<_> =
                path.ancestors().take_while(|it| it.starts_with(top)).map(of).collect();
            above.into_iter().flatten()
        });
        all.min_by(f64::total_cmp)
    }

    /// Binds the process `pid` and what it starts later to `core`.
    pub fn bind_process(pid: u32, core: Core) {
        let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) else { return };
        // Fails only when the process has ended, which its next request will show.
        let _ = sched_setaffinity(Some(pid), &set(&[core.0]));
    }

    /// Keeps the calling thread, and those that it starts later, off `core`, if there is another one.
    pub fn leave_core(core: Core) {
        let others: Vec<usize> = allowed().into_iter().filter(|other| *other != core.0).collect();
        if !others.is_empty() {
            // Without it the harness still works, only less quietly.
            let _ = sched_setaffinity(None, &set(&others));
        }
    }
}

#[cfg(not(target_os = "linux"))]
pub fn choose_core(asked: Option<usize>) -> Result<Option<Core>, String> {
    match asked {
        Some(core) => Err(format!("--core {core}: processes are bound to cores on Linux only")),
        None => Ok(None),
    }
}

#[cfg(not(target_os = "linux"))]
pub fn disturbances() -> Vec<String> {
    Vec::new()
}

#[cfg(not(target_os = "linux"))]
pub fn bind_process(_pid: u32, _core: Core) {}

#[cfg(not(target_os = "linux"))]
pub fn leave_core(_core: Core) {}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::linux::{fastest, quota};
    use super::*;

    #[test]
    fn the_last_core_of_the_fastest_kind_is_chosen_or_the_one_asked_for() {
        assert_eq!(fastest(&[0, 1, 2, 3], |_| 7), Some(3));
        assert_eq!(fastest(&[0, 1, 2, 3], |core| if core < 2 { 5_000 } else { 3_000 }), Some(1));
        assert_eq!(fastest(&[], |_| 7), None);
        let Some(core) = choose_core(None).unwrap() else { panic!("no core") };
        assert_eq!(choose_core(Some(core.0)), Ok(Some(core)));
        assert!(choose_core(Some(1_000_000)).unwrap_err().contains("this process may use "));
    }

    #[test]
    fn the_smallest_quota_counts() {
        let top = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = top.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("a/b/cpu.max", "max 100000\n");
        assert_eq!(quota(top.path(), "0::/a/b\n"), None);
        write("a/cpu.max", "150000 100000\n");
        assert_eq!(quota(top.path(), "0::/a/b\n"), Some(1.5));
        write("cpu/c/cpu.cfs_quota_us", "50000\n");
        write("cpu/c/cpu.cfs_period_us", "100000\n");
        assert_eq!(quota(top.path(), "4:cpu,cpuacct:/c\n0::/a/b\n"), Some(0.5));
        write("cpu/c/cpu.cfs_quota_us", "-1\n");
        assert_eq!(quota(top.path(), "4:cpu,cpuacct:/c\n"), None);
    }
}
