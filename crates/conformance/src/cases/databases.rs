//! Named databases: how many, with which names, and beside plain keys.

use super::prelude::*;

cases! {
    "databases/fifth-of-four": "One named database more than the environment allows.",
        |at| {
            let backend = at.with(allowing(4)).open()?;
            ["1", "2", "3", "4"].iter().try_for_each(|name| backend.create_database(name))?;
            let error = must_fail(backend.create_database("5"), "the fifth database was created")?;
            commit(&backend, &[(KEY, VALUE)])?;
            must_be(&backend, KEY, Some(VALUE))?;
            refused(&error, ENVIRONMENT_GOES_ON)
        } => Refused(OpenDatabase, DatabasesFull, ENVIRONMENT_GOES_ON);
    "databases/none-allowed": "A named database where the environment allows none.",
        |at| refused_at_open(&at.with(named("name", 0))) => Refused(Open, InvalidArgument, "");
    "databases/none-allowed-later": "The same when the environment is open already.",
        |at| {
            let created = at.open()?.create_database("name");
            refused(&must_fail(created, "the database was created")?, "")
        } => Refused(OpenDatabase, DatabasesFull, "");
    "databases/kept-apart": "The same key in two named databases and the unnamed one.",
        kept_apart => Done("each database has its own pair");
    "databases/counted-as-entries": "Each named database is a pair of the unnamed one.",
        |at| {
            let backend = at.with(allowing(2)).open()?;
            backend.create_database("first")?;
            backend.create_database("second")?;
            done(format!("{} entries", backend.info()?.entries))
        } => Done("2 entries");
    "databases/same-name-twice": "Creating a database that exists.",
        |at| {
            let backend = at.with(allowing(1)).open()?;
            backend.create_database("name")?;
            backend.create_database("name")?;
            done("the same database")
        } => Done("the same database");
    "databases/name-empty": "A name of no bytes.",
        |at| refused_name(at, "") => Refused(OpenDatabase, BadValueSize, ENVIRONMENT_GOES_ON);
    "databases/name-with-nul": "A name with a NUL byte.",
        |at| refused_name(at, "na\0me")
            => Refused(OpenDatabase, InvalidArgument, ENVIRONMENT_GOES_ON);
    "databases/name-with-nul-at-open":
        "The same, for the database that is opened with the environment.",
        |at| refused_at_open(&at.with(named("na\0me", 1))) => Refused(Open, InvalidArgument, "");
    "databases/name-511-bytes": "The longest name.",
        |at| kept_name(at, &"n".repeat(511)) => Done("kept");
    "databases/name-512-bytes": "A name longer than a key may be.",
        |at| refused_name(at, &"n".repeat(512))
            => Refused(OpenDatabase, BadValueSize, ENVIRONMENT_GOES_ON);
    "databases/name-not-ascii": "A name of any script.",
        |at| kept_name(at, "данные 数据 🗄") => Done("kept");
    "databases/name-is-a-key": "A name that the unnamed database holds as a plain key.",
        |at| {
            let backend = at.with(allowing(1)).filled(&[(b"name", VALUE)])?;
            let created = backend.create_database("name");
            must_be(&backend, b"name", Some(VALUE))?;
            side_by_side(created, "the pair stays")
        } => Refused(OpenDatabase, Incompatible, "the pair stays");
    "databases/put-over-a-database": "A plain put of a key that is a database's name.",
        |at| {
            let database = at.with(named("name", 1));
            drop(database.filled(&[(KEY, VALUE)])?);
            let put = commit(&at.with(allowing(1)).open()?, &[(b"name", VALUE)]);
            database.holds(&[(KEY, VALUE)])?;
            side_by_side(put, "the database stays")
        } => Refused(Put, Incompatible, "the database stays");
}

/// Where a name and a key are no neighbours, both may be there.
fn side_by_side(result: Result<(), BackendError>, else_what: &str) -> Answer {
    match result {
        Ok(()) => done("a pair and a database of one name, side by side"),
        Err(error) => refused(&error, else_what),
    }
}

fn refused_at_open<B: Probe>(at: &Place<B>) -> Answer {
    refused(&must_fail(at.open(), "the database was opened")?, "")
}

fn kept_apart<B: Probe>(at: &Place<B>) -> Answer {
    let databases = [named("first", 2), named("second", 2), allowing(2)].map(|it| at.with(it));
    for (index, at) in databases.iter().enumerate() {
        at.filled(&[(KEY, index.to_string())])?;
    }
    for (index, at) in databases.iter().enumerate() {
        must_be(&at.open()?, KEY, Some(index.to_string().as_bytes()))?;
    }
    done("each database has its own pair")
}

fn kept_name<B: Probe>(at: &Place<B>, name: &str) -> Answer {
    at.with(named(name, 1)).keeps(&[(KEY, VALUE)])?;
    done("kept")
}

fn refused_name<B: Probe>(at: &Place<B>, name: &str) -> Answer {
    let backend = at.with(allowing(1)).open()?;
    step("create the database");
    let error = must_fail(backend.create_database(name), "the database was created")?;
    commit(&backend, &[(KEY, VALUE)])?;
    must_hold(&backend, &[(KEY, VALUE)])?;
    refused(&error, ENVIRONMENT_GOES_ON)
}
