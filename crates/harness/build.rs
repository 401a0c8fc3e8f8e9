//! Tells the library what it was compiled with, for the header of the tables.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=RUSTC");
    println!("cargo::rustc-env=HARNESS_RUSTC={}", rustc_version());
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
