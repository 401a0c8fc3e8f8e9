//! The programs of this package: each is its backend, and what a killed writer leaves is whole. How
//! the check finds what is not is tested in the package `behaviour-worker`.

use std::path::Path;

use harness::behaviour::kills::{self, Plan};
use harness::behaviour::matrix;
use harness::behaviour_programs;
use harness::random::Random;
use harness::registry::{self, BACKENDS, Backend};
use records::behaviour::Kills;
use write_backend::SyncMode;

/// Kills per backend and sync mode: about a second. Many more are made by `cargo bench -p
/// behaviour`.
const KILLS: u64 = 12;
/// So that a failure can be repeated.
const SEED: u64 = 20_261_130;

fn backends() -> impl Iterator<Item = &'static Backend> {
    BACKENDS.iter().filter(|backend| backend.engine_version.is_some())
}

#[test]
fn each_program_is_its_backend_on_its_engine() {
    let programs = behaviour_programs!();
    for backend in backends() {
        let hello = matrix::identity(programs.of(backend), backend).unwrap();
        assert_eq!(hello.backend, backend.id);
    }
    let [one, other] = [registry::find("heed").unwrap(), registry::find("lmdb-rkv").unwrap()];
    let error = matrix::identity(programs.of(one), other).unwrap_err();
    assert_eq!(error, "heed on LMDB 0.9.70 is not lmdb-rkv");
}

/// Each line that a program says must come within half a minute, which is the watchdog.
fn nothing_is_lost(id: &str) {
    let programs = behaviour_programs!();
    let backend = registry::find(id).unwrap();
    let control = backend.control.map_or(backend, |id| registry::find(id).unwrap());
    let mut random = Random::new(SEED);
    for sync in [SyncMode::NoSync, SyncMode::NoMetaSync, SyncMode::Sync] {
        let plan = Plan {
            writer: programs.of(backend),
            checker: programs.of(control),
            sync,
            kills: KILLS,
            directory: &std::env::temp_dir(),
        };
        let mut tally = Kills::none(backend.id, sync, control.id);
        kills::kill(&plan, &mut random, &mut tally, &mut || ()).unwrap();
        assert_eq!(tally.kills, KILLS);
        assert!(tally.is_sound(), "{tally:?}");
        assert!(tally.reported > 0, "the writers never came to write: {tally:?}");
    }
}

macro_rules! nothing_is_lost {
    ($($name:ident: $id:literal,)*) => {$(
        #[test]
        fn $name() {
            nothing_is_lost($id);
        }
    )*};
}

nothing_is_lost! {
    raw_ffi_loses_nothing: "raw-ffi",
    raw_ffi_on_lmdb_rkv_sys_loses_nothing: "raw-ffi@lmdb-rkv-sys",
    raw_ffi_on_lmdb_master_sys_loses_nothing: "raw-ffi@lmdb-master-sys",
    lmdb_rkv_loses_nothing: "lmdb-rkv",
    heed_loses_nothing: "heed",
    owned_buffer_loses_nothing: "owned-buffer",
    pre_span_loses_nothing: "pre-span",
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
    assert!(error.starts_with("no/such/program: "), "{error}");
}
