//! A file system without room for more.

use crate::case::Case;
use crate::directory::{Directory, Role};
use crate::outcome::{Answer, Outcome};

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

/// Lets another process fill a small file system that exists for it alone and goes with it.
fn in_small_file_system(directory: &Directory, role: Role) -> Answer {
    let mut partner = directory.partner_in_small_file_system(role).map_err(|error| {
        Outcome::not_checked(format!("no file system can be made here: {error}"))
    })?;
    if partner.says()? != "ready" {
        return Ok(Outcome::not_checked("no file system can be made here"));
    }
    let said = partner.says()?;
    if said.is_empty() {
        let how = partner.end()?;
        let step = "put and commit in a full file system".to_owned();
        return Ok(Outcome::Crashed { step, how, last_words: String::new() });
    }
    serde_json::from_str(&said)
        .map_err(|_| Outcome::wrong(format!("the other process said `{said}`")))
}
