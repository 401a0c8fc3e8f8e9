//! Binding processes to one core. Linux only: elsewhere nothing is bound, [`choose_core`] returns
//! `None`, and the harness says so in its output. What is lost is protection from the scheduler: two
//! workers on different cores were seen to differ by 4 % without any reason of their own.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Core(pub usize);

#[cfg(target_os = "linux")]
pub use linux::{bind_process, choose_core, leave_core};

#[cfg(target_os = "linux")]
mod linux {
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

    /// The core to bind workers to: the last one, since interrupts and the system's own work tend to sit
    /// on the first.
    pub fn choose_core() -> Option<Core> {
        allowed().last().copied().map(Core)
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
pub fn choose_core() -> Option<Core> {
    None
}

#[cfg(not(target_os = "linux"))]
pub fn bind_process(_pid: u32, _core: Core) {}

#[cfg(not(target_os = "linux"))]
pub fn leave_core(_core: Core) {}
