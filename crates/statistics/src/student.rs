//! Student's t distribution for whole degrees of freedom.

use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};

use super::StatsError;
use super::checks::{error_rate, real};

/// The `t` with P(|T| <= t) = `confidence` for `degrees` degrees of freedom: an interval of that
/// confidence for the mean of normal values reaches `t` standard errors to either side.
///
/// With whole degrees of freedom the distribution function is a finite sum (M. Abramowitz, I. A.
/// Stegun, *Handbook of Mathematical Functions*, 1964, 26.7.3 and 26.7.4), which is inverted by
/// bisection. Tested against printed tables.
///
/// # Errors
/// [`StatsError::InvalidConfidence`] outside (0, 1), [`StatsError::Empty`] for 0 degrees.
///
/// ```
/// let t = statistics::student_t(0.95, 10)?;
/// assert!((t - 2.228).abs() < 0.0005);
/// # Ok::<(), statistics::StatsError>(())
/// ```
pub fn student_t(confidence: f64, degrees: usize) -> Result<f64, StatsError> {
    error_rate(confidence)?;
    if degrees == 0 {
        return Err(StatsError::Empty);
    }
    // theta = atan(t / sqrt(degrees)) maps every t to a bounded range
    let (mut low, mut high) = (0.0, FRAC_PI_2);
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            return Ok(middle.tan() * real(degrees).sqrt());
        }
        if within(middle, degrees) < confidence { low = middle } else { high = middle }
    }
}

/// P(|T| <= sqrt(degrees) * tan(theta)).
fn within(theta: f64, degrees: usize) -> f64 {
    let (sin, cos) = theta.sin_cos();
    let odd = degrees % 2 == 1;
    let mut term = if odd { cos } else { 1.0 };
    let mut sum = 0.0;
    for step in 1..=degrees / 2 {
        sum += term;
        // odd: 2/3, 4/5, 6/7 ...; even: 1/2, 3/4, 5/6 ...
        let top = real(if odd { 2 * step } else { 2 * step - 1 });
        term *= cos * cos * top / (top + 1.0);
    }
    if odd { FRAC_2_PI * (theta + sin * sum) } else { sin * sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns of the usual printed table (E. S. Pearson, H. O. Hartley, *Biometrika Tables for
    /// Statisticians* I, table 12): degrees, two-sided 95 %, 99 % and 99.9 %.
    const TABLE: [(usize, f64, f64, f64); 12] = [
        (1, 12.706, 63.657, 636.619),
        (2, 4.303, 9.925, 31.599),
        (3, 3.182, 5.841, 12.924),
        (4, 2.776, 4.604, 8.610),
        (5, 2.571, 4.032, 6.869),
        (9, 2.262, 3.250, 4.781),
        (10, 2.228, 3.169, 4.587),
        (19, 2.093, 2.861, 3.883),
        (29, 2.045, 2.756, 3.659),
        (30, 2.042, 2.750, 3.646),
        (60, 2.000, 2.660, 3.460),
        (120, 1.980, 2.617, 3.373),
    ];

    #[test]
    fn agrees_with_the_printed_table() {
        for (degrees, p95, p99, p999) in TABLE {
            for (confidence, printed) in [(0.95, p95), (0.99, p99), (0.999, p999)] {
                let t = student_t(confidence, degrees).unwrap();
                assert!(
                    (t - printed).abs() < 0.000_51,
                    "{degrees} degrees, {confidence}: {t} for {printed}"
                );
            }
        }
    }

    #[test]
    fn refuses_what_has_no_answer() {
        assert_eq!(student_t(0.95, 0), Err(StatsError::Empty));
        for confidence in [0.0, 1.0, -0.1, 1.5, f64::INFINITY] {
            assert_eq!(student_t(confidence, 5), Err(StatsError::InvalidConfidence(confidence)));
        }
        assert!(student_t(f64::NAN, 5).is_err());
    }
}
