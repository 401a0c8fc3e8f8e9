//! A grid of texts for a terminal: columns of equal width, as many beside each other as fit.

use std::fmt::Write as _;

use crate::units::ABSENT;

/// The width for which documents are made, and that of a terminal that does not say its own.
pub const WIDTH: usize = 80;
/// How wide a column of numbers is.
const COLUMN: usize = 11;
/// The narrowest that the column of names is.
const NAME: usize = 14;

/// Rows under a title of their own.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Band {
    /// What the rows show; a line of its own, left out where it is empty.
    pub title: String,
    /// The rows: a name, and a text for each column.
    pub rows: Vec<(String, Vec<String>)>,
}

/// Bands under common headings.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Grid {
    /// The lines of the head, each with a name and a text for each column.
    pub head: Vec<(String, Vec<String>)>,
    /// The bands.
    pub bands: Vec<Band>,
}

impl Grid {
    /// The grid as text of at most `width` columns, as long as names leave room for one column of numbers:
    /// what does not fit beside stands below, under the same head. No more than `lines` lines; what is left
    /// out is named.
    #[must_use]
    pub fn text(&self, width: usize, lines: usize) -> String {
        let columns = self.head.first().map_or(0, |(_, texts)| texts.len());
        let rows = || self.head.iter().chain(self.bands.iter().flat_map(|band| &band.rows));
        let longest = rows().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
        let name = NAME.max(longest + 1);
        let beside = (width.saturating_sub(name) / COLUMN).max(1);
        let mut parts: Vec<String> = Vec::new();
        let mut used = 0;
        for start in (0..columns).step_by(self.chunk(beside, columns)) {
            let part = self.part(start, self.chunk(beside, columns), name);
            used += part.lines().count() + 1;
            if used > lines && !parts.is_empty() {
                parts.push(format!("{} more columns do not fit here.\n", columns - start));
                break;
            }
            parts.push(part);
        }
        parts.join("\n")
    }

    /// Whether there is anything in its cells.
    #[must_use]
    pub fn says_something(&self) -> bool {
        let rows = self.bands.iter().flat_map(|band| &band.rows);
        rows.flat_map(|(_, texts)| texts).any(|text| text != ABSENT)
    }

    /// How many columns stand beside each other: all with the same first heading where these fit.
    fn chunk(&self, beside: usize, columns: usize) -> usize {
        if columns <= beside {
            return beside;
        }
        let Some((_, texts)) = self.head.first() else { return beside };
        let same = texts.chunk_by(|one, other| one == other).map(<[String]>::len);
        let lengths: Vec<usize> = same.collect();
        match lengths.as_slice() {
            [first, rest @ ..]
                if *first > 1 && *first <= beside && rest.iter().all(|it| it == first) =>
            {
                beside / first * first
            }
            _ => beside,
        }
    }

    fn part(&self, start: usize, length: usize, name: usize) -> String {
        let line = |(title, texts): &(String, Vec<String>)| {
            let mut line = format!("{title:<name$}");
            for text in texts.iter().skip(start).take(length) {
                let _ = write!(line, "{text:>COLUMN$}");
            }
            line.trim_end().to_owned()
        };
        let mut lines: Vec<String> = self.head.iter().map(line).collect();
        for band in &self.bands {
            lines.extend((!band.title.is_empty()).then(|| band.title.clone()));
            lines.extend(band.rows.iter().map(line));
        }
        lines.join("\n") + "\n"
    }
}

/// `text` in lines of at most `width` columns, broken between words; a line break in it stays, and lines of
/// a list go on indented.
///
/// ```
/// use report::answer::grid::wrapped;
/// assert_eq!(wrapped("one two three", 8), "one two\nthree\n");
/// assert_eq!(wrapped("- one two", 6), "- one\n  two\n");
/// ```
#[must_use]
pub fn wrapped(text: &str, width: usize) -> String {
    let mut wrapped = String::new();
    for paragraph in text.lines() {
        let indent = if paragraph.starts_with("- ") { "  " } else { "" };
        let mut length = 0;
        for word in paragraph.split(' ') {
            let more = word.chars().count();
            if length > 0 && length + 1 + more > width {
                wrapped = format!("{wrapped}\n{indent}");
                length = indent.len();
            } else if length > 0 {
                wrapped.push(' ');
                length += 1;
            }
            wrapped.push_str(word);
            length += more;
        }
        wrapped.push('\n');
    }
    wrapped
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn grid(columns: usize) -> Grid {
        let texts = |text: &dyn Fn(usize) -> String| (0..columns).map(text).collect();
        let head = vec![
            (
                "finish".to_owned(),
                texts(&|column| ["abort", "commit"][column * 2 / columns].into()),
            ),
            ("batch size".to_owned(), texts(&|column| column.to_string())),
        ];
        let rows = vec![("heed".to_owned(), texts(&|_| "+2.0 ±0.3".to_owned()))];
        Grid { head, bands: vec![Band { title: "Title".to_owned(), rows }] }
    }

    #[test]
    fn six_columns_fit_and_eight_stand_in_two_parts_by_their_heading() {
        let text = grid(6).text(80, 40);
        assert_eq!(text.lines().count(), 4, "{text}");
        let text = grid(8).text(80, 40);
        assert_eq!(text.lines().count(), 9, "{text}");
        assert!(text.lines().next().unwrap().matches("abort").count() == 4, "{text}");
        assert!(grid(60).text(80, 12).ends_with("more columns do not fit here.\n"));
    }

    proptest! {
        #[test]
        fn nothing_is_wider_than_asked(columns in 1_usize..40, width in 30_usize..200, text in "[a-z ]{0,300}") {
            let grid = grid(columns).text(width, usize::MAX);
            for line in grid.lines() {
                prop_assert!(line.chars().count() <= width, "{line}");
            }
            prop_assert_eq!(grid.matches("+2.0").count(), columns);
            let wrapped = wrapped(&text, width);
            let longest = text.split(' ').map(str::len).max().unwrap_or_default();
            for line in wrapped.lines() {
                prop_assert!(line.len() <= width.max(longest), "{line}");
            }
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            prop_assert_eq!(words(&wrapped), words(&text));
        }
    }
}
