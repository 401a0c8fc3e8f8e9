//! What a person reads. Everything here takes records and gives text; it starts nothing, reads no clock
//! and knows no backend except those of the records.
//!
//! Data flows one way: a results file, its [`view`], then tables, pictures, documents and the page.
//!
//! | module | what it owns |
//! |---|---|
//! | [`view`] | a run ready to be asked: cases by backend and workload, who is what |
//! | [`groups`] | workloads in groups, and tables of them |
//! | [`table`] | the model of what is shown: tables, sections, listings |
//! | [`formats`] | listings for terminals, documents and programs |
//! | [`units`] | numbers as text |
//! | [`header`] | where and with what was measured |
//! | [`times`], [`counted`] | times, and what was counted beside them |
//! | [`comparison`], [`engine`] | overhead, what a user sees, noise floor, the engine's effect |
//! | [`answer`] | a run on one screen: binding against binding, and the first lines of the README |
//! | [`summary`] | means over workloads, and what they decide for one build |
//! | [`counts`] | tables of a count, and its gate |
//! | [`behaviour`] | what backends do with awkward input and when killed |
//! | [`calibration`], [`agreement`], [`layouts`] | how far the instrument is to be trusted: equal and slowed twins, repeated runs, real builds |
//! | [`facts`] | what bindings are, bring with them and can do |
//! | [`ranking`] | means over workloads, and which backends were told apart |
//! | [`comparable`], [`difference`] | whether two runs can be compared, and what differs between them |
//! | [`show`], [`flat`] | a stored run in tables; all its cases in one table for programs |
//! | [`guide`], [`run_page`], [`seed`] | the documents made from data alone |
//! | [`suites`] | what suites have found: a page and a picture for each question |
//! | [`documents`], [`splice`] | which documents there are, and generated sections in those written by hand |
//! | [`pictures`] | pictures of a published run |
//! | [`page`] | all published runs in one page, to choose from and sort |

pub mod agreement;
pub mod answer;
pub mod behaviour;
pub mod calibration;
pub mod comparable;
pub mod comparison;
pub mod counted;
pub mod counts;
pub mod difference;
pub mod documents;
pub mod engine;
pub mod facts;
pub mod flat;
pub mod formats;
pub mod groups;
pub mod guide;
pub mod header;
pub mod layouts;
pub mod page;
pub mod pictures;
pub mod ranking;
pub mod run_page;
pub mod seed;
pub mod show;
#[cfg(test)]
mod snapshots;
pub mod splice;
pub mod suites;
pub mod summary;
pub mod table;
pub mod times;
pub mod units;
pub mod view;
