//! What needs the programs of all backends: they are found and built once, in the profile of this test.
//!
//! | module | what it looks at |
//! |---|---|
//! | `hello` | who each worker is, and its engine |
//! | `files` | what workers write, read by others |
//! | `counts` | instructions, allocations, system calls |
//! | `behaviour` | what killed writers leave |
//! | `memcheck` | the adapters' code under valgrind |
//! | `built` | the programs |
//! | `worker` | a worker spoken to without the harness |

mod behaviour;
mod built;
mod counts;
mod files;
mod hello;
mod memcheck;
mod worker;
