//! A file system without room for more.

use super::prelude::*;

cases! {
    "disk-full/commit": "The file system is full before the map is.",
        |at| in_small_file_system(at, Role::FillDisk) => Refused(
            Commit, Io(IoKind::StorageFull), "all that was committed before is there"
        );
    "disk-full/writable-map":
        "The same with a writable map, whose file has its full length from the start, but \
         not its blocks.",
        |at| in_small_file_system(at, Role::FillDiskThroughMap)
            => Crashes("put and commit in a full file system");
}

/// Lets another process fill a small file system that exists for it alone.
fn in_small_file_system<B>(at: &Place<B>, role: Role) -> Answer {
    at.partner_with_mount(Mount::Small, role)?.outcome("put and commit in a full file system")
}
