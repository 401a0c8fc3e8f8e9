//! What a case is, and the list of all.

use std::time::Duration;

use write_backend::Probe;

use crate::cases;
use crate::directory::Directory;
use crate::outcome::Answer;

/// How long a case may be silent before it counts as deadlocked: long enough for a busy machine.
const PATIENCE: Duration = Duration::from_secs(10);

/// The same where a deadlock is what is expected. The time runs from the case's last word, which it
/// says directly before the call in question, so that starting the process does not count.
const SHORT_PATIENCE: Duration = Duration::from_secs(1);

/// One input, performed through the contract with one backend.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// Its stable name, `subject/input`.
    pub name: &'static str,
    /// What it means for a user.
    pub means: &'static str,
    /// How long it may be silent before it counts as deadlocked.
    pub patience: Duration,
    /// Performs it in a fresh directory.
    pub(crate) run: fn(&Directory) -> Answer,
}

impl Case {
    pub(crate) const fn new(
        name: &'static str,
        means: &'static str,
        run: fn(&Directory) -> Answer,
    ) -> Self {
        Self { name, means, patience: PATIENCE, run }
    }

    /// A case that is expected to end in a deadlock.
    pub(crate) const fn deadlocks(mut self) -> Self {
        self.patience = SHORT_PATIENCE;
        self
    }
}

/// All cases for the backend `B`, by subject.
#[must_use]
pub fn all<B: Probe>() -> Vec<Case> {
    [
        cases::keys::cases::<B>(),
        cases::values::cases::<B>(),
        cases::flags::cases::<B>(),
        cases::duplicates::cases::<B>(),
        cases::reserve::cases::<B>(),
        cases::transactions::cases::<B>(),
        cases::nested::cases::<B>(),
        cases::map_full::cases::<B>(),
        cases::transaction_full::cases::<B>(),
        cases::map_size::cases::<B>(),
        cases::resize_while_reading::cases::<B>(),
        cases::disk_full::cases(),
        cases::sync::cases::<B>(),
        cases::databases::cases::<B>(),
        cases::handles::cases::<B>(),
        cases::open::cases::<B>(),
        cases::closing::cases::<B>(),
        cases::read_only::cases::<B>(),
        cases::read_only_file_system::cases::<B>(),
        cases::permissions::cases::<B>(),
        cases::damage::cases::<B>(),
        cases::processes::cases::<B>(),
        cases::readers::cases::<B>(),
    ]
    .concat()
}
