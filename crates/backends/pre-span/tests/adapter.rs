//! Every conformance case, heap allocations and identity of `pre-span`.

use witness::{Cost, Counts};

fn main() -> std::process::ExitCode {
    witness::tests::<backend_pre_span::PreSpan>(
        &[],
        Cost { per_put: Counts { blocks: 1, bytes: 80 }, per_transaction: Counts::NONE },
    )
}
