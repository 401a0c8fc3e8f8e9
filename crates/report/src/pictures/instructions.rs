//! Instructions per put, as bars of who executes them.

use write_backend::Workload;

use super::svg::{MARGIN, Scale, Svg};
use crate::counts::tables::without_twin;
use crate::groups::{AVERAGED, VALUE_SIZE, groups_over, with_one};
use crate::view::View;
use records::schema::CaseRecord;

/// Where bars begin, and where the longest ends; totals stand right of the bars.
const LEFT: f64 = 196.0;
const RIGHT: f64 = 680.0;
/// From one bar to the next, and a bar's height.
const BAR: (f64, f64) = (24.0, 16.0);
/// The batch size that is shown where there is one: puts outweigh what a transaction costs beside them.
const BATCH_SIZE: usize = 100;

/// The parts of a bar from the left, and where in the legend they stand.
const PARTS: [(&str, &str, f64); 4] = [
    ("#D65F01", "binding and loop", 0.0),
    ("#009E73", "C library: allocator", 150.0),
    ("#A8DCCA", "C library: copying and the rest", 314.0),
    ("#9CC9E8", "LMDB", 546.0),
];

/// One backend's instructions per put, in the order of [`PARTS`].
struct Bar {
    backend: String,
    parts: [f64; 4],
    /// The total of the control on the same engine, where there is one.
    control: Option<f64>,
}

impl Bar {
    fn total(&self) -> f64 {
        self.parts.iter().sum()
    }
}

/// All backends on one workload.
struct Panel {
    title: String,
    bars: Vec<Bar>,
}

/// The picture of a count and its description; `None` where no instructions were counted.
#[must_use]
pub fn instructions(view: &View<'_>) -> Option<(String, String)> {
    let is_counted = |it: &&Workload| view.cases_on(&[**it]).any(|case| parts(case).is_some());
    let counted: Vec<Workload> = without_twin(view).iter().filter(is_counted).copied().collect();
    let shown = with_one(&counted, "batch_size", BATCH_SIZE);
    let shown = with_one(&shown, "value_size", VALUE_SIZE);
    let first = shown.first()?;
    let groups = groups_over(&shown, &AVERAGED).into_iter();
    let panels: Vec<Panel> = groups
        .map(|group| Panel { title: group.title, bars: bars(view, &group.workloads) })
        .collect();
    let end = panels.iter().flat_map(|panel| &panel.bars).map(Bar::total).reduce(f64::max)?;
    let scale = Scale { values: 0.0..end, pixels: LEFT..RIGHT, logarithmic: false };
    let workload = format!(
        "Batches of {} puts, values of {} bytes; begin and finish are shared among the puts. Right of a \
         bar its total,",
        first.batch_size, first.value_size
    );
    let title = "Instructions per put, and who executes them";
    let mut svg =
        Svg::new(title, &[&workload, "and how much that is more than raw FFI on the same LMDB."]);
    for (colour, name, offset) in PARTS {
        let (left, y) = (MARGIN + offset, svg.top + 8.0);
        svg.block((left, y - 6.0), (left + 13.0, y + 7.0), colour);
        svg.text((left + 19.0, y), "", name);
    }
    svg.top += 26.0;
    for panel in &panels {
        draw(&mut svg, panel, &scale);
    }
    let description = describe(&panels);
    Some((svg.finish(title, &description), description))
}

fn bars(view: &View<'_>, workloads: &[Workload]) -> Vec<Bar> {
    let bar = |case: &CaseRecord| {
        let control = view.control_of(case).and_then(parts).map(|parts| parts.iter().sum());
        Some(Bar { backend: case.backend.clone(), parts: parts(case)?, control })
    };
    view.cases_on(workloads).filter_map(bar).collect()
}

/// Instructions per put of a case in the order of [`PARTS`].
fn parts(case: &CaseRecord) -> Option<[f64; 4]> {
    let split = case.counts.as_ref()?.instructions?;
    let puts = case.workload.batch_size as f64;
    let rest = split.libc_bytes + split.libc_other + split.other;
    Some([split.binding, split.libc_memory, rest, split.lmdb].map(|count| count / puts))
}

fn describe(panels: &[Panel]) -> String {
    let panel = |panel: &Panel| {
        let bars = panel.bars.iter().map(|bar| format!("{} {:.0}", bar.backend, bar.total()));
        format!("{}: {}", panel.title, bars.collect::<Vec<_>>().join(", "))
    };
    let panels: Vec<String> = panels.iter().map(panel).collect();
    format!("Instructions per put. {}.", panels.join("; "))
}

fn draw(svg: &mut Svg, panel: &Panel, scale: &Scale) {
    svg.text((MARGIN, svg.top + 16.0), "panel", &panel.title);
    let top = svg.top + 34.0;
    let bottom = top + BAR.0 * panel.bars.len() as f64;
    // Steps of 1, 2 or 5 times a power of ten, as many as have room.
    let mut steps = (0..12).flat_map(|power| [1.0, 2.0, 5.0].map(|it| it * 10_f64.powi(power)));
    let step = steps.find(|step| scale.values.end / step < 8.0).unwrap_or(scale.values.end);
    let ticks: Vec<f64> = (0..9).map(|index| step * f64::from(index)).collect();
    svg.axis(scale, &scale.ticks(&ticks, 30.0), top..bottom, |count| format!("{count:.0}"));
    for (bar, index) in panel.bars.iter().zip(0_u32..) {
        let middle = top + BAR.0 * (f64::from(index) + 0.5);
        let (upper, lower) = (middle - BAR.1 / 2.0, middle + BAR.1 / 2.0);
        let mut so_far = 0.0;
        for (count, (colour, ..)) in bar.parts.iter().zip(PARTS) {
            let left = scale.place(so_far);
            so_far += count;
            svg.block((left, upper), (scale.place(so_far), lower), colour);
        }
        svg.text((LEFT - 10.0, middle), "end", &bar.backend);
        svg.text((scale.place(so_far) + 6.0, middle), "", &total(bar));
    }
    svg.top = bottom + 40.0;
}

/// The total, and the difference to the control.
fn total(bar: &Bar) -> String {
    let total = bar.total().round();
    match bar.control {
        Some(control) => format!("{total:.0} ({:+.0})", total - control.round()),
        None => format!("{total:.0}"),
    }
}
