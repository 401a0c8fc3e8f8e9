//! The frame of every picture: paper, title, how to read it, words for anyone who cannot see it, and a
//! style sheet for dark pages. Plotters draws; where text is anchored is left to the program that shows
//! the picture, so that no font of this machine takes part.

use std::fmt::Write as _;

use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea as _};
use plotters::element::{Circle, PathElement, Polygon, Rectangle};
use plotters::prelude::SVGBackend;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color as _, FontStyle, IntoFont as _, TextStyle};

use super::palette::{self, Colour, INK, Look, MUTED, PAPER, Shape};

/// The width of all pictures: what a page of text shows without shrinking it.
pub(super) const WIDTH: i32 = 800;
/// Space at the edges.
pub(super) const MARGIN: i32 = 16;
/// What is above the first panel when the reading has one line.
const HEAD: i32 = 64;
/// From one line of text to the next.
const LINE: i32 = 18;

/// What is drawn on.
pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// The end of drawing something.
pub(super) type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

/// What a picture is called and how it is read.
pub(super) struct Frame<'a> {
    /// What it shows, in a few words.
    pub(super) title: &'a str,
    /// How to read it, line by line.
    pub(super) reading: &'a [&'a str],
    /// What a reader who cannot see it must know.
    pub(super) description: &'a str,
    /// The height of all below title and reading.
    pub(super) height: i32,
    /// The colours of backends in it.
    pub(super) colours: &'a [Colour],
}

impl Frame<'_> {
    /// Where the part below title and reading begins.
    pub(super) fn top(&self) -> i32 {
        HEAD + LINE * (pixels(self.reading.len()) - 1)
    }

    /// Draws the frame, then what `paint` draws into it, and gives the whole picture.
    ///
    /// # Panics
    /// Never: drawing into a text cannot fail.
    pub(super) fn picture(&self, paint: impl FnOnce(&Area<'_>) -> Drawn) -> String {
        let height = self.top() + self.height;
        let mut drawn = String::new();
        let area =
            SVGBackend::with_string(&mut drawn, (WIDTH as u32, height as u32)).into_drawing_area();
        let done = area
            .fill(&PAPER.rgb())
            .and_then(|()| write(&area, self.title, (MARGIN, 26), &heading()))
            .and_then(|()| {
                self.reading.iter().zip(0..).try_for_each(|(line, index)| {
                    write(&area, line, (MARGIN, 48 + LINE * index), &text(13, MUTED))
                })
            })
            .and_then(|()| paint(&area))
            .and_then(|()| area.present());
        drop(area);
        done.expect("drawing into a text cannot fail");
        self.finish(&drawn)
    }

    /// Adds what plotters does not know of.
    fn finish(&self, drawn: &str) -> String {
        let (start, rest) = drawn.split_once(">\n").expect("it begins with the outermost tag");
        let mut picture = format!(
            "{start} role=\"img\" aria-labelledby=\"title description\">\n\
             <title id=\"title\">{}</title>\n<desc id=\"description\">{}</desc>\n",
            escape(self.title),
            escape(self.description)
        );
        // A halo of paper around text, so that no line runs through it.
        let halo = |paper: u32| format!("text {{ paint-order: stroke; stroke: #{paper:06X} }}\n");
        picture.push_str("<style>\ntext { stroke-width: 3px; stroke-linejoin: round }\n");
        picture.push_str(&halo(PAPER.light));
        picture.push_str("@media (prefers-color-scheme: dark) {\n");
        picture.push_str(&halo(PAPER.dark));
        for Colour { light, dark } in palette::NAMED.iter().chain(self.colours) {
            let _ = writeln!(
                picture,
                "[fill=\"#{light:06X}\"] {{ fill: #{dark:06X} }} [stroke=\"#{light:06X}\"] {{ \
                 stroke: #{dark:06X} }}"
            );
        }
        picture.push_str("}\n</style>\n");
        // What is the default anyway is a tenth of the file.
        picture.push_str(&rest.replace(" opacity=\"1\"", ""));
        picture
    }
}

/// A number of things, for a place among pixels.
pub(super) fn pixels(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Text of `size` pixels, from its left end and by its middle.
pub(super) fn text(size: i32, colour: Colour) -> TextStyle<'static> {
    // Plotters means the height of a line where it says the size of a font.
    ("sans-serif", f64::from(size) * 1.24)
        .into_font()
        .color(&colour.rgb())
        .pos(Pos::new(HPos::Left, VPos::Center))
}

fn heading() -> TextStyle<'static> {
    bold(17, INK)
}

/// [`text`] in bold.
pub(super) fn bold(size: i32, colour: Colour) -> TextStyle<'static> {
    let style = text(size, colour);
    TextStyle { font: style.font.style(FontStyle::Bold), ..style }
}

/// `style` anchored at its right end.
pub(super) fn right(style: &TextStyle<'static>) -> TextStyle<'static> {
    style.clone().pos(Pos::new(HPos::Right, VPos::Center))
}

/// `style` anchored at its middle.
pub(super) fn centred(style: &TextStyle<'static>) -> TextStyle<'static> {
    style.clone().pos(Pos::new(HPos::Center, VPos::Center))
}

/// Writes `words` at `place`.
pub(super) fn write(
    area: &Area<'_>,
    words: &str,
    place: (i32, i32),
    style: &TextStyle<'_>,
) -> Drawn {
    area.draw_text(words, style, place)
}

/// A line from one point to another.
pub(super) fn line(
    area: &Area<'_>,
    from: (i32, i32),
    to: (i32, i32),
    colour: Colour,
    width: u32,
) -> Drawn {
    area.draw(&PathElement::new([from, to], colour.rgb().stroke_width(width)))
}

/// A filled rectangle.
pub(super) fn block(
    area: &Area<'_>,
    upper_left: (i32, i32),
    lower_right: (i32, i32),
    colour: Colour,
) -> Drawn {
    area.draw(&Rectangle::new([upper_left, lower_right], colour.rgb().filled()))
}

/// A marker around `centre`, `size` pixels from its middle to its edge. One that is not filled has the
/// paper inside, so that no line shows through.
pub(super) fn marker(area: &Area<'_>, centre: (i32, i32), size: i32, look: Look) -> Drawn {
    shape(area, centre, size, look.shape, look.colour)?;
    if look.filled { Ok(()) } else { shape(area, centre, size - 2, look.shape, PAPER) }
}

fn shape(area: &Area<'_>, (x, y): (i32, i32), size: i32, shape: Shape, colour: Colour) -> Drawn {
    let style = colour.rgb().filled();
    match shape {
        Shape::Circle => area.draw(&Circle::new((x, y), size, style)),
        Shape::Square => {
            let half = size - 1;
            area.draw(&Rectangle::new([(x - half, y - half), (x + half, y + half)], style))
        }
        Shape::Diamond => {
            let reach = size + 1;
            let corners = [(x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)];
            area.draw(&Polygon::new(corners, style))
        }
        Shape::Triangle => {
            let reach = size + 1;
            let corners = [(x, y - reach), (x + reach, y + size), (x - reach, y + size)];
            area.draw(&Polygon::new(corners, style))
        }
    }
}
