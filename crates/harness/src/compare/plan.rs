//! What is started when. Pure: a seed in, orders out.

use std::sync::Arc;

use write_backend::Workload;

use crate::backends::{Backend, Backends};
use crate::random::Random;
use crate::selection::Case;

/// A row of a block: a backend, or one that takes part a second time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Whose worker is started.
    pub backend: Arc<Backend>,
    /// What it stands for.
    pub role: Role,
}

/// What a launch stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The backend itself.
    Backend,
    /// The same backend once more, treated as if it were another: what it shows is noise.
    Twin,
    /// A twin that does this many transactions for every hundred that it reports, as nearly as whole
    /// transactions go: a slowdown of known size, to see whether it is found.
    Slowed(u64),
}

/// All that is measured on one workload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The workload.
    pub workload: Workload,
    /// Who takes part in every block. The first is the reference, whose speed decides how many
    /// transactions a sample has.
    pub entries: Vec<Entry>,
}

/// The groups of `cases`: to the backends asked for come those that they are compared with, and the
/// twin of the reference.
pub fn groups(cases: &[Case], backends: &Backends) -> Vec<Group> {
    let by_workload = cases.chunk_by(|a, b| a.workload == b.workload);
    by_workload
        .map(|cases| {
            let is_needed = |backend: &&Arc<Backend>| {
                !backend.is_reference
                    && cases.iter().any(|case| {
                        let control = case.backend.control.as_deref();
                        case.backend.id == backend.id || control == Some(&backend.id)
                    })
            };
            let entry = |backend: &Arc<Backend>, role| Entry { backend: Arc::clone(backend), role };
            let reference = backends.reference();
            let mut entries = vec![entry(reference, Role::Backend)];
            let others = backends.all().filter(is_needed);
            entries.extend(others.map(|backend| entry(backend, Role::Backend)));
            entries.push(entry(reference, Role::Twin));
            Group { workload: cases[0].workload, entries }
        })
        .collect()
}

/// The order of one block of one group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The entries in the order in which they are started.
    pub start: Vec<usize>,
    /// The environment padding of each entry, in bytes.
    pub padding: Vec<usize>,
    /// For each round the entries in the order in which they are sampled.
    pub rounds: Vec<Vec<usize>>,
}

impl Block {
    /// Draws a block for `entries` entries, as many as `present` names, with `rounds` rounds.
    pub fn draw(random: &mut Random, present: &[usize], entries: usize, rounds: usize) -> Self {
        let mut shuffled = || {
            let mut order = present.to_vec();
            random.shuffle(&mut order);
            order
        };
        let start = shuffled();
        let rounds = (0..rounds).map(|_| shuffled()).collect();
        let padding = (0..entries).map(|_| random.padding()).collect();
        Self { start, padding, rounds }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backends::testing;
    use crate::selection::{AxisValues, Filter, Selection, cases};

    #[test]
    fn what_a_backend_is_compared_with_takes_part() {
        let filter = Filter::parse(Some("commit-n1-v4-.*/heed"), false).unwrap();
        let backends = testing::backends();
        let selection = Selection {
            backends: backends.timed().cloned().collect(),
            values: AxisValues::default(),
        };
        let groups = groups(&cases(&selection, &filter).unwrap(), &backends);
        assert_eq!(groups.len(), 1);
        let ids: Vec<(&str, Role)> =
            groups[0].entries.iter().map(|entry| (entry.backend.id.as_str(), entry.role)).collect();
        assert_eq!(
            ids,
            [
                ("raw-ffi", Role::Backend),
                ("raw-ffi@lmdb-master-sys", Role::Backend),
                ("heed", Role::Backend),
                ("raw-ffi", Role::Twin),
            ]
        );
    }

    #[test]
    fn a_block_holds_everyone_present_once_per_round() {
        let mut random = Random::new(3);
        let block = Block::draw(&mut random, &[0, 2, 3], 4, 5);
        assert_eq!(block.rounds.len(), 5);
        for order in block.rounds.iter().chain([&block.start]) {
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, [0, 2, 3]);
        }
        assert_eq!(block.padding.len(), 4);
        assert_ne!(Block::draw(&mut random, &[0, 2, 3], 4, 5), block);
    }
}
