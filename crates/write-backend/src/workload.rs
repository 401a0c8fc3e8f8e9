//! The axes of the matrix and the stable names of their values.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::options::SyncMode;

/// The shortest key LMDB takes, in bytes.
pub const MIN_KEY_SIZE: usize = 1;
/// The longest key LMDB takes as it is compiled by all bindings here, in bytes
/// (`mdb_env_get_maxkeysize`).
pub const MAX_KEY_SIZE: usize = 511;
/// The largest batch that is accepted: its input is made in memory before the clock starts.
pub const MAX_BATCH_SIZE: usize = 1_000_000;
/// The largest value that is accepted, in bytes, for the same reason.
pub const MAX_VALUE_SIZE: usize = 16 * 1024 * 1024;

/// What one transaction writes and how it ends: one point of the matrix.
///
/// Every transaction of a measurement writes the same batch, as in the benchmark this project grew
/// from: the first commit fills the tree, the later ones replace values in a tree of constant size.
///
/// ```
/// use write_backend::Workload;
/// let workload: Workload = "commit-n100-v64-k4-sequential-nosync".parse().unwrap();
/// assert_eq!(workload.batch_size, 100);
/// assert_eq!(workload.to_string(), "commit-n100-v64-k4-sequential-nosync");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Workload {
    /// How the transaction ends.
    pub finish: Finish,
    /// What a commit waits for.
    pub sync: SyncMode,
    /// The order of the keys.
    pub key_order: KeyOrder,
    /// Length of every key in bytes.
    pub key_size: usize,
    /// Puts per transaction.
    pub batch_size: usize,
    /// Length of every value in bytes.
    pub value_size: usize,
}

impl Workload {
    /// Refuses sizes that LMDB cannot store or memory cannot hold.
    ///
    /// # Errors
    /// A sentence that names the axis, the value and what is allowed.
    pub fn check(&self) -> Result<(), String> {
        let Self { key_size, batch_size, value_size, .. } = *self;
        within("key size", key_size, MIN_KEY_SIZE, MAX_KEY_SIZE)?;
        within("batch size", batch_size, 1, MAX_BATCH_SIZE)?;
        within("value size", value_size, 0, MAX_VALUE_SIZE)?;
        if let Some(keys) = key_count(key_size).filter(|keys| (batch_size as u64) > *keys) {
            return Err(format!(
                "batch size {batch_size} needs more keys than there are with {key_size} byte(s): \
                 at most {keys}"
            ));
        }
        Ok(())
    }

    /// The number of bytes that one transaction hands to the backend, keys and values.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        (self.batch_size * (self.key_size + self.value_size)) as u64
    }
}

/// How many different keys of `key_size` bytes there are; `None` if more than a `u64` counts.
fn key_count(key_size: usize) -> Option<u64> {
    (key_size < size_of::<u64>()).then(|| 1 << (8 * key_size))
}

fn within(axis: &str, value: usize, low: usize, high: usize) -> Result<(), String> {
    if (low..=high).contains(&value) {
        Ok(())
    } else {
        Err(format!("{axis} {value} is not allowed: it must be {low} to {high}"))
    }
}

impl fmt::Display for Workload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { finish, sync, key_order, key_size, batch_size, value_size } = self;
        f.pad(&format!("{finish}-n{batch_size}-v{value_size}-k{key_size}-{key_order}-{sync}"))
    }
}

impl FromStr for Workload {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = || {
            let mut fields = text.splitn(5, '-');
            let finish = fields.next()?;
            let batch_size = fields.next()?.strip_prefix('n')?;
            let value_size = fields.next()?.strip_prefix('v')?;
            let key_size = fields.next()?.strip_prefix('k')?;
            // The name of an order may itself hold a hyphen, that of a sync mode does not.
            let (key_order, sync) = fields.next()?.rsplit_once('-')?;
            Some((finish, batch_size, value_size, key_size, key_order, sync))
        };
        let (finish, batch_size, value_size, key_size, key_order, sync) =
            parts().ok_or_else(|| {
                format!(
                    "`{text}` is not a workload: expected FINISH-nBATCH-vVALUE-kKEY-ORDER-SYNC, \
                     for example commit-n100-v64-k4-sequential-nosync"
                )
            })?;
        let number = |axis: &str, digits: &str| {
            digits.parse::<usize>().map_err(|error| format!("{axis} `{digits}`: {error}"))
        };
        let workload = Self {
            finish: finish.parse()?,
            sync: sync.parse()?,
            key_order: key_order.parse()?,
            key_size: number("key size", key_size)?,
            batch_size: number("batch size", batch_size)?,
            value_size: number("value size", value_size)?,
        };
        workload.check()?;
        Ok(workload)
    }
}

/// How a transaction ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Finish {
    /// It is dropped: the cost of the calls alone, on a tree that stays empty.
    Abort,
    /// It is committed.
    Commit,
}

impl Finish {
    /// Both ends, in the order of the tables.
    pub const ALL: [Self; 2] = [Self::Abort, Self::Commit];

    /// The name on command lines, in case names and results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Abort => "abort",
            Self::Commit => "commit",
        }
    }
}

impl fmt::Display for Finish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Finish {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        by_name(&Self::ALL, Self::name, "finish", text)
    }
}

/// The order in which a transaction puts its keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KeyOrder {
    /// 0, 1, 2, ... as big-endian integers: ascending for LMDB, which compares bytes.
    Sequential,
    /// 0, 1, 2, ... as little-endian integers, as the benchmark this project grew from had them:
    /// ascending for LMDB only up to 256 keys.
    SequentialLe,
    /// Different keys drawn from all keys of the given size, in the order drawn; which ones
    /// depends on the seed alone.
    Random,
}

impl KeyOrder {
    /// All orders, the default first.
    pub const ALL: [Self; 3] = [Self::Sequential, Self::SequentialLe, Self::Random];

    /// The name on command lines, in case names and results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sequential => "sequential",
            Self::SequentialLe => "sequential-le",
            Self::Random => "random",
        }
    }
}

impl fmt::Display for KeyOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for KeyOrder {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        by_name(&Self::ALL, Self::name, "key order", text)
    }
}

/// Finds the value called `text`, or says which names there are.
pub(crate) fn by_name<T: Copy>(
    all: &[T],
    name: impl Fn(T) -> &'static str,
    axis: &str,
    text: &str,
) -> Result<T, String> {
    all.iter().copied().find(|value| name(*value) == text).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|value| name(*value)).collect();
        format!("unknown {axis} `{text}`: it must be one of {}", names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn workload() -> impl Strategy<Value = Workload> {
        (
            prop::sample::select(&Finish::ALL[..]),
            prop::sample::select(&SyncMode::ALL[..]),
            prop::sample::select(&KeyOrder::ALL[..]),
            4_usize..=MAX_KEY_SIZE,
            1_usize..=MAX_BATCH_SIZE,
            0_usize..=MAX_VALUE_SIZE,
        )
            .prop_map(|(finish, sync, key_order, key_size, batch_size, value_size)| {
                Workload { finish, sync, key_order, key_size, batch_size, value_size }
            })
    }

    proptest! {
        #[test]
        fn a_name_reads_back_as_its_workload(workload in workload()) {
            prop_assert_eq!(workload.to_string().parse(), Ok(workload));
        }

        #[test]
        fn any_text_is_read_or_refused(text in ".*") {
            if let Ok(workload) = text.parse::<Workload>() {
                // `+4` and `04` are accepted as numbers, so the text itself need not come back.
                prop_assert_eq!(workload.to_string().parse(), Ok(workload));
            }
        }
    }

    #[test]
    fn refusals_say_what_is_allowed() {
        let refused = |text: &str| text.parse::<Workload>().unwrap_err();
        assert!(refused("write-n1-v4-k4-sequential-nosync").contains("one of abort, commit"));
        assert!(refused("commit-n1-v4-k512-sequential-nosync").contains("1 to 511"));
        assert!(refused("commit-n0-v4-k4-sequential-nosync").contains("1 to 1000000"));
        assert!(refused("commit-n257-v4-k1-sequential-nosync").contains("at most 256"));
        assert!(refused("commit-n1-v4-k4-sorted-nosync").contains("sequential-le"));
        assert!(refused("commit-n1-v4-k4-sequential-async").contains("nometasync"));
        assert!(refused("commit").contains("for example"));
    }
}
