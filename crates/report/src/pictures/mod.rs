//! Pictures of a published run as SVG: each is a text that the run's data gives, and nothing else.
//!
//! | module | what it owns |
//! |---|---|
//! | [`overhead`] | overhead per backend with intervals and the noise floor |
//! | [`time_per_put`] | time per put against batch size |
//! | [`instructions`] | who executes the instructions of a put |
//! | [`published`] | which pictures a run gets, and how documents show them |
//! | `canvas` | the frame of every picture, and what makes it readable on a dark page |
//! | `palette` | colours and markers |
//! | `axis` | where ticks stand, and labels that do not overlap |

pub(crate) mod axis;
mod canvas;
pub mod instructions;
pub mod overhead;
mod palette;
pub mod published;
pub mod time_per_put;
