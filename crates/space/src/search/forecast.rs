//! How many states there will be.
//!
//! The levels of most state spaces grow and shrink like a bell: the logarithm of their sizes is about a parabola. From
//! three points of it while it still rises follow its curvature δ and its slope g at the present level, the peak is
//! exp(g²/2δ) times as large as this level, and all levels together are √(2π/δ) times the peak. It is only a guess:
//! nothing but the choice of a set hangs on it.

/// Looks at levels as they come.
#[derive(Clone, Debug, Default)]
pub struct Forecast {
    /// Natural logarithms of the levels' sizes.
    sizes: Vec<f32>,
}

/// The first levels say nothing.
const FEWEST_LEVELS: usize = 9;

/// The most that a forecast dares to say, in multiples of the states found.
const MOST: f64 = 64.0;

/// Part of what the bell promises that is believed.
const BELIEVED: f64 = 0.6;

impl Forecast {
    /// A level of this size begins.
    pub fn level(&mut self, size: u64) {
        // Very long searches are no bells; nobody needs all their levels.
        if self.sizes.len() < 1 << 16 {
            self.sizes.push((size.max(1) as f32).ln());
        }
    }

    /// Whether levels still become larger.
    pub fn is_rising(&self) -> bool {
        let last = self.sizes.len();
        let step = (last / 6).max(3);
        last <= step || self.sizes[last - 1] > self.sizes[last - 1 - step]
    }

    /// How many states there will be, most likely at least, if so many are found.
    pub fn states(&self, found: u64) -> u64 {
        let last = self.sizes.len();
        if !(FEWEST_LEVELS..1 << 16).contains(&last) {
            return found;
        }
        let step = (last / 6).max(3);
        let at = |back: usize| f64::from(self.sizes[last - 1 - back]);
        let (late, early) = ((at(0) - at(step)) / step as f64, (at(step) - at(2 * step)) / step as f64);
        let curvature = (early - late) / step as f64;
        let slope = late - curvature * step as f64 / 2.0;
        if slope <= 0.0 || curvature <= 0.0 {
            return found;
        }
        let peak = at(0) + slope * slope / (2.0 * curvature);
        let all = (peak + (std::f64::consts::TAU / curvature).ln() / 2.0).exp() * BELIEVED;
        all.clamp(found as f64, found as f64 * MOST) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_rise_until_the_peak() {
        let mut forecast = Forecast::default();
        let size = |level: i32| 1 << (30 - (level - 30).abs());
        for level in 0..60 {
            forecast.level(size(level));
            assert!(forecast.is_rising() || level > 30, "{level}");
            assert!(!forecast.is_rising() || level < 37, "{level}");
        }
    }

    #[test]
    fn a_bell_is_recognised_before_its_peak() {
        // 200 levels of a bell with 10^7 states.
        let size = |level: f64| (1e7 / 30.0 / 2.507 * (-((level - 100.0) / 30.0).powi(2) / 2.0).exp()) as u64;
        let mut forecast = Forecast::default();
        let mut found = 0;
        for level in 0..200 {
            found += size(f64::from(level));
            forecast.level(size(f64::from(level)));
            let expected = forecast.states(found);
            assert!(expected >= found && expected < 12_000_000);
            if (60..95).contains(&level) {
                assert!(expected > 4_000_000, "level {level}: {expected}");
            }
        }
    }

    #[test]
    fn nothing_is_promised_of_levels_that_stay_or_shrink() {
        let mut forecast = Forecast::default();
        for level in 0..100 {
            forecast.level(1_000 - 5 * level);
            assert_eq!(forecast.states(5_000), 5_000);
        }
    }
}
