//! Reading and writing stored files without losing anything.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::invalid::{Invalid, at_least_one, harmless};

/// A value that has files of its own, with a version.
pub trait Stored: Serialize + DeserializeOwned {
    /// What messages call such a file.
    const KIND: &'static str;
    /// The version of the format that is written; newer ones are refused.
    const SCHEMA: u32;

    /// Refuses values that nothing can have been measured as. Texts need no check here.
    ///
    /// # Errors
    /// The first field that has such a value, and what is allowed.
    fn check(&self) -> Result<(), Invalid>;
}

/// Why a file could not be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct StoreError {
    /// The file or directory.
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// The system refused.
    #[error("{0}")]
    Io(io::Error),
    /// It is not of its kind, or a truncated one.
    #[error("not a {kind}: {}{}", harmless(field), harmless(error))]
    Format {
        /// What it should be.
        kind: &'static str,
        /// The path of the field, with a colon after it; empty where the file as a whole is wrong.
        field: String,
        /// Why, with the line.
        error: serde_json::Error,
    },
    /// It was written by a newer version.
    #[error(
        "schema: this {kind} was written in format {found}; this version reads up to {newest}: use \
         the version that wrote it, or a newer one"
    )]
    Newer {
        /// What it is.
        kind: &'static str,
        /// Its `schema`.
        found: u64,
        /// The newest that is read.
        newest: u32,
    },
    /// It holds a value that cannot have been measured.
    #[error("{0}")]
    Invalid(Invalid),
    /// It was written, and it holds a value that its own reader refuses.
    #[error("written, but it will not be read: {0}")]
    Unreadable(Invalid),
}

impl Problem {
    pub(crate) fn at(self, path: &Path) -> StoreError {
        StoreError { path: path.to_owned(), problem: self }
    }
}

/// Writes `value` to `path` under a temporary name and renames it, so that a file of that name is
/// always whole. What [`read`] would refuse is written too: a run may have taken hours, and a file can
/// be looked at and mended.
///
/// # Errors
/// When the directory cannot be made or the file cannot be written; what was there before stays. And
/// [`Problem::Unreadable`] when the file is there but will not be read.
pub fn write<T: Stored>(path: &Path, value: &T) -> Result<(), StoreError> {
    let (kind, field) = (T::KIND, String::new());
    let text = to_text(value).map_err(|error| Problem::Format { kind, field, error }.at(path))?;
    write_text(path, &text)?;
    check(value).map_err(|invalid| Problem::Unreadable(invalid).at(path))
}

/// Refuses what [`read`] would refuse in a file of `value`.
///
/// # Errors
/// The first field with such a value, and what is allowed.
pub fn check<T: Stored>(value: &T) -> Result<(), Invalid> {
    let json = serde_json::to_value(value).map_err(|it| Invalid::new("schema", it.to_string()))?;
    texts("", &json)?;
    value.check()
}

/// Texts of a file reach terminals and Markdown: none may hold what either would obey.
fn texts(path: &str, json: &Value) -> Result<(), Invalid> {
    let plain = |path: &str, text: &str| {
        // Shown escaped: the message reaches a terminal too.
        let problem = || format!("{text:?}: it must be a text without control characters");
        if text.contains(char::is_control) { Err(Invalid::new(path, problem())) } else { Ok(()) }
    };
    match json {
        Value::String(text) => plain(path, text),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .try_for_each(|(at, item)| texts(&format!("{path}[{at}]"), item)),
        Value::Object(fields) => fields.iter().try_for_each(|(name, field)| {
            plain(path, name)?;
            texts(&if path.is_empty() { name.clone() } else { format!("{path}.{name}") }, field)
        }),
        _ => Ok(()),
    }
}

/// Writes `text` to `path` as [`write()`] does.
///
/// # Errors
/// When the directory cannot be made or the file cannot be written; what was there before stays.
pub fn write_text(path: &Path, text: &str) -> Result<(), StoreError> {
    let failed = |error| Problem::Io(error).at(path);
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

/// Finds out whether [`write()`] could write to `path`, and leaves nothing there.
///
/// # Errors
/// Why it could not.
pub fn can_write(path: &Path) -> Result<(), StoreError> {
    let failed = |error| Problem::Io(error).at(path);
    if path.is_dir() {
        return Err(failed(io::ErrorKind::IsADirectory.into()));
    }
    // Directories that are not there yet would be made in the first one that is.
    let directory = path.ancestors().skip(1).find(|it| it.as_os_str().is_empty() || it.exists());
    let directory = directory.filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    tempfile::Builder::new().prefix(".results-").tempfile_in(directory).map_err(failed)?;
    Ok(())
}

/// The text that [`write()`] writes: pretty, with each list of numbers on one line.
///
/// # Errors
/// When the value has no JSON.
pub fn to_text(value: &impl Serialize) -> Result<String, serde_json::Error> {
    let pretty = serde_json::to_string_pretty(value)?;
    // A line that is a number alone is an item of a list: texts have quotes, fields names.
    let is_number = |item: &str| item.bytes().all(|it| b"+-.,eE0123456789".contains(&it));
    let mut text = String::with_capacity(pretty.len());
    let mut after_number = false;
    for line in pretty.lines() {
        let item = line.trim_start();
        let number = is_number(item);
        if number || after_number {
            text.push_str(if number && after_number { " " } else { "" });
            text.push_str(item);
        } else {
            text.push_str(if text.is_empty() { "" } else { "\n" });
            text.push_str(line);
        }
        after_number = number;
    }
    Ok(text + "\n")
}

/// Reads and checks the stored file at `path`.
///
/// # Errors
/// When it cannot be read, is of another kind or of a newer format, or holds a value that cannot have
/// been measured: with the file, the field and what is allowed.
pub fn read<T: Stored>(path: &Path) -> Result<T, StoreError> {
    let bytes = fs::read(path).map_err(|error| Problem::Io(error).at(path))?;
    parse(&bytes, path)
}

/// [`read`], if there is such a file.
///
/// # Errors
/// Those of [`read`], and when it cannot be found out whether the file is there.
pub fn read_if_there<T: Stored>(path: &Path) -> Result<Option<T>, StoreError> {
    is_there(path)?.then(|| read(path)).transpose()
}

/// Whether there is something at `path`.
///
/// # Errors
/// When that cannot be found out.
pub fn is_there(path: &Path) -> Result<bool, StoreError> {
    path.try_exists().map_err(|error| Problem::Io(error).at(path))
}

/// Reads and checks the bytes of a stored file; `path` is for messages alone.
///
/// # Errors
/// Those of [`read`], except the system's.
pub fn parse<T: Stored>(bytes: &[u8], path: &Path) -> Result<T, StoreError> {
    let json: Value = from_json(bytes, path, T::KIND)?;
    let invalid = |invalid| Problem::Invalid(invalid).at(path);
    match json.get("schema").and_then(Value::as_u64) {
        // It may have other fields: that it is newer is then the reason, not the field.
        Some(found) if found > u64::from(T::SCHEMA) => {
            return Err(Problem::Newer { kind: T::KIND, found, newest: T::SCHEMA }.at(path));
        }
        Some(found) => at_least_one("schema", found).map_err(invalid)?,
        None => {}
    }
    let found: T = from_json(bytes, path, T::KIND)?;
    texts("", &json).and_then(|()| found.check()).map_err(invalid)?;
    Ok(found)
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
        Problem::Format { kind, field, error }.at(path)
    };
    let value = serde_path_to_error::deserialize(&mut reader)
        .map_err(|error| failed(error.path().to_string(), error.into_inner()))?;
    // Something stands after the value.
    reader.end().map_err(|error| failed(".".to_owned(), error))?;
    Ok(value)
}

#[cfg(test)]
#[path = "store/tests.rs"]
mod tests;
