//! Where a case happens: its directory, and the environment that its backend has there.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use write_backend::protocol::behaviour::Outcome;
use write_backend::{Access, BackendError, EnvironmentOptions, Probe};

use crate::steps::{commit, must_hold};

/// The directory of one case of the backend `B`: empty when the case begins, removed when the case's
/// process has ended, however it ended.
pub(crate) struct Place<B> {
    path: PathBuf,
    options: EnvironmentOptions,
    backend: PhantomData<fn() -> B>,
}

impl<B> Place<B> {
    /// How long the header of a page is, in the file formats 1 and 3; the magic number stands behind it.
    const HEADERS: [usize; 2] = [16, 24];
    /// `MDB_MAGIC` in `mdb.c`.
    const MAGIC: u32 = 0xbeef_c0de;
    /// Where the page size stands behind the header (`mm_psize` of `struct MDB_meta`) on 64-bit machines.
    const PAGE_SIZE_OFFSET: usize = 24;

    /// The directory `path`, which is the case's alone.
    pub(crate) fn new(path: PathBuf) -> Self {
        Self { path, options: EnvironmentOptions::default(), backend: PhantomData }
    }

    /// The same directory, where the environment is opened with `options`. Otherwise it is 10 MiB, no
    /// sync, the unnamed database.
    pub(crate) fn with(&self, options: EnvironmentOptions) -> Self {
        Self { options, ..Self::new(self.path.clone()) }
    }

    /// The directory itself.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// A new directory in this one.
    pub(crate) fn sub(&self, name: impl AsRef<OsStr>) -> io::Result<Self> {
        let path = self.path.join(name.as_ref());
        fs::create_dir(&path)?;
        Ok(Self::new(path))
    }

    /// The environment's data file.
    pub(crate) fn data_file(&self) -> PathBuf {
        self.path.join("data.mdb")
    }

    /// The environment's lock file.
    pub(crate) fn lock_file(&self) -> PathBuf {
        self.path.join("lock.mdb")
    }

    /// The page size that the environment here was made with, in bytes.
    pub(crate) fn page_size(&self) -> Result<usize, Outcome> {
        self.layout().map(|(_, page_size)| page_size)
    }

    /// How long the header of a page is, and the page, in bytes.
    pub(crate) fn layout(&self) -> Result<(usize, usize), Outcome> {
        let data = fs::read(self.data_file())?;
        let word = |offset: usize| {
            let bytes = data.get(offset..offset + size_of::<u32>())?;
            Some(u32::from_ne_bytes(bytes.try_into().ok()?))
        };
        let header = Self::HEADERS.into_iter().find(|header| word(*header) == Some(Self::MAGIC));
        let size = header.and_then(|header| word(header + Self::PAGE_SIZE_OFFSET));
        match (header, size) {
            (Some(header), Some(size)) if size.is_power_of_two() => Ok((header, size as usize)),
            _ => Err(Outcome::not_checked("the data file has a layout that is not known here")),
        }
    }
}

/// What is done in many cases.
impl<B: Probe> Place<B> {
    /// Opens the environment.
    #[expect(unsafe_code, reason = "opening maps files that others could change")]
    pub(crate) fn open(&self) -> Result<B, BackendError> {
        // SAFETY: the directory was made for one case and is known to its processes alone. They change
        // the files through LMDB, or they do so to see what LMDB makes of it: then nothing else depends
        // on the process that has them open.
        unsafe { B::open(&self.path, &self.options) }
    }

    #[expect(unsafe_code, reason = "opening maps files that others could change")]
    pub(crate) fn open_with(&self, access: Access) -> Result<B, BackendError> {
        // SAFETY: as in `open`.
        unsafe { B::open_with(&self.path, &self.options, access) }
    }

    /// Opens the environment and commits `pairs`.
    pub(crate) fn filled(
        &self,
        pairs: &[(impl AsRef<[u8]>, impl AsRef<[u8]>)],
    ) -> Result<B, BackendError> {
        let backend = self.open()?;
        commit(&backend, pairs)?;
        Ok(backend)
    }

    /// The closed environment, opened again, holds exactly `pairs`.
    pub(crate) fn holds(
        &self,
        pairs: &[(impl AsRef<[u8]>, impl AsRef<[u8]>)],
    ) -> Result<(), Outcome> {
        must_hold(&self.open()?, pairs)
    }

    /// A new environment with `pairs` holds exactly those after it was closed and opened again.
    pub(crate) fn keeps(
        &self,
        pairs: &[(impl AsRef<[u8]>, impl AsRef<[u8]>)],
    ) -> Result<(), Outcome> {
        drop(self.filled(pairs)?);
        self.holds(pairs)
    }
}
