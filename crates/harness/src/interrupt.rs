//! Ctrl-C, SIGTERM and the end of a terminal: remembered here, looked at wherever the harness waits, so that
//! workers are ended, directories removed and partial results kept on the ordinary way out.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

use crate::machine::parent;

static REQUESTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// The exit code of a program that was interrupted, as shells have it for SIGINT.
pub const EXIT_CODE: u8 = 130;

/// Listens from here on. What was ignored when this program started stays so: `nohup` and shells that start
/// something in the background ask for that.
pub fn listen() {
    use signal_hook::consts::{SIGINT, SIGTERM};
    #[cfg(unix)]
    let signals = [SIGINT, SIGTERM, signal_hook::consts::SIGHUP];
    #[cfg(not(unix))]
    let signals = [SIGINT, SIGTERM];
    let ignored = parent::ignored_signals();
    for signal in signals.into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0) {
        // None of these is one that nobody may listen to.
        let _ = signal_hook::flag::register(signal, Arc::clone(&REQUESTED));
    }
    parent::end_with_cargo();
}

pub fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}
