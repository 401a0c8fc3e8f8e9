//! What follows from the blocks of a run: ratios, noise floors, verdicts.

use std::collections::HashMap;

use statistics::{Difference, Interval, RatioEstimate, Verdict, luck, verdicts};
use write_backend::Workload;

use super::{Asked, BackendRecord, CaseRecord, FIRST_ORDERS, FIRST_REFERENCE, Ratio, Results};

impl Results {
    /// The backend called `id`, if it took part.
    #[must_use]
    pub fn backend(&self, id: &str) -> Option<&BackendRecord> {
        self.backends.iter().find(|backend| backend.id == id)
    }

    /// The case of `backend` on `workload`, if it is there.
    #[must_use]
    pub fn case(&self, backend: &str, workload: &Workload) -> Option<&CaseRecord> {
        self.cases.iter().find(|case| case.backend == backend && case.workload == *workload)
    }

    /// The id of the backend that all others are compared with, if it took part.
    #[must_use]
    pub fn reference(&self) -> Option<&str> {
        self.backends.iter().find(|backend| backend.reference).map(|backend| backend.id.as_str())
    }

    /// Whether two backends write files of one family, so that their times may be shown as a ratio.
    #[must_use]
    pub fn one_family(&self, ids: [&str; 2]) -> bool {
        let [first, second] = ids.map(|id| self.backend(id).map(|it| it.data_format.family()));
        first == second
    }

    /// The ratio of the time of `over` to that of `under` on `workload`, with its interval: the number
    /// that tables, ranks and differences show. `None` where it was not measured, in too few blocks, or of
    /// backends that are not of [`one_family`](Self::one_family).
    ///
    /// A file of format 1 has no blocks: of it the stored ratios are taken, and between other pairs
    /// that of the launches' times.
    #[must_use]
    pub fn ratio(&self, over: &str, under: &str, workload: &Workload) -> Option<(f64, Interval)> {
        if self.schema == 1 {
            let case = self.case(over, workload)?;
            let stored = [&case.overhead, &case.relative].into_iter().flatten();
            if let Some(found) = stored.into_iter().find(|it| it.against == under) {
                return Some((found.estimate, Interval { low: found.low, high: found.high }));
            }
        }
        let blocks = self.log_ratios(over, under, workload)?;
        let found = RatioEstimate::from_log_ratios(&blocks, self.options.confidence).ok()?;
        Some((found.estimate, found.interval()))
    }

    /// For each block the logarithm of the time of `over` over that of `under`: as it was measured, or
    /// else the difference of what was measured of both against the reference. Several workloads may
    /// be averaged block by block.
    ///
    /// A file of format 1 has no blocks: of it the logarithms of the launches' times are paired.
    #[must_use]
    pub fn log_ratios(&self, over: &str, under: &str, workload: &Workload) -> Option<Vec<f64>> {
        let [over, under] = [self.case(over, workload)?, self.case(under, workload)?];
        if !self.one_family([&over.backend, &under.backend]) {
            return None;
        }
        if self.schema == 1 {
            let logs = |case: &CaseRecord| -> Option<Vec<f64>> {
                Some(case.time.as_ref()?.launches_ns.iter().map(|time| time.ln()).collect())
            };
            return difference(&logs(over)?, &logs(under)?);
        }
        if let Some(blocks) = over.log_ratios.get(&under.backend) {
            return Some(blocks.clone());
        }
        if let Some(blocks) = under.log_ratios.get(&over.backend) {
            return Some(blocks.iter().map(|log| -log).collect());
        }
        let reference = self.reference()?;
        difference(over.log_ratios.get(reference)?, under.log_ratios.get(reference)?)
    }

    /// The logarithms of the ratio of `over` to `under`, averaged over `workloads` pass by pass: all
    /// workloads of a pass have the link orders of that pass, so that their luck is one. `None` where one of
    /// them has none.
    #[must_use]
    pub fn mean_log_ratios(
        &self,
        over: &str,
        under: &str,
        workloads: &[Workload],
    ) -> Option<Vec<f64>> {
        let blocks: Option<Vec<Vec<f64>>> =
            workloads.iter().map(|workload| self.log_ratios(over, under, workload)).collect();
        pass_means(&blocks?)
    }

    /// The ratio of `over` to `under` as a mean over `workloads`. Its unit is the pass, in which all of them
    /// share their luck. `None` of a file of format 1, which has no blocks.
    #[must_use]
    pub fn mean_ratio(
        &self,
        over: &str,
        under: &str,
        workloads: &[Workload],
    ) -> Option<RatioEstimate> {
        let logs = self.mean_log_ratios(over, under, workloads).filter(|_| self.schema > 1)?;
        RatioEstimate::from_log_ratios(&logs, self.options.confidence).ok()
    }

    /// The luck of the mean ratio of `over` to `under` over `workloads`, as a part of 1: the spread of the
    /// mean that one build shows. `None` where one of the two ran in one link order.
    #[must_use]
    pub fn luck_of_mean(&self, over: &str, under: &str, workloads: &[Workload]) -> Option<f64> {
        let echoes: Vec<Vec<f64>> = self.echoes_on(workloads).map(<[f64]>::to_vec).collect();
        let is_whole =
            echoes.len() == workloads.len() && self.in_one_link_order([over, under]).is_none();
        let logs = self.mean_log_ratios(over, under, workloads).filter(|_| is_whole)?;
        luck(&[&logs], &[&pass_means(&echoes)?]).ok()
    }

    /// The noise floor of a mean over `workloads`: the A/A twin averaged over them pass by pass. `None`
    /// where one of them has no twin.
    #[must_use]
    pub fn mean_floor(&self, workloads: &[Workload]) -> Option<Interval> {
        let twins = self.twins.iter().filter(|twin| workloads.contains(&twin.workload));
        let twins: Vec<Vec<f64>> = twins.map(|twin| twin.log_ratios.clone()).collect();
        let logs = pass_means(&twins).filter(|_| twins.len() == workloads.len())?;
        Some(RatioEstimate::from_log_ratios(&logs, self.options.confidence).ok()?.interval())
    }

    /// The ratio of the time of `backend` on the workload `over` to its time on `under`. Its unit is the pass:
    /// there both have one link order, and where a suite compares the two, their samples lie in the same
    /// block. `None` where one was not measured, or in too few passes.
    #[must_use]
    pub fn effect(
        &self,
        backend: &str,
        over: &Workload,
        under: &Workload,
    ) -> Option<RatioEstimate> {
        let times = |workload: &Workload| self.case(backend, workload)?.time.as_ref();
        let pairs = times(over)?.launches_ns.iter().zip(&times(under)?.launches_ns);
        let logs: Vec<f64> = pairs.map(|(over, under)| (over / under).ln()).collect();
        RatioEstimate::from_log_ratios(&logs, self.options.confidence).ok()
    }

    /// Why one of `backends` ran in one link order; `None` where none did.
    #[must_use]
    pub fn in_one_link_order<'a>(
        &self,
        backends: impl IntoIterator<Item = &'a str>,
    ) -> Option<&str> {
        let mut records = backends.into_iter().filter_map(|id| self.backend(id));
        records.find_map(|backend| backend.one_link_order.as_deref())
    }

    fn echoes_on<'a>(&'a self, workloads: &'a [Workload]) -> impl Iterator<Item = &'a [f64]> {
        let mine = self.echoes.iter().filter(|echo| workloads.contains(&echo.workload));
        mine.map(|echo| echo.log_ratios.as_slice())
    }

    /// The luck of the ratio of `case` to `against`, of all workloads together that differ from its own in
    /// the value size alone.
    fn luck(&self, case: &CaseRecord, against: &str) -> Option<f64> {
        if self.in_one_link_order([case.backend.as_str(), against]).is_some() {
            return None;
        }
        let like = |it: &Workload| Workload { value_size: case.workload.value_size, ..*it };
        let alike = self
            .cases
            .iter()
            .filter(|it| it.backend == case.backend && like(&it.workload) == case.workload);
        let (workloads, logs): (Vec<Workload>, Vec<&[f64]>) = alike
            .filter_map(|it| Some((it.workload, it.log_ratios.get(against)?.as_slice())))
            .unzip();
        luck(&logs, &self.echoes_on(&workloads).collect::<Vec<_>>()).ok()
    }

    /// Computes everything that follows from what was observed: ratios and noise floors with their
    /// intervals, the verdicts on all ratios of the run together, instructions per put.
    ///
    /// See [`verdicts`] for the rules. A ratio against a control that is the reference as well counts
    /// once.
    pub fn conclude(&mut self) {
        let confidence = self.options.confidence;
        let estimate = |blocks: &[f64]| RatioEstimate::from_log_ratios(blocks, confidence).ok();
        let twins = self.twins.iter();
        let floors: HashMap<Workload, Interval> = twins
            .filter_map(|it| Some((it.workload, estimate(&it.log_ratios)?.interval())))
            .collect();
        let mut family: Vec<Difference> = Vec::new();
        let mut ratios: Vec<(usize, Ratio)> = Vec::new();
        for (index, case) in self.cases.iter().enumerate() {
            let in_family = |id: &&String| self.one_family([&case.backend, id]);
            for (against, blocks) in case.log_ratios.iter().filter(|(id, _)| in_family(id)) {
                let Some(estimate) = estimate(blocks) else { continue };
                let luck = self.luck(case, against);
                ratios.push((index, Ratio::new(against, &estimate, Verdict::Withheld, luck)));
                // What holds for one build is not among what may be claimed.
                if self.in_one_link_order([case.backend.as_str(), against]).is_none() {
                    let floor = floors.get(&case.workload).copied();
                    family.push(Difference { estimate, floor });
                }
            }
        }
        // They are all estimates of this crate's; without a confidence there are none.
        let mut judged = verdicts(&family, confidence).unwrap_or_default().into_iter();
        for (index, ratio) in &mut ratios {
            let pair = [self.cases[*index].backend.as_str(), ratio.against.as_str()];
            if self.in_one_link_order(pair).is_none() {
                ratio.verdict = judged.next().unwrap_or(Verdict::NoDifferenceFound);
            }
        }
        let reference = self.reference().map(str::to_owned);
        for case in &mut self.cases {
            (case.overhead, case.relative) = (None, None);
            case.noise_floor = floors.get(&case.workload).copied().filter(|_| case.time.is_some());
            if let Some(counts) = &mut case.counts {
                let all = counts.instructions_per_transaction;
                let puts = case.workload.batch_size as f64;
                counts.instructions_per_put = all.map(|all| all / puts);
            }
        }
        for (index, ratio) in ratios {
            let id = &self.cases[index].backend;
            let control = self.backend(id).and_then(|backend| backend.control.as_deref());
            let is_overhead = control == Some(&ratio.against);
            if reference.as_deref() == Some(&ratio.against) {
                self.cases[index].relative = Some(ratio.clone());
            }
            if is_overhead {
                self.cases[index].overhead = Some(ratio);
            }
        }
    }

    /// Adds what a file of format 1 does not say and its readers knew.
    pub(super) fn upgrade(&mut self) {
        for (order, backend) in self.backends.iter_mut().enumerate() {
            backend.order = u32::try_from(order).unwrap_or(u32::MAX);
            backend.reference = backend.id == FIRST_REFERENCE;
            let is_timed = self.producer != "counts";
            backend.one_link_order = is_timed.then(|| FIRST_ORDERS.to_owned());
        }
        let ids = self.backends.iter().map(|backend| backend.id.clone()).collect();
        let workloads: Vec<Workload> = self.cases.iter().map(|case| case.workload).collect();
        self.options.asked = Asked::of(ids, &workloads);
    }
}

/// The mean of several lists place by place, as far as all of them go: the last pass of an interrupted run
/// may have blocks of some workloads alone. `None` without lists.
fn pass_means(lists: &[Vec<f64>]) -> Option<Vec<f64>> {
    let passes = lists.iter().map(Vec::len).min()?;
    let mean = |pass| lists.iter().map(|it| it[pass]).sum::<f64>() / lists.len() as f64;
    Some((0..passes).map(mean).collect())
}

/// Block by block; `None` where they do not pair up.
fn difference(over: &[f64], under: &[f64]) -> Option<Vec<f64>> {
    (over.len() == under.len()).then(|| over.iter().zip(under).map(|(a, b)| a - b).collect())
}

#[cfg(test)]
mod tests {
    use statistics::Verdict;

    use crate::testing::{Run, workload};

    const ONE: &str = "commit-n10-v64-k4-sequential-nosync";

    #[test]
    fn ratios_follow_from_the_blocks() {
        let run = Run::whole().on("heed", ONE, 1.0).build();
        let case = run.case("heed", &workload("abort-n1-v4-k4-sequential-nosync")).unwrap();
        let [overhead, relative] = [&case.overhead, &case.relative].map(|it| it.clone().unwrap());
        assert_eq!(
            (&*overhead.against, overhead.verdict),
            ("raw-ffi@lmdb-master-sys", Verdict::Slower)
        );
        assert_eq!((&*relative.against, relative.verdict), ("raw-ffi", Verdict::Faster));
        assert!(
            (overhead.estimate - 1.05).abs() < 2e-3 && (relative.estimate - 0.945).abs() < 2e-3
        );
        assert!(case.noise_floor.unwrap().contains(1.0));
        let equal = run.case("heed", &workload(ONE)).unwrap().overhead.clone().unwrap();
        assert_eq!(equal.verdict, Verdict::NoDifferenceFound);
        let reference = run.case("raw-ffi", &workload(ONE)).unwrap();
        assert_eq!((&reference.overhead, &reference.relative), (&None, &None));
    }

    #[test]
    fn what_a_twin_cannot_be_told_from_is_not_claimed() {
        let verdict = |twin: f64| {
            let run = Run::whole().twin(twin).build();
            run.case("heed", &workload(ONE)).unwrap().overhead.as_ref().unwrap().verdict
        };
        assert_eq!([verdict(1.04), verdict(1.06)], [Verdict::Slower, Verdict::NoDifferenceFound]);
    }

    #[test]
    fn what_ran_in_one_link_order_has_an_interval_and_no_verdict() {
        let run = Run::whole()
            .backend("owned-buffer", Some("raw-ffi"), 1.2)
            .edit(|run| run.backends[2].one_link_order = Some("no LLD".to_owned()))
            .build();
        let of = |id: &str| run.case(id, &workload(ONE)).unwrap();
        let (heed, other) = (of("heed").overhead.as_ref().unwrap(), of("owned-buffer"));
        assert_eq!((heed.verdict, heed.luck), (Verdict::Withheld, None));
        assert!((heed.estimate - 1.05).abs() < 2e-3 && heed.high < 1.06, "{heed:?}");
        let other = other.overhead.as_ref().unwrap();
        assert!(other.verdict == Verdict::Slower && other.luck.is_some(), "{other:?}");
        let ids = ["heed", "raw-ffi@lmdb-master-sys"];
        assert_eq!(run.luck_of_mean(ids[0], ids[1], &[workload(ONE)]), None);
    }

    /// All workloads of a pass have its link orders, so that their mean is no surer than one of them.
    #[test]
    fn luck_is_pooled_over_value_sizes_and_shared_by_the_workloads_of_a_pass() {
        let mut run = Run::whole().build();
        let names = ["v4", "v64"].map(|it| format!("commit-n10-{it}-k4-sequential-nosync"));
        let workloads = names.map(|name| workload(&name));
        // By pass: the order's share, the same in both; one is 2 % above the other.
        let shared = |pass: usize| [-0.03, -0.01, 0.0, 0.01, 0.03][pass % 5];
        for case in &mut run.cases {
            let own = if case.workload == workloads[1] { 0.02 } else { 0.0 };
            for logs in case.log_ratios.values_mut() {
                *logs = (0..60).map(|pass| own + shared(pass)).collect();
            }
        }
        // The last pass of an interrupted run.
        let first =
            run.cases.iter_mut().find(|it| it.backend == "heed" && it.workload == workloads[0]);
        first.unwrap().log_ratios.values_mut().for_each(|logs| logs.truncate(59));
        run.echoes.iter_mut().for_each(|echo| echo.log_ratios.fill(0.0));
        run.conclude();
        let ids = ["heed", "raw-ffi@lmdb-master-sys"];
        let logs = run.mean_log_ratios(ids[0], ids[1], &workloads).unwrap();
        assert_eq!(logs.len(), 59);
        assert!((logs[4] - 0.04).abs() < 1e-12, "{}", logs[4]);
        let mean = run.mean_ratio(ids[0], ids[1], &workloads).unwrap();
        let one = run.case("heed", &workloads[0]).unwrap().overhead.clone().unwrap();
        assert!((mean.estimate.ln() - 0.01).abs() < 1e-3, "{mean:?}");
        assert!(((mean.high - mean.low) / (one.high - one.low) - 1.0).abs() < 0.1, "{mean:?}");
        let luck = run.luck_of_mean(ids[0], ids[1], &workloads).unwrap();
        assert!((luck / one.luck.unwrap() - 1.0).abs() < 0.1 && luck > 0.02, "{luck}");
    }

    #[test]
    fn another_family_has_overhead_and_no_ratio_to_the_reference() {
        let [raw, heed] = ["raw-ffi@lmdb-master-sys", "heed"];
        let run = Run::whole().edit(|run| {
            for backend in run.backends.iter_mut().filter(|it| [raw, heed].contains(&&*it.id)) {
                backend.data_format = "mdbx-3".to_owned().try_into().unwrap();
            }
        });
        let run = run.build();
        let case = run.case(heed, &workload(ONE)).unwrap();
        assert!(case.log_ratios.contains_key("raw-ffi"), "stored is what was observed");
        assert!(case.overhead.is_some() && case.relative.is_none());
        assert!(run.ratio(heed, raw, &workload(ONE)).is_some());
        assert_eq!(run.ratio(heed, "raw-ffi", &workload(ONE)), None);
    }

    #[test]
    fn every_pair_has_one_ratio_whichever_way_it_is_asked() {
        let run = Run::whole().backend("owned-buffer", Some("raw-ffi"), 1.2).build();
        let of = |over, under| run.ratio(over, under, &workload(ONE)).unwrap();
        let overhead = run.case("heed", &workload(ONE)).unwrap().overhead.clone().unwrap();
        let (estimate, interval) = of("heed", "raw-ffi@lmdb-master-sys");
        assert_eq!(
            (estimate, interval.low, interval.high),
            (overhead.estimate, overhead.low, overhead.high)
        );
        let (back, _) = of("raw-ffi@lmdb-master-sys", "heed");
        assert!((estimate * back - 1.0).abs() < 1e-9);
        // Through the reference: 1.2 over 0.9 times 1.05.
        assert!((of("owned-buffer", "heed").0 - 1.2 / 0.945).abs() < 5e-3);
        assert_eq!(run.ratio("heed", "sled", &workload(ONE)), None);
    }
}
