//! Mistakes with heed. What the compiler says to each stands above it, and is checked.

use binding::types::Bytes;
use binding::{Database, Env, Result};

type Pairs<'env> = Database<'env, Bytes, Bytes>;

fn main() {}

// allowed
#[cfg(mistake = "transaction-moved")]
pub fn mistake(env: &Env, pairs: &Pairs) -> Result<()> {
    let mut txn = env.write_txn()?;
    std::thread::scope(|scope| scope.spawn(move || pairs.put(&mut txn, b"key", b"value")).join().is_ok());
    Ok(())
}

// refused: E0502
#[cfg(mistake = "value-put-again")]
pub fn mistake(env: &Env, pairs: &Pairs) -> Result<()> {
    let mut txn = env.write_txn()?;
    if let Some(value) = pairs.get(&txn, b"key")? {
        pairs.put(&mut txn, b"other", value)?;
    }
    txn.commit()
}

// refused: E0505
#[cfg(mistake = "value-kept")]
pub fn mistake(env: &Env, pairs: &Pairs) -> Result<usize> {
    let txn = env.read_txn()?;
    let value = pairs.get(&txn, b"key")?;
    drop(txn);
    Ok(value.map_or(0, <[u8]>::len))
}

// refused: E0505
#[cfg(mistake = "environment-closed")]
pub fn mistake(env: Env) {
    let Ok(txn) = env.write_txn() else { return };
    drop(env);
    let _ = txn.commit();
}

// refused: E0382
#[cfg(mistake = "transaction-ended")]
pub fn mistake(env: &Env, pairs: &Pairs) -> Result<()> {
    let mut txn = env.write_txn()?;
    txn.commit()?;
    pairs.put(&mut txn, b"key", b"value")
}

// allowed
#[cfg(mistake = "environment-shared")]
pub fn mistake(env: &Env) -> Result<()> {
    std::thread::scope(|scope| scope.spawn(|| env.write_txn().and_then(|txn| txn.commit())).join().is_ok());
    Ok(())
}
