//! Hands the number of bytes that code is moved by to the programs.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=LAYOUT_SHIFT");
    let shift = std::env::var("LAYOUT_SHIFT").unwrap_or_else(|_| "0".to_owned());
    assert!(
        shift.parse::<u32>().is_ok(),
        "LAYOUT_SHIFT must be a number of bytes, found `{shift}`"
    );
    println!("cargo::rustc-env=LAYOUT_SHIFT={shift}");
}
