//! Data files of other content, cut short, or with damaged pages.

use std::fs::{self, OpenOptions};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::Path;

use write_backend::{Probe, WriteTransaction as _};

use super::open::refused;
use crate::case::Case;
use crate::child::step;
use crate::directory::{Directory, Role};
use crate::outcome::{Answer, Outcome};
use crate::steps::{
    KEY, USUAL_PAGE_SIZE, VALUE, must_hold, must_hold_after_reopening, open, options, pairs,
    put_and_commit,
};

/// Where the format's version stands in a meta page.
const VERSION_OFFSET: usize = 20;
/// How many pages of an environment are meta pages.
const META_PAGES: usize = 2;

// A table of cases, however long.
#[allow(clippy::too_many_lines)]
pub(crate) fn cases<B: Probe>() -> Vec<Case> {
    vec![
        Case::new("data/text", "A text file in place of the data file.", |directory| {
            other_content::<B>(directory, &b"This is no database.\n".repeat(1000))
        }),
        Case::new(
            "data/zeros",
            "A data file of zeros, as a crash of the machine leaves it.",
            |d| other_content::<B>(d, &[0; 1 << 16]),
        ),
        Case::new("data/random", "Random bytes in place of the data file.", |directory| {
            other_content::<B>(directory, &write_backend::batch::value_for(b"seed", 1 << 16))
        }),
        Case::new("data/1-byte", "A data file of one byte.", |directory| {
            other_content::<B>(directory, b"x")
        }),
        Case::new(
            "data/empty",
            "An empty data file is taken for a new environment.",
            |directory| {
                fs::write(directory.data_file(), "")?;
                let backend = open::<B>(directory.path(), &options())?;
                put_and_commit(&backend, &[(KEY, VALUE)])?;
                must_hold(&backend, &[(KEY, VALUE)])?;
                Ok(Outcome::done("a new environment"))
            },
        ),
        Case::new("data/other-version", "A data file of another format version.", |directory| {
            let page_size = written::<B>(directory)?;
            for page in 0..META_PAGES {
                overwrite(&directory.data_file(), page * page_size + VERSION_OFFSET, &[9])?;
            }
            refused::<B>(directory.path())
        }),
        Case::new("data/first-page-lost", "The first meta page is zeros.", |directory| {
            let page_size = written::<B>(directory)?;
            overwrite(&directory.data_file(), 0, &vec![0; page_size])?;
            refused::<B>(directory.path())
        }),
        Case::new("data/second-page-lost", "The second meta page is zeros.", |directory| {
            let page_size = written::<B>(directory)?;
            overwrite(&directory.data_file(), page_size, &vec![0; page_size])?;
            refused::<B>(directory.path())
        }),
        Case::new("truncated/to-nothing", "The data file was cut to 0 bytes.", |directory| {
            cut::<B>(directory, |_, _| 0)
        }),
        Case::new(
            "truncated/in-first-page",
            "The data file ends in its first page.",
            |directory| cut::<B>(directory, |_, page| page / 2),
        ),
        Case::new("truncated/after-first-page", "The data file ends after its first page.", |d| {
            cut::<B>(d, |_, page| page)
        }),
        Case::new(
            "truncated/after-meta-pages",
            "Only the two meta pages are left of the data file.",
            |directory| cut::<B>(directory, |_, page| META_PAGES as u64 * page),
        ),
        Case::new("truncated/to-half", "Half of the data file is left.", |directory| {
            cut::<B>(directory, |length, page| length / 2 / page * page)
        }),
        Case::new(
            "truncated/last-page",
            "The last page of the data file is missing.",
            |directory| cut::<B>(directory, |length, page| length - page),
        ),
        Case::new(
            "damaged/pages-of-zeros",
            "All pages but the meta pages are zeros.",
            |directory| damaged_pages::<B>(directory, |bytes| bytes.fill(0)),
        ),
        Case::new("damaged/pages-of-ff", "All pages but the meta pages are bytes 0xff.", |d| {
            damaged_pages::<B>(d, |bytes| bytes.fill(0xff))
        }),
        Case::new(
            "damaged/one-bit-of-a-value",
            "LMDB has no checksums: a value that changed on disk reads back changed.",
            |directory| {
                // The last byte of a page belongs to the value that was put there first.
                damaged_pages::<B>(directory, |bytes| {
                    if let Some(last) = bytes.last_mut() {
                        *last ^= 1;
                    }
                })
            },
        ),
        Case::new(
            "lock/garbage",
            "A lock file of other content, and nobody has the environment open.",
            |directory| lock_file::<B>(directory, |path| fs::write(path, [0x5a; 8192])),
        ),
        Case::new(
            "lock/other-version",
            "The lock file was made by another version of LMDB, which has the environment open.",
            other_lock_version::<B>,
        ),
        Case::new(
            "lock/removed-while-open",
            "The lock file is removed while the environment is open: another process makes a new \
             one and takes its own lock.",
            |directory| lock_under_a_transaction::<B>(directory, |path| fs::remove_file(path)),
        ),
        Case::new(
            "lock/read-while-open",
            "This process itself reads the lock file, as a backup does: closing it drops LMDB's \
             lock on it.",
            |directory| lock_under_a_transaction::<B>(directory, |path| fs::read(path).map(drop)),
        ),
        Case::new("lock/missing", "The lock file was removed while it was closed.", |directory| {
            lock_file::<B>(directory, |path| fs::remove_file(path))
        }),
    ]
}

/// Opens a data file that LMDB did not write.
fn other_content<B: Probe>(directory: &Directory, content: &[u8]) -> Answer {
    fs::write(directory.data_file(), content)?;
    refused::<B>(directory.path())
}

/// The pairs of an environment that is about to be damaged: about a hundred pages.
fn content() -> Vec<(Vec<u8>, Vec<u8>)> {
    pairs(1000, 256)
}

/// Writes an environment, closes it and returns its page size in bytes.
fn written<B: Probe>(directory: &Directory) -> Result<usize, Outcome> {
    let backend = open::<B>(directory.path(), &options())?;
    put_and_commit(&backend, &content())?;
    drop(backend);
    directory.page_size()
}

fn overwrite(path: &Path, offset: usize, bytes: &[u8]) -> Result<(), Outcome> {
    let mut file = OpenOptions::new().write(true).open(path)?;
    file.seek(SeekFrom::Start(offset as u64))?;
    Ok(file.write_all(bytes)?)
}

/// Cuts a written data file to `length(old length, page size)` bytes, then reads all of it.
fn cut<B: Probe>(directory: &Directory, length: fn(u64, u64) -> u64) -> Answer {
    let page_size = written::<B>(directory)?;
    if page_size != USUAL_PAGE_SIZE {
        return Ok(Outcome::not_checked(format!("a page has {page_size} bytes")));
    }
    let file = OpenOptions::new().write(true).open(directory.data_file())?;
    file.set_len(length(file.metadata()?.len(), page_size as u64))?;
    read_all::<B>(directory)
}

/// Opens a damaged environment and reads all that was in it.
fn read_all<B: Probe>(directory: &Directory) -> Answer {
    step("open");
    let backend = match open::<B>(directory.path(), &options()) {
        Ok(backend) => backend,
        Err(error) => return Ok(Outcome::refused(&error, "")),
    };
    step("ask for the number of pairs");
    let entries = backend.info()?.entries;
    if entries == 0 {
        return Ok(Outcome::accepted("all pairs are gone without an error"));
    }
    step("read");
    for (key, value) in content() {
        if backend.get(&key)? != Some(value) {
            return Ok(Outcome::accepted("the damage was not seen: a value reads back changed"));
        }
    }
    Ok(Outcome::wrong("everything reads back although it was damaged"))
}

/// Damages each page behind the meta pages, then reads all.
fn damaged_pages<B: Probe>(directory: &Directory, damage: fn(&mut [u8])) -> Answer {
    let page_size = written::<B>(directory)?;
    let mut data = fs::read(directory.data_file())?;
    for page in data.chunks_mut(page_size).skip(META_PAGES) {
        damage(page);
    }
    fs::write(directory.data_file(), data)?;
    read_all::<B>(directory)
}

/// Where the format of the lock file stands in it: behind the magic number (`struct MDB_txbody`).
const LOCK_FORMAT_OFFSET: usize = 4;

/// Makes the lock file one of another version. To be called in a process that does not have the
/// environment open: the system drops a process's locks on a file when it closes that file.
pub(crate) fn spoil_lock(directory: &Directory) -> Result<(), Outcome> {
    overwrite(&directory.lock_file(), LOCK_FORMAT_OFFSET, &[9])
}

fn other_lock_version<B: Probe>(directory: &Directory) -> Answer {
    let backend = open::<B>(directory.path(), &options())?;
    put_and_commit(&backend, &[(KEY, VALUE)])?;
    directory.partner(Role::SpoilLock)?.wait_for("spoiled")?;
    let outcome = directory.partner(Role::OpenAndPut)?.outcome("open")?;
    must_hold(&backend, &[(KEY, VALUE)])?;
    Ok(outcome)
}

/// Does something to the lock file of an open environment with a write transaction; then another
/// process begins one.
fn lock_under_a_transaction<B: Probe>(
    directory: &Directory,
    what: fn(&Path) -> std::io::Result<()>,
) -> Answer {
    let backend = open::<B>(directory.path(), &options())?;
    let mut txn = backend.begin()?;
    txn.put(KEY, VALUE)?;
    what(&directory.lock_file())?;
    step("begin in another process");
    directory.partner(Role::HoldTransaction)?.wait_for("holding")?;
    Ok(Outcome::accepted("two write transactions at a time"))
}

/// Damages the lock file of a closed environment and goes on.
fn lock_file<B: Probe>(directory: &Directory, damage: fn(&Path) -> std::io::Result<()>) -> Answer {
    written::<B>(directory)?;
    damage(&directory.lock_file())?;
    must_hold_after_reopening::<B>(directory.path(), &options(), &content())?;
    Ok(Outcome::done("all pairs are there"))
}
