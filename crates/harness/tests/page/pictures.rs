//! The pictures of a published run, in a browser: nothing sticks out, no text lies on another, and a dark
//! system gets a dark picture.

use report::pictures::published::{Picture, pictures};
use report::pictures::{instructions, overhead, time_per_put};
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::fixture;

/// The pictures of the reference machine of the fixture.
fn made() -> Vec<Picture> {
    let directory = tempfile::tempdir().expect("a directory");
    let runs = fixture::two_machines(directory.path());
    let run = runs.iter().find(|run| run.counts.is_some()).expect("one run has counts");
    pictures(run)
}

#[test]
fn a_run_has_the_pictures_that_its_data_gives() {
    let directory = tempfile::tempdir().expect("a directory");
    let names: Vec<Vec<&str>> = fixture::two_machines(directory.path())
        .iter()
        .map(|run| pictures(run).iter().map(|picture| picture.name).collect())
        .collect();
    let compare = vec!["overhead.svg", "time-per-put.svg"];
    assert_eq!(names, [compare.clone(), [compare, vec!["instructions.svg"]].concat()]);
}

#[test]
fn what_was_not_measured_has_no_picture() {
    let directory = tempfile::tempdir().expect("a directory");
    let runs = fixture::two_machines(directory.path());
    let counts = runs.iter().find_map(|run| run.counts.clone()).expect("one run has counts");
    assert_eq!(overhead::overhead(&counts), None);
    assert_eq!(time_per_put::time_per_put(&counts), None);
    let mut compare = runs[0].compare.clone().expect("a comparison");
    assert_eq!(instructions::instructions(&compare), None);
    // A line needs two points.
    compare.cases.retain(|case| case.workload.batch_size == 10);
    assert_eq!(time_per_put::time_per_put(&compare), None);
    assert!(overhead::overhead(&compare).is_some());
}

#[test]
fn every_overhead_is_drawn_once() {
    let made = made();
    let intervals = |colour: &str| made[0].svg.matches(&format!(" stroke=\"{colour}\"")).count();
    // By verdict; one of each is the legend's. The fixture has 23 overheads and shares verdicts out.
    let drawn = ["#D55E00", "#808891", "#0072B2"].map(|colour| intervals(colour) - 1);
    assert_eq!(drawn.iter().sum::<usize>(), 23);
    assert!(drawn.iter().all(|count| *count >= 7), "{drawn:?}");
    for (name, mean) in [("heed", "1.04"), ("owned-buffer", "1.0")] {
        assert!(made[0].description.contains(&format!("{name} {mean}")), "{}", made[0].description);
    }
}

#[test]
fn pictures_are_readable_in_light_and_dark() {
    let Some(mut browser) = Browser::start() else { return };
    let directory = tempfile::tempdir().expect("a directory");
    for picture in made() {
        let file = directory.path().join(picture.name);
        std::fs::write(&file, &picture.svg).expect("it is written");
        browser.open(&file, "");
        let name = picture.name;
        assert_eq!(browser.value("document.documentElement.tagName"), "svg", "{name}");
        let described = browser.value("document.querySelector('desc').textContent");
        assert_eq!(described, picture.description, "{name}");

        // Boxes of text are as high as the font's tallest letters: a pixel less is what is seen.
        let outside = "(() => { const { width, height } = document.documentElement.viewBox.baseVal; \
             return [...document.querySelectorAll('text')].filter((it) => { const box = it.getBBox(); \
             return box.x < 0 || box.y < 0 || box.x + box.width > width || box.y + box.height > height; }) \
             .map((it) => it.textContent.trim()); })()";
        assert_eq!(browser.value(outside), json!([]), "{name}");
        let overlapping = "(() => { const all = [...document.querySelectorAll('text')] \
             .map((it) => [it.textContent.trim(), it.getBBox()]); \
             const apart = (a, b) => a.x + a.width <= b.x || b.x + b.width <= a.x || \
             a.y + a.height - 2 <= b.y || b.y + b.height - 2 <= a.y; \
             return all.flatMap(([one, a], index) => all.slice(index + 1) \
             .filter(([, b]) => !apart(a, b)).map(([other]) => `${one} / ${other}`)); })()";
        assert_eq!(browser.value(overlapping), json!([]), "{name}");

        let colours =
            "['rect', 'text'].map((it) => getComputedStyle(document.querySelector(it)).fill)";
        for (scheme, expected) in [
            ("light", ["rgb(255, 255, 255)", "rgb(31, 35, 40)"]),
            ("dark", ["rgb(13, 17, 23)", "rgb(230, 237, 243)"]),
        ] {
            let features = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
            browser.ask("Emulation.setEmulatedMedia", &features);
            browser.eventually(colours, &json!(expected));
        }
        assert_eq!(browser.problems(&file), Vec::<Value>::new(), "{name}");
        // The next picture's own file is no stranger's.
        browser.forget();
    }
}
