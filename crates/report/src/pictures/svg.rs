//! What all pictures are drawn with: text, lines, marks, an axis, and the frame around them. Lengths are
//! pixels from the upper left corner.

use std::fmt::Write as _;
use std::ops::Range;

/// The width of all pictures: what a page of text shows without shrinking it.
pub(crate) const WIDTH: f64 = 800.0;
/// Space at the edges.
pub(crate) const MARGIN: f64 = 16.0;

/// The line that ratios are compared with.
pub(crate) const ONE: &str = "#6E7781";
/// The noise floor.
pub(crate) const FLOOR: &str = "#E4E7EB";
/// Lines that carry no data.
const RULE: &str = "#DFE3E8";

/// No font of this machine takes part: the program that shows a picture anchors its text. Text has a halo
/// of paper, so that no line runs through it. On a dark page all is inverted except hues.
const STYLE: &str = "<style>
text { font: 12px sans-serif; fill: #1F2328; paint-order: stroke; stroke: #FFFFFF; stroke-width: 3px; stroke-linejoin: round }
.title { font-size: 17px; font-weight: bold }
.panel { font-size: 15px; font-weight: bold }
.bold { font-weight: bold }
.muted { fill: #57606A }
.end { text-anchor: end }
.middle { text-anchor: middle }
@media (prefers-color-scheme: dark) { svg { filter: invert(0.94) hue-rotate(180deg) brightness(1.2) } }
</style>
";

/// A picture that is being drawn, from the top.
#[derive(Debug, Default)]
pub(crate) struct Svg {
    body: String,
    /// Where the next part begins.
    pub(crate) top: f64,
}

impl Svg {
    /// A picture with its title and how to read it, line by line.
    pub(crate) fn new(title: &str, reading: &[&str]) -> Self {
        let mut svg = Self::default();
        svg.text((MARGIN, 26.0), "title", title);
        for (line, y) in reading.iter().zip([48.0, 66.0, 84.0]) {
            svg.text((MARGIN, y), "muted", line);
            svg.top = y + 16.0;
        }
        svg
    }

    /// Text whose middle is at the height of `y`; `class` says how it looks and where it is anchored.
    pub(crate) fn text(&mut self, (x, y): (f64, f64), class: &str, words: &str) {
        let y = y + 4.0;
        self.add(&format!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" class=\"{class}\">{}</text>",
            escape(words)
        ));
    }

    pub(crate) fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), colour: &str) {
        self.add(&format!(
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\"/>"
        ));
    }

    /// A filled rectangle.
    pub(crate) fn block(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), colour: &str) {
        let (width, height) = (x2 - x1, y2 - y1);
        self.add(&format!(
            "<rect x=\"{x1:.1}\" y=\"{y1:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{colour}\"/>"
        ));
    }

    /// A disc, or a ring with paper in it.
    pub(crate) fn mark(&mut self, (x, y): (f64, f64), radius: f64, colour: &str, filled: bool) {
        let fill = if filled { colour } else { "#FFFFFF" };
        self.add(&format!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"{colour}\"/>"
        ));
    }

    /// Lines from point to point.
    pub(crate) fn path(&mut self, points: impl IntoIterator<Item = (f64, f64)>, colour: &str) {
        let points: Vec<String> =
            points.into_iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let points = points.join(" ");
        self.add(&format!(
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>"
        ));
    }

    /// The vertical lines of an axis through `rows`, each with its text below them.
    pub(crate) fn axis(
        &mut self,
        scale: &Scale,
        ticks: &[f64],
        rows: Range<f64>,
        text: impl Fn(f64) -> String,
    ) {
        for tick in ticks {
            let x = scale.place(*tick);
            self.line((x, rows.start), (x, rows.end), RULE);
            self.text((x, rows.end + 12.0), "muted middle", &text(*tick));
        }
    }

    /// The horizontal lines of an axis through `columns`, each with its text on the left.
    pub(crate) fn upright_axis(
        &mut self,
        scale: &Scale,
        ticks: &[f64],
        columns: Range<f64>,
        text: impl Fn(f64) -> String,
    ) {
        for tick in ticks {
            let y = scale.place(*tick);
            self.line((columns.start, y), (columns.end, y), RULE);
            self.text((columns.start - 8.0, y), "muted end", &text(*tick));
        }
    }

    fn add(&mut self, element: &str) {
        self.body.push_str(element);
        self.body.push('\n');
    }

    /// The file; `title` and `description` are for readers who cannot see it.
    pub(crate) fn finish(self, title: &str, description: &str) -> String {
        let mut file = String::new();
        let height = self.top;
        let _ = writeln!(
            file,
            "<svg width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" \
             xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-labelledby=\"title description\">\n\
             <title id=\"title\">{}</title>\n<desc id=\"description\">{}</desc>",
            escape(title),
            escape(description)
        );
        let paper = "<rect width=\"100%\" height=\"100%\" fill=\"#FFFFFF\"/>\n";
        file + STYLE + paper + &self.body + "</svg>\n"
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Where values stand among pixels.
#[derive(Debug, Clone)]
pub(crate) struct Scale {
    /// The lowest and the highest value.
    pub(crate) values: Range<f64>,
    /// Where these stand.
    pub(crate) pixels: Range<f64>,
    pub(crate) logarithmic: bool,
}

impl Scale {
    /// The scale of `values` with some air, on a logarithmic axis; `None` without values.
    pub(crate) fn logarithmic(
        values: impl IntoIterator<Item = f64>,
        pixels: Range<f64>,
    ) -> Option<Self> {
        let (low, high) = crate::units::extent(values)?;
        let air = (high / low).powf(0.04).max(1.002);
        Some(Self { values: low / air..high * air, pixels, logarithmic: true })
    }

    pub(crate) fn place(&self, value: f64) -> f64 {
        let Range { start, end } = self.values;
        let part = if self.logarithmic {
            (value / start).ln() / (end / start).ln()
        } else {
            (value - start) / (end - start)
        };
        self.pixels.start + part * (self.pixels.end - self.pixels.start)
    }

    /// Those of `candidates`, the most important first, that are within and at least `apart` pixels from
    /// each other.
    pub(crate) fn ticks(&self, candidates: &[f64], apart: f64) -> Vec<f64> {
        let mut chosen: Vec<f64> = Vec::new();
        for tick in candidates.iter().filter(|tick| self.values.contains(tick)) {
            if chosen.iter().all(|it| (self.place(*it) - self.place(*tick)).abs() >= apart) {
                chosen.push(*tick);
            }
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pictures::overhead::RATIOS;

    #[test]
    fn ratios_near_one_and_far_from_it_have_ticks() {
        let ticks = |values| {
            let scale = Scale { values, pixels: 0.0..560.0, logarithmic: true };
            let mut ticks = scale.ticks(&RATIOS, 36.0);
            ticks.sort_by(f64::total_cmp);
            ticks
        };
        assert_eq!(ticks(0.98..1.52), [1.0, 1.05, 1.1, 1.2, 1.3, 1.4, 1.5]);
        assert_eq!(ticks(0.985..1.05), [0.99, 1.0, 1.01, 1.02]);
    }
}
