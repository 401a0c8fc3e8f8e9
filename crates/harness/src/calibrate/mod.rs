//! The instrument measures itself: does it claim differences that are not there, does it find those
//! that are, and how much does code layout alone change a time?
//!
//! | module | what it owns |
//! |---|---|
//! | [`trial`] | equal and slowed twins: who takes part, and what their launches say |
//! | [`layout`] | the same source at other addresses |

pub mod layout;
pub mod trial;
