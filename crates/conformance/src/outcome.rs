//! How a case ends.

pub use write_backend::protocol::behaviour::{Outcome, Record};

/// How a case ends: by its last line, or early by `?`.
pub type Answer = Result<Outcome, Outcome>;
