//! A worker in other link orders: real cargo, real linker. ELF systems only.

use std::path::{Path, PathBuf};

use object::{Object as _, ObjectSection as _, ObjectSymbol as _};

use super::built::{BACKENDS, root, start};
use crate::backends::programs::build_of;
use crate::backends::{Backend, Origin};
use crate::links::{Build, Job, Method, Objects, Store, orders};
use crate::worker::session::Session;

/// The build of the worker of `backend`.
fn build(backend: &Backend) -> Build {
    let Origin::Package(package) = &backend.origin else { unreachable!("a folder") };
    build_of(root(), package)
}

/// A worker, collected into a store of the test's own.
fn collected(backend: &Backend) -> (tempfile::TempDir, Store, Objects) {
    let build = build(backend);
    let directory = tempfile::tempdir_in(&build.target_directory).unwrap();
    let store = Store::open(&directory.path().join("link-orders")).unwrap();
    let objects = store.collect(&build).unwrap();
    (directory, store, objects)
}

fn links(store: &Store, objects: &Objects, method: Method, orders: &[u32]) -> Vec<PathBuf> {
    store.link(&[Job { objects, method, orders }], |_, _| ()).remove(0).unwrap()
}

/// A function of the engine that refers to nothing else: its bytes are the same at any address.
const MOVED: &str = "mdb_midl_search";

/// The bytes of a program's code, and of [`MOVED`] where it has symbols.
fn code(program: &Path) -> (Vec<u8>, Option<Vec<u8>>) {
    let bytes = std::fs::read(program).unwrap();
    let file = object::File::parse(&*bytes).unwrap();
    let text = file.section_by_name(".text").unwrap();
    let data = text.data().unwrap().to_vec();
    let function = file.symbols().find(|symbol| symbol.name() == Ok(MOVED)).map(|symbol| {
        let start = (symbol.address() - text.address()) as usize;
        data[start..start + symbol.size() as usize].to_vec()
    });
    (data, function)
}

/// Where `function` starts in a program's code.
fn place(program: &Path, function: &[u8]) -> usize {
    let (text, _) = code(program);
    text.windows(function.len()).position(|bytes| bytes == function).unwrap()
}

/// What the worker of `backend` says of itself shows that it works, and that its loops are aligned.
fn says_hello(program: &Path, backend: &Backend) {
    let (session, hello) = Session::start(program, backend, &start()).expect("it starts");
    assert!(hello.loop_alignment.values().all(|rest| *rest == 0), "{}", program.display());
    assert_eq!(hello.put_alignment.unwrap_or_default(), 0, "{}", program.display());
    session.finish().expect("it ends well");
}

#[test]
fn every_method_moves_code_keeps_alignment_and_repeats() {
    let backend = BACKENDS.reference();
    let (_directory, store, objects) = collected(backend);
    let orders = orders(1, 2);
    let function = code(&objects.fixed()).1.unwrap();
    for method in Method::ALL {
        let made = links(&store, &objects, method, &orders);
        let programs = [&objects.fixed(), &made[0], &made[1]];
        let [fixed, first, second] = programs.map(|program| place(program, &function));
        assert!(fixed != first && first != second, "{method}: {fixed} {first} {second}");
        for link in &made {
            says_hello(link, backend);
        }
        let first = std::fs::read(&made[0]).unwrap();
        std::fs::remove_file(&made[0]).unwrap();
        links(&store, &objects, method, &orders);
        assert_eq!(std::fs::read(&made[0]).unwrap(), first, "{method}");
    }
}

#[test]
fn cargo_is_asked_each_time_and_the_objects_kept_anew_when_they_are_gone() {
    let backend = BACKENDS.timed().find(|one| !one.stores()).expect("one that stores nothing");
    let (_directory, store, objects) = collected(backend);
    let again = store.collect(&build(backend)).unwrap();
    assert_eq!(again.content(), objects.content());
    // rustc need not run, so that it does not say how it links: it is made to.
    let home = objects.fixed().ancestors().nth(2).unwrap().to_owned();
    std::fs::remove_dir_all(home).unwrap();
    let anew = store.collect(&build(backend)).unwrap();
    says_hello(&links(&store, &anew, Method::Functions, &orders(1, 1))[0], backend);
}
