//! What one transaction writes, and the values of its axes that have names.

use std::fmt;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap as _, Serializer};

use crate::axes::{AXES, Axis};
use crate::named::named;
use crate::options::{EnvironmentOptions, SyncMode};
use crate::workload_name;

/// The shortest key LMDB takes, in bytes.
pub const MIN_KEY_SIZE: usize = 1;
/// The longest key LMDB takes as it is compiled by all bindings here, in bytes
/// (`mdb_env_get_maxkeysize`).
pub const MAX_KEY_SIZE: usize = 511;
/// The largest batch that is accepted: its input is made in memory before the clock starts.
pub const MAX_BATCH_SIZE: usize = 1_000_000;
/// The largest value that is accepted, in bytes, for the same reason.
pub const MAX_VALUE_SIZE: usize = 16 * 1024 * 1024;
/// The largest preload that is accepted: more would fill most disks.
pub const MAX_PRELOAD: usize = 1_000_000_000;

/// What one transaction writes and how it ends: one value of each of the [`AXES`].
///
/// By default every transaction of a measurement writes the same batch, as in the benchmark this project
/// grew from: the first commit fills the tree, the later ones replace values in a tree of constant size.
///
/// ```
/// use write_backend::Workload;
/// let workload: Workload = "commit-n100-v64-k4-sequential-nosync".parse().unwrap();
/// assert_eq!(workload.batch_size, 100);
/// assert_eq!(workload.to_string(), "commit-n100-v64-k4-sequential-nosync");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Workload {
    /// How the transaction ends.
    pub finish: Finish,
    /// What a commit waits for.
    pub sync: SyncMode,
    /// How a pair is put.
    pub put: PutKind,
    /// What is put within a transaction of its own, inside of the transaction.
    pub nesting: Nesting,
    /// Which keys the transactions put.
    pub keys: Keys,
    /// How many pairs are there before the first transaction.
    pub preload: usize,
    /// In which order they were put.
    pub fill: Fill,
    /// How the environment is opened.
    pub environment: EnvironmentKind,
    /// Which database is written to.
    pub database: DatabaseKind,
    /// The order of the keys.
    pub key_order: KeyOrder,
    /// Length of every key in bytes.
    pub key_size: usize,
    /// Puts per transaction.
    pub batch_size: usize,
    /// Length of every value in bytes.
    pub value_size: usize,
}

impl Default for Workload {
    /// The smallest workload that is measured by default.
    fn default() -> Self {
        Self {
            finish: Finish::Abort,
            sync: SyncMode::NoSync,
            put: PutKind::Plain,
            nesting: Nesting::None,
            keys: Keys::Again,
            preload: 0,
            fill: Fill::Append,
            environment: EnvironmentKind::Usual,
            database: DatabaseKind::Unnamed,
            key_order: KeyOrder::Sequential,
            key_size: 4,
            batch_size: 1,
            value_size: 4,
        }
    }
}

impl Workload {
    /// Refuses sizes that LMDB cannot store or memory cannot hold, and values that do not go
    /// together.
    ///
    /// # Errors
    /// A sentence that names the axis, the value and what is allowed.
    pub fn check(&self) -> Result<(), String> {
        for axis in &AXES {
            axis.check(axis.get(self))?;
        }
        let Self { key_size, batch_size, .. } = *self;
        if let Some(keys) = key_count(key_size).filter(|keys| (batch_size as u64) > *keys) {
            return Err(format!(
                "batch size {batch_size} needs more keys than there are with {key_size} byte(s): \
                 at most {keys}"
            ));
        }
        self.check_state()?;
        self.check_put()
    }

    /// Whether the keys and what is there before go together.
    fn check_state(&self) -> Result<(), String> {
        let Self { keys, preload, fill, environment, database, .. } = *self;
        let Self { key_order, key_size, batch_size, .. } = *self;
        let is_sequential = key_order == KeyOrder::Sequential;
        if !is_sequential && (keys != Keys::Again || preload > 0 || database.has_integer_keys()) {
            return Err(format!(
                "key order {key_order} is not allowed with keys {keys}, preload {preload} and database \
                 {database}: it must be key order sequential, or keys again, preload 0 and database \
                 unnamed or named"
            ));
        }
        if database.has_integer_keys() && ![4, 8].contains(&key_size) {
            return Err(format!(
                "key size {key_size} is not allowed with database {database}: it must be 4 or 8"
            ));
        }
        if preload == 0 && (fill != Fill::Append || environment == EnvironmentKind::Cold) {
            return Err(format!(
                "fill {fill} and environment {environment} are not allowed with preload 0: it must be \
                 fill append and another environment than cold, or a preload of at least 1"
            ));
        }
        if keys == Keys::RandomExisting && preload < batch_size {
            return Err(format!(
                "keys {keys} is not allowed with preload {preload} and batch size {batch_size}: the \
                 preload must be at least the batch size"
            ));
        }
        let most = key_count(key_size).map(|keys| keys.saturating_sub(batch_size as u64) / STRIDE);
        if let Some(most) = most.filter(|most| preload as u64 > *most) {
            return Err(format!(
                "preload {preload} needs more keys than there are with {key_size} byte(s): at most {most}"
            ));
        }
        Ok(())
    }

    /// Whether the put takes the keys.
    fn check_put(&self) -> Result<(), String> {
        let Self { finish, put, keys, key_order, nesting, environment, .. } = *self;
        let is_writable = environment == EnvironmentKind::WritableMap;
        if nesting != Nesting::None && (put != PutKind::Plain || is_writable) {
            return Err(format!(
                "nesting {nesting} is not allowed with put {put} and environment {environment}: it must \
                 be put plain, and LMDB has no inner transactions with a writable map"
            ));
        }
        let are_new = match keys {
            Keys::Again => finish == Finish::Abort,
            Keys::Grow | Keys::RandomNew => true,
            Keys::RandomExisting => false,
        };
        if put.needs_new_keys() && !are_new {
            return Err(format!(
                "put {put} is not allowed with finish {finish} and keys {keys}: every key must be new, \
                 so it must be finish abort with keys again, or keys grow"
            ));
        }
        if put.needs_ascending_keys() && (key_order != KeyOrder::Sequential || !keys.ascend()) {
            return Err(format!(
                "put {put} is not allowed with key order {key_order} and keys {keys}: every key must be \
                 higher than all that are there, so it must be key order sequential with keys grow, or \
                 with keys again and finish abort"
            ));
        }
        Ok(())
    }

    /// How many pairs there are after `transactions`.
    #[must_use]
    pub fn entries(&self, transactions: u64) -> u64 {
        let (preload, batch) = (self.preload as u64, self.batch_size as u64);
        match (self.finish, self.keys) {
            (Finish::Abort, _) | (_, Keys::RandomExisting) => preload,
            (_, Keys::Again) => preload + if transactions > 0 { batch } else { 0 },
            (_, Keys::Grow | Keys::RandomNew) => preload + transactions * batch,
        }
    }

    /// Whether every transaction leaves a larger tree.
    #[must_use]
    pub fn grows(&self) -> bool {
        self.finish == Finish::Commit && matches!(self.keys, Keys::Grow | Keys::RandomNew)
    }

    /// The options of the environment that it is written to, where others are not asked for.
    #[must_use]
    pub fn environment(&self, usual: &EnvironmentOptions) -> EnvironmentOptions {
        let mut options = EnvironmentOptions { sync: self.sync, ..usual.clone() };
        match self.environment {
            EnvironmentKind::Usual => {}
            EnvironmentKind::WritableMap => options.writable_map = true,
            EnvironmentKind::NoMemInit => options.no_mem_init = true,
            EnvironmentKind::NoReadAhead | EnvironmentKind::Cold => options.no_read_ahead = true,
        }
        if self.database == DatabaseKind::Named {
            options.max_databases = 1;
            options.database.name = Some("pairs".to_owned());
        }
        options.database.integer_keys = self.database.has_integer_keys();
        options
    }

    /// The number of bytes that one transaction hands to the backend, keys and values.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        (self.batch_size * (self.key_size + self.value_size)) as u64
    }
}

/// Between the numbers of two preloaded keys lie this many less one, which are new keys in the middle of
/// the tree.
pub(crate) const STRIDE: u64 = 256;

/// How many different keys of `key_size` bytes there are; `None` if more than a `u64` counts.
pub(crate) fn key_count(key_size: usize) -> Option<u64> {
    (key_size < size_of::<u64>()).then(|| 1 << (8 * key_size))
}

impl fmt::Display for Workload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&workload_name::format(self))
    }
}

impl FromStr for Workload {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let workload = workload_name::parse(text)?;
        workload.check()?;
        Ok(workload)
    }
}

/// An object with one field per axis, except those whose value is implied.
impl Serialize for Workload {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for axis in &AXES {
            let value = axis.get(self);
            if axis.implied != Some(value) {
                map.serialize_entry(axis.key, &value)?;
            }
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Workload {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Fields)
    }
}

/// Reads the fields of a stored workload. Further fields are skipped.
struct Fields;

impl<'de> Visitor<'de> for Fields {
    type Value = Workload;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a workload")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Workload, A::Error> {
        let mut workload = Workload::default();
        let mut seen = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            let Some(axis) = Axis::find(&key) else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            if seen.contains(&axis.key) {
                return Err(A::Error::duplicate_field(axis.key));
            }
            axis.set(&mut workload, map.next_value_seed(axis)?);
            seen.push(axis.key);
        }
        for axis in AXES.iter().filter(|axis| !seen.contains(&axis.key)) {
            match axis.implied {
                Some(value) => axis.set(&mut workload, value),
                None => return Err(A::Error::missing_field(axis.key)),
            }
        }
        Ok(workload)
    }
}

/// How a transaction ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Finish {
    /// It is dropped: the cost of the calls alone, on a tree that stays empty.
    Abort,
    /// It is committed.
    Commit,
}

named!(Finish, "finish", [Abort = "abort", Commit = "commit"]);

/// How a pair is put.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PutKind {
    /// The binding's plain put.
    Plain,
    /// Refusing a key that is there (`MDB_NOOVERWRITE`): every key must be new.
    NoOverwrite,
    /// At the end of the tree, without a search (`MDB_APPEND`): every key must be higher than all
    /// that are there.
    Append,
    /// Asking for space of the value's length and copying the value there (`MDB_RESERVE`).
    Reserve,
    /// Through a cursor, one for each transaction (`mdb_cursor_put`), which goes on from where it is when
    /// the next key comes close behind.
    Cursor,
    /// [`Cursor`](Self::Cursor) and [`Append`](Self::Append) at once.
    CursorAppend,
}

named!(
    PutKind,
    "put",
    [
        Plain = "plain",
        NoOverwrite = "no-overwrite",
        Append = "append",
        Reserve = "reserve",
        Cursor = "cursor",
        CursorAppend = "cursor-append",
    ]
);

impl PutKind {
    /// Whether it takes only keys that are not there.
    #[must_use]
    pub fn needs_new_keys(self) -> bool {
        matches!(self, Self::NoOverwrite) || self.needs_ascending_keys()
    }

    /// Whether it takes only keys above all that are there.
    #[must_use]
    pub fn needs_ascending_keys(self) -> bool {
        matches!(self, Self::Append | Self::CursorAppend)
    }
}

/// What is put within a transaction of its own, inside of the transaction (`mdb_txn_begin` with a parent).
/// The inner one is always committed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Nesting {
    /// Nothing.
    None,
    /// All pairs of the transaction.
    PerBatch,
    /// Each pair.
    PerPut,
}

named!(Nesting, "nesting", [None = "none", PerBatch = "per-batch", PerPut = "per-put"]);

/// Which keys the transactions put.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Keys {
    /// The same in every transaction, above all that were preloaded.
    Again,
    /// New ones in every transaction, ascending and above all that are there.
    Grow,
    /// Others in every transaction, in random order, of those that were preloaded.
    RandomExisting,
    /// New ones in every transaction, in random order, between those that were preloaded.
    RandomNew,
}

named!(
    Keys,
    "keys",
    [Again = "again", Grow = "grow", RandomExisting = "random-existing", RandomNew = "random-new",]
);

impl Keys {
    fn ascend(self) -> bool {
        matches!(self, Self::Again | Self::Grow)
    }
}

/// The order in which pairs are preloaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fill {
    /// Ascending, each at the end (`MDB_APPEND`): all pages are full, so that every key that is put
    /// between splits one.
    Append,
    /// In random order: pages have room.
    Random,
}

named!(Fill, "fill", [Append = "append", Random = "random"]);

/// How an environment is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EnvironmentKind {
    /// With no flag but those of the sync mode.
    Usual,
    /// Pages are written through a writable map (`MDB_WRITEMAP`).
    WritableMap,
    /// Memory is not set to zero before it is written to the file (`MDB_NOMEMINIT`).
    NoMemInit,
    /// The system is told not to read ahead (`MDB_NORDAHEAD`).
    NoReadAhead,
    /// The same, and the system has forgotten what was preloaded when the environment is opened: a tree that
    /// memory does not hold. Linux alone can be told to forget.
    Cold,
}

named!(
    EnvironmentKind,
    "environment",
    [
        Usual = "usual",
        WritableMap = "writable-map",
        NoMemInit = "no-meminit",
        NoReadAhead = "no-readahead",
        Cold = "cold",
    ]
);

/// Which database is written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DatabaseKind {
    /// The environment's own.
    Unnamed,
    /// One with a name.
    Named,
    /// The unnamed one, with integers of the machine as keys (`MDB_INTEGERKEY`).
    IntegerKeys,
}

named!(
    DatabaseKind,
    "database",
    [Unnamed = "unnamed", Named = "named", IntegerKeys = "integer-keys"]
);

impl DatabaseKind {
    /// Whether its keys are numbers as the machine has them.
    #[must_use]
    pub fn has_integer_keys(self) -> bool {
        self == Self::IntegerKeys
    }
}

/// The order in which a transaction puts its keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
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

named!(
    KeyOrder,
    "key order",
    [Sequential = "sequential", SequentialLe = "sequential-le", Random = "random"]
);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::axes::{Value, Values};

    fn value(axis: &'static Axis) -> BoxedStrategy<Value> {
        match axis.values {
            Values::Numbers { low, high } => (low..=high).prop_map(Value::Number).boxed(),
            Values::Names(names) => prop::sample::select(names).prop_map(Value::Name).boxed(),
        }
    }

    fn workload() -> impl Strategy<Value = Workload> {
        let values: Vec<_> = AXES.iter().map(value).collect();
        let workload = values.prop_map(|values| {
            let mut workload = Workload::default();
            for (axis, value) in AXES.iter().zip(values) {
                axis.set(&mut workload, value);
            }
            workload
        });
        workload.prop_filter("possible", |workload| workload.check().is_ok())
    }

    proptest! {
        #[test]
        fn a_name_and_a_stored_workload_read_back(workload in workload()) {
            prop_assert_eq!(workload.to_string().parse(), Ok(workload));
            let stored = serde_json::to_string(&workload).unwrap();
            prop_assert_eq!(serde_json::from_str::<Workload>(&stored).unwrap(), workload);
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
    fn names_and_files_from_before_an_axis_was_added_mean_what_they_meant() {
        let name = "commit-n100-v64-k4-sequential-le-nosync";
        let stored = r#"{"finish":"commit","sync":"nosync","key_order":"sequential-le","key_size":4,"batch_size":100,"value_size":64}"#;
        let workload: Workload = name.parse().unwrap();
        assert_eq!(workload.put, PutKind::Plain);
        assert_eq!(workload.to_string(), name);
        assert_eq!(serde_json::from_str::<Workload>(stored).unwrap(), workload);
        assert_eq!(serde_json::to_string(&workload).unwrap(), stored);
    }

    #[test]
    fn every_axis_has_its_place_in_a_name() {
        let name = "commit-n10-v8-k8-sequential-nosync-cursor-append-grow-p1000-fill-random-no-meminit\
                    -integer-keys";
        let workload: Workload = name.parse().unwrap();
        assert_eq!(workload.to_string(), name);
        assert_eq!((workload.entries(3), workload.grows()), (1030, true));
    }

    #[test]
    fn another_put_is_named_and_stored() {
        let name = "abort-n10-v8-k4-sequential-nosync-append";
        let workload: Workload = name.parse().unwrap();
        assert_eq!((workload.put, workload.to_string().as_str()), (PutKind::Append, name));
        assert!(serde_json::to_string(&workload).unwrap().contains(r#""put":"append""#));
    }

    #[test]
    fn refusals_say_what_is_allowed() {
        for (text, allowed) in [
            ("write-n1-v4-k4-sequential-nosync", "one of abort, commit"),
            ("commit-n1-v4-k512-sequential-nosync", "1 to 511"),
            ("commit-n0-v4-k4-sequential-nosync", "1 to 1000000"),
            ("commit-n257-v4-k1-sequential-nosync", "at most 256"),
            ("commit-n1-v4-k4-sorted-nosync", "sequential-le"),
            ("commit-n1-v4-k4-sequential-async", "nometasync"),
            ("abort-n1-v4-k4-sequential-nosync-fast", "one of plain, no-overwrite, append"),
            ("commit-n1-v4-k4-sequential-nosync-append", "finish abort"),
            ("abort-n1-v4-k4-random-nosync-append", "key order sequential"),
            ("abort-n1-v4-k4-sequential-nosync-append-4", "one of again, grow"),
            ("commit-n1-v4-k4-sequential-nosync-append-random-new-p9", "keys grow"),
            ("commit-n2-v4-k4-sequential-nosync-random-existing-p1", "at least the batch size"),
            ("commit-n1-v4-k4-random-nosync-p1", "key order sequential"),
            ("commit-n1-v4-k4-sequential-nosync-fill-random", "a preload of at least 1"),
            ("commit-n1-v4-k2-sequential-nosync-p256", "at most 255"),
            ("commit-n1-v4-k5-sequential-nosync-integer-keys", "4 or 8"),
            (
                "commit-n1-v4-k4-sequential-nosync-writable-map-nested-per-put",
                "no inner transactions",
            ),
            ("commit-n1-4-k4-sequential-nosync", "for example"),
            ("commit", "for example"),
            ("", "one of abort, commit"),
        ] {
            let refused = text.parse::<Workload>().unwrap_err();
            assert!(refused.contains(allowed), "{text}: {refused}");
        }
    }

    #[test]
    fn a_stored_workload_must_be_whole_and_known() {
        let whole = serde_json::to_value(Workload::default()).unwrap();
        for (key, value, said) in [
            ("key_order", serde_json::json!("sorted"), "one of sequential, sequential-le, random"),
            ("put", serde_json::json!("fast"), "one of plain, no-overwrite, append"),
            ("batch_size", serde_json::json!("many"), "expected usize"),
        ] {
            let mut other = whole.clone();
            other[key] = value;
            let refused = serde_json::from_value::<Workload>(other).unwrap_err().to_string();
            assert!(refused.contains(said), "{refused}");
        }
        let mut less = whole;
        less.as_object_mut().unwrap().remove("sync");
        let refused = serde_json::from_value::<Workload>(less).unwrap_err().to_string();
        assert!(refused.contains("missing field `sync`"), "{refused}");
    }
}
