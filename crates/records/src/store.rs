//! Reading and writing results files without losing anything.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::invalid::{Invalid, harmless};
use crate::stored::Stored;

/// Why a file could not be read or written.
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
    /// The file is not of its kind, or a truncated one.
    #[error("{}: not a {kind}: {}{}", path.display(), harmless(field), harmless(error))]
    Format {
        /// The file.
        path: PathBuf,
        /// What it should be.
        kind: &'static str,
        /// The path of the field, with a colon after it; empty where the file as a whole is wrong.
        field: String,
        /// Why, with the line.
        error: serde_json::Error,
    },
    /// The file was written by a newer version.
    #[error(
        "{}: schema: this {kind} was written in format {found}; this version reads up to {newest}: \
         use the version that wrote it, or a newer one",
        path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// What it is.
        kind: &'static str,
        /// Its `schema`.
        found: u32,
        /// The newest that is read.
        newest: u32,
    },
    /// The file holds a value that cannot have been measured.
    #[error("{}: {invalid}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// The field, its value and what is allowed.
        invalid: Invalid,
    },
    /// The file was written, and it holds a value that its own reader refuses.
    #[error("{}: written, but it will not be read: {invalid}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The field, its value and what is allowed.
        invalid: Invalid,
    },
    /// The file's format is older than the first.
    #[error("{}: schema: 0: it must be at least 1", path.display())]
    NoFormat {
        /// The file.
        path: PathBuf,
    },
}

/// Writes `value` to `path`, see [`write_json`]. What [`read`] would refuse is written too: a run may
/// have taken hours, and a file can be looked at and mended.
///
/// # Errors
/// Those of [`write_json`], and [`StoreError::Unreadable`] when the file is there but cannot be read.
pub fn write<T: Stored>(path: &Path, value: &T) -> Result<(), StoreError> {
    write_json(path, value)?;
    value.check().map_err(|invalid| StoreError::Unreadable { path: path.to_owned(), invalid })
}

/// Writes `value` to `path` under a temporary name and renames it, so that a file of that name is
/// always whole.
///
/// # Errors
/// When the directory cannot be made or the file cannot be written; what was there before stays.
pub fn write_json(path: &Path, value: &impl Serialize) -> Result<(), StoreError> {
    write_text(path, &to_text(value).map_err(|error| format_error(path, "value for JSON", error))?)
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

/// The text that [`write_json`] writes.
///
/// # Errors
/// When the value has no JSON.
pub fn to_text(value: &impl Serialize) -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}

/// Reads the value that [`write_json`] wrote to `path`, whatever it is; its values are not checked.
///
/// # Errors
/// When it cannot be read or is something else, with the field.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, StoreError> {
    from_json(&bytes(path)?, path, "file of that kind")
}

/// Reads and checks the stored file at `path`.
///
/// # Errors
/// When it cannot be read, is of another kind or of a newer format, or holds a value that cannot have
/// been measured: with the file, the field and what is allowed.
pub fn read<T: Stored>(path: &Path) -> Result<T, StoreError> {
    parse(&bytes(path)?, path)
}

fn bytes(path: &Path) -> Result<Vec<u8>, StoreError> {
    fs::read(path).map_err(|error| StoreError::Io { path: path.to_owned(), error })
}

/// Reads and checks the bytes of a stored file; `path` is for messages alone.
///
/// # Errors
/// Those of [`read`] but for the system's.
pub fn parse<T: Stored>(bytes: &[u8], path: &Path) -> Result<T, StoreError> {
    let found: Result<T, StoreError> = from_json(bytes, path, T::KIND);
    // A newer format may have other fields: that it is newer is then the reason, not the field.
    let schema = found.as_ref().ok().map(Stored::schema).or_else(|| schema(bytes));
    if let Some(found) = schema.filter(|schema| *schema > T::SCHEMA) {
        let (path, kind, newest) = (path.to_owned(), T::KIND, T::SCHEMA);
        return Err(StoreError::Newer { path, kind, found, newest });
    }
    if schema == Some(0) {
        return Err(StoreError::NoFormat { path: path.to_owned() });
    }
    let found = found?;
    found.check().map_err(|invalid| StoreError::Invalid { path: path.to_owned(), invalid })?;
    Ok(found)
}

/// The one field that every version has.
fn schema(bytes: &[u8]) -> Option<u32> {
    #[derive(serde::Deserialize)]
    struct Version {
        schema: u32,
    }
    serde_json::from_slice(bytes).ok().map(|Version { schema }| schema)
}

fn from_json<T: DeserializeOwned>(
    bytes: &[u8],
    path: &Path,
    kind: &'static str,
) -> Result<T, StoreError> {
    // Following the path of every field takes time, so only a file that cannot be read is read so.
    if let Ok(value) = serde_json::from_slice(bytes) {
        return Ok(value);
    }
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let failed = |field: String, error| {
        let field = if field == "." { String::new() } else { format!("{field}: ") };
        StoreError::Format { path: path.to_owned(), kind, field, error }
    };
    let value = serde_path_to_error::deserialize(&mut reader)
        .map_err(|error| failed(error.path().to_string(), error.into_inner()))?;
    // Something stands after the value.
    reader.end().map_err(|error| failed(".".to_owned(), error))?;
    Ok(value)
}

fn format_error(path: &Path, kind: &'static str, error: serde_json::Error) -> StoreError {
    StoreError::Format { path: path.to_owned(), kind, field: String::new(), error }
}

#[cfg(test)]
#[path = "store/tests.rs"]
mod tests;
