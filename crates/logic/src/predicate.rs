//! What can be true or false of one marking.

use std::sync::Arc;

use sweepnet_net::{Net, Place, PlaceId, TransitionId};

use crate::comparison::{Comparison, Relation};
use crate::expression::Expression;
use crate::view::{EvalError, View};

/// A predicate with its names resolved.
///
/// `a -> b` is kept as `not a or b` and `a <-> b` as `not (a xor b)`. `xor` is kept, because spelling it out
/// would double the formula with each nesting. `And`, `Or` and `Xor` hold at least two operands; build them with
/// [`and`](Self::and), [`or`](Self::or) and [`xor`](Self::xor), which see to that.
///
/// Chains may be of any length. Depth is limited by whoever reads predicates
/// ([`MAX_DEPTH`](crate::syntax::MAX_DEPTH)), so that walking one by recursion is safe.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Predicate {
    /// Holds always.
    True,
    /// Holds never.
    False,
    /// Holds where the other does not.
    Not(Box<Predicate>),
    /// All hold.
    And(Vec<Predicate>),
    /// Some hold.
    Or(Vec<Predicate>),
    /// An odd number of them holds.
    Xor(Vec<Predicate>),
    /// An inequality over token counts.
    Compare(Comparison),
    /// The transition is enabled.
    Enabled(TransitionId),
    /// Some of the transitions is enabled: at least two, such as the instances of a coloured transition. They are one
    /// list, however many formulas name it; build it with [`any_enabled`](Self::any_enabled).
    AnyEnabled(Arc<[TransitionId]>),
    /// No transition is enabled.
    Deadlock,
    /// The marking is the initial one.
    Initial,
}

impl From<bool> for Predicate {
    fn from(truth: bool) -> Self {
        if truth { Self::True } else { Self::False }
    }
}

impl From<Comparison> for Predicate {
    fn from(comparison: Comparison) -> Self {
        Self::Compare(comparison)
    }
}

impl std::ops::Not for Predicate {
    type Output = Self;

    fn not(self) -> Self {
        Self::Not(Box::new(self))
    }
}

impl Predicate {
    /// All of them hold; true if there are none.
    pub fn and(operands: Vec<Self>) -> Self {
        join(operands, Self::True, Self::And)
    }

    /// Some of them hold; false if there are none.
    pub fn or(operands: Vec<Self>) -> Self {
        join(operands, Self::False, Self::Or)
    }

    /// An odd number of them holds; false if there are none.
    pub fn xor(operands: Vec<Self>) -> Self {
        join(operands, Self::False, Self::Xor)
    }

    /// Some of the transitions is enabled.
    pub fn any_enabled(transitions: impl Into<Arc<[TransitionId]>>) -> Self {
        let transitions = transitions.into();
        match *transitions {
            [] => Self::False,
            [one] => Self::Enabled(one),
            _ => Self::AnyEnabled(transitions),
        }
    }

    /// Whether it holds in a marking. Operands are looked at from left to right, and only until the answer is
    /// known.
    pub fn eval<V: View + ?Sized>(&self, view: &V) -> Result<bool, EvalError> {
        Ok(match self {
            Self::True => true,
            Self::False => false,
            Self::Not(operand) => !operand.eval(view)?,
            Self::And(operands) => {
                for operand in operands {
                    if !operand.eval(view)? {
                        return Ok(false);
                    }
                }
                true
            }
            Self::Or(operands) => {
                for operand in operands {
                    if operand.eval(view)? {
                        return Ok(true);
                    }
                }
                false
            }
            Self::Xor(operands) => {
                let mut odd = false;
                for operand in operands {
                    odd ^= operand.eval(view)?;
                }
                odd
            }
            Self::Compare(comparison) => comparison.eval(view)?,
            Self::Enabled(transition) => view.is_enabled(*transition),
            Self::AnyEnabled(transitions) => view.any_enabled(transitions),
            Self::Deadlock => view.is_dead(),
            Self::Initial => view.is_initial(),
        })
    }

    /// The same, with `initial` spelled out as the number of tokens in each place.
    pub fn spelling_out_initial(&self, net: &Net) -> Self {
        let each = |operands: &[Self]| operands.iter().map(|it| it.spelling_out_initial(net)).collect();
        match self {
            Self::Not(operand) => !operand.spelling_out_initial(net),
            Self::And(operands) => Self::And(each(operands)),
            Self::Or(operands) => Self::Or(each(operands)),
            Self::Xor(operands) => Self::Xor(each(operands)),
            Self::Initial => {
                let as_at_first = |(at, place): (usize, &Place)| {
                    let tokens = Expression::constant(i128::from(place.initial));
                    let equal = tokens.and_then(|tokens| {
                        Comparison::new(Expression::place(PlaceId::new(at)), Relation::Equal, tokens)
                    });
                    equal.map_or(Self::False, Self::Compare)
                };
                Self::and(net.places().iter().enumerate().map(as_at_first).collect())
            }
            other => other.clone(),
        }
    }

    /// The places whose tokens it compares, in order, each once.
    pub fn places(&self) -> Vec<PlaceId> {
        let mut places = Vec::new();
        self.visit(&mut |atom| {
            if let Self::Compare(comparison) = atom {
                comparison.expression().collect_places(&mut places);
            }
        });
        places.sort();
        places.dedup();
        places
    }

    /// The transitions whose enabledness it asks for, in order, each once.
    pub fn transitions(&self) -> Vec<TransitionId> {
        let mut transitions = Vec::new();
        self.visit(&mut |atom| match atom {
            Self::Enabled(transition) => transitions.push(*transition),
            Self::AnyEnabled(all) => transitions.extend_from_slice(all),
            _ => {}
        });
        transitions.sort();
        transitions.dedup();
        transitions
    }

    /// Whether it has a value in every marking: no number can become too large.
    pub fn is_total(&self) -> bool {
        let mut total = true;
        self.visit(&mut |atom| {
            if let Self::Compare(comparison) = atom {
                total &= comparison.expression().is_total();
            }
        });
        total
    }

    /// Whether it depends on the marking being dead, which no set of places or transitions captures.
    pub fn mentions_deadlock(&self) -> bool {
        let mut found = false;
        self.visit(&mut |atom| found |= *atom == Self::Deadlock);
        found
    }

    /// Whether it depends on the marking being the initial one.
    pub fn mentions_initial(&self) -> bool {
        let mut found = false;
        self.visit(&mut |atom| found |= *atom == Self::Initial);
        found
    }

    /// Calls `see` for everything that is not a connective.
    fn visit(&self, see: &mut dyn FnMut(&Self)) {
        match self {
            Self::Not(operand) => operand.visit(see),
            Self::And(operands) | Self::Or(operands) | Self::Xor(operands) => {
                operands.iter().for_each(|operand| operand.visit(see));
            }
            atom => see(atom),
        }
    }
}

fn join(mut operands: Vec<Predicate>, none: Predicate, many: fn(Vec<Predicate>) -> Predicate) -> Predicate {
    match operands.len() {
        0 => none,
        1 => operands.remove(0),
        _ => many(operands),
    }
}
