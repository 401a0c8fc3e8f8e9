//! Standard output and standard error, and readers that have gone.

use std::io::{self, Write as _};

use report::answer::grid::WIDTH;

/// How many columns a line may have: those of the terminal, or as many as any has.
pub fn width() -> usize {
    let columns =
        terminal_size::terminal_size_of(io::stdout()).map(|(columns, _)| columns.0.into());
    columns.unwrap_or(WIDTH).max(WIDTH)
}

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
