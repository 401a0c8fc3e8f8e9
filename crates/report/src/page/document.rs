//! The page put together from its parts.

use super::data::Data;
use records::published::Published;

/// The parts of the program in the order in which they stand in the page, one scope for all.
const PROGRAM: [&str; 7] = [
    include_str!("decode.js"),
    include_str!("selection.js"),
    include_str!("columns.js"),
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
pub fn page(runs: &[Published]) -> String {
    let data = serde_json::to_string(&Data::of(runs)).expect("lists, numbers and texts");
    fill(
        include_str!("page.html"),
        &[
            ("<!-- style -->", include_str!("page.css")),
            ("<!-- tables -->", &tables(runs)),
            ("<!-- data -->", &inert(&data)),
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

/// JSON in which nothing can end the element it stands in: a `<` is only ever in a text there.
fn inert(json: &str) -> String {
    json.replace('<', "\\u003c")
}

/// Links to the tables of all runs, for who sees no more than these.
fn tables(runs: &[Published]) -> String {
    let links = runs.iter().filter(|run| run.compare.is_some()).map(|run| {
        // Slashes on every platform.
        let place = escape(&format!("{}/{}", run.host, run.date));
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

    #[test]
    fn embedded_data_cannot_end_its_element() {
        let json = inert(&serde_json::to_string("</script><!--<script>").unwrap());
        assert!(!json.contains('<'), "{json}");
        let back: String = serde_json::from_str(&json).unwrap();
        assert_eq!(back, "</script><!--<script>");
    }

    #[test]
    fn what_is_put_in_is_not_searched_for_marks() {
        assert_eq!(fill("a(1)b(2)c", &[("(1)", "x(2)"), ("(2)", "y")]), "ax(2)byc");
    }

    #[test]
    fn names_of_directories_are_escaped() {
        assert_eq!(escape("a\"<b>&"), "a&quot;&lt;b&gt;&amp;");
    }

    /// The page has all marks, so nothing is lost; what the program says of itself holds.
    #[test]
    fn the_page_has_all_its_parts() {
        let page = page(&[]);
        for part in PROGRAM {
            assert!(page.contains(part));
        }
        assert!(page.contains(include_str!("page.css")) && page.ends_with("</html>\n"));
        assert!(page.contains("{\"names\":[],\"workloads\":[],\"first\":null,\"runs\":[]}"));
        assert!(!PROGRAM.concat().contains("</script"));
    }
}
