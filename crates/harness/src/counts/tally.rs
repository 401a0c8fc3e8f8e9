//! Whose instructions they are, by object and function. Pure.

use std::ops::{Add, Sub};

use crate::counts::profile::{Function, Profile};
use records::schema::Split;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Binding,
    /// LMDB, which is linked into the worker program.
    Lmdb,
    LibcMemory,
    LibcBytes,
    LibcOther,
    Other,
}

const PARTS: usize = Part::Other as usize + 1;

impl Part {
    /// The part that `function` belongs to; `program` is the worker's file name.
    fn of(function: &Function, program: &str) -> Self {
        let file = function.object.rsplit('/').next().unwrap_or_default();
        // Bindings are Rust, whose symbols are mangled and begin with _R or _Z: all functions of
        // mdb.c and midl.c that a compiler has not inlined are called mdb_ or _mdb_ something.
        let name = function.name.trim_start_matches('_');
        if file == program {
            if name.starts_with("mdb_") { Self::Lmdb } else { Self::Binding }
        } else if is_libc(file) {
            libc_part(name)
        } else {
            Self::Other
        }
    }
}

/// Whether `file` is the C library: glibc in one file or, before 2.34, in two; musl.
fn is_libc(file: &str) -> bool {
    ["libc.so", "libc-", "libpthread", "ld-musl"].iter().any(|prefix| file.starts_with(prefix))
}

/// By name, as far as there are names: a stripped C library without its debug symbols shows only its
/// public ones, and what is inside counts as "other".
fn libc_part(name: &str) -> Part {
    const MEMORY: [&str; 6] = ["alloc", "free", "memalign", "chunk", "tcache", "arena"];
    const BYTES: [&str; 3] = ["mem", "str", "wmem"];
    if MEMORY.iter().any(|part| name.contains(part)) {
        Part::LibcMemory
    } else if BYTES.iter().any(|start| name.starts_with(start)) {
        Part::LibcBytes
    } else {
        Part::LibcOther
    }
}

fn allocates(function: &Function) -> bool {
    const NAMES: [&str; 7] =
        ["malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc", "memalign", "valloc"];
    // With symbol versions: malloc@@GLIBC_2.2.5.
    let name = function.name.split('@').next().unwrap_or_default();
    NAMES.contains(&name.trim_start_matches("__libc_"))
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    instructions: [i64; PARTS],
    allocations: [i64; PARTS],
}

impl Tally {
    pub fn new(profile: &Profile, program: &str) -> Self {
        let mut tally = Self::default();
        for (function, &cost) in &profile.instructions {
            tally.instructions[Part::of(function, program) as usize] += signed(cost);
        }
        for ((caller, _), &count) in
            profile.calls.iter().filter(|((_, callee), _)| allocates(callee))
        {
            tally.allocations[Part::of(caller, program) as usize] += signed(count);
        }
        tally
    }

    pub fn total(&self) -> i64 {
        self.instructions.iter().sum()
    }

    /// How often `part` calls the C library's allocator: LMDB itself, a binding through Rust's.
    pub fn allocations(&self, part: Part) -> i64 {
        self.allocations[part as usize]
    }

    pub fn split(&self, transactions: u64) -> Split {
        let per = |part: Part| self.instructions[part as usize] as f64 / transactions as f64;
        Split {
            binding: per(Part::Binding),
            lmdb: per(Part::Lmdb),
            libc_memory: per(Part::LibcMemory),
            libc_bytes: per(Part::LibcBytes),
            libc_other: per(Part::LibcOther),
            other: per(Part::Other),
        }
    }

    fn combine(self, other: Self, with: fn(i64, i64) -> i64) -> Self {
        let zip = |a: [i64; PARTS], b: [i64; PARTS]| std::array::from_fn(|i| with(a[i], b[i]));
        Self {
            instructions: zip(self.instructions, other.instructions),
            allocations: zip(self.allocations, other.allocations),
        }
    }
}

impl Add for Tally {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        self.combine(other, i64::saturating_add)
    }
}

impl Sub for Tally {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self.combine(other, i64::saturating_sub)
    }
}

/// No program that is counted runs for 2^63 instructions.
fn signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::rc::Rc;

    use super::*;

    fn function(object: &str, name: &str) -> Function {
        Function { object: Rc::from(object), name: Rc::from(name) }
    }

    fn part(object: &str, name: &str) -> Part {
        Part::of(&function(object, name), "worker-heed")
    }

    #[test]
    fn functions_belong_to_whom_they_are_of() {
        let worker = "/target/release/worker-heed";
        assert_eq!(part(worker, "mdb_put"), Part::Lmdb);
        assert_eq!(part(worker, "_mdb_cursor_put"), Part::Lmdb);
        assert_eq!(part(worker, "mdb_page_alloc.isra.0"), Part::Lmdb);
        assert_eq!(part(worker, "_ZN4heed3mdb10lmdb_error10mdb_resultE"), Part::Binding);
        assert_eq!(part(worker, "_RNvCs_7___rustc12___rust_alloc"), Part::Binding);
        let libc = "/usr/lib/x86_64-linux-gnu/libc.so.6";
        assert_eq!(part(libc, "_int_malloc"), Part::LibcMemory);
        assert_eq!(part(libc, "unlink_chunk.constprop.0"), Part::LibcMemory);
        assert_eq!(part(libc, "memcpy@GLIBC_2.2.5"), Part::LibcBytes);
        assert_eq!(part(libc, "__memcmp_sse2"), Part::LibcBytes);
        assert_eq!(part(libc, "pthread_mutex_lock@@GLIBC_2.2.5"), Part::LibcOther);
        assert_eq!(part(libc, "0x0000000000096b50"), Part::LibcOther);
        assert_eq!(part("/lib64/ld-linux-x86-64.so.2", "_dl_fixup"), Part::Other);
        assert_eq!(part("???", "mdb_put"), Part::Other);
    }

    #[test]
    fn allocations_belong_to_their_callers() {
        let lmdb = function("/worker-heed", "mdb_page_malloc");
        let rust = function("/worker-heed", "_RNvCs_7___rustc11___rdl_alloc");
        let malloc = function("/libc.so.6", "malloc@@GLIBC_2.2.5");
        let calloc = function("/libc.so.6", "calloc");
        let free = function("/libc.so.6", "free");
        let calls = BTreeMap::from([
            ((lmdb.clone(), malloc.clone()), 2),
            ((lmdb.clone(), calloc.clone()), 3),
            ((lmdb, free), 5),
            ((rust, malloc.clone()), 7),
            ((calloc, malloc), 11),
        ]);
        let tally = Tally::new(&Profile { calls, ..Profile::default() }, "worker-heed");
        assert_eq!([Part::Lmdb, Part::Binding].map(|part| tally.allocations(part)), [5, 7]);
    }
}
