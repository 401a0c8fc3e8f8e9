//! Does launching until the interval is narrow enough spoil the interval?

use statistics::{RatioEstimate, further_launches};

use crate::noise::{Noise, Random};

const TRIALS: usize = 600;
const LIMIT: usize = 400;

pub(crate) fn print(random: &mut Random) {
    println!("\n## Launching until the half-width is reached\n");
    println!(
        "One comparison stops by its own width: the worst case. Mean of {TRIALS} trials per row.\n"
    );
    println!("| noise | target | first launches | launches in the end | coverage |");
    println!("|---|--:|--:|--:|--:|");
    for noise in [Noise::Normal, Noise::Skewed, Noise::Contaminated] {
        for first in [10, 20, 30] {
            let target = 0.008;
            let (mut launches, mut covered) = (0, 0);
            for _ in 0..TRIALS {
                let result = run(noise, first, target, random);
                launches += result.launches;
                covered += usize::from(result.interval().contains(1.0));
            }
            let (launches, covered) =
                (launches as f64 / TRIALS as f64, 100.0 * covered as f64 / TRIALS as f64);
            println!(
                "| {} | {} % | {first} | {launches:.0} | {covered:.1} % |",
                noise.name(),
                100.0 * target
            );
        }
    }
}

fn run(noise: Noise, first: usize, target: f64, random: &mut Random) -> RatioEstimate {
    let (mut above, mut below) = (Vec::new(), Vec::new());
    let mut further = first;
    loop {
        for _ in 0..further {
            let (numerator, denominator) = noise.block(random);
            above.push(numerator.exp());
            below.push(denominator.exp());
        }
        let result = RatioEstimate::from_pairs(&above, &below, 0.95).expect("enough blocks");
        let projection = further_launches(above.len(), result.half_width(), target, LIMIT);
        // one step at most doubles the launches: an early width may be far off
        further = projection.expect("valid widths").further.min(above.len());
        if further == 0 {
            return result;
        }
    }
}
