//! Directories and data files that are no environments.

use std::fs;
use std::path::PathBuf;

use super::prelude::*;

cases! {
    "open/missing-directory": "A directory that does not exist.",
        |at| refused_at(at, "missing") => Refused(Open, Io(IoKind::NotFound), NAMES_PATH);
    "open/path-is-a-file": "A file where the directory should be.",
        |at| {
            fs::write(at.path().join("file"), "text")?;
            refused_at(at, "file")
        } => Refused(Open, Io(IoKind::NotADirectory), NAMES_PATH);
    "open/data-is-a-directory": "A directory called `data.mdb`.",
        |at| {
            fs::create_dir(at.data_file())?;
            refused_open(at)
        } => Refused(Open, Io(IoKind::IsADirectory), NAMES_PATH);
    "open/path-too-long": "A path longer than the system takes.",
        |at| refused_at(at, &"x/".repeat(5000))
            => Refused(Open, Io(IoKind::InvalidFilename), NAMES_PATH);
    "open/path-with-nul": "A path with a NUL byte.",
        |at| refused_at(at, "na\0me") => Refused(Open, InvalidArgument, NAMES_PATH);
    "open/path-not-ascii": "A path with spaces and letters of any script.",
        |at| kept(&at.sub("a b данные 数据")?) => Done("kept");
    "open/relative-path": "A path relative to the working directory.",
        |at| {
            at.sub("environment")?;
            std::env::set_current_dir(at.path())?;
            kept(&Place::<B>::new(PathBuf::from("environment")))
        } => Done("kept");
    "open/twice-in-one-process":
        "LMDB's locks do not protect a process from itself: the same directory must not be \
         opened twice.",
        |at| twice(at, at) => Accepted("two environments on one file");
    "open/again-after-close": "The same directory opened, closed and opened again, ten times.",
        |at| {
            let pairs = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(|index| (nth_key(index), VALUE));
            for count in 1..=pairs.len() {
                let backend = at.open()?;
                must_hold(&backend, &pairs[..count - 1])?;
                commit(&backend, &pairs[..count])?;
            }
            at.holds(&pairs)?;
            done(ALL_THERE)
        } => Done(ALL_THERE);
    "open/closes-its-files":
        "Dropping an environment closes its files, and so does a failed open.",
        closes_files => Done("no file stays open");
    "open/data-removed": "The data file is removed while the environment is open.",
        |at| {
            let backend = at.filled(&[(KEY, VALUE)])?;
            fs::remove_file(at.data_file())?;
            commit(&backend, &[(b"another", VALUE)])?;
            must_hold(&backend, &[(KEY, VALUE), (b"another", VALUE)])?;
            drop(backend);
            let left = at.open()?.info()?.entries;
            accepted(format!("commits succeed; after reopening {left} pairs are there"))
        } => Accepted("commits succeed; after reopening 0 pairs are there");
    "open/after-a-failed-open": "A failed open leaves nothing behind that hinders the next.",
        |at| {
            fs::write(at.data_file(), "no environment")?;
            must_fail(at.open(), "the environment was opened")?;
            fs::remove_file(at.data_file())?;
            kept(at)
        } => Done("kept");
    "open/twice-by-a-link":
        "The same directory opened twice, the second time through a symbolic link.",
        by_link => Accepted("two environments on one file");
    "open/path-not-utf-8": "A path that is no valid text.",
        not_utf_8 => Done("kept");
}

/// Opening is refused with an error that names the path.
pub(super) fn refused_open<B: Probe>(at: &Place<B>) -> Answer {
    step("open");
    refused_path(&must_fail(at.open(), "the environment was opened")?, at.path())
}

/// The same for a path in this directory.
fn refused_at<B: Probe>(at: &Place<B>, path: &str) -> Answer {
    refused_open(&Place::<B>::new(at.path().join(path)))
}

/// An environment keeps a pair.
fn kept<B: Probe>(at: &Place<B>) -> Answer {
    at.keeps(&[(KEY, VALUE)])?;
    done("kept")
}

fn twice<B: Probe>(first: &Place<B>, second: &Place<B>) -> Answer {
    let one = first.filled(&[(KEY, VALUE)])?;
    step("open the second time");
    let two = match second.open() {
        Ok(two) => two,
        Err(error) => {
            must_hold(&one, &[(KEY, VALUE)])?;
            return refused(&error, "the first one goes on");
        }
    };
    commit(&two, &[(b"another", VALUE)])?;
    must_hold(&one, &[(KEY, VALUE), (b"another", VALUE)])?;
    accepted("two environments on one file")
}

fn closes_files<B: Probe>(at: &Place<B>) -> Answer {
    let open_files = || match fs::read_dir("/dev/fd") {
        Ok(files) => Ok(files.count()),
        Err(error) => Err(Outcome::not_checked(format!("open files cannot be counted: {error}"))),
    };
    let bad_name = at.with(named(&"n".repeat(USUAL_PAGE_SIZE), 1));
    let text = at.sub("text")?;
    fs::write(text.data_file(), "no environment")?;
    let before = open_files()?;
    for _ in 0..10 {
        at.filled(&[(KEY, VALUE)])?;
        must_fail(bad_name.open(), "the database was opened")?;
        must_fail(text.open(), "the environment was opened")?;
    }
    match open_files()?.saturating_sub(before) {
        0 => done("no file stays open"),
        left => wrong(format!("{left} files stay open")),
    }
}

#[cfg(unix)]
fn by_link<B: Probe>(at: &Place<B>) -> Answer {
    let link = Place::new(at.path().join("link"));
    let real = at.sub("real")?;
    std::os::unix::fs::symlink(real.path(), link.path())?;
    twice(&real, &link)
}

#[cfg(unix)]
fn not_utf_8<B: Probe>(at: &Place<B>) -> Answer {
    use std::os::unix::ffi::OsStrExt as _;
    match at.sub(std::ffi::OsStr::from_bytes(b"caf\xe9")) {
        Ok(place) => kept(&place),
        Err(error) => not_checked(format!("no such path can be made: {error}")),
    }
}

#[cfg(not(unix))]
fn by_link<B: Probe>(_: &Place<B>) -> Answer {
    not_checked("symbolic links need a privilege here")
}

#[cfg(not(unix))]
fn not_utf_8<B: Probe>(_: &Place<B>) -> Answer {
    not_checked("paths are text here")
}
