//! The test program of an adapter: every conformance case, allocations, identity, declared differences.

use std::process::ExitCode;

use conformance::allocations::Cost;
use conformance::expected::{self, Difference};
use libtest_mimic::Trial;
use write_backend::Probe;

use crate::counting::check_allocations;

/// The `main` of the test program of `B`: `differences` are its declared ones, `cost` is what it
/// allocates.
#[must_use]
pub fn tests<B: Probe>(differences: &'static [Difference], cost: Cost) -> ExitCode {
    let test = |name: &str, test: fn(&'static [Difference], Cost) -> Result<(), String>| {
        Trial::test(name, move || Ok(test(differences, cost)?))
    };
    let more = vec![
        test("allocations", |_, cost| check_allocations::<B>(cost)),
        test("identity-and-engine", |_, _| identity::<B>()),
        test("declared-differences", |differences, _| expected::check(differences)),
    ];
    conformance::main_with::<B>(differences, more)
}

/// Who the backend says it is. That its engine is the expected one the harness checks.
fn identity<B: Probe>() -> Result<(), String> {
    let identity = B::IDENTITY;
    let engine = B::engine();
    if identity.binding.is_none() || identity.engine.is_none() {
        return Err(format!("{}: binding and engine must be named", identity.id));
    }
    match engine {
        None => Err(format!("{} names an engine and has none", identity.id)),
        Some(engine) if engine.put_address == 0 => Err("mdb_put has no address".to_owned()),
        Some(_) => Ok(()),
    }
}
