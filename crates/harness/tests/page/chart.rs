//! The chart follows the selection: a mark or a reason for every row.

use serde_json::json;

use crate::fixture::REASON;
use crate::scene::{EVERYTHING, MARKS, ROWS, Scene};

#[test]
fn every_shown_row_has_its_mark_or_the_reason_for_none() {
    for show in ["overhead", "relative", "time", "instructions"] {
        let Some(mut scene) = Scene::open(&format!("{EVERYTHING}&show={show}")) else { return };
        assert_eq!(scene.value(MARKS), scene.value(ROWS), "{show}");
        let one_each = "[...document.querySelectorAll('#chart .row')].every((row) => \
             (row.querySelector('.mark, .part') === null) !== (row.querySelector('.absent') === null))";
        assert_eq!(scene.value(one_each), json!(true), "{show}");
        let inside = "[...document.querySelectorAll('#chart .mark, #chart .part, #chart .line')]\
             .every((it) => { const [a, b] = [it, it.ownerSVGElement].map((it) => it.getBoundingClientRect()); \
             return a.left >= b.left && a.right <= b.right; })";
        assert_eq!(scene.value(inside), json!(true), "{show}");
        let drawn =
            scene.value("document.querySelectorAll('#chart .mark, #chart .binding').length");
        // All but: controls, failed, counted alone; where there is a ratio to raw-ffi, one of the controls.
        let expected = match show {
            "overhead" => 23,
            "relative" => 35,
            "time" => 47,
            _ => 49,
        };
        assert_eq!(drawn, json!(expected), "{show}");
        scene.close();
    }
}

#[test]
fn verdicts_have_shapes_of_their_own() {
    let Some(mut scene) = Scene::open("backend=owned-buffer&value=4,64") else { return };
    let kinds = "['slower', 'undecided', 'faster'].map((kind) => \
                 document.querySelectorAll(`#chart .mark.${kind}`).length)";
    // Every fourth case of the fixture, verdicts in turn.
    assert_eq!(scene.value(kinds), json!([4, 4, 4]));
    let shapes = "[...document.querySelectorAll('#chart .mark.faster')].map((it) => it.tagName)[0]";
    assert_eq!(scene.value(shapes), "path");
    let words = "[...document.querySelectorAll('td.slow, td.none, td.fast')].slice(0, 3)\
                 .map((it) => it.textContent).join()";
    assert_eq!(scene.value(words), "▲ slower,no difference found,▼ faster");
    scene.close();
}

#[test]
fn a_failed_case_shows_its_reason_as_text() {
    let Some(mut scene) = Scene::open("backend=heed&batch=10&finish=commit") else { return };
    assert_eq!(scene.value(ROWS), json!(1));
    let cell = "document.querySelector('#table td.failed').textContent";
    assert_eq!(scene.value(cell), format!("failed: {REASON}"));
    let mark = "document.querySelector('#chart .absent').textContent";
    assert_eq!(scene.value(mark), format!("failed: {REASON}"));
    assert_eq!(scene.value("document.querySelectorAll('b').length"), json!(0));
    scene.close();
}
