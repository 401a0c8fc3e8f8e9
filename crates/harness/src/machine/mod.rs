//! What the harness finds out about the machine and the programs on it.
//!
//! | module | what it owns |
//! |---|---|
//! | [`host`] | host, system, processor, file system |
//! | [`pin`] | binding processes to a core |
//! | [`binary`] | what a worker's file says of the engine in it |

pub mod binary;
pub mod host;
pub mod pin;
