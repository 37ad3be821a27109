//! Where the counts of a state are in its key.
//!
//! Places whose count follows from the others' by an invariant are left out. What is left are fields of bits, the
//! marking's above the counts of events that have to be kept ([`recovery`](super::recovery)): sorted keys are sorted by
//! marking.

use std::collections::BTreeMap;

use sweepnet_net::{Net, PlaceId, TransitionId};
use sweepnet_structure::Determined;

use super::number::Number;

/// Sums of more terms than this are not worth leaving a place out.
const LONGEST: usize = 32;

/// The widest field.
const WIDEST: u32 = 60;

/// Where the count of a place comes from.
#[derive(Clone, Debug)]
pub enum Form {
    /// It never changes.
    Constant(u64),
    /// A field.
    Field(usize),
    /// A sum of multiples of fields, in arithmetic that wraps: the result is a count, so it is right.
    Sum(u64, Vec<(usize, u64)>),
}

/// Whose field it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A place's.
    Place(PlaceId),
    /// An event's, which is kept.
    Event(TransitionId),
}

/// A field of bits.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Whose it is.
    pub owner: Owner,
    /// Its bits.
    pub width: u32,
    /// Whether a bound proves that it never overflows.
    pub proven: bool,
    /// The word it lies in, and its lowest bit there.
    pub word: usize,
    /// Its lowest bit there.
    pub shift: u32,
}

impl Field {
    /// Its count.
    #[inline(always)]
    pub fn of<const W: usize>(&self, key: &Number<W>) -> u64 {
        key.0[self.word] >> self.shift & self.most()
    }

    /// The largest count it can hold.
    #[inline(always)]
    pub fn most(&self) -> u64 {
        (1 << self.width) - 1
    }
}

/// See the [module](self).
#[derive(Clone, Debug)]
pub struct Shape {
    /// By place.
    pub forms: Vec<Form>,
    /// The fields of places, and then those of events.
    pub fields: Vec<Field>,
    /// How many of them are places'.
    pub places: usize,
    /// Words of a key.
    pub words: usize,
}

impl Shape {
    /// Fields for the places that change, as wide as their bounds, and no event's. A place that holds too many tokens is
    /// the error.
    pub fn new(
        net: &Net,
        changes: &[bool],
        bounds: &[Option<u64>],
        determined: &[Determined],
    ) -> Result<Self, PlaceId> {
        let bound = |place: usize| bounds.get(place).copied().flatten();
        let mut left_out: Vec<Option<Sum>> = vec![None; changes.len()];
        for it in determined {
            let place = it.place.index();
            if changes[place] && it.factor == 1 && bound(place).is_some() {
                left_out[place] = Sum::of(it, net, changes, &left_out);
            }
        }
        let mut fields = Vec::new();
        // Of a place that is left out, its form is a sum, and its field is never looked at.
        let mut field_of = vec![usize::MAX; changes.len()];
        for place in net.place_ids().filter(|place| changes[place.index()]) {
            if left_out[place.index()].is_some() {
                continue;
            }
            let initial = net.place(place).initial;
            let proven = bound(place.index());
            let width = bits_for(proven.unwrap_or(initial).max(initial).max(1));
            if width > WIDEST {
                return Err(place);
            }
            field_of[place.index()] = fields.len();
            let owner = Owner::Place(place);
            fields.push(Field { owner, width, proven: proven.is_some(), word: 0, shift: 0 });
        }
        let form = |(place, sum): (PlaceId, Option<Sum>)| match sum {
            Some(Sum { constant, terms }) => {
                Form::Sum(constant, terms.into_iter().map(|(place, by)| (field_of[place], by)).collect())
            }
            None if changes[place.index()] => Form::Field(field_of[place.index()]),
            None => Form::Constant(net.place(place).initial),
        };
        let forms = net.place_ids().zip(left_out).map(form).collect();
        let places = fields.len();
        let mut shape = Self { forms, fields, places, words: 1 };
        shape.lay();
        Ok(shape)
    }

    /// Gives each field its bits, the first field the highest.
    fn lay(&mut self) {
        let (mut word, mut shift) = (0, 0);
        let (places, events) = self.fields.split_at_mut(self.places);
        for field in events.iter_mut().rev().chain(places.iter_mut().rev()) {
            if shift + field.width > 64 {
                (word, shift) = (word + 1, 0);
            }
            (field.word, field.shift) = (word, shift);
            shift += field.width;
        }
        self.words = word + 1;
    }

    /// The same with room for a count in a field; nothing if that would be too wide.
    pub fn widened(&self, field: usize, count: u64) -> Option<Self> {
        let mut wider = self.clone();
        let width = bits_for(count).max(self.fields[field].width + 1);
        wider.fields[field].width = width;
        wider.lay();
        (width <= WIDEST).then_some(wider)
    }

    /// The same with counts of more events.
    pub fn with_events(&self, events: impl Iterator<Item = (usize, u64)>) -> Self {
        let mut more = self.clone();
        for (event, most) in events {
            let owner = Owner::Event(TransitionId::new(event));
            let width = bits_for(most.max(1));
            more.fields.push(Field { owner, width, proven: false, word: 0, shift: 0 });
        }
        more.lay();
        more
    }

    /// The field of an event's count.
    pub fn event(&self, event: usize) -> Option<&Field> {
        let owner = Owner::Event(TransitionId::new(event));
        self.fields[self.places..].iter().find(|field| field.owner == owner)
    }

    /// Bits of a key.
    pub fn bits(&self) -> usize {
        self.fields
            .iter()
            .map(|field| field.word * 64 + (field.shift + field.width) as usize)
            .max()
            .unwrap_or(0)
    }

    /// The bits of a key that are the marking's.
    pub fn mask<const W: usize>(&self) -> Number<W> {
        let mut mask = Number([u64::MAX; W]);
        for field in &self.fields[self.places..] {
            mask.0[field.word] &= !(field.most() << field.shift);
        }
        mask
    }

    /// Writes the counts of all places.
    #[inline]
    pub fn counts<const W: usize>(&self, key: &Number<W>, into: &mut [u64]) {
        for (form, count) in self.forms.iter().zip(into) {
            *count = match form {
                Form::Constant(count) => *count,
                Form::Field(field) => self.fields[*field].of(key),
                Form::Sum(constant, terms) => self.sum(*constant, terms, key),
            };
        }
    }

    #[inline]
    fn sum<const W: usize>(&self, constant: u64, terms: &[(usize, u64)], key: &Number<W>) -> u64 {
        terms.iter().fold(constant, |sum, (field, factor)| {
            sum.wrapping_add(factor.wrapping_mul(self.fields[*field].of(key)))
        })
    }
}

/// The bits of a count.
fn bits_for(count: u64) -> u32 {
    64 - count.leading_zeros()
}

/// The count of a place that is left out, by those of others, which are not.
#[derive(Clone, Debug)]
struct Sum {
    constant: u64,
    /// Places and factors.
    terms: Vec<(usize, u64)>,
}

impl Sum {
    /// The sum of a determined place, given those of places left out before; nothing if it has too many terms.
    fn of(it: &Determined, net: &Net, changes: &[bool], left_out: &[Option<Self>]) -> Option<Self> {
        if it.others.len() > LONGEST {
            return None;
        }
        let mut constant = it.constant as u64;
        let mut terms: BTreeMap<usize, u64> = BTreeMap::new();
        let mut add = |place: usize, factor: u64| {
            let sum = terms.entry(place).or_default();
            *sum = sum.wrapping_add(factor);
        };
        for (place, factor) in &it.others {
            let (at, factor) = (place.index(), (*factor as u64).wrapping_neg());
            match &left_out[at] {
                Some(other) => {
                    constant = constant.wrapping_add(factor.wrapping_mul(other.constant));
                    other.terms.iter().for_each(|(place, times)| add(*place, factor.wrapping_mul(*times)));
                }
                None if changes[at] => add(at, factor),
                None => constant = constant.wrapping_add(factor.wrapping_mul(net.place(*place).initial)),
            }
        }
        let terms: Vec<(usize, u64)> = terms.into_iter().filter(|(_, factor)| *factor != 0).collect();
        (terms.len() <= LONGEST).then_some(Self { constant, terms })
    }
}

#[cfg(test)]
mod tests {
    use sweepnet_structure::Structure;
    use sweepnet_testkit::nets::philosophers;

    use super::*;

    #[test]
    fn sums_stay_short_where_each_place_follows_from_the_one_before() {
        let net = philosophers(200);
        let structure = Structure::of(&net, Default::default());
        let determined = structure.determined_places(&net);
        let bounds: Vec<Option<u64>> = vec![Some(1); net.places().len()];
        let changes = vec![true; net.places().len()];
        let shape = Shape::new(&net, &changes, &bounds, &determined).unwrap();
        let terms = |form: &Form| if let Form::Sum(_, terms) = form { terms.len() } else { 0 };
        assert!(shape.forms.iter().all(|form| terms(form) <= LONGEST));
        // Places are left out all the same, and their counts can be told.
        assert!(shape.places < net.places().len());
        let mut key = Number::<16>::ZERO;
        assert!(shape.words <= 16);
        for field in &shape.fields {
            if let Owner::Place(place) = field.owner {
                key.0[field.word] |= net.place(place).initial << field.shift;
            }
        }
        let mut counts = vec![u64::MAX; net.places().len()];
        shape.counts(&key, &mut counts);
        let initial: Vec<u64> = net.place_ids().map(|place| net.place(place).initial).collect();
        assert_eq!(counts, initial);
    }
}
