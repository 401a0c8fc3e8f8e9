//! Files that say whether a process lives: locked (`flock(2)`) from the moment they are made to its end, however
//! it ends. Who looks locks a file of somebody else, never his own: a program that is being started has all
//! open files of its parent for a moment, so that a lock may be held a little longer than by its process.

use std::fs::File;
use std::io;
use std::path::Path;

/// A file that is locked until this is dropped.
#[derive(Debug)]
pub struct Alive(#[expect(dead_code, reason = "it is open, and so locked")] File);

impl Alive {
    /// Makes and locks the file at `path`; waits while somebody else has it.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn at(path: &Path) -> io::Result<Self> {
        let file = File::options().create(true).append(true).open(path)?;
        system::lock(&file)?;
        Ok(Self(file))
    }

    /// Whether nobody holds the file at `path`.
    ///
    /// # Errors
    /// When it is not there or cannot be opened.
    pub fn is_dead(path: &Path) -> io::Result<bool> {
        Ok(system::is_free(&File::options().append(true).open(path)?))
    }
}

#[cfg(unix)]
mod system {
    use std::fs::File;
    use std::io;

    use rustix::fs::{FlockOperation, flock};

    pub(super) fn lock(file: &File) -> io::Result<()> {
        Ok(flock(file, FlockOperation::LockExclusive)?)
    }

    pub(super) fn is_free(file: &File) -> bool {
        flock(file, FlockOperation::NonBlockingLockExclusive).is_ok()
    }
}

/// Nothing is locked, and everybody lives.
#[cfg(not(unix))]
mod system {
    use std::fs::File;
    use std::io;

    pub(super) fn lock(_file: &File) -> io::Result<()> {
        Ok(())
    }

    pub(super) fn is_free(_file: &File) -> bool {
        false
    }
}
