//! Standard output: how wide it is, and a reader that has gone.

use std::io::{self, Write as _};

use anyhow::Context as _;
use clap::Args;

use report::formats::format::Format;
use report::formats::listing::Listing;

/// How wide a text is where no terminal says it.
const WIDTH: usize = 80;
/// Narrower than this no table can be read.
const NARROWEST: usize = 40;

/// How a command shows what it found.
#[derive(Debug, Clone, Copy, Args)]
pub struct Shown {
    /// How to write it: text (fits the terminal), markdown, csv (the tables alone), json
    #[arg(long, value_name = "FORMAT", default_value_t = Format::Text)]
    format: Format,
    /// How many columns a text may have, at least 40 [default: the terminal's, or 80]
    #[arg(long, value_name = "COLUMNS", value_parser = width)]
    width: Option<usize>,
}

impl Shown {
    /// The format asked for.
    #[must_use]
    pub const fn format(self) -> Format {
        self.format
    }

    /// Writes `listing` to standard output.
    ///
    /// # Errors
    /// When not all of it could be written, to a reader that is still there.
    pub fn show(self, listing: &Listing) -> anyhow::Result<()> {
        let width = self.width.or_else(terminal_width).unwrap_or(WIDTH);
        written(&self.format.render(listing, width.max(NARROWEST))).context("standard output")
    }
}

/// A width that a user asked for.
fn width(text: &str) -> Result<usize, String> {
    let number = text.parse::<usize>().map_err(|error| error.to_string())?;
    let is_wide = number >= NARROWEST;
    is_wide.then_some(number).ok_or_else(|| format!("{number}: it must be at least {NARROWEST}"))
}

/// How wide the terminal at standard output is; `None` where there is none.
fn terminal_width() -> Option<usize> {
    let (terminal_size::Width(width), _) = terminal_size::terminal_size_of(io::stdout())?;
    Some(usize::from(width))
}

/// Writes a message to standard output; that it could not be written is said on standard error.
pub fn say(text: &str) {
    let _ = tell(text);
}

/// The same with what a program was started for: whether all was written, or the reader had gone.
#[must_use]
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
