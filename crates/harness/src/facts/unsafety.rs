//! `unsafe` blocks in a source, found among its tokens: what stands in comments and texts is none.

use std::fs;
use std::path::Path;

use anyhow::Context as _;
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// How many `unsafe` blocks `source` has. Functions and implementations that are marked `unsafe` are
/// promises to others and do not count; the blocks in them do.
pub fn blocks(source: &str) -> anyhow::Result<usize> {
    let tokens: TokenStream = source.parse().map_err(|error| anyhow::anyhow!("{error}"))?;
    Ok(count(tokens))
}

fn count(tokens: TokenStream) -> usize {
    let mut found = 0;
    let mut after_unsafe = false;
    for token in tokens {
        if let TokenTree::Group(group) = &token {
            found += usize::from(after_unsafe && group.delimiter() == Delimiter::Brace);
            found += count(group.stream());
        }
        after_unsafe = matches!(&token, TokenTree::Ident(word) if word == "unsafe");
    }
    found
}

/// How many the source at `path` has; of a directory, the sources in it and in those below it.
pub fn blocks_in(path: &Path) -> anyhow::Result<usize> {
    let at = || path.display().to_string();
    if path.is_dir() {
        let entries = fs::read_dir(path).with_context(at)?;
        return entries.map(|entry| blocks_in(&entry?.path())).sum();
    }
    if path.extension().is_none_or(|extension| extension != "rs") {
        return Ok(0);
    }
    let source = fs::read_to_string(path).with_context(at)?;
    blocks(&source).with_context(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_blocks_count_in_a_directory_and_those_below() {
        let none = r##"
            /* unsafe { /* unsafe { } */ } */
            /// unsafe { a() }
            unsafe fn f() {}
            unsafe impl Send for S {}
            unsafe extern "C" { fn g(); }
            const A: &str = r#"unsafe { } " "#;
            const B: char = '"';
            fn r#unsafe() { let s = "unsafe {"; }
        "##;
        let three = "fn f<'a>() { if x { unsafe { unsafe{}; } } m!(unsafe { })}";
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir(directory.path().join("below")).unwrap();
        for (name, source) in [("a.rs", none), ("below/b.rs", three), ("c.txt", three)] {
            fs::write(directory.path().join(name), source).unwrap();
        }
        assert_eq!(blocks_in(directory.path()).unwrap(), 3);
        assert!(blocks("fn f() {").is_err());
    }
}
