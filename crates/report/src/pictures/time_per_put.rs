//! Time per put against batch size: what a transaction costs beside its puts fades as there are more.

use std::ops::Range;

use plotters::chart::ChartBuilder;
use plotters::coord::combinators::{BindKeyPoints as _, IntoLogRange as _};
use plotters::series::LineSeries;
use plotters::style::Color as _;

use super::axis::{round_numbers, spread, ticks};
use super::canvas::{
    Area, Drawn, Frame, MARGIN, WIDTH, bold, centred, line, marker, pixels, right, text, write,
};
use super::palette::{Colour, INK, Look, MUTED, RULE, looks};
use crate::groups::{VALUE_SIZE, constants, groups_over, with_one};
use crate::units;
use crate::view::{Role, View};

/// Where panels begin and end, left and right; labels stand right of it.
const SIDES: Range<i32> = 76..510;
/// The height of the lines' area, and what is above and below it.
const PLOT: i32 = 250;
const PANEL: (i32, i32) = (40, 56);
/// One backend's means.
struct Series {
    backend: String,
    look: Look,
    /// Batch size, nanoseconds per put.
    points: Vec<(f64, f64)>,
}

/// All lines that differ in nothing except backend and batch size.
struct Panel {
    title: String,
    lines: Vec<Series>,
}

/// The picture of a run and its description; `None` where there is one batch size alone.
#[must_use]
pub fn time_per_put(view: &View<'_>) -> Option<(String, String)> {
    let workloads = with_one(view.workloads(), "value_size", VALUE_SIZE);
    let panels = panels(view, &workloads);
    let value_size = workloads.first().filter(|_| !panels.is_empty())?.value_size;
    let description = describe(&panels);
    let about = format!(
        "Values of {value_size} bytes. {} Both axes are logarithmic.",
        constants(&workloads, &["finish", "sync", "batch_size", "value_size"])
            .replace("In all rows: ", "Everywhere ")
    );
    let colours: Vec<Colour> = looks(view).iter().map(|(_, look)| look.colour).collect();
    let frame = Frame {
        title: "Mean time per put, by batch size",
        reading: &[
            &about,
            "A binding's mark is filled, that of raw FFI hollow. Absolute times change with the state of \
             the machine:",
            "for differences of a few percent look at the overhead.",
        ],
        description: &description,
        height: pixels(panels.len()) * (PANEL.0 + PLOT + PANEL.1) - 8,
        colours: &colours,
    };
    let picture = frame.picture(|area| {
        panels.iter().zip(0..).try_for_each(|(panel, index)| {
            draw(area, panel, frame.top() + index * (PANEL.0 + PLOT + PANEL.1))
        })
    });
    Some((picture, description))
}

fn panels(view: &View<'_>, workloads: &[write_backend::Workload]) -> Vec<Panel> {
    let panel = |group: crate::groups::Group| {
        // A backend that stores nothing would press all others together.
        let looks = looks(view).into_iter();
        let writers = looks.filter(|(backend, _)| view.role(backend) != Role::WithoutLmdb);
        let series = writers.map(|(backend, look)| {
            let cases = view.cases_of(&backend.id, &group.workloads);
            let mut points: Vec<(f64, f64)> = cases
                .filter_map(|case| {
                    let puts = case.workload.batch_size as f64;
                    Some((puts, case.time.as_ref()?.mean_ns / puts))
                })
                .collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            Series { backend: backend.id.clone(), look, points }
        });
        Panel { title: group.title, lines: series.filter(|line| line.points.len() > 1).collect() }
    };
    let panels = groups_over(workloads, &["batch_size", "value_size"]).into_iter().map(panel);
    panels.filter(|panel| !panel.lines.is_empty()).collect()
}

fn describe(panels: &[Panel]) -> String {
    let panel = |panel: &Panel| {
        let lines = panel.lines.iter().filter_map(|line| {
            let (first, last) = (line.points.first()?, line.points.last()?);
            Some(format!("{} {} to {}", line.backend, units::time(first.1), units::time(last.1)))
        });
        format!("{}: {}", panel.title, lines.collect::<Vec<_>>().join(", "))
    };
    let panels: Vec<String> = panels.iter().map(panel).collect();
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
    write(root, &panel.title, (MARGIN, top + 20), &bold(15, INK))?;
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
        .y_label_formatter(&|time| units::round_time(*time))
        .draw()?;
    let middle = i32::midpoint(SIDES.start, SIDES.end);
    let words = "puts per transaction";
    write(root, words, (middle, from + PLOT + 36), &centred(&text(12, MUTED)))?;

    for line in &panel.lines {
        let style = line.look.colour.rgb().stroke_width(2);
        chart.draw_series(LineSeries::new(line.points.iter().copied(), style))?;
    }
    let place = |point: &(f64, f64)| chart.backend_coord(point);
    for line in &panel.lines {
        for point in &line.points {
            marker(root, place(point), 5, line.look)?;
        }
    }
    let mut ends: Vec<(&Series, (i32, i32), f64)> = panel
        .lines
        .iter()
        .filter_map(|line| line.points.last().map(|point| (line, place(point), point.1)))
        .collect();
    ends.sort_by(|a, b| b.2.total_cmp(&a.2));
    label(root, &ends, from)
}

/// The name and the last value of each line at its right end.
fn label(root: &Area<'_>, ends: &[(&Series, (i32, i32), f64)], from: i32) -> Drawn {
    let wanted: Vec<i32> = ends.iter().map(|(_, place, _)| place.1).collect();
    let placed = spread(&wanted, 17, &(from..from + PLOT));
    for ((series, place, time), y) in ends.iter().zip(placed) {
        let left = SIDES.end + 16;
        line(root, (place.0 + 7, place.1), (left, y), series.look.colour, 1)?;
        marker(root, (left + 7, y), 5, series.look)?;
        write(root, &series.backend, (left + 18, y), &text(12, INK))?;
        write(root, &units::time(*time), (WIDTH - MARGIN, y), &right(&text(12, MUTED)))?;
    }
    Ok(())
}
