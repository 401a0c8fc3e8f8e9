//! What tests of stored data need, here and in the crates above: one builder for the made-up runs of all
//! tests, and a stored file of each kind and format.
//!
//! A formula gives the numbers of a run, and a test states only what it is about.
//!
//! ```
//! use records::testing::Run;
//!
//! let run = Run::compare()
//!     .backend("raw-ffi", None, 1.0)
//!     .backend("heed", Some("raw-ffi"), 1.05)
//!     .workloads(&["commit-n10-v64-k4-sequential-nosync"])
//!     .build();
//! let overhead = run.cases[1].overhead.as_ref().unwrap();
//! assert!((overhead.estimate - 1.05).abs() < 0.01);
//! ```

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use write_backend::protocol::Profile;
use write_backend::{DataFormat, Encoding, Workload};

use crate::behaviour::Behaviour;
use crate::calibration::Calibration;
use crate::host::{EngineBuild, Host};
use crate::schema::{
    Asked, BackendRecord, CaseRecord, Counts, LAUNCHES, Results, RunOptions, SCHEMA, Split, Time,
    TwinRecord, default_workloads, rounded,
};
use crate::store;

/// A results file of format 1, with every field.
pub const RESULTS_1: &str = include_str!("../tests/fixtures/results-schema-1.json");
/// A results file of format 2, with every field.
pub const RESULTS_2: &str = include_str!("../tests/fixtures/results-schema-2.json");
/// A calibration with every field.
pub const CALIBRATION: &str = include_str!("../tests/fixtures/calibration-schema-1.json");
/// A behaviour file of format 1, with every field and every outcome.
pub const BEHAVIOUR: &str = include_str!("../tests/fixtures/behaviour-schema-1.json");

/// A file of facts of format 1, with every field.
#[cfg(test)]
pub(crate) const FACTS: &str = include_str!("../tests/fixtures/facts-schema-1.json");

/// When made-up runs started: 2026-11-30, 21:21:45 UTC.
pub const STARTED: u64 = 1_796_077_305;
/// How far launches scatter: each is off by up to five times this, as a logarithm.
const SCATTER: f64 = 0.001;

fn read<T: store::Stored>(text: &str) -> T {
    store::parse(text.as_bytes(), Path::new("fixture.json")).expect("a stored file is read")
}

/// [`RESULTS_1`].
#[must_use]
pub fn first_format() -> Results {
    read(RESULTS_1)
}

/// [`CALIBRATION`].
#[must_use]
pub fn calibration() -> Calibration {
    read(CALIBRATION)
}

/// [`BEHAVIOUR`] without its failure, so that nothing speaks against its publication.
#[must_use]
pub fn behaviour() -> Behaviour {
    Behaviour { failures: Vec::new(), ..read(BEHAVIOUR) }
}

/// A machine.
#[must_use]
pub fn host() -> Host {
    Host {
        name: "box".to_owned(),
        system: "Some OS 1, Linux 6.1".to_owned(),
        cpu: "Some CPU".to_owned(),
        cores: 2,
        virtual_machine: Some(true),
        governor: Some("performance".to_owned()),
        rustc: "rustc 1.90.0".to_owned(),
        target: "x86_64-unknown-linux-gnu".to_owned(),
        rustflags: "-C x".to_owned(),
    }
}

/// A backend of a release build, aligned, with the engine that its crate ships.
#[must_use]
pub fn backend(id: &str, control: Option<&str>) -> BackendRecord {
    let crates = if id.starts_with("raw-ffi") { "lmdb-sys" } else { id };
    BackendRecord {
        id: id.to_owned(),
        order: 0,
        colour: None,
        reference: false,
        binding: Some(crates.to_owned()),
        binding_version: Some("0.8.0".to_owned()),
        engine_crate: Some("lmdb-sys".to_owned()),
        engine_crate_version: Some("0.8.0".to_owned()),
        engine_version: Some("0.9.21".to_owned()),
        data_format: DataFormat::default(),
        encoding: Encoding::default(),
        control: control.map(str::to_owned),
        profile: Profile::Release,
        put_alignment: Some(0),
        loop_alignment: [("abort/plain".to_owned(), 0), ("commit/plain".to_owned(), 0)].into(),
        engine_build: EngineBuild {
            bundled: Some(true),
            assertions: Some(false),
            optimisation: Some("-O3".to_owned()),
            compiler: Some("GNU C17 12.2.0".to_owned()),
            switches: None,
        },
        one_link_order: None,
    }
}

/// `text` with the value at `pointer` (RFC 6901) replaced; `value` is a piece of JSON, which need not
/// be a value that the JSON library can hold.
#[cfg(test)]
pub(crate) fn with(text: &str, pointer: &str, value: &str) -> String {
    const PLACE: &str = "the place of the value";
    let mut json: serde_json::Value = serde_json::from_str(text).unwrap();
    *json.pointer_mut(pointer).unwrap_or_else(|| panic!("no {pointer}")) = PLACE.into();
    json.to_string().replace(&format!("\"{PLACE}\""), value)
}

/// A workload by its name.
///
/// # Panics
/// When that is no name of a workload.
#[must_use]
pub fn workload(name: &str) -> Workload {
    name.parse().unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A run in the making. Unless told otherwise it is whole and good: nothing speaks against its
/// publication. The first backend with a binding is the one that all others are compared with.
#[derive(Debug, Clone)]
pub struct Run {
    results: Results,
    workloads: Vec<Workload>,
    launches: usize,
    twin: f64,
    /// How much longer than its control each backend takes.
    factors: Vec<f64>,
    /// The same on single workloads, by backend.
    exceptions: HashMap<(String, Workload), f64>,
    /// Why cases failed.
    failures: HashMap<(String, Workload), String>,
}

impl Run {
    /// A run of `compare` on the default matrix, with the usual number of launches.
    #[must_use]
    pub fn compare() -> Self {
        Self::of("compare")
    }

    /// A run of `counts` on the default matrix.
    #[must_use]
    pub fn counts() -> Self {
        Self::of("counts")
    }

    /// A good run of `compare`: raw FFI on two engines, and `heed`, 5 % slower than its control.
    #[must_use]
    pub fn whole() -> Self {
        Self::compare()
            .backend("raw-ffi", None, 1.0)
            .backend("raw-ffi@lmdb-master-sys", None, 0.9)
            .backend("heed", Some("raw-ffi@lmdb-master-sys"), 1.05)
    }

    fn of(producer: &str) -> Self {
        let results = Results {
            schema: SCHEMA,
            producer: producer.to_owned(),
            started_unix: STARTED,
            complete: true,
            host: host(),
            options: RunOptions {
                seed: 7,
                map_size: 10 << 20,
                writable_map: false,
                file_system: "ext4".to_owned(),
                core: Some(1),
                sync_ns: None,
                disturbances: Vec::new(),
                confidence: 0.95,
                rounds: 25,
                cflags: None,
                builds: Vec::new(),
                settings: Vec::new(),
                asked: Asked::default(),
                suite: None,
            },
            backends: Vec::new(),
            cases: Vec::new(),
            twins: Vec::new(),
            echoes: Vec::new(),
            counters: None,
        };
        Self {
            results,
            workloads: default_workloads(),
            launches: LAUNCHES,
            twin: 1.0,
            factors: Vec::new(),
            exceptions: HashMap::new(),
            failures: HashMap::new(),
        }
    }

    /// One more backend, which takes `factor` times as long as its control, or as the first backend
    /// where it has no control.
    #[must_use]
    pub fn backend(mut self, id: &str, control: Option<&str>, factor: f64) -> Self {
        let order = u32::try_from(self.results.backends.len()).unwrap_or(u32::MAX);
        self.results.backends.push(BackendRecord { order, ..backend(id, control) });
        self.factors.push(factor);
        self
    }

    /// On `workload` the backend `id` takes another `factor`.
    #[must_use]
    pub fn on(mut self, id: &str, workload: &str, factor: f64) -> Self {
        self.exceptions.insert((id.to_owned(), self::workload(workload)), factor);
        self
    }

    /// On `workload` the backend `id` fails.
    #[must_use]
    pub fn failed(mut self, id: &str, workload: &str, reason: &str) -> Self {
        self.failures.insert((id.to_owned(), self::workload(workload)), reason.to_owned());
        self
    }

    /// These workloads instead of the default matrix.
    #[must_use]
    pub fn workloads(mut self, names: &[&str]) -> Self {
        self.workloads = names.iter().map(|name| workload(name)).collect();
        self
    }

    /// As many launches of each case.
    #[must_use]
    pub fn launches(mut self, launches: usize) -> Self {
        self.launches = launches;
        self
    }

    /// The A/A twin takes `factor` times as long as its equal.
    #[must_use]
    pub fn twin(mut self, factor: f64) -> Self {
        self.twin = factor;
        self
    }

    /// Changes what is known before the cases: host, options, backends.
    #[must_use]
    pub fn edit(mut self, change: impl FnOnce(&mut Results)) -> Self {
        change(&mut self.results);
        self
    }

    /// The run.
    #[must_use]
    pub fn build(mut self) -> Results {
        let backends = &mut self.results.backends;
        if let Some(first) = backends.iter_mut().find(|it| !it.is_loop_in_c()) {
            first.reference = true;
        }
        let ids: Vec<String> = self.results.backends.iter().map(|it| it.id.clone()).collect();
        self.results.options.asked = Asked::of(ids, &self.workloads);
        for workload in self.workloads.clone() {
            for place in 0..self.results.backends.len() {
                let case = self.case(place, workload);
                self.results.cases.push(case);
            }
            if self.results.producer == "compare" {
                let log_ratios = self.scatter(3, self.twin.ln()).into_iter().map(rounded).collect();
                self.results.twins.push(TwinRecord { workload, log_ratios });
                let log_ratios = self.scatter(0, 0.0).iter().map(|it| rounded(it / 2.0)).collect();
                self.results.echoes.push(TwinRecord { workload, log_ratios });
            }
        }
        self.results.conclude();
        self.results
    }

    fn case(&self, place: usize, workload: Workload) -> CaseRecord {
        let BackendRecord { id, control, engine_version, .. } = &self.results.backends[place];
        if let Some(reason) = self.failures.get(&(id.clone(), workload)) {
            return CaseRecord::failed(id, workload, reason.clone());
        }
        let ok = CaseRecord::ok(id, workload);
        if self.results.producer == "counts" {
            return CaseRecord { counts: Some(self.counted(place, workload)), ..ok };
        }
        let base = 1000.0 + 100.0 * workload.batch_size as f64 + workload.value_size as f64;
        let own = self.log_times(place, workload);
        let launches = own.iter().map(|log| base * log.exp()).collect();
        let mut log_ratios = BTreeMap::new();
        for (other, under) in self.results.backends.iter().enumerate() {
            let is_denominator = under.reference || control.as_ref() == Some(&under.id);
            let has_failed = self.failures.contains_key(&(under.id.clone(), workload));
            if other != place && is_denominator && !has_failed && engine_version.is_some() {
                let under_logs = self.log_times(other, workload);
                let logs = own.iter().zip(under_logs).map(|(own, under)| rounded(own - under));
                log_ratios.insert(under.id.clone(), logs.collect());
            }
        }
        CaseRecord { time: Time::new(launches, 100), log_ratios, ..ok }
    }

    /// The logarithms of the launches over what the reference takes.
    fn log_times(&self, place: usize, workload: Workload) -> Vec<f64> {
        self.scatter(place, self.over_reference(place, &workload).ln())
    }

    /// How many times as long the backend at `place` takes as the first one.
    fn over_reference(&self, place: usize, workload: &Workload) -> f64 {
        let BackendRecord { id, control, .. } = &self.results.backends[place];
        let exception = self.exceptions.get(&(id.clone(), *workload)).copied();
        let own = exception.unwrap_or(self.factors[place]);
        let control = control.as_ref().map(|control| {
            let is_it = |it: &BackendRecord| it.id == *control;
            self.results.backends.iter().position(is_it).expect("a control is there before")
        });
        own * control.map_or(1.0, |control| self.over_reference(control, workload))
    }

    /// Launches about `centre`, each block off by an amount of its own.
    fn scatter(&self, salt: usize, centre: f64) -> Vec<f64> {
        let off = |block: usize| (((block * 7 + salt * 5) % 11) as f64 - 5.0) * SCATTER;
        (0..self.launches).map(|block| centre + off(block)).collect()
    }

    fn counted(&self, place: usize, workload: Workload) -> Counts {
        let binding = 100.0 * self.over_reference(place, &workload) * workload.batch_size as f64;
        let split = Split {
            binding: binding.round(),
            lmdb: 700.0 + 300.0 * workload.batch_size as f64,
            libc_memory: 40.0,
            libc_bytes: workload.value_size as f64,
            libc_other: 12.0,
            other: 0.0,
        };
        let all = split.binding
            + split.lmdb
            + split.libc_memory
            + split.libc_bytes
            + split.libc_other
            + split.other;
        Counts {
            transactions: 100,
            instructions_per_transaction: Some(all),
            instructions_per_put: None,
            instructions_spread: Some(0.0),
            instructions: Some(split),
            rust_allocations_per_transaction: Some(place as f64),
            rust_bytes_per_transaction: Some(place as f64 * 64.0),
            c_allocations_per_transaction: Some(1.0),
            system_calls_per_transaction: Some([("pwrite".to_owned(), 1.0)].into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_asked_for() {
        let name = "commit-n10-v64-k4-sequential-nosync";
        let run = Run::whole().on("heed", name, 1.2).failed("raw-ffi", name, "no").build();
        let case = run.case("heed", &workload(name)).unwrap();
        let overhead = case.overhead.as_ref().unwrap();
        assert!((overhead.estimate - 1.2).abs() < 0.01, "{overhead:?}");
        assert_eq!(case.relative, None);
        assert_eq!(store::check(&run), Ok(()));
    }
}
