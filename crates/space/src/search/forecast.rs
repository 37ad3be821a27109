//! How many states there will be.
//!
//! The levels of most state spaces grow and shrink like a bell: the logarithm of their sizes is about a parabola. The one
//! that fits the last third of them best has a curvature δ and, at the present level, a slope g. With x = g/√δ the levels
//! from here on are together (√2π·exp(x²/2) - M(x))/√δ times as large as this one while they rise, and M(-x)/√δ times
//! once they fall, where M is Mills' ratio of the normal distribution. It is only a guess: nothing but the choice of a set
//! and of when to think about the partition hangs on it.

/// Looks at levels as they come.
#[derive(Clone, Debug, Default)]
pub struct Forecast {
    /// Natural logarithms of the levels' sizes.
    sizes: Vec<f32>,
}

/// Levels that are compared one by one; later ones go up and down.
const FEW_LEVELS: usize = 8;

/// Fewer levels say nothing.
const FEWEST_LEVELS: usize = 6;

/// The levels a parabola is fitted to: one part in so many of all, no fewer than [`FEWEST_LEVELS`], and not all of them
/// where that would be more than so many.
const LAST: usize = 3;
const MOST_POINTS: usize = 64;

/// The most that a forecast dares to say, in multiples of the states found; and what it says where there is no end to be
/// seen.
const MOST: f64 = 16.0;
const NO_END: f64 = 4.0;

/// While levels rise there will be at least so many times the states.
const RISING: f64 = 1.5;

/// Part of what the bell promises that is believed.
const BELIEVED: f64 = 0.8;

impl Forecast {
    /// A level of this size begins.
    pub fn level(&mut self, size: u64) {
        // Very long searches are no bells; nobody needs all their levels.
        if self.sizes.len() < 1 << 16 {
            self.sizes.push((size.max(1) as f32).ln());
        }
    }

    /// Whether levels still become larger; the next one has so many states, if that is known.
    pub fn is_rising(&self, next: Option<u64>) -> bool {
        let levels = self.sizes.len() + usize::from(next.is_some());
        let step = (levels / 6).max(if levels <= FEW_LEVELS { 1 } else { 3 });
        if levels <= step {
            return true;
        }
        let next = next.map_or(0.0, |size| (size.max(1) as f32).ln());
        let size = |level: usize| self.sizes.get(level).copied().unwrap_or(next);
        size(levels - 1) > size(levels - 1 - step)
    }

    /// How many states there will be, most likely at least, if so many are found.
    pub fn states(&self, found: u64) -> u64 {
        if !(FEWEST_LEVELS..1 << 16).contains(&self.sizes.len()) {
            return found;
        }
        let (slope, curvature) = self.trend();
        let deviations = slope / curvature.max(f64::MIN_POSITIVE).sqrt();
        let (rest, least) = match (curvature > 0.0, slope > 0.0) {
            (true, true) => {
                let bell = std::f64::consts::TAU.sqrt() * (deviations * deviations / 2.0).exp();
                ((bell - mills(deviations)) / curvature.sqrt(), RISING)
            }
            (true, false) => (mills(-deviations) / curvature.sqrt(), 1.0),
            (false, true) => (0.0, NO_END),
            // Each level is by a part smaller than the last.
            (false, false) => (1.0 / (-slope).max(f64::MIN_POSITIVE), 1.0),
        };
        let last = self.sizes.last().map_or(0.0, |size| f64::from(*size).exp());
        let found = found as f64;
        (found + rest * last * BELIEVED).clamp(found * least, found * MOST) as u64
    }

    /// Slope and curvature, downwards, of the parabola through the last levels, at the last of them.
    fn trend(&self) -> (f64, f64) {
        let levels = (self.sizes.len() / LAST).max(FEWEST_LEVELS);
        let step = levels.div_ceil(MOST_POINTS);
        let points = levels / step;
        // Counted from their middle, positions and their squares less a constant are orthogonal.
        let middle = (points - 1) as f64 / 2.0;
        let squares = (points * points - 1) as f64 / 12.0;
        let (mut line, mut bend) = ([0.0; 2], [0.0; 2]);
        for (at, size) in self.sizes.iter().rev().step_by(step).take(points).enumerate() {
            let position = middle - at as f64;
            let square = position * position - squares;
            for (sums, base) in [(&mut line, position), (&mut bend, square)] {
                sums[0] += base * f64::from(*size);
                sums[1] += base * base;
            }
        }
        let (line, bend) = (line[0] / line[1], bend[0] / bend[1]);
        let step = step as f64;
        ((line + 2.0 * bend * middle) / step, -2.0 * bend / (step * step))
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
            assert!(forecast.is_rising(None) || level > 30, "{level}");
            assert!(!forecast.is_rising(None) || level < 37, "{level}");
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
            assert!(expected >= found && expected < 12_000_000, "level {level}: {expected}");
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
