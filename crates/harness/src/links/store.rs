//! The directory of kept objects and links. What is in it is whole: everything is made under another
//! name and renamed. It has a bound, which the links used longest ago make room for.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::interrupt;
use crate::links::build::Build;
use crate::links::error::{LinkError, tail};
use crate::links::lock::Lock;
use crate::links::method::{Means, Method};
use crate::links::objects::Objects;
use crate::links::padding::Padding;
use crate::machine::host;

/// What all files together may take up, in bytes. Sixty links of ten backends and of the reference's
/// twin are 440 MB.
pub const LIMIT: u64 = 480_000_000;

/// Something half made that nobody has written to for so long is nobody's.
const ABANDONED: Duration = Duration::from_secs(3600);

/// With less than this left, a file system is full: a link is larger.
const FULL: u64 = 256 * 1024;

/// The store of a target directory.
#[derive(Debug)]
pub struct Store {
    root: PathBuf,
    limit: u64,
    opened: SystemTime,
    lock: Lock,
}

/// Links that are wanted.
#[derive(Debug, Clone, Copy)]
pub struct Job<'a> {
    /// Of which program.
    pub objects: &'a Objects,
    /// How its code is moved.
    pub method: Method,
    /// In which orders.
    pub orders: &'a [u32],
}

/// A link that is not there yet.
struct Missing {
    job: usize,
    means: Means,
    order: u32,
    target: PathBuf,
}

impl Store {
    /// The store in `root`, a directory of its own that is made if need be.
    ///
    /// # Errors
    /// On systems whose linkers are not known, and when the directory cannot be made.
    pub fn open(root: &Path) -> Result<Self, LinkError> {
        if !cfg!(unix) || cfg!(target_vendor = "apple") {
            return Err(LinkError::System);
        }
        let failed = |error| LinkError::file(root, error);
        fs::create_dir_all(root).map_err(failed)?;
        let root = root.canonicalize().map_err(failed)?;
        let lock = Lock::shared(&root)?;
        Ok(Self { root, limit: LIMIT, opened: SystemTime::now(), lock })
    }

    /// The same with another bound, in bytes.
    #[cfg(test)]
    pub fn with_limit(self, limit: u64) -> Self {
        Self { limit, ..self }
    }

    /// Builds a program and keeps what it is linked from. Takes a tenth of a second when nothing has
    /// changed, and about one more when the program itself must be compiled.
    ///
    /// # Errors
    /// When it cannot be built, or not be linked again.
    pub fn collect(&self, build: &Build) -> Result<Objects, LinkError> {
        let home = self.root.join(build.label());
        let built = build.run(None)?;
        if built.command.is_none()
            && let Some(objects) = Objects::current(build, &home, &built)
        {
            return Ok(objects);
        }
        let built = if built.command.is_some() {
            built
        } else {
            let now = SystemTime::now().duration_since(UNIX_EPOCH);
            build.run(Some(now.map_or(0, |since_epoch| since_epoch.as_nanos())))?
        };
        let command =
            built.command.ok_or_else(|| LinkError::NotPrinted { binary: build.binary.clone() })?;
        Objects::keep(build, &home, &built.executable, command)
    }

    /// How many orders each of `objects` can have within the bound, where all have equally many. One
    /// that takes part twice, in orders of its own each time, is named twice.
    #[must_use]
    pub fn most_orders(&self, objects: &[&Objects]) -> usize {
        // A link without symbols is smaller than the program that the build made.
        let sizes: u64 = objects.iter().map(|it| bytes_of(&it.fixed())).sum();
        let kept: u64 = objects.iter().map(|it| bytes_below(&it.directory, false)).sum();
        (self.limit.saturating_sub(kept) / sizes.max(1)) as usize
    }

    /// Makes the links of all `jobs` that are not there, on all cores, and returns their paths in the
    /// order of the jobs' orders. A job that fails does not end the others. `progress` is told how many
    /// of the missing are done. Older links make room below the bound; that the wanted ones fit at all is
    /// up to the caller, see [`most_orders`](Self::most_orders).
    ///
    /// # Errors
    /// Those of each job; an interrupt ends all that are not complete.
    pub fn link(
        &self,
        jobs: &[Job<'_>],
        mut progress: impl FnMut(usize, usize),
    ) -> Vec<Result<Vec<PathBuf>, LinkError>> {
        let mut outcomes = Vec::new();
        let mut missing = Vec::new();
        for (index, job) in jobs.iter().enumerate() {
            outcomes.push(self.missing(index, job).map(|(targets, absent)| {
                missing.extend(absent);
                targets
            }));
        }
        self.make_room(&missing, jobs);
        let all = missing.len();
        let (next, (sender, receiver)) = (AtomicUsize::new(0), mpsc::channel());
        std::thread::scope(|scope| {
            let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
            for _ in 0..cores.min(all) {
                let (sender, next, missing) = (sender.clone(), &next, &missing);
                scope.spawn(move || {
                    while let Some(it) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
                        if sender.send((it.job, it.make(jobs[it.job].objects))).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            for (done, (job, made)) in receiver.iter().enumerate() {
                progress(done + 1, all);
                if let (Err(error), true) = (made, outcomes[job].is_ok()) {
                    outcomes[job] = Err(error);
                }
            }
        });
        outcomes
    }

    /// The paths of all links of a job, and those among them that are not there.
    fn missing(
        &self,
        index: usize,
        job: &Job<'_>,
    ) -> Result<(Vec<PathBuf>, Vec<Missing>), LinkError> {
        let Job { objects, method, orders } = job;
        let path = |order: &u32| objects.directory.join(format!("{method}-{order}"));
        let targets: Vec<PathBuf> = orders.iter().map(path).collect();
        let wanted = orders.iter().zip(&targets);
        let absent: Vec<_> = wanted.filter(|(_, target)| !used_again(target)).collect();
        if absent.is_empty() {
            return Ok((targets, Vec::new()));
        }
        objects.verify()?;
        let padding = || Padding::ready(self.root.join("padding"), &objects.command);
        let means = match method {
            Method::Functions => Means::Functions(objects.linker().clone()),
            Method::Objects => Means::Objects(padding()?),
            Method::Shift => Means::Shift(padding()?),
        };
        let missing = |(order, target): (&u32, &PathBuf)| {
            let (order, target, means) = (*order, target.clone(), means.clone());
            Missing { job: index, means, order, target }
        };
        let missing = absent.into_iter().map(missing).collect();
        Ok((targets, missing))
    }

    /// Removes links that are no longer needed, unless another run may be using them.
    pub fn release<'a>(&self, links: impl Iterator<Item = &'a PathBuf>) {
        if let Some(_alone) = self.lock.alone() {
            links.for_each(|link| remove(link));
        }
    }

    fn make_room(&self, missing: &[Missing], jobs: &[Job<'_>]) {
        let size = |missing: &Missing| bytes_of(&jobs[missing.job].objects.fixed());
        self.tidy(missing.iter().map(size).sum());
    }

    /// Removes what is stale (of objects that are no longer those of the program), what was left half
    /// made long ago, and then what was used longest ago until `further` bytes more fit below the bound.
    /// What this run has used stays. Does nothing while another run uses the store.
    pub fn tidy(&self, further: u64) {
        let Some(_alone) = self.lock.alone() else { return };
        let mut unused = Vec::new();
        for home in directories(&self.root) {
            sweep(&home);
            match Objects::used(&home) {
                Some(used) if used < self.opened => unused.push((used, home)),
                Some(_) => {
                    let files = directories(&home).into_iter().flat_map(|it| entries(&it));
                    let links = files.filter(|path| is_link(path));
                    unused.extend(links.filter_map(|path| Some((modified(&path)?, path))));
                }
                // Padding, or somebody is keeping his first objects.
                None => {}
            }
        }
        unused.retain(|(used, _)| *used < self.opened);
        unused.sort();
        let mut kept = bytes_below(&self.root, true) + further;
        for (_, path) in unused {
            if kept <= self.limit {
                return;
            }
            let bytes = if path.is_dir() { bytes_below(&path, true) } else { bytes_of(&path) };
            kept = kept.saturating_sub(bytes);
            remove(&path);
        }
    }

    /// Removes everything, also the directory.
    ///
    /// # Errors
    /// When another run uses it, or a file cannot be removed.
    pub fn remove(self) -> Result<(), LinkError> {
        let Some(_alone) = self.lock.alone() else {
            return Err(LinkError::InUse { path: self.root.clone() });
        };
        fs::remove_dir_all(&self.root).map_err(|error| LinkError::file(&self.root, error))
    }
}

impl Missing {
    /// Links one program under another name, and renames it when it is whole.
    fn make(&self, objects: &Objects) -> Result<(), LinkError> {
        if interrupt::requested() {
            return Err(LinkError::Interrupted);
        }
        let partial = self.target.with_extension(format!("partial-{}", std::process::id()));
        let made = self.run(objects, &partial).and_then(|()| {
            fs::rename(&partial, &self.target).map_err(|error| LinkError::file(&self.target, error))
        });
        if made.is_err() {
            let _ = fs::remove_file(&partial);
        }
        made
    }

    fn run(&self, objects: &Objects, output: &Path) -> Result<(), LinkError> {
        let Objects { binary, command, directory, .. } = objects;
        let mut arguments = self.means.arguments(command, self.order)?;
        let place = arguments.iter().position(|argument| argument == "-o");
        let place = place.ok_or_else(|| LinkError::NotPrinted { binary: binary.clone() })?;
        arguments[place + 1] = output.display().to_string();
        let said = Command::new(&command.program)
            .args(&arguments)
            .env("LC_ALL", "C")
            .output()
            .map_err(|error| LinkError::Start { program: command.program.clone(), error })?;
        if said.status.success() {
            return Ok(());
        }
        let said = tail(&said.stderr);
        Err(if interrupt::requested() {
            LinkError::Interrupted
        } else if is_full(&said, directory) {
            LinkError::NoSpace { path: directory.clone() }
        } else if said.contains("--shuffle-sections") {
            let linker = objects.linker().to_string();
            LinkError::Refused { linker, switch: "--shuffle-sections".to_owned(), said }
        } else {
            LinkError::Failed { binary: binary.clone(), order: self.order, said }
        })
    }
}

/// Removes stale objects and what was left half made long ago from the directory of one build.
fn sweep(home: &Path) {
    let current = Objects::current_name(home);
    for entry in entries(home) {
        let name = entry.file_name().and_then(|it| it.to_str()).unwrap_or_default();
        let is_stale =
            entry.is_dir() && !name.contains("partial") && current.as_deref() != Some(name);
        if is_stale || is_abandoned(&entry) {
            remove(&entry);
        } else {
            entries(&entry).iter().filter(|it| is_abandoned(it)).for_each(|it| remove(it));
        }
    }
}

/// Removes a file or directory; the next run tries again what this one cannot.
fn remove(path: &Path) {
    let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
}

/// Whether a linker has failed since the disk is full. LLD writes through a map, and then dies of a bus
/// error without a word about the disk; collect2 has removed the file by the time one can look.
fn is_full(said: &str, directory: &Path) -> bool {
    let says = ["No space left on device", "Bus error"].iter().any(|words| said.contains(words));
    says || host::bytes_left(directory).is_some_and(|left| left < FULL)
}

/// Whether a link is there; its time then says that it is used now.
fn used_again(link: &Path) -> bool {
    File::open(link).is_ok_and(|file| file.set_modified(SystemTime::now()).is_ok())
}

fn is_link(path: &Path) -> bool {
    let name = path.file_name().and_then(|it| it.to_str()).unwrap_or_default();
    Method::ALL
        .iter()
        .any(|method| name.strip_prefix(method.name()).is_some_and(|rest| rest.starts_with('-')))
}

fn is_abandoned(path: &Path) -> bool {
    let name = path.file_name().and_then(|it| it.to_str()).unwrap_or_default();
    let age = modified(path).and_then(|modified| modified.elapsed().ok());
    name.contains("partial-") && age.is_some_and(|age| age > ABANDONED)
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).ok()?.modified().ok()
}

/// The share of a file that has other names, too.
fn bytes_of(path: &Path) -> u64 {
    #[cfg(unix)]
    let names = |metadata: &fs::Metadata| std::os::unix::fs::MetadataExt::nlink(metadata);
    #[cfg(not(unix))]
    let names = |_: &fs::Metadata| 1;
    fs::metadata(path).map_or(0, |metadata| metadata.len() / names(&metadata).max(1))
}

/// What the files below `directory` take up, links or not.
fn bytes_below(directory: &Path, with_links: bool) -> u64 {
    let bytes = |path: PathBuf| match path.is_dir() {
        true => bytes_below(&path, with_links),
        false if is_link(&path) && !with_links => 0,
        false => bytes_of(&path),
    };
    entries(directory).into_iter().map(bytes).sum()
}

/// What is in a directory; nothing where it cannot be read.
fn entries(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten();
    entries.filter_map(|entry| Some(entry.ok()?.path())).collect()
}

fn directories(directory: &Path) -> Vec<PathBuf> {
    entries(directory).into_iter().filter(|path| path.is_dir()).collect()
}

#[cfg(all(test, unix))]
pub(super) mod tests;
