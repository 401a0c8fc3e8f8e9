//! heed with typed keys and values, as its documentation shows: the codecs that it brings, and one of our
//! own that borrows. Environment and transactions are those of the backend `heed`.

use std::borrow::Cow;
use std::hint::black_box;
use std::marker::PhantomData;
use std::path::Path;

use backend_heed::backend::translate;
use backend_heed::{Heed, HeedTxn};
use heed::byteorder::BigEndian;
use heed::types::{Bytes, SerdeJson, SerdeRmp, Str, U32, U64};
use heed::{BoxedError, BytesEncode, Database, Error, RwTxn};
use write_backend::encoding::Record;
use write_backend::timed::{Loop, Plain};
use write_backend::{
    BackendError, Encoding, Engine, EnvironmentInfo, EnvironmentOptions, ErrorKind, Identity,
    Operation, PutFlags, WriteBackend, WriteTransaction,
};

/// A database of byte slices, whose types a put changes.
pub type ByteDatabase = Database<'static, Bytes, Bytes>;

/// A codec, and the typed data that it is handed.
pub trait Codec {
    /// The backend's id.
    const ID: &'static str;
    /// What is stored.
    const ENCODING: Encoding;

    /// Puts a typed pair.
    ///
    /// # Errors
    /// Those of heed's put, and that the bytes do not hold what the codec takes.
    fn put(
        database: ByteDatabase,
        txn: &mut RwTxn<'_>,
        key: &[u8],
        value: &[u8],
    ) -> Result<(), Error>;
}

/// One entry for each codec: its id, its encoding, and its put.
#[macro_export]
macro_rules! codecs {
    ($($(#[doc = $doc:literal])+ $codec:ident, $id:literal, $encoding:ident,
        |$database:ident, $txn:ident, $key:ident, $value:ident| $put:expr;)+) => {$(
        $(#[doc = $doc])+
        #[derive(Debug)]
        pub struct $codec;

        impl $crate::Codec for $codec {
            const ID: &'static str = $id;
            const ENCODING: write_backend::Encoding = write_backend::Encoding::$encoding;

            #[inline]
            fn put(
                $database: $crate::ByteDatabase,
                $txn: &mut heed::RwTxn<'_>,
                $key: &[u8],
                $value: &[u8],
            ) -> Result<(), heed::Error> {
                $put
            }
        }
    )+};
}

codecs! {
    /// [`Borrowing`], for values.
    Borrowed, "heed:borrowed", Bytes, |database, txn, key, value| {
        database.remap_data_type::<Borrowing>().put(txn, key, value)
    };
    /// `U32<BigEndian>`, for keys.
    U32Key, "heed:u32-be", U32Key, |database, txn, key, value| {
        let key = black_box(u32::from_be_bytes(array(key)?));
        database.remap_key_type::<U32<BigEndian>>().put(txn, &key, value)
    };
    /// `U32<BigEndian>` and `U64<BigEndian>`.
    Integers, "heed:u32-be:u64-be", Integers, |database, txn, key, value| {
        let key = black_box(u32::from_be_bytes(array(key)?));
        let value = black_box(u64::from_be_bytes(array(value)?));
        database.remap_types::<U32<BigEndian>, U64<BigEndian>>().put(txn, &key, &value)
    };
    /// `Str`, for values.
    Text, "heed:str", Text, |database, txn, key, value| {
        let text = std::str::from_utf8(value).map_err(|error| Error::Encoding(error.into()))?;
        database.remap_data_type::<Str>().put(txn, key, text)
    };
    /// `SerdeJson`, for values.
    Json, "heed:json", Json, |database, txn, key, value| {
        let record = record(value)?;
        database.remap_data_type::<SerdeJson<Record<'_>>>().put(txn, key, &record)
    };
    /// `SerdeRmp`, for values.
    MessagePack, "heed:rmp", MessagePack, |database, txn, key, value| {
        let record = record(value)?;
        database.remap_data_type::<SerdeRmp<Record<'_>>>().put(txn, key, &record)
    };
}

/// A codec of our own, as heed's documentation says how to write one: it copies nothing.
#[derive(Debug)]
pub enum Borrowing {}

impl<'a> BytesEncode<'a> for Borrowing {
    type EItem = [u8];

    fn bytes_encode(item: &'a [u8]) -> Result<Cow<'a, [u8]>, BoxedError> {
        Ok(Cow::Borrowed(item))
    }
}

/// The record in `value`, as a program would have it.
///
/// # Errors
/// When there is none.
#[inline]
pub fn record(value: &[u8]) -> Result<Record<'_>, Error> {
    Record::of(value).map(black_box).ok_or_else(|| Error::Encoding("no record".into()))
}

#[inline]
fn array<const N: usize>(bytes: &[u8]) -> Result<[u8; N], Error> {
    bytes.try_into().map_err(|_| Error::Encoding("another size".into()))
}

/// An open environment with one open database.
#[derive(Debug)]
pub struct Encoded<C> {
    heed: Heed,
    codec: PhantomData<C>,
}

impl<C: Codec> WriteBackend for Encoded<C> {
    type Txn<'env>
        = EncodedTxn<'env, C>
    where
        Self: 'env;

    const IDENTITY: Identity = Identity { id: C::ID, ..Heed::IDENTITY };
    const ENCODING: Encoding = C::ENCODING;

    fn engine() -> Option<Engine> {
        Heed::engine()
    }

    unsafe fn open(path: &Path, options: &EnvironmentOptions) -> Result<Self, BackendError> {
        // SAFETY: the caller promises the same.
        Ok(Self { heed: unsafe { Heed::open(path, options) }?, codec: PhantomData })
    }

    fn loops() -> Vec<Loop<Self>> {
        vec![Loop::of::<Plain>()]
    }

    #[inline]
    fn begin(&self) -> Result<EncodedTxn<'_, C>, BackendError> {
        Ok(EncodedTxn { txn: self.heed.begin()?, codec: PhantomData })
    }

    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, BackendError> {
        self.heed.get(key)
    }

    fn info(&self) -> Result<EnvironmentInfo, BackendError> {
        self.heed.info()
    }

    fn resize(&self, map_size: usize) -> Result<(), BackendError> {
        self.heed.resize(map_size)
    }
}

/// A write transaction; aborted when dropped.
#[derive(Debug)]
pub struct EncodedTxn<'env, C> {
    txn: HeedTxn<'env>,
    codec: PhantomData<C>,
}

impl<C: Codec> WriteTransaction for EncodedTxn<'_, C> {
    type Nested<'txn>
        = EncodedTxn<'txn, C>
    where
        Self: 'txn;

    #[inline]
    fn put(&mut self, key: &[u8], value: &[u8]) -> Result<(), BackendError> {
        let (database, txn) = self.txn.parts();
        match C::put(database, txn, key, value) {
            Ok(()) => Ok(()),
            Err(error) => Err(translate(Operation::Put, error)),
        }
    }

    fn put_with_flags(&mut self, _: &[u8], _: &[u8], _: PutFlags) -> Result<(), BackendError> {
        let message = "encodings are measured with plain puts alone";
        Err(BackendError::new(Operation::Put, ErrorKind::NotOffered, None, message))
    }

    #[inline]
    fn commit(self) -> Result<(), BackendError> {
        self.txn.commit()
    }

    #[inline]
    fn abort(self) {
        self.txn.abort();
    }

    fn begin_nested(&mut self) -> Result<EncodedTxn<'_, C>, BackendError> {
        Ok(EncodedTxn { txn: self.txn.begin_nested()?, codec: PhantomData })
    }
}
