//! The witness programs: each is its backend, and what a killed writer leaves is whole. How
//! the check finds what is not is tested in the package `witness`.

use std::path::Path;

use crate::behaviour::kills::{self, Plan};
use crate::behaviour::matrix;
use crate::random::Random;
use records::behaviour::Kills;
use write_backend::SyncMode;

use super::built::{BACKENDS, shown, witness};

/// Kills per backend and sync mode: about a second. Many more are made by `harness behaviour`.
const KILLS: u64 = 12;
const SEED: u64 = 20_261_130;

#[test]
fn each_program_is_its_backend_on_its_engine() {
    for backend in shown() {
        let hello = matrix::identity(&witness(backend), backend).unwrap();
        assert_eq!(hello.backend, backend.id);
    }
    let mut two = shown();
    let (one, other) = (two.next().unwrap(), two.next().unwrap());
    let error = matrix::identity(&witness(one), other).unwrap_err();
    assert!(error.ends_with(&format!(" is not {}", other.id)), "{error}");
}

/// Each line that a program says must come within half a minute, which is the watchdog.
#[test]
fn no_killed_writer_loses_anything() {
    let mut random = Random::new(SEED);
    for backend in shown() {
        let control = BACKENDS.checker_of(backend);
        for sync in [SyncMode::NoSync, SyncMode::NoMetaSync, SyncMode::Sync] {
            let plan = Plan {
                writer: &witness(backend),
                checker: &witness(control),
                sync,
                kills: KILLS,
                directory: &std::env::temp_dir(),
            };
            let mut tally = Kills::none(&backend.id, sync, &control.id);
            kills::kill(&plan, &mut random, &mut tally, &mut || ()).unwrap();
            assert_eq!(tally.kills, KILLS);
            assert!(tally.is_sound(), "{tally:?}");
            assert!(tally.reported > 0, "the writers never came to write: {tally:?}");
        }
    }
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let plan = Plan {
        writer: Path::new("no/such/program"),
        checker: Path::new("no/such/program"),
        sync: SyncMode::NoSync,
        kills: 1,
        directory: &std::env::temp_dir(),
    };
    let mut tally = Kills::none("heed", SyncMode::NoSync, "raw-ffi");
    let error = kills::kill(&plan, &mut Random::new(SEED), &mut tally, &mut || ()).unwrap_err();
    assert!(error.contains("no/such/program: "), "{error}");
}
