//! A file system to which nobody can write, as of an image or a snapshot.

use write_backend::Probe;

use crate::case::Case;
use crate::directory::{Directory, Mount, Role};
use crate::outcome::{Answer, Outcome};
use crate::steps::{KEY, VALUE, open, options, put_and_commit};

pub(crate) fn cases<B: Probe>() -> Vec<Case> {
    vec![
        Case::new(
            "read-only-file-system/write",
            "An environment on a read-only file system, opened for writing.",
            |directory| {
                environment::<B>(directory)?;
                in_read_only_file_system(directory, Role::OpenAndPut)
            },
        ),
        Case::new(
            "read-only-file-system/read",
            "The same, opened for reading: LMDB does without its lock file.",
            |directory| {
                environment::<B>(directory)?;
                in_read_only_file_system(directory, Role::OpenAndRead)
            },
        ),
        Case::new(
            "read-only-file-system/no-environment",
            "An empty directory on a read-only file system, opened for reading.",
            |directory| in_read_only_file_system(directory, Role::OpenAndRead),
        ),
    ]
}

fn environment<B: Probe>(directory: &Directory) -> Result<(), Outcome> {
    let backend = open::<B>(directory.path(), &options())?;
    Ok(put_and_commit(&backend, &[(KEY, VALUE)])?)
}

/// Lets another process, which alone sees it so, use this directory as one that cannot be written.
fn in_read_only_file_system(directory: &Directory, role: Role) -> Answer {
    directory.partner_with_mount(Mount::ReadOnly, role)?.outcome("open")
}
