//! The adapters' code under valgrind's memcheck: no invalid access, no use of what was never written, no
//! leak, except what is named in `memcheck.supp` with its reason.

use std::path::{Path, PathBuf};
use std::process::Command;

use write_backend::protocol::behaviour::HERE;

use super::built::{BACKENDS, is_there, shown, witness};

/// The exit code that memcheck gives to a program in which it found something.
const FOUND: i32 = 99;

/// Each way through an adapter: open, put, commit, abort, and the errors of each.
const CASES: &str = "
    key/empty key/511-bytes key/512-bytes key/get-absent key/get-empty value/empty
    value/empty-append value/page-size value/sizes-around-page-limits value/replaced-by-longer
    value/large-replaced-by-empty no-overwrite/existing-key append/ascending append/lower-key
    duplicates/value-512-bytes duplicates/two-values reserve/filled reserve/nothing
    reserve/many-pages reserve/empty-key reserve/larger-than-map reserve/4-GiB commit/keeps
    commit/empty-transaction commit/invisible-before abort/leaves-nothing drop/leaves-nothing
    drop/by-a-panic nested/commit nested/abort nested/outer-abort nested/in-a-failed-transaction
    map-full/put-after map-full/commit-after map-full/reported-by-commit map-full/resize-and-replay
    map-size/0 resize/while-a-transaction-is-open resize/while-a-reader-is-open
    sync/nosync-writable-map sync/sync databases/fifth-of-four databases/name-with-nul
    databases/name-with-nul-at-open databases/name-512-bytes open/missing-directory
    open/path-with-nul open/after-a-failed-open read-only/write data/text readers/snapshot
    readers/two-on-one-thread";

fn valgrind_is_there() -> bool {
    let found = Command::new("valgrind").arg("--version").output();
    is_there(&found.map_err(|error| format!("valgrind: {error}")))
}

fn suppressions() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tests/memcheck.supp")
}

/// Runs `program` with `arguments` under memcheck: its exit code and all that it and memcheck say.
fn memcheck(program: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new("valgrind")
        .arg("--quiet")
        .arg(format!("--error-exitcode={FOUND}"))
        .args(["--leak-check=full", "--show-leak-kinds=definite,indirect"])
        .args(["--errors-for-leak-kinds=definite,indirect", "--num-callers=40"])
        // To be pasted into the suppressions, with a reason.
        .arg("--gen-suppressions=all")
        .arg(format!("--suppressions={}", suppressions().display()))
        .arg(program)
        .args(arguments)
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].map(|b| String::from_utf8_lossy(&b).into_owned());
    (output.status.code(), text.concat())
}

#[test]
fn every_adapter_is_clean() {
    if !valgrind_is_there() {
        return;
    }
    for backend in shown() {
        let arguments = std::iter::once(HERE).chain(CASES.split_whitespace()).collect::<Vec<_>>();
        let (code, said) = memcheck(&witness(backend), &arguments);
        assert_eq!(code, Some(0), "{}: {said}", backend.id);
    }
}

/// That memcheck sees anything at all.
#[test]
fn what_was_never_written_is_seen() {
    if !valgrind_is_there() {
        return;
    }
    let program = &witness(BACKENDS.reference());
    let case = "reserve/second-duplicate";
    // A comparison with bytes at the null pointer.
    let (code, said) = memcheck(program, &[HERE, case]);
    assert_ne!(code, Some(0), "{said}");
    assert!(said.contains("Invalid read"), "{said}");
}
