//! Whether the programs that count are there, and what to do where they are not.

use std::process::{Command, Stdio};

use records::schema::Counters;

/// A program that counts: its version, or why it cannot be used and what to do about it.
pub type Tool = Result<String, String>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tools {
    pub valgrind: Tool,
    pub strace: Tool,
    pub libc: Option<String>,
}

impl Tools {
    /// Looks for them and tries each on a program that does nothing: an installed tool may not work,
    /// for example where a container forbids tracing.
    pub fn observe() -> Self {
        Self {
            valgrind: tool("valgrind", &["-q", "--tool=none", "true"]),
            strace: tool("strace", &["-o", "/dev/null", "true"]),
            libc: first_line(Command::new("getconf").arg("GNU_LIBC_VERSION")).ok(),
        }
    }

    pub fn counters(&self) -> Counters {
        Counters {
            valgrind: self.valgrind.clone().ok(),
            strace: self.strace.clone().ok(),
            libc: self.libc.clone(),
        }
    }
}

fn tool(name: &str, trial: &[&str]) -> Tool {
    let version = first_line(Command::new(name).arg("--version"))
        .map_err(|error| {
            format!("{name} is not there ({error}): your system's packages have it, for example `apt-get install {name}`")
        })?;
    first_line(Command::new(name).args(trial))
        .map_err(|error| format!("{name} does not work here: {error}"))?;
    Ok(version)
}

/// The first line that `command` writes, if it succeeds; else why not.
fn first_line(command: &mut Command) -> Result<String, String> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
    if output.status.success() {
        let text = String::from_utf8_lossy(&output.stdout);
        return Ok(text.lines().next().unwrap_or_default().trim().to_owned());
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    let last = errors.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
    Err(format!("{}: {}", output.status, last.trim()))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_tool_that_is_not_there_or_does_not_work_says_what_to_do_or_why() {
        let reason = tool("no-such-program-anywhere", &[]).unwrap_err();
        assert!(reason.contains("apt-get install no-such-program-anywhere"), "{reason}");
        let reason = tool("cat", &["/no/such/file"]).unwrap_err();
        assert!(reason.starts_with("cat does not work here: "), "{reason}");
        assert!(reason.contains("/no/such/file"), "{reason}");
    }
}
