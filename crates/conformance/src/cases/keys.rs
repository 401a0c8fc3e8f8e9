//! Keys of every size and content.

use write_backend::workload::MAX_KEY_SIZE;
use write_backend::{Probe, PutFlags, WriteTransaction as _};

use crate::case::Case;
use crate::directory::Directory;
use crate::outcome::{Answer, Outcome};
use crate::steps::{
    KEY, VALUE, must_be, must_fail, must_hold_after_reopening, open, options, put_and_commit,
};

pub(crate) fn cases<B: Probe>() -> Vec<Case> {
    const TOO_LONG: usize = MAX_KEY_SIZE + 1;
    vec![
        Case::new("key/empty", "A key needs at least one byte.", |directory| {
            refused_put::<B>(directory, &[], PutFlags::default())
        }),
        Case::new(
            "key/empty-no-overwrite",
            "The same where the put asks for new keys only.",
            |directory| refused_put::<B>(directory, &[], PutFlags::NO_OVERWRITE),
        ),
        Case::new("key/1-byte", "The shortest key.", |directory| kept::<B>(directory, &[&[7]])),
        Case::new("key/511-bytes", "The longest key.", |directory| {
            kept::<B>(directory, &[&[7; MAX_KEY_SIZE]])
        }),
        Case::new("key/512-bytes", "One byte more than the longest key.", |directory| {
            refused_put::<B>(directory, &[7; TOO_LONG], PutFlags::default())
        }),
        Case::new(
            "key/512-bytes-append",
            "The same where the put asks for the end of the tree.",
            |directory| refused_put::<B>(directory, &[7; TOO_LONG], PutFlags::APPEND),
        ),
        Case::new("key/64-KiB", "A key that does not fit a page either.", |directory| {
            refused_put::<B>(directory, &[7; 1 << 16], PutFlags::default())
        }),
        Case::new(
            "key/every-size",
            "Keys of 1 to 511 bytes side by side in one transaction.",
            every_size::<B>,
        ),
        Case::new(
            "key/nul-and-high-bytes",
            "A key is bytes, not text: NUL, 0xff and invalid UTF-8 are kept.",
            |directory| kept::<B>(directory, &[&[0], &[0, 0], &[0xff; 4], b"a\0b", &[0xc3, 0x28]]),
        ),
        Case::new("key/prefix-of-another", "A key and its prefix are two keys.", |directory| {
            kept::<B>(directory, &[b"k", b"ke", b"key", b"key\0"])
        }),
        Case::new("key/twice-in-one-transaction", "The last put of a key counts.", twice::<B>),
        Case::new("key/get-absent", "Reading a key that was never put.", |directory| {
            let backend = open::<B>(directory.path(), &options())?;
            put_and_commit(&backend, &[(KEY, VALUE)])?;
            must_be(&backend, b"another key", None)?;
            Ok(Outcome::done("nothing is there"))
        }),
        Case::new("key/get-empty", "Reading with a key of no bytes.", |directory| {
            get::<B>(directory, &[])
        }),
        Case::new("key/get-512-bytes", "Reading with a key that cannot exist.", |directory| {
            get::<B>(directory, &[7; TOO_LONG])
        }),
    ]
}

/// A put that must be refused, after which the transaction still takes a sound one.
fn refused_put<B: Probe>(directory: &Directory, key: &[u8], flags: PutFlags) -> Answer {
    let backend = open::<B>(directory.path(), &options())?;
    let mut txn = backend.begin()?;
    let error = must_fail(txn.put_with_flags(key, VALUE, flags), "the put succeeded")?;
    txn.put(KEY, VALUE)?;
    txn.commit()?;
    drop(backend);
    must_hold_after_reopening::<B>(directory.path(), &options(), &[(KEY, VALUE)])?;
    Ok(Outcome::refused(&error, "the transaction goes on"))
}

/// Pairs with these keys are all there after reopening.
fn kept<B: Probe>(directory: &Directory, keys: &[&[u8]]) -> Answer {
    let pairs: Vec<(&[u8], Vec<u8>)> =
        keys.iter().map(|key| (*key, write_backend::batch::value_for(key, 32))).collect();
    let backend = open::<B>(directory.path(), &options())?;
    put_and_commit(&backend, &pairs)?;
    drop(backend);
    must_hold_after_reopening::<B>(directory.path(), &options(), &pairs)?;
    Ok(Outcome::done("kept"))
}

fn every_size<B: Probe>(directory: &Directory) -> Answer {
    let keys: Vec<Vec<u8>> = (1..=MAX_KEY_SIZE).map(|size| vec![0x55; size]).collect();
    let keys: Vec<&[u8]> = keys.iter().map(Vec::as_slice).collect();
    kept::<B>(directory, &keys)
}

fn twice<B: Probe>(directory: &Directory) -> Answer {
    let backend = open::<B>(directory.path(), &options())?;
    put_and_commit(&backend, &[(KEY, &b"first"[..]), (KEY, b"the last")])?;
    drop(backend);
    must_hold_after_reopening::<B>(directory.path(), &options(), &[(KEY, b"the last")])?;
    Ok(Outcome::done("the last value is there"))
}

fn get<B: Probe>(directory: &Directory, key: &[u8]) -> Answer {
    let backend = open::<B>(directory.path(), &options())?;
    put_and_commit(&backend, &[(KEY, VALUE)])?;
    match backend.get(key)? {
        None => Ok(Outcome::done("nothing is there")),
        Some(value) => Ok(Outcome::wrong(format!("{} bytes were found", value.len()))),
    }
}
