//! Time per put against batch size: what a transaction costs beside its puts fades as there are more.

use std::collections::BTreeSet;
use std::ops::Range;

use plotters::chart::ChartBuilder;
use plotters::coord::combinators::{BindKeyPoints as _, IntoLogRange as _};
use plotters::series::LineSeries;
use plotters::style::Color as _;
use write_backend::Workload;

use super::axis::{round_numbers, spread, ticks};
use super::canvas::{
    Area, Drawn, Frame, MARGIN, WIDTH, bold, centred, line, marker, pixels, right, text, write,
};
use super::palette::{INK, MUTED, RULE, of_backend};
use crate::units;
use records::schema::{CaseRecord, Results};

/// Where panels begin and end, left and right; labels stand right of it.
const SIDES: Range<i32> = 76..510;
/// The height of the lines' area, and what is above and below it.
const PLOT: i32 = 250;
const PANEL: (i32, i32) = (40, 56);
/// The value size that is shown where there is one: in the middle of the matrix.
pub(super) const VALUE_SIZE: usize = 64;

/// One backend's means.
struct Line {
    backend: String,
    /// Its place among the backends of the run, from which its look follows.
    place: usize,
    /// Batch size, nanoseconds per put.
    points: Vec<(f64, f64)>,
}

/// All lines that differ in nothing but backend and batch size.
struct Panel {
    workload: Workload,
    lines: Vec<Line>,
}

/// The picture of `results` and its description; `None` where there is one batch size alone.
#[must_use]
pub fn time_per_put(results: &Results) -> Option<(String, String)> {
    let panels = panels(results);
    let first = panels.first()?.workload;
    let description = describe(&panels);
    let workload = format!(
        "{}-byte values, {} keys of {} bytes; both axes are logarithmic. A binding's mark is filled, \
         that of raw FFI hollow.",
        first.value_size, first.key_order, first.key_size
    );
    let frame = Frame {
        title: "Mean time per put, by batch size",
        reading: &[
            &workload,
            "Absolute times move with the machine's mood: for differences of a few percent look at \
             the overhead.",
        ],
        description: &description,
        height: pixels(panels.len()) * (PANEL.0 + PLOT + PANEL.1) - 8,
    };
    let picture = frame.picture(|area| {
        panels.iter().zip(0..).try_for_each(|(panel, index)| {
            draw(area, panel, frame.top() + index * (PANEL.0 + PLOT + PANEL.1))
        })
    });
    Some((picture, description))
}

/// The value that is shown of those there are: `wanted`, or the one in the middle.
pub(super) fn preferred(values: impl Iterator<Item = usize>, wanted: usize) -> Option<usize> {
    let values: BTreeSet<usize> = values.collect();
    let middle = values.iter().nth(values.len().saturating_sub(1) / 2).copied();
    if values.contains(&wanted) { Some(wanted) } else { middle }
}

fn panels(results: &Results) -> Vec<Panel> {
    let sizes = results.cases.iter().map(|case| case.workload.value_size);
    let Some(value_size) = preferred(sizes, VALUE_SIZE) else { return Vec::new() };
    // One panel for each finish and sync mode: that of the first order and size of keys.
    let mut kinds: Vec<Workload> = Vec::new();
    for case in &results.cases {
        let Workload { finish, sync, .. } = case.workload;
        let known = kinds.iter().any(|kind| kind.finish == finish && kind.sync == sync);
        if !known && case.workload.value_size == value_size {
            kinds.push(case.workload);
        }
    }
    let panels = kinds.into_iter().map(|workload| {
        let of = |backend: &str| lines(&results.cases, backend, workload);
        // A backend that stores nothing would press all others together.
        let all = results.backends.iter().enumerate();
        let writers = all.filter(|(_, backend)| backend.engine_version.is_some());
        let lines =
            writers.map(|(place, it)| Line { backend: it.id.clone(), place, points: of(&it.id) });
        Panel { workload, lines: lines.filter(|line| line.points.len() > 1).collect() }
    });
    panels.filter(|panel| !panel.lines.is_empty()).collect()
}

fn lines(cases: &[CaseRecord], backend: &str, like: Workload) -> Vec<(f64, f64)> {
    let mine = cases.iter().filter(|case| {
        let batch_size = case.workload.batch_size;
        case.backend == backend && case.workload == Workload { batch_size, ..like }
    });
    let mut points: Vec<(f64, f64)> = mine
        .filter_map(|case| {
            let puts = case.workload.batch_size as f64;
            Some((puts, case.time.as_ref()?.mean_ns / puts))
        })
        .collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    points
}

fn title(panel: &Panel) -> String {
    format!("{}, {}", panel.workload.finish, panel.workload.sync)
}

fn describe(panels: &[Panel]) -> String {
    let of = |panel: &Panel| {
        let lines = panel.lines.iter().filter_map(|line| {
            let (first, last) = (line.points.first()?, line.points.last()?);
            Some(format!("{} {} to {}", line.backend, units::time(first.1), units::time(last.1)))
        });
        format!("{}: {}", title(panel), lines.collect::<Vec<_>>().join(", "))
    };
    let panels: Vec<String> = panels.iter().map(of).collect();
    format!("Mean time per put, from the smallest to the largest batch. {}.", panels.join("; "))
}

/// The lowest and the highest of `values` with some air.
fn range(values: impl Iterator<Item = f64> + Clone, air: f64) -> Range<f64> {
    let low = values.clone().fold(f64::INFINITY, f64::min);
    let high = values.fold(0.0, f64::max);
    let air = (high / low).powf(air).max(1.02);
    low / air..high * air
}

fn draw(root: &Area<'_>, panel: &Panel, top: i32) -> Drawn {
    let from = top + PANEL.0;
    write(root, &title(panel), (MARGIN, top + 20), &bold(15, INK))?;
    let points = || panel.lines.iter().flat_map(|line| line.points.iter().copied());
    let (puts, times) =
        (range(points().map(|it| it.0), 0.04), range(points().map(|it| it.1), 0.06));
    let width = SIDES.end - SIDES.start;
    let mut batches: Vec<f64> = points().map(|it| it.0).collect();
    batches.sort_by(f64::total_cmp);
    batches.dedup();
    let batches = ticks(&batches, &puts, f64::from(width), 30.0);
    let shown = ticks(&round_numbers(), &times, f64::from(PLOT), 24.0);

    let area = root.clone().shrink((SIDES.start - 60, from), (width + 60, PLOT + 24));
    let mut chart =
        ChartBuilder::on(&area).x_label_area_size(24).y_label_area_size(60).build_cartesian_2d(
            puts.log_scale().with_key_points(batches),
            times.log_scale().with_key_points(shown),
        )?;
    chart
        .configure_mesh()
        .bold_line_style(RULE.rgb())
        .light_line_style(RULE.rgb())
        .axis_style(RULE.rgb())
        .label_style(text(12, MUTED))
        .x_label_formatter(&|batch| format!("{batch:.0}"))
        .y_label_formatter(&|time| round(*time))
        .draw()?;
    let middle = i32::midpoint(SIDES.start, SIDES.end);
    let words = "puts per transaction";
    write(root, words, (middle, from + PLOT + 36), &centred(&text(12, MUTED)))?;

    for line in &panel.lines {
        let style = of_backend(line.place).colour.rgb().stroke_width(2);
        chart.draw_series(LineSeries::new(line.points.iter().copied(), style))?;
    }
    let place = |point: &(f64, f64)| chart.backend_coord(point);
    for line in &panel.lines {
        for point in &line.points {
            marker(root, place(point), 5, of_backend(line.place))?;
        }
    }
    let mut ends: Vec<(&Line, (i32, i32), f64)> = panel
        .lines
        .iter()
        .filter_map(|line| line.points.last().map(|point| (line, place(point), point.1)))
        .collect();
    ends.sort_by(|a, b| b.2.total_cmp(&a.2));
    label(root, &ends, from)
}

/// The name and the last value of each line at its right end.
fn label(root: &Area<'_>, ends: &[(&Line, (i32, i32), f64)], from: i32) -> Drawn {
    let wanted: Vec<i32> = ends.iter().map(|(_, place, _)| place.1).collect();
    let placed = spread(&wanted, 17, &(from..from + PLOT));
    for ((line_of, place, time), y) in ends.iter().zip(placed) {
        let look = of_backend(line_of.place);
        let left = SIDES.end + 16;
        line(root, (place.0 + 7, place.1), (left, y), look.colour, 1)?;
        marker(root, (left + 7, y), 5, look)?;
        write(root, &line_of.backend, (left + 18, y), &text(12, INK))?;
        write(root, &units::time(*time), (WIDTH - MARGIN, y), &right(&text(12, MUTED)))?;
    }
    Ok(())
}

/// A tick's time without decimals that say nothing: `200 ns`, `2 μs`.
fn round(nanoseconds: f64) -> String {
    let text = units::time(nanoseconds);
    let (number, unit) = text.split_once(' ').unwrap_or((&text, ""));
    let number = number.parse::<f64>().map_or(number.to_owned(), |number| number.to_string());
    format!("{number} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_have_no_needless_decimals() {
        assert_eq!(round(200.0), "200 ns");
        assert_eq!(round(5000.0), "5 μs");
        assert_eq!(round(0.1), "0.1 ns");
    }

    #[test]
    fn the_value_size_in_the_middle_stands_in_for_one_that_is_not_there() {
        assert_eq!(preferred([4, 64, 256].into_iter(), 64), Some(64));
        assert_eq!(preferred([256, 4, 16].into_iter(), 64), Some(16));
        assert_eq!(preferred([8].into_iter(), 64), Some(8));
        assert_eq!(preferred(std::iter::empty(), 64), None);
    }
}
