//! Every worker program is linked to the LMDB that its binding ships, in whatever profile this test
//! is built: several LMDB -sys crates in one program silently become one LMDB.
//!
//! `cargo test -p harness --test hello`, the same with `--release`, and with `--profile fat-lto`.

mod common;

use std::collections::HashMap;

use harness::machine::host;
use harness::machine::versions;
use harness::programs::Programs;
use harness::registry::{BACKENDS, Backend};
use write_backend::protocol::{Crate, Hello, PROTOCOL, Profile, Reply, Request};

use crate::common::Worker;

/// Backend, binding, the crate that its LMDB comes from, and that LMDB's version. Written down here
/// once more, so that a mistake in an adapter or the registry is seen.
const EXPECTED: [(&str, Option<[&str; 3]>); 8] = [
    ("raw-ffi", Some(["lmdb-sys", "lmdb-sys", "0.9.21"])),
    ("raw-ffi@lmdb-rkv-sys", Some(["lmdb-rkv-sys", "lmdb-rkv-sys", "0.9.24"])),
    ("raw-ffi@lmdb-master-sys", Some(["lmdb-master-sys", "lmdb-master-sys", "0.9.70"])),
    ("lmdb-rkv", Some(["lmdb-rkv", "lmdb-rkv-sys", "0.9.24"])),
    ("heed", Some(["heed", "lmdb-master-sys", "0.9.70"])),
    ("owned-buffer", Some(["lmdb-sys", "lmdb-sys", "0.9.21"])),
    ("pre-span", Some(["lmdb-sys", "lmdb-sys", "0.9.21"])),
    ("null", None),
];

fn programs() -> Programs {
    harness::worker_programs!()
}

/// What the worker of `backend` says of itself.
fn hello(backend: &Backend) -> Hello {
    let mut worker = Worker::start(programs().of(backend));
    let Reply::Hello(hello) = worker.ask(&Request::Hello) else { panic!("no hello") };
    worker.finish();
    *hello
}

/// The locked version of every package, read from the lock file as the table that it is: the harness
/// asks cargo.
fn locked() -> HashMap<String, String> {
    let text = include_str!("../../../Cargo.lock");
    let field = |package: &str, name: &str| {
        let line = package.lines().find_map(|line| line.strip_prefix(&format!("{name} = ")));
        line.map(|value| value.trim_matches('"').to_owned())
    };
    let packages = text.split("[[package]]").skip(1);
    packages.filter_map(|package| field(package, "name").zip(field(package, "version"))).collect()
}

#[test]
fn every_worker_has_the_engine_that_its_binding_ships() {
    let locked = locked();
    let of =
        |name: &str| Some(Crate { name: name.to_owned(), version: Some(locked[name].clone()) });
    assert_eq!(EXPECTED.len(), BACKENDS.len());
    for (backend, (id, crates)) in BACKENDS.iter().zip(EXPECTED) {
        let hello = versions::stated(hello(backend));
        assert_eq!((hello.backend.as_str(), backend.id), (id, id));
        assert_eq!(hello.protocol, PROTOCOL, "{id}");
        assert_eq!(hello.engine_version.as_deref(), crates.map(|[.., version]| version), "{id}");
        assert_eq!(hello.binding, crates.and_then(|[binding, ..]| of(binding)), "{id}");
        assert_eq!(hello.engine_crate, crates.and_then(|[_, engine, _]| of(engine)), "{id}");
    }
}

#[test]
fn every_worker_is_built_in_the_profile_of_its_harness() {
    let expected = if cfg!(debug_assertions) { Profile::Debug } else { Profile::Release };
    for backend in &BACKENDS {
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
    for backend in &BACKENDS {
        let hello = hello(backend);
        assert!(hello.loop_alignment.values().all(|remainder| *remainder == 0), "{hello:?}");
        assert_eq!(hello.put_alignment, backend.engine_version.map(|_| 0), "{}", backend.id);
    }
}
