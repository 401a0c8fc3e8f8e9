//! The instrument measures itself: does it claim differences that are not there, and does it find those
//! that are?
//!
//! | module | what it owns |
//! |---|---|
//! | [`trial`] | equal and slowed twins: who takes part, and what their launches say |

pub mod trial;
