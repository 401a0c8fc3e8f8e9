//! Where and with what was measured: what stands above every table.

use write_backend::protocol::Profile;

use crate::table::{Column, Table, bullets};
use crate::units::{self, ABSENT};
use records::host::{EngineBuild, Host};
use records::quality;
use records::schema::{BackendRecord, CaseRecord, Results};

/// The header of a run as Markdown: a line for each thing a reader must know before he believes a
/// number, and the backends with their crates and engines.
#[must_use]
pub fn header(results: &Results) -> String {
    format!("{}\n{}", bullets(&all_lines(results)), backends(&results.backends))
}

/// The machine and the settings, then the warnings in bold.
#[must_use]
pub fn all_lines(results: &Results) -> Vec<String> {
    lines(results).into_iter().chain(bold_warnings(results)).collect()
}

/// The warnings in bold.
#[must_use]
pub fn bold_warnings(results: &Results) -> Vec<String> {
    warnings(results).into_iter().map(|warning| format!("**{warning}**")).collect()
}

/// The machine and the settings.
#[must_use]
pub fn lines(results: &Results) -> Vec<String> {
    let (host, options) = (&results.host, &results.options);
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
        Some(cflags) => format!("engines with CFLAGS `{cflags}`"),
        None if results.backends.iter().any(|it| it.engine_build.switches.is_some()) => {
            "engines not as shipped".to_owned()
        }
        None => "engines as shipped".to_owned(),
    };
    let cores = units::counted(host.cores, "core", "cores");
    let lines = [
        format!("Host: {}: {}, {cores}, {}", host.name, machine(host), host.system),
        format!(
            "Environments: on {}, {} {map} map; {core}; seed {}",
            options.file_system,
            units::bytes(options.map_size),
            options.seed
        ),
        link_orders(results),
        format!("Compiled by {} for {}{flags}; {cflags}", host.rustc, host.target),
        quality::noise_check(results).unwrap_or_default(),
        other_families(results),
    ];
    lines.into_iter().filter(|line| !line.is_empty()).collect()
}

/// Whose times have no ratio to the reference, and why; nothing where there is none.
fn other_families(results: &Results) -> String {
    let Some(reference) = results.reference() else { return String::new() };
    let is_other = |it: &&BackendRecord| {
        it.engine_version.is_some() && !results.one_family([reference, &it.id])
    };
    let others: Vec<&str> =
        results.backends.iter().filter(is_other).map(|it| it.id.as_str()).collect();
    if others.is_empty() {
        return String::new();
    }
    format!(
        "No LMDB: {}. Their times are for the same pairs as those of LMDB, but the engine does other work for \
         them. So they have an overhead over their own control, in a table of its own, and no ratio to \
         {reference}",
        others.join(", ")
    )
}

/// In which link orders times were taken; nothing where none were, or all in one: that is a warning.
fn link_orders(results: &Results) -> String {
    let launches = |case: &CaseRecord| Some(case.time.as_ref()?.launches_ns.len());
    let most = results.cases.iter().filter_map(launches).max();
    let has_orders = results.backends.iter().any(|it| it.one_link_order.is_none());
    match most.filter(|_| has_orders) {
        Some(most) => {
            let builds = match results.options.builds.as_slice() {
                [] => String::new(),
                builds => format!("; builds in turn: {}", builds.join(", ")),
            };
            format!("Link orders: random, another one for each launch ({most}){builds}")
        }
        None => String::new(),
    }
}

/// The processor, and whether it is a virtual one.
#[must_use]
pub fn machine(host: &Host) -> String {
    let kind = if host.virtual_machine == Some(true) { ", virtual machine" } else { "" };
    format!("{}{kind}", host.cpu)
}

/// What a reader must know before he believes a number.
#[must_use]
pub fn warnings(results: &Results) -> Vec<String> {
    let mut warnings = Vec::new();
    if !results.complete {
        warnings.push("Partial: the run was interrupted".to_owned());
    }
    let mut warn = |about: &str, is_meant: fn(&BackendRecord) -> bool| {
        let ids: Vec<&str> =
            results.backends.iter().filter(|it| is_meant(it)).map(|it| it.id.as_str()).collect();
        if !ids.is_empty() {
            warnings.push(about.replace("{}", &ids.join(", ")));
        }
    };
    warn("Debug build, of no use as a measurement: {}", |it| it.profile == Profile::Debug);
    warn(
        "Functions are not aligned to 64 bytes in {}: differences of a few percent may come from code \
         layout alone (were RUSTFLAGS or CFLAGS set?)",
        |it| !it.is_aligned(),
    );
    warn("LMDB of the system, not the one the binding ships: {}", |it| {
        it.engine_build.bundled == Some(false)
    });
    warnings.extend(quality::marks(results));
    warnings.extend(
        quality::synced_nowhere(results)
            .map(|place| format!("The environments were on {place}: syncing costs nothing there")),
    );
    warnings
}

/// One row per backend: crates, versions, and the engine as observed.
#[must_use]
pub fn backends(backends: &[BackendRecord]) -> Table {
    let columns = ["Backend", "Binding", "LMDB", "from", "Engine build"];
    let mut table = Table::new(columns.map(Column::left));
    let or_absent = |text: Option<String>| text.unwrap_or_else(|| ABSENT.to_owned());
    for backend in backends {
        table.row([
            backend.id.clone(),
            or_absent(binding(backend)),
            or_absent(engine_name(backend).map(|name| name.replace("LMDB ", ""))),
            or_absent(engine(backend)),
            or_absent(build(&backend.engine_build)),
        ]);
    }
    table
}

/// The family and the version of its engine, such as `LMDB 0.9.21`.
#[must_use]
pub fn engine_name(backend: &BackendRecord) -> Option<String> {
    let version = backend.engine_version.as_ref()?;
    Some(format!("{} {version}", backend.data_format.family().to_uppercase()))
}

fn binding(backend: &BackendRecord) -> Option<String> {
    Some(format!("{} {}", backend.binding.as_ref()?, backend.binding_version.as_ref()?))
}

fn engine(backend: &BackendRecord) -> Option<String> {
    Some(format!("{} {}", backend.engine_crate.as_ref()?, backend.engine_crate_version.as_ref()?))
}

/// Crates, versions and the engine's build in one line.
#[must_use]
pub fn in_one_line(backend: &BackendRecord) -> String {
    let (binding, engine) = (binding(backend), engine(backend));
    let version = engine_name(backend);
    let engine = engine.filter(|engine| Some(engine) != binding.as_ref());
    let words: Vec<String> =
        [binding, version, engine, build(&backend.engine_build)].into_iter().flatten().collect();
    if words.is_empty() { "without LMDB".to_owned() } else { words.join(", ") }
}

/// An engine build in words; what could not be seen is left out.
#[must_use]
pub fn build(build: &EngineBuild) -> Option<String> {
    let bundled = build.bundled.map(|it| if it { "bundled" } else { "system library" });
    let assertions = build.assertions.map(|it| if it { "assertions on" } else { "NDEBUG" });
    let (optimisation, switches) = (build.optimisation.as_deref(), build.switches.as_deref());
    let words: Vec<&str> =
        [bundled, optimisation, assertions, switches].into_iter().flatten().collect();
    (!words.is_empty()).then(|| words.join(", "))
}
