//! The backends there are: ids, worker programs, controls and expected engines, in one place.
//!
//! Everything else in this crate treats a backend as an entry of this table and knows nothing of
//! the binding behind it.

/// A row of the tables.
#[derive(Debug, PartialEq, Eq)]
pub struct Backend {
    /// The stable id.
    pub id: &'static str,
    /// The name of its worker program, a binary of this package.
    pub program: &'static str,
    /// The backend that its overhead is measured against: raw FFI on the same engine. `None` where
    /// there is nothing to compare: a control itself, and the backend without an engine.
    pub control: Option<&'static str>,
    /// The LMDB version that its binding ships, as `mdb_version` must state it; `None` for the
    /// backend without an engine.
    pub engine_version: Option<&'static str>,
}

/// The backend that all others are compared with, and whose worker checks what they wrote.
pub const REFERENCE: &str = "raw-ffi";

/// All backends in the order of the tables.
pub static BACKENDS: [Backend; 8] = [
    Backend {
        id: "raw-ffi",
        program: "worker-raw-ffi",
        control: None,
        engine_version: Some("0.9.21"),
    },
    Backend {
        id: "raw-ffi@lmdb-rkv-sys",
        program: "worker-raw-ffi-lmdb-rkv-sys",
        control: None,
        engine_version: Some("0.9.24"),
    },
    Backend {
        id: "raw-ffi@lmdb-master-sys",
        program: "worker-raw-ffi-lmdb-master-sys",
        control: None,
        engine_version: Some("0.9.70"),
    },
    Backend {
        id: "lmdb-rkv",
        program: "worker-lmdb-rkv",
        control: Some("raw-ffi@lmdb-rkv-sys"),
        engine_version: Some("0.9.24"),
    },
    Backend {
        id: "heed",
        program: "worker-heed",
        control: Some("raw-ffi@lmdb-master-sys"),
        engine_version: Some("0.9.70"),
    },
    Backend {
        id: "owned-buffer",
        program: "worker-owned-buffer",
        control: Some("raw-ffi"),
        engine_version: Some("0.9.21"),
    },
    Backend {
        id: "pre-span",
        program: "worker-pre-span",
        control: Some("raw-ffi"),
        engine_version: Some("0.9.21"),
    },
    Backend { id: "null", program: "worker-null", control: None, engine_version: None },
];

/// The backend called `id`.
///
/// ```
/// use harness::registry::find;
/// assert_eq!(find("heed").unwrap().control, Some("raw-ffi@lmdb-master-sys"));
/// assert!(find("sled").unwrap_err().contains("lmdb-rkv"));
/// ```
///
/// # Errors
/// A sentence that lists the ids there are.
pub fn find(id: &str) -> Result<&'static Backend, String> {
    BACKENDS.iter().find(|backend| backend.id == id).ok_or_else(|| {
        let ids: Vec<&str> = BACKENDS.iter().map(|backend| backend.id).collect();
        format!("unknown backend `{id}`: it must be one of {}", ids.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_control_is_raw_ffi_on_the_same_engine() {
        for backend in &BACKENDS {
            let Some(control) = backend.control else { continue };
            let control = find(control).unwrap();
            assert!(control.id.starts_with(REFERENCE), "{}", backend.id);
            assert_eq!(control.engine_version, backend.engine_version, "{}", backend.id);
            assert_eq!(control.control, None, "{}", backend.id);
        }
    }

    #[test]
    fn ids_and_programs_are_unique() {
        for (index, backend) in BACKENDS.iter().enumerate() {
            for other in &BACKENDS[..index] {
                assert_ne!(backend.id, other.id);
                assert_ne!(backend.program, other.program);
            }
        }
    }
}
