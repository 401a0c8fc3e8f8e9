//! Simulated launches: what is between the true time and the measured one.

use std::f64::consts::TAU;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// Seeded source of the few distributions needed here.
pub(crate) struct Random(Xoshiro256PlusPlus);

impl Random {
    pub(crate) fn seeded(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Uniform in (0, 1), never 0.
    pub(crate) fn uniform(&mut self) -> f64 {
        (f64::from(self.0.next_u32()) + 0.5) / 4_294_967_296.0
    }

    /// Standard normal (G. E. P. Box, M. E. Muller, *Annals of Mathematical Statistics* 29 (1958)
    /// 610-611).
    pub(crate) fn normal(&mut self) -> f64 {
        (-2.0 * self.uniform().ln()).sqrt() * (TAU * self.uniform()).cos()
    }

    /// Uniform in 0..`length`.
    pub(crate) fn below(&mut self, length: usize) -> usize {
        let bits = u64::from(self.0.next_u32());
        usize::try_from((bits * length as u64) >> 32).expect("below length")
    }
}

/// How the logarithm of a launch's time scatters.
#[derive(Clone, Copy)]
pub(crate) enum Noise {
    /// Normal, 2 %.
    Normal,
    /// Log-normal with a long right tail, about 2 %.
    Skewed,
    /// Normal, 2 %, and 5 % of the launches take 10 to 50 % longer.
    Contaminated,
    /// Student's t with 3 degrees of freedom, scale 1 %.
    Heavy,
    /// Numerator skewed, denominator normal: no longer symmetric.
    SkewedAbove,
    /// As before, and 10 % of the numerator's launches take 10 to 50 % longer.
    OutliersAbove,
}

impl Noise {
    pub(crate) const ALL: [Self; 6] = [
        Self::Normal,
        Self::Skewed,
        Self::Contaminated,
        Self::Heavy,
        Self::SkewedAbove,
        Self::OutliersAbove,
    ];
    pub(crate) const ASYMMETRIC: [Self; 2] = [Self::SkewedAbove, Self::OutliersAbove];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Skewed => "skewed",
            Self::Contaminated => "5 % outliers",
            Self::Heavy => "heavy tails",
            Self::SkewedAbove => "skewed / normal",
            Self::OutliersAbove => "skewed with 10 % outliers / normal",
        }
    }

    /// Whether the log ratio of two launches is symmetric about the true one.
    pub(crate) const fn symmetric(self) -> bool {
        !matches!(self, Self::SkewedAbove | Self::OutliersAbove)
    }

    /// Log factors of the two launches of one block.
    pub(crate) fn block(self, random: &mut Random) -> (f64, f64) {
        match self {
            Self::SkewedAbove => (skewed(random), 0.02 * random.normal()),
            Self::OutliersAbove => (skewed(random) + outlier(random, 0.1), 0.02 * random.normal()),
            _ => (self.launch(random), self.launch(random)),
        }
    }

    fn launch(self, random: &mut Random) -> f64 {
        match self {
            Self::Skewed => skewed(random),
            Self::Contaminated => 0.02 * random.normal() + outlier(random, 0.05),
            Self::Heavy => {
                let chi_square: f64 = (0..3).map(|_| random.normal().powi(2)).sum();
                0.01 * random.normal() / (chi_square / 3.0).sqrt()
            }
            _ => 0.02 * random.normal(),
        }
    }
}

/// Median 0, standard deviation 2.2 %, skewness 3.7.
fn skewed(random: &mut Random) -> f64 {
    0.02 * ((0.8 * random.normal()).exp() - 1.0)
}

fn outlier(random: &mut Random, share: f64) -> f64 {
    if random.uniform() < share { (1.1 + 0.4 * random.uniform()).ln() } else { 0.0 }
}
