//! What is one thing where one predicate holds, and another elsewhere.

use crate::Predicate;

/// Alternatives with the predicates under which they count; exactly one of the predicates holds in each marking.
#[derive(Clone, Debug)]
pub(super) struct Cases<T>(pub(super) Vec<(Predicate, T)>);

/// More alternatives than this are too many.
const MOST: usize = 1_000;

impl<T> Cases<T> {
    /// The same everywhere.
    pub(super) fn always(it: T) -> Self {
        Self(vec![(Predicate::True, it)])
    }

    /// What it is, if it is the same everywhere.
    pub(super) fn only(mut self) -> Option<T> {
        if self.0.len() == 1 { self.0.pop().map(|(_, it)| it) } else { None }
    }

    /// One thing or another, as a predicate says; nothing if there are too many.
    pub(super) fn choice(condition: Predicate, then: Self, other: Self) -> Option<Self> {
        match condition {
            Predicate::True => return Some(then),
            Predicate::False => return Some(other),
            _ => {}
        }
        let under = |condition: Predicate, cases: Self| {
            let both = move |(case, it)| (both(condition.clone(), case), it);
            cases.0.into_iter().map(both).collect::<Vec<_>>()
        };
        let mut cases = under(condition.clone(), then);
        cases.extend(under(!condition, other));
        (cases.len() <= MOST).then_some(Self(cases))
    }

    /// Something made of both; an error of making it, or nothing if there are too many.
    pub(super) fn combine<U, V, E>(
        &self,
        other: &Cases<U>,
        mut make: impl FnMut(&T, &U) -> Result<V, E>,
    ) -> Option<Result<Cases<V>, E>> {
        if self.0.len() * other.0.len() > MOST {
            return None;
        }
        let mut cases = Vec::with_capacity(self.0.len() * other.0.len());
        for (left, a) in &self.0 {
            for (right, b) in &other.0 {
                match make(a, b) {
                    Ok(made) => cases.push((both(left.clone(), right.clone()), made)),
                    Err(error) => return Some(Err(error)),
                }
            }
        }
        Some(Ok(Cases(cases)))
    }
}

fn both(left: Predicate, right: Predicate) -> Predicate {
    match (left, right) {
        (Predicate::True, other) | (other, Predicate::True) => other,
        (left, right) => Predicate::and(vec![left, right]),
    }
}
