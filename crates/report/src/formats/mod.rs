//! One listing, four formats. Each renderer only adds its punctuation.
//!
//! | module | what it owns |
//! |---|---|
//! | [`listing`] | what is shown: lines, then sections with tables |
//! | [`mod@format`] | the formats there are, and choosing one |
//! | `text` | for a terminal of a given width |
//! | `csv`, `json` | for programs |

mod csv;
pub mod format;
mod json;
pub mod listing;
mod text;
