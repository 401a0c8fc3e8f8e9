//! One line on the terminal that says how far a run is and how long it will still take. Drawn only
//! when asked, between measurements, and only where standard error is a terminal.

use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use report::units;

const QUIET: Duration = Duration::from_secs(2);
const INTERVAL: Duration = Duration::from_millis(200);

#[derive(Debug)]
pub struct Progress {
    start: Instant,
    drawn: Option<Instant>,
    terminal: bool,
}

impl Progress {
    pub fn new() -> Self {
        Self { start: Instant::now(), drawn: None, terminal: std::io::stderr().is_terminal() }
    }

    pub fn show(&mut self, done: usize, all: usize, what: &str) {
        let now = Instant::now();
        let due = self.drawn.is_none_or(|drawn| now - drawn >= INTERVAL);
        if !self.terminal || !due || now - self.start < QUIET {
            return;
        }
        self.drawn = Some(now);
        let line = line(now - self.start, done, all, what);
        // Progress that cannot be shown is no reason to stop.
        let _ = write!(std::io::stderr(), "\r\x1b[K{line}");
    }

    pub fn clear(&mut self) {
        if self.drawn.take().is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

impl Default for Progress {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

/// The text, short enough for a terminal of 80 columns.
fn line(elapsed: Duration, done: usize, all: usize, what: &str) -> String {
    const WIDTH: usize = 79;
    let part = done as f64 / all.max(1) as f64;
    let left = if done == 0 {
        String::new()
    } else {
        format!(", {} left", units::duration(elapsed.mul_f64((1.0 - part).max(0.0) / part)))
    };
    let text = format!("{:3.0} % of {all}{left}: {what}", part * 100.0);
    text.chars().take(WIDTH).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_how_long_it_takes() {
        let minute = Duration::from_secs(60);
        assert_eq!(line(minute, 25, 100, "heed"), " 25 % of 100, 3 min 0 s left: heed");
        assert_eq!(line(minute, 0, 0, "heed"), "  0 % of 0: heed");
        assert_eq!(line(minute, 1, 2, &"x".repeat(200)).chars().count(), 79);
    }
}
