//! The results file.
//!
//! | module | what it owns |
//! |---|---|
//! | [`schema`] | its fields, units and version |
//! | [`store`] | reading and writing it without losing anything |

pub mod schema;
pub mod store;
