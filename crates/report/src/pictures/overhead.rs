//! Overhead per backend: one line per workload with its interval, the noise floor behind it.

use std::ops::Range;

use plotters::chart::ChartBuilder;
use plotters::coord::combinators::{BindKeyPoints as _, IntoLogRange as _};
use write_backend::Workload;

use super::axis::{RATIOS, ticks};
use super::canvas::{
    Area, Drawn, Frame, MARGIN, WIDTH, block, bold, line, marker, pixels, right, text, write,
};
use super::palette::{FASTER, FLOOR, INK, Look, MUTED, ONE, RULE, SLOWER, Shape, UNDECIDED};
use crate::groups::AVERAGED;
use crate::summary::{Overheads, overheads};
use crate::units;
use crate::view::{Role, View};
use records::schema::Ratio;
use statistics::{Interval, Verdict};

/// Where panels begin and end, left and right.
const SIDES: Range<i32> = 170..732;
/// The height of a backend's lines in a panel.
const GROUP: i32 = 72;
/// Between two backends.
const GAP: i32 = 14;
/// Above and below the lines of a panel: its name, its axis.
const PANEL: (i32, i32) = (40, 34);

/// One workload of one backend.
struct Row {
    workload: Workload,
    overhead: Ratio,
    floor: Option<Interval>,
}

/// One backend in a panel.
struct Group {
    backend: String,
    rows: Vec<Row>,
    mean: f64,
}

/// All backends on workloads that differ in batch and value size alone.
struct Panel {
    title: String,
    groups: Vec<Group>,
}

impl Panel {
    fn height(&self) -> i32 {
        PANEL.0 + PANEL.1 + pixels(self.groups.len()) * (GROUP + GAP)
    }
}

/// The picture of a run and its description; `None` where no case has an overhead.
#[must_use]
pub fn overhead(view: &View<'_>) -> Option<(String, String)> {
    let panels = panels(view);
    let range = range(&panels)?;
    let description = describe(&panels);
    let frame = Frame {
        title: "Binding overhead: time over that of raw FFI on the same LMDB",
        reading: &[
            "Each line is a workload: its overhead with the interval, on a logarithmic axis; the number \
             is the geometric mean.",
            "Behind it, in grey, the noise floor: a difference within it is not claimed.",
        ],
        description: &description,
        height: 30 + panels.iter().map(Panel::height).sum::<i32>(),
        colours: &[],
    };
    let picture = frame.picture(|area| {
        legend(area, frame.top() + 8)?;
        let mut top = frame.top() + 30;
        for panel in &panels {
            draw(area, panel, top, &range)?;
            top += panel.height();
        }
        Ok(())
    });
    Some((picture, description))
}

fn panels(view: &View<'_>) -> Vec<Panel> {
    let means = overheads(view);
    let panel = |group: crate::groups::Group| {
        let mut workloads = group.workloads;
        workloads.sort_by_key(|workload| (workload.batch_size, workload.value_size));
        let groups = view.with_role(Role::Binding).filter_map(|backend| {
            let rows: Vec<Row> = view
                .cases_of(&backend.id, &workloads)
                .filter_map(|case| {
                    let overhead = case.overhead.clone()?;
                    // As it is used.
                    let floor = case.noise_floor.map(|floor| floor.symmetric_about_one());
                    Some(Row { workload: case.workload, overhead, floor })
                })
                .collect();
            let is_it =
                |it: &&Overheads<'_>| it.backend == backend.id && it.group.like == group.like;
            let mean = means.iter().find(is_it)?.mean;
            Some(Group { backend: backend.id.clone(), rows, mean })
        });
        Panel { title: group.title, groups: groups.collect() }
    };
    let panels = view.groups_over(&AVERAGED).into_iter().map(panel);
    panels.filter(|panel| !panel.groups.is_empty()).collect()
}

/// From the lowest to the highest value of all panels, with some air; they share an axis, so that they
/// can be compared.
fn range(panels: &[Panel]) -> Option<Range<f64>> {
    let rows = || panels.iter().flat_map(|panel| &panel.groups).flat_map(|group| &group.rows);
    let lows = rows().map(|row| row.floor.map_or(1.0, |it| it.low).min(row.overhead.low));
    let highs = rows().map(|row| row.floor.map_or(1.0, |it| it.high).max(row.overhead.high));
    let low = lows.reduce(f64::min)?;
    let high = highs.reduce(f64::max)?;
    let air = (high / low).powf(0.02);
    Some(low / air..high * air)
}

fn describe(panels: &[Panel]) -> String {
    let panel = |panel: &Panel| {
        let groups = panel.groups.iter();
        let groups = groups.map(|group| format!("{} {}", group.backend, units::ratio(group.mean)));
        format!("{}: {}", panel.title, groups.collect::<Vec<_>>().join(", "))
    };
    let panels: Vec<String> = panels.iter().map(panel).collect();
    format!("Overhead over raw FFI, geometric means over workloads. {}.", panels.join("; "))
}

const fn look(verdict: Verdict) -> Look {
    match verdict {
        Verdict::Slower => Look { colour: SLOWER, shape: Shape::Circle, filled: true },
        Verdict::Faster => Look { colour: FASTER, shape: Shape::Diamond, filled: true },
        Verdict::NoDifferenceFound | Verdict::Withheld => {
            Look { colour: UNDECIDED, shape: Shape::Circle, filled: false }
        }
    }
}

fn legend(area: &Area<'_>, middle: i32) -> Drawn {
    let entries = [(Verdict::Slower, 0), (Verdict::Faster, 84), (Verdict::NoDifferenceFound, 166)];
    for (verdict, offset) in entries {
        let left = MARGIN + offset;
        line(area, (left, middle), (left + 18, middle), look(verdict).colour, 1)?;
        marker(area, (left + 9, middle), 4, look(verdict))?;
        write(area, &verdict.to_string(), (left + 24, middle), &text(13, INK))?;
    }
    let left = MARGIN + 328;
    block(area, (left, middle - 6), (left + 18, middle + 7), FLOOR)?;
    write(area, "noise floor of the workload", (left + 24, middle), &text(13, INK))
}

fn draw(root: &Area<'_>, panel: &Panel, top: i32, range: &Range<f64>) -> Drawn {
    let from = top + PANEL.0;
    let rows_height = pixels(panel.groups.len()) * (GROUP + GAP);
    write(root, &panel.title, (MARGIN, top + 22), &bold(15, INK))?;
    write(root, "mean", (WIDTH - MARGIN, top + 22), &right(&text(13, MUTED)))?;

    let length = SIDES.end - SIDES.start;
    let area = root.clone().shrink((SIDES.start, from), (length, rows_height + 24));
    let shown = ticks(&RATIOS, range, f64::from(length), 40.0);
    let mut chart = ChartBuilder::on(&area).x_label_area_size(24).build_cartesian_2d(
        range.clone().log_scale().with_key_points(shown),
        f64::from(rows_height)..0.0,
    )?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .disable_y_axis()
        .bold_line_style(RULE.rgb())
        .light_line_style(RULE.rgb())
        .axis_style(RULE.rgb())
        .label_style(text(12, MUTED))
        .x_label_formatter(&|ratio| format!("{ratio:.2}"))
        .draw()?;

    let at = |ratio: f64, y: i32| (chart.backend_coord(&(ratio, 0.0)).0, from + y);
    for (group, index) in panel.groups.iter().zip(0..) {
        let offset = index * (GROUP + GAP) + GAP / 2;
        draw_floor(root, group, offset, &at)?;
        line(root, at(1.0, offset - GAP / 2), at(1.0, offset + GROUP + GAP / 2), ONE, 1)?;
        draw_group(root, group, offset, &at)?;
        write(root, &group.backend, (MARGIN, at(1.0, offset + 9).1), &bold(13, INK))?;
        let place = (WIDTH - MARGIN, at(1.0, offset + GROUP / 2).1);
        write(root, &units::ratio(group.mean), place, &right(&bold(13, INK)))?;
    }
    Ok(())
}

/// The top and the bottom of the row `index` of `count`, seen from the group's top.
fn slot(index: usize, count: usize) -> (i32, i32) {
    let edge = |index: usize| pixels(index) * GROUP / pixels(count);
    (edge(index), edge(index + 1))
}

fn draw_floor(
    area: &Area<'_>,
    group: &Group,
    offset: i32,
    at: &impl Fn(f64, i32) -> (i32, i32),
) -> Drawn {
    for (index, row) in group.rows.iter().enumerate() {
        let (top, bottom) = slot(index, group.rows.len());
        if let Some(floor) = row.floor {
            block(area, at(floor.low, offset + top), at(floor.high, offset + bottom), FLOOR)?;
        }
    }
    Ok(())
}

fn draw_group(
    area: &Area<'_>,
    group: &Group,
    offset: i32,
    at: &impl Fn(f64, i32) -> (i32, i32),
) -> Drawn {
    let count = group.rows.len();
    let size = (GROUP / pixels(count)).clamp(2, 3);
    for (index, row) in group.rows.iter().enumerate() {
        let (top, bottom) = slot(index, count);
        let middle = offset + i32::midpoint(top, bottom);
        let look = look(row.overhead.verdict);
        line(area, at(row.overhead.low, middle), at(row.overhead.high, middle), look.colour, 1)?;
        marker(area, at(row.overhead.estimate, middle), size, look)?;
    }
    label_batches(area, group, offset, at)
}

/// The batch size beside the rows that have it, where they are high enough for text.
fn label_batches(
    area: &Area<'_>,
    group: &Group,
    offset: i32,
    at: &impl Fn(f64, i32) -> (i32, i32),
) -> Drawn {
    let count = group.rows.len();
    let mut first = 0;
    for same in group.rows.chunk_by(|a, b| a.workload.batch_size == b.workload.batch_size) {
        let (top, _) = slot(first, count);
        let (_, bottom) = slot(first + same.len() - 1, count);
        first += same.len();
        if bottom - top >= 13 {
            let middle = at(1.0, offset + i32::midpoint(top, bottom)).1;
            let words = format!("n={}", same[0].workload.batch_size);
            write(area, &words, (SIDES.start - 8, middle), &right(&text(12, MUTED)))?;
        }
    }
    Ok(())
}
