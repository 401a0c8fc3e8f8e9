//! Directories and files that this user may not write or read.

use std::fs::{self, File};
use std::path::Path;

use super::prelude::*;
use crate::expected::Expectation;
use crate::partner::Partner;

const DENIED: Expectation = Refused(Open, Io(IoKind::PermissionDenied), NAMES_PATH);

cases! {
    "permissions/directory-not-writable": "A directory in which this user may not create files.",
        |at| opened(at, Role::OpenAndPut, 0o555, None) => DENIED;
    "permissions/directory-not-readable": "A directory that this user may not enter.",
        |at| opened(at, Role::OpenAndPut, 0o000, None) => DENIED;
    "permissions/data-not-writable": "An environment whose data file this user may only read.",
        |at| opened(at, Role::OpenAndPut, 0o777, Some([0o444, 0o666])) => DENIED;
    "permissions/data-not-readable": "An environment whose data file this user may not even read.",
        |at| opened(at, Role::OpenAndPut, 0o777, Some([0o000, 0o666])) => DENIED;
    "permissions/read-only": "An environment that this user may only read, opened for reading.",
        |at| opened(at, Role::OpenAndRead, 0o555, Some([0o444, 0o444])) => DENIED;
    "permissions/read-only-but-for-the-lock":
        "The same, and the lock file may be written: LMDB registers its readers there.",
        |at| opened(at, Role::OpenAndRead, 0o555, Some([0o444, 0o666])) => Done(ALL_THERE);
    "permissions/lock-not-writable": "An environment whose lock file this user may only read.",
        |at| opened(at, Role::OpenAndPut, 0o777, Some([0o666, 0o444])) => DENIED;
}

/// Lets another process open a directory with this mode: as this user if permission bits bind it, else as
/// an unprivileged one. With the modes of `files`, data file and lock file, an environment is there.
fn opened<B: Probe>(at: &Place<B>, role: Role, mode: u32, files: Option<[u32; 2]>) -> Answer {
    let inner = at.sub("inner")?;
    if let Some([data, lock]) = files {
        drop(inner.filled(&[(KEY, VALUE)])?);
        set_mode(&inner.data_file(), data)?;
        set_mode(&inner.lock_file(), lock)?;
    }
    set_mode(inner.path(), mode)?;
    let partner = if bits_bind(at)? { inner.partner(role) } else { unprivileged(at, &inner, role) };
    let answer = partner.and_then(|mut partner| partner.outcome("open"));
    // So that the directory can be removed.
    set_mode(inner.path(), 0o755)?;
    answer
}

/// Whether a file without any permission bit is closed to this process.
fn bits_bind<B>(at: &Place<B>) -> Result<bool, Outcome> {
    let path = at.path().join("closed");
    fs::write(&path, "")?;
    set_mode(&path, 0)?;
    Ok(File::open(&path).is_err())
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) -> Result<(), Outcome> {
    use std::os::unix::fs::PermissionsExt as _;
    Ok(fs::set_permissions(path, fs::Permissions::from_mode(mode))?)
}

#[cfg(unix)]
fn unprivileged<B>(at: &Place<B>, inner: &Place<B>, role: Role) -> Result<Partner, Outcome> {
    /// `nobody` on most systems. That the user has no name elsewhere does not matter.
    const UNPRIVILEGED: u32 = 65_534;
    // The way to the directory must not be what stops the other user.
    set_mode(at.path(), 0o755)?;
    inner.partner_as(role, UNPRIVILEGED).map_err(|error| {
        Outcome::not_checked(format!(
            "an unprivileged user cannot run this program ({error}): use a target directory that \
             everybody can read"
        ))
    })
}

#[cfg(not(unix))]
fn set_mode(_: &Path, _: u32) -> Result<(), Outcome> {
    Err(Outcome::not_checked("there are no permission bits here"))
}

#[cfg(not(unix))]
fn unprivileged<B>(_: &Place<B>, inner: &Place<B>, role: Role) -> Result<Partner, Outcome> {
    inner.partner(role)
}
