//! What the system holds of a file in memory.

use std::fs::File;
use std::io;

/// Makes the system forget the pages of `file`, which is on the disk and which nobody has mapped
/// (`posix_fadvise(2)`): whoever reads it next waits for the disk.
///
/// # Errors
/// What the system reports; on others than Linux that it cannot be asked.
#[cfg(target_os = "linux")]
pub fn forget(file: &File) -> io::Result<()> {
    use rustix::fs::{Advice, fadvise};
    Ok(fadvise(file, 0, None, Advice::DontNeed)?)
}

/// See above.
#[cfg(not(target_os = "linux"))]
pub fn forget(_file: &File) -> io::Result<()> {
    Err(io::Error::new(
        io::ErrorKind::Unsupported,
        "environment cold needs Linux: other systems cannot be told to forget a file's pages",
    ))
}
