//! Made-up published runs, with numbers that a formula gives.

use std::path::Path;

use records::published::{self, Published, REFERENCE_HOST, file};
use records::schema::Results;
use records::store;
use records::testing::Run;

/// Why a case of the fixture failed: something that must be shown as the text it is, and longer than a
/// narrow screen is wide.
pub(crate) const REASON: &str =
    "put: </script><!--<b>full</b>: there was no more room for what this case was to write";
/// The case that failed.
pub(crate) const FAILED: &str = "commit-n10-v64-k4-sequential-nosync";

fn workloads(values: &[usize]) -> Vec<String> {
    let mut names = Vec::new();
    for finish in ["abort", "commit"] {
        for batch in [1, 10, 100] {
            let name = |value| format!("{finish}-n{batch}-v{value}-k4-sequential-nosync");
            names.extend(values.iter().map(name));
        }
    }
    names
}

/// `run` of four backends with other numbers on each workload: slower, about equal, faster.
fn four(run: Run, name: &str, workloads: &[String]) -> Run {
    let names: Vec<&str> = workloads.iter().map(String::as_str).collect();
    let mut run = run
        .backend("raw-ffi", None, 1.0)
        .backend("raw-ffi@lmdb-master-sys", None, 0.912_345)
        .backend("heed", Some("raw-ffi@lmdb-master-sys"), 1.0)
        .backend("owned-buffer", Some("raw-ffi"), 1.0)
        .workloads(&names)
        .edit(|it| name.clone_into(&mut it.host.name));
    for (index, name) in names.iter().enumerate() {
        for (id, turn) in [("heed", index + 2), ("owned-buffer", index)] {
            let factor = [1.234_567, 1.000_321, 0.912_345][turn % 3];
            run = run.on(id, name, factor * (1.0 + index as f64 * 1e-4));
        }
    }
    run
}

fn publish(results: &Path, host: &str, name: &str, file: &Results) {
    store::write(&results.join(host).join("2030-01-02").join(name), file).expect("it is written");
}

/// Two machines: the reference with a failed case and with equal flags, another with a warning and fewer
/// value sizes.
pub(crate) fn two_machines(results: &Path) -> Vec<Published> {
    let both = workloads(&[4, 64]);
    let compare = four(Run::compare(), "one", &both).failed("heed", FAILED, REASON);
    publish(results, REFERENCE_HOST, file::COMPARE, &compare.clone().build());
    let equal = compare.edit(|it| it.options.cflags = Some("-O3".to_owned()));
    publish(results, REFERENCE_HOST, file::EQUAL_FLAGS, &equal.build());
    let mut synced = both;
    synced.push("commit-n10-v64-k4-sequential-sync".to_owned());
    let mut counts = four(Run::counts(), "one", &synced).build();
    // One case that was counted and not timed.
    let is_synced = |name: &str| name.ends_with("-sync");
    counts.cases.retain(|it| it.backend == "heed" || !is_synced(&it.workload.to_string()));
    publish(results, REFERENCE_HOST, file::COUNTS, &counts);
    let other = four(Run::compare().launches(20), "two", &workloads(&[64]));
    let other = other.edit(|it| it.options.core = None);
    publish(results, "another", file::COMPARE, &other.build());
    published::load(results).expect("what was written is read")
}

/// `hosts` machines with eight backends on 63 workloads each, timed and counted.
pub(crate) fn many(results: &Path, hosts: usize) -> Vec<Published> {
    let names = workloads(&(1..=11).collect::<Vec<_>>());
    let names: Vec<&str> = names[..63].iter().map(String::as_str).collect();
    let eight = |run: Run| {
        let run = run.backend("raw-ffi", None, 1.0).workloads(&names);
        let add = |run: Run, index: u32| {
            let factor = 1.0 + f64::from(index) / 17.0;
            run.backend(&format!("a-backend-named-{index}"), Some("raw-ffi"), factor)
        };
        (1..8).fold(run, add).build()
    };
    let [compare, counts] = [eight(Run::compare()), eight(Run::counts())];
    for host in 0..hosts {
        publish(results, &format!("host-{host}"), file::COMPARE, &compare);
        publish(results, &format!("host-{host}"), file::COUNTS, &counts);
    }
    published::load(results).expect("what was written is read")
}
