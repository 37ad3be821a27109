//! The multiset codec: a coloured marking as a short bit string, after M. Mäkelä, "Condensed Storage of Multi-Set
//! Sequences" (2000), bit for bit where the paper speaks.
//!
//! A marking is the concatenation of its places' multisets, padded to a whole byte. The multiset of a place is
//!
//! 1. its cardinality t. Without a capacity: a bit that tells whether t > 0, then 4, 10, 19 or 68 bits for t up to 8,
//!    264, 65800 and beyond. With a capacity that allows m numbers: ⌈log2 m⌉ bits, and if they are more than 2 and 0
//!    is allowed, a bit before them that tells whether they are there. If t = 0, that is all;
//! 2. the number d of distinct items, 1 ≤ d ≤ t, in ⌈log2 t⌉ bits;
//! 3. the multiplicities in descending order. The greatest of d that sum up to t lies between ⌈t/d⌉ and 1 + t - d, so
//!    it takes ⌈log2(2 + t - d - ⌈t/d⌉)⌉ bits; the others follow in the same way, with what is left of t and d. The
//!    last one takes none, and none takes any if d = 1 or d = t;
//! 4. the items, ⌈log2 |D|⌉ bits for a type D whose values have numbers, else component by component: a struct's
//!    fields, an array's elements, a list's length and elements, a union's variant and content, a set's bits.
//!
//! Items stand in the order of descending multiplicity; the paper leaves open which of two with the same multiplicity
//! comes first. Here it is the smaller one, so that equal markings have equal strings and a set of strings is a set of
//! markings. Derived places take no bits: [`Machine::derive`](sweepnet_colour::Machine::derive) computes them again.
//!
//! The paper has no time. Here a token of a timed place has one more component, its waiting time, and a marking whose
//! time matters begins with the clock; both are written like cardinalities without a capacity, 0 in one bit.

use std::cmp::Reverse;

use sweepnet_colour::{ColouredNet, Fault, Marking, Tokens};

use super::bits::{BitReader, BitWriter, bits_for};
use super::counts::{Cardinality, pull_count, push_count};
use super::items::Item;

/// What the codec makes use of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodecOptions {
    /// Capacities, to write cardinalities in fewer bits (the paper's "cap.").
    pub capacities: bool,
    /// That derived places need not be written (the paper's "red.").
    pub derived: bool,
}

impl Default for CodecOptions {
    fn default() -> Self {
        Self { capacities: true, derived: true }
    }
}

/// See the [module](self).
#[derive(Clone, Debug)]
pub struct MultisetCodec {
    /// How each place is written; nothing if it is not.
    places: Vec<Option<PlaceCode>>,
    has_clock: bool,
}

#[derive(Clone, Debug)]
struct PlaceCode {
    cardinality: Cardinality,
    item: Item,
    timed: bool,
}

/// Memory that is used again and again.
#[derive(Debug, Default)]
pub struct CodecScratch {
    out: BitWriter,
    order: Vec<u32>,
    counts: Vec<u64>,
    words: Vec<u64>,
}

impl MultisetCodec {
    /// The codec for the markings of a net whose time, if it has any, does not matter.
    pub fn new(net: &ColouredNet, options: CodecOptions) -> Self {
        let code = |place: &sweepnet_colour::Place| {
            // What is derived has no times, so a place with times is written in any case.
            let left_out = options.derived && place.derived.is_some() && !place.timed;
            let capacity = place.capacity.as_deref().filter(|_| options.capacities);
            (!left_out).then(|| PlaceCode {
                cardinality: Cardinality::new(capacity),
                item: Item::new(&net.types, place.type_),
                timed: place.timed,
            })
        };
        Self { places: net.places.iter().map(code).collect(), has_clock: false }
    }

    /// The same for markings with the time.
    pub fn with_clock(self) -> Self {
        Self { has_clock: true, ..self }
    }

    /// The bytes of a marking that has what its capacities and definitions say. An error if a place has more than
    /// 2^64 - 1 tokens.
    pub fn encode<'s>(&self, marking: &Marking, scratch: &'s mut CodecScratch) -> Result<&'s [u8], Fault> {
        let CodecScratch { out, order, .. } = scratch;
        out.clear();
        if self.has_clock {
            // The clock begins with 0 and never goes back.
            push_count(out, marking.clock as u64);
        }
        for (code, tokens) in self.places.iter().zip(&marking.places) {
            if let Some(code) = code {
                code.push(tokens, out, order)?;
            }
        }
        Ok(out.finish())
    }

    /// The marking of bytes that [`encode`](Self::encode) gave, but for its derived places, which it leaves as they
    /// are. The marking must be one of the net.
    pub fn decode(&self, bytes: &[u8], marking: &mut Marking, scratch: &mut CodecScratch) {
        let CodecScratch { counts, words, .. } = scratch;
        let mut from = BitReader::new(bytes);
        marking.clock = if self.has_clock { pull_count(&mut from) as i64 } else { 0 };
        for (code, tokens) in self.places.iter().zip(&mut marking.places) {
            if let Some(code) = code {
                code.pull(&mut from, tokens, counts, words);
            }
        }
    }
}

impl PlaceCode {
    #[inline]
    fn push(&self, tokens: &Tokens, out: &mut BitWriter, order: &mut Vec<u32>) -> Result<(), Fault> {
        let (mut total, mut is_set) = (0u64, true);
        for (_, count) in tokens.iter() {
            total = total.checked_add(count).ok_or(Fault::TooManyTokens)?;
            is_set &= count == 1;
        }
        self.cardinality.push(out, total);
        let distinct = tokens.len() as u64;
        if total == 0 {
            return Ok(());
        }
        out.push(distinct - 1, bits_for(u128::from(total)));
        if is_set || distinct == 1 {
            tokens.iter().for_each(|(value, _)| self.push_item(value, out));
            return Ok(());
        }
        order.clear();
        order.extend(0..distinct as u32);
        order.sort_by_key(|token| Reverse(tokens.count_at(*token as usize)));
        let mut left = total;
        for (at, token) in order.iter().enumerate() {
            let count = tokens.count_at(*token as usize);
            let (least, bits) = greatest(left, distinct - at as u64);
            out.push(count - least, bits);
            left -= count;
        }
        order.iter().for_each(|token| self.push_item(tokens.value(*token as usize), out));
        Ok(())
    }

    #[inline]
    fn push_item(&self, value: &[u64], out: &mut BitWriter) {
        let rest = self.item.push(value, out);
        if let (true, [wait]) = (self.timed, rest) {
            push_count(out, *wait);
        }
    }

    #[inline]
    fn pull(
        &self,
        from: &mut BitReader<'_>,
        tokens: &mut Tokens,
        counts: &mut Vec<u64>,
        words: &mut Vec<u64>,
    ) {
        tokens.clear();
        let total = self.cardinality.pull(from);
        if total == 0 {
            return;
        }
        let distinct = from.pull(bits_for(u128::from(total))) + 1;
        counts.clear();
        if distinct == total {
            counts.resize(distinct as usize, 1);
        } else {
            let mut left = total;
            for others in (0..distinct).rev() {
                let (least, bits) = greatest(left, others + 1);
                let count = least + from.pull(bits);
                counts.push(count);
                left -= count;
            }
        }
        let in_order = counts.first() == counts.last();
        for count in counts {
            words.clear();
            self.item.pull(from, words);
            if self.timed {
                words.push(pull_count(from));
            }
            if in_order {
                tokens.push_last(words, *count);
            } else {
                tokens.add(words, *count).expect("each value comes once");
            }
        }
    }
}

/// The least that the greatest of `distinct` multiplicities with this sum can be, and the bits for what it is more.
#[inline]
fn greatest(total: u64, distinct: u64) -> (u64, u32) {
    let least = total.div_ceil(distinct);
    (least, bits_for(u128::from(total) + 2 - u128::from(distinct) - u128::from(least)))
}
