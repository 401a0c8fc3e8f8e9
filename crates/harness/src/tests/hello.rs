//! Every worker program is linked to the LMDB that its binding ships, in whatever profile this test
//! is built: several LMDB -sys crates in one program silently become one LMDB.
//!
//! `cargo test -p harness --lib hello`, the same with `--release`, and with `--profile fat-lto`.

use write_backend::protocol::Profile;

use super::built::{BACKENDS, PROGRAMS, launcher};
use crate::machine::host;

/// The launcher refuses a worker that is another one or speaks another protocol.
#[test]
fn every_worker_is_what_its_folder_states_in_the_profile_of_its_harness() {
    let profile = if cfg!(debug_assertions) { Profile::Debug } else { Profile::Release };
    let launcher = launcher(&PROGRAMS, &std::env::temp_dir());
    for backend in BACKENDS.all() {
        let hello = launcher.hello(backend).expect("a worker of this build");
        assert_eq!(hello.engine_version.as_deref(), backend.engine_version(), "{}", backend.id);
        assert_eq!(hello.engine_crate.is_some(), backend.stores(), "{}", backend.id);
        assert_eq!(hello.profile, profile, "{}", backend.id);
        for named in hello.binding.iter().chain(&hello.engine_crate) {
            let locked = backend.versions.get(&named.name);
            assert!(locked.is_some() && locked == named.version.as_ref(), "{hello:?}");
        }
    }
}

/// With a user's own `RUSTFLAGS` the workspace's do not count, and there is nothing to see.
#[test]
fn what_is_measured_is_aligned_in_a_release_build() {
    let flags = host::observe().rustflags;
    if cfg!(debug_assertions) || !flags.contains("align-all-functions=6") {
        eprintln!("skipped: not a release build with the workspace's flags ({flags:?})");
        return;
    }
    let launcher = launcher(&PROGRAMS, &std::env::temp_dir());
    for backend in BACKENDS.all() {
        let hello = launcher.hello(backend).expect("a worker of this build");
        assert!(hello.loop_alignment.values().all(|remainder| *remainder == 0), "{hello:?}");
        assert_eq!(hello.put_alignment, backend.stores().then_some(0), "{}", backend.id);
    }
}
