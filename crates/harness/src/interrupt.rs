//! Ctrl-C and SIGTERM: remembered here, looked at wherever the harness waits, so that workers are
//! ended, directories removed and partial results kept on the ordinary way out.

use std::sync::atomic::{AtomicBool, Ordering};

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// The exit code of a program that was interrupted, as shells have it for SIGINT.
pub const EXIT_CODE: u8 = 130;

pub fn listen() {
    // The only error is that somebody listens already.
    let _ = ctrlc::set_handler(|| REQUESTED.store(true, Ordering::Relaxed));
}

pub fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}
