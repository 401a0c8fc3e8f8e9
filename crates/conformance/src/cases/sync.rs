//! Sync modes and the writable map: are they really set, and does each keep what it must?

use write_backend::{EnvironmentOptions, Probe, SyncMode};

use crate::case::Case;
use crate::directory::Directory;
use crate::outcome::{Answer, Outcome};
use crate::steps::{must_hold_after_reopening, open, options, pairs, put_and_commit};

pub(crate) fn cases<B: Probe>() -> Vec<Case> {
    vec![
        Case::new("sync/nosync", "Sync mode `nosync` is what the environment has.", |directory| {
            set::<B>(directory, SyncMode::NoSync, false)
        }),
        Case::new("sync/nometasync", "So it is with `nometasync`.", |directory| {
            set::<B>(directory, SyncMode::NoMetaSync, false)
        }),
        Case::new("sync/sync", "So it is with `sync`.", |directory| {
            set::<B>(directory, SyncMode::Sync, false)
        }),
        Case::new("sync/nosync-writable-map", "`nosync` with a writable map.", |directory| {
            set::<B>(directory, SyncMode::NoSync, true)
        }),
        Case::new("sync/nometasync-writable-map", "`nometasync` with a writable map.", |d| {
            set::<B>(d, SyncMode::NoMetaSync, true)
        }),
        Case::new("sync/sync-writable-map", "`sync` with a writable map.", |directory| {
            set::<B>(directory, SyncMode::Sync, true)
        }),
        Case::new("sync/mapasync-writable-map", "`mapasync` with a writable map.", |directory| {
            set::<B>(directory, SyncMode::MapAsync, true)
        }),
        Case::new(
            "sync/mapasync-alone",
            "Without a writable map LMDB ignores `mapasync` and every commit waits for the disk.",
            |directory| set::<B>(directory, SyncMode::MapAsync, false),
        ),
    ]
}

/// The environment has the mode that was asked for, and keeps what is committed.
fn set<B: Probe>(directory: &Directory, sync: SyncMode, writable_map: bool) -> Answer {
    let options = EnvironmentOptions { sync, writable_map, ..options() };
    let pairs = pairs(20, 100);
    let backend = open::<B>(directory.path(), &options)?;
    let flags = backend.info()?.flags;
    if flags.sync != sync || flags.writable_map != writable_map {
        return Ok(Outcome::wrong(format!("the environment has {flags:?}")));
    }
    put_and_commit(&backend, &pairs)?;
    drop(backend);
    must_hold_after_reopening::<B>(directory.path(), &options, &pairs)?;
    Ok(Outcome::done("set, and all pairs are there"))
}
