//! What a coloured model promises of every marking, as properties of its unfolding.

use std::ops::RangeInclusive;

use sweepnet_colour::{Bag, ColouredNet, Patience, Unfolding};

use super::Untranslated;
use super::cases::Cases;
use super::translate::{Translator, alternatives, compare_counts};
use crate::{Comparison, Expression, Predicate, Property, Question, Relation};

/// What is promised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Promise {
    /// A coloured place has a number of tokens that its capacity allows.
    Capacity(usize),
    /// A derived place is what its definition says.
    Derived(usize),
    /// Every term has a value.
    Values,
    /// Nothing happens outside of the slice. That is no promise of the model's, but an assumption.
    Slice,
}

/// A promise, as a property.
#[derive(Clone, Debug)]
pub struct Condition {
    /// What is promised.
    pub promise: Promise,
    /// The property that must hold.
    pub property: Property,
}

/// All promises of a net.
pub fn of(
    net: &ColouredNet,
    unfolding: &Unfolding,
    patience: Patience<'_>,
) -> Result<Vec<Condition>, Untranslated> {
    let mut conditions = Vec::new();
    let mut add = |promise, name: String, question| {
        let property = Property { text: name.clone(), name, question };
        conditions.push(Condition { promise, property });
    };
    for (p, place) in net.places.iter().enumerate() {
        if let Some(capacity) = &place.capacity {
            let mut translator = Translator::of_definitions(net, unfolding, patience);
            let mut cases = Vec::new();
            for (case, counts) in translator.bag(&Bag::Place(p), &mut [])?.0 {
                let tokens = Expression::sum(counts.into_values())?;
                let allowed = capacity.iter().map(|range| within(&tokens, range));
                cases.push((case, Predicate::or(allowed.collect::<Result<_, _>>()?)));
            }
            let allowed = alternatives(Cases(cases));
            add(Promise::Capacity(p), format!("capacity of {}", place.id), Question::Invariant(allowed));
        }
        if let Some(definition) = &place.derived {
            let mut translator = Translator::of_definitions(net, unfolding, patience);
            let (defined, required) = translator.definition(definition)?;
            let cases = if net.is_only_defined(p) {
                // What it has follows from its definition, if that is a multiset.
                let nothing = Cases::always(Default::default());
                defined.combine(&nothing, |a, b| compare_counts(a, b, Relation::AtLeast))
            } else {
                let there = translator.bag(&Bag::Place(p), &mut [])?;
                there.combine(&defined, |a, b| compare_counts(a, b, Relation::Equal))
            };
            let right = alternatives(cases.ok_or(Untranslated::TooLarge)??);
            let right = Question::Invariant(Predicate::and(vec![right, required]));
            add(Promise::Derived(p), format!("definition of {}", place.id), right);
        }
    }
    if let Some(elsewhere) = unfolding.elsewhere {
        let nothing = Expression::constant(0)?;
        let inside = Comparison::new(Expression::place(elsewhere), Relation::Equal, nothing)?;
        add(Promise::Slice, "all that happens".to_owned(), Question::Invariant(inside.into()));
    }
    if !unfolding.faults.is_empty() {
        let faulty = Predicate::any_enabled(unfolding.faults.iter().map(|(t, _)| *t).collect::<Vec<_>>());
        add(Promise::Values, "values within their types".to_owned(), Question::Unreachable(faulty));
    }
    Ok(conditions)
}

fn within(tokens: &Expression, range: &RangeInclusive<u64>) -> Result<Predicate, Untranslated> {
    let compare = |relation, bound: u64| {
        let bound = Expression::constant(i128::from(bound))?;
        Ok::<_, Untranslated>(Predicate::from(Comparison::new(tokens.clone(), relation, bound)?))
    };
    let low = compare(Relation::AtLeast, *range.start())?;
    let high = compare(Relation::AtMost, *range.end())?;
    Ok(Predicate::and(vec![low, high]))
}
