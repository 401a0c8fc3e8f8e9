//! All of it.

mod arguments;
mod bench;
mod brought;
mod interrupts;
mod misbehaving;
mod results;
mod scene;
mod storage;
mod workers;

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use libtest_mimic::{Arguments, Trial, run};

pub(crate) fn main() -> ExitCode {
    if let Some(code) = misbehaving::serve() {
        return code;
    }
    if let Some(code) = bench::serve() {
        return code;
    }
    let_children_be_interrupted();
    run(&Arguments::from_args(), trials()).exit_code()
}

/// A shell that starts tests in the background has them ignore SIGINT, and what they start would inherit that. What
/// is listened to here has its default there.
fn let_children_be_interrupted() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    for signal in [SIGHUP, SIGINT, SIGTERM] {
        let always = Arc::new(AtomicBool::new(true));
        // None of these is one that nobody may listen to.
        let _ = signal_hook::flag::register_conditional_default(signal, always);
    }
}

/// The tests of each module by the names of their functions.
macro_rules! tests {
    ($($module:ident: $($test:ident)*;)*) => {
        vec![$($(test(concat!(stringify!($module), "::", stringify!($test)), $module::$test)),*),*]
    };
}

fn test(name: &str, test: impl FnOnce() + Send + 'static) -> Trial {
    Trial::test(name, || {
        test();
        Ok(())
    })
}

fn trials() -> Vec<Trial> {
    let mut trials = tests![
        arguments:
            what_cannot_be_is_refused
            a_directory_must_be_one
            a_list_is_names_only
            help_names_our_options
            a_test_checks_and_measures_nothing
            a_test_finds_a_fault
            criterion_refuses_its_own;
        brought:
            a_program_is_measured_beside_the_others
            what_is_no_backend_is_refused
            the_examples_are_measured
            a_crate_that_does_not_build_fails_alone;
        interrupts:
            compare_keeps_what_it_measured
            nothing_is_left_at_the_start
            write_leaves_nothing
            ctrl_c_does_not_reach_the_workers
            a_second_signal_changes_nothing
            nothing_does_not_replace_results
            what_was_ignored_stays_ignored
            a_run_has_the_day_of_its_cargo_and_ends_with_it;
        results:
            every_field_is_there_and_makes_sense
            a_precision_of_controls_can_be_reached
            a_failed_run_is_not_published
            a_seed_repeats_what_was_written;
        storage:
            what_is_full_fails_the_large_batch
            a_small_map_stops_criterion_only_there
            a_disk_that_becomes_full_fails_all
            an_environment_that_is_removed_fails_one_case
            a_root_that_is_removed_is_made_again
            a_directory_that_is_removed_fails_all
            results_that_could_not_be_written_are_refused
            results_that_cannot_be_written_are_shown
            a_reader_that_goes_away_loses_nothing
            two_runs_at_once_do_not_meet;
        workers:
            what_stands_between_changes_nothing
            a_broken_reference_is_a_case_as_any
            without_a_verifier_nothing_is_ok
            a_broken_twin_is_not_hidden
            criterion_goes_on
            a_signal_fails_one_alone
            none_outlives_a_killed_harness;
    ];
    trials.extend(workers::FAULTS.map(|(fault, causes)| {
        let name = format!("workers::{fault}");
        test(&name, move || workers::one_fails_and_the_others_are_measured(fault, causes))
    }));
    trials
}

/// Says why a test cannot be done on this machine; one that checks every change must be able to.
fn skipped(reason: &str) {
    assert!(std::env::var_os("CI").is_none(), "in CI it must be possible: {reason}");
    eprintln!("skipped: {reason}");
}
