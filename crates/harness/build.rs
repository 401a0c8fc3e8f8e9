//! Tells the library what it was compiled with, for the header of the tables.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=RUSTC");
    println!("cargo::rustc-env=HARNESS_RUSTC={}", rustc_version());
    println!("cargo::rustc-env=HARNESS_PROFILE={}", profile());
    for (name, variable) in
        [("HARNESS_TARGET", "TARGET"), ("HARNESS_RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS")]
    {
        let value = std::env::var(variable).unwrap_or_default().replace('\u{1f}', " ");
        println!("cargo::rustc-env={name}={value}");
    }
}

/// The first line of `rustc --version`.
fn rustc_version() -> String {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    match text {
        Ok(text) if !text.trim().is_empty() => text.trim().to_owned(),
        _ => "unknown".to_owned(),
    }
}

/// The name of the profile: the folder in which cargo builds is called like it, but for `dev`.
fn profile() -> String {
    // TARGET/PROFILE/build/harness-HASH/out
    let out = std::env::var_os("OUT_DIR").unwrap_or_default();
    let folder = Path::new(&out).ancestors().nth(3).and_then(Path::file_name);
    match folder.and_then(|it| it.to_str()) {
        Some("debug") | None => "dev".to_owned(),
        Some(name) => name.to_owned(),
    }
}
