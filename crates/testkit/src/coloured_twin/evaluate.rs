//! Terms and multisets, evaluated by walking them. Nothing comes out where there is no value.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use sweepnet_colour::term::{Arithmetic, Bag, Node, Quantifier, Relation, Slot, Term};
use sweepnet_colour::{ColouredNet, TypeId, Value};

use super::{Multiset, State, collections};

/// The values of variables.
pub type Binding = BTreeMap<Slot, Value>;

/// What a term is evaluated in.
#[derive(Clone)]
pub struct Within<'a> {
    /// The net.
    pub net: &'a ColouredNet,
    /// The marking.
    pub state: &'a State,
    /// The variables.
    pub binding: Binding,
}

impl Within<'_> {
    fn with(&self, slot: Slot, value: Value) -> Self {
        let mut inner = self.clone();
        inner.binding.insert(slot, value);
        inner
    }

    /// All values of a type, in order.
    fn values(&self, id: TypeId) -> Option<Vec<Value>> {
        let size = self.net.types.size(id)?;
        Some((0..size).map(|number| self.net.types.decode(id, &[number])).collect())
    }

    fn fits(&self, id: Option<TypeId>, value: Value) -> Option<Value> {
        self.net.types.encode(id?, &value, &mut Vec::new()).then_some(value)
    }

    fn int(&self, term: &Term) -> Option<i64> {
        match self.term(term)? {
            Value::Int(n) => Some(n),
            _ => None,
        }
    }

    fn truth(&self, term: &Term) -> Option<bool> {
        Some(self.term(term)? == Value::Bool(true))
    }

    fn parts(&self, terms: &[Term]) -> Option<Vec<Value>> {
        terms.iter().map(|term| self.term(term)).collect()
    }

    fn components(&self, term: &Term) -> Option<Vec<Value>> {
        match self.term(term)? {
            Value::Struct(values) => Some(values),
            _ => None,
        }
    }

    /// The position of a value among those of its type.
    fn position(&self, term: &Term) -> Option<usize> {
        let value = self.term(term)?;
        self.values(term.type_of()?)?.iter().position(|other| *other == value)
    }

    /// The value of a term.
    pub fn term(&self, term: &Term) -> Option<Value> {
        let id = term.type_of();
        Some(match &term.node {
            Node::Integer(n) => Value::Int(*n),
            Node::Constant(words) => self.net.types.decode(id?, words),
            Node::Variable(slot) => self.binding.get(slot)?.clone(),
            // The integer that a value of a range is, is what its tree says.
            Node::Widen(value) => self.term(value)?,
            Node::Narrow(value) | Node::Convert(value) => self.fits(id, self.term(value)?)?,
            Node::Arithmetic(operator, a, b) => Value::Int(calculate(*operator, self.int(a)?, self.int(b)?)?),
            Node::Compare(relation, a, b) => {
                Value::Bool(relation.holds(compare(&self.term(a)?, &self.term(b)?)))
            }
            Node::Not(a) => Value::Bool(!self.truth(a)?),
            Node::And(parts) => {
                for part in parts {
                    if !self.truth(part)? {
                        return Some(Value::Bool(false));
                    }
                }
                Value::Bool(true)
            }
            Node::Or(parts) => {
                for part in parts {
                    if self.truth(part)? {
                        return Some(Value::Bool(true));
                    }
                }
                Value::Bool(false)
            }
            Node::If(condition, a, b) => self.term(if self.truth(condition)? { a } else { b })?,
            Node::Let(slot, value, body) => self.with(*slot, self.term(value)?).term(body)?,
            Node::Struct(parts) => Value::Struct(self.parts(parts)?),
            Node::Field(whole, at) => self.components(whole)?.get(*at)?.clone(),
            Node::WithField(whole, at, value) => {
                let mut parts = self.components(whole)?;
                *parts.get_mut(*at)? = self.term(value)?;
                Value::Struct(parts)
            }
            Node::Element(whole, index) => self.components(whole)?.get(self.position(index)?)?.clone(),
            Node::WithElement(whole, index, value) => {
                let mut parts = self.components(whole)?;
                *parts.get_mut(self.position(index)?)? = self.term(value)?;
                Value::Struct(parts)
            }
            Node::Fill(slot, body) => {
                let sweepnet_colour::Shape::Array { index, .. } = self.net.types.shape(id?) else {
                    return None;
                };
                let fill = |value| self.with(*slot, value).term(body);
                Value::Struct(self.values(*index)?.into_iter().map(fill).collect::<Option<_>>()?)
            }
            Node::Variant(variant, content) => Value::Variant(
                *variant,
                match content {
                    Some(content) => Some(Box::new(self.term(content)?)),
                    None => None,
                },
            ),
            Node::Is(value, variant) => {
                Value::Bool(matches!(self.term(value)?, Value::Variant(of, _) if of == *variant))
            }
            Node::Content(value, variant) => match self.term(value)? {
                Value::Variant(of, Some(content)) if of == *variant => *content,
                _ => return None,
            },
            Node::List(parts) => {
                let parts = self.parts(parts)?;
                self.fits(id, Value::List(parts.len(), parts))?
            }
            Node::Set(parts) => collections::set(self.parts(parts)?),
            Node::SetOf(slot, domain, condition, value) => {
                let mut elements = Vec::new();
                for element in self.values(*domain)? {
                    let inner = self.with(*slot, element);
                    if inner.truth(condition)? {
                        elements.push(inner.term(value)?);
                    }
                }
                collections::set(elements)
            }
            Node::Collection(operation, operands) => {
                let value = collections::apply(*operation, self.parts(operands)?)?;
                match value {
                    // A list may have become too long.
                    Value::List(..) => self.fits(id, value)?,
                    value => value,
                }
            }
            Node::Step { from, by, wraps } => {
                let values = self.values(id?)?;
                let to = self.position(from)? as i128 + i128::from(*by);
                let size = values.len() as i128;
                let to = if *wraps { to.rem_euclid(size) } else { to };
                values.get(usize::try_from(to).ok()?)?.clone()
            }
            Node::Quantified(quantifier, slot, domain, body) => {
                let mut sum = 0i64;
                for value in self.values(*domain)? {
                    let inner = self.with(*slot, value);
                    match quantifier {
                        Quantifier::Sum => sum = sum.checked_add(inner.int(body)?)?,
                        Quantifier::Forall if !inner.truth(body)? => return Some(Value::Bool(false)),
                        Quantifier::Exists if inner.truth(body)? => return Some(Value::Bool(true)),
                        _ => {}
                    }
                }
                match quantifier {
                    Quantifier::Sum => Value::Int(sum),
                    Quantifier::Forall => Value::Bool(true),
                    Quantifier::Exists => Value::Bool(false),
                }
            }
            Node::Count(bag) => Value::Int(self.bag(bag)?.values().sum::<u64>() as i64),
            Node::CountOf(bag, value) => {
                Value::Int(self.bag(bag)?.get(&self.term(value)?).copied().unwrap_or(0) as i64)
            }
            Node::CompareBags(relation, a, b) => {
                Value::Bool(compare_bags(*relation, &self.bag(a)?, &self.bag(b)?))
            }
            // Not in what fires.
            Node::Enabled(..) | Node::Deadlock | Node::Initial | Node::Clock => return None,
        })
    }

    /// The tokens of a multiset.
    pub fn bag(&self, bag: &Bag) -> Option<Multiset> {
        let mut signed = BTreeMap::new();
        self.collect(bag, 1, &mut signed)?;
        let counts = signed.into_iter().filter(|(_, count)| *count != 0);
        counts.map(|(value, count)| Some((value, u64::try_from(count).ok()?))).collect()
    }

    fn collect(&self, bag: &Bag, times: i128, out: &mut BTreeMap<Value, i128>) -> Option<()> {
        let mut add = |value: Value, count: i128| *out.entry(value).or_insert(0) += count;
        match bag {
            Bag::Empty => {}
            Bag::One(value) => add(self.term(value)?, times),
            Bag::Times(count, bag) => {
                let count = self.int(count).filter(|count| *count >= 0)?;
                self.collect(bag, times * i128::from(count), out)?;
            }
            Bag::Sum(parts) => parts.iter().try_for_each(|part| self.collect(part, times, out))?,
            Bag::Difference(a, b) => {
                self.collect(a, times, out)?;
                self.collect(b, -times, out)?;
            }
            Bag::All(id) => self.values(*id)?.into_iter().for_each(|value| add(value, times)),
            Bag::For(slot, domain, condition, body) => {
                for value in self.values(*domain)? {
                    let inner = self.with(*slot, value);
                    let counts = match condition {
                        Some(condition) => inner.truth(condition)?,
                        None => true,
                    };
                    if counts {
                        inner.collect(body, times, out)?;
                    }
                }
            }
            Bag::If(condition, a, b) => {
                self.collect(if self.truth(condition)? { a } else { b }, times, out)?
            }
            Bag::Let(slot, value, body) => {
                self.with(*slot, self.term(value)?).collect(body, times, out)?;
            }
            Bag::Place(place) => {
                self.state[*place].iter().for_each(|(value, n)| add(value.clone(), times * i128::from(*n)));
            }
        }
        Some(())
    }
}

/// The order of values: that of trees, but for sets, whose largest element decides.
fn compare(a: &Value, b: &Value) -> Ordering {
    let many = |a: &[Value], b: &[Value]| {
        let differences = a.iter().zip(b).map(|(a, b)| compare(a, b));
        differences.into_iter().find(|order| order.is_ne()).unwrap_or(a.len().cmp(&b.len()))
    };
    match (a, b) {
        (Value::Set(a), Value::Set(b)) => {
            let reversed = |values: &[Value]| values.iter().rev().cloned().collect::<Vec<_>>();
            many(&reversed(a), &reversed(b))
        }
        (Value::Struct(a), Value::Struct(b)) => many(a, b),
        (Value::List(m, a), Value::List(n, b)) => m.cmp(n).then_with(|| many(a, b)),
        (Value::Variant(m, Some(a)), Value::Variant(n, Some(b))) => m.cmp(n).then_with(|| compare(a, b)),
        (a, b) => a.cmp(b),
    }
}

fn compare_bags(relation: Relation, a: &Multiset, b: &Multiset) -> bool {
    let includes = |large: &Multiset, small: &Multiset| {
        small.iter().all(|(value, count)| large.get(value).copied().unwrap_or(0) >= *count)
    };
    match relation {
        Relation::Equal => a == b,
        Relation::NotEqual => a != b,
        Relation::LessEqual => includes(b, a),
        Relation::Less => a != b && includes(b, a),
        Relation::GreaterEqual => includes(a, b),
        Relation::Greater => a != b && includes(a, b),
    }
}

fn calculate(operator: Arithmetic, a: i64, b: i64) -> Option<i64> {
    let (wide_a, wide_b) = (i128::from(a), i128::from(b));
    // Rounded down: the rest has the sign of the divisor.
    let floor = || (b != 0).then(|| (wide_a - (wide_a % wide_b + wide_b) % wide_b) / wide_b);
    let result = match operator {
        Arithmetic::Add => wide_a + wide_b,
        Arithmetic::Subtract => wide_a - wide_b,
        Arithmetic::Multiply => wide_a * wide_b,
        Arithmetic::Divide => floor()?,
        Arithmetic::Modulo => wide_a - floor()? * wide_b,
        Arithmetic::Min => wide_a.min(wide_b),
        Arithmetic::Max => wide_a.max(wide_b),
    };
    i64::try_from(result).ok()
}
