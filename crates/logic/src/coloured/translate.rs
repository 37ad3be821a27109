//! From terms to predicates and expressions over the places of an unfolding.

use std::collections::{BTreeMap, HashMap};

use sweepnet_colour::compile::{Compiler, ENUMERABLE};
use sweepnet_colour::term::{Arithmetic, Part, Quantifier, Relation as TermRelation, Slot};
use sweepnet_colour::{
    Bag, Closed, ColouredNet, Fault, Frame, Node, Patience, Sort, Term, TypeId, Unfolding,
};

use super::Untranslated;
use super::cases::Cases;
use crate::{Comparison, Expression, Predicate, Question, Relation};

/// A multiset whose counts depend on the marking.
type Counts = BTreeMap<Box<[u64]>, Expression>;

/// The most atoms that questions are spelt out into.
const MOST_ATOMS: usize = 4_000_000;

/// Atoms between two looks at whether to go on.
const LOOK: usize = 1 << 12;

/// What an atom takes, about.
const ATOM_BYTES: usize = 64;

/// Translates terms over a coloured net for its unfolding.
pub(super) struct Translator<'a> {
    net: &'a ColouredNet,
    unfolding: &'a Unfolding,
    compiler: Compiler,
    /// Variables whose values depend on the marking.
    bound: HashMap<Slot, Dependent>,
    /// How many atoms there may still be.
    atoms: usize,
    patience: Patience<'a>,
    /// Atoms since it was asked last.
    unasked: usize,
    /// Whether a difference of multisets is known to have no negative counts.
    differences_are_right: bool,
    /// Where a definition is spelt out: what must be true for it to have a value.
    requirements: Option<Vec<Predicate>>,
    /// The conditions under which the part of it counts that is spelt out now.
    under: Vec<Predicate>,
}

#[derive(Clone)]
enum Dependent {
    Truth(Predicate),
    Number(Cases<Expression>),
}

impl<'a> Translator<'a> {
    pub(super) fn new(net: &'a ColouredNet, unfolding: &'a Unfolding, patience: Patience<'a>) -> Self {
        Self {
            net,
            unfolding,
            compiler: Compiler::for_net(net),
            bound: HashMap::new(),
            atoms: MOST_ATOMS,
            patience,
            unasked: 0,
            differences_are_right: false,
            requirements: None,
            under: Vec::new(),
        }
    }

    /// The same for questions that may take so many bytes when they are spelt out.
    pub(super) fn within(self, bytes: usize) -> Self {
        Self { atoms: self.atoms.min(bytes / ATOM_BYTES), ..self }
    }

    /// The same for definitions, whose counts are watched.
    pub(super) fn of_definitions(
        net: &'a ColouredNet,
        unfolding: &'a Unfolding,
        patience: Patience<'a>,
    ) -> Self {
        Self { differences_are_right: true, ..Self::new(net, unfolding, patience) }
    }

    /// A closed term that is true or false.
    pub(super) fn closed(&mut self, term: &Closed<Term>) -> Result<Predicate, Untranslated> {
        self.predicate(&term.body, &mut vec![0; term.frame])
    }

    /// The question for the largest value of a closed term that is an integer.
    pub(super) fn bound(&mut self, term: &Closed<Term>) -> Result<Question, Untranslated> {
        let mut cases = self.expression(&term.body, &mut vec![0; term.frame])?.0;
        Ok(match cases.len() {
            1 => Question::Bound(cases.swap_remove(0).1),
            _ => Question::BoundByCases(cases),
        })
    }

    fn spend(&mut self, atoms: usize) -> Result<(), Untranslated> {
        self.atoms = self.atoms.checked_sub(atoms).ok_or(Untranslated::TooLarge)?;
        self.unasked += atoms;
        if self.unasked >= LOOK {
            self.unasked = 0;
            self.patience.lasts().then_some(()).ok_or(Fault::Interrupted)?;
        }
        Ok(())
    }

    /// Whether the value of a term depends on the marking.
    pub(super) fn depends(&self, term: &Term) -> bool {
        let mut found = false;
        term.walk(&mut |part| found |= self.is_dependent(part));
        found
    }

    fn is_dependent(&self, part: Part<'_>) -> bool {
        match part {
            Part::Bag(bag) => matches!(bag, Bag::Place(_)),
            Part::Term(term) => match &term.node {
                Node::Variable(slot) => self.bound.contains_key(slot),
                Node::Enabled(..) | Node::Deadlock | Node::Initial | Node::Clock => true,
                _ => false,
            },
        }
    }

    /// The words of a term that does not depend on the marking.
    fn words(&self, term: &Term, slots: &mut [u64]) -> Result<Vec<u64>, Untranslated> {
        if self.depends(term) {
            return Err(Untranslated::NotLinear);
        }
        let mut words = Vec::with_capacity(1);
        self.compiler.term(term).push(&mut Frame::new(slots, self.patience), &mut words)?;
        Ok(words)
    }

    pub(super) fn predicate(&mut self, term: &Term, slots: &mut [u64]) -> Result<Predicate, Untranslated> {
        self.spend(1)?;
        if !self.depends(term) {
            return Ok(Predicate::from(self.words(term, slots)?[0] != 0));
        }
        Ok(match &term.node {
            Node::Variable(slot) => match self.bound.get(slot) {
                Some(Dependent::Truth(predicate)) => predicate.clone(),
                _ => return Err(Untranslated::NotLinear),
            },
            Node::Not(operand) => !self.predicate(operand, slots)?,
            Node::And(operands) => Predicate::and(self.until(operands, &Predicate::False, slots)?),
            Node::Or(operands) => Predicate::or(self.until(operands, &Predicate::True, slots)?),
            Node::If(condition, then, other) => {
                let condition = match self.predicate(condition, slots)? {
                    Predicate::True => return self.predicate(then, slots),
                    Predicate::False => return self.predicate(other, slots),
                    condition => condition,
                };
                let (then, other) = (self.predicate(then, slots)?, self.predicate(other, slots)?);
                let cases = vec![
                    Predicate::and(vec![condition.clone(), then]),
                    Predicate::and(vec![!condition, other]),
                ];
                Predicate::or(cases)
            }
            Node::Let(slot, value, body) => {
                self.assign(*slot, value, slots)?;
                let predicate = self.predicate(body, slots);
                self.bound.remove(slot);
                predicate?
            }
            Node::Quantified(quantifier, slot, domain, body) => {
                let mut parts = Vec::new();
                for number in 0..self.size(*domain)? {
                    slots[*slot] = number;
                    let part = self.predicate(body, slots)?;
                    match (quantifier, &part) {
                        (Quantifier::Forall, Predicate::False) => return Ok(Predicate::False),
                        (Quantifier::Exists, Predicate::True) => return Ok(Predicate::True),
                        (Quantifier::Forall, Predicate::True) | (Quantifier::Exists, Predicate::False) => {}
                        _ => parts.push(part),
                    }
                }
                match quantifier {
                    Quantifier::Forall => Predicate::and(parts),
                    _ => Predicate::or(parts),
                }
            }
            Node::Compare(relation, left, right) if left.type_of() == Some(TypeId::BOOL) => {
                let both = vec![self.predicate(left, slots)?, self.predicate(right, slots)?];
                match relation {
                    TermRelation::Equal => !Predicate::xor(both),
                    TermRelation::NotEqual => Predicate::xor(both),
                    _ => return Err(Untranslated::NotLinear),
                }
            }
            Node::Compare(relation, left, right) => {
                let (left, right) = (self.expression(left, slots)?, self.expression(right, slots)?);
                let relation = relation_of(*relation);
                let compare = |a: &Expression, b: &Expression| {
                    Comparison::new(a.clone(), relation, b.clone()).map(Predicate::from)
                };
                let cases = left.combine(&right, compare).ok_or(Untranslated::TooLarge)??;
                self.spend(cases.0.len())?;
                alternatives(cases)
            }
            Node::CompareBags(relation, left, right) => self.compare_bags(*relation, left, right, slots)?,
            Node::Enabled(transition, values) => self.enabled(*transition, values, slots)?,
            Node::Deadlock => Predicate::Deadlock,
            Node::Initial => Predicate::Initial,
            _ => return Err(Untranslated::NotLinear),
        })
    }

    /// Operands from left to right, up to the first that decides: what comes behind need not have a value.
    fn until(
        &mut self,
        operands: &[Term],
        decides: &Predicate,
        slots: &mut [u64],
    ) -> Result<Vec<Predicate>, Untranslated> {
        let mut parts = Vec::with_capacity(operands.len());
        for operand in operands {
            let part = self.predicate(operand, slots)?;
            if part == *decides {
                return Ok(vec![part]);
            }
            parts.push(part);
        }
        Ok(parts)
    }

    /// A variable for a value, which may depend on the marking.
    fn assign(&mut self, slot: Slot, value: &Term, slots: &mut [u64]) -> Result<(), Untranslated> {
        if !self.depends(value) {
            let words = self.words(value, slots)?;
            slots[slot..slot + words.len()].copy_from_slice(&words);
            return Ok(());
        }
        let dependent = match value.sort {
            Sort::Int => Dependent::Number(self.expression(value, slots)?),
            Sort::Of(TypeId::BOOL) => Dependent::Truth(self.predicate(value, slots)?),
            Sort::Of(_) => return Err(Untranslated::NotLinear),
        };
        self.bound.insert(slot, dependent);
        Ok(())
    }

    /// The size of a type that is spelt out.
    pub(super) fn size(&self, id: TypeId) -> Result<u64, Untranslated> {
        let size = self.net.types.size(id).filter(|size| *size <= ENUMERABLE);
        size.ok_or(Untranslated::Fault(Fault::TooLarge))
    }

    fn enabled(
        &mut self,
        transition: usize,
        values: &[(usize, Term)],
        slots: &mut [u64],
    ) -> Result<Predicate, Untranslated> {
        let variables = &self.net.transitions[transition].variables;
        let mut wanted = Vec::new();
        for (variable, value) in values {
            let before = variables[..*variable].iter().map(|v| self.net.types.width(v.type_)).sum::<usize>();
            wanted.push((before, self.words(value, slots)?));
        }
        let fits = |binding: &[u64]| {
            wanted.iter().all(|(before, words)| binding[*before..before + words.len()] == **words)
        };
        let instances = self.unfolding.bindings(transition).filter(|(_, binding)| fits(binding));
        let instances: Vec<_> = instances.map(|(t, _)| t).collect();
        self.spend(instances.len())?;
        Ok(Predicate::any_enabled(instances))
    }

    pub(super) fn expression(
        &mut self,
        term: &Term,
        slots: &mut [u64],
    ) -> Result<Cases<Expression>, Untranslated> {
        self.spend(1)?;
        if !self.depends(term) {
            let value = self.words(term, slots)?[0] as i64;
            return Ok(Cases::always(Expression::constant(i128::from(value))?));
        }
        match &term.node {
            Node::Variable(slot) => match self.bound.get(slot) {
                Some(Dependent::Number(number)) => Ok(number.clone()),
                _ => Err(Untranslated::NotLinear),
            },
            Node::Arithmetic(operator, left, right) => {
                let (left, right) = (self.expression(left, slots)?, self.expression(right, slots)?);
                arithmetic(*operator, &left, &right)
            }
            Node::If(condition, then, other) => {
                let condition = match self.predicate(condition, slots)? {
                    Predicate::True => return self.expression(then, slots),
                    Predicate::False => return self.expression(other, slots),
                    condition => condition,
                };
                let (then, other) = (self.expression(then, slots)?, self.expression(other, slots)?);
                Cases::choice(condition, then, other).ok_or(Untranslated::TooLarge)
            }
            Node::Let(slot, value, body) => {
                self.assign(*slot, value, slots)?;
                let expression = self.expression(body, slots);
                self.bound.remove(slot);
                expression
            }
            Node::Quantified(_, slot, domain, body) => {
                let (mut plain, mut sum) = (Vec::new(), Cases::always(Expression::default()));
                for number in 0..self.size(*domain)? {
                    slots[*slot] = number;
                    let part = self.expression(body, slots)?;
                    match part.0.len() {
                        1 => plain.extend(part.only()),
                        _ => sum = arithmetic(Arithmetic::Add, &sum, &part)?,
                    }
                }
                let plain = Cases::always(Expression::sum(plain)?);
                arithmetic(Arithmetic::Add, &sum, &plain)
            }
            Node::Count(bag) => {
                let cases = self.bag(bag, slots)?.0.into_iter();
                let count =
                    |(case, counts): (Predicate, Counts)| Ok((case, Expression::sum(counts.into_values())?));
                cases.map(count).collect::<Result<_, Untranslated>>().map(Cases)
            }
            Node::CountOf(bag, value) => {
                let value = self.words(value, slots)?;
                let cases = self.bag(bag, slots)?.0.into_iter();
                let count = |(case, mut counts): (Predicate, Counts)| {
                    (case, counts.remove(&*value).unwrap_or_default())
                };
                Ok(Cases(cases.map(count).collect()))
            }
            _ => Err(Untranslated::NotLinear),
        }
    }

    fn compare_bags(
        &mut self,
        relation: TermRelation,
        left: &Bag,
        right: &Bag,
        slots: &mut [u64],
    ) -> Result<Predicate, Untranslated> {
        let (left, right) = (self.bag(left, slots)?, self.bag(right, slots)?);
        let cases = left
            .combine(&right, |a, b| {
                Ok::<_, Untranslated>(match relation {
                    TermRelation::Equal => compare_counts(a, b, Relation::Equal)?,
                    TermRelation::NotEqual => !compare_counts(a, b, Relation::Equal)?,
                    TermRelation::LessEqual => compare_counts(a, b, Relation::AtMost)?,
                    TermRelation::GreaterEqual => compare_counts(a, b, Relation::AtLeast)?,
                    TermRelation::Less => Predicate::and(vec![
                        compare_counts(a, b, Relation::AtMost)?,
                        !compare_counts(a, b, Relation::Equal)?,
                    ]),
                    TermRelation::Greater => Predicate::and(vec![
                        compare_counts(a, b, Relation::AtLeast)?,
                        !compare_counts(a, b, Relation::Equal)?,
                    ]),
                })
            })
            .ok_or(Untranslated::TooLarge)??;
        Ok(alternatives(cases))
    }

    /// The counts of a multiset.
    pub(super) fn bag(&mut self, bag: &Bag, slots: &mut [u64]) -> Result<Cases<Counts>, Untranslated> {
        self.spend(1)?;
        match bag {
            Bag::Empty => Ok(Cases::always(Counts::new())),
            Bag::One(value) => {
                let value = self.words(value, slots)?.into();
                Ok(Cases::always(Counts::from([(value, Expression::constant(1)?)])))
            }
            Bag::Times(count, bag) => {
                if self.depends(count) {
                    return self.times(count, bag, slots);
                }
                let factor = i128::from(self.words(count, slots)?[0] as i64);
                let mut cases = self.bag(bag, slots)?;
                for (_, counts) in &mut cases.0 {
                    for count in counts.values_mut() {
                        *count = std::mem::take(count).scale(factor)?;
                    }
                }
                Ok(cases)
            }
            Bag::Sum(parts) => {
                let mut sum = Cases::always(Counts::new());
                for part in parts {
                    let part = self.bag(part, slots)?;
                    sum = sum.combine(&part, |a, b| add(a, b, 1)).ok_or(Untranslated::TooLarge)??;
                }
                Ok(sum)
            }
            Bag::Difference(from, what) => {
                let (from, what) = (self.bag(from, slots)?, self.bag(what, slots)?);
                let constant = |cases: &Cases<Counts>| {
                    cases
                        .0
                        .iter()
                        .all(|(_, counts)| counts.values().all(|count| count.as_constant().is_some()))
                };
                if !(self.differences_are_right || constant(&from) && constant(&what)) {
                    return Err(Untranslated::NotLinear);
                }
                from.combine(&what, |a, b| add(a, b, -1)).ok_or(Untranslated::TooLarge)?
            }
            Bag::All(id) => {
                let size = self.size(*id)?;
                self.spend(size as usize)?;
                let one = Expression::constant(1)?;
                Ok(Cases::always((0..size).map(|number| (Box::from([number]), one.clone())).collect()))
            }
            Bag::For(slot, domain, condition, body) => {
                let mut sum = Cases::always(Counts::new());
                for number in 0..self.size(*domain)? {
                    slots[*slot] = number;
                    let condition = match condition {
                        Some(condition) => self.aside(|it| it.predicate(condition, slots))?,
                        None => Predicate::True,
                    };
                    if condition == Predicate::False {
                        continue;
                    }
                    let part = self.given(condition.clone(), |it| it.bag(body, slots))?;
                    let part = Cases::choice(condition, part, Cases::always(Counts::new()));
                    let part = part.ok_or(Untranslated::TooLarge)?;
                    sum = join(sum, part)?;
                }
                Ok(sum)
            }
            Bag::If(condition, then, other) => {
                let condition = match self.aside(|it| it.predicate(condition, slots))? {
                    Predicate::True => return self.bag(then, slots),
                    Predicate::False => return self.bag(other, slots),
                    condition => condition,
                };
                let then = self.given(condition.clone(), |it| it.bag(then, slots))?;
                let other = self.given(!condition.clone(), |it| it.bag(other, slots))?;
                Cases::choice(condition, then, other).ok_or(Untranslated::TooLarge)
            }
            Bag::Let(slot, value, body) => {
                self.aside(|it| it.assign(*slot, value, slots))?;
                let bag = self.bag(body, slots);
                self.bound.remove(slot);
                bag
            }
            Bag::Place(place) => self.place(*place),
        }
    }

    /// A multiset as often as the marking says: in a definition, which is watched for what it requires.
    fn times(&mut self, count: &Term, bag: &Bag, slots: &mut [u64]) -> Result<Cases<Counts>, Untranslated> {
        if self.requirements.is_none() {
            return Err(Untranslated::NotLinear);
        }
        let (times, bag) = (self.aside(|it| it.expression(count, slots))?, self.bag(bag, slots)?);
        let nothing = Expression::default();
        let right = |(case, times): &(Predicate, Expression)| {
            let right = Comparison::new(times.clone(), Relation::AtLeast, nothing.clone())?;
            Ok((case.clone(), right.into()))
        };
        let right = times.0.iter().map(right).collect::<Result<_, Untranslated>>()?;
        self.require(alternatives(Cases(right)));
        let multiply = |times: &Expression, counts: &Counts| {
            let each = counts.iter().map(|(value, count)| {
                Ok((value.clone(), Expression::product([times.clone(), count.clone()])?))
            });
            each.collect::<Result<Counts, Untranslated>>()
        };
        times.combine(&bag, multiply).ok_or(Untranslated::TooLarge)?
    }

    /// What a condition or a count is, inside a definition.
    fn aside<T>(&mut self, spell: impl FnOnce(&mut Self) -> T) -> T {
        let requirements = self.requirements.take();
        let spelt = spell(self);
        self.requirements = requirements;
        spelt
    }

    /// Spells out a part that counts only under a condition.
    fn given<T>(&mut self, condition: Predicate, spell: impl FnOnce(&mut Self) -> T) -> T {
        self.under.push(condition);
        let spelt = spell(self);
        self.under.pop();
        spelt
    }

    /// Notes what must be true where the present part of a definition counts.
    fn require(&mut self, right: Predicate) {
        let otherwise = self.under.iter().map(|condition| !condition.clone());
        let required = Predicate::or(otherwise.chain([right]).collect());
        self.requirements.iter_mut().for_each(|all| all.push(required.clone()));
    }

    /// What the definition of a derived place says, and what must be true for it to say something.
    pub(super) fn definition(
        &mut self,
        definition: &Closed<Bag>,
    ) -> Result<(Cases<Counts>, Predicate), Untranslated> {
        let right = std::mem::replace(&mut self.differences_are_right, true);
        let requirements = self.requirements.replace(Vec::new());
        let under = std::mem::take(&mut self.under);
        let bag = self.bag(&definition.body, &mut vec![0; definition.frame]);
        let required = std::mem::replace(&mut self.requirements, requirements).unwrap_or_default();
        (self.under, self.differences_are_right) = (under, right);
        Ok((bag?, Predicate::and(required)))
    }

    /// How many tokens a place has.
    pub(super) fn tokens(&mut self, place: usize) -> Result<Cases<Expression>, Untranslated> {
        let cases = self.place(place)?.0.into_iter();
        let count = |(case, counts): (Predicate, Counts)| Ok((case, Expression::sum(counts.into_values())?));
        cases.map(count).collect::<Result<_, Untranslated>>().map(Cases)
    }

    /// What a place has: a place that is only defined has what its definition says.
    fn place(&mut self, place: usize) -> Result<Cases<Counts>, Untranslated> {
        let definition = self.net.places[place].derived.as_ref();
        if let Some(definition) = definition.filter(|_| self.net.is_only_defined(place)) {
            // What it requires is watched for as a promise of that place.
            return self.definition(definition).map(|(bag, _)| bag);
        }
        let instances = self.unfolding.instances(place);
        self.spend(instances.len())?;
        let unfolding = self.unfolding;
        let counts = instances.map(|p| (Box::from(unfolding.value(place, p)), Expression::place(p)));
        Ok(Cases::always(counts.collect()))
    }
}

/// The sum of two multisets; where both are the same everywhere, without copying the first.
fn join(sum: Cases<Counts>, part: Cases<Counts>) -> Result<Cases<Counts>, Untranslated> {
    if sum.0.len() == 1 && part.0.len() == 1 {
        let (mut sum, part) = (sum.only().unwrap_or_default(), part.only().unwrap_or_default());
        for (value, count) in part {
            let entry = sum.entry(value).or_default();
            *entry = Expression::sum([std::mem::take(entry), count])?;
        }
        return Ok(Cases::always(sum));
    }
    sum.combine(&part, |a, b| add(a, b, 1)).ok_or(Untranslated::TooLarge)?
}

fn add(a: &Counts, b: &Counts, factor: i128) -> Result<Counts, Untranslated> {
    let mut sum = a.clone();
    for (value, count) in b {
        let entry = sum.entry(value.clone()).or_default();
        *entry = Expression::sum([std::mem::take(entry), count.clone().scale(factor)?])?;
    }
    Ok(sum)
}

/// Whether two multisets relate, value by value.
pub(super) fn compare_counts(a: &Counts, b: &Counts, relation: Relation) -> Result<Predicate, Untranslated> {
    let mut parts = Vec::new();
    let none = Expression::default();
    let others = b.keys().filter(|value| !a.contains_key(*value));
    for value in a.keys().chain(others) {
        let (left, right) = (a.get(value).unwrap_or(&none), b.get(value).unwrap_or(&none));
        parts.push(Comparison::new(left.clone(), relation, right.clone())?.into());
    }
    Ok(Predicate::and(parts))
}

/// The predicate that holds where the one of the case that counts does.
pub(super) fn alternatives(cases: Cases<Predicate>) -> Predicate {
    let both = |(case, predicate)| match case {
        Predicate::True => predicate,
        case => Predicate::and(vec![case, predicate]),
    };
    Predicate::or(cases.0.into_iter().map(both).collect())
}

fn arithmetic(
    operator: Arithmetic,
    left: &Cases<Expression>,
    right: &Cases<Expression>,
) -> Result<Cases<Expression>, Untranslated> {
    let combine = |make: &dyn Fn(Expression, Expression) -> Result<Expression, crate::EvalError>| {
        let made = left.combine(right, |a, b| make(a.clone(), b.clone()));
        Ok(made.ok_or(Untranslated::TooLarge)??)
    };
    match operator {
        Arithmetic::Add => combine(&|a, b| Expression::sum([a, b])),
        Arithmetic::Subtract => combine(&|a, b| Expression::sum([a, b.negate()])),
        Arithmetic::Multiply => combine(&|a, b| Expression::product([a, b])),
        Arithmetic::Min | Arithmetic::Max => {
            let relation = if operator == Arithmetic::Min { Relation::AtMost } else { Relation::AtLeast };
            let first = left.combine(right, |a, b| {
                let first = Comparison::new(a.clone(), relation, b.clone())?.into();
                let (a, b) = (Cases::always(a.clone()), Cases::always(b.clone()));
                Cases::choice(first, a, b).ok_or(Untranslated::TooLarge)
            });
            let mut cases = Vec::new();
            for (outer, inner) in first.ok_or(Untranslated::TooLarge)??.0 {
                for (case, it) in inner.0 {
                    cases.push((Predicate::and(vec![outer.clone(), case]), it));
                }
            }
            Ok(Cases(cases))
        }
        Arithmetic::Divide | Arithmetic::Modulo => {
            let divide =
                if operator == Arithmetic::Divide { Expression::quotient } else { Expression::remainder };
            // By what only the marking tells, which may be 0, the coloured engine divides.
            let divided = left.combine(right, |a, b| {
                let divisor = b.as_constant().ok_or(Untranslated::NotLinear)?;
                divide(a.clone(), divisor).ok_or(Untranslated::NotLinear)
            });
            divided.ok_or(Untranslated::TooLarge)?
        }
    }
}

fn relation_of(relation: TermRelation) -> Relation {
    match relation {
        TermRelation::Equal => Relation::Equal,
        TermRelation::NotEqual => Relation::NotEqual,
        TermRelation::Less => Relation::Less,
        TermRelation::LessEqual => Relation::AtMost,
        TermRelation::Greater => Relation::Greater,
        TermRelation::GreaterEqual => Relation::AtLeast,
    }
}
