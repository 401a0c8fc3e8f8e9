//! Time per put against batch size: what a transaction costs beside its puts fades as there are more.

use super::svg::{MARGIN, Scale, Svg, WIDTH};
use crate::groups::{Group, VALUE_SIZE, constants, groups_over, with_one};
use crate::units;
use crate::view::{Role, View};

/// Where the axis begins and ends; names stand right of it.
const LEFT: f64 = 76.0;
const RIGHT: f64 = 510.0;
/// The height of the lines' area.
const HEIGHT: f64 = 250.0;
/// The colours of backends in files that name none, in the order of the file: those of Okabe and Ito
/// (<https://jfly.uni-koeln.de/color/>), made to be told apart by colour-blind readers.
const COLOURS: [&str; 8] =
    ["#24292f", "#56b4e9", "#e69f00", "#0073b3", "#d45d00", "#b85c90", "#009d72", "#959da6"];

/// One backend's means.
struct Line {
    backend: String,
    colour: String,
    /// Whether it is a binding, and no raw FFI.
    filled: bool,
    /// Batch size, nanoseconds per put.
    points: Vec<(f64, f64)>,
}

/// All lines that differ in nothing except backend and batch size.
struct Panel {
    title: String,
    lines: Vec<Line>,
}

/// The picture of a run and its description; `None` where there is one batch size alone.
#[must_use]
pub fn time_per_put(view: &View<'_>) -> Option<(String, String)> {
    let workloads = with_one(view.workloads(), "value_size", VALUE_SIZE);
    let groups = groups_over(&workloads, &["batch_size", "value_size"]);
    let panels = groups.iter().map(|group| panel(view, group));
    let panels: Vec<Panel> = panels.filter(|panel| !panel.lines.is_empty()).collect();
    let value_size = workloads.first().filter(|_| !panels.is_empty())?.value_size;
    let about = format!(
        "Values of {value_size} bytes. {} Both axes are logarithmic.",
        constants(&workloads, &["finish", "sync", "batch_size", "value_size"])
            .replace("In all rows: ", "Everywhere ")
    );
    let title = "Mean time per put, by batch size";
    let mut svg = Svg::new(
        title,
        &[
            &about,
            "A binding's mark is filled, that of raw FFI hollow. Absolute times change with the state of the \
             machine:",
            "for differences of a few percent look at the overhead.",
        ],
    );
    for panel in &panels {
        draw(&mut svg, panel)?;
    }
    let description = describe(&panels);
    Some((svg.finish(title, &description), description))
}

fn panel(view: &View<'_>, group: &Group) -> Panel {
    let mut lines = Vec::new();
    for (place, backend) in view.backends().iter().enumerate() {
        let role = view.role(backend);
        let cases = view.cases_of(&backend.id, &group.workloads);
        let mut points: Vec<(f64, f64)> = cases
            .filter_map(|case| {
                let puts = case.workload.batch_size as f64;
                Some((puts, case.time.as_ref()?.mean_ns / puts))
            })
            .collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        // A backend that stores nothing would press all others together, as one of another engine might.
        if !matches!(role, Role::WithoutLmdb | Role::OtherFamily) && points.len() > 1 {
            let colour = backend.colour.as_deref().unwrap_or(COLOURS[place % COLOURS.len()]);
            lines.push(Line {
                backend: backend.id.clone(),
                colour: colour.to_owned(),
                filled: role == Role::Binding,
                points,
            });
        }
    }
    // As they end, so that names stand in the order of their lines.
    let last = |line: &Line| line.points.last().map_or(0.0, |point| point.1);
    lines.sort_by(|a, b| last(b).total_cmp(&last(a)));
    Panel { title: group.title.clone(), lines }
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

/// Round times, the roundest first.
fn round_times() -> Vec<f64> {
    let powers = (-1..10).map(|power| 10_f64.powi(power));
    let leading = [1.0, 5.0, 2.0, 3.0, 1.5, 7.0];
    leading.into_iter().flat_map(|digit| powers.clone().map(move |it| it * digit)).collect()
}

fn draw(svg: &mut Svg, panel: &Panel) -> Option<()> {
    let top = svg.top + 40.0;
    let bottom = top + HEIGHT;
    svg.text((MARGIN, svg.top + 20.0), "panel", &panel.title);
    let points = || panel.lines.iter().flat_map(|line| line.points.iter().copied());
    let across = Scale::logarithmic(points().map(|it| it.0), LEFT..RIGHT)?;
    let up = Scale::logarithmic(points().map(|it| it.1), bottom..top)?;
    let batches: Vec<f64> = points().map(|it| it.0).collect();
    svg.axis(&across, &across.ticks(&batches, 30.0), top..bottom, |batch| format!("{batch:.0}"));
    svg.upright_axis(&up, &up.ticks(&round_times(), 24.0), LEFT..RIGHT, units::round_time);
    svg.text((f64::midpoint(LEFT, RIGHT), bottom + 30.0), "muted middle", "puts per transaction");
    let place = |(batch, time): (f64, f64)| (across.place(batch), up.place(time));
    for Line { colour, points, .. } in &panel.lines {
        svg.path(points.iter().map(|point| place(*point)), colour);
    }
    for Line { colour, filled, points, .. } in &panel.lines {
        for point in points {
            svg.mark(place(*point), 4.0, colour, *filled);
        }
    }
    for (line, row) in panel.lines.iter().zip(0_u32..) {
        let y = top + 9.0 + 20.0 * f64::from(row);
        svg.mark((RIGHT + 30.0, y), 4.0, &line.colour, line.filled);
        svg.text((RIGHT + 42.0, y), "", &line.backend);
        let last = line.points.last().map_or(String::new(), |point| units::time(point.1));
        svg.text((WIDTH - MARGIN, y), "muted end", &last);
    }
    svg.top = bottom + 48.0;
    Some(())
}
