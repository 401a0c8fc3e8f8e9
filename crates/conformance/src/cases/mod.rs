//! The inputs, by subject, with what happens to each.

pub(crate) mod closing;
pub(crate) mod damage;
pub(crate) mod databases;
pub(crate) mod disk_full;
pub(crate) mod duplicates;
pub(crate) mod flags;
pub(crate) mod handles;
pub(crate) mod keys;
pub(crate) mod map_full;
pub(crate) mod map_size;
pub(crate) mod nested;
pub(crate) mod open;
pub(crate) mod permissions;
pub(crate) mod processes;
pub(crate) mod read_only;
pub(crate) mod readers;
pub(crate) mod reserve;
pub(crate) mod resize_while_reading;
pub(crate) mod sync;
pub(crate) mod threads;
pub(crate) mod transaction_full;
pub(crate) mod transactions;
pub(crate) mod values;

/// What most cases are written with.
mod prelude {
    pub(super) use std::io::ErrorKind as IoKind;

    pub(super) use write_backend::ErrorKind::{
        BadReaderSlot, BadTransaction, BadValueSize, Corrupted, DatabasesFull, Incompatible,
        Invalid, InvalidArgument, Io, KeyExists, MapFull, MapResized, NotFound, PageNotFound,
        ReadersFull, TransactionFull, VersionMismatch,
    };
    pub(super) use write_backend::Operation::{
        Begin, BeginNested, BeginRead, Commit, Get, Open, OpenDatabase, Put, Reserve, Resize,
    };
    pub(super) use write_backend::batch::value_for;
    pub(super) use write_backend::protocol::behaviour::Outcome;
    pub(super) use write_backend::{
        BackendError, EnvironmentOptions, Probe, PutFlags, ReadTransaction as _, WriteBackend,
        WriteTransaction,
    };

    pub(super) use crate::case::cases;
    pub(super) use crate::expected::Expectation::{
        Accepted, Crashes, Deadlocks, Done, Refused, Wrong,
    };
    pub(super) use crate::partner::{Mount, Role};
    pub(super) use crate::place::Place;
    pub(super) use crate::runner::step;
    pub(super) use crate::steps::*;
}
