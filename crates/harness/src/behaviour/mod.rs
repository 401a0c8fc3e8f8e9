//! What each backend does with awkward input, and what is left when its process is killed.

pub mod kills;
pub mod matrix;
