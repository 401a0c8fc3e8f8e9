//! Standard output and standard error, and readers that have gone.

use std::io::{self, Write as _};

/// Writes a message to standard output; that it could not be written is said on standard error.
pub fn say(text: &str) {
    let _ = tell(text);
}

/// The same with what a program was started for: whether all was written, or the reader had gone.
pub fn tell(text: &str) -> bool {
    let written = write(text);
    if let Err(error) = &written {
        note!("error: standard output: {error}");
    }
    written.is_ok()
}

/// Writes `text` to standard output, whose reader may have gone (`... | head`): no reason to stop.
pub fn write(text: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Writes `text` to standard error as it is. Nothing else could be told that this is not possible.
pub fn note(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}
