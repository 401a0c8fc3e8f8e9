//! Any bytes are read or refused; what is refused is named.

use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::behaviour::Behaviour;
use crate::calibration::Calibration;
use crate::schema::{BackendRecord, CaseRecord, Results};
use crate::testing::{fixtures, strategies};

const FILE: &str = "f.json";

fn refused<T: Stored + std::fmt::Debug>(text: &str) -> String {
    parse::<T>(text.as_bytes(), Path::new(FILE)).unwrap_err().to_string()
}

/// The stored results of the first format with the value at `pointer` (RFC 6901) replaced.
fn with(pointer: &str, value: &str) -> String {
    changed(fixtures::RESULTS, pointer, value)
}

/// `value` is a piece of JSON, which need not be a value that the JSON library can hold.
fn changed(text: &str, pointer: &str, value: &str) -> String {
    const PLACE: &str = "the place of the value";
    let mut json: Value = serde_json::from_str(text).unwrap();
    *json.pointer_mut(pointer).unwrap_or_else(|| panic!("no {pointer}")) = Value::from(PLACE);
    json.to_string().replace(&format!("\"{PLACE}\""), value)
}

#[test]
fn a_newer_format_is_refused_by_number() {
    let message = refused::<Results>(r#"{"schema": 99, "what": "ever"}"#);
    assert!(message.starts_with("f.json: schema: this results file was written in format 99"));
    let whole = with("/schema", "2");
    assert!(refused::<Results>(&whole).contains("format 2; this version reads up to 1"));
    assert!(refused::<Calibration>(r#"{"schema": 2}"#).contains("this calibration was written"));
    assert!(refused::<Behaviour>(r#"{"schema": 2}"#).contains("this behaviour file was written"));
}

#[test]
fn there_is_no_format_before_the_first() {
    assert!(refused::<Results>(&with("/schema", "0")).contains("schema: 0: it must be at least 1"));
    assert!(refused::<Behaviour>(r#"{"schema": 0}"#).contains("schema: 0: it must be at least 1"));
}

/// Nothing that was measured is lost, and nobody is told that all is well.
#[test]
fn what_cannot_be_read_is_written_and_named() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("results.json");
    let mut results = fixtures::results();
    results.options.map_size = 0;
    let message = write(&path, &results).unwrap_err().to_string();
    assert!(message.contains("results.json: written, but it will not be read"), "{message}");
    assert!(message.contains("options.map_size: 0: it must be at least 1"), "{message}");
    assert_eq!(read_json::<Results>(&path).unwrap(), results);
}

#[test]
fn a_truncated_file_is_refused_with_the_place() {
    let text = fixtures::RESULTS;
    for end in 0..text.len() - 2 {
        let message = refused::<Results>(&text[..end]);
        assert!(message.contains("f.json: not a results file: "), "{message}");
        assert!(message.contains(" at line "), "{message}");
    }
    assert!(refused::<Results>(&format!("{text}{{")).contains("trailing characters"));
}

#[test]
fn a_missing_file_and_a_directory_in_the_way_are_named() {
    let directory = tempfile::tempdir().unwrap();
    for path in [directory.path().to_owned(), directory.path().join("none.json")] {
        let message = read::<Results>(&path).unwrap_err().to_string();
        assert!(message.contains(&path.display().to_string()), "{message}");
    }
}

/// Value, what stands in the file instead, and what the message must say.
const IMPOSSIBLE: [(&str, &str, &str); 56] = [
    ("/producer", "\"me\"", "producer: `me`: it must be one of compare, counts, write"),
    ("/started_unix", "-1", "started_unix: invalid value: integer `-1`"),
    ("/started_unix", "253402300800", "started_unix: 253402300800"),
    ("/host/cores", "0", "host.cores: 0: it must be at least 1"),
    ("/options/confidence", "1.0", "options.confidence: 1: it must be between 0 and 1"),
    ("/options/confidence", "null", "options.confidence: invalid type: null"),
    ("/options/map_size", "0", "options.map_size: 0: it must be at least 1"),
    ("/backends/1/id", "\"raw-ffi\"", "backends[1].id: `raw-ffi` is there already, in backends[0]"),
    ("/backends/0/id", "\"\"", "backends[0].id: an empty text"),
    ("/backends/1/control", "\"owned-buffer\"", "backends[1].control: `owned-buffer`"),
    ("/backends/0/put_alignment", "64", "backends[0].put_alignment: 64: it must be below 64"),
    ("/backends/0/loop_alignment/1", "99", "backends[0].loop_alignment[1]: 99"),
    ("/backends/0/loop_alignment", "[0]", "backends[0].loop_alignment: invalid length 1"),
    ("/cases/0/backend", "\"heed\"", "cases[0].backend: `heed` is not in `backends`"),
    ("/cases/1/workload/batch_size", "0", "cases[1].workload: batch size 0 is not allowed"),
    ("/cases/1/workload/finish", "\"end\"", "cases[1].workload.finish: unknown finish `end`"),
    ("/cases/1/status", "\"failed\"", "cases[1].reason: none: it must be there"),
    ("/cases/2/status", "\"ok\"", "cases[2].reason: a reason: it must be absent"),
    ("/cases/2/reason", "\"\"", "cases[2].reason: none: it must be there"),
    (
        "/cases/2/workload/finish",
        "\"commit\"",
        "cases[2]: commit-n10-v64-k16-random-sync/owned-buffer is there already, in cases[1]",
    ),
    ("/cases/1/time/mean_ns", "0", "cases[1].time.mean_ns: 0: it must be a finite number above 0"),
    ("/cases/1/time/mean_ns", "1e999", "cases[1].time.mean_ns: number out of range"),
    (
        "/cases/1/time/mean_ns",
        "2600.0",
        "cases[1].time.mean_ns: 2600: it must be within the launches, 2612 to 2614",
    ),
    ("/cases/1/time/median_ns", "2700.0", "cases[1].time.median_ns: 2700"),
    (
        "/cases/1/time/error_ns",
        "-0.5",
        "cases[1].time.error_ns: -0.5: it must be a finite number that is not below 0",
    ),
    ("/cases/1/time/std_dev_ns", "-1", "cases[1].time.std_dev_ns: -1"),
    ("/cases/1/time/launches_ns", "[]", "cases[1].time.launches_ns: an empty list"),
    ("/cases/1/time/launches_ns/0", "-2612", "cases[1].time.launches_ns[0]: -2612"),
    ("/cases/1/time/launches_ns/1", "null", "cases[1].time.launches_ns[1]: invalid type: null"),
    ("/cases/1/time/transactions_per_sample", "0", "cases[1].time.transactions_per_sample: 0"),
    (
        "/cases/1/overhead/against",
        "\"null\"",
        "cases[1].overhead.against: `null` is not in `backends`",
    ),
    ("/cases/1/relative/against", "\"owned-buffer\"", "cases[1].relative.against: `owned-buffer`"),
    ("/cases/1/overhead/low", "1.4", "cases[1].overhead.low: 1.4: it must be at most 1.35"),
    (
        "/cases/1/overhead/high",
        "1.28",
        "cases[1].overhead.estimate: 1.3: it must be within `low` and `high`, 1.25 to 1.28",
    ),
    ("/cases/1/overhead/estimate", "0", "cases[1].overhead.estimate: 0"),
    ("/cases/1/overhead/confidence", "95", "cases[1].overhead.confidence: 95"),
    ("/cases/1/overhead/verdict", "\"faster\"", "cases[1].overhead.verdict: `faster`"),
    ("/cases/1/noise_floor/low", "1.5", "cases[1].noise_floor.low: 1.5: it must be at most 1.004"),
    ("/cases/1/counts/transactions", "0", "cases[1].counts.transactions: 0"),
    (
        "/cases/1/counts/rust_bytes_per_transaction",
        "-8",
        "cases[1].counts.rust_bytes_per_transaction: -8",
    ),
    (
        "/cases/1/counts/instructions/other",
        "-1.0",
        "cases[1].counts.instructions.other: -1: it must be finite and below 0 by no more than the spread, 0.5",
    ),
    (
        "/cases/1/counts/system_calls_per_transaction/pwrite",
        "-1",
        "cases[1].counts.system_calls_per_transaction.pwrite: -1",
    ),
    (
        "/cases/1/time/mean_ns",
        "2613.1",
        "cases[1].time.mean_ns: 2613.1: it must be 2613, which follows from other fields",
    ),
    ("/cases/1/time/median_ns", "2612.5", "cases[1].time.median_ns: 2612.5: it must be 2613"),
    ("/cases/1/time/std_dev_ns", "1.5", "cases[1].time.std_dev_ns: 1.5: it must be 1.41421356"),
    ("/cases/1/time/std_dev_ns", "null", "cases[1].time.std_dev_ns: none: it must be 1.41421356"),
    ("/cases/1/time/error_ns", "31.25", "cases[1].time.error_ns: 31.25: it must be 636.619"),
    ("/cases/0/time/error_ns", "1.0", "cases[0].time.error_ns: 1: it must be absent"),
    ("/backends/1/control", "null", "cases[1].overhead.against: `raw-ffi`: it must be a backend"),
    ("/backends/1/control", "\"heed\"", "cases[1].overhead.against: `raw-ffi`: it must be `heed`"),
    ("/cases/1/overhead/confidence", "0.99", "cases[1].overhead.confidence: 0.99: it must be 0.95"),
    ("/cases/1/relative/confidence", "0.99", "cases[1].relative.confidence: 0.99: it must be 0.95"),
    (
        "/cases/1/counts/instructions/lmdb",
        "12001.0",
        "cases[1].counts.instructions_per_transaction: 14000: it must be 14001, the sum of",
    ),
    (
        "/cases/1/counts/instructions_per_put",
        "1401.0",
        "cases[1].counts.instructions_per_put: 1401: it must be 1400",
    ),
    ("/cases/1/time", "null", "cases[1].time: none: it must be there in a file of `compare`"),
    ("/producer", "\"counts\"", "cases[0].counts: none: it must be there in a file of `counts`"),
];

#[test]
fn impossible_values_are_named_with_their_field() {
    for (pointer, value, expected) in IMPOSSIBLE {
        let message = refused::<Results>(&with(pointer, value));
        assert!(message.starts_with("f.json: "), "{message}");
        assert!(message.contains(expected), "{pointer} = {value}: {message}");
    }
}

/// A ratio whose denominator is in the file, but not the one that its column is about.
#[test]
fn a_relative_is_against_the_reference() {
    let mut results = fixtures::results();
    results.backends.push(BackendRecord { id: "heed".to_owned(), ..results.backends[0].clone() });
    results.cases[1].relative.as_mut().unwrap().against = "heed".to_owned();
    let message = refused::<Results>(&to_text(&results).unwrap());
    assert!(
        message.contains("cases[1].relative.against: `heed`: it must be `raw-ffi`"),
        "{message}"
    );
}

#[test]
fn a_workload_has_one_noise_floor() {
    let mut results = fixtures::results();
    results.cases[0].noise_floor = results.cases[1].noise_floor;
    assert!(results.check().is_ok());
    results.cases[0].noise_floor.as_mut().unwrap().high = 1.005;
    let message = refused::<Results>(&to_text(&results).unwrap());
    assert!(
        message.contains("cases[1].noise_floor: 0.995 to 1.004: it must be 0.995 to 1.005 as in")
    );
}

/// No text of a file can command a terminal or break a line of Markdown.
#[test]
fn control_characters_are_refused_in_every_text() {
    let json: Value = serde_json::from_str(fixtures::RESULTS).unwrap();
    let is_text = |pointer: &String| json.pointer(pointer).unwrap().is_string();
    let texts: Vec<String> = strategies::pointers(&json).into_iter().filter(is_text).collect();
    assert!(texts.len() > 30, "{texts:?}");
    for pointer in texts {
        for value in [r#""a\nb""#, r#""a\u001b[31mb""#] {
            let message = refused::<Results>(&with(&pointer, value));
            let last = pointer.rsplit('/').next().unwrap();
            assert!(message.contains(last) && !message.contains('\u{1b}'), "{pointer}: {message}");
        }
    }
    let calls = fixtures::RESULTS.replace("fdatasync", r"fdata\nsync");
    assert!(refused::<Results>(&calls).contains("cases[1].counts.system_calls_per_transaction: "));
    let name = changed(fixtures::CALIBRATION, "/host/name", r#""a\nb""#);
    assert!(refused::<Calibration>(&name).contains("host.name: \"a\\nb\": it must be a text"));
    let name = changed(fixtures::BEHAVIOUR, "/host/cpu", r#""a\nb""#);
    assert!(refused::<Behaviour>(&name).contains("host.cpu: "));
    // What a worker said may be anything: the record of its failure is one line.
    let workload = fixtures::results().cases[0].workload;
    let failed = CaseRecord::failed("heed", workload, "one\ntwo".to_owned());
    assert_eq!(failed.reason.as_deref(), Some("one two"));
}

#[test]
fn a_failed_case_has_nothing_measured() {
    let mut json: Value = serde_json::from_str(fixtures::RESULTS).unwrap();
    for part in ["time", "overhead", "relative", "counts"] {
        let measured = json["cases"][1][part].clone();
        json["cases"][2][part] = measured;
        let message = refused::<Results>(&json.to_string());
        assert!(message.contains(&format!("cases[2].{part}: a measurement")), "{message}");
        json["cases"][2].as_object_mut().unwrap().remove(part);
    }
    assert!(parse::<Results>(json.to_string().as_bytes(), Path::new(FILE)).is_ok());
}

#[test]
fn other_files_are_checked_too() {
    for (pointer, value, expected) in [
        ("/confidence", "0", "confidence: 0"),
        ("/equal/excluded", "217", "equal.excluded: 217: it must be at most 216"),
        ("/slowed/0/claimed", "13", "slowed[0].claimed: 13"),
        ("/slowed/0/median_estimate", "-1", "slowed[0].median_estimate: -1"),
        ("/layout/0/ratios/1", "0", "layout[0].ratios[1]: 0"),
        ("/layout/0/spread", "1e999", "layout[0].spread: number out of range"),
    ] {
        let message = refused::<Calibration>(&changed(fixtures::CALIBRATION, pointer, value));
        assert!(message.contains(expected), "{pointer} = {value}: {message}");
    }
    for (pointer, value, expected) in [
        ("/producer", "\"compare\"", "producer: `compare`: it must be behaviour"),
        ("/cases/1/case", "\"subject/input-0\"", "cases[1].case: `subject/input-0`"),
        ("/cases/2/seen/0/backend", "\"heed\"", "cases[2].seen[0].backend: `heed`"),
        ("/cases/2/seen/0/outcome", "\"odd\"", "cases[2].seen[0]"),
        ("/kills/0/watched", "201", "kills[0].watched: 201: it must be at most 200"),
        ("/kills/0/lost", "6001", "kills[0].lost: 6001"),
    ] {
        let message = refused::<Behaviour>(&changed(fixtures::BEHAVIOUR, pointer, value));
        assert!(message.contains(expected), "{pointer} = {value}: {message}");
    }
}

/// A reader of this version reads what an earlier one wrote, and loses nothing of it.
#[test]
fn every_stored_format_is_read_to_the_last_field() {
    fn same<T: Stored + PartialEq + std::fmt::Debug>(text: &str, expected: &T) {
        let found: T = parse(text.as_bytes(), Path::new(FILE)).unwrap();
        assert_eq!(&found, expected);
        let json: Value = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_value(&found).unwrap(), json, "nothing is lost");
    }
    same(fixtures::RESULTS, &fixtures::results());
    same(fixtures::CALIBRATION, &fixtures::calibration());
    same(fixtures::BEHAVIOUR, &fixtures::behaviour());
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes: Vec<u8>) {
        let path = Path::new(FILE);
        let _ = (parse::<Results>(&bytes, path), parse::<Calibration>(&bytes, path));
        let _ = parse::<Behaviour>(&bytes, path);
    }

    /// One byte of a file that can be read becomes another, or a piece of it is lost.
    #[test]
    fn any_damage_is_read_or_refused(at: prop::sample::Index, byte: u8, lost in 0_usize..40) {
        for text in [fixtures::RESULTS, fixtures::CALIBRATION, fixtures::BEHAVIOUR] {
            let mut bytes = text.as_bytes().to_vec();
            let at = at.index(bytes.len());
            bytes[at] = byte;
            let end = (at + lost).min(bytes.len());
            bytes.drain(at..end);
            let path = Path::new(FILE);
            let _ = (parse::<Results>(&bytes, path), parse::<Calibration>(&bytes, path));
            let _ = parse::<Behaviour>(&bytes, path);
        }
    }

    /// Any value in any place: whatever is read is possible, and can be written and read again.
    #[test]
    fn any_value_in_any_place_is_read_or_refused(
        place: prop::sample::Index,
        value in strategies::json(),
    ) {
        let mut json: Value = serde_json::from_str(fixtures::RESULTS).unwrap();
        let pointers = strategies::pointers(&json);
        let pointer = &pointers[place.index(pointers.len())];
        *json.pointer_mut(pointer).unwrap() = value;
        if let Ok(found) = parse::<Results>(json.to_string().as_bytes(), Path::new(FILE)) {
            prop_assert!(found.check().is_ok());
            let again = parse::<Results>(to_text(&found).unwrap().as_bytes(), Path::new(FILE));
            prop_assert_eq!(again.unwrap(), found);
        }
    }

    #[test]
    fn what_is_written_is_read(results in strategies::results()) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("deep/results.json");
        write(&path, &results).unwrap();
        prop_assert_eq!(read::<Results>(&path).unwrap(), results);
    }
}
