//! What is started when. Pure: a seed in, orders out.

use std::sync::Arc;

use write_backend::{AXES, Workload};

use crate::backends::{Backend, Backends};
use crate::random::Random;
use crate::selection::Case;

/// A row of a block: a backend, or one that takes part a second time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Whose worker is started.
    pub backend: Arc<Backend>,
    /// What it does.
    pub workload: Workload,
    /// What it stands for.
    pub role: Role,
    /// Which of its backend's link orders it takes: two entries of one backend have orders of their own,
    /// unless both have the same lane.
    pub lane: usize,
}

/// What a launch stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The backend itself.
    Backend,
    /// The same backend once more, treated as if it were another: what it shows is noise.
    Twin,
    /// The same backend once more in the same link order: what it shows is the noise of launches alone.
    Echo,
    /// A twin that does this many transactions for every hundred that it reports, as nearly as whole
    /// transactions go: a slowdown of known size, to see whether it is found.
    Slowed(u64),
}

/// All that is measured in the same blocks: on one workload, or on several that are compared with each
/// other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The workload, the first of several.
    pub workload: Workload,
    /// Who takes part in every block. The first is the reference, whose speed decides how many
    /// transactions a sample has.
    pub entries: Vec<Entry>,
}

impl Group {
    /// The group in which backends take part as they are named, each time in link orders of its own; an
    /// echo takes those of its backend.
    pub fn new(workload: Workload, rows: impl IntoIterator<Item = (Arc<Backend>, Role)>) -> Self {
        let mut entries: Vec<Entry> = Vec::new();
        for (backend, role) in rows {
            let earlier = entries.iter().filter(|it| it.backend.id == backend.id);
            let lane = if role == Role::Echo { 0 } else { earlier.count() };
            entries.push(Entry { backend, workload, role, lane });
        }
        Self { workload, entries }
    }

    /// The entry that stands for the backend `id` itself on `workload`.
    pub fn own(&self, id: &str, workload: &Workload) -> Option<usize> {
        let is_own = |entry: &Entry| entry.backend.id == id && entry.role == Role::Backend;
        self.entries.iter().position(|entry| is_own(entry) && entry.workload == *workload)
    }
}

/// How many lanes of link orders each backend has in `groups`.
pub fn lanes(groups: &[Group]) -> Vec<(Arc<Backend>, usize)> {
    let mut lanes: Vec<(Arc<Backend>, usize)> = Vec::new();
    for Entry { backend, lane, .. } in groups.iter().flat_map(|group| &group.entries) {
        match lanes.iter_mut().find(|(known, _)| known.id == backend.id) {
            Some((_, count)) => *count = (*count).max(lane + 1),
            None => lanes.push((Arc::clone(backend), lane + 1)),
        }
    }
    lanes
}

/// The groups of `cases`: to the backends asked for come those that they are compared with, the twin of
/// the reference and, where its link order changes from launch to launch, its echo. Workloads that differ in
/// the axes of `compares` alone are one group: their times are compared with each other.
pub fn groups(
    cases: &[Case],
    backends: &Backends,
    with_echo: bool,
    compares: &[String],
) -> Vec<Group> {
    let by_workload = cases.chunk_by(|a, b| a.workload == b.workload);
    let groups = by_workload.map(|cases| {
        let is_needed = |backend: &&Arc<Backend>| {
            !backend.is_reference
                && cases.iter().any(|case| {
                    let control = case.backend.control.as_deref();
                    case.backend.id == backend.id || control == Some(&backend.id)
                })
        };
        let reference = backends.reference();
        let others = backends.all().filter(is_needed);
        let own = std::iter::once(reference).chain(others).map(|it| (it, Role::Backend));
        let echo = with_echo.then_some((reference, Role::Echo));
        let rows = own.chain([(reference, Role::Twin)]).chain(echo);
        Group::new(cases[0].workload, rows.map(|(backend, role)| (Arc::clone(backend), role)))
    });
    let mut joined: Vec<(Workload, Group)> = Vec::new();
    for group in groups {
        let mut like = group.workload;
        let axes = AXES.iter().filter(|axis| compares.iter().any(|key| key == axis.key));
        axes.for_each(|axis| axis.set(&mut like, axis.defaults[0]));
        match joined.iter_mut().find(|(known, _)| *known == like) {
            Some((_, known)) => known.entries.extend(group.entries),
            None => joined.push((like, group)),
        }
    }
    joined.into_iter().map(|(_, group)| group).collect()
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
        let groups = groups(&cases(&[selection], &filter).unwrap(), &backends, true, &[]);
        assert_eq!(groups.len(), 1);
        let rows: Vec<(&str, Role, usize)> =
            groups[0].entries.iter().map(|it| (it.backend.id.as_str(), it.role, it.lane)).collect();
        assert_eq!(
            rows,
            [
                ("raw-ffi", Role::Backend, 0),
                ("raw-ffi@lmdb-master-sys", Role::Backend, 0),
                ("heed", Role::Backend, 0),
                ("raw-ffi", Role::Twin, 1),
                ("raw-ffi", Role::Echo, 0),
            ]
        );
        assert_eq!(lanes(&groups).iter().map(|(_, count)| *count).collect::<Vec<_>>(), [2, 1, 1]);
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
