//! Who uses a directory: shared by those who do, alone for the one who removes from it. Each user has a file
//! of his own that is locked as long as he lives, and a further one keeps newcomers out while somebody is alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::links::error::LinkError;
use crate::machine::alive::Alive;

/// The file that stands for the door, and the directory of the users' own files.
const DOOR: &str = "lock";
const USERS: &str = "users";

/// A share of a directory.
#[derive(Debug)]
pub(super) struct Lock {
    root: PathBuf,
    own: PathBuf,
    _alive: Alive,
}

/// The directory to oneself, until it is dropped.
#[derive(Debug)]
pub(super) struct Alone(#[expect(dead_code, reason = "it keeps others out")] Alive);

impl Lock {
    /// Takes a share of the directory `root`; waits for one who has it alone.
    pub(super) fn shared(root: &Path) -> Result<Self, LinkError> {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let users = root.join(USERS);
        let failed = |error| LinkError::file(root, error);
        fs::create_dir_all(&users).map_err(failed)?;
        let _door = Alive::at(&root.join(DOOR)).map_err(failed)?;
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let own = users.join(format!("{}-{number}", std::process::id()));
        let alive = Alive::at(&own).map_err(failed)?;
        Ok(Self { root: root.to_owned(), own, _alive: alive })
    }

    /// All of it; `None` where somebody else has a share.
    pub(super) fn alone(&self) -> Option<Alone> {
        let door = Alive::at(&self.root.join(DOOR)).ok()?;
        let users = fs::read_dir(self.root.join(USERS)).ok()?.flatten().map(|it| it.path());
        for user in users.filter(|user| *user != self.own) {
            if !Alive::is_dead(&user).unwrap_or(true) {
                return None;
            }
            let _ = fs::remove_file(user);
        }
        Some(Alone(door))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.own);
    }
}
