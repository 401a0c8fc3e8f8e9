//! Rust heap allocations of this backend.

use conformance::allocations::{self, Cost, Counts};
use raw_ffi::RawFfi;

fn count(run: &mut dyn FnMut()) -> Counts {
    let info = allocation_counter::measure(run);
    Counts { blocks: info.count_total, bytes: info.bytes_total }
}

#[test]
fn nothing_per_put_and_per_transaction() {
    let expected = Cost { per_put: Counts::NONE, per_transaction: Counts::NONE };
    let directory = tempfile::tempdir().unwrap();
    assert_eq!(allocations::check::<RawFfi>(directory.path(), count, expected), Ok(()));
}
