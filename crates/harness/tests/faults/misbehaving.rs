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
use serde::Deserialize;
use write_backend::SyncMode;
use write_backend::protocol::{Reply, Request};

/// Begins the name of a misbehaving worker.
const PREFIX: &str = "misbehaves-";
/// The name of the real worker.
const REAL: &str = "real";
/// Counts the launches of those that do not die at once: one byte each.
const LAUNCHES: &str = "launches";
/// The watchdog of the real worker, however busy the machine is.
const LIMIT: Duration = Duration::from_secs(60);
/// [`Fault::DiesLater`] is well this often: long enough to be proven, with its clock, and to be measured once.
const GOOD_LAUNCHES: u64 = 3;

/// What a worker does wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub(crate) enum Fault {
    /// None: shows that what stands between changes nothing.
    None,
    DiesAtStart,
    DiesInRun,
    DiesLater,
    DiesFifth,
    HangsInRun,
    HangsAtFinish,
    StaysAfterFinish,
    SpeaksGarbage,
    TruncatesLine,
    IsCutOff,
    NeverEndsLine,
    ClosesOutput,
    AnswersAnother,
    SpeaksOldProtocol,
    IsAnother,
    HasOtherEngine,
    TakesNoTime,
    ClaimsMore,
    DoesLess,
    IgnoresSync,
    HidesSync,
    SkipsCommits,
    DiesInVerify,
    ClaimsTooLong,
    ClaimsTooShort,
    /// None, except that it has another name.
    IsBrought,
}

/// Makes, in the empty directory `directory`, a program that is `real` with `fault`.
pub(crate) fn install(directory: &Path, real: &Path, fault: Fault) -> PathBuf {
    let this = std::env::current_exe().expect("this program");
    let program = directory.join(format!("{PREFIX}{fault:?}"));
    std::os::unix::fs::symlink(real, directory.join(REAL)).expect("a link");
    std::os::unix::fs::symlink(this, &program).expect("a link");
    program
}

/// Serves as a misbehaving worker if that is this program's name; `None` if it is not.
pub(crate) fn serve() -> Option<ExitCode> {
    let program = PathBuf::from(std::env::args_os().next()?);
    let name = program.file_name()?.to_str()?.strip_prefix(PREFIX)?;
    let fault = serde_json::from_value(name.into()).expect("the name of a fault");
    let directory = program.parent()?;
    if fault == Fault::DiesAtStart {
        die("no luck from the start");
    }
    let fault = match fault {
        Fault::DiesLater if launches(directory) > GOOD_LAUNCHES => Fault::DiesInRun,
        Fault::DiesFifth if launches(directory) == 5 => Fault::DiesInRun,
        fault => fault,
    };
    let mut real = Real::start(&directory.join(REAL));
    for line in io::stdin().lines() {
        let line = line.expect("a request");
        let request: Request = serde_json::from_str(&line).expect("a request");
        if matches!(request, Request::Run { .. }) {
            misbehave_in_run(fault);
        }
        match (fault, &request) {
            (Fault::HangsAtFinish, Request::Finish) => hang(),
            (Fault::DiesInVerify, Request::Verify(_)) => die("cannot look"),
            _ => {}
        }
        let reply = real.reply(fault, request);
        println!("{}", serde_json::to_string(&reply).expect("a reply is JSON"));
        if reply == Reply::Finished {
            if fault == Fault::StaysAfterFinish {
                hang();
            }
            break;
        }
    }
    Some(ExitCode::SUCCESS)
}

/// The faults that end the conversation; returns for all others.
fn misbehave_in_run(fault: Fault) {
    match fault {
        Fault::DiesInRun => die("out of\nluck"),
        Fault::HangsInRun => {
            eprintln!("lost in thought");
            hang();
        }
        Fault::SpeaksGarbage => say(b"\x1b[31m\0 gar|bage \xff\xfe\r\n"),
        Fault::TruncatesLine => say(b"{\"reply\":\"ran\",\"transac\n"),
        Fault::IsCutOff => {
            say(b"{\"reply\":\"ran\",\"transac");
            die("cut off");
        }
        Fault::NeverEndsLine => loop {
            say(&[b'x'; 4096]);
        },
        Fault::ClosesOutput => {
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
        thread::sleep(Duration::from_secs(3600));
    }
}

/// How often this program was started, this time included.
fn launches(directory: &Path) -> u64 {
    let path = directory.join(LAUNCHES);
    let mut file = OpenOptions::new().create(true).append(true).open(&path).expect("a file");
    file.write_all(b"x").expect("one byte");
    fs::metadata(&path).expect("a file").len()
}

/// The real worker.
struct Real(Child);

impl Real {
    fn start(program: &Path) -> Self {
        Self(Child::start(&mut Command::new(program)).expect("it starts"))
    }

    fn ask(&mut self, request: &Request) -> Reply {
        let line = serde_json::to_string(request).expect("a request is JSON");
        self.0.tell(&line).expect("it reads");
        let Heard::Line(reply) = self.0.hear(LIMIT) else { panic!("it does not answer") };
        serde_json::from_str(&reply).expect("a reply")
    }

    /// The reply to `request`, wrong as `fault` says.
    fn reply(&mut self, fault: Fault, mut request: Request) -> Reply {
        if let Request::Run { warm_up, transactions } = &mut request {
            match fault {
                Fault::SkipsCommits => {
                    let elapsed_ns = (*warm_up + *transactions) * 1000;
                    return Reply::Ran { transactions: *transactions, elapsed_ns };
                }
                Fault::DoesLess => *transactions -= 1,
                _ => {}
            }
        }
        let mut reply = self.ask(&request);
        match (fault, &mut reply) {
            (Fault::SpeaksOldProtocol, Reply::Hello(hello)) => hello.protocol = 0,
            (Fault::IsBrought, Reply::Hello(hello)) => hello.backend = "brought".into(),
            (Fault::IsAnother, Reply::Hello(hello)) => hello.backend = "lmdb-rkv".into(),
            (Fault::HasOtherEngine, Reply::Hello(hello)) => {
                hello.engine_version = Some("0.9.24".to_owned());
            }
            (Fault::IgnoresSync, Reply::Prepared(prepared)) => prepared.sync = Some(SyncMode::Sync),
            (Fault::HidesSync, Reply::Prepared(prepared)) => prepared.sync = None,
            (Fault::AnswersAnother, Reply::Ran { .. }) => return Reply::Closed,
            (Fault::TakesNoTime, Reply::Ran { elapsed_ns, .. }) => *elapsed_ns = 0,
            // Microseconds taken for nanoseconds, and the other way round.
            (Fault::ClaimsTooLong, Reply::Ran { elapsed_ns, .. }) => *elapsed_ns *= 1000,
            (Fault::ClaimsTooShort, Reply::Ran { elapsed_ns, .. }) => {
                *elapsed_ns = elapsed_ns.div_ceil(1000);
            }
            (Fault::ClaimsMore | Fault::DoesLess, Reply::Ran { transactions, .. }) => {
                *transactions += 1;
            }
            _ => {}
        }
        reply
    }
}
