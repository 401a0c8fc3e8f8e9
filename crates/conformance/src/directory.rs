//! A case's directory, and other processes that use it at the same time.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::child::PARTNER_ARGUMENT;
use crate::outcome::{Answer, Outcome};
use crate::runner::end_of;

/// The directory of one case: empty when the case begins, removed by the runner when the case's
/// process has ended, however it ended.
#[derive(Debug)]
pub struct Directory {
    path: PathBuf,
}

impl Directory {
    /// Where the magic number of an LMDB data file stands: behind the header of the first page.
    const MAGIC_OFFSET: usize = 16;
    /// `MDB_MAGIC` in `mdb.c`.
    const MAGIC: u32 = 0xbeef_c0de;
    /// Where the page size stands (`mm_psize` of `struct MDB_meta`) on 64-bit machines.
    const PAGE_SIZE_OFFSET: usize = 40;

    pub(crate) fn new(path: PathBuf) -> Self {
        Self { path }
    }

    /// The directory itself.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// A new directory in this one.
    pub(crate) fn sub(&self, name: impl AsRef<OsStr>) -> io::Result<Self> {
        let path = self.path.join(name.as_ref());
        fs::create_dir(&path)?;
        Ok(Self { path })
    }

    /// The environment's data file.
    pub(crate) fn data_file(&self) -> PathBuf {
        self.path.join("data.mdb")
    }

    /// The environment's lock file.
    pub(crate) fn lock_file(&self) -> PathBuf {
        self.path.join("lock.mdb")
    }

    /// The page size that the environment here was made with, in bytes.
    pub(crate) fn page_size(&self) -> Result<usize, Outcome> {
        let data = fs::read(self.data_file())?;
        let word = |offset: usize| {
            let bytes = data.get(offset..offset + size_of::<u32>())?;
            Some(u32::from_ne_bytes(bytes.try_into().ok()?))
        };
        match (word(Self::MAGIC_OFFSET), word(Self::PAGE_SIZE_OFFSET)) {
            (Some(Self::MAGIC), Some(size)) if size.is_power_of_two() => Ok(size as usize),
            _ => Err(Outcome::not_checked("the data file has a layout that is not known here")),
        }
    }

    /// Starts another process of this program that uses this directory as `role` says.
    pub(crate) fn partner(&self, role: Role) -> Result<Partner, Outcome> {
        Ok(Partner::start(&mut self.command(role)?)?)
    }

    /// The same as the user with this number, for machines where permission bits do not bind this
    /// one; an error if that user may not run this program.
    #[cfg(unix)]
    pub(crate) fn partner_as(&self, role: Role, user: u32) -> io::Result<Partner> {
        use std::os::unix::process::CommandExt as _;
        Partner::start(self.command(role)?.uid(user).gid(user))
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
        command.arg("sh").arg("-c").arg(script).arg(&self.path);
        command.arg(partner.get_program()).args(partner.get_args());
        let mut partner =
            Partner::start(&mut command).map_err(|error| refused(&format!(": {error}")))?;
        if partner.says()? == READY { Ok(partner) } else { Err(refused("")) }
    }

    fn command(&self, role: Role) -> io::Result<Command> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg(PARTNER_ARGUMENT).arg(role.name()).arg(&self.path);
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

/// What another process does with the directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
}

impl Role {
    const ALL: [Self; 10] = [
        Self::Read,
        Self::HoldTransaction,
        Self::HoldEnvironment,
        Self::Grow,
        Self::OpenAndPut,
        Self::OpenAndRead,
        Self::HoldReader,
        Self::SpoilLock,
        Self::FillDisk,
        Self::FillDiskThroughMap,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::HoldTransaction => "hold-transaction",
            Self::HoldEnvironment => "hold-environment",
            Self::Grow => "grow",
            Self::OpenAndPut => "open-and-put",
            Self::OpenAndRead => "open-and-read",
            Self::HoldReader => "hold-reader",
            Self::SpoilLock => "spoil-lock",
            Self::FillDisk => "fill-disk",
            Self::FillDiskThroughMap => "fill-disk-through-map",
        }
    }

    pub(crate) fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }
}

/// Another process of this program; killed when dropped.
#[derive(Debug)]
pub(crate) struct Partner {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Partner {
    fn start(command: &mut Command) -> io::Result<Self> {
        // Standard error is not inherited: this process's must end when this process does.
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (input, output) = pipes.ok_or_else(|| io::Error::other("no pipe to a partner"))?;
        Ok(Self { child, input, output: BufReader::new(output) })
    }

    /// The next line it says.
    pub(crate) fn says(&mut self) -> Result<String, Outcome> {
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        Ok(line.trim_end().to_owned())
    }

    /// The outcome that it says as JSON; without a word it has crashed during `step`.
    pub(crate) fn outcome(&mut self, step: &str) -> Answer {
        let said = self.says()?;
        if said.is_empty() {
            let how = end_of(self.child.wait()?);
            return Ok(Outcome::Crashed { step: step.to_owned(), how, last_words: String::new() });
        }
        serde_json::from_str(&said)
            .map_err(|_| Outcome::wrong(format!("the other process said `{said}`")))
    }

    /// Waits until it has said `word`.
    pub(crate) fn wait_for(&mut self, word: &str) -> Result<(), Outcome> {
        let said = self.says()?;
        if said == word {
            Ok(())
        } else {
            Err(Outcome::wrong(format!("the other process said `{said}` instead of `{word}`")))
        }
    }

    /// Tells it to go on.
    pub(crate) fn tell(&mut self, line: &str) -> Result<(), Outcome> {
        writeln!(self.input, "{line}")?;
        Ok(self.input.flush()?)
    }

    /// Ends it in the middle of what it does, without a chance to clean up.
    pub(crate) fn kill(mut self) -> Result<(), Outcome> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }
}

impl Drop for Partner {
    fn drop(&mut self) {
        // It may have ended by itself; there is nothing to do about another failure.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
