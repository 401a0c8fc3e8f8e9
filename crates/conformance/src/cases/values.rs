//! Values of every size, and values that replace others.

use write_backend::batch::value_for;
use write_backend::{Probe, PutFlags, WriteTransaction as _};

use crate::case::Case;
use crate::directory::Directory;
use crate::outcome::{Answer, Outcome};
use crate::steps::{KEY, must_hold_after_reopening, nth_key, open, options, put_and_commit};

pub(crate) fn cases<B: Probe>() -> Vec<Case> {
    vec![
        Case::new("value/empty", "A value may have no bytes.", |directory| {
            empty::<B>(directory, None)
        }),
        Case::new(
            "value/empty-no-overwrite",
            "The same where the put asks for new keys only.",
            |directory| empty::<B>(directory, Some(PutFlags::NO_OVERWRITE)),
        ),
        Case::new(
            "value/empty-append",
            "The same where the put asks for the end of the tree.",
            |directory| empty::<B>(directory, Some(PutFlags::APPEND)),
        ),
        Case::new("value/1-byte", "The shortest value with content.", |directory| {
            kept::<B>(directory, &[1])
        }),
        Case::new(
            "value/page-size",
            "A value as large as a page needs pages of its own.",
            |directory| kept::<B>(directory, &[4096]),
        ),
        Case::new("value/1-MiB", "A value over hundreds of pages.", |directory| {
            kept::<B>(directory, &[1 << 20])
        }),
        Case::new(
            "value/sizes-around-page-limits",
            "Values that just fit and just do not fit a page, side by side.",
            around_page_limits::<B>,
        ),
        Case::new("value/all-bytes", "A value is bytes, not text.", all_bytes::<B>),
        Case::new("value/same-as-key", "A value may equal its key.", |directory| {
            let backend = open::<B>(directory.path(), &options())?;
            put_and_commit(&backend, &[(KEY, KEY)])?;
            drop(backend);
            must_hold_after_reopening::<B>(directory.path(), &options(), &[(KEY, KEY)])?;
            Ok(Outcome::done("kept"))
        }),
        Case::new("value/replaced-by-longer", "Replacing a value by a longer one.", |directory| {
            replaced::<B>(directory, 8, 900)
        }),
        Case::new(
            "value/replaced-by-shorter",
            "Replacing a value by a shorter one.",
            |directory| replaced::<B>(directory, 900, 8),
        ),
        Case::new(
            "value/large-replaced-by-empty",
            "Replacing a value of many pages by an empty one.",
            |directory| replaced::<B>(directory, 100_000, 0),
        ),
        Case::new(
            "value/empty-replaced-by-large",
            "Replacing an empty value by one of many pages.",
            |directory| replaced::<B>(directory, 0, 100_000),
        ),
    ]
}

/// An empty value, put with flags or without, reads back with length 0 after reopening.
fn empty<B: Probe>(directory: &Directory, flags: Option<PutFlags>) -> Answer {
    let backend = open::<B>(directory.path(), &options())?;
    let mut txn = backend.begin()?;
    match flags {
        None => txn.put(KEY, &[])?,
        Some(flags) => txn.put_with_flags(KEY, &[], flags)?,
    }
    txn.commit()?;
    drop(backend);
    must_hold_after_reopening::<B>(directory.path(), &options(), &[(KEY, &[])])?;
    Ok(Outcome::done("read back with length 0"))
}

/// Values of these sizes are there after reopening.
fn kept<B: Probe>(directory: &Directory, sizes: &[usize]) -> Answer {
    let pair = |(index, size): (usize, &usize)| {
        let key = nth_key(index);
        (key, value_for(&key, *size))
    };
    let pairs: Vec<_> = sizes.iter().enumerate().map(pair).collect();
    let backend = open::<B>(directory.path(), &options())?;
    put_and_commit(&backend, &pairs)?;
    drop(backend);
    must_hold_after_reopening::<B>(directory.path(), &options(), &pairs)?;
    Ok(Outcome::done("kept"))
}

fn around_page_limits<B: Probe>(directory: &Directory) -> Answer {
    // For pages of 4 KiB and keys of 4 bytes: two pairs share a page up to values of about 2,030
    // bytes; a longer value moves to pages of its own, whose headers take 16 bytes.
    let sizes: Vec<usize> = (0..40).chain(1980..2100).chain(4060..4120).chain(8160..8210).collect();
    kept::<B>(directory, &sizes)
}

fn all_bytes<B: Probe>(directory: &Directory) -> Answer {
    let value: Vec<u8> = (0..=u8::MAX).collect();
    let backend = open::<B>(directory.path(), &options())?;
    put_and_commit(&backend, &[(KEY, &value)])?;
    drop(backend);
    must_hold_after_reopening::<B>(directory.path(), &options(), &[(KEY, value)])?;
    Ok(Outcome::done("kept"))
}

/// A value of one size, committed, is replaced by one of another size in a second transaction.
fn replaced<B: Probe>(directory: &Directory, old: usize, new: usize) -> Answer {
    let (old, new) = (vec![1; old], vec![2; new]);
    let backend = open::<B>(directory.path(), &options())?;
    put_and_commit(&backend, &[(KEY, old)])?;
    put_and_commit(&backend, &[(KEY, &new)])?;
    drop(backend);
    must_hold_after_reopening::<B>(directory.path(), &options(), &[(KEY, new)])?;
    Ok(Outcome::done("the new value is there"))
}
