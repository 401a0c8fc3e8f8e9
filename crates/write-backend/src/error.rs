//! One error type for all bindings, which keeps what the binding itself said.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// What went wrong in a backend: the operation, its kind, and the binding's own code and message.
///
/// The details are boxed, so that `Result<(), BackendError>` is one word and the error path costs
/// the timed loop nothing but a comparison.
///
/// ```
/// use write_backend::{BackendError, ErrorKind, Operation};
/// let error = BackendError::from_code(Operation::Put, -30792, "MDB_MAP_FULL: no room");
/// assert_eq!(error.kind(), ErrorKind::MapFull);
/// assert_eq!(error.to_string(), "put: MDB_MAP_FULL: no room (map full, code -30792)");
/// assert_eq!(size_of::<Result<(), BackendError>>(), size_of::<usize>());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackendError(Box<Details>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Details {
    operation: Operation,
    kind: ErrorKind,
    code: Option<i32>,
    message: String,
    path: Option<PathBuf>,
}

impl BackendError {
    /// An error with a kind of its own; `code` is the binding's, if it gave one.
    #[must_use]
    #[cold]
    pub fn new(
        operation: Operation,
        kind: ErrorKind,
        code: Option<i32>,
        message: impl Into<String>,
    ) -> Self {
        Self(Box::new(Details { operation, kind, code, message: message.into(), path: None }))
    }

    /// An error from a code that an LMDB call returned: negative for LMDB's own, positive for the
    /// operating system's (`lmdb.h`, "Return Codes").
    #[must_use]
    #[cold]
    pub fn from_code(operation: Operation, code: i32, message: impl Into<String>) -> Self {
        Self::new(operation, ErrorKind::from_code(code), Some(code), message)
    }

    /// The same error with the path it is about.
    #[must_use]
    #[cold]
    pub fn at(mut self, path: &Path) -> Self {
        self.0.path = Some(path.to_owned());
        self
    }

    /// The call that failed.
    #[must_use]
    pub fn operation(&self) -> Operation {
        self.0.operation
    }

    /// What kind of failure it is, the same for every binding.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The code that the binding reported, where there is one.
    #[must_use]
    pub fn code(&self) -> Option<i32> {
        self.0.code
    }

    /// The binding's own words.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The path that the error is about, where there is one.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.0.path.as_deref()
    }
}

impl fmt::Display for BackendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Details { operation, kind, code, message, path } = &*self.0;
        write!(f, "{operation}")?;
        if let Some(path) = path {
            write!(f, " {}", path.display())?;
        }
        write!(f, ": {message} ({kind}")?;
        match code {
            Some(code) => write!(f, ", code {code})"),
            None => write!(f, ")"),
        }
    }
}

impl std::error::Error for BackendError {}

/// The calls of the contract, for error messages, with their words.
macro_rules! operations {
    ($($value:ident $words:literal: $meaning:literal,)+) => {
        /// The calls of the contract, for error messages.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Operation {
            $(#[doc = $meaning] $value,)+
        }

        impl fmt::Display for Operation {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self {
                    $(Self::$value => $words,)+
                })
            }
        }
    };
}

operations! {
    Open "open": "Opening the environment.",
    OpenDatabase "open database": "Opening or creating a database.",
    Begin "begin": "Beginning a transaction.",
    BeginNested "begin nested": "Beginning a transaction within another.",
    Put "put": "Putting a pair.",
    Commit "commit": "Committing.",
    Get "get": "Reading a value.",
    Info "info": "Asking for the environment's state.",
    Resize "resize": "Setting the map size.",
    BeginRead "begin read": "Beginning a read transaction.",
    Cursor "open cursor": "Opening a cursor.",
    Reserve "reserve": "Putting a value of reserved space.",
    ClearReaders "clear readers": "Freeing the slots of readers that are gone.",
}

/// The kinds of failure, with LMDB's return codes and words.
macro_rules! kinds {
    ($($value:ident $code:literal $words:literal: $meaning:literal,)+) => {
        /// The kinds of failure: LMDB's return codes by name, the operating system's, and the
        /// bindings' own.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum ErrorKind {
            $(#[doc = $meaning] $value,)+
            /// An argument that is not allowed (`EINVAL`, or refused by the binding).
            InvalidArgument,
            /// The binding has this environment open already.
            AlreadyOpen,
            /// The binding has no such call for its users.
            NotOffered,
            /// Any other error of the operating system.
            Io(io::ErrorKind),
            /// A code that neither LMDB nor the operating system documents.
            Other,
        }

        impl ErrorKind {
            /// The kind that an LMDB return code stands for (`lmdb.h`, "Return Codes").
            #[must_use]
            pub fn from_code(code: i32) -> Self {
                match code {
                    $($code => Self::$value,)+
                    code if code > 0 => match io::Error::from_raw_os_error(code).kind() {
                        io::ErrorKind::InvalidInput => Self::InvalidArgument,
                        kind => Self::Io(kind),
                    },
                    _ => Self::Other,
                }
            }
        }

        impl fmt::Display for ErrorKind {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self {
                    $(Self::$value => $words,)+
                    Self::InvalidArgument => "invalid argument",
                    Self::AlreadyOpen => "already open",
                    Self::NotOffered => "not offered",
                    Self::Io(kind) => return write!(f, "i/o: {kind}"),
                    Self::Other => "unknown",
                })
            }
        }
    };
}

kinds! {
    KeyExists -30799 "key exists": "The key is there and the put's flags forbid to touch it (`MDB_KEYEXIST`).",
    NotFound -30798 "not found": "No such key or database (`MDB_NOTFOUND`).",
    PageNotFound -30797 "page not found": "A page is missing: usually damage (`MDB_PAGE_NOTFOUND`).",
    Corrupted -30796 "corrupted": "A page is of the wrong type: damage (`MDB_CORRUPTED`).",
    Panic -30795 "environment panic": "The environment had a fatal error (`MDB_PANIC`).",
    VersionMismatch -30794 "version mismatch": "Written by another version of the format (`MDB_VERSION_MISMATCH`).",
    Invalid -30793 "not an LMDB file": "Not an LMDB file (`MDB_INVALID`).",
    MapFull -30792 "map full": "The map is full (`MDB_MAP_FULL`).",
    DatabasesFull -30791 "databases full": "Too many named databases (`MDB_DBS_FULL`).",
    ReadersFull -30790 "readers full": "Too many readers (`MDB_READERS_FULL`).",
    ThreadLocalFull -30789 "thread-local keys full": "Too many thread-local keys (`MDB_TLS_FULL`).",
    TransactionFull -30788 "transaction full": "Too many dirty pages in one transaction (`MDB_TXN_FULL`).",
    CursorFull -30787 "cursor full": "Cursor stack too deep: damage (`MDB_CURSOR_FULL`).",
    PageFull -30786 "page full": "A page has no room: internal (`MDB_PAGE_FULL`).",
    MapResized -30785 "map resized": "Another process resized the map (`MDB_MAP_RESIZED`).",
    Incompatible -30784 "incompatible": "The database was made with other flags (`MDB_INCOMPATIBLE`).",
    BadReaderSlot -30783 "bad reader slot": "Reader slot used twice (`MDB_BAD_RSLOT`).",
    BadTransaction -30782 "bad transaction": "The transaction failed before, or may not have a child (`MDB_BAD_TXN`).",
    BadValueSize -30781 "bad value size": "A key, value or name of a size that is not allowed (`MDB_BAD_VALSIZE`).",
    BadDatabase -30780 "bad database": "The database handle changed under the transaction (`MDB_BAD_DBI`).",
    Problem -30779 "problem": "An unexpected internal state (`MDB_PROBLEM`, LMDB 0.9.70).",
    BadChecksum -30778 "bad checksum": "A page is not what was written: damage (`MDB_BAD_CHECKSUM`, from here on LMDB 1.0).",
    CryptoFail -30777 "encryption failed": "A page cannot be encrypted or decrypted (`MDB_CRYPTO_FAIL`).",
    EnvironmentEncryption -30776 "environment encryption": "An encrypted environment without its key, or the other way round (`MDB_ENV_ENCRYPTION`).",
    TransactionPending -30775 "transaction pending": "The transaction was prepared already (`MDB_TXN_PENDING`).",
    CannotRollBack -30774 "cannot roll back": "The last transaction cannot be taken back (`MDB_CANT_ROLLBACK`).",
    DatabasesBusy -30773 "databases busy": "Other databases are open (`MDB_DBIS_BUSY`).",
    ShortWrite -30772 "short write": "Not all was written (`MDB_SHORT_WRITE`).",
    EnvironmentBusy -30771 "environment busy": "The environment is in use (`MDB_ENV_BUSY`).",
    ReadOnly -30770 "read-only": "Writing where only reading is allowed (`MDB_IS_READONLY`).",
    AddressBusy -30769 "address busy": "The map cannot have the address asked for (`MDB_ADDR_BUSY`).",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_documented_code_has_a_kind_and_others_have_none() {
        for code in -30800..=-30768 {
            let is_documented = (-30799..=-30769).contains(&code);
            assert_eq!(ErrorKind::from_code(code) != ErrorKind::Other, is_documented, "{code}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn system_codes_keep_their_meaning() {
        assert_eq!(ErrorKind::from_code(22), ErrorKind::InvalidArgument);
        assert_eq!(ErrorKind::from_code(2), ErrorKind::Io(io::ErrorKind::NotFound));
        assert_eq!(ErrorKind::from_code(13), ErrorKind::Io(io::ErrorKind::PermissionDenied));
    }

    #[test]
    fn display_names_operation_path_and_code() {
        let error = BackendError::from_code(Operation::Open, 2, "No such file or directory")
            .at(Path::new("some/where"));
        assert_eq!(
            error.to_string(),
            "open some/where: No such file or directory (i/o: entity not found, code 2)"
        );
        let error = BackendError::new(Operation::Put, ErrorKind::AlreadyOpen, None, "twice");
        assert_eq!(error.to_string(), "put: twice (already open)");
    }
}
