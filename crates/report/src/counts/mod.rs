//! What is made of counts.
//!
//! | module | what it owns |
//! |---|---|
//! | [`check`] | comparison with a stored file: the gate |
//! | [`own`] | a binding's own instructions |
//! | [`tables`] | what a person reads |

pub mod check;
pub mod own;
pub mod tables;
