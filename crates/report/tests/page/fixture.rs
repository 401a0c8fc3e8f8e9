//! Made-up published runs.

use records::published::{Published, REFERENCE_HOST};
use records::schema::Results;
use records::testing::Run;

/// Why a case of the fixture failed: something that must be shown as the text it is, and longer than a
/// narrow screen is wide.
pub(crate) const REASON: &str =
    "put: </script><!--<b>full</b>: there was no more room for what this case was to write";
/// The case that failed.
const FAILED: &str = "commit-n10-v64-k4-sequential-nosync";

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

/// Two controls and two bindings, of which one has every verdict.
fn backends(run: Run, names: &[String]) -> Run {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let run = run
        .workloads(&names)
        .backend("raw-ffi", None, 1.0)
        .backend("raw-ffi@lmdb-master-sys", None, 0.9)
        .backend("heed", Some("raw-ffi@lmdb-master-sys"), 1.05)
        .backend("owned-buffer", Some("raw-ffi"), 1.4);
    let others = names.iter().filter(|name| name.contains("-n10-") || name.contains("-n100-"));
    others.fold(run, |run, name| {
        run.on("owned-buffer", name, if name.contains("-n10-") { 1.0 } else { 0.8 })
    })
}

fn published(host: &str) -> Published {
    Published::empty(host, "2030-01-02")
}

/// Two machines: another with a warning and fewer value sizes, and the reference with a failed case, with
/// equal flags and with counts, of which one is of a workload that was not timed.
pub(crate) fn two_machines() -> [Published; 2] {
    let names = workloads(&[4, 64]);
    let compare = |cflags: Option<&str>| -> Results {
        let run = backends(Run::compare(), &names).failed("heed", FAILED, REASON);
        run.edit(|run| run.options.cflags = cflags.map(str::to_owned)).build()
    };
    let mut counts = backends(Run::counts(), &names).build();
    let synced = Run::counts().workloads(&["commit-n10-v64-k4-sequential-sync"]);
    counts.cases.extend(synced.backend("heed", None, 1.0).build().cases);
    let other = backends(Run::compare(), &workloads(&[64])).edit(|run| run.options.core = None);
    let another = Published { compare: Some(other.build()), ..published("another") };
    let reference = Published {
        compare: Some(compare(None)),
        equal_flags: Some(compare(Some("-O3"))),
        counts: Some(counts),
        ..published(REFERENCE_HOST)
    };
    [another, reference]
}

/// As many machines with eight backends on 66 workloads each, timed and counted.
pub(crate) fn many(hosts: usize) -> Vec<Published> {
    let names = workloads(&(1..=11).collect::<Vec<_>>());
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let all = |run: Run| {
        let run = run.workloads(&names).backend("raw-ffi", None, 1.0);
        let add = |run: Run, index: u32| {
            let id = format!("a-backend-named-{index}");
            run.backend(&id, Some("raw-ffi"), 1.0 + f64::from(index) / 100.0)
        };
        (1..8).fold(run, add).build()
    };
    let (compare, counts) = (all(Run::compare()), all(Run::counts()));
    let host = |index| Published {
        compare: Some(compare.clone()),
        counts: Some(counts.clone()),
        ..published(&format!("host-{index}"))
    };
    (0..hosts).map(host).collect()
}
