//! The results file.
//!
//! | module | what it owns |
//! |---|---|
//! | [`published`] | the runs that are published, by host and date |
//! | [`schema`] | its fields, units and version |
//! | [`store`] | reading and writing it without losing anything |

pub mod published;
pub mod schema;
pub mod store;
