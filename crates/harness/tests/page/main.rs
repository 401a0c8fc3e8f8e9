//! The page of all published runs, in a browser: what is shown, sorted and drawn of a selection, with
//! keys, links, and on a narrow screen; and the pictures of a run.

mod browser;
mod chart;
mod fixture;
mod pictures;
mod scene;

use report::page::document::page;
use serde_json::{Value, json};

use crate::fixture::REASON;
use crate::scene::{CHECKED, EVERYTHING, MARKS, NAMES, ROWS, Scene};

#[test]
fn the_first_view_is_the_bindings_on_the_reference_machine() {
    let Some(mut scene) = Scene::open("") else { return };
    assert_eq!(scene.value("document.getElementById('run').value"), "xeon-vm/2030-01-02/shipped");
    // Two bindings, two ends, three batch sizes, one value size.
    assert_eq!(scene.value(ROWS), json!(12));
    assert_eq!(scene.value(MARKS), json!(12));
    let checked = "columns=time columns=overhead";
    assert_eq!(
        scene.value(CHECKED),
        format!(
            "finish=abort finish=commit sync=nosync batch=1 batch=10 batch=100 value=64 \
             backend=heed backend=owned-buffer {checked}"
        )
    );
    assert_eq!(scene.value("document.documentElement.lang"), "en");
    scene.close();
}

#[test]
fn a_link_gives_its_selection_and_survives_a_reload_and_the_way_back() {
    let fragment = "run=another/2030-01-02/shipped&finish=abort&batch=10,100&backend=raw-ffi,heed\
                    &columns=relative&show=relative&sort=-backend";
    let Some(mut scene) = Scene::open(fragment) else { return };
    let names = "raw-ffi raw-ffi heed heed";
    let is_shown = |scene: &mut Scene| {
        scene.eventually(NAMES, &json!(names));
        assert_eq!(scene.value("document.getElementById('show').value"), "relative");
        assert_eq!(scene.value("document.getElementById('note').childElementCount"), json!(3));
    };
    is_shown(&mut scene);
    // This machine's warnings stand above its numbers.
    let note = scene.value("document.getElementById('note').textContent");
    assert!(note.as_str().unwrap().contains("could not be bound to a core"), "{note}");

    scene.browser.reload();
    is_shown(&mut scene);
    scene.value("document.querySelector('input[value=heed]').click()");
    scene.eventually(NAMES, &json!("raw-ffi raw-ffi"));
    scene.value("history.back()");
    is_shown(&mut scene);
    // What the page writes is what it reads.
    scene.value("document.querySelector('input[value=heed]').click()");
    scene.eventually(ROWS, &json!(2));
    scene.value("document.querySelector('input[value=heed]').click()");
    scene.eventually(ROWS, &json!(4));
    let written = scene.value("location.hash");
    assert!(written.as_str().unwrap().contains("run=another/2030-01-02/shipped"), "{written}");
    scene.browser.reload();
    is_shown(&mut scene);
    scene.close();
}

#[test]
fn what_a_link_asks_for_and_is_not_here_is_left_out_with_a_word() {
    let fragment = "run=nowhere&backend=heed,sled&value=65&sort=beauty&colour=red&show=price";
    let Some(mut scene) = Scene::open(fragment) else { return };
    let note = scene.value("document.getElementById('note').textContent");
    let note = note.as_str().unwrap();
    for unknown in
        ["run=nowhere", "backend=sled", "value=65", "sort=beauty", "colour", "show=price"]
    {
        assert!(note.contains(unknown), "{unknown}: {note}");
    }
    // What it asks for and is here is shown; a value size that is not is as if it was not asked for.
    assert_eq!(scene.value(NAMES), ["heed"; 6].join(" "));
    scene.value("document.getElementById('reset').click()");
    // What is said of a small run stays.
    scene.eventually("document.getElementById('note').childElementCount", &json!(2));
    let note = scene.value("document.getElementById('note').textContent");
    assert!(note.as_str().unwrap().contains("Only a part of the default matrix"), "{note}");
    scene.eventually(ROWS, &json!(12));
    scene.close();
}

#[test]
fn every_column_sorts_up_and_down_and_back() {
    let Some(mut scene) = Scene::open(EVERYTHING) else { return };
    // Two ends, three batch and two value sizes, four backends; one that was counted alone.
    assert_eq!(scene.value(ROWS), json!(49));
    // The cells of a column as what is compared: numbers in one unit, or words. What is missing is null.
    scene.value(
        "window.cells = (index) => [...document.querySelectorAll('#table tbody tr')].map((row) => {
            const cell = row.cells[index];
            if (!cell || cell.colSpan > 1 || cell.textContent === '–') return null;
            const text = cell.textContent.replace(/^[▲▼±] /, '');
            const [number, unit] = text.split(' ');
            const scale = { ns: 1, μs: 1e3, ms: 1e6, s: 1e9 }[unit] ?? 1;
            return Number.isNaN(Number(number)) ? text : Number(number) * scale;
        }); 0",
    );
    let count = scene.value("document.querySelectorAll('#table thead button').length");
    let count = count.as_u64().unwrap();
    // Five axes, four times, seven about ratios, four counts.
    assert_eq!(count, 20);
    let before = scene.value(NAMES);
    for index in 0..count {
        let button = format!("document.querySelectorAll('#table thead button')[{index}]");
        for direction in ["ascending", "descending"] {
            scene.value(&format!("{button}.click()"));
            let sorted_by = "[...document.querySelectorAll('#table [aria-sort]')]\
                             .map((it) => it.ariaSort).join(' ')";
            let mut all = vec!["none"; count as usize];
            all[index as usize] = direction;
            scene.eventually(sorted_by, &json!(all.join(" ")));
            let cells = scene.value(&format!("cells({index})"));
            check_order(cells.as_array().unwrap(), direction == "descending");
            assert_eq!(scene.value(MARKS), json!(49));
        }
        scene.value(&format!("{button}.click()"));
        scene.eventually(&format!("{button}.parentElement.ariaSort"), &json!("none"));
    }
    assert_eq!(scene.value(NAMES), before);
    scene.close();
}

/// Cells that are there in order, those that are not behind them.
fn check_order(cells: &[Value], descending: bool) {
    let present = cells.iter().take_while(|cell| !cell.is_null()).count();
    assert!(present > 1, "{cells:?}");
    assert!(cells[present..].iter().all(Value::is_null), "{cells:?}");
    for pair in cells[..present].windows(2) {
        let (first, second) = if descending { (&pair[1], &pair[0]) } else { (&pair[0], &pair[1]) };
        let in_order = match (first.as_f64(), second.as_f64()) {
            // Sorting knows more digits than are shown.
            (Some(first), Some(second)) => first <= second,
            _ => first.as_str().unwrap() <= second.as_str().unwrap(),
        };
        assert!(in_order, "{first} {second}: {cells:?}");
    }
}

#[test]
fn everything_can_be_done_with_the_keyboard() {
    let Some(mut scene) = Scene::open("") else { return };
    let browser = &mut scene.browser;
    browser.tab_to("document.activeElement.value === 'heed'");
    let outline = "getComputedStyle(document.activeElement.nextElementSibling).outlineStyle";
    assert_eq!(browser.value(outline), "solid", "one sees where one is");
    browser.press(" ");
    browser.eventually(ROWS, &json!(6));
    // Other rows, the same place: the next key goes on from here.
    assert_eq!(browser.value("document.activeElement.value"), "heed");
    browser.press(" ");
    browser.eventually(ROWS, &json!(12));

    browser.tab_to("document.activeElement.dataset.sort === 'mean'");
    browser.press("Enter");
    browser.eventually("document.activeElement.parentElement.ariaSort", &json!("ascending"));
    browser.press(" ");
    browser.eventually("document.activeElement.parentElement.ariaSort", &json!("descending"));
    assert_eq!(browser.value("document.activeElement.dataset.sort"), "mean");
    // Not caught anywhere: on to the end and around.
    browser.tab_to("document.activeElement.classList.contains('skip')");
    browser.press("Enter");
    browser.eventually("document.activeElement.id", &json!("chart-heading"));
    browser.eventually(ROWS, &json!(12));
    scene.close();
}

#[test]
fn a_second_machine_stands_beside_the_first() {
    let Some(mut scene) = Scene::open("backend=heed&finish=abort") else { return };
    scene.value(
        "const beside = document.getElementById('beside'); beside.value = 'another/2030-01-02/shipped'; \
         beside.dispatchEvent(new Event('change', { bubbles: true }))",
    );
    scene.eventually(ROWS, &json!(6));
    let machines = "[...document.querySelectorAll('#table tbody tr')].slice(0, 2)\
                    .map((it) => it.cells[1].textContent).join('; ')";
    let both = "xeon-vm 2030-01-02, as shipped; another 2030-01-02, as shipped";
    assert_eq!(scene.value(machines), both);
    let note = scene.value("document.getElementById('note').textContent");
    assert!(note.as_str().unwrap().contains("compare ratios"), "{note}");
    scene.close();
}

#[test]
fn nothing_chosen_shows_nothing_and_says_so() {
    let Some(mut scene) = Scene::open("backend=") else { return };
    assert_eq!(scene.value(ROWS), json!(0));
    assert_eq!(scene.value(MARKS), json!(0));
    let about = scene.value("document.getElementById('chart-about').textContent");
    assert!(about.as_str().unwrap().starts_with("Nothing is chosen"), "{about}");
    scene.close();
}

#[test]
fn a_phone_scrolls_the_table_and_never_the_page() {
    let Some(mut scene) = Scene::open("") else { return };
    scene.browser.screen(390, 844);
    for show in ["overhead", "relative", "time", "instructions"] {
        let page = scene.page.clone();
        let both = "&beside=another/2030-01-02/shipped";
        scene.browser.open(&page, &format!("{EVERYTHING}{both}&show={show}"));
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
    assert_eq!(scene.value("document.documentElement.scrollWidth"), json!(390));
    scene.close();
}

#[test]
fn it_follows_a_dark_system() {
    let Some(mut scene) = Scene::open("") else { return };
    let colours = "['backgroundColor', 'color'].map((it) => getComputedStyle(document.body)[it])";
    for (scheme, expected) in [
        ("light", ["rgb(255, 255, 255)", "rgb(31, 35, 40)"]),
        ("dark", ["rgb(13, 17, 23)", "rgb(230, 237, 243)"]),
    ] {
        let features = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        scene.browser.ask("Emulation.setEmulatedMedia", &features);
        scene.eventually(colours, &json!(expected));
    }
    scene.close();
}

#[test]
fn without_scripts_it_leads_to_the_tables() {
    let Some(mut scene) = Scene::open("") else { return };
    scene.browser.ask("Emulation.setScriptExecutionDisabled", &json!({"value": true}));
    let page = scene.page.clone();
    scene.browser.open(&page, "");
    let links = "[...document.querySelectorAll('noscript a')].map((it) => it.getAttribute('href')).join(' ')";
    let expected = "another/2030-01-02/README.md xeon-vm/2030-01-02/README.md";
    assert_eq!(scene.value(links), expected);
    assert_eq!(scene.value("document.getElementById('layout').checkVisibility()"), json!(false));
    scene.close();
}

/// What ten machines with all their cases may take.
const LARGEST: usize = 1_000_000;

#[test]
fn ten_machines_with_all_their_cases_fit() {
    let directory = tempfile::tempdir().expect("a directory");
    let runs = fixture::many(directory.path(), 10);
    let cases: usize = runs.iter().filter_map(|run| Some(run.compare.as_ref()?.cases.len())).sum();
    assert_eq!(cases, 5040);
    let size = page(&runs).len();
    assert!(size < LARGEST, "{size} bytes");
    // Numbers are in it at all: no less than a few digits for each of a case's.
    assert!(size > cases * 50, "{size} bytes");
}

#[test]
fn the_same_runs_give_the_same_page() {
    let directory = tempfile::tempdir().expect("a directory");
    let runs = fixture::two_machines(directory.path());
    assert_eq!(page(&runs), page(&runs.clone()));
    let reason = serde_json::to_string(REASON).expect("a text").replace('<', "\\u003c");
    assert!(page(&runs).contains(&reason));
}
