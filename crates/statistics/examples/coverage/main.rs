//! Why the harness summarises ratios the way it does: simulated coverage and width of several
//! intervals.
//!
//! `cargo run --release -p statistics --example coverage` prints Markdown, always the same.

mod methods;
mod noise;

use methods::Method;
use noise::Random;

/// True ratio of the two backends.
const TRUTH: f64 = 1.02;
const BLOCKS: [usize; 5] = [10, 15, 20, 30, 40];
/// Trials per cell: the standard error of a coverage of 95 % is 0.4 %.
const TRIALS: u32 = 3_000;

/// How the logarithm of a launch's time scatters.
type Noise = (&'static str, fn(&mut Random) -> f64);

/// All of them about 2 %.
const NOISE: [Noise; 4] = [
    ("normal", |random| 0.02 * random.normal()),
    ("skewed", |random| random.launch(0.02, 0.0)),
    ("5 % outliers", |random| 0.02 * random.normal() + random.launch(0.0, 0.05)),
    ("heavy tails", |random| {
        let chi_square: f64 = (0..3).map(|_| random.normal().powi(2)).sum();
        0.01 * random.normal() / (chi_square / 3.0).sqrt()
    }),
];

fn main() {
    let mut random = Random::seeded(0x5EED);
    println!("## Intervals of nominal 95 %: coverage / mean half-width, in per cent\n");
    print!("| noise | method |");
    for blocks in BLOCKS {
        print!(" {blocks} blocks |");
    }
    println!("\n|---|---|{}", "--:|".repeat(BLOCKS.len()));
    for (name, launch) in NOISE {
        for method in Method::ALL {
            print!("| {name} | {} |", method.name());
            for blocks in BLOCKS {
                let (coverage, half_width) = simulate(launch, method, blocks, &mut random);
                print!(" {coverage:.1} / {half_width:.2} |");
            }
            println!();
        }
    }
}

/// Coverage of the true ratio and mean half-width, in per cent.
fn simulate(
    launch: fn(&mut Random) -> f64,
    method: Method,
    blocks: usize,
    random: &mut Random,
) -> (f64, f64) {
    let (mut covered, mut width) = (0.0, 0.0);
    for _ in 0..TRIALS {
        let logs: Vec<f64> =
            (0..blocks).map(|_| TRUTH.ln() + launch(random) - launch(random)).collect();
        let (low, high) = method.interval(&logs, 0.95);
        // The bounds went through exp and ln.
        let is_inside = low - 1e-12 <= TRUTH.ln() && TRUTH.ln() <= high + 1e-12;
        covered += f64::from(u8::from(is_inside));
        width += ((high - low) / 2.0).exp_m1();
    }
    let percent = |sum: f64| 100.0 * sum / f64::from(TRIALS);
    (percent(covered), percent(width))
}
