//! Texts of a file reach terminals and Markdown: none may hold what either would obey.

use crate::host::Host;
use crate::invalid::{Invalid, check, each};
use crate::schema::{BackendRecord, CaseRecord, Counters, Options, Results};

/// Checks all texts of `results` but those of its backends.
///
/// # Errors
/// The first text that holds a control character.
pub(crate) fn results(results: &Results) -> Result<(), Invalid> {
    host(&results.host)?;
    let Options { file_system, cflags, .. } = &results.options;
    all("options", &[("file_system", Some(file_system)), ("cflags", cflags.as_ref())])?;
    if let Some(Counters { valgrind, strace, libc }) = &results.counters {
        let (valgrind, strace, libc) = (valgrind.as_ref(), strace.as_ref(), libc.as_ref());
        all("counters", &[("valgrind", valgrind), ("strace", strace), ("libc", libc)])?;
    }
    each("cases", &results.cases, case)
}

/// Checks the host of any file that has one.
///
/// # Errors
/// Those of [`results`].
pub(crate) fn host(host: &Host) -> Result<(), Invalid> {
    let Host { name, system, cpu, governor, rustc, target, rustflags, .. } = host;
    let fields = [
        ("name", Some(name)),
        ("system", Some(system)),
        ("cpu", Some(cpu)),
        ("governor", governor.as_ref()),
        ("rustc", Some(rustc)),
        ("target", Some(target)),
        ("rustflags", Some(rustflags)),
    ];
    all("host", &fields)
}

/// Checks a backend of any file that has them; `path` is where it stands.
///
/// # Errors
/// Those of [`results`].
pub(crate) fn backend(path: &str, backend: &BackendRecord) -> Result<(), Invalid> {
    let build = &backend.engine_build;
    let fields = [
        ("id", Some(&backend.id)),
        ("binding", backend.binding.as_ref()),
        ("binding_version", backend.binding_version.as_ref()),
        ("engine_crate", backend.engine_crate.as_ref()),
        ("engine_crate_version", backend.engine_crate_version.as_ref()),
        ("engine_version", backend.engine_version.as_ref()),
        ("control", backend.control.as_ref()),
        ("engine_build.optimisation", build.optimisation.as_ref()),
        ("engine_build.compiler", build.compiler.as_ref()),
    ];
    all(path, &fields)
}

fn case(case: &CaseRecord) -> Result<(), Invalid> {
    text("backend", &case.backend)?;
    text("reason", case.reason.as_deref().unwrap_or(""))?;
    let calls = case.counts.as_ref().and_then(|it| it.system_calls_per_transaction.as_ref());
    for kind in calls.into_iter().flat_map(|calls| calls.keys()) {
        text("counts.system_calls_per_transaction", kind)?;
    }
    Ok(())
}

fn all(path: &str, fields: &[(&str, Option<&String>)]) -> Result<(), Invalid> {
    let there = fields.iter().filter_map(|(name, value)| Some((name, value.as_ref()?)));
    for (name, value) in there {
        text(name, value).map_err(|invalid| invalid.within(path))?;
    }
    Ok(())
}

/// The text is shown escaped: the message reaches a terminal too.
fn text(field: &str, text: &str) -> Result<(), Invalid> {
    let is_plain = !text.contains(char::is_control);
    check(is_plain, field, format!("{text:?}"), "a text without control characters")
}
