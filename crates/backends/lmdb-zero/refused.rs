//! Mistakes with lmdb-zero. What the compiler says to each stands above it, and is checked.

use binding::error::Result;
use binding::{Database, Environment, ReadTransaction, WriteTransaction, put};

fn main() {}

// refused: E0277
#[cfg(mistake = "transaction-moved")]
pub fn mistake(env: &Environment, pairs: &Database) -> Result<()> {
    let txn = WriteTransaction::new(env)?;
    let put = move || txn.access().put(pairs, b"key", b"value", put::Flags::empty());
    std::thread::scope(|scope| scope.spawn(put).join().is_ok());
    Ok(())
}

// refused: E0502
#[cfg(mistake = "value-put-again")]
pub fn mistake(env: &Environment, pairs: &Database) -> Result<()> {
    let txn = WriteTransaction::new(env)?;
    let mut access = txn.access();
    let value: &[u8] = access.get(pairs, b"key")?;
    access.put(pairs, b"other", value, put::Flags::empty())
}

// refused: E0505
#[cfg(mistake = "value-kept")]
pub fn mistake(env: &Environment, pairs: &Database) -> Result<usize> {
    let txn = ReadTransaction::new(env)?;
    let access = txn.access();
    let value: &[u8] = access.get(pairs, b"key")?;
    drop(access);
    drop(txn);
    Ok(value.len())
}

// refused: E0505
#[cfg(mistake = "environment-closed")]
pub fn mistake(env: Environment) -> Result<()> {
    let txn = WriteTransaction::new(&env)?;
    drop(env);
    txn.commit()
}

// refused: E0382
#[cfg(mistake = "transaction-ended")]
pub fn mistake(env: &Environment, pairs: &Database) -> Result<()> {
    let txn = WriteTransaction::new(env)?;
    txn.commit()?;
    let again = txn.access().put(pairs, b"key", b"value", put::Flags::empty());
    again
}

// allowed
#[cfg(mistake = "environment-shared")]
pub fn mistake(env: &Environment) -> Result<()> {
    let write = || WriteTransaction::new(env).and_then(WriteTransaction::commit);
    std::thread::scope(|scope| scope.spawn(write).join().is_ok());
    Ok(())
}
