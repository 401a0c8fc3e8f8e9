//! What a suite has found: a page and a picture for its question. Nothing here knows a suite by name: what
//! is shown follows from the axes that it compares, and from those that differ.
//!
//! | module | what it owns |
//! |---|---|
//! | [`effects`] | values of an axis against its usual one, each backend against itself |
//! | [`overheads`] | bindings against their controls, workload by workload |
//! | `picture` | both as a picture |

use records::looked_up::LookedUp;
use records::published::{SuiteRun, file};
use records::schema::{Results, Suite};

use statistics::Verdict;
use write_backend::Finish;

use crate::pictures::Picture;
use crate::table::{Section, bullets, markdown};
use crate::view::{Role, RunView, View, of_reference};
use crate::{header, show};

pub mod effects;
pub mod overheads;
mod picture;

/// The files of a suite, ready to be asked. One of the two is there.
#[derive(Debug, Clone)]
pub struct SuiteView<'run> {
    /// Its name and question.
    pub suite: &'run Suite,
    times: Option<View<'run>>,
    counts: Option<View<'run>>,
}

impl<'run> SuiteView<'run> {
    /// The view of `run`; `None` where it has no file.
    #[must_use]
    pub fn new(run: &'run SuiteRun) -> Option<Self> {
        let suite = run.files().find_map(|it| it.options.suite.as_ref())?;
        let view = |file: &'run Option<_>| file.as_ref().map(View::new);
        Some(Self { suite, times: view(&run.times), counts: view(&run.counts) })
    }

    /// The view of one file; `None` where it is not of a suite.
    #[must_use]
    pub fn of_file(results: &'run Results) -> Option<Self> {
        let (suite, view) = (results.options.suite.as_ref()?, Some(View::new(results)));
        let is_counted = results.producer == "counts";
        let (times, counts) = if is_counted { (None, view) } else { (view, None) };
        Some(Self { suite, times, counts })
    }

    /// What it has found, most telling first.
    #[must_use]
    pub fn sections(&self) -> Vec<Section> {
        let mut sections = effects::sections(self);
        if self.suite.compares.is_empty() {
            sections.extend(overheads::section(self));
        }
        sections
    }

    /// The view that knows its workloads and backends.
    fn any(&self) -> &View<'run> {
        self.times.as_ref().or(self.counts.as_ref()).expect("one of the two is there")
    }

    /// Instructions per put.
    fn instructions(&self, backend: &str, workload: &write_backend::Workload) -> Option<f64> {
        let case = self.counts.as_ref()?.case(backend, workload)?;
        case.counts.as_ref()?.instructions_per_put
    }

    fn with_largest_gain(self) -> Option<(Self, effects::Effect<'run>)> {
        let is_meant = |it: &effects::Effect<'_>| {
            let role = self.any().backend(it.backend).map(|it| self.any().role(it));
            let is_faster = it.time.as_ref().is_some_and(|(_, it)| *it == Verdict::Faster);
            role == Some(Role::Binding) && it.workload.finish == Finish::Commit && is_faster
        };
        let time = |it: &effects::Effect<'_>| it.time.as_ref().map_or(1.0, |(it, _)| it.estimate);
        let found = effects::effects(&self).into_iter().filter(is_meant);
        let largest = found.min_by(|a, b| time(a).total_cmp(&time(b)))?;
        Some((self, largest))
    }

    /// The name of its page.
    #[must_use]
    pub fn page_name(&self) -> String {
        format!("{}{}.md", file::SUITE, self.suite.name)
    }

    /// Its picture, if its files give one.
    #[must_use]
    pub fn picture(&self) -> Option<Picture> {
        let (svg, description) = picture::picture(self)?;
        let name = format!("{}{}.svg", file::SUITE, self.suite.name).into();
        Some(Picture { name, title: self.suite.question.clone().into(), svg, description })
    }

    /// Its page, beside the files.
    #[must_use]
    pub fn page(&self, typed: &LookedUp) -> String {
        let mut parts = vec![format!(
            "# {}\n\nMade from the files beside this one by `cargo run -p harness -- report`; not to be edited. \
             Measured by `cargo bench -p harness --bench compare -- --suite {name}`, counted by `--bench \
             counts -- --suite {name}`. How: [METHOD.md](../../../METHOD.md).\n\n{}",
            self.suite.question,
            header::header(self.any().results),
            name = self.suite.name,
        )];
        parts.extend(self.picture().map(|it| it.markdown("")));
        parts.push(markdown(&self.sections()));
        let advisories = self.advisories(typed);
        parts.extend((!advisories.is_empty()).then(|| bullets(&advisories)));
        parts.extend(self.times.as_ref().map(|it| show::of_people(it, "All times")));
        parts.extend(self.counts.as_ref().map(|it| show::of_people(it, "All counts")));
        parts.join("\n")
    }

    /// Advisories about the crates behind encodings, which go by the same names.
    fn advisories(&self, typed: &LookedUp) -> Vec<String> {
        let all = typed.advisories.iter().flat_map(|it| &it.advisories);
        let backends = self.any().backends();
        let is_meant = |name: &str| backends.iter().any(|it| it.encoding.name() == name);
        let words = |it: &records::looked_up::advisories::Advisory| {
            format!("{} is {}: {} ({})", it.name, it.kind, it.title, it.id)
        };
        all.filter(|it| is_meant(&it.name)).map(words).collect()
    }
}

/// The views of the suites of a run, by name.
#[must_use]
pub fn views<'run>(run: &RunView<'run>) -> Vec<SuiteView<'run>> {
    run.run.suites.values().filter_map(SuiteView::new).collect()
}

/// A link to the answer of each question that any of `runs` has asked, the reference machine's newest.
#[must_use]
pub fn links(runs: &[RunView<'_>]) -> Vec<String> {
    let mut names: Vec<&String> = runs.iter().flat_map(|it| it.run.suites.keys()).collect();
    names.sort();
    names.dedup();
    let link = |name: &String| {
        let (run, suite) =
            of_reference(runs, |it| SuiteView::new(it.run.suites.get(name.as_str())?))?;
        Some(format!("[{}]({}/{})", suite.suite.question, run.place(), suite.page_name()))
    };
    names.into_iter().filter_map(link).collect()
}

/// What saves a user of a binding most, in a sentence: the largest effect of a commit that was found, on the
/// reference machine; and a link to its page from `results/`. `None` where nothing saves anything.
#[must_use]
pub fn gain(runs: &[RunView<'_>]) -> Option<(String, String)> {
    let share = |found: &(SuiteView<'_>, effects::Effect<'_>)| {
        found.1.time.as_ref().map_or(1.0, |(estimate, _)| estimate.estimate)
    };
    let (run, (suite, effect)) = of_reference(runs, |run| {
        let found = views(run).into_iter().filter_map(SuiteView::with_largest_gain);
        found.min_by(|one, other| share(one).total_cmp(&share(other)))
    })?;
    let (estimate, _) = effect.time.as_ref()?;
    let title =
        effects::groups(&suite).into_iter().find(|it| it.workloads.contains(&effect.workload))?;
    let sentence = format!(
        "What saves most is not the choice of a binding: with {}, {} takes {:.0} % less time than the usual \
         way ({}).",
        effect.backend,
        effects::label(&suite, &effect.workload),
        (1.0 - estimate.estimate) * 100.0,
        title.title,
    );
    let link = format!("[{}]({}/{})", suite.suite.question, run.place(), suite.page_name());
    Some((sentence, link))
}

#[cfg(test)]
mod tests;
