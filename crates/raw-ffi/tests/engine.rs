//! Who this backend is, and the engine it is linked to.

use raw_ffi::RawFfi;
use write_backend::WriteBackend as _;

#[test]
fn the_identity_names_binding_and_engine() {
    let identity = RawFfi::IDENTITY;
    assert_eq!(identity.id, "raw-ffi");
    let (binding, engine) = (identity.binding.unwrap(), identity.engine.unwrap());
    assert_eq!((binding.name, engine.name), ("lmdb-sys", "lmdb-sys"));
    assert!(!binding.version.is_empty());
    assert!(!engine.version.is_empty());
}

#[test]
fn the_engine_is_the_one_that_the_binding_ships() {
    let engine = RawFfi::engine().unwrap();
    assert_eq!(engine.version, "0.9.21");
    assert_ne!(engine.put_address, 0);
}
