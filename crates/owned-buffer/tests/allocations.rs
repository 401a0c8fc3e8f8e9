//! Rust heap allocations of these backends.

use conformance::allocations::{self, Cost, Counts, KEY_SIZE, VALUE_SIZE};
use owned_buffer::{OwnedBuffer, PreSpan};

fn count(run: &mut dyn FnMut()) -> Counts {
    let info = allocation_counter::measure(run);
    Counts { blocks: info.count_total, bytes: info.bytes_total }
}

#[test]
fn owned_buffers_are_two_blocks_per_put() {
    let expected = Cost {
        per_put: Counts { blocks: 2, bytes: (KEY_SIZE + VALUE_SIZE) as u64 },
        per_transaction: Counts::NONE,
    };
    let directory = tempfile::tempdir().unwrap();
    assert_eq!(allocations::check::<OwnedBuffer>(directory.path(), count, expected), Ok(()));
}

// The size of the object that the backend models, on the machines where it was seen.
#[cfg(target_pointer_width = "64")]
#[test]
fn pre_span_is_one_object_per_put() {
    let expected = Cost { per_put: Counts { blocks: 1, bytes: 80 }, per_transaction: Counts::NONE };
    let directory = tempfile::tempdir().unwrap();
    assert_eq!(allocations::check::<PreSpan>(directory.path(), count, expected), Ok(()));
}
