//! Random coloured nets from seeds: small types of every kind, terms that may have no value, all kinds of arcs.

use sweepnet_colour::term::{Arithmetic, Collection, Quantifier, Relation};
use sweepnet_colour::{Arc, Bag, ColouredNet, Node, Shape, Sort, Term, TypeId};

use crate::coloured_nets::{place, transition};
use crate::random::Random;

/// Slots of the variables: two numbers, a truth value, a tuple, the `let` of a number, and the first of terms' own.
const FIRST: usize = 0;
const SECOND: usize = 1;
const TRUTH: usize = 2;
const PAIR: usize = 3;
const LET: usize = 4;
const OWN: usize = 5;

/// A generator and the types it makes terms of.
struct Maker {
    random: Random,
    number: TypeId,
    pair: TypeId,
    choice: TypeId,
    set: TypeId,
    list: TypeId,
    array: TypeId,
    /// Whether the variable at [`LET`] is there, and whether terms may have no value.
    has_let: bool,
    is_partial: bool,
    /// The slot of the next variable of a term, and those of the terms around: all numbers.
    next: usize,
    scope: Vec<usize>,
}

/// A random coloured net, with priorities or without.
pub fn net(seed: u64, with_priorities: bool) -> ColouredNet {
    let mut random = Random::new(seed);
    let mut net = ColouredNet { name: format!("random {seed}"), ..ColouredNet::default() };
    let (low, size) = (random.below(3) as i64 - 1, 2 + random.below(2) as i64);
    let mut add = |shape: Shape| net.types.add(shape).expect("it has values");
    let number = add(Shape::Range { low, high: low + size - 1, cyclic: false });
    let pair = add(Shape::Struct(vec![("a".into(), number), ("b".into(), TypeId::BOOL)]));
    let choice = add(Shape::Union(vec![("none".into(), None), ("some".into(), Some(number))]));
    let set = add(Shape::Set(number));
    let list = add(Shape::List { element: number, max: 2 });
    let array = add(Shape::Array { index: TypeId::BOOL, element: number });
    let is_partial = random.one_in(3);
    let mut maker = Maker {
        random,
        number,
        pair,
        choice,
        set,
        list,
        array,
        has_let: false,
        is_partial,
        next: OWN,
        scope: Vec::new(),
    };
    for at in 0..2 + maker.random.below(3) {
        let types = [number, number, TypeId::UNIT, TypeId::BOOL, pair, pair, choice, set, list, array];
        let type_ = *maker.random.pick(&types);
        let values = net.types.size(type_).expect("types are small");
        let mut initial: Vec<u64> = (0..maker.random.below(4)).map(|_| maker.random.below(values)).collect();
        initial.sort_unstable();
        initial.dedup();
        place(&mut net, &format!("p{at}"), type_, initial);
    }
    for at in 0..1 + maker.random.below(4) {
        maker.transition(&mut net, at, with_priorities);
    }
    net
}

impl Maker {
    fn transition(&mut self, net: &mut ColouredNet, at: u64, with_priorities: bool) {
        let types: Vec<TypeId> = net.places.iter().map(|place| place.type_).collect();
        let variables = [self.number, self.number, TypeId::BOOL, self.pair];
        let t = transition(net, &format!("t{at}"), &variables);
        self.has_let = self.random.one_in(3);
        let mut names = Vec::new();
        if self.has_let {
            self.has_let = false;
            names.push((LET, self.number(2)));
            self.has_let = true;
        }
        let arcs = 1 + self.random.below(2);
        t.inputs = (0..arcs).map(|_| self.arc(&types, true)).collect();
        t.outputs = (0..arcs).map(|_| self.arc(&types, false)).collect();
        if self.random.one_in(4) {
            t.reads.push(self.arc(&types, true));
        }
        if self.random.one_in(4) {
            t.inhibitors.push(self.arc(&types, false));
        }
        if self.random.one_in(8) {
            t.resets.push(self.random.below(types.len() as u64) as usize);
        }
        if self.random.one_in(8) {
            t.empties.push(self.random.below(types.len() as u64) as usize);
        }
        t.guards = (0..1 + self.random.below(2)).map(|_| self.truth(2)).collect();
        t.write_out(&names);
        // What no arc binds would have many values: it is as good as any.
        t.guards.push(self.equal(self.variable(SECOND, self.number), self.variable(FIRST, self.number)));
        if with_priorities {
            t.priority = self.random.below(3) as i64;
        }
        t.frame = std::mem::replace(&mut self.next, OWN);
    }

    fn arc(&mut self, types: &[TypeId], is_pattern: bool) -> Arc {
        let place = self.random.below(types.len() as u64) as usize;
        let type_ = types[place];
        let tokens = match self.random.below(if is_pattern { 12 } else { 6 }) {
            0 => Bag::Sum(vec![Bag::One(self.value(type_, 2)), Bag::One(self.value(type_, 1))]),
            1 => Bag::One(self.value(type_, 1)).times(Term::int(self.random.below(3) as i64)),
            2 => Bag::If(
                Box::new(self.truth(1)),
                Box::new(Bag::One(self.value(type_, 1))),
                Box::new(Bag::Empty),
            ),
            3 => {
                let slot = self.enter();
                let (condition, body) = (self.truth(1), Bag::One(self.value(type_, 1)));
                self.leave();
                Bag::For(slot, self.number, Some(Box::new(condition)), Box::new(body))
            }
            4 if type_ == self.number => {
                Bag::Difference(Box::new(Bag::All(type_)), Box::new(Bag::One(self.number(1))))
            }
            _ => Bag::One(self.value(type_, if is_pattern { 1 } else { 2 })),
        };
        Arc { place, tokens }
    }

    /// A variable that nobody has.
    fn unused(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }

    /// A variable for the terms that come next.
    fn enter(&mut self) -> usize {
        let slot = self.unused();
        self.scope.push(slot);
        slot
    }

    fn leave(&mut self) {
        self.scope.pop();
    }

    fn variable(&self, slot: usize, type_: TypeId) -> Term {
        Term::variable(slot, Sort::Of(type_))
    }

    fn equal(&self, left: Term, right: Term) -> Term {
        Term::compare(Relation::Equal, left, right)
    }

    /// A term of a type.
    fn value(&mut self, type_: TypeId, depth: u64) -> Term {
        let of = |node: Node| Term::new(node, Sort::Of(type_));
        let inner = depth.saturating_sub(1);
        if type_ == self.number {
            return self.number(depth);
        }
        if type_ == TypeId::UNIT {
            return Term::unit();
        }
        if type_ == TypeId::BOOL {
            return if self.random.one_in(2) { self.variable(TRUTH, type_) } else { self.truth(inner) };
        }
        if type_ == self.pair {
            return match self.random.below(3) {
                0 => self.variable(PAIR, type_),
                1 => of(Node::Struct(vec![self.number(inner), self.value(TypeId::BOOL, inner)])),
                _ => {
                    let whole = Box::new(self.variable(PAIR, type_));
                    of(Node::WithField(whole, 0, Box::new(self.number(inner))))
                }
            };
        }
        if type_ == self.choice {
            let content = self.random.one_in(2).then(|| Box::new(self.number(inner)));
            return of(Node::Variant(usize::from(content.is_some()), content));
        }
        if type_ == self.array {
            return match self.random.below(3) {
                0 => of(Node::Fill(self.unused(), Box::new(self.number(0)))),
                1 if depth > 0 => {
                    let (whole, index) = (self.value(type_, inner), self.truth(inner));
                    of(Node::WithElement(Box::new(whole), Box::new(index), Box::new(self.number(inner))))
                }
                _ => of(Node::Struct(vec![self.number(inner), self.number(inner)])),
            };
        }
        let parts = (0..self.random.below(3)).map(|_| self.number(inner)).collect();
        let simple = of(if type_ == self.set { Node::Set(parts) } else { Node::List(parts) });
        if depth == 0 || self.random.one_in(2) {
            return simple;
        }
        let operation = match (type_ == self.set, self.is_partial) {
            (true, _) if self.random.one_in(3) => {
                let slot = self.enter();
                let (condition, element) = (self.truth(inner), self.number(inner));
                self.leave();
                return of(Node::SetOf(slot, self.number, Box::new(condition), Box::new(element)));
            }
            (true, _) => *self.random.pick(&[Collection::Insert, Collection::Remove, Collection::Union]),
            (false, true) => *self.random.pick(&[Collection::Append, Collection::Rest, Collection::Prepend]),
            (false, false) => return simple,
        };
        let operands = match operation {
            Collection::Union => vec![simple, self.value(type_, inner)],
            Collection::Rest => vec![simple],
            _ => vec![simple, self.number(inner)],
        };
        of(Node::Collection(operation, operands))
    }

    fn number(&mut self, depth: u64) -> Term {
        let number = self.number;
        let of = |node: Node| Term::new(node, Sort::Of(number));
        let inner = depth.saturating_sub(1);
        match self.random.below(if depth == 0 { 3 } else { 8 }) {
            0 => match self.scope.last() {
                Some(slot) => self.variable(*slot, number),
                None => self.variable(FIRST, number),
            },
            1 if self.has_let => self.variable(LET, number),
            1 => self.variable(SECOND, number),
            2 => Term::constant([self.random.below(2)], number),
            3 => {
                let wraps = !self.is_partial || self.random.one_in(2);
                let by = self.random.below(3) as i64 - 1;
                of(Node::Step { from: Box::new(self.number(inner)), by, wraps })
            }
            4 => {
                let (condition, then) = (self.truth(inner), self.number(inner));
                of(Node::If(Box::new(condition), Box::new(then), Box::new(self.number(inner))))
            }
            5 => of(Node::Field(Box::new(self.variable(PAIR, self.pair)), 0)),
            6 if self.is_partial => of(Node::Narrow(Box::new(self.integer(inner)))),
            6 => {
                let array = self.value(self.array, inner);
                of(Node::Element(Box::new(array), Box::new(self.truth(inner))))
            }
            _ => self.variable(FIRST, number),
        }
    }

    fn integer(&mut self, depth: u64) -> Term {
        let inner = depth.saturating_sub(1);
        match self.random.below(if depth == 0 { 2 } else { 5 }) {
            0 => Term::int(self.random.below(4) as i64 - 1),
            1 => Term::new(Node::Widen(Box::new(self.number(inner))), Sort::Int),
            2 => {
                let list = self.value(self.list, 0);
                Term::new(Node::Collection(Collection::Length, vec![list]), Sort::Int)
            }
            _ => {
                use Arithmetic::{Add, Divide, Max, Min, Modulo, Multiply, Subtract};
                let total = [Add, Subtract, Multiply, Min, Max];
                let operator = match self.is_partial {
                    true => *self.random.pick(&[Add, Subtract, Multiply, Min, Max, Divide, Modulo]),
                    false => *self.random.pick(&total),
                };
                Term::arithmetic(operator, self.integer(inner), self.integer(inner))
            }
        }
    }

    fn truth(&mut self, depth: u64) -> Term {
        use Relation::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
        let relation = *self.random.pick(&[Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual]);
        let inner = depth.saturating_sub(1);
        match self.random.below(if depth == 0 { 3 } else { 9 }) {
            0 => Term::bool(true),
            1 => self.variable(TRUTH, TypeId::BOOL),
            2 => Term::compare(relation, self.number(0), self.number(0)),
            3 => Term::compare(relation, self.integer(inner), self.integer(inner)),
            4 => Term::truth(Node::Not(Box::new(self.truth(inner)))),
            5 => Term::or(vec![self.truth(inner), self.truth(inner)]),
            6 => {
                let quantifier = *self.random.pick(&[Quantifier::Forall, Quantifier::Exists]);
                let slot = self.enter();
                let body = Term::compare(relation, self.variable(slot, self.number), self.number(0));
                self.leave();
                Term::truth(Node::Quantified(quantifier, slot, self.number, Box::new(body)))
            }
            7 => {
                let collection = *self.random.pick(&[self.set, self.list]);
                let operands = vec![self.value(collection, inner), self.number(inner)];
                Term::truth(Node::Collection(Collection::Has, operands))
            }
            _ => {
                let type_ = *self.random.pick(&[self.set, self.list, self.choice, self.array]);
                Term::compare(relation, self.value(type_, inner), self.value(type_, inner))
            }
        }
    }
}
