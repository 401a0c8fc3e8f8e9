//! The axes of the matrix in one table.
//!
//! Names of workloads, stored workloads, command-line options, the product of all cases and the
//! columns of tables are made by iterating over [`AXES`]. A new axis is one entry there, its field of
//! [`Workload`], and its meaning where it is measured.

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};

use crate::named;
use crate::options::SyncMode;
use crate::workload::{
    DatabaseKind, EnvironmentKind, Fill, Finish, KeyOrder, Keys, MAX_BATCH_SIZE, MAX_KEY_SIZE,
    MAX_PRELOAD, MAX_VALUE_SIZE, MIN_KEY_SIZE, Nesting, PutKind, Workload,
};

/// A dimension of workloads.
#[derive(Debug)]
pub struct Axis {
    /// The field's name in files and CSV.
    pub key: &'static str,
    /// The name in sentences.
    pub name: &'static str,
    /// The name of the command-line option, without the dashes.
    pub option: &'static str,
    /// What stands for its values in the help of that option.
    pub placeholder: &'static str,
    /// The heading of its column.
    pub heading: &'static str,
    /// What its numbers count, where a reader cannot know.
    pub unit: Option<&'static str>,
    /// What it says about a workload, in a few words.
    pub meaning: &'static str,
    /// Which values there are.
    pub values: Values,
    /// The values that are measured unless others are asked for.
    pub defaults: &'static [Value],
    /// The value of a workload that does not mention this axis, in a name or a file: the axis was
    /// added when there were stored files already. `None`: a workload must mention it.
    pub implied: Option<Value>,
    /// What stands before a value in a workload's name.
    pub(crate) tag: &'static str,
    /// Where its value stands in a workload's name, counted from 0.
    pub(crate) place: usize,
    field: Field,
}

/// A field of [`Workload`].
#[derive(Debug)]
struct Field {
    get: fn(&Workload) -> Value,
    /// `None` for a value of another axis.
    set: fn(&mut Workload, Value) -> Option<()>,
}

/// The values that an axis can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Values {
    /// All numbers between two.
    Numbers {
        /// The smallest.
        low: usize,
        /// The largest.
        high: usize,
    },
    /// One of these names.
    Names(&'static [&'static str]),
}

/// A value of an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Value {
    /// A number.
    Number(usize),
    /// A name.
    Name(&'static str),
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Name(name) => f.pad(name),
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) => number.serialize(serializer),
            Self::Name(name) => serializer.serialize_str(name),
        }
    }
}

macro_rules! number {
    ($field:ident) => {
        Field {
            get: |workload| Value::Number(workload.$field),
            set: |workload, value| {
                let Value::Number(number) = value else { return None };
                workload.$field = number;
                Some(())
            },
        }
    };
}

macro_rules! name {
    ($field:ident) => {
        Field {
            get: |workload| Value::Name(workload.$field.name()),
            set: |workload, value| {
                let Value::Name(name) = value else { return None };
                workload.$field = name.parse().ok()?;
                Some(())
            },
        }
    };
}

/// All axes, in the order in which tables vary them: the first is the slowest to change.
///
/// ```
/// use write_backend::{AXES, Workload};
/// let workload: Workload = "commit-n100-v64-k4-sequential-nosync".parse().unwrap();
/// let values: Vec<String> = AXES.iter().map(|axis| axis.get(&workload).to_string()).collect();
/// assert_eq!(values[..4], ["commit", "nosync", "unnamed", "usual"]);
/// ```
pub static AXES: [Axis; 13] = [
    Axis {
        key: "finish",
        name: "finish",
        option: "finish",
        placeholder: "FINISH,..",
        heading: "Finish",
        unit: None,
        meaning: "How transactions end",
        values: Values::Names(&Finish::NAMES),
        defaults: &[Value::Name("abort"), Value::Name("commit")],
        implied: None,
        tag: "",
        place: 0,
        field: name!(finish),
    },
    Axis {
        key: "sync",
        name: "sync mode",
        option: "sync",
        placeholder: "MODE,..",
        heading: "Sync",
        unit: None,
        meaning: "What a commit waits for",
        values: Values::Names(&SyncMode::NAMES),
        defaults: &[Value::Name("nosync")],
        implied: None,
        tag: "",
        place: 5,
        field: name!(sync),
    },
    Axis {
        key: "database",
        name: "database",
        option: "database",
        placeholder: "DATABASE,..",
        heading: "Database",
        unit: None,
        meaning: "Which database is written to",
        values: Values::Names(&DatabaseKind::NAMES),
        defaults: &[UNNAMED],
        implied: Some(UNNAMED),
        tag: "",
        place: 11,
        field: name!(database),
    },
    Axis {
        key: "environment",
        name: "environment",
        option: "environment",
        placeholder: "FLAGS,..",
        heading: "Environment",
        unit: None,
        meaning: "How the environment is opened",
        values: Values::Names(&EnvironmentKind::NAMES),
        defaults: &[USUAL],
        implied: Some(USUAL),
        tag: "",
        place: 10,
        field: name!(environment),
    },
    Axis {
        key: "preload",
        name: "preload",
        option: "preload",
        placeholder: "PAIRS,..",
        heading: "Preload",
        unit: None,
        meaning: "How many pairs are there before the first transaction",
        values: Values::Numbers { low: 0, high: MAX_PRELOAD },
        defaults: &[Value::Number(0)],
        implied: Some(Value::Number(0)),
        tag: "p",
        place: 8,
        field: number!(preload),
    },
    Axis {
        key: "fill",
        name: "fill",
        option: "fill",
        placeholder: "ORDER,..",
        heading: "Fill",
        unit: None,
        meaning: "The order in which these were put",
        values: Values::Names(&Fill::NAMES),
        defaults: &[APPENDED],
        implied: Some(APPENDED),
        tag: "fill-",
        place: 9,
        field: name!(fill),
    },
    Axis {
        key: "keys",
        name: "keys",
        option: "keys",
        placeholder: "KEYS,..",
        heading: "WhichKeys",
        unit: None,
        meaning: "Which keys the transactions put",
        values: Values::Names(&Keys::NAMES),
        defaults: &[AGAIN],
        implied: Some(AGAIN),
        tag: "",
        place: 7,
        field: name!(keys),
    },
    Axis {
        key: "nesting",
        name: "nesting",
        option: "nesting",
        placeholder: "NESTING,..",
        heading: "Nested",
        unit: None,
        meaning: "What is put within an inner transaction",
        values: Values::Names(&Nesting::NAMES),
        defaults: &[NOT_NESTED],
        implied: Some(NOT_NESTED),
        tag: "nested-",
        place: 12,
        field: name!(nesting),
    },
    Axis {
        key: "put",
        name: "put",
        option: "put",
        placeholder: "PUT,..",
        heading: "Put",
        unit: None,
        meaning: "How a pair is put",
        values: Values::Names(&PutKind::NAMES),
        defaults: &[PLAIN],
        implied: Some(PLAIN),
        tag: "",
        place: 6,
        field: name!(put),
    },
    Axis {
        key: "key_order",
        name: "key order",
        option: "order",
        placeholder: "ORDER,..",
        heading: "Keys",
        unit: None,
        meaning: "The order of the keys in a transaction",
        values: Values::Names(&KeyOrder::NAMES),
        defaults: &[Value::Name("sequential")],
        implied: None,
        tag: "",
        place: 4,
        field: name!(key_order),
    },
    Axis {
        key: "key_size",
        name: "key size",
        option: "key-size",
        placeholder: "BYTES,..",
        heading: "KeySize",
        unit: Some("bytes"),
        meaning: "Length of every key",
        values: Values::Numbers { low: MIN_KEY_SIZE, high: MAX_KEY_SIZE },
        // This and the next two: those of the benchmark that this project grew from.
        defaults: &[Value::Number(4)],
        implied: None,
        tag: "k",
        place: 3,
        field: number!(key_size),
    },
    Axis {
        key: "batch_size",
        name: "batch size",
        option: "batch",
        placeholder: "N,..",
        heading: "BatchSize",
        unit: None,
        meaning: "Puts per transaction",
        values: Values::Numbers { low: 1, high: MAX_BATCH_SIZE },
        defaults: &[Value::Number(1), Value::Number(10), Value::Number(100)],
        implied: None,
        tag: "n",
        place: 1,
        field: number!(batch_size),
    },
    Axis {
        key: "value_size",
        name: "value size",
        option: "value-size",
        placeholder: "BYTES,..",
        heading: "WriteSize",
        unit: Some("bytes"),
        meaning: "Length of every value",
        values: Values::Numbers { low: 0, high: MAX_VALUE_SIZE },
        defaults: &[Value::Number(4), Value::Number(8), Value::Number(64), Value::Number(256)],
        implied: None,
        tag: "v",
        place: 2,
        field: number!(value_size),
    },
];

const PLAIN: Value = Value::Name(PutKind::Plain.name());
const NOT_NESTED: Value = Value::Name(Nesting::None.name());
const AGAIN: Value = Value::Name(Keys::Again.name());
const APPENDED: Value = Value::Name(Fill::Append.name());
const USUAL: Value = Value::Name(EnvironmentKind::Usual.name());
const UNNAMED: Value = Value::Name(DatabaseKind::Unnamed.name());

impl Axis {
    /// The axis with this `key`.
    #[must_use]
    pub fn find(key: &str) -> Option<&'static Self> {
        AXES.iter().find(|axis| axis.key == key)
    }

    /// The value that `workload` has.
    #[must_use]
    pub fn get(&self, workload: &Workload) -> Value {
        (self.field.get)(workload)
    }

    /// Gives `workload` another value.
    ///
    /// # Panics
    /// If `value` is one of another axis.
    pub fn set(&self, workload: &mut Workload, value: Value) {
        let is_set = (self.field.set)(workload, value).is_some();
        assert!(is_set, "`{value}` is no {}", self.name);
    }

    /// Reads a value.
    ///
    /// # Errors
    /// A sentence that names the axis, the text and what is allowed.
    pub fn parse(&self, text: &str) -> Result<Value, String> {
        let value = match self.values {
            Values::Numbers { .. } => text
                .parse()
                .map(Value::Number)
                .map_err(|error| format!("{} `{text}`: {error}", self.name))?,
            Values::Names(names) => Value::Name(names[named::position(self.name, names, text)?]),
        };
        self.check(value)?;
        Ok(value)
    }

    /// Refuses a number that is too small or too large.
    ///
    /// # Errors
    /// A sentence that names the axis, the value and what is allowed.
    pub(crate) fn check(&self, value: Value) -> Result<(), String> {
        match (self.values, value) {
            (Values::Numbers { low, high }, Value::Number(number))
                if !(low..=high).contains(&number) =>
            {
                Err(format!("{} {number} is not allowed: it must be {low} to {high}", self.name))
            }
            _ => Ok(()),
        }
    }

    /// The product of several values of each axis: one workload for each combination, the last axis
    /// varying fastest. Combinations that [`Workload::check`] refuses are among them.
    pub fn product(values: impl Fn(&'static Self) -> Vec<Value>) -> Vec<Workload> {
        let mut workloads = vec![Workload::default()];
        for axis in &AXES {
            let values = values(axis);
            let vary = |workload: Workload| {
                values.iter().map(move |&value| {
                    let mut varied = workload;
                    axis.set(&mut varied, value);
                    varied
                })
            };
            workloads = workloads.into_iter().flat_map(vary).collect();
        }
        workloads
    }
}

/// Reads a stored value. A number is not checked here: whoever reads a file may want to say more
/// about it than that it is too large.
impl<'de> DeserializeSeed<'de> for &Axis {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        match self.values {
            Values::Numbers { .. } => usize::deserialize(deserializer).map(Value::Number),
            Values::Names(_) => {
                self.parse(&String::deserialize(deserializer)?).map_err(D::Error::custom)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_a_value_and_the_first_one_that_of_the_default_workload() {
        for axis in &AXES {
            assert_eq!(axis.get(&Workload::default()), axis.defaults[0], "{}", axis.key);
            for value in axis.defaults {
                assert_eq!(axis.parse(&value.to_string()), Ok(*value));
            }
        }
    }

    #[test]
    fn the_product_varies_the_last_axis_fastest() {
        let workloads = Axis::product(|axis| axis.defaults.to_vec());
        assert_eq!((workloads.len(), workloads.is_sorted()), (24, true));
        assert_eq!(workloads[1].to_string(), "abort-n1-v8-k4-sequential-nosync");
        assert_eq!(workloads[23].to_string(), "commit-n100-v256-k4-sequential-nosync");
    }
}
