//! A whole report at once: which rule for many comparisons finds how much, and claims how much
//! wrongly.

use statistics::{Interval, RatioEstimate, adjusted_p_values};

use crate::noise::Random;

const WORKLOADS: usize = 24;
const BACKENDS: usize = 7;
const COMPARISONS: usize = WORKLOADS * BACKENDS;
const BLOCKS: usize = 30;
const RATE: f64 = 0.05;
const TRIALS: usize = 150;

/// What one report looks like.
struct Scene {
    name: &'static str,
    /// Of the log ratio of two launches.
    sd: f64,
    /// Backends that differ from the control: 7 alternates between 3 and 4 of them, which is half.
    differ: Differ,
    /// By how much they differ.
    effect: f64,
    /// Factor by which everything but the control is slower without being so: a fault of the
    /// measurement.
    bias: f64,
}

#[derive(Clone, Copy, PartialEq)]
enum Differ {
    None,
    One,
    Half,
}

/// Which comparisons are claimed to differ.
#[derive(Clone, Copy)]
enum Rule {
    Plain,
    BenjaminiHochberg,
    IntervalNotInFloor,
    EstimateNotInFloor,
    IntervalOutsideFloor,
    BenjaminiYekutieli,
    Holm,
}

impl Rule {
    const ALL: [Self; 7] = [
        Self::Plain,
        Self::BenjaminiHochberg,
        Self::IntervalNotInFloor,
        Self::EstimateNotInFloor,
        Self::IntervalOutsideFloor,
        Self::BenjaminiYekutieli,
        Self::Holm,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::Plain => "no correction",
            Self::BenjaminiHochberg => "Benjamini-Hochberg (BH)",
            Self::IntervalNotInFloor => "BH, and interval not all inside the floor",
            Self::EstimateNotInFloor => "**BH, and estimate not inside the floor**",
            Self::IntervalOutsideFloor => "BH, and interval all outside the floor",
            Self::BenjaminiYekutieli => "Benjamini-Yekutieli",
            Self::Holm => "Holm",
        }
    }

    fn claims(self, estimates: &[RatioEstimate], floors: &[Interval]) -> Vec<bool> {
        let p: Vec<f64> = estimates.iter().map(|estimate| estimate.p_value).collect();
        let at =
            |rate: f64| adjusted_p_values(&p).into_iter().map(|p| p <= rate).collect::<Vec<_>>();
        let unless = |in_noise: fn(&RatioEstimate, Interval) -> bool| {
            let pairs = estimates.iter().zip(floors);
            let in_noise =
                pairs.map(|(estimate, floor)| in_noise(estimate, floor.symmetric_about_one()));
            at(RATE)
                .into_iter()
                .zip(in_noise)
                .map(|(claimed, in_noise)| claimed && !in_noise)
                .collect()
        };
        match self {
            Self::Plain => p.iter().map(|&p| p <= RATE).collect(),
            Self::BenjaminiHochberg => at(RATE),
            Self::IntervalNotInFloor => unless(|it, floor| it.interval().lies_within(&floor)),
            Self::EstimateNotInFloor => unless(|it, floor| floor.contains(it.estimate)),
            Self::IntervalOutsideFloor => {
                unless(|it, floor| it.low <= floor.high && it.high >= floor.low)
            }
            Self::BenjaminiYekutieli => {
                at(RATE / (1..=p.len()).map(|rank| 1.0 / rank as f64).sum::<f64>())
            }
            Self::Holm => holm(&p),
        }
    }
}

fn holm(p: &[f64]) -> Vec<bool> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let mut claimed = vec![false; p.len()];
    for (rank, &index) in order.iter().enumerate() {
        if p[index] > RATE / (p.len() - rank) as f64 {
            break;
        }
        claimed[index] = true;
    }
    claimed
}

/// Sums over trials.
#[derive(Clone, Copy, Default)]
struct Score {
    false_share: f64,
    any_false: f64,
    false_claims: f64,
    found: f64,
}

pub(crate) fn print(random: &mut Random) {
    println!("\n## Rules for {COMPARISONS} comparisons, {BLOCKS} blocks\n");
    println!(
        "{WORKLOADS} workloads; the {BACKENDS} backends of a workload share the launches of its control, and its twin"
    );
    println!(
        "gives the floor. Mean of {TRIALS} reports per row; \"sd\" is that of the log ratio of two launches.\n"
    );
    println!(
        "| scene | rule | false share of claims | any false claim | equal pairs claimed | differences found |"
    );
    println!("|---|---|--:|--:|--:|--:|");
    let scene = |name, sd, differ, effect, bias| Scene { name, sd, differ, effect, bias };
    let scenes = [
        scene("half differ by 2 %, sd 2.0 %", 0.02, Differ::Half, 1.02, 1.0),
        scene("half differ by 2 %, sd 2.5 %", 0.025, Differ::Half, 1.02, 1.0),
        scene("half differ by 2 %, sd 3.0 %", 0.03, Differ::Half, 1.02, 1.0),
        scene("half differ by 1 %, sd 2.0 %", 0.02, Differ::Half, 1.01, 1.0),
        scene("1 of 7 differs by 2 %, sd 2.5 %", 0.025, Differ::One, 1.02, 1.0),
        scene("none differs, sd 2.5 %", 0.025, Differ::None, 1.0, 1.0),
        scene("none differs, sd 2.5 %, bias 1 %", 0.025, Differ::None, 1.0, 1.01),
        scene("none differs, sd 2.5 %, bias 2 %", 0.025, Differ::None, 1.0, 1.02),
    ];
    for scene in scenes {
        let mut scores = [Score::default(); Rule::ALL.len()];
        for _ in 0..TRIALS {
            trial(&scene, random, &mut scores);
        }
        for (rule, score) in Rule::ALL.iter().zip(scores) {
            row(&scene, rule.name(), score);
        }
    }
}

fn row(scene: &Scene, rule: &str, score: Score) {
    let percent = |sum: f64| format!("{:.1} %", 100.0 * sum / TRIALS as f64);
    let found = if scene.differ == Differ::None { "-".to_owned() } else { percent(score.found) };
    let (share, any, claimed) =
        (percent(score.false_share), percent(score.any_false), percent(score.false_claims));
    println!("| {} | {rule} | {share} | {any} | {claimed} | {found} |", scene.name);
}

fn trial(scene: &Scene, random: &mut Random, scores: &mut [Score]) {
    let (mut estimates, mut floors, mut real) = (Vec::new(), Vec::new(), Vec::new());
    for workload in 0..WORKLOADS {
        let control = launches(scene, 1.0, random);
        let twin = compare(&launches(scene, scene.bias, random), &control);
        let differing = match scene.differ {
            Differ::None => 0,
            Differ::One => 1,
            Differ::Half => 3 + workload % 2,
        };
        for backend in 0..BACKENDS {
            let factor = if backend < differing { scene.effect } else { 1.0 };
            estimates.push(compare(&launches(scene, factor * scene.bias, random), &control));
            floors.push(twin.interval());
            real.push(backend < differing);
        }
    }
    for (rule, score) in Rule::ALL.iter().zip(scores) {
        count(&rule.claims(&estimates, &floors), &real, score);
    }
}

fn count(claimed: &[bool], real: &[bool], score: &mut Score) {
    let claims = claimed.iter().filter(|&&it| it).count();
    let right = claimed.iter().zip(real).filter(|&(&claimed, &real)| claimed && real).count();
    let differing = real.iter().filter(|&&it| it).count();
    let wrong = (claims - right) as f64;
    score.false_share += wrong / claims.max(1) as f64;
    score.any_false += f64::from(u8::from(claims > right));
    score.false_claims += wrong / (real.len() - differing) as f64;
    score.found += right as f64 / differing.max(1) as f64;
}

fn launches(scene: &Scene, factor: f64, random: &mut Random) -> Vec<f64> {
    let sd = scene.sd * std::f64::consts::FRAC_1_SQRT_2;
    (0..BLOCKS).map(|_| factor * (sd * random.normal()).exp()).collect()
}

fn compare(numerator: &[f64], denominator: &[f64]) -> RatioEstimate {
    RatioEstimate::from_pairs(numerator, denominator, 1.0 - RATE).expect("enough blocks")
}
