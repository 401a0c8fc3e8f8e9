//! Sync modes and the writable map: are they really set, and does each keep what it must?

use write_backend::SyncMode::{self, MapAsync, NoMetaSync, NoSync, Sync};

use super::prelude::*;

const SET: &str = "set, and all pairs are there";

cases! {
    "sync/nosync": "Sync mode `nosync` is what the environment has.",
        |at| set(at, NoSync, false) => Done(SET);
    "sync/nometasync": "So it is with `nometasync`.",
        |at| set(at, NoMetaSync, false) => Done(SET);
    "sync/sync": "So it is with `sync`.",
        |at| set(at, Sync, false) => Done(SET);
    "sync/nosync-writable-map": "`nosync` with a writable map.",
        |at| set(at, NoSync, true) => Done(SET);
    "sync/nometasync-writable-map": "`nometasync` with a writable map.",
        |at| set(at, NoMetaSync, true) => Done(SET);
    "sync/sync-writable-map": "`sync` with a writable map.",
        |at| set(at, Sync, true) => Done(SET);
    "sync/mapasync-writable-map": "`mapasync` with a writable map.",
        |at| set(at, MapAsync, true) => Done(SET);
    "sync/mapasync-alone":
        "Without a writable map LMDB ignores `mapasync` and every commit waits for the disk.",
        |at| set(at, MapAsync, false) => Refused(Open, InvalidArgument, "");
}

/// The environment has the mode that was asked for, and keeps what is committed.
fn set<B: Probe>(at: &Place<B>, sync: SyncMode, writable_map: bool) -> Answer {
    let at = at.with(EnvironmentOptions { sync, writable_map, ..options() });
    let pairs = pairs(20, 100);
    let backend = at.open()?;
    let flags = backend.info()?.flags;
    if flags.sync != sync || flags.writable_map != writable_map {
        return wrong(format!("the environment has {flags:?}"));
    }
    commit(&backend, &pairs)?;
    drop(backend);
    at.holds(&pairs)?;
    done(SET)
}
