//! What a worker's file says of the engine that is linked into it.

use std::collections::BTreeSet;
use std::path::Path;

use object::{Object as _, ObjectSection as _, ObjectSymbol as _};
use records::host::EngineBuild;

pub fn observe(path: &Path) -> EngineBuild {
    let Ok(bytes) = std::fs::read(path) else { return EngineBuild::default() };
    let Ok(file) = object::File::parse(&*bytes) else { return EngineBuild::default() };
    let mut build = EngineBuild { bundled: bundled(&file), ..EngineBuild::default() };
    if build.bundled == Some(true) {
        build.assertions = Some(defines(&file, "mdb_assert_fail"));
    }
    let section = file.section_by_name(".GCC.command.line");
    if let Some(data) = section.and_then(|section| section.data().ok()) {
        (build.compiler, build.optimisation) = switches(data);
    }
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

/// Compiler and optimisation from the section that `-frecord-gcc-switches` writes: strings that end
/// with NUL, one per distinct command line with newer compilers. Several different optimisation
/// switches are all named.
fn switches(section: &[u8]) -> (Option<String>, Option<String>) {
    let text = String::from_utf8_lossy(section);
    let lines = text.split('\0').filter(|line| line.contains("-falign-functions"));
    let mut compilers = BTreeSet::new();
    let mut optimisations = BTreeSet::new();
    for line in lines {
        // The last -O counts (GCC manual, "Optimize Options").
        let last = line.split_whitespace().rfind(|word| word.starts_with("-O"));
        optimisations.insert(last.unwrap_or("-O0").to_owned());
        let compiler = line.split(" -").next().unwrap_or_default().trim();
        if !compiler.is_empty() {
            compilers.insert(compiler.to_owned());
        }
    }
    let joined = |set: BTreeSet<String>| {
        let words: Vec<String> = set.into_iter().collect();
        (!words.is_empty()).then(|| words.join(" and "))
    };
    (joined(compilers), joined(optimisations))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_optimisation_switch_counts() {
        let line = b"GNU C17 12.2.0 -mtune=generic -O2 -O3 -falign-functions=64\0GNU C17 x -O1\0";
        let (compiler, optimisation) = switches(line);
        assert_eq!(compiler.as_deref(), Some("GNU C17 12.2.0"));
        assert_eq!(optimisation.as_deref(), Some("-O3"));
        assert_eq!(switches(b""), (None, None));
    }
}
