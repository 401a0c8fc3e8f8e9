//! Values of every size, and values that replace others.

use super::prelude::*;

cases! {
    "value/empty": "A value may have no bytes.",
        |at| empty(at, |txn| txn.put(KEY, &[])) => Done("read back with length 0");
    "value/empty-no-overwrite": "The same where the put asks for new keys only.",
        |at| empty(at, |txn| txn.put_with_flags(KEY, &[], PutFlags::NO_OVERWRITE))
            => Done("read back with length 0");
    "value/empty-append": "The same where the put asks for the end of the tree.",
        |at| empty(at, |txn| txn.put_with_flags(KEY, &[], PutFlags::APPEND))
            => Done("read back with length 0");
    "value/1-byte": "The shortest value with content.",
        |at| kept(at, &[1]) => Done("kept");
    "value/page-size": "A value as large as a page needs pages of its own.",
        |at| kept(at, &[4096]) => Done("kept");
    "value/1-MiB": "A value over hundreds of pages.",
        |at| kept(at, &[1 << 20]) => Done("kept");
    "value/sizes-around-page-limits":
        "Values that just fit and just do not fit a page, side by side.",
        |at| {
            // For pages of 4 KiB and keys of 4 bytes: two pairs share a page up to values of about 2,030
            // bytes; a longer value moves to pages of its own, whose headers take 16 bytes.
            let around = [0..40, 1980..2100, 4060..4120, 8160..8210];
            kept(at, &around.into_iter().flatten().collect::<Vec<_>>())
        } => Done("kept");
    "value/all-bytes": "A value is bytes, not text.",
        |at| {
            at.keeps(&[(KEY, (0..=u8::MAX).collect::<Vec<_>>())])?;
            done("kept")
        } => Done("kept");
    "value/same-as-key": "A value may equal its key.",
        |at| {
            at.keeps(&[(KEY, KEY)])?;
            done("kept")
        } => Done("kept");
    "value/replaced-by-longer": "Replacing a value by a longer one.",
        |at| replaced(at, 8, 900) => Done("the new value is there");
    "value/replaced-by-shorter": "Replacing a value by a shorter one.",
        |at| replaced(at, 900, 8) => Done("the new value is there");
    "value/large-replaced-by-empty": "Replacing a value of many pages by an empty one.",
        |at| replaced(at, 100_000, 0) => Done("the new value is there");
    "value/empty-replaced-by-large": "Replacing an empty value by one of many pages.",
        |at| replaced(at, 0, 100_000) => Done("the new value is there");
}

/// An empty value, put in any way, reads back with length 0 after reopening.
fn empty<B: Probe>(
    at: &Place<B>,
    put: impl FnOnce(&mut B::Txn<'_>) -> Result<(), BackendError>,
) -> Answer {
    let backend = at.open()?;
    let mut txn = backend.begin()?;
    put(&mut txn)?;
    txn.commit()?;
    drop(backend);
    at.holds(&[(KEY, &[])])?;
    done("read back with length 0")
}

/// Values of these sizes are there after reopening.
fn kept<B: Probe>(at: &Place<B>, sizes: &[usize]) -> Answer {
    let pair = |(index, size): (usize, &usize)| (nth_key(index), value_for(&nth_key(index), *size));
    at.keeps(&sizes.iter().enumerate().map(pair).collect::<Vec<_>>())?;
    done("kept")
}

/// A value of one size, committed, is replaced by one of another size in a second transaction.
fn replaced<B: Probe>(at: &Place<B>, old: usize, new: usize) -> Answer {
    let (old, new) = (vec![1; old], vec![2; new]);
    commit(&at.filled(&[(KEY, old)])?, &[(KEY, &new)])?;
    at.holds(&[(KEY, new)])?;
    done("the new value is there")
}
