//! Terms are of the sorts they say, which evaluation relies on.

mod expressions;
mod random;

use std::collections::HashMap;

use expressions::{DECLARATIONS, FORMS, LEAVES, TYPES, expression};
use sweepnet_colour::term::{Collection, Quantifier};
use sweepnet_colour::{Bag, ColouredNet, Node, Shape, Sort, Term, TypeId};
use sweepnet_language::{Question, read};

const BOOL: Sort = Sort::Of(TypeId::BOOL);

struct Rules<'n> {
    net: &'n ColouredNet,
    variables: HashMap<usize, Sort>,
}

impl Rules<'_> {
    fn shape(&self, sort: Sort) -> &Shape {
        match sort {
            Sort::Of(id) => self.net.types.shape(id),
            Sort::Int => panic!("an integer has no shape"),
        }
    }

    fn is(&mut self, term: &Term, sort: Sort) {
        assert_eq!(term.sort, sort, "{term:?}");
        self.term(term);
    }

    fn integer(&self, sort: Sort) {
        assert!(matches!(sort, Sort::Of(id) if self.net.types.is_integer(id)), "{sort:?}");
    }

    fn element(&self, sort: Sort) -> Sort {
        match self.shape(sort) {
            Shape::List { element, .. } | Shape::Set(element) | Shape::Array { element, .. } => {
                Sort::Of(*element)
            }
            other => panic!("{other:?} has no elements"),
        }
    }

    fn term(&mut self, term: &Term) {
        let sort = term.sort;
        match &term.node {
            Node::Integer(_) | Node::Clock => assert_eq!(sort, Sort::Int),
            Node::Constant(words) => match sort {
                Sort::Of(id) => {
                    assert_eq!(words.len(), self.net.types.width(id));
                    assert!(self.net.types.size(id).is_none_or(|size| words[0] < size));
                }
                Sort::Int => panic!("an integer as a constant"),
            },
            Node::Variable(slot) => assert_eq!(self.variables.get(slot), Some(&sort), "{term:?}"),
            Node::Widen(inner) => {
                assert_eq!(sort, Sort::Int);
                self.integer(inner.sort);
                self.term(inner);
            }
            Node::Narrow(inner) => {
                self.integer(sort);
                self.is(inner, Sort::Int);
            }
            Node::Convert(inner) => {
                assert_ne!(sort, inner.sort);
                self.term(inner);
            }
            Node::Arithmetic(_, left, right) => {
                assert_eq!(sort, Sort::Int);
                self.is(left, Sort::Int);
                self.is(right, Sort::Int);
            }
            Node::Compare(_, left, right) => {
                assert_eq!(sort, BOOL);
                self.term(left);
                self.is(right, left.sort);
            }
            Node::Not(inner) => self.is(inner, BOOL),
            Node::And(parts) | Node::Or(parts) => parts.iter().for_each(|part| self.is(part, BOOL)),
            Node::If(condition, yes, no) => {
                self.is(condition, BOOL);
                self.is(yes, sort);
                self.is(no, sort);
            }
            Node::Let(slot, value, body) => {
                self.term(value);
                self.bind(*slot, value.sort);
                self.is(body, sort);
            }
            Node::Struct(parts) => {
                let sorts: Vec<Sort> = match self.shape(sort) {
                    Shape::Struct(fields) => fields.iter().map(|(_, id)| Sort::Of(*id)).collect(),
                    _ => vec![self.element(sort); parts.len()],
                };
                assert_eq!(parts.len(), sorts.len());
                parts.iter().zip(sorts).for_each(|(part, sort)| self.is(part, sort));
            }
            Node::Field(inner, position) => {
                self.term(inner);
                assert!(
                    matches!(self.shape(inner.sort), Shape::Struct(f) if Sort::Of(f[*position].1) == sort)
                );
            }
            Node::WithField(inner, position, value) => {
                self.is(inner, sort);
                self.term(value);
                assert!(
                    matches!(self.shape(sort), Shape::Struct(f) if Sort::Of(f[*position].1) == value.sort)
                );
            }
            Node::Element(array, index) => {
                self.term(array);
                self.term(index);
                assert!(
                    matches!(self.shape(array.sort), Shape::Array { index: i, .. } if Sort::Of(*i) == index.sort)
                );
                assert_eq!(self.element(array.sort), sort);
            }
            Node::WithElement(array, index, value) => {
                self.is(array, sort);
                self.term(index);
                assert!(
                    matches!(self.shape(sort), Shape::Array { index: i, .. } if Sort::Of(*i) == index.sort)
                );
                self.is(value, self.element(sort));
            }
            Node::Fill(slot, body) => {
                let Shape::Array { index, element } = *self.shape(sort) else { panic!("{term:?}") };
                self.bind(*slot, Sort::Of(index));
                self.is(body, Sort::Of(element));
            }
            Node::Variant(position, content) => {
                let Shape::Union(variants) = self.shape(sort) else { panic!("{term:?}") };
                let expected = variants[*position].1;
                assert_eq!(content.as_ref().map(|content| content.sort), expected.map(Sort::Of));
                content.iter().for_each(|content| self.term(content));
            }
            Node::Is(inner, _) | Node::Content(inner, _) => {
                assert!(matches!(self.shape(inner.sort), Shape::Union(_)));
                self.term(inner);
            }
            Node::List(parts) | Node::Set(parts) => {
                let element = self.element(sort);
                parts.iter().for_each(|part| self.is(part, element));
            }
            Node::SetOf(slot, id, condition, body) => {
                self.bind(*slot, Sort::Of(*id));
                self.is(condition, BOOL);
                self.is(body, self.element(sort));
            }
            Node::Collection(operation, parts) => self.collection(*operation, parts, sort),
            Node::Step { from, .. } => self.is(from, sort),
            Node::Quantified(quantifier, slot, id, body) => {
                self.bind(*slot, Sort::Of(*id));
                assert_eq!(sort, if *quantifier == Quantifier::Sum { Sort::Int } else { BOOL });
                self.is(body, sort);
            }
            Node::Count(bag) => _ = self.bag(bag, None),
            Node::CountOf(bag, value) => {
                let id = self.bag(bag, None).expect("places have types");
                self.is(value, Sort::Of(id));
            }
            Node::CompareBags(_, left, right) => {
                let id = self.bag(left, None);
                let other = self.bag(right, id);
                assert!(id.is_none() || other.is_none() || id == other);
            }
            Node::Enabled(transition, values) => {
                for (position, value) in values {
                    let type_ = self.net.transitions[*transition].variables[*position].type_;
                    self.is(value, Sort::Of(type_));
                }
            }
            Node::Deadlock | Node::Initial => assert_eq!(sort, BOOL),
        }
    }

    fn collection(&mut self, operation: Collection, parts: &[Term], sort: Sort) {
        parts.iter().for_each(|part| self.term(part));
        let of = parts[0].sort;
        let element = self.element(of);
        match operation {
            Collection::Append | Collection::Prepend | Collection::Insert | Collection::Remove => {
                assert_eq!((sort, parts[1].sort), (of, element));
            }
            Collection::First | Collection::Last => assert_eq!(sort, element),
            Collection::Rest | Collection::Front => assert_eq!(sort, of),
            Collection::Length => assert_eq!(sort, Sort::Int),
            Collection::At => assert_eq!((sort, parts[1].sort), (element, Sort::Int)),
            Collection::Has => assert_eq!((sort, parts[1].sort), (BOOL, element)),
            Collection::Concatenate
            | Collection::Union
            | Collection::Intersection
            | Collection::Difference => {
                assert_eq!((sort, parts[1].sort), (of, of));
            }
        }
    }

    fn bind(&mut self, slot: usize, sort: Sort) {
        assert!(self.variables.insert(slot, sort).is_none_or(|other| other == sort), "a slot is used again");
    }

    /// The type of a multiset that has one.
    fn bag(&mut self, bag: &Bag, expected: Option<TypeId>) -> Option<TypeId> {
        let id = match bag {
            Bag::Empty => expected,
            Bag::One(value) => {
                self.term(value);
                value.type_of()
            }
            Bag::Times(count, inner) => {
                self.is(count, Sort::Int);
                self.bag(inner, expected)
            }
            Bag::Sum(parts) => parts.iter().fold(expected, |id, part| self.bag(part, id).or(id)),
            Bag::Difference(left, right) => {
                let id = self.bag(left, expected).or(expected);
                self.bag(right, id)
            }
            Bag::All(id) => Some(*id),
            Bag::For(slot, id, condition, body) => {
                self.bind(*slot, Sort::Of(*id));
                condition.iter().for_each(|condition| self.is(condition, BOOL));
                self.bag(body, expected)
            }
            Bag::If(condition, yes, no) => {
                self.is(condition, BOOL);
                let id = self.bag(yes, expected).or(expected);
                self.bag(no, id)
            }
            Bag::Let(slot, value, body) => {
                self.term(value);
                self.bind(*slot, value.sort);
                self.bag(body, expected)
            }
            Bag::Place(place) => Some(self.net.places[*place].type_),
        };
        assert!(expected.is_none() || id.is_none() || id == expected, "{bag:?}");
        id
    }
}

#[test]
fn whatever_is_accepted_is_well_typed() {
    let mut accepted = 0;
    let mut look = |text: String| {
        let Ok((model, _)) = read(&text, &[]) else { return };
        accepted += 1;
        let rules = || Rules { net: &model.net, variables: HashMap::new() };
        for place in &model.net.places {
            if let Some(derived) = &place.derived {
                rules().bag(&derived.body, Some(place.type_));
            }
        }
        for property in &model.properties {
            match &property.question {
                Question::Invariant(closed) => rules().is(&closed.body, BOOL),
                Question::Bound(closed) => rules().is(&closed.body, Sort::Int),
                _ => {}
            }
        }
        for transition in &model.net.transitions {
            let mut rules = rules();
            transition.variables.iter().for_each(|v| rules.bind(v.slot, Sort::Of(v.type_)));
            transition.guards.iter().for_each(|guard| rules.is(guard, BOOL));
            for arc in transition.inputs.iter().chain(&transition.outputs) {
                rules.bag(&arc.tokens, Some(model.net.places[arc.place].type_));
            }
        }
    };
    for type_ in TYPES {
        for form in FORMS {
            for leaf in LEAVES {
                let value = form.replace('$', leaf);
                look(format!("{DECLARATIONS}\nplace p: {type_} derived {value}"));
            }
        }
    }
    for seed in 0..30_000 {
        let mut random = random::Random::new(seed);
        let mut value = String::new();
        expression(&mut random, 3, &mut value);
        look(match random.below(4) {
            0 => format!("{DECLARATIONS}\nproperty a: invariant {value}"),
            1 => format!("{DECLARATIONS}\nproperty a: bound {value}"),
            2 => format!("{DECLARATIONS}\nplace p: {} derived {value}", random.pick(&TYPES)),
            _ => format!(
                "{DECLARATIONS}\ntransition u(x, y: E) {{ in numbers: x; out states: y; out numbers: {value} }}"
            ),
        });
    }
    assert!(accepted > 1_000, "{accepted}");
}
