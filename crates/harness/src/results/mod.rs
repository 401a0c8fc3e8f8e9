//! The results file, and the other files that are stored with it.
//!
//! | module | what it owns |
//! |---|---|
//! | [`day`] | days of the calendar |
//! | [`floors`] | noise floors that exclude 1 |
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

pub mod day;
pub mod floors;
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
#[cfg(test)]
pub(crate) mod testing;
pub mod typed;
pub mod validate;
pub mod weak;
