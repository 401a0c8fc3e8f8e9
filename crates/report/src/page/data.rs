//! What of the published runs is in the page: everything but the launches, column by column, names in
//! one list, so that ten machines with all their cases fit well below a megabyte.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;
use serde_json::Value;
use write_backend::Workload;

use super::numbers::{rounded, thousandths, time};
use crate::header;
use records::published::{Published, of_reference};
use records::schema::{BackendRecord, CaseRecord, Ratio, Results, Status};
use statistics::Verdict;

/// Everything; `decode.js` reads it.
#[derive(Debug, Serialize)]
pub struct Data {
    names: Vec<String>,
    /// Finish, sync mode and key order as names; key size, batch size, value size.
    workloads: Vec<[usize; 6]>,
    /// The run that is shown at first: the newest of the reference machine.
    first: Option<String>,
    runs: Vec<Run>,
}

/// One results file, with the counts that were made with the same flags.
#[derive(Debug, Serialize)]
struct Run {
    id: String,
    host: String,
    date: String,
    engines: &'static str,
    machine: String,
    confidence: f64,
    facts: Vec<String>,
    warnings: Vec<String>,
    backends: Vec<Backend>,
    /// Workload, lower and upper end in thousandths.
    floors: Vec<(usize, Value, Value)>,
    cases: Cases,
}

#[derive(Debug, Serialize)]
struct Backend {
    name: usize,
    control: Option<usize>,
    about: String,
}

/// One entry per case in every list. A letter each for the verdicts: `s`lower, `f`aster, `n`o
/// difference found, `-` for none.
#[derive(Debug, Default, Serialize)]
struct Cases {
    backend: Vec<usize>,
    workload: Vec<usize>,
    /// Mean, error, standard deviation, median.
    time: [Vec<Value>; 4],
    /// Estimate, lower end, upper end in thousandths.
    overhead: [Vec<Value>; 3],
    overhead_verdict: String,
    /// The same; absent where it would repeat the overhead, because the control is `raw-ffi`.
    relative: [Vec<Value>; 3],
    relative_verdict: String,
    /// Instructions per transaction: of all, of the binding, of the C library's allocator, of LMDB.
    instructions: [Vec<Value>; 4],
    /// Per transaction: Rust allocations, their bytes, system calls.
    others: [Vec<Value>; 3],
    /// Why a case failed, by its place.
    failed: BTreeMap<usize, usize>,
}

impl Data {
    /// The data of `runs`.
    #[must_use]
    pub fn of(runs: &[Published]) -> Self {
        let mut names = Interned::default();
        let mut workloads = Interned::default();
        let mut found = Vec::new();
        for run in runs {
            let files = [
                ("as shipped", "shipped", run.compare.as_ref()),
                ("equal flags", "equal", run.equal_flags.as_ref()),
            ];
            for (engines, short, compare) in files {
                let Some(compare) = compare else { continue };
                let same = |it: &&Results| it.options.cflags == compare.options.cflags;
                let counts = run.counts.as_ref().filter(same);
                found.push(Run {
                    id: format!("{}/{}/{short}", run.host, run.date),
                    host: run.host.clone(),
                    date: run.date.clone(),
                    engines,
                    machine: machine(compare),
                    confidence: compare.options.confidence,
                    facts: facts(compare),
                    warnings: header::warnings(compare),
                    backends: backends(compare, counts, &mut names),
                    floors: floors(compare, &mut workloads),
                    cases: cases(compare, counts, &mut names, &mut workloads),
                });
            }
        }
        let shown = of_reference(runs, |run| run.compare.as_ref().or(run.equal_flags.as_ref()));
        let place = shown.map(|(run, _)| format!("{}/{}/", run.host, run.date));
        let is_first = |run: &&Run| place.as_ref().is_none_or(|place| run.id.starts_with(place));
        let first = found.iter().find(is_first).map(|run| run.id.clone());
        let workloads = workloads.all.iter().map(|it: &Workload| {
            let mut name = |text: String| names.place(text);
            let words = [it.finish.to_string(), it.sync.to_string(), it.key_order.to_string()];
            let [finish, sync, order] = words.map(&mut name);
            [finish, sync, order, it.key_size, it.batch_size, it.value_size]
        });
        let workloads = workloads.collect();
        Self { names: names.all, workloads, first, runs: found }
    }
}

/// Values in the order in which they were first met, each once.
#[derive(Debug)]
struct Interned<T> {
    all: Vec<T>,
    places: HashMap<T, usize>,
}

impl<T> Default for Interned<T> {
    fn default() -> Self {
        Self { all: Vec::new(), places: HashMap::new() }
    }
}

impl<T: Clone + Eq + std::hash::Hash> Interned<T> {
    fn place(&mut self, value: T) -> usize {
        *self.places.entry(value).or_insert_with_key(|value| {
            self.all.push(value.clone());
            self.all.len() - 1
        })
    }
}

fn machine(results: &Results) -> String {
    let kind = if results.host.virtual_machine == Some(true) { ", virtual machine" } else { "" };
    format!("{}{kind}", results.host.cpu)
}

fn facts(results: &Results) -> Vec<String> {
    // The header's own list, up to the table that follows it; warnings stand apart.
    let header = header::header(results);
    let lines = header.lines().take_while(|line| !line.is_empty());
    let facts = lines.filter_map(|line| line.strip_prefix("- "));
    facts.filter(|fact| !fact.starts_with("**")).map(|fact| fact.replace('`', "")).collect()
}

/// The backends of both files; those that were counted alone stand last.
fn backends(
    compare: &Results,
    counts: Option<&Results>,
    names: &mut Interned<String>,
) -> Vec<Backend> {
    let known = |id: &str| compare.backends.iter().any(|backend| backend.id == id);
    let counted = counts.into_iter().flat_map(|it| &it.backends).filter(|it| !known(&it.id));
    let backends = compare.backends.iter().chain(counted);
    let mut backend = |it: &BackendRecord| Backend {
        name: names.place(it.id.clone()),
        control: it.control.clone().map(|control| names.place(control)),
        about: about(it),
    };
    backends.map(&mut backend).collect()
}

/// Crates, versions and the engine's build in one line.
fn about(backend: &BackendRecord) -> String {
    let joined = |name: &Option<String>, version: &Option<String>| {
        Some(format!("{} {}", name.as_ref()?, version.as_ref()?))
    };
    let binding = joined(&backend.binding, &backend.binding_version);
    let engine = joined(&backend.engine_crate, &backend.engine_crate_version);
    let version = backend.engine_version.as_ref().map(|version| format!("LMDB {version}"));
    let engine = engine.filter(|engine| Some(engine) != binding.as_ref());
    let build = Some(header::build(&backend.engine_build)).filter(|build| build != "-");
    let words: Vec<String> = [binding, version, engine, build].into_iter().flatten().collect();
    if words.is_empty() { "without LMDB".to_owned() } else { words.join(", ") }
}

fn floors(compare: &Results, workloads: &mut Interned<Workload>) -> Vec<(usize, Value, Value)> {
    let mut floors: BTreeMap<usize, (Value, Value)> = BTreeMap::new();
    for case in &compare.cases {
        if let Some(floor) = case.noise_floor {
            let floor = floor.symmetric_about_one();
            let place = workloads.place(case.workload);
            floors.insert(place, (thousandths(floor.low), thousandths(floor.high)));
        }
    }
    floors.into_iter().map(|(place, (low, high))| (place, low, high)).collect()
}

fn cases(
    compare: &Results,
    counts: Option<&Results>,
    names: &mut Interned<String>,
    workloads: &mut Interned<Workload>,
) -> Cases {
    type Key<'a> = (&'a str, Workload);
    let key = |case: &'_ CaseRecord| (case.backend.clone(), case.workload);
    let counted = || counts.into_iter().flat_map(|counts| &counts.cases);
    let by_key: HashMap<Key<'_>, &CaseRecord> =
        counted().map(|case| ((case.backend.as_str(), case.workload), case)).collect();
    let timed: std::collections::HashSet<(String, Workload)> =
        compare.cases.iter().map(key).collect();
    let mut cases = Cases::default();
    for case in &compare.cases {
        let counted = by_key.get(&(case.backend.as_str(), case.workload)).copied();
        cases.push(Some(case), counted, names, workloads);
    }
    for case in counted().filter(|case| !timed.contains(&key(case))) {
        cases.push(None, Some(case), names, workloads);
    }
    cases
}

impl Cases {
    /// Adds a case that was timed, counted, or both.
    fn push(
        &mut self,
        timed: Option<&CaseRecord>,
        counted: Option<&CaseRecord>,
        names: &mut Interned<String>,
        workloads: &mut Interned<Workload>,
    ) {
        let Some(case) = timed.or(counted) else { return };
        if case.status != Status::Ok {
            let reason = case.reason.clone().unwrap_or_else(|| "no reason was recorded".to_owned());
            self.failed.insert(self.backend.len(), names.place(reason));
        }
        self.backend.push(names.place(case.backend.clone()));
        self.workload.push(workloads.place(case.workload));

        let times = timed.and_then(|case| case.time.as_ref()).map(|it| {
            let like = |value: f64| time(value, it.mean_ns);
            let absent = |value: Option<f64>| value.map_or(Value::Null, like);
            [like(it.mean_ns), absent(it.error_ns), absent(it.std_dev_ns), like(it.median_ns)]
        });
        spread(&mut self.time, times);

        let overhead = timed.and_then(|case| case.overhead.as_ref());
        let relative =
            timed.and_then(|case| case.relative.as_ref()).filter(|it| Some(*it) != overhead);
        spread(&mut self.overhead, overhead.map(bounds));
        self.overhead_verdict.push(letter(overhead));
        spread(&mut self.relative, relative.map(bounds));
        self.relative_verdict.push(letter(relative));

        let counts = counted.and_then(|case| case.counts.as_ref());
        let absent = |value: Option<f64>, decimals| {
            value.map_or(Value::Null, |value| rounded(value, decimals))
        };
        let instructions = counts.map(|it| {
            let part = |of: fn(&records::schema::Split) -> f64| it.instructions.as_ref().map(of);
            [
                absent(it.instructions_per_transaction, 0),
                absent(part(|split| split.binding), 0),
                absent(part(|split| split.libc_memory), 0),
                absent(part(|split| split.lmdb), 0),
            ]
        });
        spread(&mut self.instructions, instructions);
        let others = counts.map(|it| {
            let calls = it.system_calls_per_transaction.as_ref();
            [
                absent(it.rust_allocations_per_transaction, 2),
                absent(it.rust_bytes_per_transaction, 1),
                absent(calls.map(|calls| calls.values().sum()), 2),
            ]
        });
        spread(&mut self.others, others);
    }
}

/// Puts each value at the end of its list; nothing, where there is none.
fn spread<const N: usize>(lists: &mut [Vec<Value>; N], values: Option<[Value; N]>) {
    let values = values.unwrap_or([const { Value::Null }; N]);
    for (list, value) in lists.iter_mut().zip(values) {
        list.push(value);
    }
}

fn bounds(ratio: &Ratio) -> [Value; 3] {
    [ratio.estimate, ratio.low, ratio.high].map(thousandths)
}

fn letter(ratio: Option<&Ratio>) -> char {
    match ratio.map(|ratio| ratio.verdict) {
        Some(Verdict::Slower) => 's',
        Some(Verdict::Faster) => 'f',
        Some(Verdict::NoDifferenceFound) => 'n',
        None => '-',
    }
}
