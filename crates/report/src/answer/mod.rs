//! The answer of a run on one screen: a matrix of bindings against workloads, and the sentences above it.
//!
//! | module | what it owns |
//! |---|---|
//! | [`matrix`] | which workloads stand in one column, and what each cell says |
//! | [`grid`] | a grid of texts that fits a width |
//! | [`bindings`] | binding against binding, and the split into binding and engine |
//! | [`counts`] | the same of counts |
//! | [`words`] | a run in a few sentences |
//! | [`screen`] | what a bench shows at its end |
//! | [`machines`] | several machines beside each other |
//! | [`readme`] | the first lines of the project's README |

pub mod bindings;
pub mod counts;
pub mod grid;
pub mod machines;
pub mod matrix;
pub mod readme;
pub mod screen;
pub mod words;
