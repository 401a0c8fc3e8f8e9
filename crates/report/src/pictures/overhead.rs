//! Overhead per backend: one line per workload with its interval, the noise floor behind it.

use std::ops::Range;

use plotters::chart::ChartBuilder;
use plotters::coord::combinators::{BindKeyPoints as _, IntoLogRange as _};
use write_backend::{Finish, SyncMode, Workload};

use super::axis::{RATIOS, ticks};
use super::canvas::{
    Area, Drawn, Frame, MARGIN, WIDTH, block, bold, line, marker, pixels, right, text, write,
};
use super::palette::{FASTER, FLOOR, INK, Look, MUTED, ONE, RULE, SLOWER, Shape, UNDECIDED};
use crate::units;
use records::schema::{CaseRecord, Ratio, Results};
use statistics::{GeometricMean, Interval, Verdict};

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
}

/// All backends with one finish and sync mode.
struct Panel {
    finish: Finish,
    sync: SyncMode,
    groups: Vec<Group>,
}

impl Panel {
    fn height(&self) -> i32 {
        PANEL.0 + PANEL.1 + pixels(self.groups.len()) * (GROUP + GAP)
    }
}

/// The picture of `results` and its description; `None` where no case has an overhead.
#[must_use]
pub fn overhead(results: &Results) -> Option<(String, String)> {
    let panels = panels(results);
    let range = range(&panels)?;
    let description = describe(&panels, results.options.confidence);
    let several = "Each line is a workload: its overhead with the interval, on a logarithmic axis; \
                   the number is the geometric mean.";
    let frame = Frame {
        title: "Binding overhead: time over that of raw FFI on the same LMDB",
        reading: &[
            several,
            "Behind it, in grey, the noise floor: a difference that does not leave it is not claimed.",
        ],
        description: &description,
        height: 30 + panels.iter().map(Panel::height).sum::<i32>(),
    };
    let picture = frame.picture(|area| {
        legend(area, frame.top() + 8)?;
        let mut top = frame.top() + 30;
        for panel in &panels {
            draw(area, panel, top, &range, results.options.confidence)?;
            top += panel.height();
        }
        Ok(())
    });
    Some((picture, description))
}

fn panels(results: &Results) -> Vec<Panel> {
    let mut kinds: Vec<(Finish, SyncMode)> =
        results.cases.iter().map(|case| (case.workload.finish, case.workload.sync)).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let panel = |(finish, sync)| {
        let groups = results.backends.iter().map(|backend| {
            let mine = |case: &&CaseRecord| {
                let Workload { finish: end, sync: mode, .. } = case.workload;
                case.backend == backend.id && end == finish && mode == sync
            };
            let mut rows: Vec<Row> = results.cases.iter().filter(mine).filter_map(row).collect();
            rows.sort_by_key(|row| (row.workload.batch_size, row.workload.value_size));
            Group { backend: backend.id.clone(), rows }
        });
        Panel { finish, sync, groups: groups.filter(|group| !group.rows.is_empty()).collect() }
    };
    kinds.into_iter().map(panel).filter(|panel| !panel.groups.is_empty()).collect()
}

fn row(case: &CaseRecord) -> Option<Row> {
    let overhead = case.overhead.clone()?;
    // As it is used.
    let floor = case.noise_floor.map(|floor| floor.symmetric_about_one());
    Some(Row { workload: case.workload, overhead, floor })
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

/// The geometric mean of a group's overheads.
fn mean(group: &Group, confidence: f64) -> Option<f64> {
    let estimates: Vec<f64> = group.rows.iter().map(|row| row.overhead.estimate).collect();
    GeometricMean::of(&estimates, confidence).ok().map(|mean| mean.mean)
}

fn describe(panels: &[Panel], confidence: f64) -> String {
    let of = |panel: &Panel| {
        let groups = panel.groups.iter().filter_map(|group| {
            Some(format!("{} {}", group.backend, units::ratio(mean(group, confidence)?)))
        });
        format!("{}: {}", title(panel), groups.collect::<Vec<_>>().join(", "))
    };
    let panels: Vec<String> = panels.iter().map(of).collect();
    format!("Overhead over raw FFI, geometric means over workloads. {}.", panels.join("; "))
}

fn title(panel: &Panel) -> String {
    format!("{}, {}", panel.finish, panel.sync)
}

const fn look(verdict: Verdict) -> Look {
    match verdict {
        Verdict::Slower => Look { colour: SLOWER, shape: Shape::Circle, filled: true },
        Verdict::Faster => Look { colour: FASTER, shape: Shape::Diamond, filled: true },
        Verdict::NoDifferenceFound => {
            Look { colour: UNDECIDED, shape: Shape::Circle, filled: false }
        }
    }
}

fn legend(area: &Area<'_>, middle: i32) -> Drawn {
    let entries = [
        (Verdict::Slower, "slower", 0),
        (Verdict::Faster, "faster", 84),
        (Verdict::NoDifferenceFound, "no difference found", 166),
    ];
    for (verdict, name, offset) in entries {
        let left = MARGIN + offset;
        line(area, (left, middle), (left + 18, middle), look(verdict).colour, 1)?;
        marker(area, (left + 9, middle), 4, look(verdict))?;
        write(area, name, (left + 24, middle), &text(13, INK))?;
    }
    let left = MARGIN + 328;
    block(area, (left, middle - 6), (left + 18, middle + 7), FLOOR)?;
    write(area, "noise floor of the workload", (left + 24, middle), &text(13, INK))
}

fn draw(root: &Area<'_>, panel: &Panel, top: i32, range: &Range<f64>, confidence: f64) -> Drawn {
    let from = top + PANEL.0;
    let rows_height = pixels(panel.groups.len()) * (GROUP + GAP);
    write(root, &title(panel), (MARGIN, top + 22), &bold(15, INK))?;
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
        if let Some(mean) = mean(group, confidence) {
            let place = (WIDTH - MARGIN, at(1.0, offset + GROUP / 2).1);
            write(root, &units::ratio(mean), place, &right(&bold(13, INK)))?;
        }
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
