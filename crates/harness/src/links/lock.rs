//! Who uses a directory: shared by those who do, alone for the one who removes from it. `flock(2)`,
//! which the system takes back when a process ends, however it ends.

use std::fs::File;
use std::path::Path;
use std::time::Duration;

use crate::links::error::LinkError;

/// A share of a directory.
#[derive(Debug)]
pub(super) struct Lock(File);

/// The directory to oneself, until it is dropped.
#[derive(Debug)]
pub(super) struct Alone<'a>(&'a File);

impl Lock {
    /// Takes a share of what `file` stands for; waits for one who has it alone.
    pub(super) fn shared(file: &Path) -> Result<Self, LinkError> {
        let failed = |error| LinkError::file(file, error);
        let file = File::options().create(true).append(true).open(file).map_err(failed)?;
        system::share(&file).map_err(failed)?;
        Ok(Self(file))
    }

    /// All of it; `None` where somebody else has a share.
    pub(super) fn alone(&self) -> Option<Alone<'_>> {
        // A program that is being started has all open files of its parent, for a moment.
        for _ in 0..10 {
            if system::all(&self.0) {
                return Some(Alone(&self.0));
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        // The system may have dropped the share before it found that it cannot have all.
        let _ = system::share(&self.0);
        None
    }
}

impl Drop for Alone<'_> {
    fn drop(&mut self) {
        // The file is open, and waiting for nobody cannot fail.
        let _ = system::share(self.0);
    }
}

#[cfg(unix)]
mod system {
    use std::fs::File;
    use std::io;

    use rustix::fs::{FlockOperation, flock};

    pub(super) fn share(file: &File) -> io::Result<()> {
        Ok(flock(file, FlockOperation::LockShared)?)
    }

    pub(super) fn all(file: &File) -> bool {
        flock(file, FlockOperation::NonBlockingLockExclusive).is_ok()
    }
}

/// A store is refused here, so that there is nothing to lock.
#[cfg(not(unix))]
mod system {
    use std::fs::File;
    use std::io;

    pub(super) fn share(_file: &File) -> io::Result<()> {
        Ok(())
    }

    pub(super) fn all(_file: &File) -> bool {
        true
    }
}
