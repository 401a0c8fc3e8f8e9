//! What a transaction costs in things that do not depend on the machine's mood: instructions, heap
//! allocations, system calls.
//!
//! Each case has a process of its own for each of the three, so that what is counted does not depend
//! on which other cases are. Instructions and system calls are those of the program that is timed;
//! allocations come from a program of its own with a counting allocator.
//!
//! | module | what it owns |
//! |---|---|
//! | [`programs`] | the programs to count, and the reference loop in C beside the backends |
//! | [`selection`] | which cases are counted |
//! | [`tools`] | whether valgrind and strace are there |
//! | [`place`] | a directory for one case, and the check of what was written in it |
//! | [`process`] | a program run from start to end |
//! | [`instructions`] | a worker under callgrind |
//! | [`profile`] | callgrind's output, read |
//! | [`split`] | whose instructions they are |
//! | [`allocations`] | a worker with a counting allocator |
//! | [`system_calls`] | a worker under strace |
//! | [`trace`] | strace's output, read |
//! | [`run`] | all cases, several at a time |

pub mod allocations;
pub mod instructions;
pub mod place;
pub mod profile;
pub mod run;
pub mod selection;
pub mod split;
pub mod system_calls;
pub mod tools;
pub mod trace;
