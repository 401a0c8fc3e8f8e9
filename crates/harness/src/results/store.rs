//! Reading and writing results files without losing anything.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::results::schema::{Results, SCHEMA};

/// Why a results file could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The system's error.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        error: io::Error,
    },
    /// The file is not a results file, or a truncated one.
    #[error("{}: not a results file: {error}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// Where and why.
        error: serde_json::Error,
    },
    /// The file was written by a newer version.
    #[error(
        "{}: written in format {found}; this version reads up to {SCHEMA}: use the version that \
         wrote it, or a newer one",
        path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its `schema`.
        found: u32,
    },
}

/// Writes `results` to `path`, see [`write_json`].
///
/// # Errors
/// Those of [`write_json`].
pub fn write(path: &Path, results: &Results) -> Result<(), StoreError> {
    write_json(path, results)
}

/// Writes `value` to `path` under a temporary name and renames it, so that a file of that name is
/// always whole.
///
/// # Errors
/// When the directory cannot be made or the file cannot be written; what was there before stays.
pub fn write_json(path: &Path, value: &impl Serialize) -> Result<(), StoreError> {
    let mut text = serde_json::to_string_pretty(value)
        .map_err(|error| StoreError::Format { path: path.to_owned(), error })?;
    text.push('\n');
    write_text(path, &text)
}

/// Writes `text` to `path` as [`write_json`] does.
///
/// # Errors
/// When the directory cannot be made or the file cannot be written; what was there before stays.
pub fn write_text(path: &Path, text: &str) -> Result<(), StoreError> {
    let failed = |error| StoreError::Io { path: path.to_owned(), error };
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    fs::create_dir_all(directory).map_err(failed)?;
    let mut file =
        tempfile::Builder::new().prefix(".results-").tempfile_in(directory).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    // Made for its owner alone; a results file is meant to be read by others.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        file.as_file().set_permissions(fs::Permissions::from_mode(0o644)).map_err(failed)?;
    }
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// Reads the value that [`write_json`] wrote to `path`.
///
/// # Errors
/// When it cannot be read or is something else.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, StoreError> {
    let bytes = fs::read(path).map_err(|error| StoreError::Io { path: path.to_owned(), error })?;
    serde_json::from_slice(&bytes)
        .map_err(|error| StoreError::Format { path: path.to_owned(), error })
}

/// Reads the results file at `path`.
///
/// # Errors
/// When it cannot be read, is no results file, or is of a newer format.
pub fn read(path: &Path) -> Result<Results, StoreError> {
    let bytes = fs::read(path).map_err(|error| StoreError::Io { path: path.to_owned(), error })?;
    parse(&bytes, path)
}

/// Reads the bytes of a results file; `path` is for messages alone.
///
/// # Errors
/// Those of [`read`] but for the system's.
pub fn parse(bytes: &[u8], path: &Path) -> Result<Results, StoreError> {
    /// The one field that every version has.
    #[derive(serde::Deserialize)]
    struct Version {
        schema: u32,
    }
    let format = |error| StoreError::Format { path: path.to_owned(), error };
    let Version { schema } = serde_json::from_slice(bytes).map_err(format)?;
    if schema > SCHEMA {
        return Err(StoreError::Newer { path: path.to_owned(), found: schema });
    }
    serde_json::from_slice(bytes).map_err(format)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_newer_format_is_refused_by_number() {
        let error = parse(br#"{"schema": 99, "what": "ever"}"#, Path::new("f.json")).unwrap_err();
        assert!(error.to_string().starts_with("f.json: written in format 99"), "{error}");
    }

    #[test]
    fn a_truncated_file_is_refused_with_the_place() {
        let error = parse(br#"{"schema": 1, "producer": "com"#, Path::new("f.json")).unwrap_err();
        assert!(error.to_string().contains("line 1"), "{error}");
    }

    #[test]
    fn a_directory_in_the_way_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let error = read(directory.path()).unwrap_err();
        assert!(error.to_string().contains(&directory.path().display().to_string()));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes: Vec<u8>) {
            let _ = parse(&bytes, Path::new("f.json"));
        }
    }
}
