//! The defects, each a mistake that an adapter could make.

use std::path::{Path, PathBuf};

use write_backend::{
    BackendError, DatabaseOptions, EnvironmentOptions, SyncMode, WriteTransaction as _,
};

use crate::defect::{BrokenTxn, Defect};

type Done = Result<(), BackendError>;

/// None: everything that is told apart from a sound adapter must pass this one.
pub(crate) struct NoDefect;
impl Defect for NoDefect {}

pub(crate) struct SkipsCommit;
impl Defect for SkipsCommit {
    fn commit(txn: BrokenTxn<'_, Self>) -> Done {
        drop(txn);
        Ok(())
    }
}

pub(crate) struct CommitsOnAbort;
impl Defect for CommitsOnAbort {
    fn abort(txn: BrokenTxn<'_, Self>) {
        // An abort cannot report an error.
        let _ = txn.into_raw().commit();
    }
}

pub(crate) struct CommitsTwicePerTransaction;
impl Defect for CommitsTwicePerTransaction {
    fn put(txn: &mut BrokenTxn<'_, Self>, key: &[u8], value: &[u8]) -> Done {
        txn.raw().put(key, value)?;
        if txn.puts == 10 { txn.commit_and_go_on() } else { Ok(()) }
    }
}

pub(crate) struct CommitsEveryPut;
impl Defect for CommitsEveryPut {
    fn put(txn: &mut BrokenTxn<'_, Self>, key: &[u8], value: &[u8]) -> Done {
        txn.raw().put(key, value)?;
        txn.commit_and_go_on()
    }
}

pub(crate) struct WritesTheFirstTransactionOnly;
impl Defect for WritesTheFirstTransactionOnly {
    fn put(txn: &mut BrokenTxn<'_, Self>, key: &[u8], value: &[u8]) -> Done {
        if txn.number == 1 { txn.raw().put(key, value) } else { Ok(()) }
    }
}

pub(crate) struct DropsEveryTenthPut;
impl Defect for DropsEveryTenthPut {
    fn put(txn: &mut BrokenTxn<'_, Self>, key: &[u8], value: &[u8]) -> Done {
        if txn.puts.is_multiple_of(10) { Ok(()) } else { txn.raw().put(key, value) }
    }
}

pub(crate) struct StoresTheKeyAsTheValue;
impl Defect for StoresTheKeyAsTheValue {
    fn put(txn: &mut BrokenTxn<'_, Self>, key: &[u8], _: &[u8]) -> Done {
        txn.raw().put(key, key)
    }
}

pub(crate) struct SwapsKeyAndValue;
impl Defect for SwapsKeyAndValue {
    fn put(txn: &mut BrokenTxn<'_, Self>, key: &[u8], value: &[u8]) -> Done {
        txn.raw().put(value, key)
    }
}

pub(crate) struct WritesValuesOneByteShort;
impl Defect for WritesValuesOneByteShort {
    fn put(txn: &mut BrokenTxn<'_, Self>, key: &[u8], value: &[u8]) -> Done {
        txn.raw().put(key, &value[..value.len() - 1])
    }
}

pub(crate) struct WritesZeros;
impl Defect for WritesZeros {
    fn put(txn: &mut BrokenTxn<'_, Self>, key: &[u8], value: &[u8]) -> Done {
        txn.raw().put(key, &vec![0; value.len()])
    }
}

pub(crate) struct CutsKeys;
impl Defect for CutsKeys {
    fn put(txn: &mut BrokenTxn<'_, Self>, key: &[u8], value: &[u8]) -> Done {
        txn.raw().put(&key[..key.len() - 1], value)
    }
}

pub(crate) struct SwallowsErrors;
impl Defect for SwallowsErrors {
    fn put(txn: &mut BrokenTxn<'_, Self>, key: &[u8], value: &[u8]) -> Done {
        let _ = txn.raw().put(key, value);
        Ok(())
    }

    fn commit(txn: BrokenTxn<'_, Self>) -> Done {
        let _ = txn.into_raw().commit();
        Ok(())
    }
}

pub(crate) struct WritesToAnotherDatabase;
impl Defect for WritesToAnotherDatabase {
    fn options(asked: &EnvironmentOptions) -> EnvironmentOptions {
        let database = DatabaseOptions { name: Some("another".to_owned()), duplicates: false };
        EnvironmentOptions { max_databases: 1, database, ..asked.clone() }
    }
}

pub(crate) struct WritesToAnotherDirectory;
impl Defect for WritesToAnotherDirectory {
    fn directory(asked: &Path) -> PathBuf {
        let path = asked.join("another");
        std::fs::create_dir_all(&path).expect("the directory can be written");
        path
    }
}

pub(crate) struct IgnoresTheSyncMode;
impl Defect for IgnoresTheSyncMode {
    fn options(asked: &EnvironmentOptions) -> EnvironmentOptions {
        EnvironmentOptions { sync: SyncMode::NoSync, ..asked.clone() }
    }
}

pub(crate) struct SyncsAlways;
impl Defect for SyncsAlways {
    fn options(asked: &EnvironmentOptions) -> EnvironmentOptions {
        EnvironmentOptions { sync: SyncMode::Sync, ..asked.clone() }
    }
}

pub(crate) struct IgnoresTheWritableMap;
impl Defect for IgnoresTheWritableMap {
    fn options(asked: &EnvironmentOptions) -> EnvironmentOptions {
        EnvironmentOptions { writable_map: false, ..asked.clone() }
    }
}

pub(crate) struct CopiesItsInput;
impl Defect for CopiesItsInput {
    fn put(txn: &mut BrokenTxn<'_, Self>, key: &[u8], value: &[u8]) -> Done {
        let (key, value) = (key.to_vec(), value.to_vec());
        txn.raw().put(&key, &value)
    }
}

pub(crate) struct AllocatesPerTransaction;
impl Defect for AllocatesPerTransaction {
    fn commit(txn: BrokenTxn<'_, Self>) -> Done {
        let boxed = std::hint::black_box(Box::new([0_u8; 16]));
        txn.into_raw().commit()?;
        drop(boxed);
        Ok(())
    }

    fn abort(txn: BrokenTxn<'_, Self>) {
        let boxed = std::hint::black_box(Box::new([0_u8; 16]));
        txn.into_raw().abort();
        drop(boxed);
    }
}
