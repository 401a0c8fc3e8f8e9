//! The page of all published runs, and the pictures of a run, in a headless Chromium: scripts look at them
//! from within, and what they found is the title of what Chromium prints.

mod fixture;

use std::process::Command;

use records::published::Published;
use report::page;
use report::pictures::pictures;
use report::view::RunView;

/// Names of the program; distributions differ.
const PROGRAMS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
/// How a system asks for light and for dark pages.
const LIGHT: &str = "--blink-settings=preferredColorScheme=1";
const DARK: &str = "--blink-settings=preferredColorScheme=0";

fn page(runs: &[Published]) -> String {
    page::page(&runs.iter().map(RunView::new).collect::<Vec<_>>())
}

/// The title that the scripts in `html` gave it, and how many bytes a picture of it takes; `None`, and a
/// word about it, where no Chromium is installed. A machine that checks every change must have one.
fn title(html: &str, options: &[&str]) -> Option<(String, usize)> {
    let runs = |name: &&&str| Command::new(name).arg("--version").output().is_ok();
    let Some(program) = PROGRAMS.iter().find(runs) else {
        assert!(std::env::var_os("CI").is_none(), "chromium is needed");
        eprintln!("skipped: no chromium was found");
        return None;
    };
    let directory = tempfile::tempdir().expect("a directory");
    let [file, shot, profile] =
        ["index.html", "shot.png", "profile"].map(|it| directory.path().join(it));
    std::fs::write(&file, html).expect("it is written");
    // No page takes this long, however busy the machine is.
    let output = Command::new("timeout")
        .args(["120", program, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"])
        .args(["--disable-dev-shm-usage", "--virtual-time-budget=60000", "--dump-dom"])
        .arg(format!("--screenshot={}", shot.display()))
        .arg(format!("--user-data-dir={}", profile.display()))
        .args(options)
        .arg(format!("file://{}", file.display()))
        .output()
        .expect("timeout");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).expect("text");
    let (_, rest) = printed.split_once("<title>").expect("a title");
    let title = rest.split_once("</title>").expect("its end").0.to_owned();
    Some((title, std::fs::read(shot).expect("a picture").len()))
}

#[test]
fn the_page_shows_sorts_and_draws_what_is_chosen_in_light_and_dark() {
    let script = include_str!("checks.js");
    let checked = page(&fixture::two_machines())
        .replace("</body>", &format!("<script type=\"module\">{script}</script>\n</body>"));
    let expected = [
        ("--window-size=1280,900", LIGHT, "as it should be, on rgb(255, 255, 255) at 1280"),
        ("--window-size=500,900", DARK, "as it should be, on rgb(13, 17, 23) at 500"),
    ];
    for (size, scheme, expected) in expected {
        let Some((found, bytes)) = title(&checked, &[size, scheme]) else { return };
        assert_eq!(found, expected);
        // An empty page takes a tenth of that.
        assert!(bytes > 30_000, "{bytes} bytes");
    }
}

/// Finds text that sticks out of its picture, or lies on another.
const TEXTS: &str = "
    const found = [...document.querySelectorAll('svg')].flatMap((svg) => {
        const { width, height } = svg.viewBox.baseVal;
        const texts = [...svg.querySelectorAll('text')].map((it) => [it.textContent, it.getBBox()]);
        const outside = texts.filter(([, { x, y, width: w, height: h }]) => x < 0 || y < 0 || x + w > width || y + h > height);
        // Boxes are as high as the tallest letters: two pixels less is what is seen.
        const apart = (a, b) => a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height - 2 <= b.y || b.y + b.height - 2 <= a.y;
        const over = texts.flatMap(([, a], index) => texts.slice(index + 1).filter(([, b]) => !apart(a, b)));
        return [...outside, ...over].map(([text]) => text);
    });
    document.title = `${found.length} of ${document.querySelectorAll('text').length > 100}: ${found}`;";

#[test]
fn pictures_are_drawn_of_what_is_there_and_no_text_is_in_the_way() {
    let [another, reference] = fixture::two_machines();
    let made = pictures(&RunView::new(&reference));
    let names: Vec<&str> = made.iter().map(|picture| &*picture.name).collect();
    assert_eq!(names, ["overhead.svg", "time-per-put.svg", "instructions.svg"]);
    assert_eq!(pictures(&RunView::new(&another)).len(), 2, "nothing was counted");
    // By verdict a line and a mark; one of each is the legend's. The fixture has 23 overheads.
    let drawn = ["#D55E00", "#808891", "#0072B2"];
    let drawn =
        drawn.map(|colour| made[0].svg.matches(&format!("stroke=\"{colour}\"")).count() / 2);
    assert_eq!(drawn, [16, 5, 5]);
    let svgs: String = made.iter().map(|picture| picture.svg.as_str()).collect();
    let html = format!("<title></title>{svgs}<script>{TEXTS}</script>");
    let Some((found, _)) = title(&html, &[]) else { return };
    assert_eq!(found, "0 of true: ");
}

#[test]
fn ten_machines_with_all_their_cases_fit() {
    let runs = fixture::many(10);
    let cases: usize = runs.iter().filter_map(|run| Some(run.compare.as_ref()?.cases.len())).sum();
    let text = page(&runs);
    assert!(cases == 5280 && text.len() < 1_500_000, "{cases} cases in {} bytes", text.len());
}
