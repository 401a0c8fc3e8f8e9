//! Statistics: log ratios and launches in, estimates and verdicts out.
//!
//! This crate takes numbers only. It knows no backend, workload, file or clock, and it draws no
//! random numbers: the same launches always give the same answer.
//!
//! The unit is the **launch** (one life of a worker process), because two launches of the same
//! program differ while the samples inside one launch agree with each other. Launches come in
//! **blocks**: every backend once, close together in time. Whatever slows a whole block by some
//! factor cancels in the ratio of two launches of that block.
//!
//! | file | question it answers |
//! |---|---|
//! | `summary` | how long does a transaction take, and how much do launches differ? |
//! | `ratio` | how much longer than with the other backend, from where to where? |
//! | `independent` | the same between two runs, whose launches are not paired |
//! | `verdict` | which of many such differences are real? |
//! | `geometric` | what is the ratio over all workloads together? |
//! | `luck` | how far may a single build be off? |
//! | `binomial` | how many rare events does chance explain? |
//! | `line` | what does a put cost, and what the transaction around it? |
//! | `interval` | two bounds around a ratio |
//! | `rank` | null distributions behind `ratio` and `independent` |
//! | `student` | Student's t, behind `summary` and `geometric` |
//! | `checks`, `error` | the median, what is refused, and how the refusal reads |
//!
//! A whole path, from blocks to a verdict:
//!
//! ```
//! use statistics::{Difference, RatioEstimate, Verdict, verdicts};
//!
//! // natural logarithms of backend / control, one for each block
//! let blocks = [0.031, 0.033, 0.029, 0.036, 0.025, 0.037, 0.032, 0.030];
//!
//! let overhead = RatioEstimate::from_log_ratios(&blocks, 0.95)?;
//! assert!(overhead.low > 1.02 && overhead.high < 1.04);
//!
//! let family = [Difference { estimate: overhead, floor: None }];
//! assert_eq!(verdicts(&family, 0.95)?, [Verdict::Slower]);
//! # Ok::<(), statistics::StatsError>(())
//! ```

mod binomial;
mod checks;
mod error;
mod geometric;
mod independent;
mod interval;
mod line;
mod luck;
#[cfg(test)]
#[path = "../examples/coverage/noise.rs"]
mod noise;
mod rank;
mod ratio;
mod student;
mod summary;
mod verdict;

pub use binomial::at_least;
pub use checks::median;
pub use error::StatsError;
pub use geometric::GeometricMean;
pub use independent::{between_runs, normal_reach, ratio_of_ratios};
pub use interval::Interval;
pub use line::CostLine;
pub use luck::{luck, winsorised};
pub use ratio::{MOST_BLOCKS, RatioEstimate, blocks_needed, median_half_width};
pub use student::student_t;
pub use summary::Summary;
pub use verdict::{Difference, Verdict, verdicts};
