//! The table of cases and the table of expectations belong together.

use std::collections::HashSet;

use backend_raw_ffi::RawFfi;
use conformance::case;
use conformance::expected::usual::USUAL;

#[test]
fn every_case_has_one_expectation_in_the_same_order() {
    let cases: Vec<&str> = case::all::<RawFfi>().iter().map(|case| case.name).collect();
    let expectations = USUAL.iter().map(|(name, _)| *name);
    // Some cases exist on Unix systems only.
    let expectations: Vec<&str> =
        expectations.filter(|name| cfg!(unix) || cases.contains(name)).collect();
    assert_eq!(cases, expectations);
}

#[test]
fn names_are_unique_and_every_case_says_what_it_means() {
    let mut names = HashSet::new();
    for case in case::all::<RawFfi>() {
        assert!(names.insert(case.name), "{} twice", case.name);
        let (subject, input) = case.name.split_once('/').expect("a name is `subject/input`");
        assert!(!subject.is_empty() && !input.is_empty(), "{}", case.name);
        assert!(case.means.ends_with('.'), "{}: {}", case.name, case.means);
    }
}
