//! Every conformance case, heap allocations and identity of `owned-buffer`.

use witness::{Cost, Counts, KEY_SIZE, VALUE_SIZE};

fn main() -> std::process::ExitCode {
    witness::tests::<backend_owned_buffer::OwnedBuffer>(
        &[],
        Cost {
            per_put: Counts { blocks: 2, bytes: (KEY_SIZE + VALUE_SIZE) as u64 },
            per_transaction: Counts::NONE,
        },
    )
}
