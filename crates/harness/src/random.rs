//! The harness's own randomness: orders and padding. One named generator, seeded with a number that
//! is printed and can be given again.

use rand_core::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The longest padding of a worker's environment, in bytes: a page, since what it moves is the
/// place of stack and heap within one.
const MAX_PADDING: usize = 4096;

#[derive(Debug, Clone)]
pub struct Random(Xoshiro256PlusPlus);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A number below `end`, which must not be 0.
    ///
    /// The high half of a product (Lemire, "Fast random integer generation in an interval", 2019),
    /// without its rejection step: for the few items here the bias is below 2^-50.
    pub fn below(&mut self, end: usize) -> usize {
        let product = u128::from(self.0.next_u64()) * end as u128;
        // The high half of a product with `end` is below `end`.
        (product >> 64) as usize
    }

    /// Puts `items` in random order (Fisher and Yates, as in Knuth, TAOCP volume 2, 3.4.2 P).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for index in (1..items.len()).rev() {
            items.swap(index, self.below(index + 1));
        }
    }

    pub fn order(&mut self, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        self.shuffle(&mut order);
        order
    }

    pub fn padding(&mut self) -> usize {
        self.below(MAX_PADDING)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_repeats_its_stream() {
        let draw = |seed| {
            let mut random = Random::new(seed);
            (random.order(9), random.padding())
        };
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
    }

    #[test]
    fn every_place_is_reached_about_equally_often() {
        let mut random = Random::new(42);
        let mut first = [0_u32; 4];
        for _ in 0..4000 {
            first[random.order(4)[0]] += 1;
        }
        // 1000 expected, standard deviation 27.
        assert!(first.iter().all(|count| (850..1150).contains(count)), "{first:?}");
    }
}
