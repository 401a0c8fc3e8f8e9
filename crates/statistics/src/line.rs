//! A straight line through what a transaction costs by its number of puts.

/// A part per transaction and a part per put, in the unit of the points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CostLine {
    /// What a transaction costs whatever is in it: the intercept.
    pub per_transaction: f64,
    /// What every put adds: the slope.
    pub per_put: f64,
    /// How far the farthest point is off the line.
    pub off: f64,
}

impl CostLine {
    /// The line of least squares through `points`, each a number of puts and a cost; `None` without
    /// two different numbers of puts.
    ///
    /// ```
    /// use statistics::CostLine;
    /// let line = CostLine::through(&[(1.0, 84.0), (10.0, 120.0), (100.0, 480.0)]).unwrap();
    /// assert!((line.per_transaction - 80.0).abs() < 1e-9 && (line.per_put - 4.0).abs() < 1e-9);
    /// ```
    #[must_use]
    pub fn through(points: &[(f64, f64)]) -> Option<Self> {
        let count = points.len() as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
        let (puts, cost) = (mean(|it| it.0), mean(|it| it.1));
        let spread: f64 = points.iter().map(|it| (it.0 - puts).powi(2)).sum();
        if points.is_empty() || spread <= 0.0 {
            return None;
        }
        let together: f64 = points.iter().map(|it| (it.0 - puts) * (it.1 - cost)).sum();
        let per_put = together / spread;
        let per_transaction = cost - per_put * puts;
        let off = |it: &(f64, f64)| (it.1 - per_transaction - per_put * it.0).abs();
        let off = points.iter().map(off).fold(0.0, f64::max);
        Some(Self { per_transaction, per_put, off })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_off_the_line_shows() {
        let line = CostLine::through(&[(0.0, 0.0), (1.0, 3.0), (2.0, 0.0)]).unwrap();
        assert!((line.per_put).abs() < 1e-9 && (line.per_transaction - 1.0).abs() < 1e-9);
        assert!((line.off - 2.0).abs() < 1e-9);
    }

    #[test]
    fn one_batch_size_makes_no_line() {
        assert_eq!(CostLine::through(&[]), None);
        assert_eq!(CostLine::through(&[(10.0, 1.0), (10.0, 2.0)]), None);
    }
}
