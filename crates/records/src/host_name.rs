//! The names under which machines are published.

use std::fmt;
use std::str::FromStr;

/// Directories beside the published machines.
const TAKEN: [&str; 4] = ["baseline", "latest", "seed", "facts"];
/// The longest name.
const LONGEST: usize = 40;

/// A name for a machine, safe as a directory's on every system: small letters, digits and hyphens, at
/// most 40, no hyphen first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostName(String);

impl HostName {
    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for HostName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl FromStr for HostName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_name = (1..=LONGEST).contains(&text.len())
            && !text.starts_with('-')
            && text.bytes().all(|it| matches!(it, b'a'..=b'z' | b'0'..=b'9' | b'-'));
        if !is_name {
            Err(format!(
                "`{text}` is not a name for a machine: it must be 1 to {LONGEST} of a-z, 0-9 and \
                 `-`, and not begin with `-`"
            ))
        } else if TAKEN.contains(&text) {
            Err(format!("`{text}` is taken: results/ has {} for other things", TAKEN.join(", ")))
        } else {
            Ok(Self(text.to_owned()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_as_directories() {
        for good in ["xeon-vm", "0", &"a".repeat(40)] {
            assert_eq!(good.parse::<HostName>().unwrap().as_str(), good);
        }
        for bad in ["", "-a", "A", "a_b", "..", "a/b", "ä", &"a".repeat(41)] {
            assert!(bad.parse::<HostName>().unwrap_err().contains("1 to 40"), "{bad}");
        }
        assert!("latest".parse::<HostName>().unwrap_err().contains("taken"));
    }
}
