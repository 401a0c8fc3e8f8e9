//! The link orders of a run: another one for every launch, the same for all workloads of a pass. Passes
//! take turns with the builds that users make most ([`DRAWN`]).
//!
//! They are made before the clock matters, as many passes at a time as the store has room for. A backend
//! that cannot be linked anew runs in the order of its build, and the others go on.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::backends::{Backend, Kind, Programs};
use crate::interrupt;
use crate::links::build::Build;
use crate::links::error::LinkError;
use crate::links::method::{Method, orders};
use crate::links::objects::Objects;
use crate::links::real::DRAWN;
use crate::links::store::{Job, Store};
use crate::progress::Progress;

/// Passes whose links are made at once where nobody knows how many there will be.
pub const BATCH: usize = 20;

/// A backend that may be linked anew, how many lanes of orders it has, and the builds of its worker that
/// passes take turns with.
pub type Linked = (Arc<Backend>, usize, Vec<Build>);

/// The link orders of a run.
#[derive(Debug, Default)]
pub struct RunOrders {
    /// Absent where nobody has orders.
    store: Option<Store>,
    seed: u64,
    /// How many passes are planned.
    planned: usize,
    lanes: Vec<Lane>,
    /// Why a backend runs in one link order, by its id.
    fixed: BTreeMap<String, String>,
    /// The passes whose links are there.
    batch: Range<usize>,
}

/// One entry's orders.
#[derive(Debug)]
struct Lane {
    backend: String,
    number: usize,
    /// Of each build.
    objects: Vec<Objects>,
    /// Those of the batch.
    programs: Vec<PathBuf>,
}

impl RunOrders {
    /// Every one of `backends` in the order of its build, for this reason.
    pub fn fixed<'a>(backends: impl IntoIterator<Item = &'a Arc<Backend>>, reason: &str) -> Self {
        let fixed = backends.into_iter().map(|backend| (backend.id.clone(), one_line(reason)));
        Self { fixed: fixed.collect(), ..Self::default() }
    }

    /// Builds the workers of `linked` in `store` and keeps what they are made from; `planned` passes are to
    /// come. Orders depend on `seed`, backend and lane. Where there is no store, the reason is everybody's.
    pub fn collect(
        store: Result<Store, LinkError>,
        linked: &[Linked],
        seed: u64,
        planned: usize,
    ) -> Self {
        let store = match store {
            Ok(store) => store,
            Err(error) => {
                return Self::fixed(linked.iter().map(|(backend, ..)| backend), &error.to_string());
            }
        };
        let mut progress = Progress::new();
        let mut found = Self { seed, planned, ..Self::default() };
        for (done, (backend, lanes, builds)) in linked.iter().enumerate() {
            progress.show(done, linked.len(), &format!("object files of {}", backend.id));
            if interrupt::requested() {
                break;
            }
            let collect =
                |build| store.collect(build).and_then(|it| it.linker().switch(1).map(|_| it));
            match builds.iter().map(collect).collect::<Result<Vec<Objects>, _>>() {
                Ok(objects) => found.lanes.extend((0..*lanes).map(|number| Lane {
                    backend: backend.id.clone(),
                    number,
                    objects: objects.clone(),
                    programs: Vec::new(),
                })),
                Err(error) => found.fix(&backend.id, &error),
            }
        }
        found.store = Some(store);
        found
    }

    /// These orders, and the reasons of `others`, which have none.
    pub fn and(mut self, others: Self) -> Self {
        self.fixed.extend(others.fixed);
        self
    }

    /// `programs`, and those that the objects are of in the place of the same that lie where the next
    /// build writes.
    pub fn instead_of(&self, mut programs: Programs) -> Programs {
        for Lane { backend, objects, .. } in &self.lanes {
            programs = programs.with(backend, Kind::Worker, &objects[0].fixed());
        }
        programs
    }

    /// Why the backend `id` runs in one link order; `None` where each launch has its own.
    pub fn reason(&self, id: &str) -> Option<&str> {
        self.fixed.get(id).map(String::as_str)
    }

    /// The names of the builds that passes take turns with; none where nobody has orders, or where there is
    /// one build.
    pub fn builds(&self) -> impl Iterator<Item = &'static str> {
        let builds = self.lanes.iter().map(|lane| lane.objects.len()).max().unwrap_or(0);
        DRAWN.iter().filter(move |_| builds == DRAWN.len()).map(|it| it.name)
    }

    /// The program of a backend for a lane and a pass that is [`ready`](Self::ready); `None` where it is
    /// that of the build.
    pub fn program(&self, id: &str, lane: usize, pass: usize) -> Option<&Path> {
        let lane = self.lanes.iter().find(|it| it.number == lane && it.backend == id)?;
        let place = pass.checked_sub(self.batch.start)?;
        lane.programs.get(place).map(PathBuf::as_path)
    }

    /// Makes the links of `pass` if they are not there, and those of the passes that follow. The links of
    /// earlier passes are then no longer needed. A backend whose first links fail runs in the order of its
    /// build.
    ///
    /// # Errors
    /// When links fail that were possible before, or the user ended it.
    pub fn ready(&mut self, pass: usize) -> Result<(), LinkError> {
        let Some(store) = &self.store else { return Ok(()) };
        if self.batch.contains(&pass) || self.lanes.is_empty() {
            return Ok(());
        }
        let wanted = if pass < self.planned { self.planned - pass } else { BATCH };
        // Those of one build: the others are about as large.
        let objects: Vec<&Objects> = self.lanes.iter().map(|lane| &lane.objects[0]).collect();
        let batch = pass..pass + wanted.min(store.most_orders(&objects)).max(1);
        store.release(self.lanes.iter().flat_map(|lane| &lane.programs));
        let turns = |lane: &Lane| -> Vec<Vec<u32>> {
            let turns = 0..lane.objects.len();
            turns.map(|turn| lane.orders(self.seed, &batch, turn)).collect()
        };
        let drawn: Vec<Vec<Vec<u32>>> = self.lanes.iter().map(turns).collect();
        let jobs: Vec<Job<'_>> = self
            .lanes
            .iter()
            .zip(&drawn)
            .flat_map(|(lane, drawn)| lane.objects.iter().zip(drawn))
            .map(|(objects, orders)| Job { objects, method: Method::Functions, orders })
            .collect();
        let mut progress = Progress::new();
        let mut made =
            store.link(&jobs, |done, all| progress.show(done, all, "link orders")).into_iter();
        let mut failed = Vec::new();
        for lane in &mut self.lanes {
            let turns: Result<Vec<_>, _> = made.by_ref().take(lane.objects.len()).collect();
            match turns {
                Ok(turns) => lane.programs = in_turn(turns, batch.start),
                Err(LinkError::Interrupted) => return Err(LinkError::Interrupted),
                Err(error) if pass > 0 => return Err(error),
                Err(error) => failed.push((lane.backend.clone(), error)),
            }
        }
        for (id, error) in failed {
            self.fix(&id, &error);
        }
        self.batch = batch;
        Ok(())
    }

    fn fix(&mut self, id: &str, error: &LinkError) {
        self.lanes.retain(|lane| lane.backend != id);
        self.fixed.entry(id.to_owned()).or_insert_with(|| one_line(&error.to_string()));
    }
}

impl Lane {
    /// The orders of those of `passes` that are of one build, which do not depend on how passes are put
    /// into batches.
    fn orders(&self, seed: u64, passes: &Range<usize>, turn: usize) -> Vec<u32> {
        // FNV-1a over the seed and what the lane is called.
        let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        let name = format!("{} {}", self.backend, self.number);
        let bytes = seed.to_le_bytes().into_iter().chain(name.bytes());
        let seed = bytes.fold(0xcbf2_9ce4_8422_2325, mix);
        let orders = orders(seed, passes.end);
        passes
            .clone()
            .filter(|pass| pass % self.objects.len() == turn)
            .map(|pass| orders[pass])
            .collect()
    }
}

/// The programs of consecutive passes from `first` on, where each build's stand in a list of their own.
fn in_turn(turns: Vec<Vec<PathBuf>>, first: usize) -> Vec<PathBuf> {
    let builds = turns.len();
    let passes: usize = turns.iter().map(Vec::len).sum();
    let mut turns: Vec<_> = turns.into_iter().map(Vec::into_iter).collect();
    (first..first + passes).filter_map(|pass| turns[pass % builds].next()).collect()
}

/// A reason as headers have it: what cargo or a linker said stands below it.
fn one_line(reason: &str) -> String {
    let words = reason.split_whitespace().collect::<Vec<_>>().join(" ");
    words.replace(char::is_control, " ")
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::links::store::tests::{Fixture, LINKS};

    /// Orders of `backends`, which have as many lanes as stand beside them; the store has room for two
    /// passes.
    fn run(fixture: &Fixture, backends: &[(&str, usize)], seed: u64, planned: usize) -> RunOrders {
        let store = fixture.store();
        let lanes = backends.iter().flat_map(|(id, lanes)| {
            let objects = vec![fixture.objects(&store, id, id)];
            let lane = move |number| Lane {
                backend: (*id).to_owned(),
                number,
                objects: objects.clone(),
                programs: Vec::new(),
            };
            (0..*lanes).map(lane)
        });
        let lanes: Vec<Lane> = lanes.collect();
        let one = store.most_orders(&lanes.iter().map(|it| &it.objects[0]).collect::<Vec<_>>());
        // A bound at which two orders fit where there was room for many.
        let store = store.with_limit(2 * crate::links::store::LIMIT / one as u64 + 5000);
        RunOrders { store: Some(store), seed, planned, lanes, ..RunOrders::default() }
    }

    /// What the links of a pass say that they are, by lane: the fake compiler writes the order.
    fn orders_of(run: &RunOrders, pass: usize) -> Vec<String> {
        let lanes = run.lanes.iter();
        let program = |it: &Lane| run.program(&it.backend, it.number, pass).map(Path::to_owned);
        let programs = lanes.filter_map(program);
        programs.map(|path| std::fs::read_to_string(path).unwrap()).collect()
    }

    #[test]
    fn no_two_launches_have_one_order_however_passes_are_put_into_batches() {
        let fixture = Fixture::new();
        let all = |seed: u64| -> Vec<String> {
            let mut run = run(&fixture, &[("a", 2), ("b", 1)], seed, 5);
            let passes = (0..7).flat_map(|pass| {
                run.ready(pass).unwrap();
                assert!(run.batch.len() <= 3, "{:?}", run.batch);
                // A pass that is over has no links any more.
                assert!(pass < 3 || run.program("a", 0, 0).is_none());
                orders_of(&run, pass)
            });
            passes.collect()
        };
        let found = all(1);
        assert_eq!(found.len(), 7 * 3);
        assert_eq!(found.iter().collect::<std::collections::BTreeSet<_>>().len(), 7 * 3);
        assert_eq!(found, all(1));
        assert!(all(2).iter().all(|order| !found.contains(order)));
    }

    #[test]
    fn passes_take_turns_with_builds() {
        let fixture = Fixture::new();
        let mut run = run(&fixture, &[("a", 1)], 1, 5);
        let other = fixture.objects(run.store.as_ref().unwrap(), "b", "b");
        run.lanes[0].objects.push(other);
        let found: Vec<bool> = (0..7)
            .map(|pass| {
                run.ready(pass).unwrap();
                let program = run.program("a", 0, pass).unwrap();
                program.starts_with(&run.lanes[0].objects[pass % 2].directory)
            })
            .collect();
        assert_eq!(found, [true; 7]);
        assert_eq!(run.builds().count(), 2);
    }

    #[test]
    fn a_backend_without_links_runs_in_its_builds_order_and_the_others_go_on() {
        let fixture = Fixture::new();
        let mut run = run(&fixture, &[("good", 1), ("bad", 2)], 1, 2);
        let fails = format!("case \"$*\" in *bad*) echo 'no: space' >&2; exit 1;; esac\n{LINKS}");
        fixture.compiler_does(&fails);
        run.ready(0).unwrap();
        assert_eq!((run.reason("good"), run.program("bad", 1, 0)), (None, None));
        let reason = run.reason("bad").unwrap();
        assert!(reason.contains("no: space") && !reason.contains('\n'), "{reason}");
        assert_eq!(orders_of(&run, 1).len(), 1);
        // What was possible and is no more ends the run, and leaves what was measured.
        fixture.compiler_does("exit 1");
        let error = run.ready(2).unwrap_err().to_string();
        assert!(error.contains("linking good"), "{error}");
        assert_eq!(run.reason("good"), None);
    }

    #[test]
    fn where_there_is_no_store_every_backend_has_the_reason() {
        let backend = crate::backends::testing::find("heed");
        let build = run(&Fixture::new(), &[("a", 1)], 1, 1).lanes.remove(0).objects.remove(0);
        let build = Build {
            directory: build.directory.clone(),
            package: String::new(),
            binary: String::new(),
            profile: String::new(),
            target_directory: build.directory,
            cargo: Vec::new(),
            rustc: Vec::new(),
            environment: Vec::new(),
        };
        let linked = [(backend, 1, vec![build])];
        let mut run = RunOrders::collect(Err(LinkError::System), &linked, 1, 1);
        run.ready(0).unwrap();
        assert!(run.reason("heed").unwrap().contains("ELF systems only"));
    }
}
