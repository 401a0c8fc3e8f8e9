//! What needs the programs of all backends: they are found and built once, in the profile of this test.
//! What needs valgrind, strace or LMDB's own tools is skipped where these are not, except in CI, where
//! they must be.

mod behaviour;
mod built;
mod counts;
mod dependencies;
mod files;
mod hello;
#[cfg(target_os = "linux")]
mod links;
mod memcheck;
