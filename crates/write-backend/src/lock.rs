//! Crate versions, read from the workspace's lock file when this crate is built, so that no version
//! is ever typed by hand.

/// Name and version of every package in the lock file.
const PACKAGES: &[(&str, &str)] = &include!(concat!(env!("OUT_DIR"), "/packages.rs"));

/// The version of the package `name` in `Cargo.lock`.
///
/// # Panics
/// At compile time, when used in a constant, if there is no such package or more than one version
/// of it.
#[must_use]
pub const fn locked_version(name: &str) -> &'static str {
    version_in(PACKAGES, name)
}

const fn version_in<'lock>(packages: &[(&str, &'lock str)], name: &str) -> &'lock str {
    let mut found: Option<&str> = None;
    let mut index = 0;
    while index < packages.len() {
        if equal(packages[index].0, name) {
            assert!(found.is_none(), "several versions of the package are locked");
            found = Some(packages[index].1);
        }
        index += 1;
    }
    match found {
        Some(version) => version,
        None => panic!("the package is not in Cargo.lock"),
    }
}

/// Whether two names are the same; `==` is not to be had in constants.
const fn equal(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    if left.len() != right.len() {
        return false;
    }
    let mut index = 0;
    while index < left.len() {
        if left[index] != right[index] {
            return false;
        }
        index += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &[(&str, &str)] =
        &[("heed", "0.23.1"), ("heed-types", "0.21.0"), ("twice", "1.0.0"), ("twice", "2.0.0")];

    #[test]
    fn finds_whole_names_only() {
        assert_eq!(version_in(SAMPLE, "heed"), "0.23.1");
        assert_eq!(version_in(SAMPLE, "heed-types"), "0.21.0");
    }

    #[test]
    #[should_panic(expected = "not in Cargo.lock")]
    fn an_absent_package_is_refused() {
        let _ = version_in(SAMPLE, "hee");
    }

    #[test]
    #[should_panic(expected = "several versions")]
    fn two_versions_are_refused() {
        let _ = version_in(SAMPLE, "twice");
    }

    #[test]
    fn the_lock_file_was_read() {
        assert!(PACKAGES.len() > 20);
        assert_eq!(locked_version("write-backend"), env!("CARGO_PKG_VERSION"));
    }
}
