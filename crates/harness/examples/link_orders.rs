//! Which way of drawing link orders is like what users build?
//!
//! `cargo run --release -p harness --example link_orders -- --value-size 64 --orders 16 --launches 10`

use std::process::ExitCode;

fn main() -> ExitCode {
    harness::link_orders(&harness::Supply::Workspace)
}
