//! With scripts in the place of C compilers: what they do wrong, no real one does on demand.

use std::os::unix::fs::PermissionsExt as _;

use tempfile::TempDir;

use super::*;
use crate::links::command::LinkCommand;

/// A C compiler that calls "LLD" and links by copying its last argument but one, the order's switch.
pub(in crate::links) const LINKS: &str =
    "for it; do case $it in *--version) echo 'LLD 9.9 (x)'; exit;; *shuffle*) o=$it;; esac; done
while [ $1 != -o ]; do shift; done
echo $o > $2";

/// A compiler, and objects for it.
pub(in crate::links) struct Fixture {
    directory: TempDir,
    compiler: PathBuf,
}

impl Fixture {
    pub(in crate::links) fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let compiler = directory.path().join("cc");
        let fixture = Self { directory, compiler };
        fixture.compiler_does(LINKS);
        fixture
    }

    pub(in crate::links) fn compiler_does(&self, script: &str) {
        // Another file each time: one that is being written cannot be run.
        let next = self.compiler.with_extension("next");
        fs::write(&next, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&next, fs::Permissions::from_mode(0o755)).unwrap();
        fs::rename(&next, &self.compiler).unwrap();
    }

    pub(in crate::links) fn store(&self) -> Store {
        Store::open(&self.directory.path().join("store")).unwrap()
    }

    /// The objects of a program whose one object file holds `text`.
    pub(in crate::links) fn objects(&self, store: &Store, binary: &str, text: &str) -> Objects {
        let target_directory = self.directory.path().join("target");
        fs::create_dir_all(&target_directory).unwrap();
        let object = target_directory.join(format!("{binary}.o"));
        let executable = target_directory.join(binary);
        fs::write(&object, text).unwrap();
        fs::write(&executable, "x".repeat(1000)).unwrap();
        let build = Build {
            directory: self.directory.path().to_owned(),
            package: "package".to_owned(),
            binary: binary.to_owned(),
            profile: "release".to_owned(),
            target_directory,
            cargo: Vec::new(),
            rustc: Vec::new(),
            environment: Vec::new(),
        };
        let words = [&*object.display().to_string(), "-o", "/nowhere"];
        let command = LinkCommand {
            program: self.compiler.display().to_string(),
            arguments: words.map(str::to_owned).to_vec(),
        };
        let home = store.root.join(build.label());
        Objects::keep(&build, &home, &executable, command).unwrap()
    }
}

fn job<'a>(objects: &'a Objects, orders: &'a [u32]) -> Job<'a> {
    Job { objects, method: Method::Functions, orders }
}

fn one(store: &Store, objects: &Objects, orders: &[u32]) -> Result<Vec<PathBuf>, LinkError> {
    store.link(&[job(objects, orders)], |_, _| ()).remove(0)
}

#[test]
fn links_are_made_once_and_used_again() {
    let fixture = Fixture::new();
    let store = fixture.store();
    let objects = fixture.objects(&store, "a", "1");
    let mut steps = Vec::new();
    let made = store.link(&[job(&objects, &[5, 9])], |done, all| steps.push((done, all)));
    let links = made.into_iter().next().unwrap().unwrap();
    assert_eq!(steps, [(1, 2), (2, 2)]);
    assert!(fs::read_to_string(&links[1]).unwrap().contains("=9"));
    fixture.compiler_does("exit 1");
    assert_eq!(one(&store, &objects, &[9, 5]).unwrap(), [links[1].clone(), links[0].clone()]);
    // The same content has the same place, whoever keeps it.
    assert_eq!(fixture.objects(&store, "a", "1").directory, objects.directory);
}

#[test]
fn one_that_fails_does_not_end_the_others_and_leaves_nothing() {
    let fixture = Fixture::new();
    let store = fixture.store();
    let (good, bad) = (fixture.objects(&store, "good", "1"), fixture.objects(&store, "bad", "2"));
    let fails = |script: &str| {
        fixture.compiler_does(&format!("case \"$*\" in *bad*) {script};; esac\n{LINKS}"));
        let outcomes = store.link(&[job(&bad, &[1]), job(&good, &[1])], |_, _| ());
        assert!(outcomes[1].is_ok());
        let left = entries(&bad.directory);
        assert!(!left.iter().any(|it| is_link(it)), "{left:?}");
        outcomes[0].as_ref().unwrap_err().to_string()
    };
    let half = "while [ $1 != -o ]; do shift; done; echo half > $2; echo why >&2; exit 1";
    let message = fails(half);
    assert!(message.starts_with("linking bad in order 1 failed"), "{message}");
    assert!(message.contains("why") && message.contains("one fixed link order"), "{message}");
    let message = fails("echo 'cannot write: No space left on device' >&2; exit 1");
    assert!(message.starts_with("no space is left"), "{message}");
    let message = fails("echo 'ld terminated with signal 7 [Bus error]' >&2; exit 1");
    assert!(message.starts_with("no space is left"), "{message}");
    let message = fails("echo 'unknown argument --shuffle-sections=' >&2; exit 1");
    assert!(message.starts_with("LLD 9.9 refuses --shuffle-sections"), "{message}");
}

#[test]
fn a_half_made_link_is_not_used() {
    let fixture = Fixture::new();
    let store = fixture.store();
    let objects = fixture.objects(&store, "a", "1");
    let half = objects.directory.join("functions-5.partial-1");
    fs::write(&half, "half").unwrap();
    let links = one(&store, &objects, &[5]).unwrap();
    assert!(fs::read_to_string(&links[0]).unwrap().contains("=5"));
    // It may be somebody's who is at work; an hour later it is nobody's.
    assert!(half.exists());
    let old = SystemTime::now() - 2 * ABANDONED;
    File::open(&half).unwrap().set_modified(old).unwrap();
    store.tidy(0);
    assert!(!half.exists() && links[0].exists());
}

#[test]
fn objects_that_have_changed_are_not_linked() {
    let fixture = Fixture::new();
    let store = fixture.store();
    let objects = fixture.objects(&store, "a", "1");
    fs::write(objects.directory.join("0.o"), "2").unwrap();
    let error = one(&store, &objects, &[5]).unwrap_err();
    assert!(error.to_string().contains("have changed since"), "{error}");
    let again = fixture.objects(&store, "a", "1");
    assert!(one(&store, &again, &[5]).is_ok());
}

#[test]
fn what_is_stale_goes_and_then_what_was_used_longest_ago() {
    let fixture = Fixture::new();
    let store = fixture.store();
    let stale = fixture.objects(&store, "a", "1");
    let objects = fixture.objects(&store, "a", "2");
    let other = fixture.objects(&store, "b", "3");
    let links = one(&store, &objects, &[1, 2, 3]).unwrap();
    assert!(!stale.directory.exists() && other.directory.exists());
    let ago = |path: &Path, hours: u64| {
        let then = SystemTime::now() - Duration::from_secs(3600 * hours);
        File::open(path).unwrap().set_modified(then).unwrap();
    };
    ago(&links[1], 3);
    ago(&links[0], 2);
    ago(&other.directory.with_file_name("current.json"), 1);
    // Room for one link less, then for three less and the other program's objects.
    let kept = bytes_below(&store.root, true);
    let store = store.with_limit(kept - 1);
    store.tidy(0);
    assert_eq!([0, 1, 2].map(|it| links[it].exists()), [true, false, true]);
    let store = store.with_limit(1);
    store.tidy(0);
    assert!(!links[0].exists() && !other.directory.exists());
    assert!(links[2].exists(), "used by this run");
}

#[test]
fn nothing_is_removed_while_another_run_uses_it() {
    let fixture = Fixture::new();
    let (store, other) = (fixture.store(), fixture.store().with_limit(0));
    let stale = fixture.objects(&store, "a", "1");
    let objects = fixture.objects(&store, "a", "2");
    other.tidy(0);
    assert!(stale.directory.exists() && objects.directory.exists());
    assert!(matches!(other.remove(), Err(LinkError::InUse { .. })));
    let root = store.root.clone();
    store.remove().unwrap();
    assert!(!root.exists());
}
