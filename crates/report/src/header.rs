//! Where and with what was measured: what stands above every table.

use write_backend::protocol::Profile;

use crate::table::{Align, Table};
use crate::units;
use records::host;
use records::host::EngineBuild;
use records::quality;
use records::schema::{BackendRecord, Results};

/// The header of a run as Markdown: [`lines`], a line for each thing a reader must know before he
/// believes a number, and the backends with their crates and engines.
#[must_use]
pub fn header(results: &Results) -> String {
    let facts = lines(results).into_iter().map(|line| format!("- {line}\n"));
    let warnings = warnings(results).into_iter().map(|warning| format!("- **{warning}**\n"));
    let text: String = facts.chain(warnings).collect();
    format!("{text}\n{}", backends(&results.backends))
}

/// The machine and the settings.
#[must_use]
pub fn lines(results: &Results) -> Vec<String> {
    let host = &results.host;
    let options = &results.options;
    let machine = match host.virtual_machine {
        Some(true) => "virtual machine, ",
        _ => "",
    };
    let cores = units::counted(host.cores, "core", "cores");
    let core = match options.core {
        Some(core) => format!("workers bound to core {core}"),
        None => "workers not bound to a core".to_owned(),
    };
    let map = if options.writable_map { "writable" } else { "read-only" };
    let flags = match host.rustflags.as_str() {
        "" => String::new(),
        flags => format!(", flags `{flags}`"),
    };
    let cflags = match &options.cflags {
        Some(cflags) => format!("; engines with CFLAGS `{cflags}`"),
        None => "; engines as shipped".to_owned(),
    };
    vec![
        format!("Host: {}: {}, {machine}{cores}, {}", host.name, host.cpu, host.system),
        format!(
            "Environments: on {}, {} {map} map; {core}; seed {}",
            options.file_system,
            units::bytes(options.map_size),
            options.seed
        ),
        format!("Compiled by {} for {}{flags}{cflags}", host.rustc, host.target),
    ]
}

/// What a reader must know before he believes a number.
#[must_use]
pub fn warnings(results: &Results) -> Vec<String> {
    let mut warnings = Vec::new();
    let of = |wanted: &dyn Fn(&BackendRecord) -> bool| {
        let ids = results.backends.iter().filter(|backend| wanted(backend));
        ids.map(|backend| backend.id.as_str()).collect::<Vec<_>>().join(", ")
    };
    if !results.complete {
        warnings.push("Partial: the run was interrupted".to_owned());
    }
    let debug = of(&|backend| backend.profile == Profile::Debug);
    if !debug.is_empty() {
        warnings.push(format!("Debug build, of no use as a measurement: {debug}"));
    }
    let shifted = of(&|backend| !backend.is_aligned());
    if !shifted.is_empty() {
        warnings.push(format!(
            "Functions are not aligned to 64 bytes in {shifted}: differences of a few percent may \
             come from code layout alone (were RUSTFLAGS or CFLAGS set?)"
        ));
    }
    let system = of(&|backend| backend.engine_build.bundled == Some(false));
    if !system.is_empty() {
        warnings.push(format!("LMDB of the system, not the one the binding ships: {system}"));
    }
    warnings.extend(quality::marks(results));
    let synced = results
        .cases
        .iter()
        .any(|case| !matches!(case.workload.sync, write_backend::SyncMode::NoSync));
    if synced && host::is_memory(&results.options.file_system) {
        warnings.push(format!(
            "The environments were on {}: syncing costs nothing there",
            results.options.file_system
        ));
    }
    warnings
}

/// One row per backend: crates, versions, and the engine as observed.
#[must_use]
pub fn backends(backends: &[BackendRecord]) -> Table {
    let mut table = Table::new(&[
        ("Backend", Align::Left),
        ("Binding", Align::Left),
        ("LMDB", Align::Left),
        ("from", Align::Left),
        ("Engine build", Align::Left),
    ]);
    for backend in backends {
        let joined = |name: &Option<String>, version: &Option<String>| match (name, version) {
            (Some(name), Some(version)) => format!("{name} {version}"),
            _ => "-".to_owned(),
        };
        table.row([
            backend.id.clone(),
            joined(&backend.binding, &backend.binding_version),
            backend.engine_version.clone().unwrap_or_else(|| "-".to_owned()),
            joined(&backend.engine_crate, &backend.engine_crate_version),
            build(&backend.engine_build),
        ]);
    }
    table
}

/// An engine build in words; what could not be seen is left out.
pub(crate) fn build(build: &EngineBuild) -> String {
    let mut words = Vec::new();
    if let Some(bundled) = build.bundled {
        words.push(if bundled { "bundled" } else { "system library" }.to_owned());
    }
    words.extend(build.optimisation.clone());
    if let Some(assertions) = build.assertions {
        words.push(if assertions { "assertions on" } else { "NDEBUG" }.to_owned());
    }
    if words.is_empty() { "-".to_owned() } else { words.join(", ") }
}
