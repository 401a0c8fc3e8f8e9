//! What a backend that changes nothing but the put takes from `raw-ffi`.

/// Everything but the put is raw-ffi's: forwards the rest of the contract to the field `.$inner`.
#[macro_export]
macro_rules! forward_environment {
    ($inner:tt) => {
        fn engine() -> Option<Engine> {
            RawFfi::engine()
        }

        fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, BackendError> {
            self.$inner.get(key)
        }

        fn info(&self) -> Result<EnvironmentInfo, BackendError> {
            self.$inner.info()
        }

        fn resize(&self, map_size: usize) -> Result<(), BackendError> {
            self.$inner.resize(map_size)
        }
    };
}
/// The same for what is only looked at; `$txn` has the field `.$inner` too.
#[macro_export]
macro_rules! forward_probe {
    ($inner:tt, $txn:ident) => {
        type Reader<'env> = RawReader<'env>;

        fn create_database(&self, name: &str) -> Result<(), BackendError> {
            self.$inner.create_database(name)
        }

        unsafe fn begin_read(&self) -> Result<RawReader<'_>, BackendError> {
            // SAFETY: the caller promises the same.
            unsafe { self.$inner.begin_read() }
        }

        fn clear_stale_readers(&self) -> Result<usize, BackendError> {
            self.$inner.clear_stale_readers()
        }
    };
}

/// For what is only looked at.
#[macro_export]
macro_rules! forward_reserves {
    ($inner:tt, $txn:ident) => {
        /// A style of handing over buffers has no put of its own that reserves.
        fn put_reserved(
            txn: &mut $txn<'_>,
            key: &[u8],
            size: usize,
            content: &[u8],
        ) -> Result<(), BackendError> {
            RawFfi::put_reserved(&mut txn.$inner, key, size, content)
        }
    };
}
