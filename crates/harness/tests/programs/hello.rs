//! Every worker program is linked to the LMDB that its binding ships, in whatever profile this test
//! is built: several LMDB -sys crates in one program silently become one LMDB.
//!
//! `cargo test -p harness --test programs hello`, the same with `--release`, and with `--profile fat-lto`.

use harness::backends::Backend;
use harness::machine::host;
use write_backend::protocol::{Hello, PROTOCOL, Profile, Reply, Request};

use crate::built::{BACKENDS, worker};
use crate::worker::Worker;

/// What the worker of `backend` says of itself.
fn hello(backend: &Backend) -> Hello {
    let mut worker = Worker::start(&worker(backend));
    let Reply::Hello(hello) = worker.ask(&Request::Hello) else { panic!("no hello") };
    worker.finish();
    backend.stated(*hello)
}

#[test]
fn every_worker_has_the_engine_that_its_folder_states() {
    for backend in BACKENDS.all() {
        let hello = hello(backend);
        assert_eq!(hello.backend, backend.id);
        assert_eq!(hello.protocol, PROTOCOL, "{}", backend.id);
        assert_eq!(hello.engine_version.as_deref(), backend.engine_version(), "{}", backend.id);
        assert_eq!(hello.engine_crate.is_some(), backend.stores(), "{}", backend.id);
        for named in hello.binding.iter().chain(&hello.engine_crate) {
            let locked = backend.versions.get(&named.name);
            assert!(
                locked.is_some() && locked == named.version.as_ref(),
                "{}: {}",
                backend.id,
                named.name
            );
        }
    }
}

#[test]
fn every_worker_is_built_in_the_profile_of_its_harness() {
    let expected = if cfg!(debug_assertions) { Profile::Debug } else { Profile::Release };
    for backend in BACKENDS.all() {
        assert_eq!(hello(backend).profile, expected, "{}", backend.id);
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
    for backend in BACKENDS.all() {
        let hello = hello(backend);
        assert!(hello.loop_alignment.values().all(|remainder| *remainder == 0), "{hello:?}");
        assert_eq!(hello.put_alignment, backend.stores().then_some(0), "{}", backend.id);
    }
}
