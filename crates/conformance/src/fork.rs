//! A process that goes on as two. Unix only: elsewhere there is no such call.

use std::io;

/// Does `what` in a forked child, which ends then without cleaning up; whether it said that it went well.
/// A child that does nothing for too long is ended.
#[cfg(unix)]
#[expect(unsafe_code, reason = "the standard library has no fork")]
pub(crate) fn in_child(what: impl FnOnce() -> bool) -> io::Result<bool> {
    use std::ffi::{c_int, c_uint};

    /// In seconds: less than the watchdog of the case has patience.
    const LIMIT: c_uint = 5;

    unsafe extern "C" {
        safe fn fork() -> c_int;
        safe fn alarm(seconds: c_uint) -> c_uint;
        safe fn _exit(code: c_int) -> !;
        fn waitpid(id: c_int, status: *mut c_int, options: c_int) -> c_int;
    }

    match fork() {
        0 => {
            alarm(LIMIT);
            _exit(c_int::from(!what()))
        }
        child if child > 0 => {
            let mut status = 0;
            // SAFETY: `status` is valid for writing.
            let waited = unsafe { waitpid(child, &raw mut status, 0) };
            if waited == child { Ok(status == 0) } else { Err(io::Error::last_os_error()) }
        }
        _ => Err(io::Error::last_os_error()),
    }
}

#[cfg(not(unix))]
pub(crate) fn in_child(_what: impl FnOnce() -> bool) -> io::Result<bool> {
    Err(io::ErrorKind::Unsupported.into())
}
