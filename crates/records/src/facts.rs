//! Facts about bindings that are not speed: what a program collected, and what was looked up by hand.
//!
//! | module | what it owns |
//! |---|---|
//! | [`schema`] | the file of what was collected |
//! | [`by_hand`] | the file of what was looked up by hand |
//! | [`advisories`] | the file of known vulnerabilities |

pub mod advisories;
pub mod by_hand;
pub mod schema;
