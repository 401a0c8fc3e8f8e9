//! Statistics: launches in, estimates and verdicts out.
//!
//! This module takes numbers only. It knows no backend, workload, file or clock, and it draws no
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
//! | `precision` | how narrow are the intervals, and how many launches would make them narrow enough? |
//! | `interval` | two bounds around a ratio |
//! | `signed_rank`, `rank_sum` | null distributions behind `ratio` and `independent` |
//! | `student` | Student's t, behind `summary` and `geometric` |
//! | `checks`, `error` | what is refused, and how the refusal reads |
//!
//! A whole path, from launches to a verdict:
//!
//! ```
//! use statistics::{Comparison, RatioEstimate, Verdict, verdicts};
//!
//! // ns per transaction; position i of both lists was measured in block i
//! let control = [812.0, 808.0, 815.0, 811.0, 809.0, 820.0, 807.0, 813.0];
//! let backend = [838.0, 836.0, 839.0, 841.0, 830.0, 851.0, 834.0, 838.0];
//!
//! let overhead = RatioEstimate::from_pairs(&backend, &control, 0.95)?;
//! assert!(overhead.low > 1.02 && overhead.high < 1.04);
//!
//! let family = [Comparison { estimate: overhead, floor: None }];
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
mod precision;
mod rank_sum;
mod ratio;
mod signed_rank;
mod student;
mod summary;
mod verdict;

pub use binomial::at_least;
pub use error::StatsError;
pub use geometric::GeometricMean;
pub use independent::{between_runs, ratio_of_ratios};
pub use interval::Interval;
pub use line::Line;
pub use luck::luck;
pub use precision::{Projection, further_launches, median_half_width};
pub use ratio::{MOST_BLOCKS, RatioEstimate, blocks_needed};
pub use student::student_t;
pub use summary::Summary;
pub use verdict::{Comparison, Verdict, adjusted_p_values, verdicts};
