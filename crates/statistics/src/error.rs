//! What the statistics refuse, in words a user of the command line can act on.

/// Why no number was given.
///
/// The statistics never return NaN or infinity: where the answer would not be a number there is one
/// of these.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StatsError {
    /// There was nothing to compute from.
    #[error("no values given")]
    Empty,
    /// A value is zero, negative, infinite or NaN.
    #[error("value {value} at position {index}: it must be finite and above zero")]
    InvalidValue {
        /// Position in the slice it came from, from 0.
        index: usize,
        /// The value itself.
        value: f64,
    },
    /// A logarithm of a ratio is infinite, NaN, or that of no ratio of two 64-bit floats.
    #[error("log ratio {value} at position {index}: no two times have it")]
    InvalidLogRatio {
        /// Position in the slice it came from, from 0.
        index: usize,
        /// The value itself.
        value: f64,
    },
    /// A confidence is not strictly between 0 and 1.
    #[error("confidence {0}: it must lie between 0 and 1, both excluded (95 % is 0.95)")]
    InvalidConfidence(f64),
    /// Not even the widest possible interval has the confidence asked for.
    #[error("{got} blocks cannot give {confidence} confidence: at least {needed} are needed")]
    TooFewBlocks {
        /// Blocks given.
        got: usize,
        /// Fewest blocks that can give the confidence.
        needed: usize,
        /// Confidence asked for.
        confidence: f64,
    },
    /// The pairwise averages of this many blocks would fill the memory.
    #[error("{got} blocks are more than the {most} this is made for")]
    TooManyBlocks {
        /// Blocks given.
        got: usize,
        /// Most blocks accepted.
        most: usize,
    },
    /// All values were valid, but the result is beyond what an `f64` holds.
    #[error("the values are too far apart: the result does not fit a 64-bit float")]
    OutOfRange,
    /// An estimate that was handed in is not one that launches can give.
    #[error("estimate {index} has a p-value, interval or noise floor that is not possible")]
    InvalidEstimate {
        /// Position in the family, from 0.
        index: usize,
    },
}
