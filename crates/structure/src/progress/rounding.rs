//! From numbers in floating point to small integers.

use super::{LARGEST, Weights, primitive};

/// Numbers below this are taken for 0.
const NOTHING: f64 = 1e-7;

/// How many exact candidates are judged.
const CANDIDATES: usize = 4;

/// Integers close to a multiple of these numbers: of a few candidates, the smallest integers first, the one that is
/// judged lowest. Where no multiple is close to integers, the nearest integers at several scales are candidates.
pub(super) fn best_integers(values: &[f64], judge: impl Fn(&[i64]) -> (f64, f64)) -> Option<Weights> {
    let sizes = || values.iter().map(|value| value.abs()).filter(|value| *value > NOTHING);
    let (least, most) = (sizes().fold(f64::INFINITY, f64::min), sizes().fold(0.0, f64::max));
    if !least.is_finite() || !most.is_finite() {
        return None;
    }
    let denominators = (1..=64).chain([72, 84, 90, 96, 120, 180, 210, 240, 360, 420, 720, 840, 2520, 5040]);
    let units = [1.0, least];
    let scales = denominators.flat_map(|d| units.map(|unit| f64::from(d) / unit));
    let is_close = |value: f64| (value - value.round()).abs() < 1e-6 * value.abs().max(1.0);
    let exact = scales.filter(|scale| sizes().all(|value| is_close(value * scale))).take(CANDIDATES);
    let rough = [10.0, 100.0, 1e4, 1e6].map(|largest| largest / most);
    let mut best: Option<((f64, f64), Weights)> = None;
    for scale in exact.chain(rough) {
        let Some(weights) = scaled(values, scale) else { continue };
        let verdict = judge(&weights);
        if best.as_ref().is_none_or(|(before, _)| is_better(verdict, *before)) {
            best = Some((verdict, weights));
        }
    }
    best.map(|(_, weights)| weights)
}

/// Better by more than an error of calculation.
fn is_better(new: (f64, f64), old: (f64, f64)) -> bool {
    let margin = 1e-9;
    new.0 < old.0 - margin || new.0 < old.0 + margin && new.1 < old.1 - margin
}

fn scaled(values: &[f64], scale: f64) -> Option<Weights> {
    let round = |value: &f64| {
        let rounded = if value.abs() > NOTHING { (value * scale).round() } else { 0.0 };
        (rounded.abs() <= LARGEST as f64).then_some(rounded as i128)
    };
    primitive(&values.iter().map(round).collect::<Option<Vec<i128>>>()?)
}
