//! What a person reads. Everything here takes measured values and gives text; it starts nothing and
//! reads no clock.
//!
//! | module | what it owns |
//! |---|---|
//! | [`table`] | the model of a table |
//! | [`header`] | where and with what was measured |
//! | [`times`] | the table of times, in the form of the benchmark this project grew from |
//! | [`behaviour`] | what backends do with awkward input and when killed |
//! | [`calibration`] | the tables of a calibration |
//! | [`comparison`] | the tables of a comparison |
//! | [`documents`] | the published documents |
//! | [`formats`] | tables for terminals, documents and programs |
//! | [`section`] | a table with its title and what it is about |
//! | [`splice`] | generated sections in documents written by hand |
//! | [`units`] | numbers as text |

pub mod behaviour;
pub mod calibration;
pub mod comparison;
pub mod documents;
pub mod formats;
pub mod header;
pub mod section;
#[cfg(test)]
mod snapshots;
pub mod splice;
pub mod table;
pub mod times;
pub mod units;
