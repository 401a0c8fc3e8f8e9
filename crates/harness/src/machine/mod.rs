//! What the harness finds out about the machine and the programs on it.

pub mod alive;
pub mod binary;
pub mod host;
pub mod page_cache;
pub mod parent;
pub mod pin;
pub mod root;
pub mod settings;
