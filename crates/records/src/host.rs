//! Where something was measured, and how the engines in it were built.

use serde::{Deserialize, Serialize};

/// Where something was measured, and with which compiler.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Host {
    /// The machine's name.
    pub name: String,
    /// The operating system and its kernel.
    pub system: String,
    /// The processor's name.
    pub cpu: String,
    /// How many processors this process may use.
    pub cores: usize,
    /// Whether the system runs in a virtual machine, where that can be seen.
    pub virtual_machine: Option<bool>,
    /// The frequency governor of the first core, where there is one.
    pub governor: Option<String>,
    /// The Rust compiler.
    pub rustc: String,
    /// The target triple.
    pub target: String,
    /// The flags that the Rust compiler was given.
    pub rustflags: String,
}

/// How an engine was built, read from the program that holds it. A field that the file does not show
/// (other formats than ELF, stripped files) is `None`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineBuild {
    /// Whether LMDB is part of the program (`true`) or a library of the system (`false`).
    pub bundled: Option<bool>,
    /// Whether LMDB's internal assertions were compiled in: without `NDEBUG` they are.
    pub assertions: Option<bool>,
    /// The C compiler's optimisation switch, for example `-O2`.
    pub optimisation: Option<String>,
    /// The C compiler's name and version.
    pub compiler: Option<String>,
    /// Its switches that a build as shipped does not have, for example `-march=native`; `None` where
    /// there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub switches: Option<String>,
}

/// No disk answers sooner, in nanoseconds: the fastest ones with a memory of their own that outlives a power
/// cut take about twice as long for a page.
const FASTEST_DISK_NS: f64 = 10_000.0;

/// Where files of this file system stay if syncing costs nothing there: in memory, by its type or since a
/// sync takes `sync_ns`.
#[must_use]
pub fn without_disk(file_system: &str, sync_ns: Option<f64>) -> Option<String> {
    if matches!(file_system, "tmpfs" | "ramfs" | "devtmpfs") {
        return Some(file_system.to_owned());
    }
    let sync_ns = sync_ns.filter(|it| *it < FASTEST_DISK_NS)?;
    Some(format!(
        "{file_system} that answers a sync after {:.1} us, as no disk does",
        sync_ns / 1000.0
    ))
}
