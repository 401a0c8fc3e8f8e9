//! The crates that facts are about.

/// A crate that one adds to write to LMDB.
#[derive(Debug, PartialEq, Eq)]
pub struct Subject {
    /// The backend that stands for it in all tables.
    pub backend: &'static str,
    /// The crate's name.
    pub name: &'static str,
    /// The crate that brings LMDB's C source; itself, or one it depends on.
    pub engine: &'static str,
    /// The crate here that depends on it: its manifest says with which features.
    pub adapter: &'static str,
    /// The directory of the adapter's source, seen from the top of the workspace.
    pub source: &'static str,
    /// The source of the smallest program that writes through it. The crate is called `binding`
    /// there.
    pub program: &'static str,
}

const RAW: &str = include_str!("programs/raw.rs");

/// All of them: the bindings first, then raw FFI on the two other engines.
pub static SUBJECTS: [Subject; 5] = [
    Subject {
        backend: "raw-ffi",
        name: "lmdb-sys",
        engine: "lmdb-sys",
        adapter: "raw-ffi",
        source: "crates/raw-ffi/src",
        program: RAW,
    },
    Subject {
        backend: "lmdb-rkv",
        name: "lmdb-rkv",
        engine: "lmdb-rkv-sys",
        adapter: "lmdb-rkv-backend",
        source: "crates/lmdb-rkv-backend/src",
        program: include_str!("programs/lmdb_rkv.rs"),
    },
    Subject {
        backend: "heed",
        name: "heed",
        engine: "lmdb-master-sys",
        adapter: "heed-backend",
        source: "crates/heed-backend/src",
        program: include_str!("programs/heed.rs"),
    },
    Subject {
        backend: "raw-ffi@lmdb-rkv-sys",
        name: "lmdb-rkv-sys",
        engine: "lmdb-rkv-sys",
        adapter: "raw-ffi-lmdb-rkv-sys",
        source: "crates/raw-ffi/src",
        program: RAW,
    },
    Subject {
        backend: "raw-ffi@lmdb-master-sys",
        name: "lmdb-master-sys",
        engine: "lmdb-master-sys",
        adapter: "raw-ffi-lmdb-master-sys",
        source: "crates/raw-ffi/src",
        program: RAW,
    },
];

/// The source of a program that does nothing: what every program costs.
pub const EMPTY: &str = include_str!("programs/empty.rs");

/// Whether facts are about a crate of that name.
#[must_use]
pub fn is_known(name: &str) -> bool {
    SUBJECTS.iter().any(|subject| subject.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;

    #[test]
    fn every_subject_is_a_backend_with_its_source() {
        let top = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for subject in &SUBJECTS {
            assert!(registry::find(subject.backend).is_ok(), "{}", subject.backend);
            assert!(top.join(subject.source).join("lib.rs").exists(), "{}", subject.source);
            assert!(top.join("crates").join(subject.adapter).exists(), "{}", subject.adapter);
        }
    }
}
