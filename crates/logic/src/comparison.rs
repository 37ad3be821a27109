//! Comparisons of expressions.

use std::cmp::Ordering;

use crate::expression::Expression;
use crate::view::{EvalError, View};

/// How two integers relate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

impl Relation {
    /// Whether two numbers so ordered are in the relation.
    #[inline]
    pub fn admits(self, ordering: Ordering) -> bool {
        match self {
            Self::Equal => ordering.is_eq(),
            Self::NotEqual => ordering.is_ne(),
            Self::Less => ordering.is_lt(),
            Self::AtMost => ordering.is_le(),
            Self::Greater => ordering.is_gt(),
            Self::AtLeast => ordering.is_ge(),
        }
    }

    /// The relation that holds when this one does not.
    pub fn negated(self) -> Self {
        match self {
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
            Self::Less => Self::AtLeast,
            Self::AtMost => Self::Greater,
            Self::Greater => Self::AtMost,
            Self::AtLeast => Self::Less,
        }
    }

    /// The relation with left and right exchanged.
    pub fn flipped(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::AtMost => Self::AtLeast,
            Self::Greater => Self::Less,
            Self::AtLeast => Self::AtMost,
            same => same,
        }
    }

    /// As it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::Greater => ">",
            Self::AtLeast => ">=",
        }
    }
}

/// `expression ⋈ bound` in normal form: all that depends on the marking is on the left, the number on the right,
/// and the first coefficient is positive. `1 <= #p` and `#p >= 1` are the same comparison.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Comparison {
    expression: Expression,
    relation: Relation,
    bound: i128,
}

impl Comparison {
    /// Compares two expressions. Fails if a number becomes too large on its way to the other side.
    pub fn new(left: Expression, relation: Relation, right: Expression) -> Result<Self, EvalError> {
        let (difference, constant) = Expression::sum([left, right.negate()])?.split();
        Ok(match difference.leading() {
            Some(first) if first < 0 => {
                Self { expression: difference.negate(), relation: relation.flipped(), bound: constant }
            }
            _ => Self { expression: difference, relation, bound: -constant },
        })
    }

    /// The left side; its constant is 0.
    pub fn expression(&self) -> &Expression {
        &self.expression
    }

    /// The relation.
    pub fn relation(&self) -> Relation {
        self.relation
    }

    /// The right side.
    pub fn bound(&self) -> i128 {
        self.bound
    }

    /// The comparison that holds when this one does not.
    pub fn negated(&self) -> Self {
        Self { relation: self.relation.negated(), ..self.clone() }
    }

    /// Whether it holds in a marking.
    #[inline]
    pub fn eval<V: View + ?Sized>(&self, view: &V) -> Result<bool, EvalError> {
        Ok(self.relation.admits(self.expression.eval(view)?.cmp(&self.bound)))
    }

    /// The verdict for all values between `low` and `high`, where there is one. A side without a bound is `None`.
    pub fn decide(&self, low: Option<i128>, high: Option<i128>) -> Option<bool> {
        let all = |relation: Relation| match relation {
            Relation::Less => high.is_some_and(|h| h < self.bound),
            Relation::AtMost => high.is_some_and(|h| h <= self.bound),
            Relation::Greater => low.is_some_and(|l| l > self.bound),
            Relation::AtLeast => low.is_some_and(|l| l >= self.bound),
            Relation::Equal => low == Some(self.bound) && high == Some(self.bound),
            Relation::NotEqual => low.is_some_and(|l| l > self.bound) || high.is_some_and(|h| h < self.bound),
        };
        if all(self.relation) {
            Some(true)
        } else if all(self.relation.negated()) {
            Some(false)
        } else {
            None
        }
    }
}
