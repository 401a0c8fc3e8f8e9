//! What a transaction costs in things that do not depend on the machine's mood: instructions, heap
//! allocations, system calls.
//!
//! Each case has a process of its own for each of the three, so that what is counted does not depend
//! on which other cases are. Instructions and system calls are those of the program that is timed;
//! allocations come from a program of its own with a counting allocator.

pub mod instructions;
pub mod profile;
pub mod run;
pub mod selection;
pub mod system_calls;
pub mod tally;
pub mod tools;
