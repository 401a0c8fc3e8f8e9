//! Environments that are opened for reading only, and a file system to which nobody can write, as of an
//! image or a snapshot.

use super::prelude::*;

cases! {
    "read-only/write": "A write transaction where only reading is asked for.",
        |at| {
            drop(at.filled(&[(KEY, VALUE)])?);
            let backend = at.open_with(READ_ONLY)?;
            must_hold(&backend, &[(KEY, VALUE)])?;
            step("begin a write transaction");
            let error = must_fail(backend.begin(), "a write transaction was begun")?;
            must_hold(&backend, &[(KEY, VALUE)])?;
            refused(&error, "reading works")
        } => Refused(Begin, Io(IoKind::PermissionDenied), "reading works");
    "read-only/no-environment": "An empty directory: nothing is created.",
        missing => Refused(Open, Io(IoKind::NotFound), NAMES_PATH);
    "read-only/no-database": "A named database that does not exist.",
        |at| {
            drop(at.filled(&[(KEY, VALUE)])?);
            missing(&at.with(named("name", 1)))
        } => Refused(OpenDatabase, NotFound, NAMES_PATH);
    "read-only/beside-a-writer": "The same directory is open for writing in another process.",
        |at| {
            let _partner = at.partner_that(Role::HoldEnvironment, "committed")?;
            must_hold(&at.open_with(READ_ONLY)?, &[(KEY, VALUE)])?;
            done(ALL_THERE)
        } => Done(ALL_THERE);
    "read-only-file-system/write":
        "An environment on a read-only file system, opened for writing.",
        |at| {
            drop(at.filled(&[(KEY, VALUE)])?);
            in_read_only_file_system(at, Role::OpenAndPut)
        } => Refused(Open, Io(IoKind::ReadOnlyFilesystem), NAMES_PATH);
    "read-only-file-system/read":
        "The same, opened for reading: LMDB does without its lock file.",
        |at| {
            drop(at.filled(&[(KEY, VALUE)])?);
            in_read_only_file_system(at, Role::OpenAndRead)
        } => Done(ALL_THERE);
    "read-only-file-system/no-environment":
        "An empty directory on a read-only file system, opened for reading.",
        |at| in_read_only_file_system(at, Role::OpenAndRead)
            => Refused(Open, Io(IoKind::NotFound), NAMES_PATH);
}

fn missing<B: Probe>(at: &Place<B>) -> Answer {
    step("open for reading");
    let opened = at.open_with(READ_ONLY);
    refused_path(&must_fail(opened, "the environment was opened")?, at.path())
}

/// Lets another process, which alone sees it so, use this directory as one that cannot be written.
fn in_read_only_file_system<B>(at: &Place<B>, role: Role) -> Answer {
    at.partner_with_mount(Mount::ReadOnly, role)?.outcome("open")
}
