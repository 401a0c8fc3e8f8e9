//! Any bytes are read or refused; what is refused is named.

use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::behaviour::Behaviour;
use crate::calibration::Calibration;
use crate::schema::{CaseRecord, Results};
use crate::testing::{self, BEHAVIOUR, CALIBRATION, RESULTS_1, RESULTS_2, Run, workload};

const FILE: &str = "f.json";

fn refused<T: Stored + std::fmt::Debug>(text: &str) -> String {
    parse::<T>(text.as_bytes(), Path::new(FILE)).unwrap_err().to_string()
}

/// `text` with the value at `pointer` (RFC 6901) replaced; `value` is a piece of JSON, which need not
/// be a value that the JSON library can hold.
fn with(text: &str, pointer: &str, value: &str) -> String {
    const PLACE: &str = "the place of the value";
    let mut json: Value = serde_json::from_str(text).unwrap();
    *json.pointer_mut(pointer).unwrap_or_else(|| panic!("no {pointer}")) = Value::from(PLACE);
    json.to_string().replace(&format!("\"{PLACE}\""), value)
}

#[test]
fn other_formats_are_refused_by_number() {
    let message = refused::<Results>(r#"{"schema": 99, "what": "ever"}"#);
    assert!(message.starts_with("f.json: schema: this results file was written in format 99"));
    let whole = with(RESULTS_2, "/schema", "3");
    assert!(refused::<Results>(&whole).contains("format 3; this version reads up to 2"));
    assert!(refused::<Calibration>(r#"{"schema": 2}"#).contains("this calibration was written"));
    assert!(refused::<Behaviour>(r#"{"schema": 3}"#).contains("this behaviour file was written"));
    let message = refused::<Results>(&with(RESULTS_1, "/schema", "0"));
    assert!(message.contains("schema: 0: it must be at least 1"), "{message}");
}

/// Nothing that was measured is lost, and nobody is told that all is well.
#[test]
fn what_cannot_be_read_is_written_and_named() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("deep/results.json");
    let good = Run::whole().workloads(&["commit-n1-v4-k4-sequential-nosync"]).build();
    write(&path, &good).unwrap();
    assert_eq!(read::<Results>(&path).unwrap(), good);
    let mut bad = good;
    bad.options.map_size = 0;
    let message = write(&path, &bad).unwrap_err().to_string();
    assert!(message.contains("results.json: written, but it will not be read"), "{message}");
    assert!(message.contains("options.map_size: 0: it must be at least 1"), "{message}");
    assert_eq!(fs::read_to_string(&path).unwrap(), to_text(&bad).unwrap());
}

#[test]
fn a_truncated_file_is_refused_with_the_place() {
    for end in (0..RESULTS_2.len() - 2).step_by(7) {
        let message = refused::<Results>(&RESULTS_2[..end]);
        assert!(message.contains("f.json: not a results file: "), "{message}");
        assert!(message.contains(" at line "), "{message}");
    }
    assert!(refused::<Results>(&format!("{RESULTS_2}{{")).contains("trailing characters"));
}

#[test]
fn a_missing_file_and_a_directory_in_the_way_are_named() {
    let directory = tempfile::tempdir().unwrap();
    let missing = directory.path().join("nothing.json");
    assert!(read::<Results>(&missing).unwrap_err().to_string().contains("nothing.json: "));
    assert_eq!(read_if_there::<Results>(&missing).unwrap(), None);
    let blocked = directory.path().join("file");
    fs::write(&blocked, "").unwrap();
    let error = write_text(&blocked.join("inside.json"), "").unwrap_err();
    assert!(error.to_string().contains("inside.json"), "{error}");
}

/// A place in [`RESULTS_2`], a value that cannot be there, and what is said of it.
const IMPOSSIBLE: [(&str, &str, &str); 33] = [
    ("/producer", r#""me""#, "producer: `me`: it must be one of compare, counts, write"),
    ("/producer", r#""counts""#, "cases[0].counts: none: it must be there in a file of `counts`"),
    ("/started_unix", "253402300800", "started_unix: 253402300800"),
    ("/started_unix", "-1", "started_unix: invalid value"),
    ("/host/cores", "0", "host.cores: 0: it must be at least 1"),
    ("/options/confidence", "1", "options.confidence: 1: it must be between 0 and 1"),
    ("/options/asked/axes", r#"{"colour": [1]}"#, "options.asked.axes: `colour`"),
    ("/options/asked/axes/finish", "[]", "options.asked.axes.finish: 0"),
    ("/backends/0/id", r#""""#, "backends[0].id: an empty text"),
    ("/backends/1/id", r#""raw-ffi""#, "backends[1].id: it is there already"),
    ("/backends/0/control", r#""raw-ffi""#, "backends[0].control: `raw-ffi`: it must be another"),
    ("/backends/0/put_alignment", "64", "backends[0].put_alignment: 64: it must be below 64"),
    ("/backends/0/loop_alignment", "[0]", "backends[0].loop_alignment: addresses by the names"),
    (
        "/backends/0/loop_alignment",
        r#"{"abort/plain": 70}"#,
        "backends[0].loop_alignment.abort/plain: 70",
    ),
    ("/backends/0/colour", r##""#12345""##, "backends[0].colour: `#12345`: it must be one like"),
    ("/cases/0/backend", r#""heed""#, "cases[0].backend: `heed` is not in `backends`"),
    ("/cases/1/workload/batch_size", "0", "cases[1].workload: batch size 0 is not allowed"),
    ("/cases/1/workload/finish", r#""end""#, "cases[1].workload.finish: unknown finish `end`"),
    ("/cases/1/status", r#""failed""#, "cases[1].reason: none: it must be there"),
    ("/cases/2/status", r#""ok""#, "cases[2].reason: a reason: it must be absent"),
    ("/cases/2/reason", r#""""#, "cases[2].reason: none: it must be there"),
    ("/cases/3/reason", "null", "cases[3].reason: none: it must be there where `status` is `not "),
    ("/cases/2/workload/finish", r#""commit""#, "cases[2].workload: it is there already"),
    ("/cases/1/launches_ns", "[]", "cases[1].launches_ns: an empty list"),
    ("/cases/1/launches_ns/0", "-2612", "cases[1].launches_ns[0]: -2612"),
    ("/cases/1/launches_ns/0", "1e999", "cases[1].launches_ns[0]: number out of range"),
    ("/cases/1/transactions_per_sample", "0", "cases[1].transactions_per_sample: 0"),
    ("/cases/1/log_ratios/raw-ffi", "[0.1]", "cases[1].log_ratios.raw-ffi: 1 blocks: it must be"),
    ("/cases/1/log_ratios", r#"{"heed": [0.1]}"#, "cases[1].log_ratios: `heed`: it must be the"),
    ("/cases/1/counts/instructions/other", "-1.0", "cases[1].counts.instructions: -1: it must be"),
    ("/echoes/0/log_ratios", "[]", "echoes[0].log_ratios: 0 blocks"),
    ("/backends/1/one_link_order", r#""""#, "backends[1].one_link_order: an empty text"),
    ("/twins/0/log_ratios/0", "31", "twins[0].log_ratios[0]: 31: it must be from -30 to 30"),
];

#[test]
fn impossible_values_are_named_with_their_field() {
    for (pointer, value, expected) in IMPOSSIBLE {
        let message = refused::<Results>(&with(RESULTS_2, pointer, value));
        assert!(message.starts_with("f.json: "), "{message}");
        assert!(message.contains(expected), "{pointer} = {value}: {message}");
    }
    let two = RESULTS_2.replace("\"order\": 20,", "\"order\": 20, \"reference\": true,");
    assert!(refused::<Results>(&two).contains("backends: 2 references: it must be one at most"));
    for (pointer, value, expected) in [
        ("/cases/1/time/mean_ns", "1e999", "cases[1].time.mean_ns: number out of range"),
        ("/cases/1/overhead/against", r#""null""#, "cases[1].overhead: `null` is not in"),
        ("/cases/1/overhead/low", "1.4", "cases[1].overhead.low: 1.4: it must be at most 1.35"),
        ("/cases/1/noise_floor/low", "1.5", "cases[1].noise_floor.low: 1.5"),
    ] {
        let message = refused::<Results>(&with(RESULTS_1, pointer, value));
        assert!(message.contains(expected.split(": ").next().unwrap()), "{pointer}: {message}");
    }
}

#[test]
fn other_files_are_checked_too() {
    for (pointer, value, expected) in [
        ("/confidence", "0", "confidence: 0"),
        ("/equal/excluded", "217", "equal.excluded: 217: it must be at most 216"),
        ("/slowed/0/claimed", "13", "slowed[0].claimed: 13"),
        ("/layout/0/spread", "1e999", "layout[0].spread: number out of range"),
    ] {
        let message = refused::<Calibration>(&with(CALIBRATION, pointer, value));
        assert!(message.contains(expected), "{pointer} = {value}: {message}");
    }
    for (pointer, value, expected) in [
        ("/producer", r#""compare""#, "producer: `compare`: it must be behaviour"),
        ("/cases/1/case", r#""subject/input-0""#, "cases[1].case: it is there already"),
        ("/cases/2/seen/0/backend", r#""heed""#, "cases[2].seen[0].backend: `heed`"),
        ("/kills/0/watched", "201", "kills[0].watched: 201: it must be at most 200"),
        ("/kills/0/lost", "6001", "kills[0].lost: 6001"),
    ] {
        let message = refused::<Behaviour>(&with(BEHAVIOUR, pointer, value));
        assert!(message.contains(expected), "{pointer} = {value}: {message}");
    }
}

/// No text of a file can command a terminal or break a line of Markdown.
#[test]
fn control_characters_are_refused_in_every_text() {
    let json: Value = serde_json::from_str(RESULTS_2).unwrap();
    let is_text = |pointer: &String| json.pointer(pointer).unwrap().is_string();
    let texts: Vec<String> = pointers(&json).into_iter().filter(is_text).collect();
    assert!(texts.len() > 30, "{texts:?}");
    for pointer in texts {
        let message = refused::<Results>(&with(RESULTS_2, &pointer, r#""a\u001b[31m\nb""#));
        assert!(!message.contains('\u{1b}') && !message.contains('\n'), "{pointer}: {message}");
    }
    let calls = RESULTS_2.replace("fdatasync", r"fdata\nsync");
    assert!(refused::<Results>(&calls).contains("cases[1].counts.system_calls_per_transaction: "));
    // What a worker said may be anything: the record of its failure is one line.
    let one = workload("commit-n1-v4-k4-sequential-nosync");
    let failed = CaseRecord::failed("heed", one, "one\ntwo".to_owned());
    assert_eq!(failed.reason.as_deref(), Some("one two"));
}

/// The places (RFC 6901) of everything in `json`.
fn pointers(json: &Value) -> Vec<String> {
    let children: Vec<(String, &Value)> = match json {
        Value::Array(items) => {
            items.iter().enumerate().map(|(index, item)| (index.to_string(), item)).collect()
        }
        Value::Object(fields) => {
            fields.iter().map(|(name, field)| (name.replace('/', "~1"), field)).collect()
        }
        _ => Vec::new(),
    };
    let below = children.iter().flat_map(|(name, child)| {
        pointers(child).into_iter().map(move |below| format!("/{name}{below}"))
    });
    std::iter::once(String::new()).chain(below).collect()
}

/// A reader of this version reads what an earlier one wrote, and loses nothing of it.
#[test]
fn every_stored_format_is_read_to_the_last_field() {
    fn same<T: Stored>(text: &str) {
        let found: T = parse(text.as_bytes(), Path::new(FILE)).unwrap();
        let json: Value = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_value(&found).unwrap(), json, "nothing is lost");
    }
    same::<Results>(RESULTS_2);
    let second: Results = parse(RESULTS_2.as_bytes(), Path::new(FILE)).unwrap();
    let text = to_text(&second).unwrap();
    assert!(text.contains("\n        \"raw-ffi\": [0.262364, -1e-6]\n"), "{text}");
    same::<Calibration>(CALIBRATION);
    let first = testing::first_format();
    assert_eq!((first.reference(), first.options.asked.cases()), (Some("raw-ffi"), 4));
    assert_eq!(first.backends[0].loop_alignment["commit/plain"], 32);
    let case = &first.cases[1];
    let (time, overhead) = (case.time.as_ref().unwrap(), case.overhead.as_ref().unwrap());
    let floor = case.noise_floor.unwrap();
    let stored = [time.mean_ns, overhead.estimate, overhead.low, floor.high];
    assert_eq!(stored.map(|it| it.to_string()), ["2613", "1.3", "1.25", "1.004"]);
    let counts = case.counts.as_ref().unwrap();
    assert_eq!(counts.instructions_per_put, Some(1400.0));
    // Stored ratios stand; others come from the launches.
    let ratio = |over, under| first.ratio(over, under, &case.workload);
    assert_eq!(ratio("owned-buffer", "raw-ffi").unwrap().0.to_string(), "1.3");
    assert_eq!(ratio("raw-ffi", "owned-buffer"), None, "they do not pair up");
    assert!(to_text(&first).is_err(), "it is not written again in another format");
    assert_eq!(testing::behaviour().cases[0].seen[0].backend, "raw-ffi");
}

proptest! {
    #[test]
    fn damage_is_read_or_refused(at: prop::sample::Index, byte: u8, lost in 0_usize..40) {
        for text in [RESULTS_1, RESULTS_2] {
            let mut bytes = text.as_bytes().to_vec();
            let at = at.index(bytes.len());
            bytes[at] = byte;
            let end = (at + lost).min(bytes.len());
            bytes.drain(at..end);
            if let Ok(found) = parse::<Results>(&bytes, Path::new(FILE)) {
                prop_assert_eq!(found.check(), Ok(()));
            }
        }
    }

    /// Any value in any place: whatever is read is possible, and can be written and read again.
    #[test]
    fn any_value_in_any_place_is_read_or_refused(
        place: prop::sample::Index,
        value in prop::sample::select(vec!["null", "-1", "0", "2", "0.5", "1e300", "true", "\"\"", "[]", "{}"]),
    ) {
        let json: Value = serde_json::from_str(RESULTS_2).unwrap();
        let pointers = pointers(&json);
        let pointer = &pointers[place.index(pointers.len())];
        if let Ok(found) = parse::<Results>(with(RESULTS_2, pointer, value).as_bytes(), Path::new(FILE))
            && found.schema == Results::SCHEMA
        {
            let again = parse::<Results>(to_text(&found).unwrap().as_bytes(), Path::new(FILE));
            prop_assert_eq!(again.unwrap(), found);
        }
    }
}
