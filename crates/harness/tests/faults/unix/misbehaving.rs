//! This program as a worker that misbehaves in one way and is right in all others: it stands
//! between the harness and the real worker and hands on what either says, apart from its one fault.
//!
//! The fault is part of the name that the program is started under; the real worker lies beside it
//! under the name [`REAL`].

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::thread;
use std::time::Duration;

use child_process::{Child, Heard};
use write_backend::SyncMode;
use write_backend::protocol::{Reply, Request};

/// Begins the name of a misbehaving worker.
const PREFIX: &str = "misbehaves-";
const REAL: &str = "real";
/// Counts the launches of those that do not die at once: one byte each.
const LAUNCHES: &str = "launches";
/// One that dies later is well this often: long enough to be proven, with its clock, and to be measured
/// once.
const GOOD_LAUNCHES: u64 = 3;
/// As long as the longest test.
const LONG: Duration = Duration::from_secs(3600);

/// Makes, in the empty directory `directory`, a program that is `real` with `fault`.
pub(crate) fn install(directory: &Path, real: &Path, fault: &str) -> PathBuf {
    let this = std::env::current_exe().expect("this program");
    let program = directory.join(format!("{PREFIX}{fault}"));
    std::os::unix::fs::symlink(real, directory.join(REAL)).expect("a link");
    std::os::unix::fs::symlink(this, &program).expect("a link");
    program
}

/// Serves as a misbehaving worker if that is this program's name; `None` if it is not.
pub(crate) fn serve() -> Option<ExitCode> {
    let program = PathBuf::from(std::env::args_os().next()?);
    let fault = program.file_name()?.to_str()?.strip_prefix(PREFIX)?;
    let directory = program.parent()?;
    if fault == "DiesAtStart" {
        die("no luck from the start");
    }
    let fault = match fault {
        "DiesLater" if launches(directory) > GOOD_LAUNCHES => "DiesInRun",
        "DiesFifth" if launches(directory) == 5 => "DiesInRun",
        fault => fault,
    };
    let mut real = Child::start(&mut Command::new(directory.join(REAL))).expect("it starts");
    for line in io::stdin().lines() {
        let request: Request = serde_json::from_str(&line.expect("a request")).expect("a request");
        match (fault, &request) {
            (_, Request::Run { .. }) => misbehave_in_run(fault),
            ("HangsAtFinish", Request::Finish) => hang(),
            ("DiesInVerify", Request::Verify(_)) => die("cannot look"),
            _ => {}
        }
        let reply = reply(&mut real, fault, request);
        println!("{}", serde_json::to_string(&reply).expect("a reply is JSON"));
        if reply == Reply::Finished {
            if fault == "StaysAfterFinish" {
                hang();
            }
            break;
        }
    }
    Some(ExitCode::SUCCESS)
}

/// The faults that end the conversation; returns for all others.
fn misbehave_in_run(fault: &str) {
    match fault {
        "DiesInRun" => die("out of\nluck"),
        "HangsInRun" => eprintln!("lost in thought"),
        "SpeaksGarbage" => say(b"\x1b[31m\0 gar|bage \xff\xfe\r\n"),
        "TruncatesLine" => say(b"{\"reply\":\"ran\",\"transac\n"),
        "IsCutOff" => {
            say(b"{\"reply\":\"ran\",\"transac");
            die("cut off");
        }
        "NeverEndsLine" => loop {
            say(&[b'x'; 4096]);
        },
        "ClosesOutput" => {
            let error = Command::new("sh").args(["-c", "exec >&-; exec sleep 3600"]).exec();
            panic!("{error}");
        }
        _ => return,
    }
    hang();
}

fn say(bytes: &[u8]) {
    let mut output = io::stdout().lock();
    if output.write_all(bytes).and_then(|()| output.flush()).is_err() {
        // The harness has heard enough.
        std::process::exit(0);
    }
}

fn die(last_words: &str) -> ! {
    eprintln!("{last_words}");
    std::process::exit(7);
}

/// Until the harness has had enough.
fn hang() -> ! {
    loop {
        thread::sleep(LONG);
    }
}

/// How often this program was started, this time included.
fn launches(directory: &Path) -> u64 {
    let path = directory.join(LAUNCHES);
    let mut file = OpenOptions::new().create(true).append(true).open(&path).expect("a file");
    file.write_all(b"x").expect("one byte");
    fs::metadata(&path).expect("a file").len()
}

/// The real worker's reply to `request`, wrong as `fault` says.
fn reply(real: &mut Child, fault: &str, mut request: Request) -> Reply {
    if let Request::Run { warm_up, transactions } = &mut request {
        match fault {
            "SkipsCommits" => {
                let elapsed_ns = (*warm_up + *transactions) * 1000;
                return Reply::Ran { transactions: *transactions, elapsed_ns };
            }
            "DoesLess" => *transactions -= 1,
            _ => {}
        }
    }
    real.tell(&serde_json::to_string(&request).expect("a request is JSON")).expect("it reads");
    let Heard::Line(line) = real.hear(LONG) else { panic!("it answers") };
    let mut reply = serde_json::from_str(&line).expect("a reply");
    match (fault, &mut reply) {
        ("SpeaksOldProtocol", Reply::Hello(hello)) => hello.protocol = 0,
        // No fault, apart from its name.
        ("IsBrought", Reply::Hello(hello)) => hello.backend = "brought".into(),
        ("IsAnother", Reply::Hello(hello)) => hello.backend = "lmdb-rkv".into(),
        ("HasOtherEngine", Reply::Hello(hello)) => hello.engine_version = Some("0.9.24".into()),
        ("IgnoresSync", Reply::Prepared(prepared)) => prepared.sync = Some(SyncMode::Sync),
        ("HidesSync", Reply::Prepared(prepared)) => prepared.sync = None,
        ("AnswersAnother", Reply::Ran { .. }) => return Reply::Closed,
        ("TakesNoTime", Reply::Ran { elapsed_ns, .. }) => *elapsed_ns = 0,
        // Microseconds taken for nanoseconds, and the other way round.
        ("ClaimsTooLong", Reply::Ran { elapsed_ns, .. }) => *elapsed_ns *= 1000,
        ("ClaimsTooShort", Reply::Ran { elapsed_ns, .. }) => {
            *elapsed_ns = elapsed_ns.div_ceil(1000);
        }
        ("ClaimsMore" | "DoesLess", Reply::Ran { transactions, .. }) => *transactions += 1,
        _ => {}
    }
    reply
}
