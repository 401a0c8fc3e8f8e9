//! The backends there are, found and not listed: folders with a manifest that describes a backend,
//! folders outside the workspace, and programs that somebody brings.

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
