//! The first lines of the project's README: which binding, and what it costs.

use std::fmt::Write as _;

use write_backend::{Finish, SyncMode, Workload};

use crate::answer::bindings::{self, choices, fastest};
use crate::answer::grid::{WIDTH, wrapped};
use crate::answer::matrix::{Cell, Columns, cells, change};
use crate::facts::released;
use crate::groups::Group;
use crate::guide::costs::costs;
use crate::suites;
use crate::table::plain;
use crate::units::{self, listed};
use crate::view::{RunView, View, of_reference};
use records::behaviour::Behaviour;
use records::looked_up::LookedUp;
use write_backend::protocol::behaviour::Outcome;

/// As many lines of a matrix as a document has room for.
const LINES: usize = 40;

/// The section: sentences, and the matrix. `runs` are all that are published, `compare` is the comparison of
/// `run` that is shown.
#[must_use]
pub fn section(
    run: &RunView<'_>,
    compare: &View<'_>,
    runs: &[RunView<'_>],
    typed: &LookedUp,
) -> String {
    let commits = commits(compare);
    let columns = Columns::of(compare.workloads());
    let behaviour = of_reference(runs, |it| it.run.behaviour.as_ref()).map(|(_, found)| found);
    let days = days(compare, runs, typed);
    let sentences: Vec<String> = [
        recommendation(compare, &commits, &days),
        suites::gain(runs).map(|(said, _)| said),
        cost(compare, &commits),
        when(compare, runs),
        others(&days),
        behaviour.and_then(|found| in_silence(compare, found)),
        Some(format!(
            "Measured on {} ({}){}.",
            run.name(),
            crate::header::machine(&compare.results.host),
            other_machines(run, runs)
        )),
    ]
    .into_iter()
    .flatten()
    .collect();
    let grid = bindings::grid(compare, &columns);
    let grid = grid.map_or(String::new(), |mut grid| {
        grid.bands.push(bindings::times(compare, &columns.groups));
        grid.text(WIDTH, LINES)
    });
    format!(
        "{}\n```text\n{grid}```\n\n{}",
        wrapped(&sentences.join(" "), WIDTH),
        wrapped(
            &format!(
                "±: half of the 95 % interval; `=`: no difference found, one of up to that ± is possible{}. \
                 luck: the spread over link orders; one build is off by up to twice that.",
                columns.pooled_in_words()
            ),
            WIDTH
        )
    )
}

/// The commits that wait for nothing: there a binding's part is largest.
fn commits(view: &View<'_>) -> Group {
    let is_meant = |it: &&Workload| it.finish == Finish::Commit && it.sync == SyncMode::NoSync;
    let workloads: Vec<Workload> = view.workloads().iter().filter(is_meant).copied().collect();
    let like = workloads.first().copied().unwrap_or_default();
    Group { like, title: "commit".to_owned(), workloads }
}

/// The day of release of each binding to choose from, where it is known; the newest first.
fn days<'a>(view: &View<'a>, runs: &[RunView<'_>], typed: &LookedUp) -> Vec<(&'a str, String)> {
    let day = |id: &str| {
        let facts = runs.iter().rev().filter_map(|run| run.run.facts.as_ref());
        let mut crates = facts.flat_map(|facts| &facts.crates);
        let day = released(crates.find(|it| it.backend == id)?, typed);
        day.starts_with(|first: char| first.is_ascii_digit()).then_some(day)
    };
    let mut days: Vec<(&str, String)> =
        choices(view).into_iter().filter_map(|id| Some((id, day(id)?))).collect();
    days.sort_by(|(_, one), (_, other)| other.cmp(one));
    days
}

/// A binding that takes no more than this beyond the fastest is near it: other things decide then.
const NEAR: f64 = 0.05;

/// Which to take: of those near the fastest with commits the one that was released last.
fn recommendation(view: &View<'_>, commits: &Group, days: &[(&str, String)]) -> Option<String> {
    let choices = choices(view);
    let base = fastest(view, &choices, &commits.workloads).filter(|_| choices.len() > 1)?;
    let mean = |id: &str| view.results.mean_ratio(id, base, &commits.workloads);
    let more = |id: &str| Some(format!("{} %", change(mean(id)?.estimate, mean(id).as_ref())));
    let is_near = |id: &str| id == base || mean(id).is_some_and(|it| it.estimate - 1.0 <= NEAR);
    let take = days.iter().find(|(id, _)| is_near(id));
    let (taken, mut text) = match take {
        Some((id, day)) if *id == base => (
            base,
            format!(
                "**Take {id}**: with commits it is the fastest, and it was released last ({day})."
            ),
        ),
        Some((id, day)) => (
            *id,
            format!(
                "**Take {id}**: it was released last ({day}), and with commits it takes {} over the fastest, {base}, \
                 each on the LMDB that it brings along.",
                more(id)?
            ),
        ),
        None => (base, format!("**{base} is the fastest with commits.**")),
    };
    let others = choices.iter().filter(|id| **id != base && **id != taken);
    let words: Vec<String> = others.filter_map(|id| Some(format!("{id} {}", more(id)?))).collect();
    if !words.is_empty() {
        let _ = write!(text, " Others over {base}: {}.", words.join(", "));
    }
    let lucks =
        choices.iter().filter_map(|id| view.results.luck_of_mean(id, base, &commits.workloads));
    if let Some((_, luck)) = units::extent(lucks) {
        let _ = write!(text, " Yours is one build: it may be off by {:.1} %.", 200.0 * luck);
    }
    Some(text)
}

/// What each adds to raw FFI on its own LMDB.
fn cost(view: &View<'_>, commits: &Group) -> Option<String> {
    let choices = choices(view);
    let mut pairs = bindings::controlled(view);
    let of = |pairs: &[(&str, &str)]| {
        let found = cells(view, pairs, std::slice::from_ref(commits));
        let word = |(pair, row): (&(&str, &str), &Vec<Cell>)| match row.first()? {
            Cell::Absent => None,
            cell => Some(format!("{} {} %", pair.0, cell.text())),
        };
        pairs.iter().zip(&found).filter_map(word).collect::<Vec<_>>()
    };
    pairs.retain(|(id, _)| choices.contains(id));
    let own = of(&pairs);
    (!own.is_empty()).then(|| {
        format!(
            "The binding alone adds to a commit, over raw FFI on the same LMDB: {}.",
            own.join(", ")
        )
    })
}

/// When it matters: how much it is in time, and of a commit that waits for the disk.
fn when(view: &View<'_>, runs: &[RunView<'_>]) -> Option<String> {
    let choices = choices(view);
    let costs: Vec<_> =
        costs(view).into_iter().filter(|it| choices.contains(&it.backend.as_str())).collect();
    let most = units::extent(costs.iter().map(|it| it.at_most))?.1;
    let puts: Vec<usize> = costs.iter().map(|it| it.group.like.batch_size).collect();
    let (low, high) = (puts.iter().min()?, puts.iter().max()?);
    let mut text = format!(
        "That is at most {} of a commit of {low} to {high} puts; a commit that waits for the disk hides it",
        units::time(most)
    );
    let waits = |it: &&Workload| it.finish == Finish::Commit && it.sync == SyncMode::Sync;
    let suites = runs.iter().rev().flat_map(|it| it.run.suites.values());
    let mut views = suites.filter_map(|it| it.times.as_ref()).map(View::new);
    let found = views.find(|it| it.workloads().iter().any(|one| waits(&one)));
    if let Some(view) = found {
        let synced: Vec<Workload> = view.workloads().iter().filter(waits).copied().collect();
        let id = view.results.reference().filter(|id| view.cases_of(id, &synced).next().is_some());
        let id = id.or_else(|| view.backends().first().map(|it| it.id.as_str()))?;
        let times = view.cases_of(id, &synced).filter_map(|it| Some(it.time.as_ref()?.median_ns));
        let (short, long) = units::extent(times)?;
        let _ = write!(
            text,
            ", which takes {} to {} (`sync` on {}, {})",
            units::time(short),
            units::time(long),
            view.results.options.file_system,
            crate::header::machine(&view.results.host)
        );
    }
    Some(text + ".")
}

/// When the others were released.
fn others(days: &[(&str, String)]) -> Option<String> {
    let (_, rest) = days.split_first()?;
    let words: Vec<String> = rest.iter().map(|(id, day)| format!("{id} {day}")).collect();
    (!words.is_empty()).then(|| format!("Last releases of the others: {}.", words.join(", ")))
}

/// Who does in silence, or dies of, what another binding refuses with an error.
fn in_silence(view: &View<'_>, found: &Behaviour) -> Option<String> {
    let choices = choices(view);
    let is_error = |it: &Outcome| matches!(it, Outcome::Refused { .. });
    let is_bad = |it: &Outcome| {
        !matches!(it, Outcome::Refused { .. } | Outcome::Done { .. } | Outcome::NotChecked { .. })
    };
    let outcome = |case: &records::behaviour::BehaviourCase, id: &str| {
        case.seen.iter().find(|it| it.backend == id).map(|it| it.outcome.clone())
    };
    let refused = found
        .cases
        .iter()
        .filter(|case| choices.iter().any(|id| outcome(case, id).is_some_and(|it| is_error(&it))));
    let refused: Vec<_> = refused.collect();
    let known = choices.iter().filter(|id| found.backends.iter().any(|it| it.id == **id));
    let words: Vec<String> = known
        .map(|id| {
            let bad = |case: &&&records::behaviour::BehaviourCase| {
                outcome(case, id).is_some_and(|it| is_bad(&it))
            };
            format!("{id} in {}", refused.iter().filter(bad).count())
        })
        .collect();
    (!words.is_empty()).then(|| {
        format!(
            "Of {} mistakes that one of them refuses with an error another takes in silence, panics or dies: {}.",
            refused.len(),
            listed(&words)
        )
    })
}

/// The other machines, and whether they count as much.
fn other_machines(run: &RunView<'_>, runs: &[RunView<'_>]) -> String {
    let others: Vec<String> = crate::answer::machines::newest(runs)
        .iter()
        .filter(|(it, _)| it.run.host != run.run.host)
        .map(|(it, view)| {
            let one = view.results.backends.iter().any(|it| it.one_link_order.is_some());
            let marks = if one { ", in one link order" } else { "" };
            format!("{}{marks}", it.run.host)
        })
        .collect();
    if others.is_empty() {
        return String::new();
    }
    plain(&format!("; other machines: {}, see results/README.md", listed(&others)))
}
