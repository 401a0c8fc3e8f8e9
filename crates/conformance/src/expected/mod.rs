//! What is expected of each case, and which backends differ.
//!
//! | module | what it owns |
//! |---|---|
//! | [`expectation`] | an expected outcome, and whether another is that one |
//! | [`usual`] | the expectation for each case |
//! | [`differences`] | the backends that do something else, and why |

pub mod differences;
pub mod expectation;
pub mod usual;

pub use differences::difference;
pub use expectation::{Expectation, of};
