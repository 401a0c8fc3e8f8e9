//! Other processes that use a case's directory at the same time.

use std::fs;
use std::io;
use std::process::Command;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use child_process::{Child, Heard};
use serde::{Deserialize, Serialize};
use write_backend::protocol::behaviour::Outcome;
use write_backend::{EnvironmentOptions, Probe, WriteTransaction as _};

use crate::cases::damage;
use crate::place::Place;
use crate::runner::{end_of, perform, say, say_line};
use crate::steps::{
    ALL_THERE, Answer, KEY, READ_ONLY, VALUE, accepted, begin_read, commit, done, map_of,
    must_hold, nth_key, options, pairs, refused, refused_path, wrong,
};

/// Followed by a role as JSON and a directory.
pub(crate) const PARTNER_ARGUMENT: &str = "--conformance-partner";

/// What another process does with the directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Role {
    /// Opens, says `open`; tells what is stored under a key for each line it gets.
    Read,
    /// Begins, puts, says `holding`; commits when told to and says `committed`.
    HoldTransaction,
    /// Commits, says `committed`, keeps the environment open.
    HoldEnvironment,
    /// Makes the map four times as large, fills more than the old one, says `grown`.
    Grow,
    /// Opens, puts and commits; says its outcome as JSON.
    OpenAndPut,
    /// Opens for reading and looks for the pair; says its outcome as JSON.
    OpenAndRead,
    /// Begins a read transaction and says `reading`; ends it and closes when told to, and says
    /// `closed`.
    HoldReader,
    /// Makes the lock file one of another version and says `spoiled`.
    SpoilLock,
    /// Commits until that fails; says its outcome as JSON.
    FillDisk,
    /// The same with a writable map.
    FillDiskThroughMap,
    /// Says as an outcome in JSON which files of the directory it has open for writing, having opened none.
    SayInherited,
}

/// Does at `at` what `role` says, told to go on by the lines of `input`.
pub(crate) fn play<B: Probe>(at: &Place<B>, role: Role, input: &Receiver<String>) {
    let played = match role {
        Role::Read => read(at, input),
        Role::HoldTransaction => hold_transaction(at, input),
        Role::HoldEnvironment => hold_environment(at, input),
        Role::Grow => grow(at),
        Role::HoldReader => hold_reader(at, input),
        Role::SpoilLock => damage::spoil_lock(at).map(|()| say_line("spoiled")),
        Role::OpenAndPut => return say(&perform(open_and_put, at)),
        Role::OpenAndRead => return say(&perform(open_and_read, at)),
        Role::FillDisk => return say(&perform(|at| fill_disk(at, false), at)),
        Role::SayInherited => return say(&perform(say_inherited, at)),
        Role::FillDiskThroughMap => return say(&perform(|at| fill_disk(at, true), at)),
    };
    if let Err(outcome) = played {
        say_line(&outcome.to_string());
    }
}

fn read<B: Probe>(at: &Place<B>, input: &Receiver<String>) -> Result<(), Outcome> {
    let backend = at.open()?;
    say_line("open");
    for key in input {
        match backend.get(key.as_bytes())? {
            Some(value) => say_line(&String::from_utf8_lossy(&value)),
            None => say_line("nothing"),
        }
    }
    Ok(())
}

fn hold_transaction<B: Probe>(at: &Place<B>, input: &Receiver<String>) -> Result<(), Outcome> {
    let backend = at.open()?;
    let mut txn = backend.begin()?;
    txn.put(KEY, VALUE)?;
    say_line("holding");
    if input.recv().is_ok() {
        txn.commit()?;
        say_line("committed");
    }
    Ok(())
}

fn hold_environment<B: Probe>(at: &Place<B>, input: &Receiver<String>) -> Result<(), Outcome> {
    let _backend = at.filled(&[(KEY, VALUE)])?;
    say_line("committed");
    let _ = input.recv();
    Ok(())
}

fn hold_reader<B: Probe>(at: &Place<B>, input: &Receiver<String>) -> Result<(), Outcome> {
    let backend = at.open()?;
    let reader = begin_read(&backend)?;
    say_line("reading");
    if input.recv().is_ok() {
        drop(reader);
        drop(backend);
        say_line("closed");
        let _ = input.recv();
    }
    Ok(())
}

fn grow<B: Probe>(at: &Place<B>) -> Result<(), Outcome> {
    const VALUE_SIZE: usize = 1000;
    let backend = at.with(map_of(0)).open()?;
    let map_size = backend.info()?.map_size;
    backend.resize(map_size * 4)?;
    let pairs: Vec<_> = (0..map_size * 2 / VALUE_SIZE).map(nth_key).collect();
    let pairs: Vec<_> = pairs.iter().map(|key| (key, &[1; VALUE_SIZE])).collect();
    commit(&backend, &pairs)?;
    say_line("grown");
    Ok(())
}

fn open_and_put<B: Probe>(at: &Place<B>) -> Answer {
    match at.open() {
        Ok(backend) => {
            commit(&backend, &[(KEY, VALUE)])?;
            done("")
        }
        Err(error) => refused_path(&error, at.path()),
    }
}

fn open_and_read<B: Probe>(at: &Place<B>) -> Answer {
    match at.open_with(READ_ONLY) {
        Ok(backend) => {
            must_hold(&backend, &[(KEY, VALUE)])?;
            done(ALL_THERE)
        }
        Err(error) => refused_path(&error, at.path()),
    }
}

/// As Linux tells it (`proc_pid_fd(5)`): a link for each open file, writable where the file is open for that.
#[cfg(target_os = "linux")]
fn say_inherited<B: Probe>(at: &Place<B>) -> Answer {
    use std::os::unix::fs::PermissionsExt as _;
    let mut names = std::collections::BTreeSet::new();
    for entry in fs::read_dir("/proc/self/fd")? {
        let link = entry?.path();
        let Ok(file) = fs::read_link(&link) else { continue };
        let is_writable = fs::symlink_metadata(&link)?.permissions().mode() & 0o200 != 0;
        if let (true, Ok(name)) = (is_writable, file.strip_prefix(at.path().canonicalize()?)) {
            names.insert(name.display().to_string());
        }
    }
    match names.into_iter().collect::<Vec<_>>().join(", ") {
        none if none.is_empty() => done("none"),
        names => accepted(names),
    }
}

#[cfg(not(target_os = "linux"))]
fn say_inherited<B: Probe>(_: &Place<B>) -> Answer {
    crate::steps::not_checked("the system does not tell which files are open")
}

/// Commits pairs until that fails; all that was committed before must be there.
fn fill_disk<B: Probe>(at: &Place<B>, writable_map: bool) -> Answer {
    /// More than fit the small file system.
    const PAIRS: usize = 10_000;
    /// Puts per transaction.
    const BATCH: usize = 10;
    let backend = at.with(EnvironmentOptions { writable_map, ..options() }).open()?;
    let pairs = pairs(PAIRS, 256);
    for (index, batch) in pairs.chunks(BATCH).enumerate() {
        if let Err(error) = commit(&backend, batch) {
            must_hold(&backend, &pairs[..index * BATCH])?;
            return refused(&error, "all that was committed before is there");
        }
    }
    wrong("more was committed than there is room for")
}

/// A file system that one other process alone has in place of the directory, and that ends with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mount {
    /// Empty, in memory, with room for the meta pages and some dozen others.
    Small,
    /// The directory as it is, and nobody can write to it.
    ReadOnly,
}

impl Mount {
    /// For a shell in which `$0` is the directory.
    fn command(self) -> &'static str {
        match self {
            Self::Small => r#"mount -t tmpfs -o size=256k none "$0""#,
            Self::ReadOnly => r#"mount --bind "$0" "$0" && mount -o remount,bind,ro "$0""#,
        }
    }
}

impl<B> Place<B> {
    /// Starts another process of this program that does here what `role` says.
    pub(crate) fn partner(&self, role: Role) -> Result<Partner, Outcome> {
        Ok(Partner(Child::start(&mut self.command(role)?)?))
    }

    /// The same, and waits until it has said `word`.
    pub(crate) fn partner_that(&self, role: Role, word: &str) -> Result<Partner, Outcome> {
        let mut partner = self.partner(role)?;
        partner.wait_for(word)?;
        Ok(partner)
    }

    /// The same as the user with this number, for machines where permission bits do not bind this
    /// one; an error if that user may not run this program.
    #[cfg(unix)]
    pub(crate) fn partner_as(&self, role: Role, user: u32) -> io::Result<Partner> {
        use std::os::unix::process::CommandExt as _;
        Child::start(self.command(role)?.uid(user).gid(user)).map(Partner)
    }

    /// The same with `mount` in place of this directory. It needs Linux, and a user who may do that.
    pub(crate) fn partner_with_mount(&self, mount: Mount, role: Role) -> Result<Partner, Outcome> {
        const READY: &str = "ready";
        let refused =
            |why: &str| Outcome::not_checked(format!("no file system can be made here{why}"));
        let partner = self.command(role)?;
        let mut command = Command::new("unshare");
        // Its own mounts, and the rights for them: those it has, else those of a user namespace.
        let privileged = fs::metadata("/proc/self").is_ok_and(|process| is_roots(&process));
        command.args(if privileged { &["--mount"][..] } else { &["--map-root-user", "--mount"] });
        let script = format!("{} && echo {READY} && exec \"$@\"", mount.command());
        command.arg("sh").arg("-c").arg(script).arg(self.path());
        command.arg(partner.get_program()).args(partner.get_args());
        let started = Child::start(&mut command);
        let mut partner = Partner(started.map_err(|error| refused(&format!(": {error}")))?);
        if partner.says() == READY { Ok(partner) } else { Err(refused("")) }
    }

    fn command(&self, role: Role) -> io::Result<Command> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg(PARTNER_ARGUMENT).arg(serde_json::to_string(&role)?).arg(self.path());
        Ok(command)
    }
}

/// Whether a file belongs to the user who may do everything.
#[cfg(unix)]
fn is_roots(file: &fs::Metadata) -> bool {
    std::os::unix::fs::MetadataExt::uid(file) == 0
}

#[cfg(not(unix))]
fn is_roots(_: &fs::Metadata) -> bool {
    false
}

/// Another process of this program; killed when dropped. The case's own watchdog is its time limit.
#[derive(Debug)]
pub(crate) struct Partner(Child);

impl Partner {
    /// The next line it says; empty when it says no more.
    pub(crate) fn says(&mut self) -> String {
        match self.0.hear(Duration::MAX) {
            Heard::Line(line) => line,
            Heard::End | Heard::Nothing => String::new(),
        }
    }

    /// The outcome that it says as JSON; without a word it has crashed during `step`.
    pub(crate) fn outcome(&mut self, step: &str) -> Answer {
        let said = self.says();
        if said.is_empty() {
            let how = end_of(self.0.end()?.status);
            return Ok(Outcome::Crashed { step: step.to_owned(), how, last_words: String::new() });
        }
        serde_json::from_str(&said)
            .map_err(|_| Outcome::wrong(format!("the other process said `{said}`")))
    }

    /// Waits until it has said `word`.
    pub(crate) fn wait_for(&mut self, word: &str) -> Result<(), Outcome> {
        match self.says() {
            said if said == word => Ok(()),
            said => {
                Err(Outcome::wrong(format!("the other process said `{said}` instead of `{word}`")))
            }
        }
    }

    /// Tells it to go on, and waits until it has said `word`.
    pub(crate) fn tell(&mut self, line: &str, word: &str) -> Result<(), Outcome> {
        self.0.tell(line)?;
        self.wait_for(word)
    }

    /// Ends it in the middle of what it does, without a chance to clean up.
    pub(crate) fn kill(mut self) -> Result<(), Outcome> {
        self.0.kill()?;
        Ok(())
    }
}
