//! The pictures of a published run, in a browser: nothing sticks out, no text lies on another, and a dark
//! system gets a dark picture.

use report::pictures::pictures;
use report::view::RunView;
use serde_json::json;

use crate::browser::Browser;
use crate::fixture;

#[test]
fn a_run_has_the_pictures_that_its_data_gives() {
    let names = fixture::two_machines().map(|run| {
        pictures(&RunView::new(&run)).iter().map(|picture| picture.name).collect::<Vec<_>>()
    });
    let compare = vec!["overhead.svg", "time-per-put.svg"];
    assert_eq!(names, [compare.clone(), [compare, vec!["instructions.svg"]].concat()]);
    // A line needs two points.
    let [mut run, _] = fixture::two_machines();
    let compare = run.compare.as_mut().expect("a comparison");
    compare.cases.retain(|case| case.workload.batch_size == 10);
    assert_eq!(pictures(&RunView::new(&run))[..].len(), 1);
}

#[test]
fn every_overhead_is_drawn_once() {
    let [_, run] = fixture::two_machines();
    let made = pictures(&RunView::new(&run));
    let intervals = |colour: &str| made[0].svg.matches(&format!(" stroke=\"{colour}\"")).count();
    // By verdict; one of each is the legend's. The fixture has 23 overheads, eight of either kind.
    let drawn = ["#D55E00", "#808891", "#0072B2"].map(|colour| intervals(colour) - 1);
    assert_eq!(drawn, [15, 4, 4]);
    for (name, mean) in [("heed", "1.0"), ("owned-buffer", "1.0")] {
        assert!(made[0].description.contains(&format!("{name} {mean}")), "{}", made[0].description);
    }
}

#[test]
fn pictures_are_readable_in_light_and_dark() {
    let Some(mut browser) = Browser::start() else { return };
    let directory = tempfile::tempdir().expect("a directory");
    let [_, run] = fixture::two_machines();
    for picture in pictures(&RunView::new(&run)) {
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

        browser.follows_the_system(
            "['rect', 'text'].map((it) => getComputedStyle(document.querySelector(it)).fill)",
        );
        browser.check();
    }
}
