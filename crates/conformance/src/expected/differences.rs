//! What one backend does differently from what is usual, as its adapter declares it.

use std::collections::HashSet;

use super::expectation::Expectation;
use super::usual;

/// What one backend does in one case, and why not what is usual.
#[derive(Debug, Clone, Copy)]
pub struct Difference {
    /// The case's name.
    pub case: &'static str,
    /// What is expected instead.
    pub expectation: Expectation,
    /// Why, and what it means for a user.
    pub why: Why,
}

/// The reason of one or several differences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Why {
    /// Where it comes from, in one sentence.
    pub because: &'static str,
    /// What a user of the binding must know or do, in one sentence.
    pub for_the_user: &'static str,
}

impl Difference {
    /// In `case` the backend does `expectation`, because of `why`.
    #[must_use]
    pub const fn new(case: &'static str, expectation: Expectation, why: Why) -> Self {
        Self { case, expectation, why }
    }
}

/// What is expected in `case`: the declared difference, else what is usual; `None` for an unknown
/// case.
#[must_use]
pub fn of(differences: &[Difference], case: &str) -> Option<Expectation> {
    declared(differences, case).map(|it| it.expectation).or_else(|| usual::of(case))
}

/// The declared difference in `case`.
pub(crate) fn declared<'all>(
    differences: &'all [Difference],
    case: &str,
) -> Option<&'all Difference> {
    differences.iter().find(|it| it.case == case)
}

/// Checks a backend's declarations: known cases, each once, each other than usual, in sentences.
///
/// # Errors
/// The first that is not as it must be.
pub fn check(differences: &[Difference]) -> Result<(), String> {
    let mut seen = HashSet::new();
    for Difference { case, expectation, why } in differences {
        let Some(usual) = usual::of(case) else { return Err(format!("{case} is no case")) };
        if usual == *expectation {
            return Err(format!("{case}: that is what is usual"));
        }
        if !seen.insert(case) {
            return Err(format!("{case} is declared twice"));
        }
        for sentence in [why.because, why.for_the_user] {
            if !sentence.ends_with('.') || sentence.contains("  ") {
                return Err(format!("{case}: not a sentence: {sentence}"));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use Expectation::Done;

    const WHY: Why = Why { because: "So it is.", for_the_user: "Know it." };

    #[test]
    fn a_declared_difference_comes_before_what_is_usual() {
        let declared = [Difference::new("commit/keeps", Done("something else"), WHY)];
        assert_eq!(of(&declared, "commit/keeps"), Some(Done("something else")));
        assert_eq!(of(&[], "commit/keeps"), usual::of("commit/keeps"));
        assert_eq!(of(&declared, "no/case"), None);
        assert_eq!(check(&declared), Ok(()));
    }

    #[test]
    fn declarations_that_declare_nothing_are_refused() {
        let usual = usual::of("commit/keeps").unwrap();
        let other = Difference::new("commit/keeps", Done("else"), WHY);
        for (differences, reason) in [
            (vec![Difference::new("no/case", usual, WHY)], "is no case"),
            (vec![Difference::new("commit/keeps", usual, WHY)], "is usual"),
            (vec![other, other], "twice"),
            (vec![Difference { why: Why { because: "Cut of", ..WHY }, ..other }], "not a sentence"),
        ] {
            assert!(check(&differences).unwrap_err().contains(reason), "{reason}");
        }
    }
}
