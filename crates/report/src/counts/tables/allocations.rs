//! The allocation column of the benchmark this project grew from, and ours beside it.

use std::collections::BTreeMap;

use write_backend::Workload;

use crate::counts::check::plain;
use crate::table::{Align, Table};
use records::schema::Results;
use records::seed::Seed;

use super::{ABSENT, counted};

/// What the table shows.
pub(super) const ABOUT: &str = "Bytes that Rust code allocates per transaction, by batch size, and \
     how much each further put adds, by value size. The two rows of the benchmark this project grew \
     from are its .NET bindings: with spans nothing per put, before it had them one object for each. \
     Here a transaction costs nothing in Rust: what LMDB allocates for it is counted apart (\"C \
     alloc\").";

/// The benchmark's numbers as they are stored.
const SEED: &str = include_str!("../../../../../results/seed/seed.json");
/// The branches of it that are shown, and what they are called.
const BRANCHES: [(&str, &str); 2] =
    [("master", ".NET, spans (published)"), ("pre-span", ".NET, pre-span (published)")];

/// What the bindings of the benchmark allocated, in bytes per transaction by batch size.
fn published() -> Vec<(&'static str, BTreeMap<usize, f64>)> {
    // A test reads it: that of the stored file's reader.
    let Ok(seed) = serde_json::from_str::<Seed>(SEED) else { return Vec::new() };
    let of = |(branch, name): &(&str, &'static str)| {
        let rows = &seed.branch(branch)?.rows;
        Some((*name, rows.iter().map(|row| (row.batch_size, row.allocated_bytes as f64)).collect()))
    };
    BRANCHES.iter().filter_map(of).collect()
}

/// One row per backend; the workloads are those of one finish, since what is allocated does not
/// depend on it.
pub(super) fn table(results: &Results) -> Table {
    let points = points(results);
    let sorted = |mut values: Vec<usize>| {
        values.sort_unstable();
        values.dedup();
        values
    };
    let batches = sorted(points.iter().map(|point| point.batch).collect());
    let values = sorted(points.iter().map(|point| point.value).collect());
    let Some(&smallest) = values.first() else { return Table::new(&[("Backend", Align::Left)]) };
    let heads: Vec<String> = batches
        .iter()
        .map(|batch| format!("n={batch}"))
        .chain(values.iter().map(|value| format!("per put, v={value}")))
        .collect();
    let mut columns = vec![("Backend", Align::Left)];
    columns.extend(heads.iter().map(|head| (head.as_str(), Align::Right)));
    let mut table = Table::new(&columns);
    for (name, bytes) in published() {
        let (first, last) = (bytes.first_key_value(), bytes.last_key_value());
        let per_put = first
            .zip(last)
            .map(|((few, least), (many, most))| (most - least) / (many - few) as f64);
        let cells = batches.iter().map(|batch| text(bytes.get(batch).copied()));
        let growth = values.iter().map(|_| text(per_put));
        table.row(std::iter::once(name.to_owned()).chain(cells).chain(growth));
    }
    let mut backends: Vec<&str> = points.iter().map(|point| point.backend).collect();
    backends.dedup();
    backends.sort_by_key(|id| results.backends.iter().position(|it| it.id == *id));
    backends.dedup();
    for backend in backends {
        let of = |value: usize| -> Vec<&Point<'_>> {
            points.iter().filter(|it| it.backend == backend && it.value == value).collect()
        };
        let bytes = |batch: &usize| {
            let found = of(smallest).into_iter().find(|point| point.batch == *batch);
            text(found.map(|point| point.bytes))
        };
        let cells = batches.iter().map(bytes);
        let growth = values.iter().map(|value| text(per_put(&of(*value))));
        table.row(std::iter::once(backend.to_owned()).chain(cells).chain(growth));
    }
    table
}

/// Bytes per transaction of one case.
struct Point<'a> {
    backend: &'a str,
    batch: usize,
    value: usize,
    bytes: f64,
}

/// Of the finish, sync mode, key size and order of the first case.
fn points(results: &Results) -> Vec<Point<'_>> {
    let Some(first) = results.cases.first().map(|case| case.workload) else { return Vec::new() };
    let is_like = |it: &Workload| {
        let sizes = |w: &Workload| Workload { batch_size: 1, value_size: 1, ..*w };
        sizes(it) == sizes(&first)
    };
    counted(results)
        .filter(|(case, _)| is_like(&case.workload))
        .filter_map(|(case, counts)| {
            Some(Point {
                backend: &case.backend,
                batch: case.workload.batch_size,
                value: case.workload.value_size,
                bytes: counts.rust_bytes_per_transaction?,
            })
        })
        .collect()
}

/// The growth from the smallest batch to the largest.
fn per_put(points: &[&Point<'_>]) -> Option<f64> {
    let low = points.iter().min_by_key(|point| point.batch)?;
    let high = points.iter().max_by_key(|point| point.batch)?;
    let puts = high.batch - low.batch;
    (puts > 0).then(|| (high.bytes - low.bytes) / puts as f64)
}

fn text(value: Option<f64>) -> String {
    value.map_or(ABSENT.to_owned(), plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::check::tests::results;

    #[test]
    fn growth_per_put_stands_beside_the_published_one() {
        let sizes = [1, 10, 100];
        let cases: Vec<(&str, usize, f64)> =
            sizes.iter().map(|size| ("pre-span", *size, 1.0)).collect();
        let mut run = results(&cases);
        for case in &mut run.cases {
            let bytes = 80.0 * case.workload.batch_size as f64;
            case.counts.as_mut().unwrap().rust_bytes_per_transaction = Some(bytes);
        }
        let text = table(&run).to_string();
        let cells = |line: usize| -> Vec<String> {
            let line = text.lines().nth(line).unwrap();
            line.split('|').map(|cell| cell.trim().to_owned()).filter(|it| !it.is_empty()).collect()
        };
        assert_eq!(cells(0), ["Backend", "n=1", "n=10", "n=100", "per put, v=4"]);
        assert_eq!(cells(3)[1..], ["384", "1104", "8304", "80"]);
        assert_eq!(cells(4), ["pre-span", "80", "800", "8000", "80"]);
    }
}
