//! The results file, and the other files that are stored with it.
//!
//! | module | what it owns |
//! |---|---|
//! | [`invalid`] | what is wrong with a value, and where |
//! | [`published`] | the runs that are published, by host and date |
//! | [`schema`] | the fields of a results file, their units and version |
//! | [`store`] | reading and writing without losing anything |
//! | [`stored`] | the kinds of files there are |
//! | [`validate`] | what values a results file may have |

pub mod invalid;
pub mod published;
pub mod schema;
pub mod store;
pub mod stored;
#[cfg(test)]
pub(crate) mod testing;
pub mod validate;
