//! The directory in which a run makes everything that it does not keep. It goes with the run; what a run that
//! was killed has left is removed by the next one.

use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

use tempfile::TempDir;

use crate::machine::alive::Alive;

const PREFIX: &str = "lmdb-bench-";
/// The file in it that is locked as long as the run lives; it holds the number of its process.
const LIVES: &str = "lives";
/// A directory without that file is somebody's who is just making it, or nobody's after so long.
const ABANDONED: Duration = Duration::from_secs(3600);

/// Removed when dropped.
#[derive(Debug)]
pub struct Root {
    // Dropped in this order: while it is being removed it is nobody else's to remove.
    directory: TempDir,
    _alive: Alive,
}

impl Root {
    /// A new one in `parent`, after those of dead runs were removed there.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn new(parent: &Path) -> io::Result<Self> {
        let is_dead = |root: &PathBuf| owner(root) == Owner::Dead;
        for root in roots(parent).into_iter().filter(is_dead) {
            // What cannot be removed is another user's.
            let _ = fs::remove_dir_all(root);
        }
        let directory = tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent)?;
        let alive = Alive::at(&directory.path().join(LIVES))?;
        fs::write(directory.path().join(LIVES), std::process::id().to_string())?;
        Ok(Self { directory, _alive: alive })
    }

    pub fn path(&self) -> &Path {
        self.directory.path()
    }
}

/// Whether a run of another process has its directory in `parent`, too.
pub fn has_others(parent: &Path) -> bool {
    roots(parent).iter().any(|root| owner(root) == Owner::Another)
}

#[derive(Debug, PartialEq, Eq)]
enum Owner {
    This,
    Another,
    Dead,
    /// Perhaps of a run that begins.
    Unknown,
}

fn owner(root: &Path) -> Owner {
    let lives = root.join(LIVES);
    match Alive::is_dead(&lives) {
        Ok(true) => Owner::Dead,
        Ok(false) => match fs::read_to_string(lives) {
            Ok(id) if id == std::process::id().to_string() => Owner::This,
            Ok(id) if !id.is_empty() => Owner::Another,
            _ => Owner::Unknown,
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let modified = fs::metadata(root).and_then(|it| it.modified());
            let age = modified.ok().and_then(|it| it.elapsed().ok());
            if age.is_some_and(|age| age > ABANDONED) { Owner::Dead } else { Owner::Unknown }
        }
        Err(_) => Owner::Unknown,
    }
}

fn roots(parent: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    let is_root = |entry: &fs::DirEntry| {
        let is_directory = entry.file_type().is_ok_and(|it| it.is_dir());
        is_directory && entry.file_name().to_string_lossy().starts_with(PREFIX)
    };
    entries.filter(is_root).map(|entry| entry.path()).collect()
}

#[cfg(all(test, unix))]
mod tests {
    use std::time::SystemTime;

    use super::*;

    #[test]
    fn what_a_dead_run_left_is_removed_and_nothing_else() {
        let parent = tempfile::tempdir().unwrap();
        let root = |name: &str| parent.path().join(name);
        let names =
            ["lmdb-bench-dead", "lmdb-bench-old", "lmdb-bench-new", "lmdb-bench-other", "mine"];
        for name in names {
            fs::create_dir(root(name)).unwrap();
        }
        let old = SystemTime::now() - 2 * ABANDONED;
        fs::File::open(root("lmdb-bench-old")).unwrap().set_modified(old).unwrap();
        for name in ["lmdb-bench-dead", "lmdb-bench-other", "mine"] {
            fs::write(root(name).join(LIVES), "1").unwrap();
        }
        let other = Alive::at(&root("lmdb-bench-other").join(LIVES)).unwrap();
        let first = Root::new(parent.path()).unwrap();
        let second = Root::new(parent.path()).unwrap();
        let [new, others, mine] = ["lmdb-bench-new", "lmdb-bench-other", "mine"].map(root);
        for left in [&new, &others, &mine, first.path(), second.path()] {
            assert!(left.is_dir(), "{}", left.display());
        }
        assert_eq!(fs::read_dir(&parent).unwrap().count(), 5);
        assert!(has_others(parent.path()));
        drop((other, second));
        assert!(!has_others(parent.path()));
    }
}
