//! The picture of a suite: a row for each value or workload, on one axis of ratios.

use records::schema::Ratio;
use statistics::Verdict;
use write_backend::{AXES, Workload};

use super::SuiteView;
use super::effects::{Effect, effects, groups, label};
use super::overheads::overheads;
use crate::groups::{differs, words};
use crate::pictures::overhead::RATIOS;
use crate::pictures::svg::{FLOOR, MARGIN, ONE, Scale, Svg, WIDTH};
use crate::units;
use crate::view::View;

const LEFT: f64 = 230.0;
const RIGHT: f64 = WIDTH - MARGIN - 10.0;
/// The height of a mark's line.
const LINE: f64 = 9.0;
/// What a backend without a colour of its own is drawn in.
const GREY: &str = "#57606A";

struct Mark<'run> {
    backend: &'run str,
    colour: &'run str,
    estimate: f64,
    interval: Option<[f64; 2]>,
    /// What one build may be off by.
    luck: Option<f64>,
    is_found: bool,
    instructions: Option<f64>,
}

struct Row<'run> {
    label: String,
    marks: Vec<Mark<'run>>,
}

/// Rows under a heading.
type Block<'run> = (String, Vec<Row<'run>>);

/// The picture and its description; `None` where nothing was compared.
pub(super) fn picture(view: &SuiteView<'_>) -> Option<(String, String)> {
    let (blocks, reading) = if view.suite.compares.is_empty() {
        (
            of_overheads(view.times.as_ref()?),
            "Each line is the binding's overhead over raw FFI with its interval; grey: what one build may be off by.",
        )
    } else {
        (
            of_effects(view),
            "Each line is the time over that of the usual value with its interval; the upright stroke: instructions.",
        )
    };
    let marks = || blocks.iter().flat_map(|(_, rows)| rows).flat_map(|row| &row.marks);
    let ends = marks().flat_map(|it| {
        let ends = it.interval.unwrap_or([it.estimate; 2]);
        ends.into_iter().chain(it.instructions).chain(it.luck.map(|luck| it.estimate * luck.exp()))
    });
    let scale = Scale::logarithmic(ends.chain([1.0]), LEFT..RIGHT)?;
    marks().next()?;
    let title = view.suite.question.as_str();
    let mut svg = Svg::new(title, &[reading, "Filled: a difference was found. Hollow: none was."]);
    legend(&mut svg, &blocks);
    let top = svg.top;
    let height = |(_, rows): &Block<'_>| {
        30.0 + rows.iter().map(|row| LINE * row.marks.len() as f64 + 7.0).sum::<f64>()
    };
    let bottom = top + blocks.iter().map(height).sum::<f64>();
    svg.axis(&scale, &scale.ticks(&RATIOS, 44.0), top..bottom, |ratio| format!("{ratio:.2}"));
    svg.line((scale.place(1.0), top), (scale.place(1.0), bottom), ONE);
    for (heading, rows) in &blocks {
        svg.text((MARGIN, svg.top + 14.0), "bold", heading);
        svg.top += 26.0;
        for row in rows {
            draw(&mut svg, row, &scale);
        }
        svg.top += 4.0;
    }
    svg.top = bottom + 30.0;
    let description = describe(&blocks);
    Some((svg.finish(title, &description), description))
}

fn of_effects<'run>(view: &SuiteView<'run>) -> Vec<Block<'run>> {
    let effects = effects(view);
    let block = |group: crate::groups::Group| {
        let rows = group.workloads.iter().map(|workload| {
            let mine = effects.iter().filter(|it| it.workload == *workload);
            Row { label: label(view, workload), marks: mine.map(|it| mark(view, it)).collect() }
        });
        (group.title, rows.filter(|row| !row.marks.is_empty()).collect::<Vec<_>>())
    };
    groups(view).into_iter().map(block).filter(|(_, rows)| !rows.is_empty()).collect()
}

fn mark<'run>(view: &SuiteView<'run>, effect: &Effect<'run>) -> Mark<'run> {
    let time = effect.time.as_ref();
    let colour = view.any().backend(effect.backend).and_then(|it| it.colour.as_deref());
    Mark {
        backend: effect.backend,
        colour: colour.unwrap_or(GREY),
        estimate: time.map_or(effect.instructions.unwrap_or(1.0), |(it, _)| it.estimate),
        interval: time.map(|(it, _)| [it.low, it.high]),
        luck: None,
        is_found: time.is_none_or(|(_, verdict)| is_found(*verdict)),
        instructions: effect.instructions,
    }
}

fn is_found(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Faster | Verdict::Slower)
}

fn of_overheads<'run>(view: &View<'run>) -> Vec<Block<'run>> {
    let differing: Vec<_> = AXES.iter().filter(|axis| differs(axis, view.workloads())).collect();
    let label = |workload: &Workload| {
        differing.iter().map(|axis| words(axis, workload)).collect::<Vec<_>>().join(", ")
    };
    let block = |(backend, cases): (&'run records::schema::BackendRecord, Vec<(_, &Ratio)>)| {
        let row = |(workload, ratio): &(Workload, &Ratio)| Row {
            label: label(workload),
            marks: vec![Mark {
                backend: &backend.id,
                colour: backend.colour.as_deref().unwrap_or(GREY),
                estimate: ratio.estimate,
                interval: Some([ratio.low, ratio.high]),
                luck: ratio.luck,
                is_found: is_found(ratio.verdict),
                instructions: None,
            }],
        };
        (backend.id.clone(), cases.iter().map(row).collect())
    };
    overheads(view).map(block).collect()
}

/// The colours of backends, where a row has several.
fn legend(svg: &mut Svg, blocks: &[Block<'_>]) {
    let widest = blocks.iter().flat_map(|(_, rows)| rows).max_by_key(|row| row.marks.len());
    let Some(row) = widest.filter(|row| row.marks.len() > 1) else { return };
    let mut left = MARGIN;
    for mark in &row.marks {
        let y = svg.top + 8.0;
        svg.mark((left + 5.0, y), 3.0, mark.colour, true);
        svg.text((left + 14.0, y), "", mark.backend);
        left += 36.0 + 6.5 * mark.backend.len() as f64;
    }
    svg.top += 24.0;
}

fn draw(svg: &mut Svg, row: &Row<'_>, scale: &Scale) {
    let height = LINE * row.marks.len() as f64;
    svg.text((LEFT - 10.0, svg.top + height / 2.0), "muted end", &row.label);
    for (place, mark) in row.marks.iter().enumerate() {
        let y = svg.top + LINE * (place as f64 + 0.5);
        let x = |ratio: f64| scale.place(ratio).clamp(scale.pixels.start, scale.pixels.end);
        if let Some(luck) = mark.luck {
            let ends = [-luck, luck].map(|it| x(mark.estimate * it.exp()));
            svg.block((ends[0], y - 4.0), (ends[1], y + 4.0), FLOOR);
        }
        if let Some([low, high]) = mark.interval {
            svg.line((x(low), y), (x(high), y), mark.colour);
        }
        if let Some(instructions) = mark.instructions {
            let x = x(instructions);
            svg.line((x, y - 4.0), (x, y + 4.0), mark.colour);
        }
        if mark.interval.is_some() || mark.instructions.is_none() {
            svg.mark((x(mark.estimate), y), 2.5, mark.colour, mark.is_found);
        }
    }
    svg.top += height + 7.0;
}

fn describe(blocks: &[Block<'_>]) -> String {
    let row = |row: &Row<'_>| {
        let mark = |it: &Mark<'_>| format!("{} {}", it.backend, units::ratio(it.estimate));
        let marks: Vec<String> = row.marks.iter().map(mark).collect();
        format!("{}: {}", row.label, marks.join(", "))
    };
    let block = |(heading, rows): &Block<'_>| {
        format!("{heading}: {}.", rows.iter().map(row).collect::<Vec<_>>().join("; "))
    };
    blocks.iter().map(block).collect::<Vec<_>>().join(" ")
}
