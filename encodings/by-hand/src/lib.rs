//! Raw FFI over heed's engine with keys and values that are made by hand before each put: what a codec is
//! compared with, and two ways of handing over bytes that a user has.

use std::cell::{RefCell, RefMut};
use std::hint::black_box;
use std::marker::PhantomData;
use std::path::Path;

use backend_raw_ffi_lmdb_master_sys::{RawFfi, RawTxn};
use write_backend::encoding::Record;
use write_backend::timed::{Loop, Plain};
use write_backend::{
    BackendError, Encoding, Engine, EnvironmentInfo, EnvironmentOptions, ErrorKind, Identity,
    Operation, PutFlags, WriteBackend, WriteTransaction,
};

/// Vectors that a program keeps from put to put, for a key and a value.
pub type Buffers = [Vec<u8>; 2];

/// How the bytes of a put are made.
pub trait Style {
    /// The backend's id.
    const ID: &'static str;
    /// What is stored.
    const ENCODING: Encoding;

    /// Makes the bytes of one put and puts them.
    ///
    /// # Errors
    /// Those of the put, and that the value does not hold what this style takes.
    fn put(
        raw: &mut RawTxn<'_>,
        buffers: &mut Buffers,
        key: &[u8],
        value: &[u8],
    ) -> Result<(), BackendError>;
}

/// One entry for each style: its id, its encoding, and what it does with a put.
macro_rules! styles {
    ($($(#[doc = $doc:literal])+ $style:ident, $id:literal, $encoding:ident,
        |$raw:ident, $buffers:ident, $key:ident, $value:ident| $put:expr;)+) => {$(
        $(#[doc = $doc])+
        #[derive(Debug)]
        pub struct $style;

        impl Style for $style {
            const ID: &'static str = $id;
            const ENCODING: Encoding = Encoding::$encoding;

            #[inline]
            fn put(
                $raw: &mut RawTxn<'_>,
                $buffers: &mut Buffers,
                $key: &[u8],
                $value: &[u8],
            ) -> Result<(), BackendError> {
                $put
            }
        }
    )+};
}

styles! {
    /// Key and value are copied into arrays of 4 and 64 bytes on the stack.
    StackArrays, "stack-arrays", Bytes, |raw, _buffers, key, value| {
        let (key, value): ([u8; 4], [u8; 64]) = (array(key)?, array(value)?);
        raw.put(&black_box(key), black_box(&value))
    };
    /// Key and value are copied into vectors that are kept.
    ReusedVectors, "reused-vectors", Bytes, |raw, buffers, key, value| {
        for (buffer, bytes) in buffers.iter_mut().zip([key, value]) {
            buffer.clear();
            buffer.extend_from_slice(bytes);
        }
        raw.put(&buffers[0], &buffers[1])
    };
    /// A key is written from an integer.
    U32Key, "by-hand:u32-be", U32Key, |raw, _buffers, key, value| {
        let key = black_box(u32::from_be_bytes(array(key)?));
        raw.put(&key.to_be_bytes(), value)
    };
    /// A key and a value are written from integers.
    Integers, "by-hand:u32-be:u64-be", Integers, |raw, _buffers, key, value| {
        let key = black_box(u32::from_be_bytes(array(key)?));
        let value = black_box(u64::from_be_bytes(array(value)?));
        raw.put(&key.to_be_bytes(), &value.to_be_bytes())
    };
    /// A value is the bytes of a text.
    Text, "by-hand:str", Text, |raw, _buffers, key, value| {
        raw.put(key, std::str::from_utf8(value).map_err(|_| misfit())?.as_bytes())
    };
    /// A record's fields are written into a vector that is kept.
    Bincode, "by-hand:bincode", Bincode, |raw, buffers, key, value| {
        put_record::<Self>(raw, buffers, key, value)
    };
    /// A record is written as JSON into a vector that is kept.
    Json, "by-hand:json", Json, |raw, buffers, key, value| {
        put_record::<Self>(raw, buffers, key, value)
    };
    /// A record is written as `MessagePack` into a vector that is kept.
    MessagePack, "by-hand:rmp", MessagePack, |raw, buffers, key, value| {
        put_record::<Self>(raw, buffers, key, value)
    };
}

#[inline]
fn put_record<S: Style>(
    raw: &mut RawTxn<'_>,
    buffers: &mut Buffers,
    key: &[u8],
    value: &[u8],
) -> Result<(), BackendError> {
    let record = black_box(Record::of(value).ok_or_else(misfit)?);
    let bytes = &mut buffers[1];
    bytes.clear();
    S::ENCODING.write(&record, bytes);
    raw.put(key, bytes)
}

#[inline]
fn array<const N: usize>(bytes: &[u8]) -> Result<[u8; N], BackendError> {
    bytes.try_into().map_err(|_| misfit())
}

#[cold]
fn misfit() -> BackendError {
    let message = "the bytes do not hold what this backend takes for typed data";
    BackendError::new(Operation::Put, ErrorKind::InvalidArgument, None, message)
}

/// An open environment with one open database, and the vectors of its puts.
#[derive(Debug)]
pub struct ByHand<S> {
    raw: RawFfi,
    buffers: RefCell<Buffers>,
    style: PhantomData<S>,
}

impl<S: Style> WriteBackend for ByHand<S> {
    type Txn<'env>
        = ByHandTxn<'env, S>
    where
        Self: 'env;

    const IDENTITY: Identity =
        Identity { id: S::ID, binding: Some("lmdb-master-sys"), engine: Some("lmdb-master-sys") };
    const ENCODING: Encoding = S::ENCODING;

    fn engine() -> Option<Engine> {
        RawFfi::engine()
    }

    unsafe fn open(path: &Path, options: &EnvironmentOptions) -> Result<Self, BackendError> {
        // SAFETY: the caller promises the same.
        let raw = unsafe { RawFfi::open(path, options) }?;
        Ok(Self { raw, buffers: RefCell::default(), style: PhantomData })
    }

    fn loops() -> Vec<Loop<Self>> {
        vec![Loop::of::<Plain>()]
    }

    #[inline]
    fn begin(&self) -> Result<ByHandTxn<'_, S>, BackendError> {
        let (raw, buffers) = (self.raw.begin()?, self.buffers.borrow_mut());
        Ok(ByHandTxn { raw, buffers, style: PhantomData })
    }

    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, BackendError> {
        self.raw.get(key)
    }

    fn info(&self) -> Result<EnvironmentInfo, BackendError> {
        self.raw.info()
    }

    fn resize(&self, map_size: usize) -> Result<(), BackendError> {
        self.raw.resize(map_size)
    }
}

/// A write transaction; aborted when dropped.
#[derive(Debug)]
pub struct ByHandTxn<'env, S> {
    raw: RawTxn<'env>,
    buffers: RefMut<'env, Buffers>,
    style: PhantomData<S>,
}

impl<S: Style> WriteTransaction for ByHandTxn<'_, S> {
    type Nested<'txn>
        = ByHandTxn<'txn, S>
    where
        Self: 'txn;

    #[inline]
    fn put(&mut self, key: &[u8], value: &[u8]) -> Result<(), BackendError> {
        S::put(&mut self.raw, &mut self.buffers, key, value)
    }

    fn put_with_flags(&mut self, _: &[u8], _: &[u8], _: PutFlags) -> Result<(), BackendError> {
        Err(only_plain(Operation::Put))
    }

    #[inline]
    fn commit(self) -> Result<(), BackendError> {
        self.raw.commit()
    }

    #[inline]
    fn abort(self) {
        self.raw.abort();
    }

    fn begin_nested(&mut self) -> Result<ByHandTxn<'_, S>, BackendError> {
        Err(only_plain(Operation::BeginNested))
    }
}

fn only_plain(operation: Operation) -> BackendError {
    let message = "encodings are measured with plain puts alone";
    BackendError::new(operation, ErrorKind::NotOffered, None, message)
}
