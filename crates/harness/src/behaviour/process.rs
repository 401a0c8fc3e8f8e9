//! One life of a program that shows behaviour: started for one thing, it says lines; each must come
//! within a limit.

use std::path::Path;
use std::process::{Command, ExitStatus};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::worker::Failure;
use crate::worker::child::Child;

#[derive(Debug)]
pub struct Process {
    child: Child,
    limit: Duration,
}

impl Process {
    /// Starts `program` with `arguments`; each line must come within `limit`.
    pub fn start(program: &Path, arguments: &[&str], limit: Duration) -> Result<Self, Failure> {
        let mut command = Command::new(program);
        command.args(arguments);
        Ok(Self { child: Child::start(command)?, limit })
    }

    /// The next line; `None` when it says no more.
    pub fn says<T: DeserializeOwned>(&mut self) -> Result<Option<T>, Failure> {
        let Some(line) = self.child.line(self.limit)? else { return Ok(None) };
        let said = serde_json::from_str(&line);
        said.map(Some).map_err(|_| self.child.nonsense(&line))
    }

    /// The one line it says: how it ended if it does not.
    pub fn answers<T: DeserializeOwned>(&mut self) -> Result<T, Failure> {
        self.says()?.ok_or_else(|| self.end())
    }

    pub fn tell(&mut self, message: &impl Serialize) -> Result<(), Failure> {
        self.child.tell(message)
    }

    /// How a program ended that says no more, with its last words.
    pub fn end(&mut self) -> Failure {
        self.child.died()
    }

    /// Ends it with a signal that it can neither see nor hinder, and says how it ended: perhaps by
    /// itself just before. What it had said until then can still be read.
    pub fn kill(&mut self) -> Result<ExitStatus, Failure> {
        self.child.kill()
    }
}
