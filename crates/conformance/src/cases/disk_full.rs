//! A file system without room for more.

use crate::case::Case;
use crate::directory::{Directory, Mount, Role};
use crate::outcome::Answer;

pub(crate) fn cases() -> Vec<Case> {
    vec![
        Case::new("disk-full/commit", "The file system is full before the map is.", |directory| {
            in_small_file_system(directory, Role::FillDisk)
        }),
        Case::new(
            "disk-full/writable-map",
            "The same with a writable map, whose file has its full length from the start, but \
             not its blocks.",
            |directory| in_small_file_system(directory, Role::FillDiskThroughMap),
        ),
    ]
}

/// Lets another process fill a small file system that exists for it alone.
fn in_small_file_system(directory: &Directory, role: Role) -> Answer {
    let mut partner = directory.partner_with_mount(Mount::Small, role)?;
    partner.outcome("put and commit in a full file system")
}
