//! Why a program has no link orders. It is then measured in the order that the build gave it, and the
//! others go on: every message says so.

use std::io;
use std::path::PathBuf;

/// What is lost, at the end of every message about one program.
const LOST: &str =
    "it is measured in one fixed link order, and what its numbers say holds for that one build";

/// Why a program cannot be linked in another order.
#[derive(Debug, thiserror::Error)]
pub enum LinkError {
    /// Not an ELF system.
    #[error(
        "link orders can be drawn on ELF systems only (Linux, the BSDs), whose linkers a C compiler \
         calls; here every program is measured in one fixed link order"
    )]
    System,
    /// cargo or the compiler failed.
    #[error("building {binary} failed: {LOST}\n{said}")]
    Build {
        /// The program.
        binary: String,
        /// The end of what cargo said.
        said: String,
    },
    /// rustc did not say how it linked.
    #[error("rustc does not say how it links {binary}: {LOST}")]
    NotPrinted {
        /// The program.
        binary: String,
    },
    /// A linker without such a switch.
    #[error("{linker} has no switch for the order of functions, LLD and mold have: {LOST}")]
    NoSwitch {
        /// What it calls itself.
        linker: String,
    },
    /// A linker that should know the switch.
    #[error("{linker} refuses {switch}: {LOST}\n{said}")]
    Refused {
        /// What it calls itself.
        linker: String,
        /// The switch.
        switch: String,
        /// What it said.
        said: String,
    },
    /// The disk is full.
    #[error("no space is left for link orders in {}: {LOST}", path.display())]
    NoSpace {
        /// The directory.
        path: PathBuf,
    },
    /// The linker failed for another reason.
    #[error("linking {binary} in order {order} failed: {LOST}\n{said}")]
    Failed {
        /// The program.
        binary: String,
        /// The order.
        order: u32,
        /// The end of what it said.
        said: String,
    },
    /// The kept objects are not those that were kept.
    #[error(
        "the objects kept of {binary} have changed since: {LOST}; the next run keeps them anew"
    )]
    Changed {
        /// The program.
        binary: String,
    },
    /// A program that was not found or may not be run.
    #[error("cannot start {program}: {error}; {LOST}")]
    Start {
        /// The program.
        program: String,
        /// The system's reason.
        error: io::Error,
    },
    /// A file or directory of the store.
    #[error("{}: {error}; {LOST}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// The system's reason.
        error: io::Error,
    },
    /// Somebody else uses the store.
    #[error("{} is in use by another run and stays as it is", path.display())]
    InUse {
        /// The store's directory.
        path: PathBuf,
    },
    /// The user asked the program to end.
    #[error("interrupted while linking; nothing half made is kept")]
    Interrupted,
}

impl LinkError {
    /// The error of the system for `path`; a full disk has its own.
    #[must_use]
    pub fn file(path: impl Into<PathBuf>, error: io::Error) -> Self {
        let path = path.into();
        if error.kind() == io::ErrorKind::StorageFull {
            return Self::NoSpace { path };
        }
        Self::File { path, error }
    }
}

/// The last lines of what a program said, enough to see what is wrong.
#[must_use]
pub(super) fn tail(said: &[u8]) -> String {
    const LINES: usize = 10;
    let said = String::from_utf8_lossy(said);
    let lines: Vec<&str> = said.lines().collect();
    lines[lines.len().saturating_sub(LINES)..].join("\n")
}
