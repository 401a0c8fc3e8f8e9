//! Keys of every size and content.

use write_backend::workload::MAX_KEY_SIZE;

use super::prelude::*;

const TOO_LONG: &[u8] = &[7; MAX_KEY_SIZE + 1];
const PLAIN: PutFlags = PutFlags { no_overwrite: false, append: false };

cases! {
    "key/empty": "A key needs at least one byte.",
        |at| refused_key(at, &[], PLAIN) => Refused(Put, BadValueSize, GOES_ON);
    "key/empty-no-overwrite": "The same where the put asks for new keys only.",
        |at| refused_key(at, &[], PutFlags::NO_OVERWRITE) => Refused(Put, BadValueSize, GOES_ON);
    "key/1-byte": "The shortest key.",
        |at| kept(at, &[&[7]]) => Done("kept");
    "key/511-bytes": "The longest key.",
        |at| kept(at, &[&[7; MAX_KEY_SIZE]]) => Done("kept");
    "key/512-bytes": "One byte more than the longest key.",
        |at| refused_key(at, TOO_LONG, PLAIN) => Refused(Put, BadValueSize, GOES_ON);
    "key/512-bytes-append": "The same where the put asks for the end of the tree.",
        |at| refused_key(at, TOO_LONG, PutFlags::APPEND) => Refused(Put, BadValueSize, GOES_ON);
    "key/64-KiB": "A key that does not fit a page either.",
        |at| refused_key(at, &[7; 1 << 16], PLAIN) => Refused(Put, BadValueSize, GOES_ON);
    "key/every-size": "Keys of 1 to 511 bytes side by side in one transaction.",
        |at| {
            let keys: Vec<Vec<u8>> = (1..=MAX_KEY_SIZE).map(|size| vec![0x55; size]).collect();
            kept(at, &keys.iter().map(Vec::as_slice).collect::<Vec<_>>())
        } => Done("kept");
    "key/nul-and-high-bytes": "A key is bytes, not text: NUL, 0xff and invalid UTF-8 are kept.",
        |at| kept(at, &[&[0], &[0, 0], &[0xff; 4], b"a\0b", &[0xc3, 0x28]]) => Done("kept");
    "key/prefix-of-another": "A key and its prefix are two keys.",
        |at| kept(at, &[b"k", b"ke", b"key", b"key\0"]) => Done("kept");
    "key/twice-in-one-transaction": "The last put of a key counts.",
        |at| {
            drop(at.filled(&[(KEY, &b"first"[..]), (KEY, b"the last")])?);
            at.holds(&[(KEY, b"the last")])?;
            done("the last value is there")
        } => Done("the last value is there");
    "key/get-absent": "Reading a key that was never put.",
        |at| get(at, b"another key") => Done("nothing is there");
    "key/get-empty": "Reading with a key of no bytes.",
        |at| get(at, &[]) => Refused(Get, BadValueSize, "");
    "key/get-512-bytes": "Reading with a key that cannot exist.",
        |at| get(at, TOO_LONG) => Done("nothing is there");
}

fn refused_key<B: Probe>(at: &Place<B>, key: &[u8], flags: PutFlags) -> Answer {
    refused_put(at, |txn| txn.put_with_flags(key, VALUE, flags))
}

/// Pairs with these keys are all there after reopening.
fn kept<B: Probe>(at: &Place<B>, keys: &[&[u8]]) -> Answer {
    at.keeps(&keys.iter().map(|key| (*key, value_for(key, 32))).collect::<Vec<_>>())?;
    done("kept")
}

fn get<B: Probe>(at: &Place<B>, key: &[u8]) -> Answer {
    match at.filled(&[(KEY, VALUE)])?.get(key)? {
        None => done("nothing is there"),
        Some(value) => wrong(format!("{} bytes were found", value.len())),
    }
}
