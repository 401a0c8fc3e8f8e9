//! Several threads of one process. Whether a binding's types allow it is another question: `refused.rs` in
//! its folder answers that. Here it is done all the same.

use std::thread;
use std::time::Duration;

use super::prelude::*;

cases! {
    "threads/second-writes": "A second thread writes while the first has a write transaction.",
        second_writes => Done("it waits, and both pairs are there");
    "threads/transaction-moved":
        "A write transaction is committed by another thread than the one that began it, which then begins the \
         next: LMDB's lock belongs to a thread.",
        moved => Deadlocks("begin after another thread has committed");
}

/// Something that is used on one thread at a time, on whichever.
struct Moved<T>(T);

// SAFETY: what is moved here is not used by two threads at a time, except for an environment: that LMDB allows
// (`lmdb.h`, `mdb_env_open`), and adapters keep nothing else. That LMDB binds a transaction to its thread is
// what the case is about: it breaks the promise on purpose, in a process that does nothing else.
#[expect(unsafe_code, reason = "the cases do what types may refuse")]
unsafe impl<T> Send for Moved<T> {}

impl<T> Moved<T> {
    /// Takes the whole of it into a closure, and not the field alone.
    fn get(self) -> T {
        self.0
    }
}

const MINE: &[u8] = b"mine";

fn second_writes<B: Probe>(at: &Place<B>) -> Answer {
    /// How long the first holds its transaction.
    const HOLDS: Duration = Duration::from_millis(200);
    let backend = at.open()?;
    let mut txn = backend.begin()?;
    txn.put(KEY, VALUE)?;
    let shared = Moved(&backend);
    let second = thread::scope(|scope| -> Result<_, BackendError> {
        let second = scope.spawn(move || commit(shared.get(), &[(MINE, VALUE)]).map_err(Moved));
        thread::sleep(HOLDS);
        step("commit while a second thread waits");
        let waits = !second.is_finished();
        txn.commit()?;
        Ok(second.join().map(|committed| committed.map(|()| waits)))
    })?;
    match second {
        Ok(Ok(true)) => {}
        Ok(Ok(false)) => return wrong("it did not wait"),
        Ok(Err(Moved(error))) => return refused(&error, ""),
        Err(_) => return wrong("the second thread panicked"),
    }
    must_hold(&backend, &[(KEY, VALUE), (MINE, VALUE)])?;
    done("it waits, and both pairs are there")
}

fn moved<B: Probe>(at: &Place<B>) -> Answer {
    let backend = at.open()?;
    let mut txn = backend.begin()?;
    txn.put(KEY, VALUE)?;
    step("commit on another thread");
    let txn = Moved(txn);
    let committed =
        thread::scope(|scope| scope.spawn(move || txn.get().commit().map_err(Moved)).join());
    match committed {
        Ok(Ok(())) => {}
        Ok(Err(Moved(error))) => return refused(&error, ""),
        Err(_) => return wrong("the other thread panicked"),
    }
    step("begin after another thread has committed");
    commit(&backend, &[(MINE, VALUE)])?;
    must_hold(&backend, &[(KEY, VALUE), (MINE, VALUE)])?;
    done("both pairs are there")
}
