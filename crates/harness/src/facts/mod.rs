//! Facts about bindings that are not speed: what a crate is, what it brings with it, what it needs
//! from its user, what it can do.
//!
//! What a program can find out is collected into a file beside the measurements; what it cannot is
//! written by hand in the backend's folder, each entry with its source. Both are data; the tables are in
//! [`report::facts`].

pub mod collect;
pub mod index;
pub mod mistakes;
pub mod smallest;
pub mod subjects;
pub mod unsafety;
