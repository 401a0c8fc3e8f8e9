//! The keys and values of a workload, made before the clock starts.

use std::collections::BTreeSet;

use std::time::Duration;

use crate::encoding::Encoding;

use crate::error::BackendError;
use crate::timed::Pair;
use crate::workload::{KeyOrder, Keys, Workload};

/// The pairs that transactions put, in order.
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
    /// Makes the pairs that every transaction of `workload` puts; `seed` matters for [`KeyOrder::Random`]
    /// alone. Where each transaction has keys of its own ([`Keys`]) there are none: [`Supply`] makes them.
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
            _ if workload.keys != Keys::Again => Vec::new(),
            KeyOrder::Sequential => {
                let key = |put| workload.key_number(seed, put).map(|number| workload.key(number));
                (0..batch_size as u64)
                    .map(|put| key(put).unwrap_or_else(|why| panic!("{why}")))
                    .collect()
            }
            KeyOrder::SequentialLe => {
                let reversed = |i| Self::big_endian(i, key_size).into_iter().rev().collect();
                (0..batch_size as u64).map(reversed).collect()
            }
            KeyOrder::Random => random_keys(batch_size, key_size, seed),
        };
        Self::with_values(keys, value_size)
    }

    fn with_values(keys: Vec<Vec<u8>>, value_size: usize) -> Self {
        let values = keys.iter().map(|key| value_for(key, value_size)).collect();
        Self { keys, values }
    }

    /// The pairs of `transactions` transactions of `workload` with keys of their own, the first of which is
    /// the one with the number `first`.
    ///
    /// # Errors
    /// A sentence, when there are not so many keys.
    pub(crate) fn of_transactions(
        workload: &Workload,
        seed: u64,
        first: u64,
        transactions: u64,
    ) -> Result<Self, String> {
        let size = workload.batch_size as u64;
        let puts = first * size..(first + transactions) * size;
        let keys = puts.map(|put| Ok(workload.key(workload.key_number(seed, put)?)));
        Ok(Self::with_values(keys.collect::<Result<_, String>>()?, workload.value_size))
    }

    /// `index` in the last bytes of a key of `key_size`, the rest zero.
    pub(crate) fn big_endian(index: u64, key_size: usize) -> Vec<u8> {
        let digits = index.to_be_bytes();
        let mut key = vec![0; key_size];
        let used = key_size.min(digits.len());
        key[key_size - used..].copy_from_slice(&digits[digits.len() - used..]);
        key
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

/// Hands a worker's transactions their pairs, which are made while no clock runs.
#[derive(Debug)]
pub struct Supply<'a> {
    workload: Workload,
    seed: u64,
    encoding: Encoding,
    /// Those of every transaction.
    pairs: Vec<Pair<'a>>,
    /// How many transactions were run.
    done: u64,
}

impl<'a> Supply<'a> {
    /// The supply for transactions of `workload`, which has the `batch` that [`Batch::new`] makes.
    #[must_use]
    pub fn new(workload: &Workload, seed: u64, encoding: Encoding, batch: &'a Batch) -> Self {
        Self { workload: *workload, seed, encoding, pairs: batch.pairs(), done: 0 }
    }

    /// Calls `run` with the pairs of the next `transactions` transactions, once, or as often as memory for
    /// their keys and values asks for; returns how long the calls say that they took.
    ///
    /// # Errors
    /// What `run` reports, or that there are no more keys.
    pub fn run(
        &mut self,
        transactions: u64,
        mut run: impl FnMut(&[Pair<'_>], u64) -> Result<Duration, BackendError>,
    ) -> Result<Duration, String> {
        /// What the pairs of a call take, with what the allocator adds.
        const BYTES: u64 = 64 << 20;
        const BESIDE: u64 = 128;
        let mut run =
            |pairs: &[Pair<'_>], count| run(pairs, count).map_err(|error| error.to_string());
        if self.workload.keys == Keys::Again {
            return run(&self.pairs, transactions);
        }
        let each = self.workload.bytes() + self.workload.batch_size as u64 * BESIDE;
        let (mut elapsed, end) = (Duration::ZERO, self.done + transactions);
        while self.done < end {
            let count = (BYTES / each).clamp(1, end - self.done);
            let batch = Batch::of_transactions(&self.workload, self.seed, self.done, count)?
                .shaped(self.encoding);
            elapsed += run(&batch.pairs(), count)?;
            self.done += count;
        }
        Ok(elapsed)
    }
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
pub(crate) struct SplitMix64(pub(crate) u64);

impl SplitMix64 {
    pub(crate) fn next(&mut self) -> u64 {
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
