//! What encryption costs: heed3 with an encrypted environment, and raw FFI that encrypts with the same
//! cipher.
//!
//! `heed3:encrypted` over its control is the binding's overhead. Over `heed3` it is the price of the
//! encryption, of which there is none in an aborted transaction but for the pages that it reads: pages are
//! encrypted when they are written.
//!
//! LMDB 0.9.90, as lmdb-master3-sys 0.2.6 ships it, reserves no room for the cipher's tag when it counts
//! the pages of a large value (`OVPAGES` in its `mdb.c`; LMDB 1.0.2 does). With pages of 4 KiB and tags of
//! 16 bytes a value of 4,057 to 4,072 bytes, or of a multiple of 4,096 bytes more, comes back with other
//! bytes at its end, without an error: seen with both backends here on
//! 2026-12-01. See it with `--value-size 4060`: the check after a commit fails.

pub mod binding;
pub mod control;
