//! The timed worker under strace: which system calls a transaction makes.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::backends::Backend;
use crate::counts::place::Place;
use crate::counts::run::Plan;
use crate::counts::trace;
use crate::worker::Failure;
use crate::worker::session::{Session, Start};

/// The trace in the case's directory.
const TRACE: &str = "trace";

/// Counts the worker of `backend` in `place`: system calls per transaction by kind.
///
/// # Errors
/// When the worker fails, or strace did not see it.
pub fn count(
    program: &Path,
    backend: &Backend,
    place: &Place,
    start: &Start,
    plan: Plan,
) -> Result<BTreeMap<String, f64>, Failure> {
    let mut command = Command::new("strace");
    // Without the contents of buffers, which may be long.
    command.args(["-q", "-s", "0", "-o", TRACE]).arg(program).current_dir(place.path());
    let (mut session, _hello) = Session::start_command(command, program, backend, start)?;
    place.open(&mut session)?;
    place.run(&mut session, plan.warm_up)?;
    place.run(&mut session, plan.transactions)?;
    place.run(&mut session, 2 * plan.transactions)?;
    session.finish()?;
    let path = place.path().join(TRACE);
    let text = fs::read(&path).map_err(|error| Failure::Directory { path, error })?;
    // Replies to: hello, prepare, three runs, finish.
    match &trace::between_replies(&text)[..] {
        [_, _, _, once, twice, _] => Ok(trace::difference(once, twice, plan.transactions)),
        windows => {
            let found = windows.len();
            Err(Failure::Reported(format!("strace saw {found} replies of the worker, not 6")))
        }
    }
}
