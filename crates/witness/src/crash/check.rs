//! Is what was reported there, whole, and is nothing there in part?

use std::path::Path;

use write_backend::protocol::behaviour::{Found, Question};
use write_backend::{EnvironmentOptions, WriteBackend};

use super::batch::{self, Batch, LAST};
use super::commit;

/// An open environment whose writer is dead or will be.
#[derive(Debug)]
pub(crate) struct Checker<B> {
    backend: B,
}

impl<B: WriteBackend> Checker<B> {
    /// Opens the environment in `directory`; a writer may have it open too.
    #[expect(unsafe_code, reason = "opening maps files that others could change")]
    pub(crate) fn open(directory: &Path) -> Result<Self, String> {
        // SAFETY: the directory was made for a writer and its checkers, which use LMDB alone.
        let backend = unsafe { B::open(directory, &EnvironmentOptions::default()) };
        Ok(Self { backend: backend.map_err(|error| error.to_string())? })
    }

    /// What is there, when the writer is dead; then writes a further batch.
    pub(crate) fn answer(&self, question: Question) -> Result<Found, String> {
        let Question { reported } = question;
        let last = self.last()?;
        let mut found = Found { last, ..Found::default() };
        if last < reported {
            let what = format!("the last batch is {last}, reported {reported}");
            lose(&mut found, reported - last, what);
        } else if last > reported + 1 {
            half(&mut found, format!("the last batch is {last}, but {reported} was reported last"));
        }
        let mut entries = u64::from(last > 0);
        for number in batch::present(last) {
            let batch = Batch::new(number);
            entries += batch.kept().len() as u64;
            match self.difference(&batch)? {
                Some(what) if number <= reported => lose(&mut found, 1, what),
                Some(what) => half(&mut found, what),
                None => {}
            }
        }
        let counted = self.backend.info().map_err(|error| error.to_string())?.entries;
        if counted != entries {
            half(&mut found, format!("{entries} pairs must be there, {counted} are counted"));
        }
        found.refused = self.write_on(last).err();
        Ok(found)
    }

    /// The number under [`LAST`]; 0 when there is none.
    fn last(&self) -> Result<u64, String> {
        match self.get(LAST)? {
            None => Ok(0),
            Some(value) => match value.try_into() {
                Ok(bytes) => Ok(u64::from_be_bytes(bytes)),
                Err(value) => Err(format!("the last batch has a number of {} bytes", value.len())),
            },
        }
    }

    /// What is not as `batch` left it; `None` when all is. What is stored must agree with the summary that
    /// is stored, not only with what is known here: as both are compared with the batch, it does.
    fn difference(&self, batch: &Batch) -> Result<Option<String>, String> {
        for (index, (key, value)) in batch.kept().iter().enumerate() {
            let what = match self.get(key)? {
                Some(found) if found == *value => continue,
                None => "a pair is missing",
                Some(_) if index + 1 == batch.kept().len() => "its checksum is another one",
                Some(_) => "a value is another one",
            };
            return Ok(Some(format!("batch {}: {what}", batch.number())));
        }
        Ok(None)
    }

    /// Commits the batch after `last` and looks whether it is there.
    fn write_on(&self, last: u64) -> Result<(), String> {
        let next = Batch::new(last + 1);
        commit(&self.backend, &next).map_err(|error| error.to_string())?;
        match self.difference(&next)? {
            Some(what) => Err(what),
            None if self.last()? == next.number() => Ok(()),
            None => Err(format!("batch {} is not the last one", next.number())),
        }
    }

    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, String> {
        self.backend.get(key).map_err(|error| error.to_string())
    }
}

fn lose(found: &mut Found, batches: u64, what: String) {
    found.lost += batches;
    found.wrong.get_or_insert(what);
}

fn half(found: &mut Found, what: String) {
    found.partial += 1;
    found.wrong.get_or_insert(what);
}
