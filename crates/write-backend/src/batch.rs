//! The keys and values of a workload, made before the clock starts.

use std::collections::BTreeSet;

use crate::encoding::Encoding;
use crate::workload::{KeyOrder, Workload};

/// The pairs that every transaction of a workload puts, in order.
///
/// Two programs that make a batch from the same workload and seed make the same one: the measured
/// worker writes it, another process checks it.
///
/// ```
/// use write_backend::{Batch, Workload};
/// let workload: Workload = "commit-n3-v8-k4-sequential-nosync".parse().unwrap();
/// let batch = Batch::new(&workload, 0);
/// let keys: Vec<&[u8]> = batch.pairs().iter().map(|pair| pair.0).collect();
/// assert_eq!(keys, [[0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 2]]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    keys: Vec<Vec<u8>>,
    values: Vec<Vec<u8>>,
}

impl Batch {
    /// Makes the pairs of `workload`; `seed` matters for [`KeyOrder::Random`] alone.
    ///
    /// All keys differ. A value is derived from its key and never equal to it, so that a swapped or
    /// misplaced value is seen.
    ///
    /// # Panics
    /// If [`Workload::check`] refuses the workload.
    #[must_use]
    pub fn new(workload: &Workload, seed: u64) -> Self {
        if let Err(reason) = workload.check() {
            panic!("{reason}");
        }
        let Workload { key_order, key_size, batch_size, value_size, .. } = *workload;
        let keys = match key_order {
            KeyOrder::Sequential => (0..batch_size).map(|i| big_endian(i, key_size)).collect(),
            KeyOrder::SequentialLe => {
                let reversed = |i| big_endian(i, key_size).into_iter().rev().collect();
                (0..batch_size).map(reversed).collect()
            }
            KeyOrder::Random => random_keys(batch_size, key_size, seed),
        };
        let values = keys.iter().map(|key| value_for(key, value_size)).collect();
        Self { keys, values }
    }

    /// The same with values in which `encoding` finds the data that it takes.
    #[must_use]
    pub fn shaped(mut self, encoding: Encoding) -> Self {
        self.values.iter_mut().for_each(|value| encoding.shape(value));
        self
    }

    /// Key and value of every put, in order.
    #[must_use]
    pub fn pairs(&self) -> Vec<(&[u8], &[u8])> {
        self.keys.iter().map(Vec::as_slice).zip(self.values.iter().map(Vec::as_slice)).collect()
    }
}

/// `index` in the last bytes of a key of `key_size`, the rest zero.
fn big_endian(index: usize, key_size: usize) -> Vec<u8> {
    let digits = (index as u64).to_be_bytes();
    let mut key = vec![0; key_size];
    let used = key_size.min(digits.len());
    key[key_size - used..].copy_from_slice(&digits[digits.len() - used..]);
    key
}

/// Different keys drawn from all keys of `key_size` bytes.
fn random_keys(batch_size: usize, key_size: usize, seed: u64) -> Vec<Vec<u8>> {
    let mut generator = SplitMix64(seed);
    // Not a hash set: those of the standard library differ from process to process in the order in
    // which they free their members, and with it in the addresses that later allocations get.
    let mut drawn = BTreeSet::new();
    let mut keys = Vec::with_capacity(batch_size);
    while keys.len() < batch_size {
        let mut key = vec![0; key_size];
        generator.fill(&mut key);
        if drawn.insert(key.clone()) {
            keys.push(key);
        }
    }
    keys
}

/// The value that belongs to `key`: bytes of a generator seeded with the key, the first byte
/// changed so that it differs from the key's.
#[must_use]
pub fn value_for(key: &[u8], value_size: usize) -> Vec<u8> {
    let mut value = vec![0; value_size];
    SplitMix64(fnv1a(key)).fill(&mut value);
    if let (Some(first), Some(other)) = (value.first_mut(), key.first()) {
        *first = !other;
    }
    value
}

/// FNV-1a, 64 bits (Fowler, Noll, Vo; <http://www.isthe.com/chongo/tech/comp/fnv/>).
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// `SplitMix64` (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014): keys
/// and values are data that two programs must agree on, so the generator is fixed here and not left
/// to a library's next version.
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn fill(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(size_of::<u64>()) {
            chunk.copy_from_slice(&self.next().to_le_bytes()[..chunk.len()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn batch(order: KeyOrder, key_size: usize, count: usize, value: usize, seed: u64) -> Batch {
        let (key_order, batch_size, value_size) = (order, count, value);
        let workload =
            Workload { key_order, key_size, batch_size, value_size, ..Workload::default() };
        Batch::new(&workload, seed)
    }

    /// The published first outputs of `SplitMix64` for seed 1234567 (Vigna's reference
    /// implementation), and hashes of FNV's own page.
    #[test]
    fn generator_and_hash_are_the_published_ones() {
        let mut generator = SplitMix64(1_234_567);
        assert_eq!(generator.next(), 6_457_827_717_110_365_317);
        assert_eq!(generator.next(), 3_203_168_211_198_807_973);
        assert_eq!((fnv1a(b""), fnv1a(b"a")), (0xcbf2_9ce4_8422_2325, 0xaf63_dc4c_8601_ec8c));
    }

    #[test]
    fn keys_out_of_order() {
        assert!(!batch(KeyOrder::SequentialLe, 4, 257, 4, 0).keys.is_sorted());
        let draw = |seed| batch(KeyOrder::Random, 4, 100, 8, seed);
        assert!(draw(1) != draw(2) && !draw(1).keys.is_sorted());
    }

    proptest! {
        #[test]
        fn keys_differ_and_values_are_not_their_keys(
            order in prop::sample::select(&KeyOrder::ALL[..]),
            key_size in 1_usize..40,
            count in 1_usize..=256,
            value_size in 0_usize..70,
            seed: u64,
        ) {
            let made = batch(order, key_size, count, value_size, seed);
            prop_assert_eq!(&made, &batch(order, key_size, count, value_size, seed));
            prop_assert!(order == KeyOrder::Random || made.keys.is_sorted());
            let pairs = made.pairs();
            let keys: BTreeSet<&[u8]> = pairs.iter().map(|pair| pair.0).collect();
            prop_assert_eq!(keys.len(), count);
            for (key, value) in pairs {
                prop_assert_eq!((key.len(), value.len()), (key_size, value_size));
                prop_assert_ne!(key, value);
            }
        }
    }
}
