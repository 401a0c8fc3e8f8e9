//! What needs the programs of all backends: they are found and built once, in the profile of this test.
//! What needs valgrind, strace or LMDB's own tools is skipped where these are not, except in CI, where
//! they must be.
//!
//! | module | what it looks at |
//! |---|---|
//! | `hello` | who each worker is, and its engine |
//! | `files` | what workers write, read by others |
//! | `counts` | instructions, allocations, system calls |
//! | `behaviour` | what killed writers leave |
//! | `links` | a worker in other link orders |
//! | `memcheck` | the adapters' code under valgrind |
//! | `dependencies` | what the workspace is made of |
//! | `built` | the programs |

mod behaviour;
mod built;
mod counts;
mod dependencies;
mod files;
mod hello;
#[cfg(target_os = "linux")]
mod links;
mod memcheck;
