//! Compiles the C loop as lmdb-sys compiles its engine.

fn main() {
    println!("cargo::rerun-if-changed=src/reference.c");
    cc::Build::new()
        .file("src/reference.c")
        // What lmdb-sys asks for, in every profile.
        .opt_level(2)
        .warnings(true)
        .warnings_into_errors(false)
        .compile("c_reference");
}
