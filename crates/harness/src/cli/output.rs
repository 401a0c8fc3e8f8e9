//! Standard output, and a reader that has gone.

use std::io::{self, Write as _};

use anyhow::Context as _;
use clap::Args;

use report::formats::Format;
use report::table::Listing;

/// How a command shows what it found.
#[derive(Debug, Clone, Copy, Args)]
pub struct Shown {
    /// How to write it: text (aligned columns), markdown, csv (the tables alone), json
    #[arg(long, value_name = "FORMAT", default_value_t = Format::Text)]
    format: Format,
}

impl Shown {
    /// The format asked for.
    pub const fn format(self) -> Format {
        self.format
    }

    /// Writes `listing` to standard output.
    pub fn show(self, listing: &Listing) -> anyhow::Result<()> {
        written(&self.format.render(listing)).context("standard output")
    }
}

/// Writes a message to standard output; that it could not be written is said on standard error.
pub fn say(text: &str) {
    let _ = tell(text);
}

/// The same with what a program was started for: whether all was written, or the reader had gone.
pub fn tell(text: &str) -> bool {
    let written = written(text);
    if let Err(error) = &written {
        eprintln!("error: standard output: {error}");
    }
    written.is_ok()
}

/// Writes `text` to standard output, whose reader may have gone (`... | head`): no reason to stop.
fn written(text: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}
