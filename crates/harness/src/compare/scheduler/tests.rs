//! The scheduler against workers of known speed.

use std::cell::RefCell;
use std::rc::Rc;

use write_backend::{PutKind, Value, Workload};

use super::*;
use crate::backends::testing;
use crate::compare::analysis;
use crate::compare::plan::groups;
use crate::selection::{AxisValues, Filter, Selection, cases};
use records::schema::Status;
use records::testing::Run;
use statistics::Verdict;

/// What a fake launcher was asked, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Event {
    Start(String),
    Run(String, u64),
    End(String),
}

/// Who was started, on what, and in which link order.
type Started = (String, Workload, Option<(usize, usize)>);

/// Starts fake workers: a fixed time per transaction, launches that differ by a few percent, and a
/// machine that becomes slower and slower.
struct FakeLauncher {
    random: Random,
    drift: Rc<RefCell<f64>>,
    log: Rc<RefCell<Vec<Event>>>,
    broken: Option<(&'static str, usize)>,
    /// One whose binding lacks the call.
    lacking: Option<&'static str>,
    /// One whose clock stands still.
    timeless: Option<&'static str>,
    launches: usize,
    /// What was started, on what, and in which link order.
    orders: Vec<Started>,
}

struct FakeWorker {
    id: String,
    nanoseconds: f64,
    drift: Rc<RefCell<f64>>,
    log: Rc<RefCell<Vec<Event>>>,
    broken: bool,
}

impl FakeLauncher {
    fn new() -> Self {
        Self {
            random: Random::new(7),
            drift: Rc::new(RefCell::new(1.0)),
            log: Rc::default(),
            broken: None,
            lacking: None,
            timeless: None,
            launches: 0,
            orders: Vec::new(),
        }
    }

    /// A launch's own factor: 0 to 4 % more.
    fn noise(&mut self) -> f64 {
        1.0 + self.random.below(1000) as f64 * 0.04e-3
    }
}

/// The factor of a link order: heed's are off by 5 % to both sides in turn, the others' by nothing.
fn link(id: &str, order: Option<(usize, usize)>) -> f64 {
    match order {
        Some((_, pass)) if id == "heed" => [0.95, 1.05][pass % 2],
        _ => 1.0,
    }
}

/// heed takes 6 % more than its control, the controls 10 % less than raw-ffi.
fn speed(id: &str) -> f64 {
    match id {
        "heed" => 954.0,
        "raw-ffi@lmdb-master-sys" | "raw-ffi@lmdb-rkv-sys" | "lmdb-rkv" => 900.0,
        _ => 1000.0,
    }
}

impl Launcher for FakeLauncher {
    type Worker = FakeWorker;

    fn launch(
        &mut self,
        Wanted { backend, order, .. }: &Wanted,
        workload: &Workload,
    ) -> Result<FakeWorker, Failure> {
        if self.lacking == Some(&backend.id) {
            let value = Value::Name(workload.put.name());
            return Err(Failure::NotOffered { backend: backend.id.clone(), what: "put", value });
        }
        self.launches += 1;
        self.orders.push((backend.id.clone(), *workload, *order));
        self.log.borrow_mut().push(Event::Start(backend.id.clone()));
        let broken =
            self.broken.is_some_and(|(id, from)| id == backend.id && self.launches >= from);
        Ok(FakeWorker {
            id: backend.id.clone(),
            nanoseconds: if self.timeless == Some(&backend.id) {
                0.0
            } else {
                speed(&backend.id) * self.noise() * link(&backend.id, *order)
            },
            drift: Rc::clone(&self.drift),
            log: Rc::clone(&self.log),
            broken,
        })
    }

    fn prove_clock(&mut self, _case: &Case) -> Result<(), Failure> {
        Ok(())
    }

    fn end(&mut self, worker: FakeWorker) -> Result<(), Failure> {
        self.log.borrow_mut().push(Event::End(worker.id));
        Ok(())
    }
}

impl PreparedWorker for FakeWorker {
    fn run(&mut self, _warm_up: u64, transactions: u64) -> Result<Duration, Failure> {
        if self.broken {
            return Err(Failure::Reported("broken on purpose".to_owned()));
        }
        self.log.borrow_mut().push(Event::Run(self.id.clone(), transactions));
        let mut drift = self.drift.borrow_mut();
        *drift *= 1.0001;
        Ok(Duration::from_nanos((self.nanoseconds * *drift * transactions as f64) as u64))
    }
}

struct Passes(usize);

impl Observer for Passes {
    fn step(&mut self, _pass: Pass, _done: usize, _all: usize, _series: &Series) {}

    fn again(&mut self, passes: usize, _series: &[Series]) -> bool {
        passes < self.0
    }
}

const SHAPE: Shape =
    Shape { warm_up: Duration::from_millis(1), sample: Duration::from_millis(1), rounds: 3 };

/// The groups of all timed backends that `filter` admits.
fn groups_of(filter: &Filter) -> Vec<Group> {
    let backends = testing::backends();
    let selection =
        Selection { backends: backends.timed().cloned().collect(), values: AxisValues::default() };
    groups(&cases(&[selection], filter).unwrap(), &backends, true, &[])
}

fn measure(launcher: &mut FakeLauncher, filter: &str, passes: usize) -> Vec<Series> {
    let filter = Filter::parse(Some(filter), false).unwrap();
    run(launcher, groups_of(&filter), SHAPE, 5, &mut Passes(passes))
}

#[test]
fn known_differences_are_found_in_spite_of_drift() {
    let series = measure(&mut FakeLauncher::new(), "commit-n1-v4-", 30);
    // A millisecond of about a microsecond each.
    assert!((950..1050).contains(&series[0].transactions), "{}", series[0].transactions);
    let run =
        series[0].group.entries[..7].iter().fold(Run::compare().workloads(&[]), |run, entry| {
            run.backend(&entry.backend.id, entry.backend.control.as_deref(), 1.0)
        });
    let mut results = run.build();
    (results.cases, results.twins) =
        (analysis::records(&series), analysis::twins(&series, Role::Twin));
    results.echoes = analysis::twins(&series, Role::Echo);
    results.conclude();
    let of = |id: &str| results.case(id, &series[0].group.workload).unwrap();
    let overhead = of("heed").overhead.as_ref().unwrap();
    assert_eq!(overhead.against, "raw-ffi@lmdb-master-sys");
    assert!(overhead.low < 1.06 && 1.06 < overhead.high, "{overhead:?}");
    assert_eq!(overhead.verdict, Verdict::Slower);
    assert_eq!(of("lmdb-rkv").overhead.as_ref().unwrap().verdict, Verdict::NoDifferenceFound);
    let engine = of("raw-ffi@lmdb-rkv-sys").relative.as_ref().unwrap();
    assert!((engine.estimate - 0.9).abs() < 0.01, "{engine:?}");
    assert_eq!(engine.verdict, Verdict::Faster);
    assert_eq!(of("raw-ffi@lmdb-rkv-sys").overhead, None);
    let floor = of("heed").noise_floor.unwrap();
    assert!(floor.low > 0.98 && floor.high < 1.02, "{floor:?}");
    // Orders of two kinds without any between: their deviation over 0.82, that of normal ones pulled in.
    let [heed, other] =
        ["heed", "lmdb-rkv"].map(|id| of(id).overhead.as_ref().unwrap().luck.unwrap());
    assert!((0.055..0.067).contains(&heed) && other < 0.01, "{heed} {other}");
}

#[test]
fn one_worker_runs_at_a_time_and_every_launch_is_ended() {
    let mut launcher = FakeLauncher::new();
    measure(&mut launcher, "abort-n1-v4-.*heed", 2);
    let log = launcher.log.borrow();
    let count = |wanted: fn(&Event) -> bool| log.iter().filter(|event| wanted(event)).count();
    // Three proofs, one pilot, and two blocks of three backends, the twin and the echo.
    assert_eq!(count(|event| matches!(event, Event::Start(_))), 3 + 1 + 2 * 5);
    assert_eq!(count(|event| matches!(event, Event::End(_))), 3 + 1 + 2 * 5);
    // In a block all are started before the first is sampled: a warm-up of one sample follows each
    // start, then 3 rounds of 5.
    let last: Vec<&Event> = log.iter().rev().skip(5).take(15).collect();
    assert!(last.iter().all(|event| matches!(event, Event::Run(..))), "{last:?}");
}

#[test]
fn all_workloads_of_a_pass_have_its_link_orders_and_no_other_pass_has_them() {
    let mut launcher = FakeLauncher::new();
    let series = measure(&mut launcher, "abort-n1-v(4|64)-.*heed", 3);
    let blocks = launcher.orders.iter().filter(|(.., order)| order.is_some()).count();
    assert_eq!((series.len(), blocks), (2, 2 * 3 * 5));
    for workload in series.iter().map(|series| series.group.workload) {
        let of = |id: &str| -> Vec<(usize, usize)> {
            let mine = launcher.orders.iter().filter(|it| it.0 == id && it.1 == workload);
            let mut found: Vec<_> = mine.filter_map(|it| it.2).collect();
            found.sort_unstable();
            found
        };
        assert_eq!(of("heed"), [(0, 0), (0, 1), (0, 2)]);
        // The echo takes the reference's orders, the twin others.
        let twice = [(0, 0), (0, 0), (0, 1), (0, 1), (0, 2), (0, 2), (1, 0), (1, 1), (1, 2)];
        assert_eq!(of("raw-ffi"), twice);
    }
}

#[test]
fn the_seed_decides_the_order() {
    let order = || {
        let mut launcher = FakeLauncher::new();
        measure(&mut launcher, "abort-n1-", 3);
        launcher.log.take()
    };
    assert_eq!(order(), order());
}

#[test]
fn a_backend_that_fails_in_the_middle_does_not_stop_the_others() {
    let mut launcher = FakeLauncher::new();
    launcher.broken = Some(("heed", 40));
    let series = measure(&mut launcher, "commit-n1-v4-", 10);
    let records = analysis::records(&series);
    for record in &records {
        let failed = record.backend == "heed";
        assert_eq!(record.reason.is_some(), failed, "{record:?}");
        assert_eq!(record.time.is_none(), failed, "a failed case has no time");
    }
    let heed = records.iter().find(|record| record.backend == "heed").unwrap();
    assert_eq!(heed.reason.as_deref(), Some("broken on purpose"));
    assert_eq!(testing::backends().timed().count(), records.len());
}

#[test]
fn a_binding_that_lacks_the_call_is_not_started_and_has_not_failed() {
    let mut launcher = FakeLauncher { lacking: Some("heed"), ..FakeLauncher::new() };
    let series = measure(&mut launcher, "commit-n1-v4-.*heed", 10);
    let records = analysis::records(&series);
    let found: Vec<(&str, Status)> =
        records.iter().map(|record| (record.backend.as_str(), record.status)).collect();
    assert_eq!(
        found,
        [
            ("raw-ffi", Status::Ok),
            ("raw-ffi@lmdb-master-sys", Status::Ok),
            ("heed", Status::NotOffered)
        ]
    );
    let reason = records[2].reason.as_deref();
    assert_eq!(reason, Some("heed does not offer put \"plain\""));
    assert!(!launcher.log.borrow().contains(&Event::Start("heed".to_owned())));
}

#[test]
fn a_slowed_twin_does_more_than_it_reports() {
    let filter = Filter::parse(Some("abort-n1-v4-.*raw-ffi$"), false).unwrap();
    let mut groups = groups_of(&filter);
    let entry = groups[0].entries[0].clone();
    groups[0].entries.push(Entry { role: Role::Slowed(110), ..entry });
    let series = run(&mut FakeLauncher::new(), groups, SHAPE, 5, &mut Passes(20));
    let ratio = median(series[0].times(3)).unwrap() / median(series[0].times(0)).unwrap();
    assert!((1.08..1.12).contains(&ratio), "{ratio}");
}

#[test]
fn a_clock_that_stands_still_is_no_time() {
    // The reference's decides how long a sample is: without it the next one's does.
    for id in ["raw-ffi", "heed"] {
        let mut launcher = FakeLauncher::new();
        launcher.timeless = Some(id);
        let series = measure(&mut launcher, "commit-n1-v4-.*heed", 2);
        assert!(series[0].transactions > 900, "{}", series[0].transactions);
        for record in analysis::records(&series) {
            let reason = record.reason.unwrap_or_default();
            assert_eq!(reason.contains("took no time"), record.backend == id, "{reason}");
        }
    }
}

#[test]
fn a_twin_and_its_backend_share_their_fate() {
    // Launches: three proofs and a pilot, then the five of the block, three of them raw-ffi's.
    for broken_from in 5..=7 {
        let mut launcher = FakeLauncher::new();
        launcher.broken = Some(("raw-ffi", broken_from));
        let series = measure(&mut launcher, "commit-n1-v4-.*heed", 1);
        let Series { failures, launches, .. } = &series[0];
        assert_eq!([&failures[0]; 2], [&failures[3], &failures[4]]);
        assert!(failures[0].is_some(), "{failures:?}");
        assert_eq!((&launches[0][0], &launches[3][0]), (&None, &None));
    }
}

#[test]
fn a_run_ends_when_every_case_has_failed() {
    let mut launcher = FakeLauncher::new();
    launcher.broken = Some(("raw-ffi", 0));
    let filter = Filter::parse(Some("commit-n1-v4-.*/raw-ffi$"), false).unwrap();
    let groups = groups_of(&filter);
    let series = run(&mut launcher, groups, SHAPE, 5, &mut Passes(usize::MAX));
    assert_eq!(launcher.launches, 1);
    assert!(series[0].failures.iter().all(Option::is_some));
}

#[test]
fn what_was_not_measured_has_no_record() {
    let series = measure(&mut FakeLauncher::new(), "commit-n1-v4-.*heed", 0);
    assert_eq!(analysis::records(&series), []);
}

#[test]
fn a_slow_phase_within_a_block_cancels_round_by_round() {
    let mut series = measure(&mut FakeLauncher::new(), "commit-n1-v4-.*heed", 0).remove(0);
    // From the third round on everything is slower; the medians of all rounds fall on either side.
    series.launches[0] = vec![Some(vec![100.0, 100.0, 150.0, 150.0, 150.0])];
    series.launches[1] = vec![Some(vec![110.0, 110.0, 110.0, 165.0, 165.0])];
    assert_eq!(series.times(0), [150.0]);
    assert_eq!(series.times(1), [110.0]);
    let log = series.log_ratios(1, 0)[0];
    assert!((log - 1.1_f64.ln()).abs() < 1e-9, "{log}");
}

/// A put and another one are compared in the same blocks; a ratio is of one workload all the same.
#[test]
fn workloads_that_are_compared_share_their_blocks() {
    let backends = testing::backends();
    let mut values = AxisValues::default();
    values.ask("put", ["plain", "append"].map(Value::Name));
    values.ask("finish", [Value::Name("abort")]);
    values.ask("batch_size", [Value::Number(10)]);
    values.ask("value_size", [Value::Number(8), Value::Number(64)]);
    let selection = Selection { backends: vec![testing::find("heed")], values };
    let cases = cases(&[selection], &Filter::parse(None, false).unwrap()).unwrap();
    let groups = groups(&cases, &backends, true, &["put".to_owned()]);
    let of_one_put = ["raw-ffi", "raw-ffi@lmdb-master-sys", "heed", "raw-ffi", "raw-ffi"];
    assert_eq!(groups.len(), 2);
    for group in &groups {
        let ids: Vec<&str> = group.entries.iter().map(|it| it.backend.id.as_str()).collect();
        assert_eq!(ids, [of_one_put, of_one_put].concat());
        assert!(group.entries[5..].iter().all(|it| it.workload.put == PutKind::Append));
    }
    let mut launcher = FakeLauncher::new();
    let series = run(&mut launcher, groups, SHAPE, 5, &mut Passes(8));
    let records = analysis::records(&series);
    assert_eq!((records.len(), analysis::twins(&series, Role::Echo).len()), (4 * 3, 4));
    for record in records.iter().filter(|it| it.backend == "heed") {
        let logs = &record.log_ratios["raw-ffi@lmdb-master-sys"];
        let mean = logs.iter().sum::<f64>() / logs.len() as f64;
        assert!((mean - 1.06_f64.ln()).abs() < 0.03, "{mean}");
    }
}
