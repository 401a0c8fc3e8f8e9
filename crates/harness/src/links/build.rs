//! One call of cargo for one program: builds it, keeps its object files, and learns how it was linked.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use crate::links::command::LinkCommand;
use crate::links::error::{LinkError, tail};

/// What is built, and how: all that makes its objects different.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Build {
    /// The directory cargo is called in: that of the workspace or package, so that its
    /// `.cargo/config.toml` counts.
    pub directory: PathBuf,
    /// The package.
    pub package: String,
    /// Its binary target.
    pub binary: String,
    /// The profile: `release`, `dev` or one of the workspace's.
    pub profile: String,
    /// cargo's target directory. The one that the rest of the workspace is built in, so that only the
    /// program itself is compiled once more.
    pub target_directory: PathBuf,
    /// Further arguments for cargo.
    pub cargo: Vec<String>,
    /// Further arguments for the rustc that compiles the program itself.
    pub rustc: Vec<String>,
    /// Variables that are set for cargo, or removed.
    pub environment: Vec<(String, Option<String>)>,
}

/// What cargo made.
#[derive(Debug)]
pub(super) struct Built {
    /// The program.
    pub(super) executable: PathBuf,
    /// How it was linked; `None` when rustc need not run, and did not.
    pub(super) command: Option<LinkCommand>,
}

/// The lines of cargo's output that are read (the Cargo Book, "External tools").
#[derive(Deserialize)]
struct Message {
    target: Option<Target>,
    executable: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
}

impl Build {
    /// A name for directories: short, and different for different builds.
    pub(super) fn label(&self) -> String {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        format!("{}-{}-{:016x}", self.binary, self.profile, hasher.finish())
    }

    /// Builds the program and copies it to `to`: the next build of the same name lies where this one
    /// did.
    ///
    /// # Errors
    /// When it cannot be built or copied.
    pub fn program(&self, to: &Path) -> Result<(), LinkError> {
        let built = self.run(None)?;
        let copied = std::fs::copy(built.executable, to);
        copied.map(|_| ()).map_err(|error| LinkError::file(to, error))
    }

    /// Calls cargo. It decides whether rustc must run; with `again` it must: a setting that nobody reads
    /// gets another value, and no source file is touched.
    ///
    /// # Errors
    /// When cargo fails, or says nothing of the program.
    pub(super) fn run(&self, again: Option<u128>) -> Result<Built, LinkError> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(&cargo);
        command.args(["rustc", "--quiet", "--message-format=json-render-diagnostics"]);
        command.args(["--package", &self.package, "--bin", &self.binary]);
        command.args(["--profile", &self.profile, "--target-dir"]).arg(&self.target_directory);
        command.args(&self.cargo).args(["--", "--print=link-args", "-Csave-temps"]);
        command.args(&self.rustc).current_dir(&self.directory);
        if let Some(again) = again {
            command.arg("--cfg").arg(format!("link_orders=\"{again}\""));
        }
        for (name, value) in &self.environment {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        let output = command.output().map_err(|error| LinkError::Start {
            program: cargo.to_string_lossy().into_owned(),
            error,
        })?;
        if !output.status.success() {
            let said = tail(&output.stderr);
            return Err(LinkError::Build { binary: self.binary.clone(), said });
        }
        let said = String::from_utf8_lossy(&output.stdout);
        let executable = self.executable(&said);
        let executable =
            executable.ok_or_else(|| LinkError::NotPrinted { binary: self.binary.clone() })?;
        Ok(Built { executable, command: LinkCommand::read(&said) })
    }

    fn executable(&self, said: &str) -> Option<PathBuf> {
        let messages = said.lines().filter_map(|line| serde_json::from_str::<Message>(line).ok());
        messages
            .filter(|message| message.target.as_ref().is_some_and(|it| it.name == self.binary))
            .find_map(|message| message.executable)
    }
}
