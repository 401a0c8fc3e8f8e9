//! What a case is, how cases are written down, and the list of all.

use std::time::Duration;

use write_backend::Probe;

use crate::expected::Expectation;
use crate::place::Place;
use crate::steps::Answer;

/// One input, performed through the contract with the backend `B`.
pub(crate) struct Case<B> {
    /// Its stable name, `subject/input`.
    pub(crate) name: &'static str,
    /// What it means for a user.
    pub(crate) means: &'static str,
    /// Performs it in a fresh directory.
    pub(crate) steps: fn(&Place<B>) -> Answer,
    /// How it ends, unless a backend declares a difference.
    ///
    /// Most are what an LMDB program may rely on. Some are what LMDB does although nobody can want it,
    /// so that a change is seen, and so that a reader of the table of behaviour knows.
    pub(crate) expected: Expectation,
}

impl<B> Clone for Case<B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<B> Copy for Case<B> {}

impl<B> Case<B> {
    /// How long it may be silent before it counts as deadlocked: long enough for a busy machine.
    ///
    /// Shorter where a deadlock is expected: the time runs from the case's last word, which it says
    /// directly before the call in question, so that starting the process does not count.
    pub(crate) fn patience(&self) -> Duration {
        Duration::from_secs(if matches!(self.expected, Expectation::Deadlocks(_)) { 1 } else { 10 })
    }
}

/// The cases of a module, one entry each: name, meaning, what is done at a place, how that ends.
macro_rules! cases {
    ($($name:literal: $means:literal, $steps:expr => $expected:expr;)*) => {
        pub(crate) fn cases<B: write_backend::Probe>() -> Vec<$crate::case::Case<B>> {
            vec![$($crate::case::Case {
                name: $name,
                means: $means,
                steps: $steps,
                expected: $expected,
            }),*]
        }
    };
}
pub(crate) use cases;

/// All cases for the backend `B`, by subject.
pub(crate) fn all<B: Probe>() -> Vec<Case<B>> {
    use crate::cases;
    [
        cases::keys::cases(),
        cases::values::cases(),
        cases::flags::cases(),
        cases::duplicates::cases(),
        cases::reserve::cases(),
        cases::transactions::cases(),
        cases::nested::cases(),
        cases::map_full::cases(),
        cases::transaction_full::cases(),
        cases::map_size::cases(),
        cases::resize_while_reading::cases(),
        cases::disk_full::cases(),
        cases::sync::cases(),
        cases::databases::cases(),
        cases::handles::cases(),
        cases::open::cases(),
        cases::closing::cases(),
        cases::read_only::cases(),
        cases::permissions::cases(),
        cases::damage::cases(),
        cases::processes::cases(),
        cases::readers::cases(),
        cases::threads::cases(),
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use backend_raw_ffi::RawFfi;

    use super::*;

    #[test]
    fn names_are_unique_and_every_case_says_what_it_means() {
        let mut names = HashSet::new();
        for case in all::<RawFfi>() {
            assert!(names.insert(case.name), "{} twice", case.name);
            let (subject, input) = case.name.split_once('/').expect("a name is `subject/input`");
            assert!(!subject.is_empty() && !input.is_empty(), "{}", case.name);
            assert!(case.means.ends_with('.'), "{}: {}", case.name, case.means);
        }
    }
}
