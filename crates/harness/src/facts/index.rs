//! When versions were released, from the copy of the registry's index that cargo keeps for itself.
//!
//! The copy of a crate's entry holds one JSON object per version, between NUL bytes (the Cargo Book,
//! "Registry Index", says what is in them: `vers`, `yanked`, `pubtime`). It is as new as cargo's last
//! look at the registry. Cargo may keep it elsewhere one day; then nothing is found, which is no
//! error.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use records::facts::Release;

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Entry {
    #[serde(rename = "vers")]
    pub version: String,
    #[serde(default)]
    pub yanked: bool,
    /// When it was published, `2026-11-30T12:00:00Z`.
    #[serde(default)]
    pub pubtime: Option<String>,
}

impl Entry {
    pub fn day(&self) -> Option<String> {
        Some(self.pubtime.as_ref()?.split('T').next()?.to_owned())
    }
}

/// All versions of the crate `name` that cargo knows here; none where it keeps no copy.
pub fn entries(name: &str) -> Vec<Entry> {
    let found = home().and_then(|home| fs::read(file(&home, name)?).ok());
    found.map(|bytes| parse(&bytes)).unwrap_or_default()
}

/// The versions in the bytes of such a copy; what is not understood is left out.
pub fn parse(bytes: &[u8]) -> Vec<Entry> {
    bytes.split(|byte| *byte == 0).filter_map(|part| serde_json::from_slice(part).ok()).collect()
}

/// The newest that was neither withdrawn nor a pre-release.
pub fn newest(entries: &[Entry]) -> Option<Release> {
    let usable = entries.iter().filter(|entry| !entry.yanked);
    let numbered = usable.filter_map(|entry| Some((numbers(&entry.version)?, entry)));
    let (_, newest) = numbered.max_by_key(|(numbers, _)| *numbers)?;
    Some(Release { version: newest.version.clone(), day: newest.day() })
}

fn numbers(version: &str) -> Option<[u64; 3]> {
    let version = version.split('+').next()?;
    let parts: Vec<u64> = version.split('.').map(str::parse).collect::<Result<_, _>>().ok()?;
    parts.try_into().ok()
}

/// Cargo's directory (the Cargo Book, "Cargo Home").
fn home() -> Option<PathBuf> {
    let default = || Some(env::home_dir()?.join(".cargo"));
    env::var_os("CARGO_HOME").map(PathBuf::from).or_else(default)
}

/// The copy of a crate's entry, in the first registry that has one.
fn file(home: &Path, name: &str) -> Option<PathBuf> {
    let registries = fs::read_dir(home.join("registry").join("index")).ok()?;
    let mut files: Vec<PathBuf> = registries
        .filter_map(|registry| Some(registry.ok()?.path().join(".cache").join(place(name))))
        .filter(|path| path.exists())
        .collect();
    files.sort();
    files.into_iter().next()
}

/// Where an index has a crate (the Cargo Book, "Index files").
fn place(name: &str) -> PathBuf {
    let name = name.to_lowercase();
    let part = |range: std::ops::Range<usize>| name.get(range).unwrap_or_default().to_owned();
    match name.len() {
        0..=2 => PathBuf::from(name.len().to_string()),
        3 => Path::new("3").join(part(0..1)),
        _ => Path::new(&part(0..2)).join(part(2..4)),
    }
    .join(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const COPY: &[u8] = b"\x03\x02\0\0\0Unknown\x000.9.0\0\
        {\"vers\": \"0.9.0\", \"yanked\": false, \"pubtime\": \"2020-03-10T11:41:01Z\"}\0\
        0.10.0\0{\"vers\": \"0.10.0\", \"yanked\": false, \"more\": 1}\0\
        0.11.0\0{\"vers\": \"0.11.0\", \"yanked\": true}\0\
        1.0.0-rc.1\0{\"vers\": \"1.0.0-rc.1\", \"yanked\": false}\0";

    #[test]
    fn the_newest_is_by_number_and_usable() {
        let entries = parse(COPY);
        assert_eq!(entries.len(), 4);
        assert_eq!(entries[0].day().as_deref(), Some("2020-03-10"));
        let newest = newest(&entries).unwrap();
        assert_eq!((newest.version.as_str(), newest.day), ("0.10.0", None));
        assert_eq!(super::newest(&[]), None);
    }

    #[test]
    fn a_crate_has_its_place() {
        for (name, at) in [("heed", "he/ed/heed"), ("syn", "3/s/syn"), ("cc", "2/cc")] {
            assert_eq!(place(name), Path::new(at));
        }
        let home = tempfile::tempdir().unwrap();
        assert_eq!(file(home.path(), "heed"), None);
        let directory = home.path().join("registry/index/some/.cache/he/ed");
        fs::create_dir_all(&directory).unwrap();
        fs::write(directory.join("heed"), COPY).unwrap();
        assert_eq!(file(home.path(), "heed"), Some(directory.join("heed")));
    }
}
