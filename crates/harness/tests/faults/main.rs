//! The benches as a user runs them, with everything that can go wrong: misbehaving workers, full
//! disks, signals, bad arguments. Nothing is mocked: each test runs a whole bench in a process of
//! its own and looks at what it printed, what it wrote, how it ended, and what it left behind.
//!
//! One program in three roles: started as a test it runs the tests; started by a test it is a bench
//! ([`bench`]); started by that bench under a telling name it is a worker that misbehaves
//! ([`misbehaving`]).

#[cfg(unix)]
mod arguments;
#[cfg(unix)]
mod bench;
#[cfg(unix)]
mod brought;
#[cfg(unix)]
mod interrupts;
#[cfg(unix)]
mod misbehaving;
#[cfg(unix)]
mod results;
#[cfg(unix)]
mod scene;
#[cfg(unix)]
mod storage;
#[cfg(unix)]
mod workers;

#[cfg(unix)]
use std::process::ExitCode;

#[cfg(unix)]
use libtest_mimic::{Arguments, Completion, Trial, run};

#[cfg(unix)]
fn main() -> ExitCode {
    if let Some(code) = misbehaving::serve() {
        return code;
    }
    if let Some(code) = bench::serve() {
        return code;
    }
    let mut trials = Vec::new();
    trials.extend(workers::trials());
    trials.extend(arguments::trials());
    trials.extend(brought::trials());
    trials.extend(storage::trials());
    trials.extend(interrupts::trials());
    trials.extend(results::trials());
    run(&Arguments::from_args(), trials).exit_code()
}

/// Signals, links and `sh` are what these tests are made of.
#[cfg(not(unix))]
fn main() {
    println!("skipped: not a Unix system");
}

/// What a test returns: perhaps why it cannot be done on this machine. It fails by a panic.
#[cfg(unix)]
trait Done {
    fn done(self) -> Result<(), String>;
}

#[cfg(unix)]
impl Done for () {
    fn done(self) -> Result<(), String> {
        Ok(())
    }
}

#[cfg(unix)]
impl Done for Result<(), String> {
    fn done(self) -> Result<(), String> {
        self
    }
}

#[cfg(unix)]
fn test<D: Done>(name: &str, test: impl FnOnce() -> D + Send + 'static) -> Trial {
    Trial::ignorable_test(name, move || match test().done() {
        Ok(()) => Ok(Completion::Completed),
        // A machine that checks every change must be able to.
        Err(reason) if std::env::var_os("CI").is_some() => Err(reason.into()),
        Err(reason) => {
            eprintln!("skipped: {reason}");
            Ok(Completion::ignored_with(reason))
        }
    })
}

/// The tests of a module by the names of their functions.
#[cfg(unix)]
macro_rules! tests {
    ($($test:ident),* $(,)?) => {
        vec![$(crate::test(
            concat!(module_path!(), "::", stringify!($test)).trim_start_matches("faults::"),
            $test,
        )),*]
    };
}
#[cfg(unix)]
use tests;
