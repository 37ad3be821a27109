//! Linear expressions over token counts: `Σ cᵢ·#pᵢ + k`.
//!
//! Nearly everything people ask is linear, and everything that structure theory can prove (place invariants,
//! bounds from linear programs) is about linear expressions, so they have a normal form of their own: places in
//! order, each once, none with coefficient 0. Two linear expressions are the same function if and only if they
//! are equal.

use sweepnet_net::PlaceId;

use crate::view::{EvalError, View};

/// `Σ cᵢ·#pᵢ + k` in normal form. All numbers lie in `-(2^127 - 1) ..= 2^127 - 1`: without the lopsided smallest
/// `i128`, negation cannot fail and every number can be written down.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Linear {
    terms: Vec<(PlaceId, i128)>,
    constant: i128,
}

/// `n`, unless it is the one number that has no negative.
pub(crate) fn symmetric(n: Option<i128>) -> Result<i128, EvalError> {
    n.filter(|n| *n != i128::MIN).ok_or(EvalError::Overflow)
}

impl Linear {
    /// The sum of the terms, in any order and with repetitions, and a constant.
    pub fn new(mut terms: Vec<(PlaceId, i128)>, constant: i128) -> Result<Self, EvalError> {
        symmetric(Some(constant))?;
        terms.sort_by_key(|(place, _)| *place);
        let mut merged: Vec<(PlaceId, i128)> = Vec::with_capacity(terms.len());
        for (place, coefficient) in terms {
            match merged.last_mut() {
                Some((last, sum)) if *last == place => *sum = symmetric(sum.checked_add(coefficient))?,
                _ => merged.push((place, symmetric(Some(coefficient))?)),
            }
        }
        merged.retain(|(_, coefficient)| *coefficient != 0);
        Ok(Self { terms: merged, constant })
    }

    /// A number.
    pub fn constant(constant: i128) -> Result<Self, EvalError> {
        Self::new(Vec::new(), constant)
    }

    /// The tokens of one place.
    pub fn place(place: PlaceId) -> Self {
        Self { terms: vec![(place, 1)], constant: 0 }
    }

    /// The places with their coefficients: in order, each once, none 0.
    pub fn terms(&self) -> &[(PlaceId, i128)] {
        &self.terms
    }

    /// The part that does not depend on the marking.
    pub fn offset(&self) -> i128 {
        self.constant
    }

    /// The number it is, if it mentions no place.
    pub fn as_constant(&self) -> Option<i128> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// The terms alone, and the constant alone.
    pub fn split(self) -> (Self, i128) {
        (Self { terms: self.terms, constant: 0 }, self.constant)
    }

    /// `factor` times the expression.
    pub fn scale(&self, factor: i128) -> Result<Self, EvalError> {
        if factor == 0 {
            return Ok(Self::default());
        }
        let times = |n: i128| symmetric(n.checked_mul(factor));
        let terms = self.terms.iter().map(|(p, c)| Ok((*p, times(*c)?))).collect::<Result<_, _>>()?;
        Ok(Self { terms, constant: times(self.constant)? })
    }

    /// The value in a marking.
    #[inline]
    pub fn eval<V: View + ?Sized>(&self, view: &V) -> Result<i128, EvalError> {
        let mut sum = self.constant;
        for &(place, coefficient) in &self.terms {
            let tokens = i128::from(view.tokens(place));
            // Multiplying checked 128-bit numbers is a call; nearly all coefficients are 1.
            let term = if coefficient == 1 { Some(tokens) } else { coefficient.checked_mul(tokens) };
            sum = term.and_then(|term| sum.checked_add(term)).ok_or(EvalError::Overflow)?;
        }
        Ok(sum)
    }
}
