//! Mistakes with lmdb and its forks. What the compiler says to each stands above it, and is checked.

use binding::{Database, Environment, Result, Transaction, WriteFlags};

fn main() {}

// refused: E0277
#[cfg(mistake = "transaction-moved")]
pub fn mistake(env: &Environment, pairs: Database) -> Result<()> {
    let mut txn = env.begin_rw_txn()?;
    let put = move || txn.put(pairs, b"key", b"value", WriteFlags::empty());
    std::thread::scope(|scope| scope.spawn(put).join().is_ok());
    Ok(())
}

// refused: E0502
#[cfg(mistake = "value-put-again")]
pub fn mistake(env: &Environment, pairs: Database) -> Result<()> {
    let mut txn = env.begin_rw_txn()?;
    let value = txn.get(pairs, b"key")?;
    txn.put(pairs, b"other", &value, WriteFlags::empty())?;
    txn.commit()
}

// refused: E0505
#[cfg(mistake = "value-kept")]
pub fn mistake(env: &Environment, pairs: Database) -> Result<usize> {
    let txn = env.begin_ro_txn()?;
    let value = txn.get(pairs, b"key")?;
    drop(txn);
    Ok(value.len())
}

// refused: E0505
#[cfg(mistake = "environment-closed")]
pub fn mistake(env: Environment) -> Result<()> {
    let txn = env.begin_rw_txn()?;
    drop(env);
    txn.commit()
}

// refused: E0382
#[cfg(mistake = "transaction-ended")]
pub fn mistake(env: &Environment, pairs: Database) -> Result<()> {
    let mut txn = env.begin_rw_txn()?;
    txn.commit()?;
    txn.put(pairs, b"key", b"value", WriteFlags::empty())
}

// allowed
#[cfg(mistake = "environment-shared")]
pub fn mistake(env: &Environment) -> Result<()> {
    std::thread::scope(|scope| scope.spawn(|| env.begin_rw_txn().and_then(Transaction::commit)).join().is_ok());
    Ok(())
}
