//! Pages of made-up suites.

use records::published::{Published, SuiteRun};
use records::schema::{Results, Suite};
use records::testing::{Run, workload};
use write_backend::Encoding;

use super::*;

const PLAIN: &str = "abort-n10-v64-k4-sequential-nosync";
const APPEND: &str = "abort-n10-v64-k4-sequential-nosync-append";

fn of_suite(run: Run, compares: &[&str]) -> Results {
    let compares = compares.iter().map(|key| (*key).to_owned()).collect();
    let (name, question) = ("puts".to_owned(), "How?".to_owned());
    let suite = Suite { name, question, compares, narrowed: false };
    run.edit(|it| it.options.suite = Some(suite)).build()
}

fn page(times: Results) -> String {
    let run = SuiteRun { times: Some(times), counts: None };
    SuiteView::new(&run).unwrap().page(&LookedUp::default())
}

#[test]
fn a_put_is_held_against_the_plain_one_of_the_same_backend() {
    let run = || Run::whole().workloads(&[PLAIN, APPEND]);
    let mut results = of_suite(run(), &["put"]);
    let append = workload(APPEND);
    for case in results.cases.iter_mut().filter(|it| it.workload == append && it.backend == "heed")
    {
        let time = case.time.as_mut().unwrap();
        time.launches_ns.iter_mut().for_each(|it| *it *= 0.4);
    }
    let effect = results.effect("heed", &append, &workload(PLAIN)).unwrap();
    assert!(effect.estimate < 0.5 && effect.high < 0.5, "{effect:?}");
    assert!(results.effect("heed", &append, &workload(APPEND)).unwrap().low <= 1.0);
    let text = page(results);
    assert!(text.starts_with("# How?\n\nMade from "), "{text}");
    for part in ["### Time saved or lost", "| append |", "| heed"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("### Overhead\n"), "{text}");
    assert!(text.contains("| = 1.0") || text.contains("| = 0.99"), "nothing was found: {text}");
}

#[test]
fn what_saves_most_is_said_of_commits_with_a_binding() {
    let names = ["commit-n10-v64-k4-sequential-nosync", "commit-n10-v64-k4-sequential-sync"];
    let mut times = of_suite(Run::whole().workloads(&names), &["sync"]);
    let said = |times: &Results| {
        let mut run = Published::empty("box", "2026-01-02");
        let files = SuiteRun { times: Some(times.clone()), counts: None };
        run.suites.insert("puts".to_owned(), files);
        gain(&[RunView::new(&run)]).map(|(said, link)| format!("{said} {link}"))
    };
    assert_eq!(said(&times), None);
    for case in times.cases.iter_mut().filter(|it| it.workload == workload(names[1])) {
        case.time.as_mut().unwrap().launches_ns.iter_mut().for_each(|it| *it *= 0.4);
    }
    let said = said(&times).unwrap();
    assert!(said.contains("with heed, sync takes 60 % less time"), "{said}");
    assert!(said.ends_with("[How?](box/2026-01-02/suite-puts.md)"), "{said}");
}

#[test]
fn bindings_are_held_against_their_controls_and_what_is_stored_has_a_size() {
    let plain = Run::whole().workloads(&[PLAIN]);
    let text = page(of_suite(plain, &[]));
    assert!(text.contains("### Overhead") && !text.contains("Stored"), "{text}");
    let json = Run::whole().workloads(&[PLAIN]).edit(|it| it.backends[2].encoding = Encoding::Json);
    let results = of_suite(json, &[]);
    let run = SuiteRun { times: Some(results), counts: None };
    let view = SuiteView::new(&run).unwrap();
    assert!(view.page(&LookedUp::default()).contains("Stored"));
    let picture = view.picture().unwrap();
    assert_eq!(picture.name, "suite-puts.svg");
    assert!(picture.description.starts_with("heed: "), "{}", picture.description);
}
