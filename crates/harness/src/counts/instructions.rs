//! The timed worker under callgrind: which instructions a transaction executes.
//!
//! Collecting is on inside the timed loop alone, so the worker's start, its requests and replies are
//! not seen, and a dump is written with each reply. What the loop does once (it reads the clock)
//! cancels in the difference of two runs.
//!
//! Two processes with the same request give the same numbers to the last digit. What would make
//! them differ is kept the same: the environment variables, the path of the environment's directory,
//! the addresses (Valgrind places a program where it wants), and the choice that the C library makes
//! by the processor it finds (see `TUNABLES`). Only the length of the environment's full path still
//! reaches a binding that asks for it, and with it the allocator.
//!
//! Callgrind is run and read here, without gungraun: that needs a second program of its own version to
//! be installed, and counts functions of a bench, while what is to be counted is the worker itself.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::backends::Kind;
use crate::counts::profile;
use crate::counts::run::Plan;
use crate::counts::tally::Tally;
use crate::selection::Case;
use crate::worker::{Failure, PreparedWorker as _, ProcessLauncher};

/// Where collecting is on: the loops of the timed workers, and those of the loop in C. The Rust
/// names are parts of symbols that are the same in both of Rust's manglings.
const LOOPS: [&str; 6] = [
    "*5timed10abort_loop*",
    "*5timed11commit_loop*",
    "*5timed10abort_each*",
    "*5timed11commit_each*",
    "c_reference_abort_loop",
    "c_reference_commit_loop",
];

/// Where a dump is written: before each reply. The first is where the reply leaves the program, the
/// second is the worker's own function, should the C library call the first by another name; a
/// second dump of the same run is empty.
const DUMPS: [&str; 2] = ["write", "*6worker4send*"];

/// The beginning of the names of the dumps, which are numbered. The file of this name alone is that of
/// the program's end, made empty at its start.
const DUMP: &str = "profile";

/// Takes the C library's plainest functions for copying and comparing bytes, those for any x86-64
/// processor. The faster ones look at addresses (is the end of the page near?), so that the number
/// of instructions depends on where the allocator happened to place a key; and which one is taken
/// depends on the processor. Both would show as differences between bindings. A processor's feature
/// has two names, before and since glibc 2.33; unknown ones are ignored, and so is all of it on
/// other processors and C libraries.
const TUNABLES: &str = "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-AVX2,-AVX2_Usable,-AVX,\
     -AVX_Usable,-AVX_Fast_Unaligned_Load,-ERMS,-FSRM,-SSSE3,-Fast_Unaligned_Copy,-SSE4_1,-SSE4_2,\
     -BMI2,-MOVBE";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instructions {
    /// Of the n transactions by which a run of 2n is longer than a run of n.
    pub second: Tally,
    /// Of the n transactions by which a run of 3n is longer than a run of 2n.
    pub third: Tally,
}

pub fn count(
    launcher: &mut ProcessLauncher,
    case: &Case,
    plan: Plan,
) -> Result<Instructions, Failure> {
    let program = launcher.programs().of(&case.backend, Kind::Worker)?.to_owned();
    let place = launcher.place(&case.backend, &case.workload)?;
    let directory = place.directory().to_owned();
    let command = command(&program, &directory);
    let mut worker = launcher.launch_inside(command, place, &case.backend)?;
    worker.run(0, plan.warm_up)?;
    // The warm-up's, and the empty ones of the replies before it.
    take_dumps(&directory, &program)?;
    let mut run = |transactions| {
        worker.run(0, transactions)?;
        let tally = take_dumps(&directory, &program)?;
        if tally.total() == 0 {
            let what = "callgrind saw no instruction of the loop: does the program have symbols?";
            return Err(Failure::Reported(what.to_owned()));
        }
        Ok(tally)
    };
    let [once, twice, thrice] =
        [run(plan.transactions)?, run(2 * plan.transactions)?, run(3 * plan.transactions)?];
    let (place, transactions) = worker.finish()?;
    launcher.check(place, transactions)?;
    Ok(Instructions { second: twice - once, third: thrice - twice })
}

fn command(program: &Path, directory: &Path) -> Command {
    let mut command = Command::new("valgrind");
    // Nothing from a user's .valgrindrc.
    command.arg("--command-line-only=yes");
    command.arg("--tool=callgrind").arg("-q").arg("--vgdb=no").arg("--demangle=no");
    command.args(LOOPS.map(|name| format!("--toggle-collect={name}")));
    command.args(DUMPS.map(|name| format!("--dump-before={name}")));
    command.arg(format!("--callgrind-out-file={DUMP}"));
    command.arg(program).current_dir(directory);
    command.env_clear().env("GLIBC_TUNABLES", TUNABLES);
    // Where programs and Valgrind's own parts are found.
    for name in ["PATH", "VALGRIND_LIB"] {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    command
}

/// Reads and removes the dumps in `directory`; their sum.
fn take_dumps(directory: &Path, program: &Path) -> Result<Tally, Failure> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error| Failure::directory(&path, &error)
    };
    let program = program.file_name().unwrap_or_default().to_string_lossy();
    let mut tally = Tally::default();
    for path in dumps(directory).map_err(failed(directory))? {
        let bytes = fs::read(&path).map_err(failed(&path))?;
        let profile = profile::parse(&bytes).map_err(Failure::Reported)?;
        tally = tally + Tally::new(&profile, &program);
        fs::remove_file(&path).map_err(failed(&path))?;
    }
    Ok(tally)
}

fn dumps(directory: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let name = entry.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix(DUMP)?.strip_prefix('.'));
        if number.is_some_and(|number| number.parse::<u64>().is_ok()) {
            found.push(entry.path());
        }
    }
    Ok(found)
}
