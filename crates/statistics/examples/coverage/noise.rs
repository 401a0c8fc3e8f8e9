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

    /// The logarithm of a launch's time: median 0, with a long right tail, scattering by about `scale`,
    /// and a `share` of outliers that take 10 to 50 % longer.
    pub(crate) fn launch(&mut self, scale: f64, share: f64) -> f64 {
        let outlier = self.uniform() < share;
        let outlier = if outlier { (1.1 + 0.4 * self.uniform()).ln() } else { 0.0 };
        scale * ((0.8 * self.normal()).exp() - 1.0) + outlier
    }
}
