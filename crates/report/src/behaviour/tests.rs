//! Rows, their order and their words, from made-up records.

use write_backend::protocol::behaviour::Outcome;

use super::*;

fn seen(backend: &str, outcome: Outcome, for_the_user: Option<&str>) -> Seen {
    Seen {
        backend: backend.to_owned(),
        outcome,
        as_expected: true,
        differs_because: None,
        for_the_user: for_the_user.map(str::to_owned),
    }
}

fn case(name: &str, seen: Vec<Seen>) -> BehaviourCase {
    BehaviourCase { case: name.to_owned(), means: "It is.".to_owned(), seen }
}

fn panicked(message: &str) -> Outcome {
    Outcome::Panicked { step: "put".to_owned(), message: message.to_owned() }
}

#[test]
fn what_most_do_comes_first_and_wording_makes_no_difference() {
    let same =
        case("key/a", vec![seen("x", panicked("one"), None), seen("y", panicked("other"), None)]);
    assert_eq!(what_happens(&same), "panic during: put");
    let done = || Outcome::done("kept");
    let different = case(
        "key/b",
        vec![
            seen("x", panicked(""), Some("Beware.")),
            seen("y", done(), None),
            seen("z", done(), None),
        ],
    );
    assert_eq!(what_happens(&different), "done: kept; **x**: panic during: put");
    let table = differences(&[same, different]).to_string();
    assert_eq!(table.lines().count(), 3, "{table}");
    assert!(table.contains("Beware."), "{table}");
}

#[test]
fn losses_are_never_called_sound() {
    let mut kills = Kills::none("x", write_backend::SyncMode::NoSync, "x");
    kills.kills = 7;
    assert!(killed_in_words(&[kills.clone()]).contains("took new writes"));
    kills.lost = 1;
    assert!(!killed_in_words(&[kills]).contains("took new writes"));
}
