//! What is stored: the schemas of all files, reading and checking them, and the published runs.
//!
//! This crate knows no process, no clock and no backend: what a reader needs of a backend stands in the
//! file itself, so a stored run never changes its meaning.
//!
//! | module | what it owns |
//! |---|---|
//! | [`schema`] | the results of a run: the fields, what follows from them |
//! | [`calibration`] | what the instrument found out about itself |
//! | [`trials`] | whether runs agree, and which link orders are like real builds |
//! | [`behaviour`] | what backends did with awkward input and when killed |
//! | [`facts`] | facts about bindings beside speed |
//! | [`looked_up`] | data that somebody looked up: the seed's numbers, facts by hand, advisories |
//! | [`host`], [`names`] | where and when something was measured |
//! | [`store`] | reading, checking and writing files without losing anything |
//! | [`invalid`] | what is wrong with a value, and where |
//! | [`builds`] | whether things were built alike |
//! | [`shipped`] | whether engines are those that users get |
//! | [`quality`] | why a run may not be published, and what its readers are told |
//! | [`published`] | the runs that are published, by host and date |
//! | [`publish`] | puts a run among them |
//! | `testing` | made-up runs for tests |

pub mod behaviour;
pub mod builds;
pub mod calibration;
mod check;
pub mod facts;
pub mod host;
pub mod invalid;
pub mod looked_up;
pub mod names;
pub mod publish;
pub mod published;
pub mod quality;
pub mod schema;
pub mod shipped;
pub mod store;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod trials;
