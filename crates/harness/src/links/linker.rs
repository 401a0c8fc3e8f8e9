//! Which linker a C compiler calls, and how it is told to put functions in another order.

use std::fmt;
use std::process::Command;

use crate::links::command::LinkCommand;
use crate::links::error::LinkError;

/// A linker that says who it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Linker {
    kind: Kind,
    /// Its own words, for people.
    name: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Lld,
    Mold,
    Other,
}

impl Linker {
    /// Asks the linker of `command`, which is not run otherwise.
    ///
    /// # Errors
    /// When the C compiler cannot be started.
    pub fn observe(command: &LinkCommand) -> Result<Self, LinkError> {
        // What chooses another linker than the compiler's own, and the machine it links for.
        let chooses = ["-fuse-ld", "--ld-path", "-B", "-m", "--target"];
        let flags = command.arguments.iter().filter(|argument| {
            chooses.iter().any(|flag| argument.starts_with(flag)) && !argument.contains(' ')
        });
        let output = Command::new(&command.program)
            .args(flags)
            .arg("-Wl,--version")
            .env("LC_ALL", "C")
            .output()
            .map_err(|error| LinkError::Start { program: command.program.clone(), error })?;
        Ok(Self::named(&String::from_utf8_lossy(&output.stdout)))
    }

    /// The linker that answers `--version` with `said`.
    fn named(said: &str) -> Self {
        let name = said.lines().next().unwrap_or_default().trim();
        let kind = match name {
            _ if name.starts_with("LLD ") || name.contains(" LLD ") => Kind::Lld,
            _ if name.starts_with("mold ") => Kind::Mold,
            _ => Kind::Other,
        };
        // A commit in brackets tells a reader nothing.
        let name = name.split(" (").next().unwrap_or_default();
        let name = if name.is_empty() { "a linker that does not say its name" } else { name };
        Self { kind, name: name.to_owned() }
    }

    /// The argument that shuffles functions by `order`.
    ///
    /// LLD takes a pattern for the sections it shuffles and a seed, of which 0 means "another one each
    /// time" and -1 "the other way round" (`ld.lld --help`); mold shuffles all sections and takes the
    /// seed alone. Both keep the alignment of every section, and C and Rust functions have a section
    /// each (rustc's default; the `cc` crate's, too).
    ///
    /// # Errors
    /// When it has no such switch.
    pub fn switch(&self, order: u32) -> Result<String, LinkError> {
        match self.kind {
            Kind::Lld => Ok(format!("-Wl,--shuffle-sections=.text*={order}")),
            Kind::Mold => Ok(format!("-Wl,--shuffle-sections={order}")),
            Kind::Other => Err(LinkError::NoSwitch { linker: self.name.clone() }),
        }
    }
}

impl fmt::Display for Linker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linkers_are_known_by_what_they_say() {
        let lld = Linker::named("LLD 22.1.2 (/checkout 1cb4) (compatible with GNU linkers)\n");
        assert_eq!(lld.to_string(), "LLD 22.1.2");
        assert_eq!(lld.switch(7).unwrap(), "-Wl,--shuffle-sections=.text*=7");
        assert_eq!(Linker::named("Debian LLD 14.0.6").kind, Kind::Lld);
        let mold = Linker::named("mold 2.30.0 (compatible with GNU ld)");
        assert_eq!(mold.switch(7).unwrap(), "-Wl,--shuffle-sections=7");
        let error = Linker::named("GNU ld (GNU Binutils for Debian) 2.40").switch(7).unwrap_err();
        let message = error.to_string();
        assert!(
            message.starts_with("GNU ld has no switch") && message.contains("fixed link order")
        );
    }
}
