//! A map that is resized while a read transaction is open: LMDB forbids it and does not look.

use write_backend::{BackendError, Probe, ReadTransaction as _};

use crate::case::Case;
use crate::child::step;
use crate::directory::Directory;
use crate::outcome::{Answer, Outcome};
use crate::steps::{nth_key, open, options, pairs, put_and_commit};

/// How many pairs there are; the data is much smaller than the map.
const PAIRS: usize = 100;
/// The size of their values, in bytes.
const VALUE_SIZE: usize = 256;

pub(crate) fn cases<B: Probe>() -> Vec<Case> {
    vec![
        Case::new(
            "resize/while-a-reader-is-open",
            "The map is made larger under a read transaction, which LMDB forbids and no binding \
             refuses; then that transaction looks values up.",
            look_up_after::<B>,
        ),
        Case::new(
            "resize/value-held-over",
            "The same, and a value that was looked up before is read after it: its memory is gone. \
             heed marks its call unsafe for that; lmdb-rkv's is safe to call.",
            held_over::<B>,
        ),
    ]
}

/// An environment with [`PAIRS`] pairs.
fn filled<B: Probe>(directory: &Directory) -> Result<B, Outcome> {
    let backend = open::<B>(directory.path(), &options())?;
    put_and_commit(&backend, &pairs(PAIRS, VALUE_SIZE))?;
    Ok(backend)
}

/// Begins a read transaction under which the map will be resized.
fn begin_read<B: Probe>(backend: &B) -> Result<B::Reader<'_>, BackendError> {
    // SAFETY: the promise is broken on purpose: what happens then is what is looked at, in a process
    // that does nothing else and ends afterwards.
    unsafe { backend.begin_read() }
}

fn look_up_after<B: Probe>(directory: &Directory) -> Answer {
    let backend = filled::<B>(directory)?;
    let old = backend.info()?.map_size;
    let reader = begin_read(&backend)?;
    step("resize under a read transaction");
    backend.resize(old * 4)?;
    step("look values up in the read transaction");
    for (key, value) in pairs(PAIRS, VALUE_SIZE) {
        if reader.get(&key)?.as_ref() != Some(&value) {
            return Ok(Outcome::wrong("another value is read"));
        }
    }
    Ok(Outcome::accepted("the map was resized; the transaction finds its values in the new one"))
}

fn held_over<B: Probe>(directory: &Directory) -> Answer {
    let backend = filled::<B>(directory)?;
    let old = backend.info()?.map_size;
    let reader = begin_read(&backend)?;
    let mut resized = Ok(());
    let value = reader.get_and_copy_after(&nth_key(0), || {
        resized = backend.resize(old * 4);
        step("read a value from before the resize");
    })?;
    resized?;
    let (_, right) = pairs(1, VALUE_SIZE).swap_remove(0);
    Ok(if value == Some(right) {
        Outcome::accepted("the value is still there")
    } else {
        Outcome::wrong("something else is read")
    })
}
