//! What an environment holds before and after the transactions of a workload: which key is the how many-th
//! put's, and which pairs were there before. Keys are computed from their number and never held.

use crate::backend::{WriteBackend, WriteTransaction as _};
use crate::batch::{Batch, SplitMix64, value_for};
use crate::error::BackendError;
use crate::options::PutFlags;
use crate::protocol::Prepare;
use crate::workload::{
    DatabaseKind, EnvironmentKind, Fill, Finish, Keys, STRIDE, Workload, key_count,
};

/// How many bytes of pages one preloading transaction may dirty: LMDB takes no more than 131,072 pages.
const DIRTY: usize = 64 << 20;
/// LMDB's smallest page.
const PAGE: usize = 4096;

impl Workload {
    /// The number of the key that the put with the number `put` takes, counted over all transactions.
    ///
    /// # Errors
    /// A sentence, when there are no more such keys.
    pub(crate) fn key_number(&self, seed: u64, put: u64) -> Result<u64, String> {
        let preload = self.preload as u64;
        let keys = key_count(self.key_size).unwrap_or(1 << 62);
        let number = match self.keys {
            Keys::Again | Keys::Grow => preload * STRIDE + put,
            Keys::RandomExisting => permuted(put % preload, preload, seed) * STRIDE,
            Keys::RandomNew if preload == 0 => permuted(put % keys, keys, seed),
            Keys::RandomNew => {
                let between = STRIDE - 1;
                let place = permuted(put % (preload * between), preload * between, seed);
                place / between * STRIDE + 1 + place % between
            }
        };
        let all = match (self.keys, preload) {
            (Keys::RandomNew, 0) => keys,
            (Keys::RandomNew, _) => preload * (STRIDE - 1),
            _ => u64::MAX,
        };
        // After an abort a key is new again.
        let is_used = put >= all && self.finish == Finish::Commit;
        if is_used || number >= keys {
            return Err(format!(
                "keys {} with preload {preload} and key size {}: there are no more of them after {put} \
                 puts; a longer key, a larger preload or fewer transactions may help",
                self.keys, self.key_size
            ));
        }
        Ok(number)
    }

    /// The key with a number.
    pub(crate) fn key(&self, number: u64) -> Vec<u8> {
        let mut key = Batch::big_endian(number, self.key_size);
        if self.database == DatabaseKind::IntegerKeys && cfg!(target_endian = "little") {
            key.reverse();
        }
        key
    }

    /// The preloaded pair with the number `index`. Its value is that of a put with all bits turned, so
    /// that a put which is claimed to have replaced it is seen.
    pub(crate) fn preloaded(&self, index: u64) -> (Vec<u8>, Vec<u8>) {
        let key = self.key(index * STRIDE);
        let mut value = value_for(&key, self.value_size);
        for byte in &mut value {
            *byte = !*byte;
        }
        (key, value)
    }

    /// How many pairs one preloading transaction puts.
    fn preloaded_at_once(&self) -> u64 {
        let leaf = self.key_size + self.value_size;
        let dirty =
            if self.fill == Fill::Random || leaf > PAGE / 2 { leaf + 2 * PAGE } else { leaf + 32 };
        (DIRTY / dirty).clamp(1, 100_000) as u64
    }

    /// How many transactions LMDB has counted before the first of a measurement: those that preload, and
    /// the one that makes a database with a name or flags.
    #[must_use]
    pub fn earlier_transactions(&self) -> u64 {
        (self.preload as u64).div_ceil(self.preloaded_at_once())
            + u64::from(self.database != DatabaseKind::Unnamed)
    }

    /// A map size in bytes that holds what is preloaded and what transactions add or replace.
    #[must_use]
    pub fn least_map(&self) -> usize {
        const GROWTH: usize = 1 << 30;
        // Some bindings take whole pages alone, and pages of some systems are larger than others'.
        const ROUND: usize = 1 << 20;
        let pair = self.key_size + self.value_size + 16;
        let pair = if pair > PAGE / 2 { (pair + 16).div_ceil(PAGE) * PAGE + 64 } else { pair };
        let factor = if self.fill == Fill::Random { 3 } else { 2 };
        let replaced = if self.preload > 0 { self.batch_size * (pair + 4 * PAGE) } else { 0 };
        let growth = if self.grows() { GROWTH } else { 0 };
        (self.preload * pair * factor + 4 * replaced + growth).next_multiple_of(ROUND)
    }
}

/// Puts what `asked` wants to be there before its first transaction.
///
/// # Errors
/// What the backend reports, and with it how many pairs were there.
pub(crate) fn preload<B: WriteBackend>(backend: &B, asked: &Prepare) -> Result<(), String> {
    let Prepare { workload, seed, .. } = asked;
    let (all, at_once) = (workload.preload as u64, workload.preloaded_at_once());
    let put_some = |from: u64| -> Result<(), BackendError> {
        let mut txn = backend.begin()?;
        for index in from..all.min(from + at_once) {
            match workload.fill {
                Fill::Append => {
                    let (key, value) = workload.preloaded(index);
                    txn.put_with_flags(&key, &value, PutFlags::APPEND)?;
                }
                Fill::Random => {
                    let (key, value) = workload.preloaded(permuted(index, all, !*seed));
                    txn.put(&key, &value)?;
                }
            }
        }
        txn.commit()
    };
    for from in (0..all).step_by(usize::try_from(at_once).unwrap_or(usize::MAX)) {
        put_some(from)
            .map_err(|error| format!("after {from} of {all} preloaded pairs: {error}"))?;
    }
    Ok(())
}

/// Reads a pair of every page that was preloaded, so that the first transactions do not meet pages that
/// this process has not mapped yet.
pub(crate) fn touch<B: WriteBackend>(backend: &B, workload: &Workload) -> Result<(), BackendError> {
    if workload.environment == EnvironmentKind::Cold {
        return Ok(());
    }
    // Pages are at least half full.
    let pairs = (PAGE / 4 / (workload.key_size + workload.value_size + 16)).max(1);
    for index in (0..workload.preload).step_by(pairs) {
        backend.get(&workload.key(index as u64 * STRIDE))?;
    }
    Ok(())
}

/// Where `place` of `count` comes in an order that `seed` draws: a permutation of 0 to `count` - 1, computed
/// for each place alone. It is a Feistel network over the next even number of bits, taken again as long as
/// its result is too large (Black and Rogaway, "Ciphers with arbitrary finite domains", 2002).
pub(crate) fn permuted(place: u64, count: u64, seed: u64) -> u64 {
    const ROUNDS: u64 = 4;
    let half = (u64::BITS - count.leading_zeros()).div_ceil(2).max(1);
    let mask = (1 << half) - 1;
    let mut number = place;
    loop {
        let (mut left, mut right) = (number >> half, number & mask);
        for round in 0..ROUNDS {
            let mixed = SplitMix64(seed ^ (round << 60) ^ right).next() & mask;
            (left, right) = (right, left ^ mixed);
        }
        number = left << half | right;
        if number < count {
            return number;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_place_has_another(count in 1_u64..3000, seed: u64) {
            let mut seen: Vec<u64> = (0..count).map(|place| permuted(place, count, seed)).collect();
            seen.sort_unstable();
            prop_assert_eq!(seen, (0..count).collect::<Vec<_>>());
        }
    }

    #[test]
    fn new_keys_lie_between_the_preloaded_and_come_to_an_end() {
        let name = "commit-n1-v8-k4-sequential-nosync-random-new-p3";
        let workload: Workload = name.parse().unwrap();
        let mut numbers: Vec<u64> =
            (0..3 * 255).map(|put| workload.key_number(1, put).unwrap()).collect();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), 3 * 255);
        assert!(numbers.iter().all(|number| *number < 3 * STRIDE && number % STRIDE != 0));
        assert!(workload.key_number(1, 3 * 255).unwrap_err().contains("no more of them after 765"));
        let aborts = Workload { finish: Finish::Abort, ..workload };
        assert_eq!(aborts.key_number(1, 3 * 255), aborts.key_number(1, 0));
    }
}
