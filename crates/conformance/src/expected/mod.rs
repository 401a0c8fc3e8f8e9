//! What is expected of each case, and how a backend declares that it differs.
//!
//! | module | what it owns |
//! |---|---|
//! | `expectation` | an expected outcome, and whether another is that one |
//! | [`usual`] | the expectation for each case |
//! | `differences` | what a backend does instead, and why |

pub(crate) mod differences;
pub(crate) mod expectation;
pub mod usual;

pub use differences::{Difference, Why, check, of};
pub use expectation::Expectation;
