//! What is set outside the workspace and changes what is built in it: variables of the environment, and
//! cargo's configuration elsewhere. Engines' C switches are seen in the programs as well, wherever they came
//! from; of Rust's there is no other trace.

use std::path::Path;

use crate::backends::metadata::cargo;

/// Variables of cargo and rustc (the Cargo Book, "Environment Variables").
const RUST: [&str; 12] = [
    "RUSTC",
    "RUSTC_WRAPPER",
    "RUSTC_WORKSPACE_WRAPPER",
    "RUSTFLAGS",
    "CARGO_ENCODED_RUSTFLAGS",
    "CARGO_INCREMENTAL",
    "CARGO_BUILD_RUSTC",
    "CARGO_BUILD_RUSTC_WRAPPER",
    "CARGO_BUILD_RUSTC_WORKSPACE_WRAPPER",
    "CARGO_BUILD_RUSTFLAGS",
    "CARGO_BUILD_TARGET",
    "CARGO_BUILD_INCREMENTAL",
];
/// Keys of cargo's configuration; one that ends with a dot stands for all below it.
const KEYS: [&str; 10] = [
    "build.rustc",
    "build.rustc-wrapper",
    "build.rustc-workspace-wrapper",
    "build.rustflags",
    "build.target",
    "build.incremental",
    "target.",
    "patch.",
    "paths",
    "unstable.",
];

/// Everything of that kind for a build of the workspace at `root` in `profile`, as `NAME=VALUE` and
/// `KEY = VALUE (FILE)`. `own` are the variables that the workspace's own configuration sets. Of the
/// configuration nothing where cargo does not tell it.
pub fn observe(root: &Path, profile: &str, own: &[(&str, &str)]) -> Vec<String> {
    let variables = std::env::vars_os().filter_map(|(name, value)| {
        let (name, value) = (name.into_string().ok()?, value.to_string_lossy().into_owned());
        let is_own = own.iter().any(|it| *it == (&name, &value));
        (!is_own && is_variable(&name, &value, profile)).then(|| format!("{name}={value}"))
    });
    let mut found: Vec<String> = variables.collect();
    found.sort();
    found.extend(configuration(root, profile));
    found.into_iter().map(|line| line.replace(char::is_control, " ")).collect()
}

/// The part of them that cargo's configuration has, as `KEY = VALUE (FILE)`.
pub fn configuration(root: &Path, profile: &str) -> Vec<String> {
    // The command is not stable, and nothing else tells what all of cargo's files say together.
    let told = cargo()
        .args(["-Zunstable-options", "config", "get", "--show-origin"])
        .env("RUSTC_BOOTSTRAP", "1")
        .current_dir(root)
        .output();
    let told = told.map_or(String::new(), |it| String::from_utf8_lossy(&it.stdout).into_owned());
    configured(&told, &root.join(".cargo"), profile)
}

/// Whether the variable changes a build in `profile`. `CFLAGS` is no such: it has a label of its own.
fn is_variable(name: &str, value: &str, profile: &str) -> bool {
    let of_profile = format!("CARGO_PROFILE_{}_", profile.to_uppercase().replace('-', "_"));
    let of_target = name.starts_with("CARGO_TARGET_")
        && (name.ends_with("_LINKER") || name.ends_with("_RUSTFLAGS"));
    // The crate `cc` reads these. An empty one counts too: it replaces the workspace's.
    let of_c = ["CFLAGS_", "HOST_CFLAGS", "TARGET_CFLAGS", "CRATE_CC_NO_DEFAULTS"];
    let is_of_c = of_c.iter().any(|it| name.starts_with(it));
    let is_of_rust = RUST.contains(&name) || of_target || name.starts_with(&of_profile);
    is_of_c || (is_of_rust && !value.is_empty())
}

/// What `cargo config get --show-origin` tells of files outside `own`: lines such as
/// `profile.release.lto = true # FILE`, and lists with one such line for each element.
fn configured(told: &str, own: &Path, profile: &str) -> Vec<String> {
    let of_profile = format!("profile.{profile}.");
    let is_wanted = |key: &str| {
        let named =
            |wanted: &str| key == wanted || wanted.ends_with('.') && key.starts_with(wanted);
        let runs_only = key.ends_with(".runner");
        (KEYS.iter().any(|it| named(it)) || key.starts_with(&of_profile)) && !runs_only
    };
    let mut list = "";
    let mut found = Vec::new();
    for line in told.lines() {
        if let Some(key) = line.strip_suffix(" = [") {
            list = key;
        }
        let Some((setting, file)) = line.rsplit_once(" # ") else { continue };
        let (key, value) = match setting.strip_prefix("    ") {
            Some(element) => (list, element.trim_end_matches(',')),
            None => setting.split_once(" = ").unwrap_or((setting, "")),
        };
        if is_wanted(key) && !Path::new(file).starts_with(own) {
            found.push(format!("{key} = {value} ({file})"));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_that_change_a_build_are_told_from_others() {
        let is = |name| is_variable(name, "x", "release");
        for name in [
            "HOST_CFLAGS",
            "CFLAGS_x86_64_unknown_linux_gnu",
            "RUSTC_WRAPPER",
            "RUSTFLAGS",
            "CARGO_PROFILE_RELEASE_LTO",
            "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_LINKER",
        ] {
            assert!(is(name), "{name}");
        }
        for name in ["CFLAGS", "CARGO_PROFILE_DEV_DEBUG", "CARGO_HOME", "CARGO_TARGET_DIR", "PATH"]
        {
            assert!(!is(name), "{name}");
        }
        // What switches a wrapper off, and what switches the workspace's flags off.
        assert!(!is_variable("RUSTC_WRAPPER", "", "release"));
        assert!(is_variable("HOST_CFLAGS", "", "release"));
    }

    #[test]
    fn what_files_elsewhere_configure_is_found() {
        let home = tempfile::tempdir().unwrap();
        let root = home.path().join("workspace");
        let write = |directory: &Path, text: &str| {
            std::fs::create_dir_all(directory.join(".cargo")).unwrap();
            std::fs::write(directory.join(".cargo/config.toml"), text).unwrap();
        };
        write(&root, "[build]\nrustflags = [\"-C\", \"opt-level=2\"]\n[profile.p]\ndebug = 1\n");
        write(home.path(), "[build]\njobs = 1\nrustflags = [\"-g\"]\n[profile.p]\nlto = true\n");
        let root = root.canonicalize().unwrap();
        let file = home.path().canonicalize().unwrap().join(".cargo/config.toml");
        let found = observe(&root, "p", &[]);
        for expected in ["build.rustflags = \"-g\"", "profile.p.lto = true"] {
            let expected = format!("{expected} ({})", file.display());
            assert!(found.contains(&expected), "{found:?}");
        }
        for other in ["jobs", "opt-level", "debug"] {
            assert!(!found.iter().any(|it| it.contains(other)), "{found:?}");
        }
    }
}
