//! What a person reads. Everything here takes measured values and gives text; it starts nothing and
//! reads no clock.
//!
//! | module | what it owns |
//! |---|---|
//! | [`table`] | a table as Markdown whose columns align in a terminal |
//! | [`header`] | where and with what was measured |
//! | [`times`] | the table of times, in the form of the benchmark this project grew from |
//! | [`behaviour`] | what backends do with awkward input and when killed |
//! | [`calibration`] | the tables of a calibration |
//! | [`comparison`] | the tables of a comparison |
//! | [`documents`] | the published documents |
//! | [`splice`] | generated sections in documents written by hand |
//! | [`units`] | numbers as text |

pub mod behaviour;
pub mod calibration;
pub mod comparison;
pub mod documents;
pub mod header;
#[cfg(test)]
mod snapshots;
pub mod splice;
pub mod table;
pub mod times;
pub mod units;
