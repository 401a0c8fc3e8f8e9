//! The page `results/index.html`: all published runs in one file, to choose from, sort and draw. It
//! needs no network and works from disk.
//!
//! What it shows is data: axes, columns, charts, and cells as texts. The program in it knows no axis and no
//! verdict; a cell's number is what its text begins with, in the unit that follows.
//!
//! | file | what it owns |
//! |---|---|
//! | `data` | what of the published runs is in it |
//! | `words.json` | its columns, charts and verdicts |
//! | `page.html`, `page.css` | what is seen before the program runs, and how it looks |
//! | `selection.js` | the data as rows; what is chosen, and its text in the page's address |
//! | `controls.js`, `table.js`, `chart.js` | what is seen of a selection |
//! | `page.js` | ties these together |

mod data;

use crate::view::RunView;
use data::Data;

/// The parts of the program in the order in which they stand in the page, one scope for all.
const PROGRAM: [&str; 5] = [
    include_str!("selection.js"),
    include_str!("controls.js"),
    include_str!("table.js"),
    include_str!("chart.js"),
    include_str!("page.js"),
];

/// Columns, charts and verdicts.
const WORDS: &str = include_str!("words.json");

/// The whole page for `runs`.
///
/// # Panics
/// Never: what is embedded are lists, numbers and texts, which JSON has.
#[must_use]
pub fn page(runs: &[RunView<'_>]) -> String {
    let data = serde_json::to_string(&Data::new(runs)).expect("lists, numbers and texts");
    fill(
        include_str!("page.html"),
        &[
            ("<!-- style -->", include_str!("page.css")),
            ("<!-- tables -->", &tables(runs)),
            // Nothing can end the element it stands in: a `<` is only ever in a text there.
            ("<!-- words -->", WORDS),
            ("<!-- data -->", &data.replace('<', "\\u003c")),
            ("<!-- program -->", &PROGRAM.concat()),
        ],
    )
}

/// `page` with each mark, which must be there in this order, replaced by its text; what is put in is not
/// searched for marks.
fn fill(page: &str, parts: &[(&str, &str)]) -> String {
    let mut rest = page;
    let mut filled = String::new();
    for (mark, text) in parts {
        let (before, after) = rest.split_once(mark).unwrap_or((rest, ""));
        filled.extend([before, *text]);
        rest = after;
    }
    filled + rest
}

/// Links to the tables of all runs, for a browser without scripts.
fn tables(runs: &[RunView<'_>]) -> String {
    let links = runs.iter().filter(|view| view.compare.is_some()).map(|view| {
        let place = escape(&view.place());
        format!("<li><a href=\"{place}/README.md\">{place}</a></li>\n")
    });
    links.collect()
}

/// Text in HTML, in quotes too.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use records::published::Published;
    use records::testing::Run;

    #[test]
    fn no_text_of_a_run_can_end_its_element() {
        let name = "commit-n10-v64-k4-sequential-nosync";
        let mut run = Published::empty("a\"<b>&", "2030-01-02");
        run.compare = Some(Run::whole().failed("heed", name, "</script><!--<script>").build());
        let page = page(&[RunView::new(&run)]);
        assert!(page.contains("failed: \\u003c/script>\\u003c!--"), "{page}");
        assert_eq!(page.matches("</script>").count(), 3);
        assert!(page.contains("a&quot;&lt;b&gt;&amp;/2030-01-02/README.md"), "{page}");
    }

    #[test]
    fn the_page_has_all_its_parts() {
        assert_eq!(fill("a(1)b(2)c", &[("(1)", "x(2)"), ("(2)", "y")]), "ax(2)byc");
        let page = page(&[]);
        assert!(page.contains("\"first\":null,\"runs\":[]}") && page.ends_with("</html>\n"));
        assert!(!PROGRAM.concat().contains("</script") && !WORDS.contains('<'));
    }

    #[test]
    fn charts_draw_columns_that_are_there() {
        let words: serde_json::Value = serde_json::from_str(WORDS).unwrap();
        let columns = words["columns"].as_array().unwrap();
        assert_eq!(columns.len(), data::COLUMNS);
        let ids: Vec<&str> = columns.iter().filter_map(|it| it["id"].as_str()).collect();
        for chart in words["charts"].as_array().unwrap() {
            let parts = chart["parts"].as_array().unwrap().iter().map(|part| &part[0]);
            let named = ["value", "interval", "verdict", "floor"].map(|key| &chart[key]);
            let mut named = parts.chain(named).filter_map(serde_json::Value::as_str);
            assert!(named.all(|id| ids.contains(&id)), "{chart}");
        }
    }
}
