//! The progress line: on a terminal a line that renews itself, nothing elsewhere.

use std::cell::RefCell;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sweepnet_space::Progress;

use crate::quantity::{bytes, duration, grouped, rate};

/// Runs shorter than this show nothing.
const PATIENCE: Duration = Duration::from_millis(500);

/// Shows how far a search is.
pub struct ProgressLine {
    bar: Option<ProgressBar>,
    start: Instant,
    last: RefCell<Option<(Instant, u64, f64)>>,
}

impl ProgressLine {
    /// A line on standard error if that is a terminal and the user wants it.
    pub fn new(quiet: bool) -> Self {
        let wanted = !quiet && std::io::stderr().is_terminal();
        let bar = wanted.then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5));
            bar.set_style(ProgressStyle::with_template("{wide_msg}").expect("the template is right"));
            bar
        });
        Self { bar, start: Instant::now(), last: RefCell::new(None) }
    }

    /// Shows where the search is.
    pub fn show(&self, at: Progress, memory: u64) {
        let Some(bar) = &self.bar else { return };
        let now = Instant::now();
        if now.duration_since(self.start) < PATIENCE {
            return;
        }
        let rate = self.rate(now, at.states);
        if let Some(sweep) = at.sweep {
            bar.set_message(format!(
                "sweep {}  progress {}  {} explored  {} kept  {} dropped  {}  {} of {}  {}",
                sweep.sweep,
                grouped(sweep.value),
                grouped(at.explored),
                grouped(sweep.kept),
                grouped(sweep.dropped),
                self::rate(rate),
                bytes(at.memory),
                bytes(memory),
                duration(now.duration_since(self.start)),
            ));
            bar.tick();
            return;
        }
        bar.set_message(format!(
            "{} states  {} to expand  {} arcs  depth {}  {}  {} of {}  {}",
            grouped(at.states),
            grouped(at.states - at.explored.min(at.states)),
            grouped(at.arcs),
            grouped(at.depth),
            self::rate(rate),
            bytes(at.memory),
            bytes(memory),
            duration(now.duration_since(self.start)),
        ));
        bar.tick();
    }

    /// States per second lately: the rate now matters, not the average since the start.
    fn rate(&self, now: Instant, states: u64) -> f64 {
        let mut last = self.last.borrow_mut();
        let (then, before, rate) = last.unwrap_or((self.start, 0, 0.0));
        let seconds = now.duration_since(then).as_secs_f64();
        if seconds < 0.5 {
            return rate;
        }
        let rate = states.saturating_sub(before) as f64 / seconds;
        *last = Some((now, states, rate));
        rate
    }

    /// Takes the line away.
    pub fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
