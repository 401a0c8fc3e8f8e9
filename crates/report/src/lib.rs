//! What a person reads. Everything here takes records and gives text; it starts nothing, reads no clock
//! and knows no backend but those of the records.
//!
//! | module | what it owns |
//! |---|---|
//! | [`table`] | the model of a table |
//! | [`header`] | where and with what was measured |
//! | [`times`] | the table of times, in the form of the benchmark this project grew from |
//! | [`axes`] | the columns that tell workloads apart |
//! | [`behaviour`] | what backends do with awkward input and when killed |
//! | [`best`] | which backend is the fastest of a workload, where intervals say so |
//! | [`calibration`] | the tables of a calibration |
//! | [`comparable`] | whether two runs can be compared |
//! | [`comparison`] | the tables of a comparison |
//! | [`counts`] | tables of a count, and its gate |
//! | [`counted`] | what was counted beside what was timed |
//! | [`difference`] | what differs between two runs |
//! | [`documents`] | the published documents |
//! | [`engine`] | the engine's effect, as shipped and with equal flags |
//! | [`facts`] | what bindings are and bring with them |
//! | [`features`] | what bindings can do |
//! | [`flat`] | all cases of a run in one table for programs |
//! | [`formats`] | tables for terminals, documents and programs |
//! | [`guide`] | the page for one who must choose |
//! | [`ranking`] | means over workloads, and who is told apart |
//! | [`run_page`] | the page of a published run |
//! | [`section`] | a table with its title and what it is about |
//! | [`seed`] | the benchmark this project grew from, beside ours |
//! | [`show`] | a stored run in tables |
//! | [`page`] | all published runs in one page, to choose from and sort |
//! | [`pictures`] | pictures of a published run |
//! | [`splice`] | generated sections in documents written by hand |
//! | [`units`] | numbers as text |

pub mod axes;
pub mod behaviour;
pub mod best;
pub mod calibration;
pub mod comparable;
pub mod comparison;
pub mod counted;
pub mod counts;
pub mod difference;
pub mod documents;
pub mod engine;
pub mod facts;
pub mod features;
pub mod flat;
pub mod formats;
pub mod guide;
pub mod header;
pub mod page;
pub mod pictures;
pub mod ranking;
pub mod run_page;
pub mod section;
pub mod seed;
pub mod show;
#[cfg(test)]
pub(crate) mod snapshots;
pub mod splice;
pub mod table;
pub mod times;
pub mod units;

/// The backend that all others are compared with, in the tables that do not ask the file yet.
pub(crate) const REFERENCE: &str = "raw-ffi";
