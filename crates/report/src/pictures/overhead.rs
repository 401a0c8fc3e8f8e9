//! Overhead per backend: one line per workload with its interval, the noise floor behind it.

use super::svg::{FLOOR, MARGIN, ONE, Scale, Svg, WIDTH};
use crate::groups::AVERAGED;
use crate::summary::{Overheads, overheads};
use crate::units;
use crate::view::{Role, View};
use records::schema::CaseRecord;
use statistics::Verdict;

/// Where the axis begins and ends.
const LEFT: f64 = 170.0;
const RIGHT: f64 = 732.0;
/// Between two backends.
const GAP: f64 = 14.0;

/// Ratios that are good to read, the most important first.
pub(crate) const RATIOS: [f64; 27] = [
    1.0, 1.1, 1.5, 2.0, 0.5, 1.2, 1.3, 1.05, 0.9, 3.0, 5.0, 10.0, 0.8, 0.95, 1.02, 0.98, 1.4, 0.7,
    1.01, 0.99, 0.2, 0.1, 4.0, 7.0, 20.0, 50.0, 100.0,
];

/// One backend in a panel: its cases that have an overhead, and their mean.
struct Group<'run> {
    backend: &'run str,
    cases: Vec<&'run CaseRecord>,
    mean: f64,
}

/// All backends on workloads that differ in batch and value size alone.
struct Panel<'run> {
    title: String,
    groups: Vec<Group<'run>>,
}

/// The picture of a run and its description; `None` where no case has an overhead.
#[must_use]
pub fn overhead(view: &View<'_>) -> Option<(String, String)> {
    let panels = panels(view);
    // All panels share an axis, so that they can be compared.
    let cases = panels.iter().flat_map(|panel| &panel.groups).flat_map(|group| &group.cases);
    let ends = cases.flat_map(|case| {
        let overhead = case.overhead.iter().flat_map(|it| [it.low, it.high]);
        overhead.chain(floor(case).into_iter().flatten())
    });
    let scale = Scale::logarithmic(ends, LEFT..RIGHT)?;
    let title = "Binding overhead: time over that of raw FFI on the same LMDB";
    let mut svg = Svg::new(
        title,
        &[
            "Each line is a workload: its overhead with the interval, on a logarithmic axis; the number is \
             the geometric mean.",
            "Behind it, in grey, the noise floor: a difference within it is not claimed.",
        ],
    );
    legend(&mut svg);
    for panel in &panels {
        draw(&mut svg, panel, &scale);
    }
    let description = describe(&panels);
    Some((svg.finish(title, &description), description))
}

/// The noise floor as it is used.
fn floor(case: &CaseRecord) -> Option<[f64; 2]> {
    let floor = case.noise_floor?.symmetric_about_one();
    Some([floor.low, floor.high])
}

fn panels<'run>(view: &View<'run>) -> Vec<Panel<'run>> {
    let means = overheads(view);
    let panel = |group: crate::groups::Group| {
        let mut workloads = group.workloads;
        workloads.sort_by_key(|workload| (workload.batch_size, workload.value_size));
        let groups = view.with_role(Role::Binding).filter_map(|backend| {
            let cases = view.cases_of(&backend.id, &workloads);
            let cases: Vec<&CaseRecord> = cases.filter(|case| case.overhead.is_some()).collect();
            let is_it =
                |it: &&Overheads<'_>| it.backend == backend.id && it.group.like == group.like;
            let mean = means.iter().find(is_it)?.mean;
            Some(Group { backend: &backend.id, cases, mean })
        });
        Panel { title: group.title, groups: groups.collect() }
    };
    let panels = view.groups_over(&AVERAGED).into_iter().map(panel);
    panels.filter(|panel| !panel.groups.is_empty()).collect()
}

fn describe(panels: &[Panel<'_>]) -> String {
    let panel = |panel: &Panel<'_>| {
        let groups = panel.groups.iter();
        let groups = groups.map(|group| format!("{} {}", group.backend, units::ratio(group.mean)));
        format!("{}: {}", panel.title, groups.collect::<Vec<_>>().join(", "))
    };
    let panels: Vec<String> = panels.iter().map(panel).collect();
    format!("Overhead over raw FFI, geometric means over workloads. {}.", panels.join("; "))
}

/// The colour of a verdict, and whether its marks are filled.
const fn look(verdict: Verdict) -> (&'static str, bool) {
    match verdict {
        Verdict::Slower => ("#D55E00", true),
        Verdict::Faster => ("#0072B2", true),
        Verdict::NoDifferenceFound | Verdict::Withheld => ("#808891", false),
    }
}

fn legend(svg: &mut Svg) {
    let y = svg.top + 8.0;
    let entries =
        [(Verdict::Slower, 0.0), (Verdict::Faster, 84.0), (Verdict::NoDifferenceFound, 166.0)];
    for (verdict, offset) in entries {
        let left = MARGIN + offset;
        let (colour, filled) = look(verdict);
        svg.line((left, y), (left + 18.0, y), colour);
        svg.mark((left + 9.0, y), 3.0, colour, filled);
        svg.text((left + 24.0, y), "", &verdict.to_string());
    }
    let left = MARGIN + 328.0;
    svg.block((left, y - 6.0), (left + 18.0, y + 7.0), FLOOR);
    svg.text((left + 24.0, y), "", "noise floor of the workload");
    svg.top += 30.0;
}

fn draw(svg: &mut Svg, panel: &Panel<'_>, scale: &Scale) {
    svg.text((MARGIN, svg.top + 22.0), "panel", &panel.title);
    svg.text((WIDTH - MARGIN, svg.top + 22.0), "muted end", "mean");
    let top = svg.top + 40.0;
    let heights = panel.groups.iter().map(|group| height(group) * group.cases.len() as f64 + GAP);
    let bottom = top + heights.sum::<f64>();
    svg.axis(scale, &scale.ticks(&RATIOS, 40.0), top..bottom, |ratio| format!("{ratio:.2}"));
    svg.top = top + GAP / 2.0;
    for group in &panel.groups {
        let from = svg.top;
        draw_group(svg, group, scale);
        svg.text((MARGIN, from + 9.0), "bold", group.backend);
        let middle = f64::midpoint(from, svg.top - GAP);
        svg.text((WIDTH - MARGIN, middle), "bold end", &units::ratio(group.mean));
    }
    svg.top = bottom + 34.0;
}

/// How high a workload's row is, so that the name of a batch size has room beside those that have it.
fn height(group: &Group<'_>) -> f64 {
    let batch = |case: &&CaseRecord| case.workload.batch_size;
    let shortest = group.cases.chunk_by(|a, b| batch(a) == batch(b)).map(<[_]>::len).min();
    (14.0 / shortest.unwrap_or(1) as f64).max(6.0)
}

fn draw_group(svg: &mut Svg, group: &Group<'_>, scale: &Scale) {
    let (height, top) = (height(group), svg.top);
    let row = |place: usize| top + height * place as f64;
    for (place, floor) in group.cases.iter().map(|case| floor(case)).enumerate() {
        if let Some([low, high]) = floor.map(|ends| ends.map(|it| scale.place(it))) {
            svg.block((low, row(place)), (high, row(place + 1)), FLOOR);
        }
    }
    let end = row(group.cases.len());
    let one = scale.place(1.0);
    svg.line((one, top - GAP / 2.0), (one, end + GAP / 2.0), ONE);
    for (place, case) in group.cases.iter().enumerate() {
        let Some(overhead) = &case.overhead else { continue };
        let y = row(place) + height / 2.0;
        let (colour, filled) = look(overhead.verdict);
        svg.line((scale.place(overhead.low), y), (scale.place(overhead.high), y), colour);
        svg.mark((scale.place(overhead.estimate), y), 2.5, colour, filled);
        let batch = case.workload.batch_size;
        let same = group.cases.iter().filter(|it| it.workload.batch_size == batch).count();
        if place == 0 || group.cases[place - 1].workload.batch_size != batch {
            let middle = row(place) + height * same as f64 / 2.0;
            svg.text((LEFT - 8.0, middle), "muted end", &format!("n={batch}"));
        }
    }
    svg.top = end + GAP;
}
