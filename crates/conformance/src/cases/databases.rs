//! Named databases: how many, with which names, and beside plain keys.

use write_backend::{DatabaseOptions, EnvironmentOptions, Probe};

use crate::case::Case;
use crate::child::step;
use crate::directory::Directory;
use crate::outcome::{Answer, Outcome};
use crate::steps::{
    KEY, VALUE, must_be, must_fail, must_hold, must_hold_after_reopening, open, options,
    put_and_commit,
};

pub(crate) fn cases<B: Probe>() -> Vec<Case> {
    vec![
        Case::new(
            "databases/fifth-of-four",
            "One named database more than the environment allows.",
            fifth_of_four::<B>,
        ),
        Case::new(
            "databases/none-allowed",
            "A named database where the environment allows none.",
            |directory| {
                open::<B>(directory.path(), &named("name", 0))?;
                Ok(Outcome::accepted("the database was opened"))
            },
        ),
        Case::new(
            "databases/none-allowed-later",
            "The same when the environment is open already.",
            |directory| {
                let backend = open::<B>(directory.path(), &options())?;
                let created = backend.create_database("name");
                Ok(Outcome::refused(&must_fail(created, "the database was created")?, ""))
            },
        ),
        Case::new(
            "databases/kept-apart",
            "The same key in two named databases and the unnamed one.",
            kept_apart::<B>,
        ),
        Case::new(
            "databases/counted-as-entries",
            "Each named database is a pair of the unnamed one.",
            counted::<B>,
        ),
        Case::new("databases/same-name-twice", "Creating a database that exists.", |directory| {
            let backend = open::<B>(directory.path(), &allowing(1))?;
            backend.create_database("name")?;
            backend.create_database("name")?;
            Ok(Outcome::done("the same database"))
        }),
        Case::new("databases/name-empty", "A name of no bytes.", |directory| {
            refused_name::<B>(directory, "")
        }),
        Case::new("databases/name-with-nul", "A name with a NUL byte.", |directory| {
            refused_name::<B>(directory, "na\0me")
        }),
        Case::new(
            "databases/name-with-nul-at-open",
            "The same, for the database that is opened with the environment.",
            |directory| {
                open::<B>(directory.path(), &named("na\0me", 1))?;
                Ok(Outcome::accepted("the database was opened"))
            },
        ),
        Case::new("databases/name-511-bytes", "The longest name.", |directory| {
            kept_name::<B>(directory, &"n".repeat(511))
        }),
        Case::new("databases/name-512-bytes", "A name longer than a key may be.", |directory| {
            refused_name::<B>(directory, &"n".repeat(512))
        }),
        Case::new("databases/name-not-ascii", "A name of any script.", |directory| {
            kept_name::<B>(directory, "данные 数据 🗄")
        }),
        Case::new(
            "databases/name-is-a-key",
            "A name that the unnamed database holds as a plain key.",
            name_is_a_key::<B>,
        ),
        Case::new(
            "databases/put-over-a-database",
            "A plain put of a key that is a database's name.",
            put_over_database::<B>,
        ),
    ]
}

fn allowing(max_databases: u32) -> EnvironmentOptions {
    EnvironmentOptions { max_databases, ..options() }
}

fn named(name: &str, max_databases: u32) -> EnvironmentOptions {
    let database = DatabaseOptions { name: Some(name.to_owned()), duplicates: false };
    EnvironmentOptions { database, ..allowing(max_databases) }
}

fn fifth_of_four<B: Probe>(directory: &Directory) -> Answer {
    let backend = open::<B>(directory.path(), &allowing(4))?;
    for name in ["1", "2", "3", "4"] {
        backend.create_database(name)?;
    }
    let error = must_fail(backend.create_database("5"), "the fifth database was created")?;
    put_and_commit(&backend, &[(KEY, VALUE)])?;
    must_be(&backend, KEY, Some(VALUE))?;
    Ok(Outcome::refused(&error, "the environment goes on"))
}

fn kept_apart<B: Probe>(directory: &Directory) -> Answer {
    let databases = [named("first", 2), named("second", 2), allowing(2)];
    for (index, options) in databases.iter().enumerate() {
        let backend = open::<B>(directory.path(), options)?;
        put_and_commit(&backend, &[(KEY, index.to_string())])?;
    }
    for (index, options) in databases.iter().enumerate() {
        let backend = open::<B>(directory.path(), options)?;
        must_be(&backend, KEY, Some(index.to_string().as_bytes()))?;
    }
    Ok(Outcome::done("each database has its own pair"))
}

fn counted<B: Probe>(directory: &Directory) -> Answer {
    let backend = open::<B>(directory.path(), &allowing(2))?;
    backend.create_database("first")?;
    backend.create_database("second")?;
    Ok(Outcome::done(format!("{} entries", backend.info()?.entries)))
}

fn kept_name<B: Probe>(directory: &Directory, name: &str) -> Answer {
    let options = named(name, 1);
    let backend = open::<B>(directory.path(), &options)?;
    put_and_commit(&backend, &[(KEY, VALUE)])?;
    drop(backend);
    must_hold_after_reopening::<B>(directory.path(), &options, &[(KEY, VALUE)])?;
    Ok(Outcome::done("kept"))
}

fn refused_name<B: Probe>(directory: &Directory, name: &str) -> Answer {
    let backend = open::<B>(directory.path(), &allowing(1))?;
    step("create the database");
    let error = must_fail(backend.create_database(name), "the database was created")?;
    put_and_commit(&backend, &[(KEY, VALUE)])?;
    must_hold(&backend, &[(KEY, VALUE)])?;
    Ok(Outcome::refused(&error, "the environment goes on"))
}

fn name_is_a_key<B: Probe>(directory: &Directory) -> Answer {
    let backend = open::<B>(directory.path(), &allowing(1))?;
    put_and_commit(&backend, &[(b"name", VALUE)])?;
    let error = must_fail(backend.create_database("name"), "the database was created")?;
    must_be(&backend, b"name", Some(VALUE))?;
    Ok(Outcome::refused(&error, "the pair stays"))
}

fn put_over_database<B: Probe>(directory: &Directory) -> Answer {
    let backend = open::<B>(directory.path(), &named("name", 1))?;
    put_and_commit(&backend, &[(KEY, VALUE)])?;
    drop(backend);
    let backend = open::<B>(directory.path(), &allowing(1))?;
    let put = put_and_commit(&backend, &[(b"name", VALUE)]);
    drop(backend);
    let error = must_fail(put, "the put replaced the database")?;
    must_hold_after_reopening::<B>(directory.path(), &named("name", 1), &[(KEY, VALUE)])?;
    Ok(Outcome::refused(&error, "the database stays"))
}
