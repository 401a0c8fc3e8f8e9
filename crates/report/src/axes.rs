//! The columns that tell the workloads of a table apart.

use std::collections::BTreeSet;

use write_backend::Workload;

use crate::table::Align;

/// The axes of a workload that a table has a column for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Axis {
    Finish,
    Sync,
    Order,
    KeySize,
    BatchSize,
    ValueSize,
}

impl Axis {
    const ALL: [Self; 6] =
        [Self::Finish, Self::Sync, Self::Order, Self::KeySize, Self::BatchSize, Self::ValueSize];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Finish => "Finish",
            Self::Sync => "Sync",
            Self::Order => "Keys",
            Self::KeySize => "KeySize",
            Self::BatchSize => "BatchSize",
            Self::ValueSize => "WriteSize",
        }
    }

    /// The name that programs read: that of the field in a results file.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::Finish => "finish",
            Self::Sync => "sync",
            Self::Order => "key_order",
            Self::KeySize => "key_size",
            Self::BatchSize => "batch_size",
            Self::ValueSize => "value_size",
        }
    }

    pub(crate) fn align(self) -> Align {
        match self {
            Self::Finish | Self::Sync | Self::Order => Align::Left,
            Self::KeySize | Self::BatchSize | Self::ValueSize => Align::Right,
        }
    }

    pub(crate) fn value(self, workload: &Workload) -> String {
        match self {
            Self::Finish => workload.finish.to_string(),
            Self::Sync => workload.sync.to_string(),
            Self::Order => workload.key_order.to_string(),
            Self::KeySize => workload.key_size.to_string(),
            Self::BatchSize => workload.batch_size.to_string(),
            Self::ValueSize => workload.value_size.to_string(),
        }
    }
}

/// Finish, batch and value size always; the others where they differ, so that a table of the default
/// matrix fits 80 columns.
pub(crate) fn axes(workloads: &[Workload]) -> Vec<Axis> {
    let differs = |axis: Axis| {
        let values: BTreeSet<String> =
            workloads.iter().map(|workload| axis.value(workload)).collect();
        values.len() > 1
    };
    let always = [Axis::Finish, Axis::BatchSize, Axis::ValueSize];
    let mut axes = Axis::ALL.to_vec();
    axes.retain(|axis| always.contains(axis) || differs(*axis));
    axes
}
