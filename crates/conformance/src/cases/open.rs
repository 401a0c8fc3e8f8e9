//! Directories and data files that are no environments.

use std::fs;
use std::path::Path;

use write_backend::{DatabaseOptions, EnvironmentOptions, Probe, WriteBackend};

use crate::case::Case;
use crate::child::step;
use crate::directory::Directory;
use crate::outcome::{Answer, Outcome};
use crate::steps::{
    KEY, VALUE, must_fail, must_hold, must_hold_after_reopening, open, options, put_and_commit,
};

pub(crate) fn cases<B: Probe>() -> Vec<Case> {
    let mut cases = vec![
        Case::new("open/missing-directory", "A directory that does not exist.", |directory| {
            refused::<B>(&directory.path().join("missing"))
        }),
        Case::new("open/path-is-a-file", "A file where the directory should be.", |directory| {
            let path = directory.path().join("file");
            fs::write(&path, "text")?;
            refused::<B>(&path)
        }),
        Case::new("open/data-is-a-directory", "A directory called `data.mdb`.", |directory| {
            fs::create_dir(directory.data_file())?;
            refused::<B>(directory.path())
        }),
        Case::new("open/path-too-long", "A path longer than the system takes.", |directory| {
            refused::<B>(&directory.path().join("x/".repeat(5000)))
        }),
        Case::new("open/path-with-nul", "A path with a NUL byte.", |directory| {
            refused::<B>(&directory.path().join("na\0me"))
        }),
        Case::new(
            "open/path-not-ascii",
            "A path with spaces and letters of any script.",
            |directory| kept::<B>(directory.sub("a b данные 数据")?.path()),
        ),
        Case::new("open/relative-path", "A path relative to the working directory.", |directory| {
            directory.sub("environment")?;
            std::env::set_current_dir(directory.path())?;
            kept::<B>(Path::new("environment"))
        }),
        Case::new(
            "open/twice-in-one-process",
            "LMDB's locks do not protect a process from itself: the same directory must not be \
             opened twice.",
            |directory| twice::<B>(directory.path(), directory.path()),
        ),
        Case::new(
            "open/again-after-close",
            "The same directory opened, closed and opened again, ten times.",
            again::<B>,
        ),
        Case::new(
            "open/closes-its-files",
            "Dropping an environment closes its files, and so does a failed open.",
            closes_files::<B>,
        ),
        Case::new(
            "open/data-removed",
            "The data file is removed while the environment is open.",
            data_removed::<B>,
        ),
        Case::new(
            "open/after-a-failed-open",
            "A failed open leaves nothing behind that hinders the next.",
            after_failure::<B>,
        ),
    ];
    if cfg!(unix) {
        cases.push(Case::new(
            "open/twice-by-a-link",
            "The same directory opened twice, the second time through a symbolic link.",
            by_link::<B>,
        ));
        cases.push(Case::new(
            "open/path-not-utf-8",
            "A path that is no valid text.",
            not_utf_8::<B>,
        ));
    }
    cases
}

/// Opening is refused with an error that names the path.
pub(crate) fn refused<B: WriteBackend>(path: &Path) -> Answer {
    step("open");
    let error = must_fail(open::<B>(path, &options()), "the environment was opened")?;
    let shown = error.to_string().contains(&*path.display().to_string());
    let named = error.path() == Some(path) && shown;
    Ok(Outcome::refused(&error, if named { "the error names the path" } else { "" }))
}

/// An environment in `path` keeps a pair.
fn kept<B: Probe>(path: &Path) -> Answer {
    let backend = open::<B>(path, &options())?;
    put_and_commit(&backend, &[(KEY, VALUE)])?;
    drop(backend);
    must_hold_after_reopening::<B>(path, &options(), &[(KEY, VALUE)])?;
    Ok(Outcome::done("kept"))
}

fn twice<B: Probe>(first: &Path, second: &Path) -> Answer {
    let one = open::<B>(first, &options())?;
    put_and_commit(&one, &[(KEY, VALUE)])?;
    step("open the second time");
    let two = match open::<B>(second, &options()) {
        Ok(two) => two,
        Err(error) => {
            must_hold(&one, &[(KEY, VALUE)])?;
            return Ok(Outcome::refused(&error, "the first one goes on"));
        }
    };
    put_and_commit(&two, &[(b"another", VALUE)])?;
    must_hold(&one, &[(KEY, VALUE), (b"another", VALUE)])?;
    Ok(Outcome::accepted("two environments on one file"))
}

fn again<B: Probe>(directory: &Directory) -> Answer {
    let mut pairs = Vec::new();
    for index in 0..10 {
        let backend = open::<B>(directory.path(), &options())?;
        must_hold(&backend, &pairs)?;
        pairs.push((crate::steps::nth_key(index), VALUE));
        put_and_commit(&backend, &pairs)?;
    }
    must_hold_after_reopening::<B>(directory.path(), &options(), &pairs)?;
    Ok(Outcome::done("all pairs are there"))
}

fn closes_files<B: Probe>(directory: &Directory) -> Answer {
    let open_files = || match fs::read_dir("/dev/fd") {
        Ok(files) => Ok(files.count()),
        Err(error) => Err(Outcome::not_checked(format!("open files cannot be counted: {error}"))),
    };
    let unnamed = options();
    let too_long = DatabaseOptions { name: Some("n".repeat(512)), duplicates: false };
    let bad_name = EnvironmentOptions { max_databases: 1, database: too_long, ..options() };
    fs::write(directory.sub("text")?.data_file(), "no environment")?;
    let text = directory.path().join("text");
    let before = open_files()?;
    for _ in 0..10 {
        put_and_commit(&open::<B>(directory.path(), &unnamed)?, &[(KEY, VALUE)])?;
        must_fail(open::<B>(directory.path(), &bad_name), "the database was opened")?;
        must_fail(open::<B>(&text, &unnamed), "the environment was opened")?;
    }
    match open_files()?.saturating_sub(before) {
        0 => Ok(Outcome::done("no file stays open")),
        left => Ok(Outcome::wrong(format!("{left} files stay open"))),
    }
}

fn data_removed<B: Probe>(directory: &Directory) -> Answer {
    let backend = open::<B>(directory.path(), &options())?;
    put_and_commit(&backend, &[(KEY, VALUE)])?;
    fs::remove_file(directory.data_file())?;
    put_and_commit(&backend, &[(b"another", VALUE)])?;
    must_hold(&backend, &[(KEY, VALUE), (b"another", VALUE)])?;
    drop(backend);
    let left = open::<B>(directory.path(), &options())?.info()?.entries;
    Ok(Outcome::accepted(format!("commits succeed; after reopening {left} pairs are there")))
}

fn after_failure<B: Probe>(directory: &Directory) -> Answer {
    fs::write(directory.data_file(), "no environment")?;
    must_fail(open::<B>(directory.path(), &options()), "the environment was opened")?;
    fs::remove_file(directory.data_file())?;
    kept::<B>(directory.path())
}

#[cfg(unix)]
fn by_link<B: Probe>(directory: &Directory) -> Answer {
    let real = directory.sub("real")?;
    let link = directory.path().join("link");
    std::os::unix::fs::symlink(real.path(), &link)?;
    twice::<B>(real.path(), &link)
}

#[cfg(unix)]
fn not_utf_8<B: Probe>(directory: &Directory) -> Answer {
    use std::os::unix::ffi::OsStrExt as _;
    match directory.sub(std::ffi::OsStr::from_bytes(b"caf\xe9")) {
        Ok(directory) => kept::<B>(directory.path()),
        Err(error) => Ok(Outcome::not_checked(format!("no such path can be made: {error}"))),
    }
}

#[cfg(not(unix))]
fn by_link<B: Probe>(_: &Directory) -> Answer {
    Ok(Outcome::not_checked("symbolic links need a privilege here"))
}

#[cfg(not(unix))]
fn not_utf_8<B: Probe>(_: &Directory) -> Answer {
    Ok(Outcome::not_checked("paths are text here"))
}
