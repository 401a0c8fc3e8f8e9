//! Backends for tests that start no program.

use std::collections::BTreeMap;
use std::sync::Arc;

use write_backend::DataFormat;

use super::backend::Package;
use super::{Backend, Backends, Engine, Origin};

pub(crate) fn backend(id: &str, control: Option<&str>, engine: Option<&str>) -> Backend {
    Backend {
        id: id.to_owned(),
        control: control.map(str::to_owned),
        engine: engine.map_or(Engine::None, |version| Engine::Version(version.to_owned())),
        data_format: DataFormat::default(),
        order: 0,
        colour: None,
        is_reference: id == "raw-ffi",
        counts_only: false,
        origin: Origin::Package(Package {
            id: id.to_owned(),
            first: id.to_owned(),
            manifest: "Cargo.toml".into(),
            worker: id.to_owned(),
            witness: None,
            is_outside: false,
        }),
        versions: BTreeMap::new(),
    }
}

/// The reference, two controls, a binding on each of the three engines, one backend without an engine,
/// and one that is only counted.
pub(crate) fn backends() -> Backends {
    let mut all = vec![
        backend("c-reference", None, Some("0.9.21")),
        backend("raw-ffi", None, Some("0.9.21")),
        backend("raw-ffi@lmdb-rkv-sys", None, Some("0.9.24")),
        backend("raw-ffi@lmdb-master-sys", None, Some("0.9.70")),
        backend("lmdb-rkv", Some("raw-ffi@lmdb-rkv-sys"), Some("0.9.24")),
        backend("heed", Some("raw-ffi@lmdb-master-sys"), Some("0.9.70")),
        backend("owned-buffer", Some("raw-ffi"), Some("0.9.21")),
        backend("null", None, None),
    ];
    for (place, backend) in all.iter_mut().enumerate() {
        backend.order = u32::try_from(place).expect("there are few");
        backend.counts_only = backend.id == "c-reference";
    }
    Backends::new(all).expect("they fit together")
}

pub(crate) fn find(id: &str) -> Arc<Backend> {
    Arc::clone(backends().find(id).expect("one of the above"))
}
