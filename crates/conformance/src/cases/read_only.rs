//! Environments that are opened for reading only.

use write_backend::{Access, DatabaseOptions, EnvironmentOptions, Probe};

use crate::case::Case;
use crate::child::step;
use crate::directory::Directory;
use crate::outcome::{Answer, Outcome};
use crate::steps::{KEY, VALUE, must_fail, must_hold, open, open_with, options, put_and_commit};

pub(crate) const READ_ONLY: Access = Access { read_only: true, max_readers: 0 };

pub(crate) fn cases<B: Probe>() -> Vec<Case> {
    vec![
        Case::new("read-only/write", "A write transaction where only reading is asked for.", |d| {
            write::<B>(d)
        }),
        Case::new(
            "read-only/no-environment",
            "An empty directory: nothing is created.",
            |directory| missing::<B>(directory, &options()),
        ),
        Case::new("read-only/no-database", "A named database that does not exist.", |directory| {
            let backend = open::<B>(directory.path(), &options())?;
            put_and_commit(&backend, &[(KEY, VALUE)])?;
            drop(backend);
            let database = DatabaseOptions { name: Some("name".to_owned()), duplicates: false };
            missing::<B>(directory, &EnvironmentOptions { database, max_databases: 1, ..options() })
        }),
        Case::new(
            "read-only/beside-a-writer",
            "The same directory is open for writing in another process.",
            beside_a_writer::<B>,
        ),
    ]
}

fn write<B: Probe>(directory: &Directory) -> Answer {
    let backend = open::<B>(directory.path(), &options())?;
    put_and_commit(&backend, &[(KEY, VALUE)])?;
    drop(backend);
    let backend = open_with::<B>(directory.path(), &options(), READ_ONLY)?;
    must_hold(&backend, &[(KEY, VALUE)])?;
    step("begin a write transaction");
    let error = must_fail(backend.begin(), "a write transaction was begun")?;
    must_hold(&backend, &[(KEY, VALUE)])?;
    Ok(Outcome::refused(&error, "reading works"))
}

fn missing<B: Probe>(directory: &Directory, options: &EnvironmentOptions) -> Answer {
    step("open for reading");
    let opened = open_with::<B>(directory.path(), options, READ_ONLY);
    let error = must_fail(opened, "the environment was opened")?;
    let named = error.path() == Some(directory.path());
    Ok(Outcome::refused(&error, if named { "the error names the path" } else { "" }))
}

fn beside_a_writer<B: Probe>(directory: &Directory) -> Answer {
    let mut partner = directory.partner(crate::directory::Role::HoldEnvironment)?;
    partner.wait_for("committed")?;
    let backend = open_with::<B>(directory.path(), &options(), READ_ONLY)?;
    must_hold(&backend, &[(KEY, VALUE)])?;
    Ok(Outcome::done("all pairs are there"))
}
