//! The layout trial: workers whose code is moved by a few dozen bytes, compiled with this workspace's
//! alignment and without it. Linux only: elsewhere code is not moved, and there is nothing to see.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail};
use write_backend::Workload;

use crate::compare::analysis::{estimate, floor};
use crate::compare::plan::{Entry, Group, Role};
use crate::compare::scheduler::Series;
use crate::programs::Programs;
use crate::registry::{self, Backend};
use records::calibration::Layout;

/// How far code is moved, in bytes: all multiples of the 16 bytes that compilers align functions to
/// by themselves, twice each remainder modulo 64.
const SHIFTS: [usize; 8] = [16, 32, 48, 64, 144, 160, 176, 192];

/// The backends whose workers are moved, and their programs in the package `shifted-workers`.
const PROGRAMS: [(&str, &str); 2] = [("raw-ffi", "shifted-raw-ffi"), ("heed", "shifted-heed")];

/// One build of a worker.
#[derive(Debug)]
struct Build {
    backend: &'static Backend,
    aligned: bool,
}

/// The moved workers: programs, and groups that measure them.
#[derive(Debug)]
pub struct Trial {
    /// All programs, the moved ones by names of their own.
    pub programs: Programs,
    builds: Vec<Vec<Build>>,
}

impl Trial {
    /// Compiles all moved workers below `directory`, telling `progress` how many are done. This takes
    /// about a minute or two.
    ///
    /// # Errors
    /// When cargo or the compiler fails; the message holds the end of what it said.
    pub fn build(
        programs: &Programs,
        directory: &Path,
        mut progress: impl FnMut(usize, usize),
    ) -> anyhow::Result<Self> {
        let mut programs = programs.clone();
        let mut builds = Vec::new();
        let all = 2 * (SHIFTS.len() + 1);
        for aligned in [true, false] {
            let name = if aligned { "aligned" } else { "unaligned" };
            let target = directory.join(name);
            let mut rows: Vec<Vec<Build>> = PROGRAMS.iter().map(|_| Vec::new()).collect();
            for (done, shift) in std::iter::once(0).chain(SHIFTS).enumerate() {
                progress(if aligned { done } else { SHIFTS.len() + 1 + done }, all);
                compile(&target, aligned, shift)?;
                for ((id, program), row) in PROGRAMS.into_iter().zip(&mut rows) {
                    let kept = directory.join(format!("{program}-{name}-{shift}"));
                    let built = target.join("release").join(program);
                    std::fs::copy(&built, &kept)
                        .with_context(|| format!("copying {}", built.display()))?;
                    let backend = moved(id, program, name, shift)?;
                    programs = programs.with(backend.program, &kept);
                    row.push(Build { backend, aligned });
                }
            }
            builds.extend(rows);
        }
        Ok(Self { programs, builds })
    }

    /// For each workload and build one group: the worker that was not moved, its twin, and the moved
    /// ones.
    #[must_use]
    pub fn groups(&self, workloads: &[Workload]) -> Vec<Group> {
        let mut groups = Vec::new();
        for workload in workloads {
            for row in &self.builds {
                let entry = |build: &Build, role| Entry { backend: build.backend, role };
                let mut entries = vec![entry(&row[0], Role::Backend), entry(&row[0], Role::Twin)];
                entries.extend(row[1..].iter().map(|build| entry(build, Role::Backend)));
                groups.push(Group { workload: *workload, entries });
            }
        }
        groups
    }

    /// What the series of [`groups`](Self::groups) say.
    #[must_use]
    pub fn records(&self, series: &[Series], confidence: f64) -> Vec<Layout> {
        let rows = series.iter().zip(self.builds.iter().cycle());
        rows.filter_map(|(series, row)| record(series, row[0].aligned, confidence)).collect()
    }
}

fn record(series: &Series, aligned: bool, confidence: f64) -> Option<Layout> {
    let floor = floor(series, confidence)?.symmetric_about_one();
    let moved: Vec<_> = (2..series.group.entries.len())
        .filter_map(|entry| estimate(series, entry, 0, confidence))
        .collect();
    let logs: Vec<f64> = moved.iter().map(|it| it.estimate.ln()).collect();
    // A standard deviation about the mean of the moved ones; the unmoved one is one place among
    // others.
    let mean = logs.iter().sum::<f64>() / logs.len() as f64;
    let squares = logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>();
    let outside = moved
        .iter()
        .filter(|it| !it.interval().contains(1.0) && !floor.contains(it.estimate))
        .count();
    Some(Layout {
        aligned,
        backend: series.group.entries[0].backend.id.to_owned(),
        workload: series.group.workload,
        ratios: moved.iter().map(|it| it.estimate).collect(),
        spread: (squares / (logs.len().checked_sub(1)?.max(1)) as f64).sqrt(),
        outside,
    })
}

/// A backend like `id` whose worker is the program of that build. There are few, and they live as
/// long as the program.
fn moved(id: &str, program: &str, name: &str, shift: usize) -> anyhow::Result<&'static Backend> {
    let original = registry::find(id).map_err(anyhow::Error::msg)?;
    let program: &'static str = Box::leak(format!("{program}-{name}-{shift}").into_boxed_str());
    Ok(Box::leak(Box::new(Backend { program, ..*original })))
}

fn compile(target: &PathBuf, aligned: bool, shift: usize) -> anyhow::Result<()> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command
        .args(["build", "--release", "--package", "shifted-workers", "--target-dir"])
        .arg(target)
        .env("LAYOUT_SHIFT", shift.to_string())
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
    // What cargo and its own [env] table have set for this process is set anew for the build.
    for variable in
        ["CFLAGS", "CFLAGS_x86_64_unknown_linux_gnu", "CFLAGS_aarch64_unknown_linux_gnu"]
    {
        command.env_remove(variable);
        if !aligned {
            command.env(variable, "");
        }
    }
    if !aligned {
        // Replaces the workspace's flags; an empty list would not.
        command.env("RUSTFLAGS", "-Cdebuginfo=0");
    }
    let output = command.output().context("cargo cannot be started")?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let lines: Vec<&str> = said.lines().collect();
        bail!(
            "building moved workers failed:\n{}",
            lines[lines.len().saturating_sub(20)..].join("\n")
        );
    }
    Ok(())
}
