//! Directories and files that this user may not write or read.

use crate::case::Case;
use write_backend::Probe;

/// Permission bits are checked on Unix systems only.
#[cfg(not(unix))]
pub(crate) fn cases<B: Probe>() -> Vec<Case> {
    Vec::new()
}

#[cfg(unix)]
pub(crate) use unix::cases;

#[cfg(unix)]
mod unix {
    use std::fs::{self, File, Permissions};
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::Path;

    use super::{Case, Probe};
    use crate::directory::{Directory, Role};
    use crate::outcome::{Answer, Outcome};
    use crate::steps::{KEY, VALUE, open, options, put_and_commit};

    /// `nobody` on most systems. That the user has no name elsewhere does not matter.
    const UNPRIVILEGED: u32 = 65_534;

    pub(crate) fn cases<B: Probe>() -> Vec<Case> {
        vec![
            Case::new(
                "permissions/directory-not-writable",
                "A directory in which this user may not create files.",
                |directory| with_modes(directory, 0o555, |_| Ok(())),
            ),
            Case::new(
                "permissions/directory-not-readable",
                "A directory that this user may not enter.",
                |directory| with_modes(directory, 0o000, |_| Ok(())),
            ),
            Case::new(
                "permissions/data-not-writable",
                "An environment whose data file this user may only read.",
                |directory| {
                    with_modes(directory, 0o777, |inner| {
                        environment::<B>(inner)?;
                        set_mode(&inner.data_file(), 0o444)?;
                        set_mode(&inner.lock_file(), 0o666)
                    })
                },
            ),
            Case::new(
                "permissions/data-not-readable",
                "An environment whose data file this user may not even read.",
                |directory| {
                    with_modes(directory, 0o777, |inner| {
                        environment::<B>(inner)?;
                        set_mode(&inner.data_file(), 0o000)?;
                        set_mode(&inner.lock_file(), 0o666)
                    })
                },
            ),
            Case::new(
                "permissions/read-only",
                "An environment that this user may only read, opened for reading.",
                |directory| read_only::<B>(directory, 0o444),
            ),
            Case::new(
                "permissions/read-only-but-for-the-lock",
                "The same, and the lock file may be written: LMDB registers its readers there.",
                |directory| read_only::<B>(directory, 0o666),
            ),
            Case::new(
                "permissions/lock-not-writable",
                "An environment whose lock file this user may only read.",
                |directory| {
                    with_modes(directory, 0o777, |inner| {
                        environment::<B>(inner)?;
                        set_mode(&inner.data_file(), 0o666)?;
                        set_mode(&inner.lock_file(), 0o444)
                    })
                },
            ),
        ]
    }

    /// An environment of which `lock` are the permission bits of the lock file and everything else may
    /// only be read, opened for reading.
    fn read_only<B: Probe>(directory: &Directory, lock: u32) -> Answer {
        let prepare = |inner: &Directory| {
            environment::<B>(inner)?;
            set_mode(&inner.data_file(), 0o444)
        };
        with_modes_as(Role::OpenAndRead, directory, 0o555, |inner| {
            prepare(inner)?;
            set_mode(&inner.lock_file(), lock)
        })
    }

    fn environment<B: Probe>(directory: &Directory) -> Result<(), Outcome> {
        let backend = open::<B>(directory.path(), &options())?;
        Ok(put_and_commit(&backend, &[(KEY, VALUE)])?)
    }

    fn set_mode(path: &Path, mode: u32) -> Result<(), Outcome> {
        Ok(fs::set_permissions(path, Permissions::from_mode(mode))?)
    }

    /// Lets another process open the directory `inner` after `prepare` and with `mode`: as this
    /// user if permission bits bind it, else as an unprivileged one.
    fn with_modes(
        directory: &Directory,
        mode: u32,
        prepare: fn(&Directory) -> Result<(), Outcome>,
    ) -> Answer {
        with_modes_as(Role::OpenAndPut, directory, mode, prepare)
    }

    /// The same with what the other process does.
    fn with_modes_as(
        role: Role,
        directory: &Directory,
        mode: u32,
        prepare: impl FnOnce(&Directory) -> Result<(), Outcome>,
    ) -> Answer {
        let inner = directory.sub("inner")?;
        prepare(&inner)?;
        set_mode(inner.path(), mode)?;
        let partner = if bits_bind(directory)? {
            inner.partner(role)
        } else {
            // The way to the directory must not be what stops the other user.
            set_mode(directory.path(), 0o755)?;
            inner.partner_as(role, UNPRIVILEGED).map_err(|error| {
                Outcome::not_checked(format!(
                    "an unprivileged user cannot run this program ({error}): use a target \
                     directory that everybody can read"
                ))
            })
        };
        let answer = partner.and_then(|mut partner| partner.outcome("open"));
        // So that the directory can be removed.
        set_mode(inner.path(), 0o755)?;
        answer
    }

    /// Whether a file without any permission bit is closed to this process.
    fn bits_bind(directory: &Directory) -> Result<bool, Outcome> {
        let path = directory.path().join("closed");
        fs::write(&path, "")?;
        set_mode(&path, 0)?;
        Ok(File::open(&path).is_err())
    }
}
