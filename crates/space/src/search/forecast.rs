//! How many states there will be.
//!
//! The levels of most state spaces grow and shrink like a bell: the logarithm of their sizes is about a parabola. From
//! three points of it follow its curvature δ and its slope g at the present level. With x = g/√δ the levels from here on
//! are together (√2π·exp(x²/2) - M(x))/√δ times as large as this one while they rise, and M(-x)/√δ times once they fall,
//! where M is Mills' ratio of the normal distribution. It is only a guess: nothing but the choice of a set hangs on it.

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
        let deviations = slope / curvature.max(f64::MIN_POSITIVE).sqrt();
        let rest = match (curvature > 0.0, slope > 0.0) {
            (true, true) => {
                let bell = std::f64::consts::TAU.sqrt() * (deviations * deviations / 2.0).exp();
                (bell - mills(deviations)) / curvature.sqrt()
            }
            (true, false) => mills(-deviations) / curvature.sqrt(),
            // No bell: either there is no end to be seen, or each level is by a part smaller than the last.
            (false, true) => return found,
            (false, false) => 1.0 / (-slope).max(f64::MIN_POSITIVE),
        };
        let all = found as f64 + rest * at(0).exp() * BELIEVED;
        all.min(found as f64 * MOST) as u64
    }
}

/// Mills' ratio: how much of a normal distribution lies beyond so many deviations, over its density there. Within seven
/// hundredths.
fn mills(deviations: f64) -> f64 {
    2.0 / (deviations + (deviations * deviations + 8.0 / std::f64::consts::PI).sqrt())
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
    fn little_is_promised_of_levels_that_shrink() {
        let mut forecast = Forecast::default();
        let mut left: u64 = (0..100).map(|level| 1_000 - 5 * level).sum();
        for level in 0..100 {
            forecast.level(1_000 - 5 * level);
            left -= 1_000 - 5 * level;
            let promised = forecast.states(50_000) - 50_000;
            assert!(level < 20 || promised <= 2 * left + 50_000, "{level}: {promised}, {left}");
        }
    }

    #[test]
    fn mills_ratio_is_met() {
        for (deviations, expected) in
            [(0.0, 1.2533), (0.5, 0.8764), (1.0, 0.6557), (2.0, 0.4214), (4.0, 0.2366)]
        {
            assert!((mills(deviations) - expected).abs() < 0.07 * expected, "{deviations}");
        }
    }
}
