//! Multisets, and what is asked of them and of the marking.

use super::{Code, Compiler, ENUMERABLE, WordCode};
use crate::fault::Fault;
use crate::frame::Frame;
use crate::term::{Bag, Node, Relation, Term};
use crate::tokens::Draft;
use crate::types::TypeId;

/// A compiled multiset: adds its tokens, so many times, to a draft.
pub type BagCode = Box<dyn Fn(&mut Frame<'_>, &mut Draft, i64) -> Result<(), Fault> + Send + Sync>;

impl Compiler {
    /// Compiles a multiset.
    pub fn bag(&self, bag: &Bag) -> BagCode {
        self.constant(bag).unwrap_or_else(|| self.general(bag))
    }

    /// Compiles a multiset that may be different each time.
    pub(super) fn general(&self, bag: &Bag) -> BagCode {
        match bag {
            Bag::Empty => Box::new(|_, _, _| Ok(())),
            Bag::One(value) => match self.term(value) {
                Code::Word(value) => Box::new(move |frame, draft, times| {
                    draft.words.push(value(frame)?);
                    draft.counts.push(times);
                    Ok(())
                }),
                Code::Wide(value) => Box::new(move |frame, draft, times| {
                    value(frame, &mut draft.words)?;
                    draft.counts.push(times);
                    Ok(())
                }),
            },
            Bag::Times(count, bag) => {
                let (count, bag) = (self.word(count), self.bag(bag));
                Box::new(move |frame, draft, times| {
                    let count = count(frame)? as i64;
                    if count < 0 {
                        return Err(Fault::NegativeCount);
                    }
                    bag(frame, draft, times.checked_mul(count).ok_or(Fault::TooManyTokens)?)
                })
            }
            Bag::Sum(parts) => {
                let parts: Vec<BagCode> = parts.iter().map(|part| self.bag(part)).collect();
                Box::new(move |frame, draft, times| {
                    parts.iter().try_for_each(|part| part(frame, draft, times))
                })
            }
            Bag::Difference(from, what) => {
                let (from, what) = (self.bag(from), self.bag(what));
                Box::new(move |frame, draft, times| {
                    from(frame, draft, times)?;
                    what(frame, draft, -times)
                })
            }
            Bag::All(id) => {
                let size = self.enumerable(*id);
                Box::new(move |frame, draft, times| {
                    let size = size.ok_or(Fault::TooLarge)?;
                    frame.steps(size as usize)?;
                    draft.words.extend(0..size);
                    draft.counts.extend((0..size).map(|_| times));
                    Ok(())
                })
            }
            Bag::For(slot, domain, condition, body) => {
                let (slot, size, body) = (*slot, self.enumerable(*domain), self.bag(body));
                let condition = condition.as_ref().map(|condition| self.condition(condition));
                Box::new(move |frame, draft, times| {
                    for number in 0..size.ok_or(Fault::TooLarge)? {
                        frame.step()?;
                        frame.slots[slot] = number;
                        let counts = match &condition {
                            Some(condition) => condition(frame)?,
                            None => true,
                        };
                        if counts {
                            body(frame, draft, times)?;
                        }
                    }
                    Ok(())
                })
            }
            Bag::If(condition, then, other) => {
                let (condition, then, other) = (self.condition(condition), self.bag(then), self.bag(other));
                Box::new(move |frame, draft, times| match condition(frame)? {
                    true => then(frame, draft, times),
                    false => other(frame, draft, times),
                })
            }
            Bag::Let(slot, value, body) => {
                let (slot, value, body) = (*slot, self.term(value), self.bag(body));
                Box::new(move |frame, draft, times| {
                    value.store(frame, slot)?;
                    body(frame, draft, times)
                })
            }
            Bag::Place(place) => {
                let place = *place;
                Box::new(move |frame, draft, times| {
                    let mut fits = true;
                    let before = draft.counts.len();
                    frame.world()?.tokens(place, &mut |words, count| {
                        let count = i64::try_from(count).ok().and_then(|count| count.checked_mul(times));
                        fits &= count.is_some();
                        draft.words.extend_from_slice(words);
                        draft.counts.push(count.unwrap_or(0));
                    });
                    frame.steps(draft.counts.len() - before)?;
                    fits.then_some(()).ok_or(Fault::TooManyTokens)
                })
            }
        }
    }

    /// The size of a type that can be gone through.
    fn enumerable(&self, id: TypeId) -> Option<u64> {
        self.types().size(id).filter(|size| *size <= ENUMERABLE)
    }

    /// Compiles what asks of multisets and of the marking.
    pub(super) fn question(&self, term: &Term) -> WordCode {
        match &term.node {
            Node::Count(bag) => match &**bag {
                Bag::Place(place) => {
                    let place = *place;
                    Box::new(move |frame| Ok(frame.world()?.total(place)))
                }
                bag => {
                    let (width, bag) = (self.bag_width(bag), self.bag(bag));
                    Box::new(move |frame| {
                        let mut draft = Draft::new(width);
                        bag(frame, &mut draft, 1)?;
                        draft.settle()?;
                        let counts = draft.counts.iter();
                        counts.copied().try_fold(0, i64::checked_add).map(|n| n as u64).ok_or(Fault::Overflow)
                    })
                }
            },
            Node::CountOf(bag, value) => {
                let value_code = self.term(value);
                match &**bag {
                    Bag::Place(place) => {
                        let place = *place;
                        Box::new(move |frame| {
                            let mut words = Vec::with_capacity(1);
                            value_code.push(frame, &mut words)?;
                            Ok(frame.world()?.count(place, &words))
                        })
                    }
                    bag => {
                        let (width, bag) = (self.types().width(self.type_of(value)), self.bag(bag));
                        Box::new(move |frame| {
                            let mut words = Vec::with_capacity(1);
                            value_code.push(frame, &mut words)?;
                            let mut draft = Draft::new(width);
                            bag(frame, &mut draft, 1)?;
                            draft.settle()?;
                            let found = draft.iter().find(|(value, _)| *value == words);
                            Ok(found.map_or(0, |(_, count)| count as u64))
                        })
                    }
                }
            }
            Node::CompareBags(relation, left, right) => self.compare_bags(*relation, left, right),
            Node::Enabled(transition, values) => {
                let transition = *transition;
                let values: Vec<(usize, Code)> =
                    values.iter().map(|(variable, value)| (*variable, self.term(value))).collect();
                Box::new(move |frame| {
                    let mut given = Vec::with_capacity(values.len());
                    for (variable, value) in &values {
                        let mut words = Vec::new();
                        value.push(frame, &mut words)?;
                        given.push((*variable, words));
                    }
                    frame.world()?.is_enabled(transition, &given).map(u64::from)
                })
            }
            Node::Deadlock => Box::new(|frame| frame.world()?.is_dead().map(u64::from)),
            Node::Initial => Box::new(|frame| Ok(u64::from(frame.world()?.is_initial()))),
            _ => Box::new(|frame| Ok(frame.world()?.clock() as u64)),
        }
    }

    fn compare_bags(&self, relation: Relation, left: &Bag, right: &Bag) -> WordCode {
        let width = self.bag_width(left).max(self.bag_width(right));
        let (left, right) = (self.bag(left), self.bag(right));
        Box::new(move |frame| {
            let (mut a, mut b) = (Draft::new(width), Draft::new(width));
            left(frame, &mut a, 1)?;
            right(frame, &mut b, 1)?;
            a.settle()?;
            b.settle()?;
            let includes = |large: &Draft, small: &Draft| {
                small.iter().all(|(value, count)| large.iter().any(|(v, c)| v == value && c >= count))
            };
            let equal = a.words == b.words && a.counts == b.counts;
            Ok(u64::from(match relation {
                Relation::Equal => equal,
                Relation::NotEqual => !equal,
                Relation::LessEqual => includes(&b, &a),
                Relation::Less => !equal && includes(&b, &a),
                Relation::GreaterEqual => includes(&a, &b),
                Relation::Greater => !equal && includes(&a, &b),
            }))
        })
    }

    /// Words of a multiset's values; 1 where nothing tells.
    pub fn bag_width(&self, bag: &Bag) -> usize {
        match bag {
            Bag::Empty => 1,
            Bag::Place(place) => self.width_of(*place),
            Bag::One(value) => self.types().width(self.type_of(value)),
            Bag::Times(_, bag) | Bag::For(_, _, _, bag) | Bag::Let(_, _, bag) => self.bag_width(bag),
            Bag::Sum(parts) => parts.iter().map(|part| self.bag_width(part)).max().unwrap_or(1),
            Bag::Difference(a, b) | Bag::If(_, a, b) => self.bag_width(a).max(self.bag_width(b)),
            Bag::All(id) => self.types().width(*id),
        }
    }
}
