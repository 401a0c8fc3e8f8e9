//! Control backend `raw-ffi@lmdb-master3-sys:encrypted`: the same, and every page is encrypted with
//! ChaCha20-Poly1305 as heed3 does it, so that `heed3:encrypted` over it is the binding's overhead, and it
//! over `raw-ffi@lmdb-master3-sys` is what encryption costs.

use write_backend::Identity;

#[path = "../../../crates/backends/raw-ffi/src/backend.rs"]
pub mod backend;

pub use backend::{RawFfi, RawReader, RawTxn};

/// Who this backend is.
const IDENTITY: Identity = Identity {
    id: "raw-ffi@lmdb-master3-sys:encrypted",
    binding: Some("lmdb-master3-sys"),
    engine: Some("lmdb-master3-sys"),
};

/// The C calls, where a new environment is one that encrypts.
mod ffi {
    use std::ffi::c_int;
    use std::slice;

    use chacha20poly1305::{AeadInPlace as _, ChaCha20Poly1305, KeyInit as _};
    pub(crate) use lmdb_master3_sys::*;

    /// The key of all environments here, which keep no secret. heed3's adapter knows it too.
    const KEY: &[u8; 32] = b"no secret: it is for measurement";
    /// How long the cipher's tag is, in bytes, and its nonce, the begin of what LMDB hands out for it.
    const TAG: u32 = 16;
    const NONCE: usize = 12;

    /// # Safety
    /// That of LMDB's `mdb_env_create`: `env` is valid for writing.
    pub(crate) unsafe fn mdb_env_create(env: *mut *mut MDB_env) -> c_int {
        // SAFETY: the caller's promise.
        let code = unsafe { lmdb_master3_sys::mdb_env_create(env) };
        if code != MDB_SUCCESS {
            return code;
        }
        let key = MDB_val { mv_size: KEY.len(), mv_data: KEY.as_ptr().cast_mut().cast() };
        // SAFETY: the environment was created; LMDB copies the key.
        unsafe { mdb_env_set_encrypt(*env, Some(cipher), &raw const key, TAG) }
    }

    /// Encrypts or decrypts a page (`MDB_enc_func` in `lmdb.h`).
    unsafe extern "C" fn cipher(
        from: *const MDB_val,
        to: *mut MDB_val,
        keys: *const MDB_val,
        encrypts: c_int,
    ) -> c_int {
        // SAFETY: LMDB calls this with a page, room for another, and three values: the key, a number that
        // is never used twice, and room for the tag. Nothing of that overlaps.
        let (from, to, key, number, tag) = unsafe {
            (
                slice::from_raw_parts((*from).mv_data.cast::<u8>(), (*from).mv_size),
                slice::from_raw_parts_mut((*to).mv_data.cast::<u8>(), (*to).mv_size),
                slice::from_raw_parts((*keys).mv_data.cast::<u8>(), (*keys).mv_size),
                slice::from_raw_parts((*keys.add(1)).mv_data.cast::<u8>(), (*keys.add(1)).mv_size),
                slice::from_raw_parts_mut(
                    (*keys.add(2)).mv_data.cast::<u8>(),
                    (*keys.add(2)).mv_size,
                ),
            )
        };
        let (Ok(cipher), Some(nonce)) =
            (ChaCha20Poly1305::new_from_slice(key), number.get(..NONCE))
        else {
            return 1;
        };
        if from.len() != to.len() || tag.len() != TAG as usize {
            return 1;
        }
        to.copy_from_slice(from);
        let done = if encrypts == 1 {
            let made = cipher.encrypt_in_place_detached(nonce.into(), &[], to);
            made.map(|made| tag.copy_from_slice(&made))
        } else {
            cipher.decrypt_in_place_detached(nonce.into(), &[], to, (&*tag).into())
        };
        c_int::from(done.is_err())
    }
}
