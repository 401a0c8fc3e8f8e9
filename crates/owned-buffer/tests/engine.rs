//! Who this backend is, and the engine it is linked to.

use owned_buffer::{OwnedBuffer, PreSpan};
use write_backend::WriteBackend as _;

#[test]
fn the_identity_of_owned_buffer_names_binding_and_engine() {
    let identity = OwnedBuffer::IDENTITY;
    assert_eq!(identity.id, "owned-buffer");
    let (binding, engine) = (identity.binding.unwrap(), identity.engine.unwrap());
    assert_eq!((binding.name, engine.name), ("lmdb-sys", "lmdb-sys"));
    assert!(!binding.version.is_empty());
    assert!(!engine.version.is_empty());
}

#[test]
fn the_identity_of_pre_span_names_binding_and_engine() {
    let identity = PreSpan::IDENTITY;
    assert_eq!(identity.id, "pre-span");
    let (binding, engine) = (identity.binding.unwrap(), identity.engine.unwrap());
    assert_eq!((binding.name, engine.name), ("lmdb-sys", "lmdb-sys"));
    assert!(!binding.version.is_empty());
    assert!(!engine.version.is_empty());
}

#[test]
fn the_engine_is_that_of_raw_ffi() {
    for engine in [OwnedBuffer::engine(), PreSpan::engine()] {
        let engine = engine.unwrap();
        assert_eq!(engine.version, "0.9.21");
        assert_ne!(engine.put_address, 0);
    }
}
