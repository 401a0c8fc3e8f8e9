//! Crate versions, read from the workspace's lock file when a program is compiled, so that no
//! version is ever typed by hand.

/// The lock file that this workspace was compiled with.
const LOCK: &str = include_str!("../../../Cargo.lock");

/// The version of the package `name` in `Cargo.lock`.
///
/// # Panics
/// At compile time, when used in a constant, if there is no such package or more than one version
/// of it.
#[must_use]
pub const fn locked_version(name: &str) -> &'static str {
    version_in(LOCK, name)
}

/// Finds `name = "NAME"` followed by `version = "..."` on the next line.
const fn version_in<'lock>(lock: &'lock str, name: &str) -> &'lock str {
    let mut found: Option<&str> = None;
    let mut rest = lock;
    while !rest.is_empty() {
        let (line, after) = split_line(rest);
        rest = after;
        if is_field(line, "name = \"", name) {
            let (version_line, after) = split_line(rest);
            rest = after;
            assert!(found.is_none(), "several versions of the package are locked");
            found = Some(quoted(version_line, "version = \""));
        }
    }
    match found {
        Some(version) => version,
        None => panic!("the package is not in Cargo.lock"),
    }
}

/// Splits off the first line, without its end.
const fn split_line(text: &str) -> (&str, &str) {
    let bytes = text.as_bytes();
    let mut end = 0;
    while end < bytes.len() && bytes[end] != b'\n' {
        end += 1;
    }
    let (line, after) = text.split_at(end);
    // A checkout on Windows may end lines with a carriage return.
    let line = match line.as_bytes() {
        [.., b'\r'] => line.split_at(line.len() - 1).0,
        _ => line,
    };
    (line, if after.is_empty() { after } else { after.split_at(1).1 })
}

/// Whether `line` is `prefix`, then `value`, then a closing quote.
const fn is_field(line: &str, prefix: &str, value: &str) -> bool {
    line.len() == prefix.len() + value.len() + 1
        && starts_with(line, prefix)
        && starts_with(line.split_at(prefix.len()).1, value)
        && line.as_bytes()[line.len() - 1] == b'"'
}

/// What stands between `prefix` and the closing quote of `line`.
const fn quoted<'line>(line: &'line str, prefix: &str) -> &'line str {
    assert!(starts_with(line, prefix), "a package's second line must be its version");
    let value = line.split_at(prefix.len()).1;
    value.split_at(value.len() - 1).0
}

const fn starts_with(text: &str, prefix: &str) -> bool {
    let (text, prefix) = (text.as_bytes(), prefix.as_bytes());
    if text.len() < prefix.len() {
        return false;
    }
    let mut index = 0;
    while index < prefix.len() {
        if text[index] != prefix[index] {
            return false;
        }
        index += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &str = "version = 4\n\n[[package]]\nname = \"heed\"\nversion = \"0.23.1\"\n\
        dependencies = [\n \"heed-types\",\n]\n\n[[package]]\nname = \"heed-types\"\r\n\
        version = \"0.21.0\"\r\n\n[[package]]\nname = \"twice\"\nversion = \"1.0.0\"\n\n\
        [[package]]\nname = \"twice\"\nversion = \"2.0.0\"\n";

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
}
