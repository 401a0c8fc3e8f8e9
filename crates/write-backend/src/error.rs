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

/// The calls of the contract, for error messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// Opening the environment.
    Open,
    /// Opening or creating a database.
    OpenDatabase,
    /// Beginning a transaction.
    Begin,
    /// Beginning a transaction within another.
    BeginNested,
    /// Putting a pair.
    Put,
    /// Committing.
    Commit,
    /// Reading a value.
    Get,
    /// Asking for the environment's state.
    Info,
    /// Setting the map size.
    Resize,
    /// Beginning a read transaction.
    BeginRead,
    /// Putting a value of reserved space.
    Reserve,
    /// Freeing the slots of readers that are gone.
    ClearReaders,
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Open => "open",
            Self::OpenDatabase => "open database",
            Self::Begin => "begin",
            Self::BeginNested => "begin nested",
            Self::Put => "put",
            Self::Commit => "commit",
            Self::Get => "get",
            Self::Info => "info",
            Self::Resize => "resize",
            Self::BeginRead => "begin read",
            Self::Reserve => "reserve",
            Self::ClearReaders => "clear readers",
        })
    }
}

/// The kinds of failure: LMDB's return codes by name, the operating system's, and the bindings'
/// own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The key is there and the put's flags forbid to touch it (`MDB_KEYEXIST`).
    KeyExists,
    /// No such key or database (`MDB_NOTFOUND`).
    NotFound,
    /// A page is missing: usually damage (`MDB_PAGE_NOTFOUND`).
    PageNotFound,
    /// A page is of the wrong type: damage (`MDB_CORRUPTED`).
    Corrupted,
    /// The environment had a fatal error (`MDB_PANIC`).
    Panic,
    /// Written by another version of the format (`MDB_VERSION_MISMATCH`).
    VersionMismatch,
    /// Not an LMDB file (`MDB_INVALID`).
    Invalid,
    /// The map is full (`MDB_MAP_FULL`).
    MapFull,
    /// Too many named databases (`MDB_DBS_FULL`).
    DatabasesFull,
    /// Too many readers (`MDB_READERS_FULL`).
    ReadersFull,
    /// Too many thread-local keys (`MDB_TLS_FULL`).
    ThreadLocalFull,
    /// Too many dirty pages in one transaction (`MDB_TXN_FULL`).
    TransactionFull,
    /// Cursor stack too deep: damage (`MDB_CURSOR_FULL`).
    CursorFull,
    /// A page has no room: internal (`MDB_PAGE_FULL`).
    PageFull,
    /// Another process resized the map (`MDB_MAP_RESIZED`).
    MapResized,
    /// The database was made with other flags (`MDB_INCOMPATIBLE`).
    Incompatible,
    /// Reader slot used twice (`MDB_BAD_RSLOT`).
    BadReaderSlot,
    /// The transaction failed before, or may not have a child (`MDB_BAD_TXN`).
    BadTransaction,
    /// A key, value or name of a size that is not allowed (`MDB_BAD_VALSIZE`).
    BadValueSize,
    /// The database handle changed under the transaction (`MDB_BAD_DBI`).
    BadDatabase,
    /// An unexpected internal state (`MDB_PROBLEM`, LMDB 0.9.70).
    Problem,
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
            -30799 => Self::KeyExists,
            -30798 => Self::NotFound,
            -30797 => Self::PageNotFound,
            -30796 => Self::Corrupted,
            -30795 => Self::Panic,
            -30794 => Self::VersionMismatch,
            -30793 => Self::Invalid,
            -30792 => Self::MapFull,
            -30791 => Self::DatabasesFull,
            -30790 => Self::ReadersFull,
            -30789 => Self::ThreadLocalFull,
            -30788 => Self::TransactionFull,
            -30787 => Self::CursorFull,
            -30786 => Self::PageFull,
            -30785 => Self::MapResized,
            -30784 => Self::Incompatible,
            -30783 => Self::BadReaderSlot,
            -30782 => Self::BadTransaction,
            -30781 => Self::BadValueSize,
            -30780 => Self::BadDatabase,
            -30779 => Self::Problem,
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
            Self::KeyExists => "key exists",
            Self::NotFound => "not found",
            Self::PageNotFound => "page not found",
            Self::Corrupted => "corrupted",
            Self::Panic => "environment panic",
            Self::VersionMismatch => "version mismatch",
            Self::Invalid => "not an LMDB file",
            Self::MapFull => "map full",
            Self::DatabasesFull => "databases full",
            Self::ReadersFull => "readers full",
            Self::ThreadLocalFull => "thread-local keys full",
            Self::TransactionFull => "transaction full",
            Self::CursorFull => "cursor full",
            Self::PageFull => "page full",
            Self::MapResized => "map resized",
            Self::Incompatible => "incompatible",
            Self::BadReaderSlot => "bad reader slot",
            Self::BadTransaction => "bad transaction",
            Self::BadValueSize => "bad value size",
            Self::BadDatabase => "bad database",
            Self::Problem => "problem",
            Self::InvalidArgument => "invalid argument",
            Self::AlreadyOpen => "already open",
            Self::NotOffered => "not offered",
            Self::Io(kind) => return write!(f, "i/o: {kind}"),
            Self::Other => "unknown",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_documented_code_has_a_kind_of_its_own() {
        let kinds: Vec<ErrorKind> = (-30799..=-30779).map(ErrorKind::from_code).collect();
        for (index, kind) in kinds.iter().enumerate() {
            assert_ne!(*kind, ErrorKind::Other);
            assert!(!kinds[..index].contains(kind), "{kind} twice");
        }
        assert_eq!(ErrorKind::from_code(-30800), ErrorKind::Other);
        assert_eq!(ErrorKind::from_code(-30778), ErrorKind::Other);
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
