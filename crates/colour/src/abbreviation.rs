//! The `let`s of a transition: names for terms. They are written out where they are used, so that a name without a
//! value is noticed where it is needed and nowhere else.

use crate::net::{Arc, Transition};
use crate::pattern::{variables, variables_of_bag};
use crate::term::{Bag, Node, Slot, Term};

impl Transition {
    /// Writes names out: each stands for a term over variables and over the names before it.
    ///
    /// Where bindings are found (input and read arcs, guards) each occurrence of a name becomes its term, so that
    /// patterns stay patterns; elsewhere a name is computed once, around the whole.
    pub fn write_out(&mut self, names: &[(Slot, Term)]) {
        let occurrences: Vec<(Slot, Term)> = names
            .iter()
            .map(|(slot, term)| (*slot, around(Term::variable(*slot, term.sort), names)))
            .collect();
        for (slot, term) in &occurrences {
            self.guards.iter_mut().for_each(|guard| guard.replace(*slot, term));
            for arc in self.inputs.iter_mut().chain(&mut self.reads) {
                arc.tokens.replace(*slot, term);
            }
        }
        let wrap = |arc: &mut Arc| {
            let tokens = std::mem::replace(&mut arc.tokens, Bag::Empty);
            arc.tokens = around_bag(tokens, names);
        };
        self.outputs.iter_mut().chain(&mut self.inhibitors).for_each(wrap);
        self.delay = self.delay.take().map(|delay| around(delay, names));
    }
}

/// A term inside of the names that it uses.
fn around(mut term: Term, names: &[(Slot, Term)]) -> Term {
    for (slot, value) in names.iter().rev() {
        if variables(&term).contains(slot) {
            let sort = term.sort;
            term = Term::new(Node::Let(*slot, Box::new(value.clone()), Box::new(term)), sort);
        }
    }
    term
}

fn around_bag(mut bag: Bag, names: &[(Slot, Term)]) -> Bag {
    for (slot, value) in names.iter().rev() {
        if variables_of_bag(&bag).contains(slot) {
            bag = Bag::Let(*slot, Box::new(value.clone()), Box::new(bag));
        }
    }
    bag
}

impl Term {
    /// Puts a term in the place of every occurrence of a variable. The term may bind the variable itself.
    fn replace(&mut self, slot: Slot, with: &Self) {
        match &mut self.node {
            Node::Variable(other) => {
                if *other == slot {
                    *self = with.clone();
                }
            }
            Node::Integer(_) | Node::Constant(_) | Node::Deadlock | Node::Initial | Node::Clock => {}
            Node::Widen(a)
            | Node::Narrow(a)
            | Node::Convert(a)
            | Node::Not(a)
            | Node::Field(a, _)
            | Node::Fill(_, a)
            | Node::Is(a, _)
            | Node::Content(a, _)
            | Node::Step { from: a, .. }
            | Node::Quantified(_, _, _, a) => a.replace(slot, with),
            // Inside of its own definition it is that which is defined.
            Node::Let(own, a, b) => {
                a.replace(slot, with);
                if *own != slot {
                    b.replace(slot, with);
                }
            }
            Node::Arithmetic(_, a, b)
            | Node::Compare(_, a, b)
            | Node::WithField(a, _, b)
            | Node::Element(a, b)
            | Node::SetOf(_, _, a, b) => {
                a.replace(slot, with);
                b.replace(slot, with);
            }
            Node::If(a, b, c) | Node::WithElement(a, b, c) => {
                [a, b, c].into_iter().for_each(|part| part.replace(slot, with));
            }
            Node::And(parts)
            | Node::Or(parts)
            | Node::Struct(parts)
            | Node::List(parts)
            | Node::Set(parts)
            | Node::Collection(_, parts) => parts.iter_mut().for_each(|part| part.replace(slot, with)),
            Node::Variant(_, content) => content.iter_mut().for_each(|content| content.replace(slot, with)),
            Node::Count(bag) => bag.replace(slot, with),
            Node::CountOf(bag, value) => {
                bag.replace(slot, with);
                value.replace(slot, with);
            }
            Node::CompareBags(_, a, b) => {
                a.replace(slot, with);
                b.replace(slot, with);
            }
            Node::Enabled(_, values) => values.iter_mut().for_each(|(_, value)| value.replace(slot, with)),
        }
    }
}

impl Bag {
    fn replace(&mut self, slot: Slot, with: &Term) {
        match self {
            Self::Empty | Self::All(_) | Self::Place(_) => {}
            Self::One(value) => value.replace(slot, with),
            Self::Times(count, bag) => {
                count.replace(slot, with);
                bag.replace(slot, with);
            }
            Self::Sum(parts) => parts.iter_mut().for_each(|part| part.replace(slot, with)),
            Self::Difference(a, b) => {
                a.replace(slot, with);
                b.replace(slot, with);
            }
            Self::For(_, _, condition, body) => {
                condition.iter_mut().for_each(|condition| condition.replace(slot, with));
                body.replace(slot, with);
            }
            Self::If(condition, a, b) => {
                condition.replace(slot, with);
                a.replace(slot, with);
                b.replace(slot, with);
            }
            Self::Let(_, value, body) => {
                value.replace(slot, with);
                body.replace(slot, with);
            }
        }
    }
}
