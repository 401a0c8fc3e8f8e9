//! What the harness finds out about the machine and the programs on it.

pub mod binary;
pub mod host;
pub mod parent;
pub mod pin;
pub mod settings;
