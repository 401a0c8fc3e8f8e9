//! Backend `pre-span`: a put builds one heap object that describes both buffers and pins each of
//! them in a table of handles; the bytes themselves are not copied.
//!
//! It models what the .NET binding did per put before it took spans: one finalisable object of 80
//! bytes and two pinning handles. Everything else is `raw-ffi`'s, so that the style is all that differs.

use std::cell::RefCell;
use std::hint::black_box;
use std::path::Path;

use backend_raw_ffi::{
    RawFfi, RawReader, RawTxn, forward_environment, forward_probe, forward_reserves,
};
use write_backend::{
    Access, BackendError, Engine, EnvironmentInfo, EnvironmentOptions, Identity, Probe, PutFlags,
    Reserves, WriteBackend, WriteTransaction,
};

/// An open environment with one open database and its table of pinned buffers.
#[derive(Debug)]
pub struct PreSpan {
    raw: RawFfi,
    handles: RefCell<HandleTable>,
}

impl WriteBackend for PreSpan {
    type Txn<'env> = PreSpanTxn<'env>;

    const IDENTITY: Identity =
        Identity { id: "pre-span", binding: Some("lmdb-sys"), engine: Some("lmdb-sys") };

    forward_environment!(raw);

    unsafe fn open(path: &Path, options: &EnvironmentOptions) -> Result<Self, BackendError> {
        // SAFETY: the caller promises the same.
        let raw = unsafe { RawFfi::open(path, options) }?;
        Ok(Self { raw, handles: RefCell::new(HandleTable::new()) })
    }

    #[inline]
    fn begin(&self) -> Result<PreSpanTxn<'_>, BackendError> {
        Ok(PreSpanTxn { raw: self.raw.begin()?, handles: &self.handles })
    }
}

impl Reserves for PreSpan {
    forward_reserves!(raw, PreSpanTxn);
}

impl Probe for PreSpan {
    forward_probe!(raw, PreSpanTxn);

    unsafe fn open_with(
        path: &Path,
        options: &EnvironmentOptions,
        access: Access,
    ) -> Result<Self, BackendError> {
        // SAFETY: the caller promises the same.
        let raw = unsafe { RawFfi::open_with(path, options, access) }?;
        Ok(Self { raw, handles: RefCell::new(HandleTable::new()) })
    }

    fn begin_with_handle_of<'env>(
        &'env self,
        other: &'env Self,
    ) -> Result<PreSpanTxn<'env>, BackendError> {
        let raw = self.raw.begin_with_handle_of(&other.raw)?;
        Ok(PreSpanTxn { raw, handles: &self.handles })
    }
}

/// A write transaction; aborted when dropped.
#[derive(Debug)]
pub struct PreSpanTxn<'env> {
    raw: RawTxn<'env>,
    handles: &'env RefCell<HandleTable>,
}

impl PreSpanTxn<'_> {
    #[expect(
        clippy::inline_always,
        reason = "each put of the contract must be compiled for its own flags, however many there are"
    )]
    #[inline(always)]
    fn put_marshalled(
        &mut self,
        key: &[u8],
        value: &[u8],
        flags: PutFlags,
    ) -> Result<(), BackendError> {
        let marshalled = Marshalled::new(key, value, self.handles);
        self.raw.put_with_flags(marshalled.key, marshalled.value, flags)
    }
}

impl WriteTransaction for PreSpanTxn<'_> {
    type Nested<'txn>
        = PreSpanTxn<'txn>
    where
        Self: 'txn;

    #[inline]
    fn put(&mut self, key: &[u8], value: &[u8]) -> Result<(), BackendError> {
        self.put_marshalled(key, value, PutFlags::default())
    }

    #[inline]
    fn put_with_flags(
        &mut self,
        key: &[u8],
        value: &[u8],
        flags: PutFlags,
    ) -> Result<(), BackendError> {
        self.put_marshalled(key, value, flags)
    }

    #[inline]
    fn commit(self) -> Result<(), BackendError> {
        self.raw.commit()
    }

    #[inline]
    fn abort(self) {
        self.raw.abort();
    }

    fn begin_nested(&mut self) -> Result<PreSpanTxn<'_>, BackendError> {
        Ok(PreSpanTxn { raw: self.raw.begin_nested()?, handles: self.handles })
    }
}

/// The heap object of one put: two buffers, their handles, and the words that a managed runtime adds
/// to an object which it must finalise.
#[derive(Debug)]
struct Marshalled<'call> {
    key: &'call [u8],
    value: &'call [u8],
    key_handle: usize,
    value_handle: usize,
    handles: &'call RefCell<HandleTable>,
    /// Object header, type and place in the queue of finalisable objects: 24 bytes that make the
    /// object the 80 bytes that the .NET benchmark's allocation column shows per put.
    /// It is there to be allocated, and never read.
    _runtime: [usize; 3],
}

impl<'call> Marshalled<'call> {
    // On the heap, because that is what the style costs.
    #[allow(clippy::unnecessary_box_returns)]
    #[expect(clippy::inline_always, reason = "as for `put_marshalled`")]
    #[inline(always)]
    fn new(
        key: &'call [u8],
        value: &'call [u8],
        handles: &'call RefCell<HandleTable>,
    ) -> Box<Self> {
        let mut table = handles.borrow_mut();
        let key_handle = table.pin(key);
        let value_handle = table.pin(value);
        drop(table);
        // A binding that keeps such an object hands it to code the compiler does not see; without
        // this it could be taken off the heap.
        black_box(Box::new(Self {
            key,
            value,
            key_handle,
            value_handle,
            handles,
            _runtime: [0; 3],
        }))
    }
}

impl Drop for Marshalled<'_> {
    #[inline]
    fn drop(&mut self) {
        let mut table = self.handles.borrow_mut();
        table.unpin(self.value_handle);
        table.unpin(self.key_handle);
    }
}

/// Slots for pinned buffers; free slots are used again, so that pinning allocates nothing.
#[derive(Debug)]
struct HandleTable {
    slots: Vec<*const u8>,
    free: Vec<usize>,
}

impl HandleTable {
    /// A put holds two handles at a time.
    const SLOTS: usize = 2;

    fn new() -> Self {
        Self { slots: vec![std::ptr::null(); Self::SLOTS], free: (0..Self::SLOTS).collect() }
    }

    #[inline]
    fn pin(&mut self, buffer: &[u8]) -> usize {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(std::ptr::null());
            self.slots.len() - 1
        });
        self.slots[slot] = buffer.as_ptr();
        slot
    }

    #[inline]
    fn unpin(&mut self, slot: usize) {
        self.slots[slot] = std::ptr::null();
        self.free.push(slot);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_pointer_width = "64")]
    #[test]
    fn the_object_has_the_size_of_the_one_it_models() {
        assert_eq!(size_of::<Marshalled<'_>>(), 80);
    }

    #[test]
    fn handles_are_used_again() {
        let handles = RefCell::new(HandleTable::new());
        let first = Marshalled::new(b"key", b"value", &handles);
        assert_ne!(first.key_handle, first.value_handle);
        assert!(handles.borrow().free.is_empty());
        let slots = [first.key_handle, first.value_handle];
        drop(first);
        let second = Marshalled::new(b"key", b"value", &handles);
        assert_eq!([second.key_handle, second.value_handle], slots);
        assert_eq!(handles.borrow().slots.len(), HandleTable::SLOTS);
    }
}
