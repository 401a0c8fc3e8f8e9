//! Facts about bindings that are not speed: what a crate is, what it brings with it, what it needs
//! from its user, what it can do.
//!
//! What a program can find out is collected into a file beside the measurements; what it cannot is
//! typed by hand in the backend's folder, each entry with its source. Both are data; the tables are in
//! [`report::facts`](report::facts).
//!
//! | module | what it owns |
//! |---|---|
//! | [`subjects`] | the crates that facts are about |
//! | [`collect`] | everything below, one crate after the other |
//! | [`index`] | when versions were released, from cargo's copy of the registry's index |
//! | [`unsafety`] | `unsafe` blocks in a source |
//! | [`program`] | the smallest program that writes through a crate |
//! | [`builds`] | how long that takes to compile, and how large it is |

pub mod builds;
pub mod collect;
pub mod index;
pub mod program;
pub mod subjects;
pub mod unsafety;
