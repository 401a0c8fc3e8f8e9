//! The columns of the page's table and the charts of its rows: what they show, in words and as texts.

use serde::Serialize;

use crate::pictures::axis::{RATIOS, round_numbers};
use crate::units::{self, ratio, time_like};
use records::schema::{CaseRecord, Counts, Ratio, Split};
use statistics::Verdict;

/// What was found out about a case.
#[derive(Debug, Clone, Copy)]
pub struct Measured<'run> {
    /// Puts per transaction.
    pub puts: f64,
    /// Its times and ratios.
    pub timed: Option<&'run CaseRecord>,
    /// What was counted.
    pub counts: Option<&'run Counts>,
}

/// A column of something that was measured.
#[derive(Debug, Serialize)]
pub struct Column {
    /// Its name in the page's address and in charts.
    id: &'static str,
    name: &'static str,
    /// The columns with which it is shown.
    group: &'static str,
    /// Whether it is aligned as a number.
    number: bool,
    /// What it shows, in a line.
    meaning: &'static str,
    /// Its cell; nothing where that was not measured.
    #[serde(skip)]
    pub cell: fn(&Measured<'_>) -> Option<String>,
}

/// The groups of columns, and what each is called.
pub const GROUPS: [(&str, &str); 4] = [
    ("time", "time"),
    ("overhead", "overhead"),
    ("relative", "against raw FFI"),
    ("counts", "counts"),
];

const fn number(
    id: &'static str,
    name: &'static str,
    group: &'static str,
    meaning: &'static str,
    cell: fn(&Measured<'_>) -> Option<String>,
) -> Column {
    Column { id, name, group, number: true, meaning, cell }
}

const INTERVAL: &str =
    "Its interval over launches, at the run's confidence; sorted by its lower end.";
const VERDICT: &str = "Whether that is a difference at all, with regard to all comparisons of the run \
     and to the noise floor.";

/// All columns, in their order.
pub static COLUMNS: [Column; 23] = [
    number(
        "mean",
        "Mean",
        "time",
        "Mean time of a transaction with all its puts, over launches.",
        |of| nanoseconds(of, |time| Some(time.mean_ns)),
    ),
    number("error", "Error", "time", "Half of the 99.9 % interval of the mean.", |of| {
        nanoseconds(of, |time| time.error_ns)
    }),
    number("deviation", "StdDev", "time", "Standard deviation of launches.", |of| {
        nanoseconds(of, |time| time.std_dev_ns)
    }),
    number("median", "Median", "time", "Median of launches.", |of| {
        nanoseconds(of, |time| Some(time.median_ns))
    }),
    number(
        "time-per-put",
        "Per put",
        "time",
        "Mean time of a transaction, divided by its puts.",
        |of| Some(units::time(of.timed?.time.as_ref()?.mean_ns / of.puts)),
    ),
    words(
        "time-per-put-interval",
        "99.9 % interval",
        "time",
        "The interval of the time per put.",
        per_put_interval,
    ),
    number(
        "overhead",
        "Overhead",
        "overhead",
        "The binding's share: time over that of raw FFI on the same LMDB. 1.03 means 3 % longer.",
        |of| Some(ratio(of.timed?.overhead.as_ref()?.estimate)),
    ),
    words("overhead-interval", "Interval", "overhead", INTERVAL, |of| {
        Some(interval(of.timed?.overhead.as_ref()?))
    }),
    number(
        "overhead-luck",
        "Luck",
        "overhead",
        "Spread of the overhead over link orders: a single build may be off by twice as much.",
        |of| Some(units::luck(of.timed?.overhead.as_ref()?.luck?)),
    ),
    words("overhead-verdict", "Verdict", "overhead", VERDICT, |of| {
        Some(of.timed?.overhead.as_ref()?.verdict.to_string())
    }),
    words(
        "floor",
        "Noise floor",
        "overhead",
        "How far apart two equal workers may seem on this workload; a difference inside it is not claimed.",
        |of| {
            let floor = of.timed?.noise_floor?.symmetric_about_one();
            Some(units::interval(floor.low, floor.high))
        },
    ),
    number(
        "relative",
        "Relative",
        "relative",
        "What a user sees: time over that of raw FFI on its own LMDB, binding and engine together. For a \
         control it is the engine's effect.",
        |of| Some(ratio(of.timed?.relative.as_ref()?.estimate)),
    ),
    words("relative-interval", "Interval", "relative", INTERVAL, |of| {
        Some(interval(of.timed?.relative.as_ref()?))
    }),
    words("relative-verdict", "Verdict", "relative", VERDICT, |of| {
        Some(of.timed?.relative.as_ref()?.verdict.to_string())
    }),
    number(
        "instructions",
        "Instr/put",
        "counts",
        "Instructions outside the kernel per put, begin and finish shared among the puts; as counted by \
         valgrind.",
        |of| Some(units::tenths(of.counts?.instructions_per_transaction? / of.puts)),
    ),
    number("binding", "binding", "counts", "Those of the binding and the loop.", |of| {
        part(of, |split| split.binding)
    }),
    number("allocator", "allocator", "counts", "Those of the C library's allocator.", |of| {
        part(of, |split| split.libc_memory)
    }),
    number(
        "libc",
        "C library",
        "counts",
        "Those of the C library for copying and the rest.",
        |of| part(of, |split| split.libc_bytes + split.libc_other + split.other),
    ),
    number("engine", "LMDB", "counts", "Those of LMDB.", |of| part(of, |split| split.lmdb)),
    number("allocations", "Allocs", "counts", "Rust heap allocations per transaction.", |of| {
        of.counts?.rust_allocations_per_transaction.map(units::count)
    }),
    number("bytes", "Bytes", "counts", "Bytes that these ask for.", |of| {
        of.counts?.rust_bytes_per_transaction.map(units::count)
    }),
    number(
        "c-allocations",
        "C allocs",
        "counts",
        "LMDB's own allocations per transaction.",
        |of| of.counts?.c_allocations_per_transaction.map(units::count),
    ),
    number("calls", "Syscalls", "counts", "System calls per transaction; commits only.", |of| {
        let calls = of.counts?.system_calls_per_transaction.as_ref()?;
        Some(units::count(calls.values().sum()))
    }),
];

const fn words(
    id: &'static str,
    name: &'static str,
    group: &'static str,
    meaning: &'static str,
    cell: fn(&Measured<'_>) -> Option<String>,
) -> Column {
    Column { id, name, group, number: false, meaning, cell }
}

fn nanoseconds(
    of: &Measured<'_>,
    value: fn(&records::schema::Time) -> Option<f64>,
) -> Option<String> {
    let time = of.timed?.time.as_ref()?;
    Some(time_like(value(time)?, time.mean_ns))
}

fn per_put_interval(of: &Measured<'_>) -> Option<String> {
    let time = of.timed?.time.as_ref()?;
    let mean = time.mean_ns / of.puts;
    let error = time.error_ns? / of.puts;
    let high = time_like(mean + error, mean);
    let low = time_like((mean - error).max(0.0), mean);
    Some(format!("{}–{high}", low.split(' ').next().unwrap_or(&low)))
}

fn interval(ratio: &Ratio) -> String {
    units::interval(ratio.low, ratio.high)
}

fn part(of: &Measured<'_>, part: fn(&Split) -> f64) -> Option<String> {
    Some(units::tenths(part(of.counts?.instructions.as_ref()?) / of.puts))
}

/// A way to draw rows: a mark for the value of a column with its interval, or a bar of parts.
#[derive(Debug, Default, Serialize)]
pub struct Chart {
    id: &'static str,
    name: &'static str,
    /// How it is read.
    about: &'static str,
    /// Why a row has no mark.
    absent: &'static str,
    /// Whether its axis begins at 0; otherwise it is logarithmic.
    linear: bool,
    /// Where the axis has a line that others are compared with.
    one: bool,
    /// The columns of what it draws.
    value: &'static str,
    interval: Option<&'static str>,
    verdict: Option<&'static str>,
    floor: Option<&'static str>,
    /// Columns of parts, with what the legend calls them.
    parts: Vec<(&'static str, &'static str)>,
    /// Where the axis may have ticks, the most important first.
    ticks: Vec<(f64, String)>,
}

/// A chart of a ratio, with its verdicts before the noise floor.
fn of_ratio(
    id: &'static str,
    [interval, verdict]: [&'static str; 2],
    [name, about, absent]: [&'static str; 3],
) -> Chart {
    Chart {
        id,
        name,
        about,
        absent,
        one: true,
        value: id,
        interval: Some(interval),
        verdict: Some(verdict),
        floor: Some("floor"),
        ticks: RATIOS.iter().map(|ratio| (*ratio, format!("{ratio:.2}"))).collect(),
        ..Chart::default()
    }
}

/// All charts; the first is shown unless another is asked for.
#[must_use]
pub fn charts() -> Vec<Chart> {
    let overhead = [
        "binding overhead",
        "Time over that of raw FFI on the same LMDB, with intervals; 1.03 is 3 % longer. Logarithmic axis.",
        "no ratio: it is a control, stores nothing, or was not timed",
    ];
    let relative = [
        "binding and engine, against raw FFI",
        "Time over that of raw FFI on its own LMDB, binding and engine together, with intervals. \
         Logarithmic axis.",
        "no ratio: all others are compared with it, or it was not timed",
    ];
    let time = Chart {
        id: "time-per-put",
        name: "mean time per put",
        about: "Mean with its 99.9 % interval. It changes with the state of the machine: only the \
                overhead shows differences of a few percent. Logarithmic axis.",
        absent: "not timed",
        value: "time-per-put",
        interval: Some("time-per-put-interval"),
        ticks: round_numbers().into_iter().map(|it| (it, units::round_time(it))).collect(),
        ..Chart::default()
    };
    let instructions = Chart {
        id: "instructions",
        name: "instructions per put",
        about: "Who executes them, begin and finish shared among the puts.",
        absent: "not counted",
        linear: true,
        value: "instructions",
        parts: vec![
            ("binding", "binding and loop"),
            ("allocator", "C library: allocator"),
            ("libc", "C library: copying and the rest"),
            ("engine", "LMDB"),
        ],
        ..Chart::default()
    };
    vec![
        of_ratio("overhead", ["overhead-interval", "overhead-verdict"], overhead),
        of_ratio("relative", ["relative-interval", "relative-verdict"], relative),
        time,
        instructions,
    ]
}

/// How a verdict is shown: its text, the class of its marks, and what stands before it in a table, so
/// that rows can be skimmed without telling colours apart.
#[must_use]
pub fn verdicts() -> [(String, &'static str, &'static str); 4] {
    [
        (Verdict::Slower, "slower", "▲ "),
        (Verdict::Faster, "faster", "▼ "),
        (Verdict::NoDifferenceFound, "undecided", ""),
        (Verdict::Withheld, "undecided", ""),
    ]
    .map(|(verdict, class, arrow)| (verdict.to_string(), class, arrow))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use write_backend::AXES;

    use super::*;

    #[test]
    fn no_two_columns_have_one_id() {
        let ids = COLUMNS.iter().map(|column| column.id).chain(AXES.iter().map(|axis| axis.key));
        let reserved = ["backend", "run", "beside", "show", "columns", "sort"];
        let ids: Vec<&str> = ids.chain(reserved).collect();
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{ids:?}");
    }

    #[test]
    fn charts_draw_columns_that_are_there() {
        let is_there = |id: &str| COLUMNS.iter().any(|column| column.id == id);
        for chart in charts() {
            let parts = chart.parts.iter().map(|(id, _)| *id);
            let optional = [chart.interval, chart.verdict, chart.floor].into_iter().flatten();
            assert!(parts.chain(optional).chain([chart.value]).all(is_there), "{}", chart.id);
        }
        assert!(COLUMNS.iter().all(|it| GROUPS.iter().any(|(group, _)| *group == it.group)));
    }
}
