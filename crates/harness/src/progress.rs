//! One line on the terminal that says how far a run is and how long it will still take. Drawn only
//! when asked, between measurements, and only where standard error is a terminal that can take a line back.

use std::ffi::OsStr;
use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use report::units;

const USUAL_WIDTH: usize = 80;
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
        Self {
            start: Instant::now(),
            drawn: None,
            terminal: can_draw(std::env::var_os("TERM").as_deref())
                && std::io::stderr().is_terminal(),
        }
    }

    pub fn show(&mut self, done: usize, all: usize, what: &str) {
        let now = Instant::now();
        let due = self.drawn.is_none_or(|drawn| now - drawn >= INTERVAL);
        if !self.terminal || !due || now - self.start < QUIET {
            return;
        }
        self.drawn = Some(now);
        let line = line(now - self.start, done, all, what, width());
        // Progress that cannot be shown is no reason to stop.
        let _ = write!(std::io::stderr(), "\r\x1b[K{line}");
    }

    pub fn clear(&mut self) {
        if self.drawn.take().is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

/// Whether a terminal of this kind erases lines. Windows does not name kinds.
fn can_draw(term: Option<&OsStr>) -> bool {
    term.map_or(cfg!(windows), |kind| !kind.is_empty() && kind != "dumb")
}

/// How many characters a line has room for, the last column left out: terminals wrap there.
#[cfg(unix)]
fn width() -> usize {
    let size = rustix::termios::tcgetwinsize(std::io::stderr()).ok();
    let columns = size.map(|size| usize::from(size.ws_col)).filter(|columns| *columns > 0);
    columns.unwrap_or(USUAL_WIDTH).saturating_sub(1)
}

#[cfg(not(unix))]
fn width() -> usize {
    USUAL_WIDTH - 1
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

/// The text, of at most `width` characters: a longer one could not be taken back.
fn line(elapsed: Duration, done: usize, all: usize, what: &str, width: usize) -> String {
    let part = done as f64 / all.max(1) as f64;
    let left = if done == 0 {
        String::new()
    } else {
        format!(", {} left", units::duration(elapsed.mul_f64((1.0 - part).max(0.0) / part)))
    };
    let text = format!("{:3.0} % of {all}{left}: {what}", part * 100.0);
    text.chars().take(width).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_how_long_it_takes() {
        let minute = Duration::from_secs(60);
        assert_eq!(line(minute, 25, 100, "heed", 79), " 25 % of 100, 3 min 0 s left: heed");
        assert_eq!(line(minute, 0, 0, "heed", 79), "  0 % of 0: heed");
        for width in [0, 20, 79] {
            assert_eq!(line(minute, 1, 2, &"x".repeat(200), width).chars().count(), width);
        }
    }

    #[test]
    fn nothing_is_drawn_where_it_would_stay() {
        for (term, draws) in [(Some("xterm"), true), (Some("dumb"), false), (Some(""), false)] {
            assert_eq!(can_draw(term.map(OsStr::new)), draws, "{term:?}");
        }
        assert_eq!(can_draw(None), cfg!(windows));
    }
}
