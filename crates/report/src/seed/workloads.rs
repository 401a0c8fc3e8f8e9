//! Which of our workloads stand beside the published ones.

use write_backend::{Finish, KeyOrder, SyncMode, Workload};

/// The branches of the binding there, before and after it took spans.
pub(super) const BEFORE: &str = "pre-span";
pub(super) const AFTER: &str = "master";
/// The length of the keys there: an integer of 32 bits.
const KEY_SIZE: usize = size_of::<i32>();

/// A workload of the published grid, with the settings that come closest.
pub(super) fn is_like_the_seed(workload: &Workload, finish: Finish) -> bool {
    workload.finish == finish
        && workload.sync == SyncMode::NoSync
        && workload.key_order == KeyOrder::Sequential
        && workload.key_size == KEY_SIZE
}
