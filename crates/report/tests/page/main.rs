//! The page of all published runs in a browser: what is shown, sorted and drawn of a selection, with
//! keys, links, and on a narrow screen; and the pictures of a run.

mod browser;
mod fixture;
mod pictures;

use std::path::Path;

use records::published::Published;
use report::page::document;
use report::view::RunView;
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::fixture::REASON;

fn page(runs: &[Published]) -> String {
    document::page(&runs.iter().map(RunView::new).collect::<Vec<_>>())
}

/// The page in a browser.
struct Scene<'a> {
    browser: Browser,
    page: &'a Path,
}

impl Scene<'_> {
    fn open(&mut self, fragment: &str) {
        self.browser.open(self.page, fragment);
    }

    fn value(&mut self, expression: &str) -> Value {
        self.browser.value(expression)
    }

    fn text(&mut self, id: &str) -> String {
        let text = self.value(&format!("document.getElementById('{id}').textContent"));
        text.as_str().unwrap_or_default().to_owned()
    }

    fn eventually(&mut self, expression: &str, expected: impl Into<Value>) {
        self.browser.eventually(expression, expected);
    }
}

const ROWS: &str = "document.querySelectorAll('#table tbody tr').length";
const MARKS: &str = "document.querySelectorAll('#chart .row').length";
/// The boxes that are checked, as `name=value`.
const CHECKED: &str = "[...document.querySelectorAll('input:checked')].map((it) => `${it.name}=${it.value}`).join(' ')";
/// The first column of the table.
const NAMES: &str =
    "[...document.querySelectorAll('#table tbody th')].map((it) => it.textContent).join(' ')";
/// Everything that can be shown, so that all columns and rows without values take part.
const EVERYTHING: &str = "columns=time,overhead,relative,counts&sync=nosync,sync&value_size=4,64\
                          &backend=raw-ffi,raw-ffi@lmdb-master-sys,heed,owned-buffer";
const BESIDE: &str = "&beside=another/2030-01-02/shipped";
const CHARTS: [&str; 4] = ["overhead", "relative", "time-per-put", "instructions"];

/// What is done with the page and looked at.
type Check = fn(&mut Scene<'_>);

/// One browser for all: starting one takes longer than what is done with it.
#[test]
fn the_page_in_a_browser() {
    let Some(mut browser) = Browser::start() else { return };
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("index.html");
    std::fs::write(&file, page(&fixture::two_machines())).expect("it is written");
    browser.screen(1280, 900);
    let mut scene = Scene { browser, page: &file };
    let scenes: [(&str, Check); 8] = [
        ("the first view is the bindings on the reference machine", first_view),
        ("a link gives its selection and survives a reload and the way back", link),
        ("what a link asks for and is not here is left out with a word", unknown),
        ("every column sorts up and down and back", sorting),
        ("everything can be done with the keyboard", keyboard),
        ("every shown row has its mark or the reason for none", charts),
        ("a phone scrolls the table and never the page", phone),
        ("it follows a dark system, and leads to the tables without scripts", system),
    ];
    for (name, check) in scenes {
        eprintln!("{name}");
        check(&mut scene);
        scene.browser.check();
    }
}

fn first_view(scene: &mut Scene<'_>) {
    scene.open("");
    assert_eq!(scene.value("document.getElementById('run').value"), "xeon-vm/2030-01-02/shipped");
    // Two bindings, two ends, three batch sizes, one value size.
    assert_eq!((scene.value(ROWS), scene.value(MARKS)), (json!(12), json!(12)));
    let expected = "finish=abort finish=commit sync=nosync batch_size=1 batch_size=10 batch_size=100 \
                    value_size=64 backend=heed backend=owned-buffer columns=time columns=overhead";
    assert_eq!(scene.value(CHECKED), expected);
    assert_eq!(scene.value("document.documentElement.lang"), "en");
    // Nothing chosen shows nothing and says so.
    scene.open("backend=");
    assert_eq!((scene.value(ROWS), scene.value(MARKS)), (json!(0), json!(0)));
    assert!(scene.text("chart-about").starts_with("Nothing is chosen"));
}

fn link(scene: &mut Scene<'_>) {
    scene.open(
        "run=another/2030-01-02/shipped&finish=abort&batch_size=10,100&backend=raw-ffi,heed\
         &columns=relative&show=relative&sort=-backend",
    );
    let is_shown = |scene: &mut Scene<'_>| {
        scene.eventually(NAMES, "raw-ffi raw-ffi heed heed");
        assert_eq!(scene.value("document.getElementById('show').value"), "relative");
    };
    is_shown(scene);
    // This machine's warnings stand above its numbers.
    assert!(scene.text("note").contains("could not be bound to a core"));
    let click = "document.querySelector('input[value=heed]').click()";
    scene.value(click);
    scene.eventually(NAMES, "raw-ffi raw-ffi");
    scene.value("history.back()");
    is_shown(scene);
    // What the page writes is what it reads.
    scene.value(click);
    scene.eventually(ROWS, 2);
    scene.value(click);
    scene.eventually(ROWS, 4);
    let written = scene.value("location.hash");
    let written = written.as_str().expect("a text").trim_start_matches('#').to_owned();
    assert!(written.contains("run=another/2030-01-02/shipped"), "{written}");
    scene.open(&written);
    is_shown(scene);
    // A second machine stands beside the first.
    scene.open(&format!("backend=heed&finish=abort{BESIDE}"));
    scene.eventually(ROWS, 6);
    let machines = "[...document.querySelectorAll('#table tbody tr')].slice(0, 2)\
                    .map((it) => it.cells[1].textContent).join('; ')";
    let both = "xeon-vm, 2030-01-02, as shipped; another, 2030-01-02, as shipped";
    assert_eq!(scene.value(machines), both);
    assert!(scene.text("note").contains("compare ratios"));
}

fn unknown(scene: &mut Scene<'_>) {
    let unknown = "run=nowhere&backend=heed,sled&value_size=65&sort=beauty&colour=red&show=price";
    scene.open(unknown);
    let note = scene.text("note");
    for part in
        ["run=nowhere", "backend=sled", "value_size=65", "sort=beauty", "colour", "show=price"]
    {
        assert!(note.contains(part), "{part}: {note}");
    }
    // What it asks for and is here is shown; a value size that is not is as if it was not asked for.
    assert_eq!(scene.value(NAMES), ["heed"; 6].join(" "));
    scene.value("document.getElementById('reset').click()");
    scene.eventually(ROWS, 12);
    assert!(!scene.text("note").contains("The link asks"));
}

fn sorting(scene: &mut Scene<'_>) {
    scene.open(EVERYTHING);
    // Two ends, three batch and two value sizes, four backends; one that was counted alone.
    assert_eq!(scene.value(ROWS), json!(49));
    // The cells of a column as what is compared: numbers in one unit, or words. What is missing is null.
    scene.value(
        "window.cells = (index) => [...document.querySelectorAll('#table tbody tr')].map((row) => {
            const cell = row.cells[index];
            if (!cell || cell.colSpan > 1 || cell.textContent === '–') return null;
            const text = cell.textContent.replace(/^[▲▼] /, '');
            const scale = { ns: 1, μs: 1e3, ms: 1e6, s: 1e9 }[text.split(' ').at(-1)] ?? 1;
            return /^\\d/.test(text) ? parseFloat(text) * scale : text;
        }); 0",
    );
    let before = scene.value(NAMES);
    let buttons = "document.querySelectorAll('#table thead button')";
    let count = scene.value(&format!("{buttons}.length")).as_u64().expect("a number");
    // Backend and four axes; six about times, seven about ratios, nine counts.
    assert_eq!(count, 28);
    for index in 0..count {
        let button = format!("{buttons}[{index}]");
        for direction in ["ascending", "descending"] {
            scene.value(&format!("{button}.click()"));
            scene.eventually(&format!("{button}.parentElement.ariaSort"), direction);
            let cells = scene.value(&format!("cells({index})"));
            check_order(cells.as_array().expect("cells"), direction == "descending");
            assert_eq!(scene.value(MARKS), json!(49));
        }
        scene.value(&format!("{button}.click()"));
        scene.eventually(&format!("{button}.parentElement.ariaSort"), "none");
    }
    assert_eq!(scene.value(NAMES), before);
}

/// Cells that are there in order, those that are not behind them.
fn check_order(cells: &[Value], descending: bool) {
    let present = cells.iter().take_while(|cell| !cell.is_null()).count();
    assert!(present > 1, "{cells:?}");
    assert!(cells[present..].iter().all(Value::is_null), "{cells:?}");
    for pair in cells[..present].windows(2) {
        let (first, second) = if descending { (&pair[1], &pair[0]) } else { (&pair[0], &pair[1]) };
        let in_order = match (first.as_f64(), second.as_f64()) {
            (Some(first), Some(second)) => first <= second,
            _ => first.as_str() <= second.as_str(),
        };
        assert!(in_order, "{first} {second}: {cells:?}");
    }
}

fn keyboard(scene: &mut Scene<'_>) {
    scene.open("");
    let browser = &mut scene.browser;
    browser.tab_to("document.activeElement.value === 'heed'");
    let outline = "getComputedStyle(document.activeElement.nextElementSibling).outlineStyle";
    assert_eq!(browser.value(outline), "solid", "one sees where one is");
    browser.press(" ");
    browser.eventually(ROWS, 6);
    // Other rows, the same place: the next key goes on from here.
    assert_eq!(browser.value("document.activeElement.value"), "heed");
    browser.press(" ");
    browser.eventually(ROWS, 12);
    browser.tab_to("document.activeElement.dataset.sort === 'mean'");
    browser.press("Enter");
    browser.eventually("document.activeElement.parentElement.ariaSort", "ascending");
    assert_eq!(browser.value("document.activeElement.dataset.sort"), "mean");
    // Not caught anywhere: on to the end and around.
    browser.tab_to("document.activeElement.classList.contains('skip')");
    browser.press("Enter");
    browser.eventually("document.activeElement.id", "chart-heading");
    browser.eventually(ROWS, 12);
}

fn charts(scene: &mut Scene<'_>) {
    // All except: controls, failed, counted alone; where there is a ratio to raw-ffi, one of the controls.
    for (show, expected) in CHARTS.into_iter().zip([23, 35, 47, 48]) {
        scene.open(&format!("{EVERYTHING}&show={show}"));
        assert_eq!(scene.value(MARKS), scene.value(ROWS), "{show}");
        let one_each = "[...document.querySelectorAll('#chart .row')].every((row) => \
             (row.querySelector('.mark, .part') === null) !== (row.querySelector('.absent') === null))";
        assert_eq!(scene.value(one_each), json!(true), "{show}");
        let inside = "[...document.querySelectorAll('#chart .mark, #chart .part, #chart .line')]\
             .every((it) => { const [a, b] = [it, it.ownerSVGElement].map((it) => it.getBoundingClientRect()); \
             return a.left >= b.left && a.right <= b.right; })";
        assert_eq!(scene.value(inside), json!(true), "{show}");
        let drawn = "document.querySelectorAll('#chart .mark, #chart .binding').length";
        assert_eq!(scene.value(drawn), json!(expected), "{show}");
    }
    // Verdicts have shapes of their own.
    scene.open("backend=owned-buffer&value_size=4,64");
    let kinds = "['slower', 'undecided', 'faster'].map((kind) => \
                 document.querySelectorAll(`#chart .mark.${kind}`).length)";
    assert_eq!(scene.value(kinds), json!([4, 4, 4]));
    assert_eq!(scene.value("document.querySelector('#chart .mark.faster').tagName"), "path");
    let words = "[...new Set([...document.querySelectorAll('td.slower, td.undecided, td.faster')]\
                 .map((it) => it.textContent))].join()";
    assert_eq!(scene.value(words), "▲ slower,no-difference-found,▼ faster");
    // A failed case shows its reason as text.
    scene.open("backend=heed&batch_size=10&finish=commit");
    assert_eq!(scene.value(ROWS), json!(1));
    for place in ["#table td.failed", "#chart .absent"] {
        let text = scene.value(&format!("document.querySelector('{place}').textContent"));
        assert_eq!(text, format!("failed: {REASON}"));
    }
    assert_eq!(scene.value("document.querySelectorAll('b').length"), json!(0));
}

fn phone(scene: &mut Scene<'_>) {
    scene.browser.screen(390, 844);
    for show in CHARTS {
        scene.open(&format!("{EVERYTHING}{BESIDE}&show={show}"));
        assert_eq!(scene.value("innerWidth"), json!(390));
        assert_eq!(scene.value("document.documentElement.scrollWidth"), json!(390), "{show}");
        let table = "(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)\
                     (document.getElementById('scroll'))";
        assert_eq!(scene.value(table), json!(true));
        let outside = "[...document.querySelectorAll('#chart svg, #chart text')]\
             .filter((it) => it.getBoundingClientRect().right > 390).map((it) => it.textContent)";
        assert_eq!(scene.value(outside), json!([]), "{show}");
    }
    // Fingers need room.
    scene.value("document.getElementById('choices').open = true");
    let small = "[...document.querySelectorAll('.chip, select, thead button')]\
                 .filter((it) => it.getBoundingClientRect().height < 32).length";
    assert_eq!(scene.value(small), json!(0));
    scene.browser.screen(1280, 900);
}

fn system(scene: &mut Scene<'_>) {
    scene.open("");
    scene.browser.follows_the_system(
        "['backgroundColor', 'color'].map((it) => getComputedStyle(document.body)[it])",
    );
    scene.browser.ask("Emulation.setScriptExecutionDisabled", &json!({"value": true}));
    scene.open("");
    let links = "[...document.querySelectorAll('noscript a')].map((it) => it.getAttribute('href')).join(' ')";
    let expected = "another/2030-01-02/README.md xeon-vm/2030-01-02/README.md";
    assert_eq!(scene.value(links), expected);
    assert_eq!(scene.value("document.getElementById('layout').checkVisibility()"), json!(false));
}

/// What ten machines with all their cases may take, in bytes.
const LARGEST: usize = 1_500_000;

#[test]
fn ten_machines_with_all_their_cases_fit() {
    let runs = fixture::many(10);
    let cases: usize = runs.iter().filter_map(|run| Some(run.compare.as_ref()?.cases.len())).sum();
    let text = page(&runs);
    assert!(cases == 5280 && text.len() < LARGEST, "{cases} cases in {} bytes", text.len());
    assert_eq!(text, page(&runs), "the same runs give the same page");
}
