//! The page put together from its parts.

use super::data::Data;
use crate::view::RunView;

/// The parts of the program in the order in which they stand in the page, one scope for all.
const PROGRAM: [&str; 5] = [
    include_str!("selection.js"),
    include_str!("controls.js"),
    include_str!("table.js"),
    include_str!("chart.js"),
    include_str!("page.js"),
];

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
        assert_eq!(page.matches("</script>").count(), 2);
        assert!(page.contains("a&quot;&lt;b&gt;&amp;/2030-01-02/README.md"), "{page}");
    }

    #[test]
    fn the_page_has_all_its_parts() {
        assert_eq!(fill("a(1)b(2)c", &[("(1)", "x(2)"), ("(2)", "y")]), "ax(2)byc");
        let page = page(&[]);
        assert!(PROGRAM.iter().all(|part| page.contains(part)));
        assert!(page.contains(include_str!("page.css")) && page.ends_with("</html>\n"));
        assert!(page.contains("\"first\":null,\"runs\":[]}"));
        assert!(!PROGRAM.concat().contains("</script"));
    }
}
