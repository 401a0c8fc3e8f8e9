//! The pairs of a batch: everything follows from its number.

/// How many batches are in an environment at a time; a further one takes the place of the oldest.
pub(super) const SLOTS: u64 = 64;

/// The key under which each batch stores its number.
pub(super) const LAST: &[u8] = b"last";

/// The most pairs of data in a batch.
const MOST_PAIRS: u64 = 40;
/// The longest value but for the one that needs pages of its own, in bytes.
const LONGEST_VALUE: u64 = 600;
/// One value in so many needs pages of its own.
const LARGE_EVERY: u64 = 50;
/// The length of such a value, in bytes.
const LARGE: usize = 9000;

/// A key and its value.
pub(super) type Pair = (Vec<u8>, Vec<u8>);

/// A batch: some pairs of data, a summary of them, and the number under [`LAST`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Batch {
    number: u64,
    pairs: Vec<Pair>,
}

impl Batch {
    /// The batch with this number, from 1 on.
    pub(super) fn new(number: u64) -> Self {
        let slot = number % SLOTS;
        // As many pairs in each batch of a slot: a batch overwrites all of the one before it.
        let count = 1 + mix(slot) % MOST_PAIRS;
        let mut pairs: Vec<Pair> =
            (0..count).map(|index| (data_key(slot, index), value(number, index))).collect();
        pairs.push((summary_key(slot), summary(number, &pairs)));
        pairs.push((LAST.to_vec(), number.to_be_bytes().to_vec()));
        Self { number, pairs }
    }

    /// Its number.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// All of its pairs, in the order of the puts: data, summary, number.
    pub(super) fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// The pairs that stay until the next batch of the same slot: all but the last.
    pub(super) fn kept(&self) -> &[Pair] {
        &self.pairs[..self.pairs.len() - 1]
    }
}

/// The batches that an environment holds whose last one is `last`, each slot's newest.
pub(super) fn present(last: u64) -> impl Iterator<Item = u64> {
    last.saturating_sub(SLOTS - 1).max(1)..=last
}

/// The key of a slot's summary: behind all of its data.
fn summary_key(slot: u64) -> Vec<u8> {
    data_key(slot, u64::MAX)
}

fn data_key(slot: u64, index: u64) -> Vec<u8> {
    let mut key = b"slot".to_vec();
    key.extend(slot.to_be_bytes());
    key.extend(index.to_be_bytes());
    key
}

/// Bytes that follow from the batch's number and the pair's index; the number comes first.
fn value(number: u64, index: u64) -> Vec<u8> {
    let seed = mix(number ^ mix(index));
    let length =
        if seed.is_multiple_of(LARGE_EVERY) { LARGE } else { (seed % LONGEST_VALUE) as usize };
    let stream = (0..).flat_map(|step: u64| mix(seed.wrapping_add(step)).to_be_bytes());
    let mut value = number.to_be_bytes().to_vec();
    value.extend(stream.take(length));
    value
}

/// What a batch says of its data: number, how many pairs, checksum.
fn summary(number: u64, data: &[Pair]) -> Vec<u8> {
    let mut sum = Checksum(Checksum::OFFSET);
    for (key, value) in data {
        sum.add(key);
        sum.add(value);
    }
    [number, data.len() as u64, sum.0].iter().flat_map(|word| word.to_be_bytes()).collect()
}

/// FNV-1a with 64 bits (Fowler, Noll, Vo; draft-eastlake-fnv, "FNV-1a"), each part with its length.
struct Checksum(u64);

impl Checksum {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;

    fn add(&mut self, part: &[u8]) {
        self.add_bytes(&(part.len() as u64).to_be_bytes());
        self.add_bytes(part);
    }

    fn add_bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(Self::PRIME);
        }
    }
}

/// Spreads a number over 64 bits (Steele, Lea, Flood, "Fast splittable pseudorandom number
/// generators", 2014: the output step of `SplitMix64`).
fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn a_batch_overwrites_the_one_before_it_in_its_slot() {
        let keys = |number| -> Vec<Vec<u8>> {
            Batch::new(number).kept().iter().map(|(key, _)| key.clone()).collect()
        };
        assert_eq!(keys(5), keys(5 + SLOTS));
        assert_ne!(Batch::new(5), Batch::new(5 + SLOTS));
        let mut seen = HashSet::new();
        assert!((0..SLOTS).flat_map(keys).all(|key| seen.insert(key)));
    }

    #[test]
    fn some_values_need_pages_of_their_own() {
        let batches = (1..=SLOTS).map(Batch::new);
        let longest = |batch: Batch| batch.pairs().iter().map(|(_, value)| value.len()).max();
        assert_eq!(batches.filter_map(longest).max(), Some(LARGE + 8));
    }

    #[test]
    fn only_the_newest_of_each_slot_is_present() {
        assert_eq!(present(0).count(), 0);
        assert_eq!(present(3).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(present(1000).count() as u64, SLOTS);
    }

    #[test]
    fn the_checksum_is_the_published_one_and_knows_where_a_part_ends() {
        // The test vector for "a".
        let mut sum = Checksum(Checksum::OFFSET);
        sum.add_bytes(b"a");
        assert_eq!(sum.0, 0xaf63_dc4c_8601_ec8c);
        let of = |number, key: &str, value: &str| summary(number, &[(key.into(), value.into())]);
        assert_ne!(of(1, "ab", "c"), of(1, "a", "bc"));
        assert_ne!(of(1, "a", "b"), of(2, "a", "b"));
    }
}
