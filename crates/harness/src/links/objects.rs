//! The kept files of one program: what it is linked from, and how. Files of its own, since cargo and
//! rustc write over theirs when a source changes.

use std::fs;
use std::hash::{DefaultHasher, Hasher as _};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::links::build::{Build, Built};
use crate::links::command::LinkCommand;
use crate::links::error::LinkError;
use crate::links::linker::Linker;

/// The file that holds the command line.
const COMMAND: &str = "command.json";
/// The program as the build linked it.
const FIXED: &str = "fixed";
/// The file beside the directories of a build that says which of them is current.
const CURRENT: &str = "current.json";

/// A program that can be linked again.
#[derive(Debug, Clone)]
pub struct Objects {
    pub(super) binary: String,
    /// Where copies and links lie; its name is the hash of the content.
    pub(super) directory: PathBuf,
    pub(super) command: LinkCommand,
    linker: Linker,
}

/// Which directory belongs to the program that cargo has built.
#[derive(Debug, Serialize, Deserialize, PartialEq, Eq)]
struct Current {
    content: String,
    program: Stamp,
}

/// A file as far as one can tell without reading it.
#[derive(Debug, Serialize, Deserialize, PartialEq, Eq)]
struct Stamp {
    path: PathBuf,
    bytes: u64,
    modified_ns: u128,
}

impl Objects {
    /// The program in the link order that the build gave it, with its symbols.
    #[must_use]
    pub fn fixed(&self) -> PathBuf {
        self.directory.join(FIXED)
    }

    /// The hash of objects and arguments, in hexadecimal.
    #[must_use]
    pub fn content(&self) -> &str {
        self.directory.file_name().and_then(|it| it.to_str()).unwrap_or_default()
    }

    /// The linker that makes its links.
    #[must_use]
    pub fn linker(&self) -> &Linker {
        &self.linker
    }

    /// Checks that the copies are those that were made.
    ///
    /// # Errors
    /// When they are not.
    pub(super) fn verify(&self) -> Result<(), LinkError> {
        match content(&self.command, &self.directory) {
            Ok(found) if found == self.content() => Ok(()),
            _ => Err(LinkError::Changed { binary: self.binary.clone() }),
        }
    }

    /// The objects kept in `home` of a program that cargo did not have to build; `None` where there are
    /// none, or not those of this program.
    pub(super) fn current(build: &Build, home: &Path, built: &Built) -> Option<Self> {
        let current: Current = read(&home.join(CURRENT))?;
        if current.program != Stamp::of(&built.executable).ok()? {
            return None;
        }
        let directory = home.join(current.content);
        let command: LinkCommand = read(&directory.join(COMMAND))?;
        let linker = Linker::observe(&command).ok()?;
        let objects = Self { binary: build.binary.clone(), directory, command, linker };
        objects.verify().ok()?;
        let file = fs::File::open(home.join(CURRENT)).ok()?;
        file.set_modified(SystemTime::now()).ok().map(|()| objects)
    }

    /// Copies what `command` links into a directory below `home`.
    ///
    /// # Errors
    /// When a file cannot be read or written.
    pub(super) fn keep(
        build: &Build,
        home: &Path,
        executable: &Path,
        command: LinkCommand,
    ) -> Result<Self, LinkError> {
        let linker = Linker::observe(&command)?;
        let partial = home.join(format!("partial-{}", std::process::id()));
        let kept = copy(build, &partial, executable, command).and_then(|command| {
            let content =
                content(&command, &partial).map_err(|error| LinkError::file(&partial, error))?;
            let directory = home.join(&content);
            let command = moved(command, &partial, &directory);
            write(&partial.join(COMMAND), &command)?;
            // The same content may be there already, and its links with it, unless somebody changed it.
            let binary = build.binary.clone();
            let objects = Self { binary, directory: directory.clone(), command, linker };
            if objects.verify().is_err() {
                remove(&directory)?;
                fs::rename(&partial, &directory)
                    .map_err(|error| LinkError::file(&directory, error))?;
            }
            let program =
                Stamp::of(executable).map_err(|error| LinkError::file(executable, error))?;
            let next = home.join(format!("{CURRENT}.partial-{}", std::process::id()));
            write(&next, &Current { content, program })?;
            fs::rename(&next, home.join(CURRENT)).map_err(|error| LinkError::file(next, error))?;
            Ok(objects)
        });
        let _ = fs::remove_dir_all(&partial);
        kept
    }

    /// When the objects in `home` were last collected; `None` where there are none.
    pub(super) fn used(home: &Path) -> Option<SystemTime> {
        fs::metadata(home.join(CURRENT)).ok()?.modified().ok()
    }

    /// The name of the directory in `home` that is current, if any.
    pub(super) fn current_name(home: &Path) -> Option<String> {
        read::<Current>(&home.join(CURRENT)).map(|current| current.content)
    }
}

impl Stamp {
    fn of(path: &Path) -> std::io::Result<Self> {
        let metadata = fs::metadata(path)?;
        let modified_ns = metadata
            .modified()?
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since_epoch| since_epoch.as_nanos());
        Ok(Self { path: path.to_owned(), bytes: metadata.len(), modified_ns })
    }
}

/// Copies the inputs below cargo's target directory; those of the toolchain stay where they are.
/// Returns the command with the copies' paths, and without the linker's output and rustc's own empty
/// directory, whose names say nothing of the program.
fn copy(
    build: &Build,
    directory: &Path,
    executable: &Path,
    mut command: LinkCommand,
) -> Result<LinkCommand, LinkError> {
    remove(directory)?;
    fs::create_dir_all(directory).map_err(|error| LinkError::file(directory, error))?;
    for place in command.inputs() {
        let source = PathBuf::from(&command.arguments[place]);
        if source.starts_with(&build.target_directory) {
            let extension = source.extension().unwrap_or_default().to_string_lossy();
            let target = directory.join(format!("{place}.{extension}"));
            take(&source, &target).map_err(|error| LinkError::file(&source, error))?;
            command.arguments[place] = target.display().to_string();
        }
    }
    let fixed = directory.join(FIXED);
    fs::copy(executable, &fixed).map_err(|error| LinkError::file(executable, error))?;
    if let Some(output) = command.output() {
        command.arguments[output].clear();
    }
    let is_empty = |path: &String| path.ends_with("/raw-dylibs");
    if let Some(place) = command.arguments.iter().position(is_empty) {
        // The `-L` in front of it, too.
        command.arguments.drain(place.saturating_sub(1)..=place);
    }
    Ok(command)
}

/// Puts a file that does not change with `source` at `target`. rustc makes libraries under another name
/// and renames them, so that a second name for the old one is enough; with ten backends copies of them
/// would be half of all that is kept.
fn take(source: &Path, target: &Path) -> std::io::Result<()> {
    let is_library = source.extension().is_some_and(|extension| extension == "rlib");
    if is_library && fs::hard_link(source, target).is_ok() {
        return Ok(());
    }
    fs::copy(source, target).map(|_| ())
}

/// The command with its copies in another directory.
fn moved(mut command: LinkCommand, from: &Path, to: &Path) -> LinkCommand {
    for argument in &mut command.arguments {
        if let Ok(name) = Path::new(argument.as_str()).strip_prefix(from) {
            *argument = to.join(name).display().to_string();
        }
    }
    command
}

/// The hash of what `command` links: arguments, and the content of all inputs below `directory`. Of the
/// toolchain's files their paths stand for their content. The hash need not be the same with another
/// version of Rust: then everything is kept anew.
fn content(command: &LinkCommand, directory: &Path) -> std::io::Result<String> {
    let mut hasher = DefaultHasher::new();
    hasher.write(command.program.as_bytes());
    for argument in &command.arguments {
        match Path::new(argument).strip_prefix(directory) {
            Ok(_) => hasher.write(&fs::read(argument)?),
            Err(_) => hasher.write(argument.as_bytes()),
        }
        // An end, so that two arguments are not one.
        hasher.write_u8(0xff);
    }
    Ok(format!("{:016x}", hasher.finish()))
}

fn read<T: serde::de::DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

fn write(path: &Path, value: &impl Serialize) -> Result<(), LinkError> {
    // Strings and numbers, which always become JSON.
    let text = serde_json::to_vec(value).map_err(|error| LinkError::file(path, error.into()))?;
    fs::write(path, text).map_err(|error| LinkError::file(path, error))
}

fn remove(directory: &Path) -> Result<(), LinkError> {
    match fs::remove_dir_all(directory) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(LinkError::file(directory, error))
        }
        _ => Ok(()),
    }
}
