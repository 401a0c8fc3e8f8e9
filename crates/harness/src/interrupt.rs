//! Ctrl-C and SIGTERM: remembered here, looked at wherever the harness waits, so that workers are
//! ended, directories removed and partial results kept on the ordinary way out.

use std::sync::atomic::{AtomicBool, Ordering};

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// The exit code of a program that was interrupted, as shells have it for SIGINT.
pub const EXIT_CODE: u8 = 130;

/// Starts to listen. A second call does nothing.
pub fn listen() {
    // The only error is that somebody listens already.
    let _ = ctrlc::set_handler(|| REQUESTED.store(true, Ordering::Relaxed));
}

/// Whether the user or the system has asked the program to end.
pub fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}
