//! Instructions per put, as bars of who executes them.

use std::ops::Range;

use plotters::chart::ChartBuilder;
use plotters::element::Rectangle;
use plotters::style::Color as _;
use write_backend::Workload;

use super::canvas::{Area, Drawn, Frame, MARGIN, block, bold, pixels, right, text, write};
use super::palette::{ALLOCATOR, BINDING, Colour, ENGINE, INK, LIBC, MUTED, RULE};
use crate::counts::tables::without_twin;
use crate::groups::{AVERAGED, VALUE_SIZE, groups_over, with_one};
use crate::view::View;
use records::schema::CaseRecord;

/// Where bars begin, and where the axis ends; totals stand right of the bars.
const SIDES: Range<i32> = 196..680;
/// From one bar to the next, and a bar's height.
const BAR: (i32, i32) = (24, 16);
/// Above and below the bars of a panel: its name, its axis.
const PANEL: (i32, i32) = (34, 40);
/// The batch size that is shown where there is one: puts outweigh what a transaction costs beside them.
const BATCH_SIZE: usize = 100;

/// The parts of a bar from the left, and where in the legend they stand.
const PARTS: [(Colour, &str, i32); 4] = [
    (BINDING, "binding and loop", 0),
    (ALLOCATOR, "C library: allocator", 150),
    (LIBC, "C library: copying and the rest", 314),
    (ENGINE, "LMDB", 546),
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

impl Panel {
    fn height(&self) -> i32 {
        PANEL.0 + PANEL.1 + pixels(self.bars.len()) * BAR.0
    }
}

/// The picture of a count and its description; `None` where no instructions were counted.
#[must_use]
pub fn instructions(view: &View<'_>) -> Option<(String, String)> {
    let is_counted = |it: &&Workload| view.cases_on(&[**it]).any(|case| parts(case).is_some());
    let counted: Vec<Workload> = without_twin(view).iter().filter(is_counted).copied().collect();
    let shown = with_one(&counted, "batch_size", BATCH_SIZE);
    let shown = with_one(&shown, "value_size", VALUE_SIZE);
    let first = shown.first()?;
    let panels: Vec<Panel> = groups_over(&shown, &AVERAGED)
        .into_iter()
        .flat_map(|group| group.workloads.into_iter().map(move |it| (group.title.clone(), it)))
        .map(|(title, workload)| Panel { title, bars: bars(view, &workload) })
        .collect();
    let end = panels.iter().flat_map(|panel| &panel.bars).map(Bar::total).reduce(f64::max)?;
    let description = describe(&panels);
    let workload = format!(
        "Batches of {} puts, values of {} bytes; begin and finish are shared among the puts. Right of a \
         bar its total,",
        first.batch_size, first.value_size
    );
    let frame = Frame {
        title: "Instructions per put, and who executes them",
        reading: &[&workload, "and how much that is more than raw FFI on the same LMDB."],
        description: &description,
        height: 30 + panels.iter().map(Panel::height).sum::<i32>(),
        colours: &[],
    };
    let picture = frame.picture(|area| {
        legend(area, frame.top() + 8)?;
        let mut top = frame.top() + 26;
        for panel in &panels {
            draw(area, panel, top, end)?;
            top += panel.height();
        }
        Ok(())
    });
    Some((picture, description))
}

fn bars(view: &View<'_>, workload: &Workload) -> Vec<Bar> {
    let bar = |case: &CaseRecord| {
        let control = view.control_of(case).and_then(parts).map(|parts| parts.iter().sum());
        Some(Bar { backend: case.backend.clone(), parts: parts(case)?, control })
    };
    view.cases_on(&[*workload]).filter_map(bar).collect()
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

fn legend(area: &Area<'_>, middle: i32) -> Drawn {
    for (colour, name, offset) in PARTS {
        let left = MARGIN + offset;
        block(area, (left, middle - 6), (left + 13, middle + 7), colour)?;
        write(area, name, (left + 19, middle), &text(13, INK))?;
    }
    Ok(())
}

fn draw(root: &Area<'_>, panel: &Panel, top: i32, end: f64) -> Drawn {
    let from = top + PANEL.0;
    let bars_height = pixels(panel.bars.len()) * BAR.0;
    write(root, &panel.title, (MARGIN, top + 16), &bold(15, INK))?;
    let width = SIDES.end - SIDES.start;
    let area = root.clone().shrink((SIDES.start, from), (width, bars_height + 24));
    let mut chart = ChartBuilder::on(&area)
        .x_label_area_size(24)
        .build_cartesian_2d(0.0..end, f64::from(bars_height)..0.0)?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .disable_y_axis()
        .x_labels(6)
        .x_max_light_lines(1)
        .bold_line_style(RULE.rgb())
        .light_line_style(RULE.rgb())
        .axis_style(RULE.rgb())
        .label_style(text(12, MUTED))
        .x_label_formatter(&|count| format!("{count:.0}"))
        .draw()?;
    for (bar, index) in panel.bars.iter().zip(0..) {
        let y = f64::from(index * BAR.0 + (BAR.0 - BAR.1) / 2);
        let mut so_far = 0.0;
        let pieces = bar.parts.iter().zip(PARTS).map(|(count, (colour, ..))| {
            let left = so_far;
            so_far += count;
            let corners = [(left, y), (so_far, y + f64::from(BAR.1))];
            Rectangle::new(corners, colour.rgb().filled())
        });
        chart.draw_series(pieces.collect::<Vec<_>>())?;
        let middle = from + index * BAR.0 + BAR.0 / 2;
        let name = (SIDES.start - 10, middle);
        write(root, &bar.backend, name, &right(&text(13, INK)))?;
        let place = (chart.backend_coord(&(bar.total(), 0.0)).0 + 6, middle);
        write(root, &total(bar), place, &text(12, INK))?;
    }
    Ok(())
}

/// The total, and the difference to the control.
fn total(bar: &Bar) -> String {
    let total = bar.total().round();
    match bar.control {
        Some(control) => format!("{total:.0} ({:+.0})", total - control.round()),
        None => format!("{total:.0}"),
    }
}
