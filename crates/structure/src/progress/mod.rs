//! Weights of places that make good measures of progress for a sweep.
//!
//! The sum of the tokens, each with the weight of its place, is changed by each transition t by a constant w·C(t): t
//! advances, keeps or regresses. A sweep wants few steps that regress, because each may explore states again, and
//! many different values, because states of one value are in memory together. Where transitions can repeat, that is
//! on every T-invariant, the changes add up to nothing: there, some must regress if any is to advance, and it should
//! be those that seldom fire.
//!
//! [`independent_effects`] is Schmidt's way (Karsten Schmidt, *Automated generation of a progress measure for the
//! sweep-line method*, 2004): all of a largest set of linearly independent effects advance by one.
//! [`fewest_regressing`] chooses which transitions regress, by linear programs. [`distances`] looks at the graph only,
//! and takes linear time. None of them can be wrong, just bad: [`Effects`] tells exactly what each transition does.

mod cover;
mod distances;
mod effects;
mod independent;
mod program;
mod rounding;

pub use cover::fewest_regressing;
pub use distances::distances;
pub use effects::Effects;
pub use independent::independent_effects;

/// A weight for each place: small integers without a common divisor, not all 0.
pub type Weights = Vec<i64>;

/// Divides by what divides all; nothing if they are all 0 or one is too large.
fn primitive(weights: &[i128]) -> Option<Weights> {
    let divisor =
        weights.iter().fold(0, |divisor, weight| crate::entries::gcd(divisor, weight.unsigned_abs()));
    let divisor = i128::try_from(divisor).ok().filter(|divisor| *divisor > 0)?;
    weights.iter().map(|weight| small(weight / divisor)).collect()
}

/// A weight that is not so large that sums over markings are likely to be.
fn small(weight: i128) -> Option<i64> {
    i64::try_from(weight).ok().filter(|weight| weight.unsigned_abs() <= LARGEST)
}

/// The largest weight.
const LARGEST: u64 = 1 << 40;
