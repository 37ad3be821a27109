//! Finding the values of a transition's variables for which it may be enabled.
//!
//! A *plan* is an order of steps, made once for each transition: match a pattern of an input or read arc with the
//! tokens of its place, look up a token that is known already, go through a type, test a guard. The
//! most selective step that is possible comes first, and tests come as early as their variables are bound.
//!
//! Each binding is found once: patterns can be read backwards in one way only.

use std::ops::ControlFlow;
use std::sync::Arc as Shared;

use crate::compile::{Code, Compiler, WordCode};
use crate::fault::Fault;
use crate::frame::Frame;
use crate::net::{Transition, Variable};
use crate::pattern::{Pattern, is_bound};
use crate::term::{Bag, Node, Relation, Slot, Sort, Term};
use crate::types::{TypeId, Types};

/// Where tokens come from: a marking, or the values that a place may ever have.
pub trait Source {
    /// How many distinct values a place has.
    fn len(&self, place: usize) -> usize;

    /// One of them, with how often it is there and ready.
    fn token(&self, place: usize, at: usize) -> (&[u64], u64);

    /// How often a value is there and ready.
    fn count(&self, place: usize, value: &[u64]) -> u64;

    /// The positions of the values whose component at a position is this, if they can be told at once.
    fn with_component(&self, _place: usize, _component: usize, _word: u64) -> Option<&[u32]> {
        None
    }
}

/// A token on an arc, a term so many times.
pub struct Item<'a> {
    /// The place.
    pub place: usize,
    /// The value.
    pub value: &'a Term,
    /// How many.
    pub count: u64,
}

/// The tokens on input and read arcs that must be there in any case, one by one.
pub fn items(transition: &Transition) -> Vec<Item<'_>> {
    let mut items = Vec::new();
    for arc in transition.inputs.iter().chain(&transition.reads) {
        collect(&arc.tokens, arc.place, 1, &mut items);
    }
    items
}

fn collect<'a>(bag: &'a Bag, place: usize, times: u64, items: &mut Vec<Item<'a>>) {
    match bag {
        Bag::One(value) => items.push(Item { place, value, count: times }),
        Bag::Sum(parts) => parts.iter().for_each(|part| collect(part, place, times, items)),
        Bag::Times(count, bag) => {
            if let Node::Integer(count @ 1..) = count.node {
                collect(bag, place, times.saturating_mul(count as u64), items);
            }
        }
        _ => {}
    }
}

enum Step {
    /// Go through the tokens of a place; the component that is known, if there is one, narrows them down.
    Draw { place: usize, type_: TypeId, least: u64, known: Option<(usize, WordCode)>, pattern: Pattern },
    /// Look a token up.
    Have { place: usize, value: Code, least: u64 },
    /// Compute a variable from an equality; where it has no such value the equality is false.
    Solve { slot: Slot, values: Values, known: Code, value: Code },
    /// Go through a type.
    Range { slot: Slot, values: Values },
    /// Test a guard.
    Test(WordCode),
}

/// How many values of a variable are gone through; [`Fault::Unbound`] if there are too many.
type Values = Result<u64, Fault>;

/// Combinations of values that are gone through for variables that nothing binds.
pub const MOST_COMBINATIONS: u64 = 1 << 24;

/// How the bindings of a transition are found.
pub struct Plan {
    steps: Vec<Step>,
    types: Shared<Types>,
}

impl Plan {
    /// A plan where these slots are bound already, which looks for these of the transition's [`items`].
    pub fn new(
        transition: &Transition,
        mut bound: Vec<Slot>,
        wanted: &dyn Fn(usize) -> bool,
        place_types: &[TypeId],
        compiler: &Compiler,
    ) -> Self {
        let mut maker = Maker {
            items: items(transition)
                .into_iter()
                .enumerate()
                .filter_map(|(at, item)| wanted(at).then_some(item))
                .collect(),
            guards: transition.guards.iter().collect(),
            variables: &transition.variables,
            steps: Vec::new(),
            place_types,
            compiler,
        };
        let mut combinations = 1u64;
        loop {
            maker.compute(&bound);
            if maker.solve(&mut bound) || maker.draw(&mut bound) {
                continue;
            }
            let size = |variable: &&Variable| compiler.types().size(variable.type_).unwrap_or(u64::MAX);
            let left = transition.variables.iter().filter(|variable| !bound.contains(&variable.slot));
            let Some(variable) = left.min_by_key(size) else { break };
            let values = maker.values(variable.slot, compiler.types().size(variable.type_), combinations);
            combinations = combinations.saturating_mul(values.unwrap_or(1));
            maker.steps.push(Step::Range { slot: variable.slot, values });
            bound.push(variable.slot);
        }
        Self { steps: maker.steps, types: compiler.shared_types() }
    }

    /// The components of places' values by which it narrows tokens down.
    pub fn known_components(&self) -> impl Iterator<Item = (usize, usize)> {
        self.steps.iter().filter_map(|step| match step {
            Step::Draw { place, known: Some((component, _)), .. } => Some((*place, *component)),
            _ => None,
        })
    }

    /// Calls `found` with each binding in the frame, until it breaks, or the frame is interrupted. A guard that has no
    /// value lets the binding pass, and is given along: whether the transition is enabled otherwise is not known yet.
    pub fn run<S: Source + ?Sized>(
        &self,
        source: &S,
        frame: &mut Frame<'_>,
        found: &mut dyn FnMut(&mut Frame<'_>, Option<Fault>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.step(0, source, frame, None, found)?;
        // What was passed over for lack of a value may have had one.
        if frame.is_interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn step<S: Source + ?Sized>(
        &self,
        at: usize,
        source: &S,
        frame: &mut Frame<'_>,
        mut fault: Option<Fault>,
        found: &mut dyn FnMut(&mut Frame<'_>, Option<Fault>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some(step) = self.steps.get(at) else { return found(frame, fault) };
        match step {
            Step::Draw { place, type_, least, known, pattern } => {
                let listed = match known {
                    // A component without a value matches no token.
                    Some((component, word)) => match word(frame) {
                        Ok(word) => source.with_component(*place, *component, word),
                        Err(_) => return ControlFlow::Continue(()),
                    },
                    None => None,
                };
                let count = listed.map_or_else(|| source.len(*place), <[u32]>::len);
                for position in 0..count {
                    if frame.step().is_err() {
                        return ControlFlow::Break(());
                    }
                    let position = listed.map_or(position, |listed| listed[position] as usize);
                    let (value, count) = source.token(*place, position);
                    let matches = count >= *least
                        && pattern.matches(&self.types, *type_, value, frame).unwrap_or(false);
                    if matches {
                        self.step(at + 1, source, frame, fault, found)?;
                    }
                }
                return ControlFlow::Continue(());
            }
            Step::Have { place, value, least } => {
                let there = match value {
                    Code::Word(word) => word(frame).is_ok_and(|word| source.count(*place, &[word]) >= *least),
                    wide => {
                        let mut words = Vec::new();
                        wide.push(frame, &mut words).is_ok() && source.count(*place, &words) >= *least
                    }
                };
                if !there {
                    return ControlFlow::Continue(());
                }
            }
            Step::Solve { slot, values, known, value } => {
                let mut words = Vec::new();
                if let Err(error) = known.push(frame, &mut words) {
                    // The equation has no value whatever the variable is; other guards may still rule some out.
                    return self.range(at, *slot, *values, source, frame, fault.or(Some(error)), found);
                }
                // Outside of the variable's type the equation is false.
                if value.store(frame, *slot).is_err() {
                    return ControlFlow::Continue(());
                }
            }
            Step::Range { slot, values } => {
                return self.range(at, *slot, *values, source, frame, fault, found);
            }
            Step::Test(guard) => match guard(frame) {
                Ok(0) => return ControlFlow::Continue(()),
                Ok(_) => {}
                Err(error) => fault = fault.or(Some(error)),
            },
        }
        self.step(at + 1, source, frame, fault, found)
    }
}

impl Plan {
    /// Goes through the numbers of a variable.
    #[expect(clippy::too_many_arguments, reason = "the state of a search that goes on inside")]
    fn range<S: Source + ?Sized>(
        &self,
        at: usize,
        slot: Slot,
        values: Values,
        source: &S,
        frame: &mut Frame<'_>,
        fault: Option<Fault>,
        found: &mut dyn FnMut(&mut Frame<'_>, Option<Fault>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let size = match values {
            Ok(size) => size,
            Err(unbound) => return found(frame, Some(unbound)),
        };
        for number in 0..size {
            if frame.step().is_err() {
                return ControlFlow::Break(());
            }
            frame.slots[slot] = number;
            self.step(at + 1, source, frame, fault, found)?;
        }
        ControlFlow::Continue(())
    }
}

/// A plan in the making: what is still to be done.
struct Maker<'a> {
    items: Vec<Item<'a>>,
    guards: Vec<&'a Term>,
    variables: &'a [Variable],
    steps: Vec<Step>,
    place_types: &'a [TypeId],
    compiler: &'a Compiler,
}

impl Maker<'_> {
    /// The values of a variable to go through, for each of so many combinations of others.
    fn values(&self, slot: Slot, size: Option<u64>, combinations: u64) -> Values {
        let variable = self.variables.iter().position(|variable| variable.slot == slot).unwrap_or_default();
        let few = size.filter(|size| size.saturating_mul(combinations) <= MOST_COMBINATIONS);
        few.ok_or(Fault::Unbound { variable })
    }

    /// All that needs no choice: guards and look-ups whose variables are bound.
    fn compute(&mut self, bound: &[Slot]) {
        let (now, later) =
            std::mem::take(&mut self.guards).into_iter().partition(|term| is_bound(term, bound));
        self.guards = later;
        let now: Vec<&Term> = now;
        self.steps.extend(now.into_iter().map(|guard| Step::Test(self.compiler.word(guard))));
        while let Some(at) = self.items.iter().position(|item| is_bound(item.value, bound)) {
            let Item { place, value, count: least } = self.items.remove(at);
            self.steps.push(Step::Have { place, value: self.compiler.term(value), least });
        }
    }

    /// A guard that says what a variable is.
    fn solve(&mut self, bound: &mut Vec<Slot>) -> bool {
        for (at, guard) in self.guards.iter().enumerate() {
            let Node::Compare(Relation::Equal, left, right) = &guard.node else { continue };
            for (unknown, known) in [(left, right), (right, left)] {
                if !is_bound(known, bound) {
                    continue;
                }
                let (slot, value) = match (&unknown.node, unknown.sort) {
                    (Node::Variable(slot), Sort::Of(_)) => (*slot, self.compiler.term(known)),
                    (Node::Widen(inner), _) => match (&inner.node, inner.sort) {
                        (Node::Variable(slot), sort @ Sort::Of(_)) => {
                            let narrow = Term::new(Node::Narrow(known.clone()), sort);
                            (*slot, self.compiler.term(&narrow))
                        }
                        _ => continue,
                    },
                    _ => continue,
                };
                let size = match unknown.node {
                    Node::Widen(ref inner) => inner.type_of(),
                    _ => unknown.type_of(),
                };
                let size = size.and_then(|id| self.compiler.types().size(id));
                let values = self.values(slot, size, 1);
                let known = self.compiler.term(known);
                self.steps.push(Step::Solve { slot, values, known, value });
                self.guards.remove(at);
                bound.push(slot);
                return true;
            }
        }
        false
    }

    /// The most selective pattern: with something known of it before nothing known, then few unknowns, then a place
    /// of few values.
    fn draw(&mut self, bound: &mut Vec<Slot>) -> bool {
        let rank = |item: &Item<'_>| {
            let (known, unknown) = Pattern::outlook(item.value, bound, self.compiler.types())?;
            let size = self.compiler.types().size(self.place_types[item.place]).unwrap_or(u64::MAX);
            Some((known == 0, unknown, size))
        };
        let ranked = self.items.iter().enumerate().filter_map(|(at, item)| Some((rank(item)?, at)));
        let Some((_, at)) = ranked.min() else { return false };
        let item = self.items.remove(at);
        let known = match &item.value.node {
            Node::Struct(parts) => parts.iter().enumerate().find_map(|(at, part)| {
                let narrow = part.type_of().is_some_and(|id| self.compiler.types().is_narrow(id));
                (narrow && is_bound(part, bound)).then(|| (at, self.compiler.word(part)))
            }),
            _ => None,
        };
        let Some(pattern) = Pattern::of(item.value, bound, self.compiler) else { return false };
        let type_ = self.place_types[item.place];
        self.steps.push(Step::Draw { place: item.place, type_, least: item.count, known, pattern });
        true
    }
}
