//! What is stored: the schemas of all files, reading and checking them, and the published runs.
//!
//! This crate knows no process, no clock and no backend: what a reader needs of a backend stands in the
//! file itself, so a stored run never changes its meaning.
//!
//! | module | what it owns |
//! |---|---|
//! | [`behaviour`] | what backends did with awkward input and when killed |
//! | [`calibration`] | what the instrument found out about itself |
//! | [`day`] | days of the calendar |
//! | [`facts`] | facts about bindings beside speed |
//! | [`floors`] | noise floors that exclude 1 |
//! | [`host`] | where something was measured, and how engines were built |
//! | [`host_name`] | the names of published machines |
//! | [`invalid`] | what is wrong with a value, and where |
//! | [`one_run`] | whether files are of one run |
//! | [`presence`] | whether a file that need not be there is there |
//! | [`publication`] | puts a run among the published ones |
//! | [`publishable`] | what may be published, and why not |
//! | [`published`] | the runs that are published, by host and date |
//! | [`schema`] | the fields of a results file, their units and version |
//! | [`seed`] | the numbers of the benchmark this project grew from |
//! | [`store`] | reading and writing without losing anything |
//! | [`stored`] | the kinds of files there are |
//! | [`typed`] | data that was typed by hand |
//! | [`validate`] | what values a results file may have |
//! | [`weak`] | runs that say less than a whole one |

pub mod behaviour;
pub mod calibration;
pub mod day;
pub mod facts;
pub mod floors;
pub mod host;
pub mod host_name;
pub mod invalid;
pub mod one_run;
pub mod presence;
pub mod publication;
pub mod publishable;
pub mod published;
pub mod schema;
pub mod seed;
pub mod store;
pub mod stored;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod typed;
pub mod validate;
pub mod weak;

/// The backend that files of the first schema compare all others with.
pub const REFERENCE: &str = "raw-ffi";
