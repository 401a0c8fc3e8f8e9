//! The backend that stores nothing: it keeps to the contract's calls and forgets what it is given.

use std::path::Path;

use backend_null::Null;
use witness::Cost;
use write_backend::{
    EnvironmentOptions, ErrorKind, Operation, PutFlags, SyncMode, WriteBackend, WriteTransaction,
};

fn open(options: &EnvironmentOptions) -> Null {
    // SAFETY: there are no files.
    unsafe { Null::open(Path::new("it/does/not/look"), options) }.unwrap()
}

#[test]
fn it_has_neither_binding_nor_engine() {
    assert_eq!(Null::IDENTITY.id, "null");
    assert_eq!(Null::IDENTITY.binding, None);
    assert_eq!(Null::IDENTITY.engine, None);
    assert_eq!(Null::engine(), None);
}

#[test]
fn every_put_succeeds_and_is_forgotten() {
    let backend = open(&EnvironmentOptions::default());
    let mut txn = backend.begin().unwrap();
    txn.put(b"key", b"value").unwrap();
    txn.put_with_flags(b"key", b"value", PutFlags::NO_OVERWRITE).unwrap();
    let mut nested = txn.begin_nested().unwrap();
    nested.put(b"another", b"value").unwrap();
    nested.commit().unwrap();
    txn.commit().unwrap();
    assert_eq!(backend.get(b"key").unwrap(), None);
    let info = backend.info().unwrap();
    assert_eq!((info.entries, info.last_transaction), (0, 0));
}

#[test]
fn any_number_of_transactions_may_be_open() {
    let backend = open(&EnvironmentOptions::default());
    let first = backend.begin().unwrap();
    let second = backend.begin().unwrap();
    first.abort();
    second.commit().unwrap();
    backend.resize(0).unwrap();
}

#[test]
fn it_states_the_options_that_it_was_given() {
    let options = EnvironmentOptions {
        map_size: 12_345,
        sync: SyncMode::MapAsync,
        writable_map: true,
        ..EnvironmentOptions::default()
    };
    let info = open(&options).info().unwrap();
    assert_eq!(info.map_size, 12_345);
    assert_eq!((info.flags.sync, info.flags.writable_map), (SyncMode::MapAsync, true));
}

#[test]
fn it_refuses_the_options_that_every_backend_refuses() {
    let path = Path::new("some/where");
    let options = EnvironmentOptions { sync: SyncMode::MapAsync, ..EnvironmentOptions::default() };
    // SAFETY: there are no files.
    let error = unsafe { Null::open(path, &options) }.unwrap_err();
    assert_eq!((error.operation(), error.kind()), (Operation::Open, ErrorKind::InvalidArgument));
    assert_eq!(error.path(), Some(path));
}

#[test]
fn it_allocates_nothing() {
    assert_eq!(witness::check_allocations::<Null>(Cost::NONE), Ok(()));
}
