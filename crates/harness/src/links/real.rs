//! Builds that users make of the same sources: what a method of drawing link orders must cover.

use crate::links::build::Build;

/// A way to build a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RealBuild {
    /// Its name in tables.
    pub name: &'static str,
    /// Settings of the release profile, by the variables that cargo reads them from.
    profile: &'static [(&'static str, &'static str)],
    /// Arguments of the rustc that links.
    rustc: &'static [&'static str],
    /// Whether functions are aligned as this workspace has it.
    pub aligned: bool,
}

const UNITS: &str = "CARGO_PROFILE_RELEASE_CODEGEN_UNITS";
const LTO: &str = "CARGO_PROFILE_RELEASE_LTO";
const LEVEL: &str = "CARGO_PROFILE_RELEASE_OPT_LEVEL";
/// GNU ld, or whatever the C compiler calls by itself (rustc's default before 1.90).
const GNU: &str = "-Clinker-features=-lld";
/// Nothing is left out: a program of more than twice the size, the adapter's functions among those of
/// the standard library and of the other crates.
const LARGER: &str = "-Clink-dead-code";

const fn aligned(
    name: &'static str,
    profile: &'static [(&'static str, &'static str)],
    rustc: &'static [&'static str],
) -> RealBuild {
    RealBuild { name, profile, rustc, aligned: true }
}

/// What `cargo build --release` does where a manifest says nothing of it.
const DEFAULTS: RealBuild = aligned("16 units", &[(UNITS, "16"), (LTO, "false")], &[]);
/// What people set who want speed.
const THIN: RealBuild = aligned("thin LTO", &[(UNITS, "1"), (LTO, "thin")], &[]);

/// The builds that the launches of a run take turns with. A compiler that sees less of a program at once
/// puts fewer of a binding's calls into their callers, so that the settings of a profile move a ratio as
/// much as link orders do: METHOD.md has how many real builds the luck of one build covers, and how many that
/// of both. These two are the most usual ones, and lie near both ends of what was found.
pub const DRAWN: [RealBuild; 2] = [DEFAULTS, THIN];

/// The builds that are tried: each setting alone, and those that are often used together.
pub const REAL_BUILDS: [RealBuild; 17] = [
    // What counts and `--link-order fixed` are of.
    aligned("one unit", &[], &[]),
    DEFAULTS,
    aligned("16 units, no LTO", &[(UNITS, "16"), (LTO, "off")], &[]),
    THIN,
    aligned("16 units, thin LTO", &[(UNITS, "16"), (LTO, "thin")], &[]),
    aligned("fat LTO", &[(LTO, "fat")], &[]),
    aligned("level 2", &[(LEVEL, "2")], &[]),
    aligned("level 2, 16 units", &[(LEVEL, "2"), (UNITS, "16")], &[]),
    aligned("level 2, fat LTO", &[(LEVEL, "2"), (LTO, "fat")], &[]),
    aligned("GNU ld", &[], &[GNU]),
    aligned("GNU ld, 16 units", &[(UNITS, "16")], &[GNU]),
    aligned("GNU ld, fat LTO", &[(LTO, "fat")], &[GNU]),
    aligned("larger program", &[], &[LARGER]),
    aligned("larger program, 16 units", &[(UNITS, "16")], &[LARGER]),
    aligned("larger program, GNU ld", &[], &[LARGER, GNU]),
    RealBuild { name: "not aligned", profile: &[], rustc: &[], aligned: false },
    RealBuild {
        name: "not aligned, 16 units, thin LTO",
        profile: &[(UNITS, "16"), (LTO, "thin")],
        rustc: &[],
        aligned: false,
    },
];

/// The builds of what `build` builds that the launches of a run take turns with: it alone unless it is a
/// release build, since settings are those of that profile.
#[must_use]
pub fn drawn(build: Build) -> Vec<Build> {
    if build.profile == "release" {
        DRAWN.iter().map(|real| real.of(&build)).collect()
    } else {
        vec![build]
    }
}

impl RealBuild {
    /// This build of what `build` builds in another way.
    #[must_use]
    pub fn of(&self, build: &Build) -> Build {
        let mut build = build.clone();
        build.rustc.extend(self.rustc.iter().map(|&argument| argument.to_owned()));
        let set = |&(name, value): &(&str, &str)| (name.to_owned(), Some(value.to_owned()));
        build.environment.extend(self.profile.iter().map(set));
        if !self.aligned {
            // An empty value is one: what `.cargo/config.toml` has for the variable does not count then.
            for name in
                ["CFLAGS", "CFLAGS_x86_64_unknown_linux_gnu", "CFLAGS_aarch64_unknown_linux_gnu"]
            {
                build.environment.push((name.to_owned(), Some(String::new())));
            }
            // Replaces the workspace's flags; an empty list would not.
            build.environment.push(("RUSTFLAGS".to_owned(), Some("-Cdebuginfo=0".to_owned())));
        }
        build
    }
}
