//! A map that is resized while a read transaction is open: LMDB forbids it and does not look.

use super::prelude::*;

/// How many pairs there are; the data is much smaller than the map.
const PAIRS: usize = 100;
/// The size of their values, in bytes.
const VALUE_SIZE: usize = 256;

cases! {
    "resize/while-a-reader-is-open":
        "The map is made larger under a read transaction, which LMDB forbids and no binding \
         refuses; then that transaction looks values up.",
        look_up_after
            => Accepted("the map was resized; the transaction finds its values in the new one");
    "resize/value-held-over":
        "The same, and a value that was looked up before is read after it: its memory is gone. \
         heed marks its call unsafe for that; lmdb-rkv's is safe to call.",
        held_over => Crashes("read a value from before the resize");
}

fn look_up_after<B: Probe>(at: &Place<B>) -> Answer {
    let backend = at.filled(&pairs(PAIRS, VALUE_SIZE))?;
    let old = backend.info()?.map_size;
    let reader = begin_read(&backend)?;
    step("resize under a read transaction");
    backend.resize(old * 4)?;
    step("look values up in the read transaction");
    for (key, value) in pairs(PAIRS, VALUE_SIZE) {
        if reader.get(&key)?.as_ref() != Some(&value) {
            return wrong("another value is read");
        }
    }
    accepted("the map was resized; the transaction finds its values in the new one")
}

fn held_over<B: Probe>(at: &Place<B>) -> Answer {
    let backend = at.filled(&pairs(PAIRS, VALUE_SIZE))?;
    let old = backend.info()?.map_size;
    let reader = begin_read(&backend)?;
    let mut resized = Ok(());
    let value = reader.get_and_copy_after(&nth_key(0), || {
        resized = backend.resize(old * 4);
        step("read a value from before the resize");
    })?;
    resized?;
    if value == Some(value_for(&nth_key(0), VALUE_SIZE)) {
        accepted("the value is still there")
    } else {
        wrong("something else is read")
    }
}
