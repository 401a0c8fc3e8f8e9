//! The smallest program that writes through a crate, as a package of its own: as a user would start
//! one, with the versions that are locked here.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

use crate::backends::metadata::Dependency;

/// The name of the package and of its program.
pub const NAME: &str = "smallest";

/// The manifest of a package that depends on nothing but `version` of what `dependency` asks for,
/// with the same features; on nothing at all without one.
///
/// ```
/// use harness::backends::metadata::Dependency;
/// use harness::facts::program::manifest;
/// let features = vec!["serde".to_owned()];
/// let heed =
///     Dependency { name: "heed".to_owned(), features, uses_default_features: false };
/// let text = manifest(Some((&heed, "0.23.1")));
/// assert!(text.contains(
///     "binding = { package = \"heed\", version = \"=0.23.1\", default-features = false, \
///      features = [\"serde\"] }\n"
/// ));
/// assert!(!manifest(None).contains("dependencies"));
/// ```
#[must_use]
pub fn manifest(dependency: Option<(&Dependency, &str)>) -> String {
    let mut text = format!(
        "[package]\nname = \"{NAME}\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n\
         [profile.release]\nstrip = true\n\n[workspace]\n"
    );
    if let Some((dependency, version)) = dependency {
        let Dependency { name, features, uses_default_features } = dependency;
        // Writing to a string cannot fail. A list of texts looks the same in TOML.
        let _ = write!(
            text,
            "\n[dependencies]\nbinding = {{ package = \"{name}\", version = \"={version}\", \
             default-features = {uses_default_features}, features = {features:?} }}\n"
        );
    }
    text
}

/// Makes the package in `directory`; `lock` is the lock file whose versions it gets.
///
/// # Errors
/// When a file cannot be written or read.
pub fn write(directory: &Path, manifest: &str, source: &str, lock: &Path) -> io::Result<()> {
    fs::create_dir_all(directory.join("src"))?;
    fs::write(directory.join("Cargo.toml"), manifest)?;
    fs::write(directory.join("src").join("main.rs"), source)?;
    fs::copy(lock, directory.join("Cargo.lock")).map(drop)
}
