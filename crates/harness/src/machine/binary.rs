//! What a worker's file says of the engine that is linked into it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use object::{Object as _, ObjectSection as _, ObjectSymbol as _};
use records::host::EngineBuild;

/// What this workspace sets for C compilers; other objects in a program do not have it.
const ALIGNED: &str = "-falign-functions=64";
/// Switches of every build: of this workspace, and of the crate `cc`.
const USUAL: [&str; 8] = [
    ALIGNED,
    "-frecord-gcc-switches",
    "-ffunction-sections",
    "-fdata-sections",
    "-fPIC",
    "-fasynchronous-unwind-tables",
    "-m64",
    "-march=x86-64",
];

pub fn observe(path: &Path) -> EngineBuild {
    let Ok(bytes) = std::fs::read(path) else { return EngineBuild::default() };
    let Ok(file) = object::File::parse(&*bytes) else { return EngineBuild::default() };
    let mut build = EngineBuild { bundled: bundled(&file), ..EngineBuild::default() };
    if build.bundled == Some(true) {
        build.assertions = Some(defines(&file, "mdb_assert_fail"));
    }
    let Recorded { compilers, optimisations, switches } = section_of(&file);
    build.compiler = joined(compilers, " and ");
    build.optimisation = joined(optimisations, " and ");
    build.switches = joined(foreign(switches, &BY_ITSELF), " ");
    build
}

/// Whether the program defines LMDB's functions; `None` when it has no symbols or no LMDB.
fn bundled(file: &object::File<'_>) -> Option<bool> {
    let is_put = |name: &str| name.trim_start_matches('_') == "mdb_put";
    let symbols = file.symbols().chain(file.dynamic_symbols());
    let found: Vec<bool> = symbols
        .filter(|symbol| symbol.name().is_ok_and(is_put))
        .map(|symbol| symbol.is_definition())
        .collect();
    (!found.is_empty()).then(|| found.contains(&true))
}

/// Whether the program holds a function of that name; the compiler may have split or cloned it
/// (`name.part.0`, `name.constprop.0`).
fn defines(file: &object::File<'_>, name: &str) -> bool {
    file.symbols().any(|symbol| {
        let symbol = symbol.name().unwrap_or_default().trim_start_matches('_');
        symbol == name || symbol.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'))
    })
}

/// What a compiler recorded of its command lines.
#[derive(Debug, Default, PartialEq)]
struct Recorded {
    compilers: BTreeSet<String>,
    optimisations: BTreeSet<String>,
    /// What changes code: how to generate it (`-f`), and for which machine (`-m`).
    switches: BTreeSet<String>,
}

/// What the section holds that `-frecord-gcc-switches` writes: strings that end with NUL, one per
/// distinct command line with newer compilers. Several different optimisation switches are all named.
fn recorded(section: &[u8]) -> Recorded {
    let text = String::from_utf8_lossy(section);
    let mut found = Recorded::default();
    for line in text.split('\0').filter(|line| line.contains(ALIGNED)) {
        let words = || line.split_whitespace();
        // The last -O counts (GCC manual, "Optimize Options").
        let last = words().rfind(|word| word.starts_with("-O"));
        found.optimisations.insert(last.unwrap_or("-O0").to_owned());
        let changes_code = |word: &&str| word.starts_with("-f") || word.starts_with("-m");
        found.switches.extend(words().filter(changes_code).map(str::to_owned));
        let compiler = line.split(" -").next().unwrap_or_default().trim();
        if !compiler.is_empty() {
            found.compilers.insert(compiler.to_owned());
        }
    }
    found
}

/// The recorded command lines of a program or an object file.
fn section_of(file: &object::File<'_>) -> Recorded {
    let section = file.section_by_name(".GCC.command.line");
    section.and_then(|section| section.data().ok()).map(recorded).unwrap_or_default()
}

/// What the C compiler does by itself on this machine: distributions give it switches of their own.
static BY_ITSELF: LazyLock<BTreeSet<String>> = LazyLock::new(|| by_itself().unwrap_or_default());

fn by_itself() -> Option<BTreeSet<String>> {
    let directory = tempfile::tempdir().ok()?;
    let object = compiled(directory.path(), &[])?;
    Some(section_of(&object::File::parse(&*std::fs::read(object).ok()?).ok()?).switches)
}

/// An object file of a function called as LMDB's, compiled in `directory` with the switches `more`.
fn compiled(directory: &Path, more: &[&str]) -> Option<PathBuf> {
    let (source, object) = (directory.join("empty.c"), directory.join("empty.o"));
    std::fs::write(&source, "void mdb_put(void) {}\n").ok()?;
    let mut command = Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()));
    command.args([ALIGNED, "-frecord-gcc-switches"]).args(more).arg("-c").arg(source);
    let output = command.arg("-o").arg(&object).output().ok()?;
    output.status.success().then_some(object)
}

/// `found` without what every build here has.
fn foreign(found: BTreeSet<String>, by_itself: &BTreeSet<String>) -> BTreeSet<String> {
    let is_usual = |it: &String| USUAL.contains(&it.as_str()) || by_itself.contains(it);
    found.into_iter().filter(|it| !is_usual(it)).collect()
}

fn joined(words: BTreeSet<String>, by: &str) -> Option<String> {
    let words: Vec<String> = words.into_iter().collect();
    (!words.is_empty()).then(|| words.join(by))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_optimisation_switch_counts() {
        let line = b"GNU C17 12.2.0 -mtune=generic -O2 -O3 -falign-functions=64\0GNU C17 x -O1\0";
        let found = recorded(line);
        assert_eq!(joined(found.compilers, " and ").as_deref(), Some("GNU C17 12.2.0"));
        assert_eq!(joined(found.optimisations, " and ").as_deref(), Some("-O3"));
        assert_eq!(recorded(b""), Recorded::default());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_switch_that_is_not_shipped_is_found() {
        let directory = tempfile::tempdir().unwrap();
        let switches = |more: &[&str]| {
            let build = observe(&compiled(directory.path(), more).unwrap());
            assert!(build.bundled == Some(true) && build.compiler.is_some(), "{build:?}");
            build.switches
        };
        assert_eq!(switches(&["-O3", "-fPIC", "-ffunction-sections"]), None);
        let found = switches(&["-O3", "-fPIC", "-fno-plt", "-fno-omit-frame-pointer"]);
        assert_eq!(found.as_deref(), Some("-fno-omit-frame-pointer -fno-plt"));
    }
}
