//! Reads the versions of all packages from the workspace's lock file, so that no version is ever
//! typed by hand. Done here and not by a constant function: the compiler evaluates those slowly.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", lock.display());
    let text = fs::read_to_string(&lock)
        .unwrap_or_else(|error| panic!("cannot read {}: {error}", lock.display()));
    let mut table = String::from("[\n");
    for (name, version) in packages(&text) {
        // Writing to a string cannot fail.
        let _ = writeln!(table, "    ({name:?}, {version:?}),");
    }
    table.push(']');
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR for build scripts"));
    fs::write(out.join("packages.rs"), table).expect("cargo made OUT_DIR writable");
}

/// Name and version of every package: two lines after each `[[package]]`, in this order.
fn packages(lock: &str) -> Vec<(&str, &str)> {
    fn quoted<'line>(line: Option<&'line str>, field: &str) -> &'line str {
        line.and_then(|line| line.strip_prefix(field))
            .and_then(|rest| rest.trim().strip_prefix('"')?.strip_suffix('"'))
            .unwrap_or_else(|| panic!("Cargo.lock: a package without `{field}\"...\"`"))
    }
    let mut lines = lock.lines();
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        if line == "[[package]]" {
            found.push((quoted(lines.next(), "name = "), quoted(lines.next(), "version = ")));
        }
    }
    found
}
