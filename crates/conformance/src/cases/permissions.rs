//! Directories and files that this user may not write or read.

use std::fs::{self, File};
use std::path::Path;

use super::prelude::*;
use crate::partner::Partner;

/// What the user may do who opens the environment: permission bits of the directory, the data file and the
/// lock file.
struct Modes {
    directory: u32,
    /// Without, there is no environment.
    files: Option<(u32, u32)>,
}

cases! {
    "permissions/directory-not-writable": "A directory in which this user may not create files.",
        |at| opened(at, Role::OpenAndPut, Modes { directory: 0o555, files: None })
            => Refused(Open, Io(IoKind::PermissionDenied), NAMES_PATH);
    "permissions/directory-not-readable": "A directory that this user may not enter.",
        |at| opened(at, Role::OpenAndPut, Modes { directory: 0o000, files: None })
            => Refused(Open, Io(IoKind::PermissionDenied), NAMES_PATH);
    "permissions/data-not-writable":
        "An environment whose data file this user may only read.",
        |at| {
            let modes = Modes { directory: 0o777, files: Some((0o444, 0o666)) };
            opened(at, Role::OpenAndPut, modes)
        } => Refused(Open, Io(IoKind::PermissionDenied), NAMES_PATH);
    "permissions/data-not-readable":
        "An environment whose data file this user may not even read.",
        |at| {
            let modes = Modes { directory: 0o777, files: Some((0o000, 0o666)) };
            opened(at, Role::OpenAndPut, modes)
        } => Refused(Open, Io(IoKind::PermissionDenied), NAMES_PATH);
    "permissions/read-only": "An environment that this user may only read, opened for reading.",
        |at| {
            let modes = Modes { directory: 0o555, files: Some((0o444, 0o444)) };
            opened(at, Role::OpenAndRead, modes)
        } => Refused(Open, Io(IoKind::PermissionDenied), NAMES_PATH);
    "permissions/read-only-but-for-the-lock":
        "The same, and the lock file may be written: LMDB registers its readers there.",
        |at| {
            let modes = Modes { directory: 0o555, files: Some((0o444, 0o666)) };
            opened(at, Role::OpenAndRead, modes)
        } => Done(ALL_THERE);
    "permissions/lock-not-writable": "An environment whose lock file this user may only read.",
        |at| {
            let modes = Modes { directory: 0o777, files: Some((0o666, 0o444)) };
            opened(at, Role::OpenAndPut, modes)
        } => Refused(Open, Io(IoKind::PermissionDenied), NAMES_PATH);
}

/// Lets another process open a directory with these `modes`: as this user if permission bits bind it, else
/// as an unprivileged one.
fn opened<B: Probe>(at: &Place<B>, role: Role, modes: Modes) -> Answer {
    let inner = at.sub("inner")?;
    if let Some((data, lock)) = modes.files {
        drop(inner.filled(&[(KEY, VALUE)])?);
        set_mode(&inner.data_file(), data)?;
        set_mode(&inner.lock_file(), lock)?;
    }
    set_mode(inner.path(), modes.directory)?;
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
