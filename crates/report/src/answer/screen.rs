//! What a bench shows at its end: an answer that fits on a screen.

use crate::answer::grid::{Grid, wrapped};
use crate::answer::matrix::Columns;
use crate::answer::{bindings, counts, words};
use crate::header;
use crate::table::plain;
use crate::units;
use crate::view::View;
use records::schema::{CaseRecord, Status};

/// How many lines the matrix may take.
const LINES: usize = 30;
/// Why ratios are known so much better than times.
const PAIRED: &str = "Times drift; ratios are formed within rounds of a fraction of a millisecond, in which what slows one \
slows all: hence the narrow ±.";

/// The answer of the run of `view`, no line wider than `width`; `None` where the run compares nothing.
#[must_use]
pub fn of(view: &View<'_>, width: usize) -> Option<String> {
    if view.results.producer == "counts" {
        counts::screen(view, width)
    } else {
        compare(view, width)
    }
}

fn compare(view: &View<'_>, width: usize) -> Option<String> {
    let columns = Columns::of(view.workloads());
    let mut grid = bindings::grid(view, &columns).filter(Grid::says_something)?;
    grid.bands.push(bindings::times(view, &columns.groups));
    let results = view.results;
    let confidence = units::percent(results.options.confidence);
    let has_luck = grid.bands.iter().flat_map(|band| &band.rows).any(|(name, _)| name == "luck");
    let mut about = format!(
        "±: half of the {confidence} interval; =: no difference found, one of up to that ± is possible{}",
        columns.pooled_in_words()
    );
    if results.backends.iter().any(|it| it.one_link_order.is_some()) {
        about += "; [ ]: one build, no verdict";
    }
    if has_luck {
        about += "; luck: what one build is off by (spread over link orders)";
    }
    let text = format!(
        "{}\n{}{}{}{}\n{}\n{}",
        wrapped(&words::verdicts(view).join("\n"), width),
        wrapped(&head(view), width),
        warnings(view, width),
        failures(view, width),
        wrapped(&format!("{about}."), width),
        grid.text(width, LINES),
        wrapped(PAIRED, width)
    );
    Some(text.trim_start().to_owned())
}

/// The machine and the settings, in one line each.
#[must_use]
pub fn head(view: &View<'_>) -> String {
    let (host, options) = (&view.results.host, &view.results.options);
    let launches = |case: &CaseRecord| Some(case.time.as_ref()?.launches_ns.len());
    let launches = view.results.cases.iter().filter_map(launches).max();
    let launches = launches.map_or(String::new(), |it| {
        format!("{} of each, ", units::counted(it, "launch", "launches"))
    });
    let flags = options.cflags.as_ref();
    let flags = flags.map_or("engines as shipped".to_owned(), |it| format!("engines with `{it}`"));
    format!(
        "{}, {}\n{launches}on {}, {flags}, seed {}",
        header::machine(host),
        units::counted(host.cores, "core", "cores"),
        options.file_system,
        options.seed
    )
}

/// What must be known before a number is believed.
#[must_use]
pub fn warnings(view: &View<'_>, width: usize) -> String {
    let warnings = header::warnings(view.results);
    warnings.iter().map(|it| wrapped(&format!("- {}", plain(it)), width)).collect()
}

/// Which cases have no time, the first few.
#[must_use]
pub fn failures(view: &View<'_>, width: usize) -> String {
    const SHOWN: usize = 3;
    let line = |case: &CaseRecord| {
        let reason = case.reason.as_deref().unwrap_or("no reason was recorded");
        wrapped(&format!("- failed: {}/{}: {reason}", case.workload, case.backend), width)
    };
    let failed: Vec<&CaseRecord> = view.cases().filter(|it| it.status == Status::Failed).collect();
    let shown: String = failed.iter().take(SHOWN).map(|case| line(case)).collect();
    match failed.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown}- failed: {more} more cases\n"),
    }
}
