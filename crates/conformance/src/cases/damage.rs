//! Data files of other content, cut short, or with damaged pages.

use std::fs::{self, OpenOptions};
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use super::open::refused_open;
use super::prelude::*;

/// Where the format's version stands in a meta page, behind the page's header.
const VERSION_OFFSET: usize = 4;
/// Where the format of the lock file stands in it: behind the magic number (`struct MDB_txbody`).
const LOCK_FORMAT_OFFSET: usize = 4;
/// How many pages of an environment are meta pages.
const META_PAGES: usize = 2;

cases! {
    "data/text": "A text file in place of the data file.",
        |at| other_content(at, &b"This is no database.\n".repeat(1000))
            => Refused(Open, Invalid, NAMES_PATH);
    "data/zeros": "A data file of zeros, as a crash of the machine leaves it.",
        |at| other_content(at, &[0; 1 << 16]) => Refused(Open, Invalid, NAMES_PATH);
    "data/random": "Random bytes in place of the data file.",
        |at| other_content(at, &value_for(b"seed", 1 << 16)) => Refused(Open, Invalid, NAMES_PATH);
    "data/1-byte": "A data file of one byte.",
        |at| other_content(at, b"x") => Refused(Open, Invalid, NAMES_PATH);
    "data/empty": "An empty data file is taken for a new environment.",
        |at| {
            fs::write(at.data_file(), "")?;
            must_hold(&at.filled(&[(KEY, VALUE)])?, &[(KEY, VALUE)])?;
            done("a new environment")
        } => Done("a new environment");
    "data/other-version": "A data file of another format version.",
        |at| {
            let page_size = written(at)?;
            let version = at.layout()?.0 + VERSION_OFFSET;
            overwrite(&at.data_file(), version, &[9])?;
            overwrite(&at.data_file(), page_size + version, &[9])?;
            refused_open(at)
        } => Refused(Open, VersionMismatch, NAMES_PATH);
    "data/of-lmdb-0.9": "A data file that LMDB 0.9 wrote, with one pair (format 1).",
        |at| of_engine(at, include_bytes!("files/lmdb-0.9.mdb")) => Done(ALL_THERE);
    "data/of-lmdb-1.0": "A data file that LMDB 1.0 wrote, with one pair (format 3).",
        |at| of_engine(at, include_bytes!("files/lmdb-1.0.mdb"))
            => Refused(Open, Invalid, NAMES_PATH);
    "data/first-page-lost": "The first meta page is zeros.",
        |at| {
            let page_size = written(at)?;
            overwrite(&at.data_file(), 0, &vec![0; page_size])?;
            refused_open(at)
        } => Refused(Open, Invalid, NAMES_PATH);
    "data/second-page-lost": "The second meta page is zeros.",
        |at| {
            let page_size = written(at)?;
            overwrite(&at.data_file(), page_size, &vec![0; page_size])?;
            refused_open(at)
        } => Refused(Open, Invalid, NAMES_PATH);
    "truncated/to-nothing": "The data file was cut to 0 bytes.",
        |at| cut(at, |_, _| 0) => Accepted("all pairs are gone without an error");
    "truncated/in-first-page": "The data file ends in its first page.",
        |at| cut(at, |_, page| page / 2) => Refused(Open, Invalid, "");
    "truncated/after-first-page": "The data file ends after its first page.",
        |at| cut(at, |_, page| page) => Refused(Open, Invalid, "");
    "truncated/after-meta-pages": "Only the two meta pages are left of the data file.",
        |at| cut(at, |_, page| META_PAGES as u64 * page) => Crashes("read");
    "truncated/to-half": "Half of the data file is left.",
        |at| cut(at, |length, page| length / 2 / page * page) => Crashes("read");
    "truncated/last-page": "The last page of the data file is missing.",
        |at| cut(at, |length, page| length - page) => Crashes("read");
    "damaged/pages-of-zeros": "All pages but the meta pages are zeros.",
        |at| damaged_pages(at, |bytes| bytes.fill(0)) => Refused(Get, Corrupted, "");
    "damaged/pages-of-ff": "All pages but the meta pages are bytes 0xff.",
        |at| damaged_pages(at, |bytes| bytes.fill(0xff)) => Refused(Get, PageNotFound, "");
    "damaged/one-bit-of-a-value":
        "LMDB has no checksums: a value that changed on disk reads back changed.",
        // The last byte of a page belongs to the value that was put there first.
        |at| damaged_pages(at, |bytes| bytes.last_mut().into_iter().for_each(|last| *last ^= 1))
            => Accepted("the damage was not seen: a value reads back changed");
    "lock/garbage": "A lock file of other content, and nobody has the environment open.",
        |at| lock_file(at, |path| fs::write(path, [0x5a; 8192])) => Done(ALL_THERE);
    "lock/other-version":
        "The lock file was made by another version of LMDB, which has the environment open.",
        |at| {
            let backend = at.filled(&[(KEY, VALUE)])?;
            at.partner_that(Role::SpoilLock, "spoiled")?;
            let outcome = at.partner(Role::OpenAndPut)?.outcome("open")?;
            must_hold(&backend, &[(KEY, VALUE)])?;
            Ok(outcome)
        } => Refused(Open, VersionMismatch, NAMES_PATH);
    "lock/removed-while-open":
        "The lock file is removed while the environment is open: another process makes a new \
         one and takes its own lock.",
        |at| lock_under_a_transaction(at, |path| fs::remove_file(path)) => Accepted(TWO_AT_A_TIME);
    "lock/read-while-open":
        "This process itself reads the lock file, as a backup does: closing it drops LMDB's \
         lock on it.",
        |at| lock_under_a_transaction(at, |path| fs::read(path).map(drop))
            => Accepted(TWO_AT_A_TIME);
    "lock/missing": "The lock file was removed while it was closed.",
        |at| lock_file(at, |path| fs::remove_file(path)) => Done(ALL_THERE);
}

/// Opens a data file that LMDB did not write.
fn other_content<B: Probe>(at: &Place<B>, content: &[u8]) -> Answer {
    fs::write(at.data_file(), content)?;
    refused_open(at)
}

/// Opens a data file that an engine wrote on a machine of the usual kind.
fn of_engine<B: Probe>(at: &Place<B>, content: &[u8]) -> Answer {
    if cfg!(not(all(target_endian = "little", target_pointer_width = "64"))) {
        return not_checked("the file is one of 64-bit little-endian machines");
    }
    fs::write(at.data_file(), content)?;
    match at.open() {
        Ok(backend) => {
            must_hold(&backend, &[(KEY, VALUE)])?;
            done(ALL_THERE)
        }
        Err(error) => refused_path(&error, at.path()),
    }
}

/// The pairs of an environment that is about to be damaged: about a hundred pages.
fn content() -> Vec<(Vec<u8>, Vec<u8>)> {
    pairs(1000, 256)
}

/// Writes an environment, closes it and returns its page size in bytes.
fn written<B: Probe>(at: &Place<B>) -> Result<usize, Outcome> {
    drop(at.filled(&content())?);
    at.page_size()
}

fn overwrite(path: &Path, offset: usize, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).open(path)?;
    file.seek(SeekFrom::Start(offset as u64))?;
    file.write_all(bytes)
}

/// Cuts a written data file to `length(old length, page size)` bytes, then reads all of it.
fn cut<B: Probe>(at: &Place<B>, length: fn(u64, u64) -> u64) -> Answer {
    let page_size = written(at)?;
    if page_size != USUAL_PAGE_SIZE {
        return not_checked(format!("a page has {page_size} bytes"));
    }
    let file = OpenOptions::new().write(true).open(at.data_file())?;
    file.set_len(length(file.metadata()?.len(), page_size as u64))?;
    read_all(at)
}

/// Damages each page behind the meta pages, then reads all.
fn damaged_pages<B: Probe>(at: &Place<B>, damage: fn(&mut [u8])) -> Answer {
    let page_size = written(at)?;
    let mut data = fs::read(at.data_file())?;
    data.chunks_mut(page_size).skip(META_PAGES).for_each(damage);
    fs::write(at.data_file(), data)?;
    read_all(at)
}

/// Opens a damaged environment and reads all that was in it.
fn read_all<B: Probe>(at: &Place<B>) -> Answer {
    step("open");
    let backend = at.open()?;
    step("ask for the number of pairs");
    if backend.info()?.entries == 0 {
        return accepted("all pairs are gone without an error");
    }
    step("read");
    for (key, value) in content() {
        if backend.get(&key)? != Some(value) {
            return accepted("the damage was not seen: a value reads back changed");
        }
    }
    wrong("everything reads back although it was damaged")
}

/// Makes the lock file one of another version. To be called in a process that does not have the
/// environment open: the system drops a process's locks on a file when it closes that file.
pub(crate) fn spoil_lock<B>(at: &Place<B>) -> Result<(), Outcome> {
    Ok(overwrite(&at.lock_file(), LOCK_FORMAT_OFFSET, &[9])?)
}

/// Does something to the lock file of an open environment with a write transaction; then another
/// process begins one.
fn lock_under_a_transaction<B: Probe>(at: &Place<B>, what: fn(&Path) -> io::Result<()>) -> Answer {
    let backend = at.open()?;
    let mut txn = backend.begin()?;
    txn.put(KEY, VALUE)?;
    what(&at.lock_file())?;
    step("begin in another process");
    at.partner_that(Role::HoldTransaction, "holding")?;
    accepted(TWO_AT_A_TIME)
}

/// Damages the lock file of a closed environment and goes on.
fn lock_file<B: Probe>(at: &Place<B>, damage: fn(&Path) -> io::Result<()>) -> Answer {
    written(at)?;
    damage(&at.lock_file())?;
    at.holds(&content())?;
    done(ALL_THERE)
}
