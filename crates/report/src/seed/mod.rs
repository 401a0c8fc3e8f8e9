//! The benchmark this project grew from, as its authors published it, beside ours.
//!
//! | module | what it owns |
//! |---|---|
//! | [`page`] | the whole page |
//! | [`allocations`] | what a put allocates |
//! | [`ratios`] | what the way before spans costs |
//! | [`workloads`] | which of our workloads stand beside theirs |

pub mod allocations;
pub mod page;
pub mod ratios;
pub mod workloads;
