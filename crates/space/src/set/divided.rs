//! A set divided into parts by the leading bits of a scattered rank, each with a lock of its own.
//!
//! Candidates wait in a buffer per part. When a buffer is full, its part is locked once for all of them; what they
//! look at lies close together, and is touched for all of them before it is read for the first. A part that grows
//! makes a copy of itself alone, so there are never two copies of the whole set.

use std::sync::PoisonError;

use super::admission::Admission;
use super::mixing::Mixer;
use super::parts::Parts;
use super::sorting::Sorter;
use super::words::{field, low, marked, put, split};
use super::{RankSet, Shape, TAG_BITS, Taker};
use crate::sync::Mutex;
use crate::{Budget, Full};

/// Candidates that wait for one part.
const BUFFER: usize = 56;

/// The most parts, as a power of two.
const MOST_PARTS: u32 = 7;

/// Members that are worth a part, as a power of two.
pub(crate) const MEMBERS_OF_A_PART: u32 = 12;

/// One part of a [`Divided`] set: an exact set of keys that are spread evenly.
pub trait Part<const W: usize>: Send + Sized {
    /// An empty part for keys of so many bits: with a tag and one more bit they fit into their words.
    fn new(bits: u32, tagged: bool, budget: &Budget) -> Result<Self, Full>;

    /// Reads a little of what an insertion of this key will look at, so that it is at hand then.
    fn touch(&self, key: &[u64; W]) -> u64;

    /// Puts a key in unless it is there, if there is a place for it; tells whether it was not there. The
    /// tag is 0 in a part without tags. On a refusal the part holds what it held.
    fn insert(&mut self, key: &[u64; W], tag: u8, admission: &Admission) -> Result<bool, Full>;

    /// Puts keys in that are not there, all different and in ascending order, each with its tag as a mark above it. In
    /// the end there will be about so many.
    fn absorb(&mut self, members: &[[u64; W]], expected: u64) -> Result<(), Full>;

    /// The tag of a key that is there.
    fn tag_of(&self, key: &[u64; W]) -> Option<u8>;

    /// The bytes it holds elsewhere, without itself.
    fn bytes(&self) -> usize;

    /// Shows all keys, with their tags, until one is refused.
    fn for_each(&self, take: &mut dyn FnMut([u64; W], u8) -> Result<(), Full>) -> Result<(), Full>;
}

/// See the [module](self).
#[derive(Debug)]
pub struct Divided<P, const W: usize> {
    parts: Parts<P>,
    mixer: Mixer<W>,
    /// Bits of a key within its part.
    key_bits: u32,
    /// Bits that choose the part.
    part_bits: u32,
    tagged: bool,
    admission: Admission,
}

/// Ranks on their way into a [`Divided`] set, scattered already.
#[derive(Debug)]
pub struct Candidates<const W: usize> {
    /// The buffers of all parts, one after another.
    waiting: Vec<[u64; W]>,
    parts: Vec<Buffer>,
    /// The parts that got candidates since the last flush.
    dirty: Vec<u16>,
    /// Those that came when their buffer was full and its part refused them.
    late: Vec<[u64; W]>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Buffer {
    len: u8,
    dirty: bool,
}

impl<P: Part<W>, const W: usize> Divided<P, W> {
    /// A set that hands ranks to its parts as they are, to see what happens when they are not spread evenly.
    #[doc(hidden)]
    pub fn unmixed(shape: &Shape) -> Result<Self, Full> {
        Self::with_mixer(shape, Mixer::identity(shape.bits))
    }

    fn with_mixer(shape: &Shape, mixer: Mixer<W>) -> Result<Self, Full> {
        assert!(shape.bits as usize <= 64 * W, "ranks have at most {W} words");
        let part_bits = part_bits::<W>(shape.bits, shape.tagged, shape.expected);
        let key_bits = shape.bits - part_bits;
        let part = || P::new(key_bits, shape.tagged, &shape.budget);
        let parts = Parts::new(1 << part_bits, &shape.budget, part)?;
        let admission = Admission::new(0, shape.most);
        Ok(Self { parts, mixer, key_bits, part_bits, tagged: shape.tagged, admission })
    }

    /// Bits of a rank.
    #[inline(always)]
    fn bits(&self) -> u32 {
        self.key_bits + self.part_bits
    }

    /// Scatters a rank and leaves its mark where it is.
    #[inline(always)]
    fn mix(&self, candidate: [u64; W]) -> [u64; W] {
        let (rank, mark) = split(&candidate, self.bits());
        marked(self.mixer.mix(rank), self.bits(), mark)
    }

    /// The opposite of [`mix`](Self::mix).
    #[inline(always)]
    fn unmix(&self, mixed: [u64; W]) -> [u64; W] {
        let (mixed, mark) = split(&mixed, self.bits());
        marked(self.mixer.unmix(mixed), self.bits(), mark)
    }

    #[inline(always)]
    fn part_of(&self, mixed: &[u64; W]) -> usize {
        field(mixed, self.key_bits, self.part_bits) as usize
    }

    /// Puts keys of one part in that are not there, with their tags as marks.
    fn absorb(
        &self,
        part: usize,
        members: &[[u64; W]],
        expected: u64,
        sorter: &mut Sorter<W>,
    ) -> Result<(), Full> {
        let members = sorter.sort(members, self.key_bits);
        self.admission.admit(members.len() as u64)?;
        self.parts[part].lock().unwrap_or_else(PoisonError::into_inner).absorb(members, expected)
    }

    /// Puts the candidates for a part in.
    fn insert_all(
        &self,
        outbox: &mut Candidates<W>,
        part: usize,
        tag: u8,
        found: &mut impl FnMut([u64; W]),
    ) -> Result<(), Full> {
        let count = usize::from(outbox.parts[part].len);
        if count == 0 {
            return Ok(());
        }
        let waiting = &mut outbox.waiting[part * BUFFER..][..count];
        let tag = if self.tagged { tag } else { 0 };
        let mut new = 0;
        let mut done = 0;
        let mut outcome = Ok(());
        {
            let mut part = self.parts[part].lock().unwrap_or_else(PoisonError::into_inner);
            let touched = waiting.iter().fold(0, |sum, mixed| sum ^ part.touch(&low(mixed, self.key_bits)));
            std::hint::black_box(touched);
            while done < count {
                match part.insert(&low(&waiting[done], self.key_bits), tag, &self.admission) {
                    Ok(is_new) => {
                        // The new ones gather in front, where candidates were that are dealt with.
                        waiting[new] = waiting[done];
                        new += usize::from(is_new);
                        done += 1;
                    }
                    Err(full) => {
                        outcome = Err(full);
                        break;
                    }
                }
            }
        }
        self.admission.settle(new as u64);
        for mixed in &waiting[..new] {
            found(self.unmix(*mixed));
        }
        waiting.copy_within(done.., 0);
        outbox.parts[part].len = (count - done) as u8;
        outcome
    }
}

/// How many parts a set of so many ranks of so many bits has, as a power of two. Each takes some hundred bytes, which
/// members must be worth. A key and its tag leave a bit of its words free.
fn part_bits<const W: usize>(bits: u32, tagged: bool, members: u64) -> u32 {
    let worth = (members >> MEMBERS_OF_A_PART).checked_ilog2().unwrap_or(0);
    let tag = if tagged { TAG_BITS } else { 0 };
    let least = (bits + tag + 1).saturating_sub(64 * W as u32);
    worth.min(bits.saturating_sub(12)).clamp(least, MOST_PARTS)
}

impl<P: Part<W>, const W: usize> RankSet<W> for Divided<P, W> {
    type Outbox = Candidates<W>;
    const IS_DEAR: bool = true;

    fn new(shape: &Shape) -> Result<Self, Full> {
        Self::with_mixer(shape, Mixer::new(shape.bits))
    }

    fn parts(&self) -> usize {
        self.parts.len()
    }

    fn is_coarse(&self, members: u64) -> bool {
        // It is not made anew for little.
        part_bits::<W>(self.bits(), self.tagged, members) > self.part_bits + 1
    }

    fn outbox(&self) -> Candidates<W> {
        Candidates {
            waiting: vec![[0; W]; self.parts.len() * BUFFER],
            parts: vec![Buffer::default(); self.parts.len()],
            dirty: Vec::with_capacity(self.parts.len()),
            late: Vec::new(),
        }
    }

    #[inline]
    fn send(
        &self,
        outbox: &mut Candidates<W>,
        rank: [u64; W],
        tag: u8,
        found: &mut impl FnMut([u64; W]),
    ) -> Result<(), Full> {
        let mixed = self.mix(rank);
        let part = self.part_of(&mixed);
        let buffer = &mut outbox.parts[part];
        let at = usize::from(buffer.len);
        if at == BUFFER {
            outbox.late.push(mixed);
            return self.flush(outbox, tag, found);
        }
        buffer.len += 1;
        if !buffer.dirty {
            buffer.dirty = true;
            outbox.dirty.push(part as u16);
        }
        outbox.waiting[part * BUFFER + at] = mixed;
        if at + 1 == BUFFER { self.insert_all(outbox, part, tag, found) } else { Ok(()) }
    }

    fn flush(
        &self,
        outbox: &mut Candidates<W>,
        tag: u8,
        found: &mut impl FnMut([u64; W]),
    ) -> Result<(), Full> {
        while let Some(part) = outbox.dirty.last() {
            let part = usize::from(*part);
            self.insert_all(outbox, part, tag, found)?;
            outbox.parts[part].dirty = false;
            outbox.dirty.pop();
        }
        while let Some(mixed) = outbox.late.pop() {
            let rank = self.unmix(mixed);
            // Its buffer is empty: it fits, and goes in with the next flush.
            self.send(outbox, rank, tag, found)?;
        }
        if outbox.dirty.is_empty() { Ok(()) } else { self.flush(outbox, tag, found) }
    }

    fn take_back(&self, outbox: &mut Candidates<W>, into: &mut Vec<[u64; W]>) {
        for part in outbox.dirty.drain(..).map(usize::from) {
            let Buffer { len, .. } = std::mem::take(&mut outbox.parts[part]);
            let waiting = &outbox.waiting[part * BUFFER..][..usize::from(len)];
            into.extend(waiting.iter().map(|mixed| self.unmix(*mixed)));
        }
        into.extend(outbox.late.drain(..).map(|mixed| self.unmix(mixed)));
    }

    fn fill(
        &self,
        count: u64,
        bytes: usize,
        feed: impl FnOnce(&mut Taker<'_, W>) -> Result<(), Full>,
    ) -> Result<(), Full> {
        let parts = self.parts.len();
        let expected = count / parts as u64;
        let even = expected as usize;
        let room = (bytes / parts / size_of::<[u64; W]>()).min(even + even / 8 + BUFFER).max(1);
        let mut waiting = vec![[0; W]; parts * room];
        let mut lens = vec![0; parts];
        let mut sorter = Sorter::new();
        feed(&mut |rank, tag| {
            let mixed = self.mixer.mix(rank);
            let part = self.part_of(&mixed);
            let waiting = &mut waiting[part * room..][..room];
            waiting[lens[part]] = marked(low(&mixed, self.key_bits), self.key_bits, u64::from(tag));
            lens[part] += 1;
            if lens[part] == room {
                lens[part] = 0;
                self.absorb(part, waiting, expected, &mut sorter)?;
            }
            Ok(())
        })?;
        let mut parts = waiting.chunks(room).zip(lens).enumerate();
        parts.try_for_each(|(part, (waiting, len))| self.absorb(part, &waiting[..len], expected, &mut sorter))
    }

    fn tag_of(&self, rank: [u64; W]) -> Option<u8> {
        let mixed = self.mixer.mix(rank);
        let part = self.parts[self.part_of(&mixed)].lock().unwrap_or_else(PoisonError::into_inner);
        part.tag_of(&low(&mixed, self.key_bits))
    }

    fn len(&self) -> u64 {
        self.admission.members()
    }

    fn limit(&mut self, most: u64) {
        self.admission.limit(most);
    }

    fn bytes(&self) -> usize {
        let of = |part: &Mutex<P>| part.lock().unwrap_or_else(PoisonError::into_inner).bytes();
        self.parts.bytes() + self.parts.iter().map(of).sum::<usize>()
    }

    fn each(&self, visit: &mut dyn FnMut([u64; W])) {
        for (number, part) in self.parts.iter().enumerate() {
            let part = part.lock().unwrap_or_else(PoisonError::into_inner);
            let shown = part.for_each(&mut |mut key, _| {
                put(&mut key, self.key_bits, number as u64);
                visit(self.mixer.unmix(key));
                Ok(())
            });
            debug_assert_eq!(shown, Ok(()));
        }
    }

    fn drain(mut self, take: &mut dyn FnMut([u64; W], u8) -> Result<(), Full>) -> Result<(), Full> {
        while let Some(part) = self.parts.pop() {
            let number = self.parts.len() as u64;
            let part = part.into_inner().unwrap_or_else(PoisonError::into_inner);
            part.for_each(&mut |mut key, tag| {
                put(&mut key, self.key_bits, number);
                take(self.mixer.unmix(key), tag)
            })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::Quotient;

    #[test]
    fn keys_leave_bits_free_and_parts_are_few_where_bits_are() {
        for bits in 0..=256 {
            for members in [0, 1, 1_000, 1 << 12, 1 << 30, u64::MAX] {
                let parts = part_bits::<4>(bits, false, members);
                assert!(parts <= bits.saturating_sub(12).min(MOST_PARTS) && bits - parts < 256);
            }
        }
        assert_eq!((part_bits::<1>(64, false, 0), part_bits::<1>(56, true, 0)), (1, 1));
        assert_eq!(
            [0, 1 << 13, 1 << 15, 1 << 19, 1 << 40].map(|it| part_bits::<1>(40, false, it)),
            [0, 1, 3, 7, 7]
        );
    }

    #[test]
    fn an_outbox_knows_what_is_in_it() {
        let budget = Budget::of(u64::MAX);
        let shape = Shape { bits: 40, tagged: false, most: u64::MAX, expected: 1 << 20, budget };
        let set = Quotient::<1>::new(&shape).unwrap();
        let mut outbox = set.outbox();
        for level in 0..1_000 {
            let mut found = Vec::new();
            set.send(&mut outbox, [level / 2], 0, &mut |rank| found.push(rank)).unwrap();
            assert_eq!(outbox.dirty.len(), 1);
            set.flush(&mut outbox, 0, &mut |rank| found.push(rank)).unwrap();
            assert!(outbox.dirty.is_empty());
            assert_eq!(found.len() as u64, 1 - level % 2);
        }
        assert_eq!(set.len(), 500);
    }
}
