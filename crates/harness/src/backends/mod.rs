//! The backends there are, found and not listed: folders with a manifest that describes a backend,
//! folders outside the workspace, and programs that somebody brings.
//!
//! | module | what it owns |
//! |---|---|
//! | `backend` | what is known of one before its worker speaks |
//! | `manifest` | the description of a backend in its manifest |
//! | [`metadata`] | what cargo says of packages |
//! | `found` | all of them together, checked |
//! | `brought` | the options for those from outside |
//! | [`programs`] | their programs, built by cargo |

mod backend;
mod brought;
mod found;
mod manifest;
pub mod metadata;
pub mod programs;
#[cfg(test)]
pub(crate) mod testing;

pub use backend::{Backend, Engine, Origin};
pub use brought::Brought;
pub use found::Backends;
pub use programs::{Kind, Programs};
