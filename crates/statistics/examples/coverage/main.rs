//! Why the harness summarises ratios the way it does: simulated coverage and width of several
//! intervals.
//!
//! `cargo run --release --example coverage` prints Markdown, always the same.
#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "counts of a few thousand"
)]

mod family;
mod methods;
mod noise;
mod stopping;

use methods::Method;
use noise::{Noise, Random};

/// True ratio of the two backends.
const TRUTH: f64 = 1.02;
const BLOCKS: [usize; 5] = [10, 15, 20, 30, 40];
/// Trials per cell: the standard error of a coverage of 95 % is 0.4 %, for resampling methods 0.7
/// %.
const TRIALS: usize = 3_000;
const RESAMPLING_TRIALS: usize = 1_000;
/// Trials of the rare event that a 99.9 % interval misses: a standard error of 0.02 %.
const TAIL_TRIALS: usize = 30_000;
/// Blocks from which the target of a method is taken when the noise is not symmetric.
const LARGE: usize = 1_000_000;

fn main() {
    let mut random = Random::seeded(0x5EED);
    intervals(&mut random);
    targets(&mut random);
    tails(&mut random);
    family::print(&mut random);
    stopping::print(&mut random);
}

fn intervals(random: &mut Random) {
    println!("## Intervals of nominal 95 %: coverage / mean half-width, in per cent\n");
    println!(
        "Covered is what the method estimates: the true ratio, {TRUTH}, wherever the noise is symmetric.\n"
    );
    print!("| noise (numerator / denominator) | method |");
    for blocks in BLOCKS {
        print!(" {blocks} blocks |");
    }
    println!("\n|---|---|{}", "--:|".repeat(BLOCKS.len()));
    for noise in Noise::ALL {
        let large =
            if noise.symmetric() { vec![TRUTH.ln(); 10] } else { log_ratios(noise, LARGE, random) };
        for method in Method::ALL {
            let target = method.target(&large);
            print!("| {} | {} |", noise.name(), method.name());
            for blocks in BLOCKS {
                let cell = simulate(noise, method, blocks, &[target], random);
                print!(" {:.1} / {:.2} |", cell.coverage[0], cell.half_width);
            }
            println!();
        }
    }
}

/// With different noise above and below the fraction bar, the methods no longer estimate the same.
fn targets(random: &mut Random) {
    println!(
        "\n## What is estimated when the noise is not symmetric (medians differ by the factor {TRUTH})\n"
    );
    println!(
        "| noise (numerator / denominator) | method | estimated ratio | blocks | coverage of it | of the median ratio |"
    );
    println!("|---|---|--:|--:|--:|--:|");
    for noise in Noise::ASYMMETRIC {
        let large = log_ratios(noise, LARGE, random);
        let median = Method::MedianOrder.target(&large);
        for method in [Method::SignedRank, Method::Student, Method::Trimmed, Method::MedianOrder] {
            let target = method.target(&large);
            for blocks in [30, 150] {
                let [own, common] =
                    simulate(noise, method, blocks, &[target, median], random).coverage[..]
                else {
                    unreachable!("two targets")
                };
                let (noise, method, ratio) = (noise.name(), method.name(), target.exp());
                println!(
                    "| {noise} | {method} | {ratio:.4} | {blocks} | {own:.1} % | {common:.1} % |"
                );
            }
        }
    }
}

/// Corrections for many comparisons look at small p-values: these have to be right, too.
fn tails(random: &mut Random) {
    println!(
        "\n## Equal backends: share of intervals of 99.9 % that exclude 1, 20 blocks (should be 0.1 %)\n"
    );
    println!("| noise | method | excluded |\n|---|---|--:|");
    for noise in [Noise::Normal, Noise::Skewed, Noise::Contaminated] {
        for method in [Method::SignedRank, Method::Student, Method::Trimmed, Method::MedianOrder] {
            let excluded = (0..TAIL_TRIALS).filter(|_| {
                let (low, high) = method.interval(&log_ratios(noise, 20, random), 0.999, random);
                low > TRUTH.ln() || high < TRUTH.ln()
            });
            let share = 100.0 * excluded.count() as f64 / TAIL_TRIALS as f64;
            println!("| {} | {} | {share:.2} % |", noise.name(), method.name());
        }
    }
}

struct Cell {
    /// Per target, in per cent.
    coverage: Vec<f64>,
    /// Mean, in per cent.
    half_width: f64,
}

fn simulate(
    noise: Noise,
    method: Method,
    blocks: usize,
    targets: &[f64],
    random: &mut Random,
) -> Cell {
    let trials = if method.resamples() { RESAMPLING_TRIALS } else { TRIALS };
    let mut covered = vec![0_usize; targets.len()];
    let mut width = 0.0;
    for _ in 0..trials {
        let (low, high) = method.interval(&log_ratios(noise, blocks, random), 0.95, random);
        for (count, &target) in covered.iter_mut().zip(targets) {
            // the bounds went through exp and ln
            *count += usize::from(low - 1e-12 <= target && target <= high + 1e-12);
        }
        width += ((high - low) / 2.0).exp_m1();
    }
    let percent = |sum: f64| 100.0 * sum / trials as f64;
    Cell {
        coverage: covered.iter().map(|&count| percent(count as f64)).collect(),
        half_width: percent(width),
    }
}

fn log_ratios(noise: Noise, blocks: usize, random: &mut Random) -> Vec<f64> {
    (0..blocks)
        .map(|_| {
            let (numerator, denominator) = noise.block(random);
            TRUTH.ln() + numerator - denominator
        })
        .collect()
}
