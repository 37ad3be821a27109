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
        let mut forms: Vec<Option<Form>> = vec![None; changes.len()];
        for place in net.place_ids().filter(|place| !changes[place.index()]) {
            forms[place.index()] = Some(Form::Constant(net.place(place).initial));
        }
        let left_out = |it: &&Determined| {
            let place = it.place.index();
            changes[place] && it.factor == 1 && bound(place).is_some() && it.others.len() <= LONGEST
        };
        let mut fields = Vec::new();
        let is_left_out: Vec<usize> = determined.iter().filter(left_out).map(|it| it.place.index()).collect();
        for place in net.place_ids().filter(|place| changes[place.index()]) {
            if is_left_out.contains(&place.index()) {
                continue;
            }
            let initial = net.place(place).initial;
            let proven = bound(place.index());
            let width = bits_for(proven.unwrap_or(initial).max(initial).max(1));
            if width > WIDEST {
                return Err(place);
            }
            forms[place.index()] = Some(Form::Field(fields.len()));
            let owner = Owner::Place(place);
            fields.push(Field { owner, width, proven: proven.is_some(), word: 0, shift: 0 });
        }
        for it in determined.iter().filter(left_out) {
            let sum = sum(it, &forms);
            forms[it.place.index()] = Some(sum.expect("only places that are kept or came before"));
        }
        let forms = forms.into_iter().map(|form| form.expect("every place has its form")).collect();
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

/// A determined place as a sum over fields.
fn sum(it: &Determined, forms: &[Option<Form>]) -> Option<Form> {
    let mut constant = it.constant as u64;
    let mut terms: BTreeMap<usize, u64> = BTreeMap::new();
    let mut add = |field: usize, factor: u64| {
        let sum = terms.entry(field).or_default();
        *sum = sum.wrapping_add(factor);
    };
    for (place, factor) in &it.others {
        let factor = (*factor as u64).wrapping_neg();
        match forms[place.index()].as_ref()? {
            Form::Constant(count) => constant = constant.wrapping_add(factor.wrapping_mul(*count)),
            Form::Field(field) => add(*field, factor),
            Form::Sum(base, more) => {
                constant = constant.wrapping_add(factor.wrapping_mul(*base));
                more.iter().for_each(|(field, times)| add(*field, factor.wrapping_mul(*times)));
            }
        }
    }
    Some(Form::Sum(constant, terms.into_iter().filter(|(_, factor)| *factor != 0).collect()))
}
