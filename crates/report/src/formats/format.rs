//! The formats there are.

use std::fmt;
use std::str::FromStr;

use crate::formats::listing::Listing;
use crate::formats::{csv, json, text};

/// How a listing is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Aligned columns that fit a terminal.
    Text,
    /// Markdown with aligned columns.
    Markdown,
    /// RFC 4180.
    Csv,
    /// One JSON object.
    Json,
}

impl Format {
    /// All formats, in the order in which they are named.
    pub const ALL: [Self; 4] = [Self::Text, Self::Markdown, Self::Csv, Self::Json];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Markdown => "markdown",
            Self::Csv => "csv",
            Self::Json => "json",
        }
    }

    /// `listing` in this format; `width` is how many columns a text may have.
    #[must_use]
    pub fn render(self, listing: &Listing, width: usize) -> String {
        match self {
            Self::Text => text::render(listing, width),
            Self::Markdown => listing.to_string(),
            Self::Csv => csv::render(listing),
            Self::Json => json::render(listing),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|format| format.name() == text).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("`{text}` is not a format: it must be one of {names}")
        })
    }
}
