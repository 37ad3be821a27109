//! A block: 256 buckets and their members.
//!
//! Four bytes count the members of each quarter of the buckets. Then, for each bucket, as many ones as it has
//! members and a zero; then the members' entries in the same order, without gaps.
//!
//! A block is seen as a slice of the table that begins a word before the block and ends somewhere after it.

use std::hint::select_unpredictable;

use super::layout::{BUCKETS, Layout, UNARY};
use crate::set::bits::{self, ones_up_to_byte, select};
use crate::set::words::{field, low, mask, split};

/// The most members a quarter can count.
const MOST_IN_QUARTER: u64 = 255;

/// The most members a block can have.
pub const MOST: usize = 4 * MOST_IN_QUARTER as usize;

/// A bucket's place in a block.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// The number of the first entry behind its entries.
    pub end: usize,
    /// How many entries it has.
    pub len: usize,
    /// Where its zero is.
    zero: usize,
}

/// The members of all quarters.
#[inline(always)]
fn sum_of_bytes(counts: u64) -> usize {
    // At most four bytes, whose sum needs ten bits.
    let pairs = (counts & 0x00FF_00FF) + (counts >> 8 & 0x00FF_00FF);
    ((pairs + (pairs >> 16)) & 0xFFFF) as usize
}

/// How many members a block has.
#[inline(always)]
pub fn len(block: &[u64]) -> usize {
    sum_of_bytes(block[1] & 0xFFFF_FFFF)
}

/// Whether no member can come into a bucket any more.
#[inline(always)]
pub fn is_full(block: &[u64], layout: &Layout, bucket: usize) -> bool {
    len(block) >= usize::from(layout.capacity)
        || block[1] >> (bucket / 64 * 8) & MOST_IN_QUARTER == MOST_IN_QUARTER
}

/// Finds a bucket.
#[inline(always)]
pub fn run(block: &[u64], bucket: usize) -> Run {
    let (quarter, mut nth) = (bucket / 64, (bucket % 64) as u32);
    let before = sum_of_bytes(block[1] & ((1 << (8 * quarter)) - 1));
    let mut from = UNARY + 64 * quarter + before;
    // A quarter has 64 zeros in some 130 bits, so the zero is in one of two words, mostly.
    let (first, second) = bits::read_two(block, from);
    let (first, second) = (!first, !second);
    let (first_sums, second_sums) = (ones_up_to_byte(first), ones_up_to_byte(second));
    let in_first = (first_sums >> 56) as u32;
    let is_later = nth >= in_first;
    let mut zeros = select_unpredictable(is_later, second, first);
    let mut sums = select_unpredictable(is_later, second_sums, first_sums);
    from += select_unpredictable(is_later, 64, 0);
    nth -= select_unpredictable(is_later, in_first, 0);
    while nth >= (sums >> 56) as u32 {
        nth -= (sums >> 56) as u32;
        from += 64;
        zeros = !bits::read(block, from);
        sums = ones_up_to_byte(zeros);
    }
    let zero = from + select(zeros, sums, nth) as usize;
    let mut len = bits::read(block, zero - 64).leading_ones() as usize;
    if len == 64 {
        len = long_run(block, zero);
    }
    Run { end: zero - UNARY - bucket, len, zero }
}

#[cold]
fn long_run(block: &[u64], zero: usize) -> usize {
    let mut len = 0;
    while bits::read(block, zero - len - 64) == u64::MAX {
        len += 64;
    }
    len + bits::read(block, zero - len - 64).leading_ones() as usize
}

/// Reads so many bits from `at` on.
#[inline(always)]
pub fn read<const W: usize>(block: &[u64], at: usize, bits: u32) -> [u64; W] {
    if W == 1 {
        return [bits::read(block, at) & mask(bits); W];
    }
    std::array::from_fn(|word| match bits.saturating_sub(64 * word as u32) {
        0 => 0,
        bits => bits::read(block, at + 64 * word) & mask(bits),
    })
}

/// Writes so many bits from `at` on.
#[inline(always)]
pub fn write<const W: usize>(block: &mut [u64], at: usize, bits: u32, value: &[u64; W]) {
    for (word, value) in value.iter().enumerate() {
        let bits = bits.saturating_sub(64 * word as u32).min(64);
        if bits > 0 {
            bits::write(block, at + 64 * word, bits, *value);
        }
    }
}

/// The number of the entry with this remainder among those of a bucket.
#[inline(always)]
pub fn find<const W: usize>(block: &[u64], layout: &Layout, run: Run, remainder: &[u64; W]) -> Option<usize> {
    let (bits, entry) = (u32::from(layout.remainder), layout.entry());
    let end = layout.entries() + run.end * entry;
    if W > 1 {
        return (1..=run.len)
            .find(|back| read::<W>(block, end - back * entry, bits) == *remainder)
            .map(|back| run.end - back);
    }
    // Most buckets have up to two members, but which have how many cannot be foreseen: the last two are compared
    // without asking whether they are there. What is there instead are other bits of the block.
    let last = (run.len >= 1) & (read::<W>(block, end - entry, bits) == *remainder);
    let other = (run.len >= 2) & (read::<W>(block, end - 2 * entry, bits) == *remainder);
    if last | other {
        return Some(run.end - if last { 1 } else { 2 });
    }
    let mut back = 3;
    while back <= run.len {
        if read::<W>(block, end - back * entry, bits) == *remainder {
            return Some(run.end - back);
        }
        back += 1;
    }
    None
}

/// The tag of an entry.
#[inline(always)]
pub fn tag(block: &[u64], layout: &Layout, number: usize) -> u8 {
    let (_, bits) = layout.key_and_tag();
    if bits == 0 {
        return 0;
    }
    let at = layout.entries() + number * layout.entry() + usize::from(layout.remainder);
    (bits::read(block, at) & mask(bits)) as u8
}

/// Puts a member into a bucket of a block that is not full.
#[inline(always)]
pub fn insert<const W: usize>(
    block: &mut [u64],
    layout: &Layout,
    bucket: usize,
    run: Run,
    remainder: &[u64; W],
    tag: u8,
) {
    let len = len(block);
    bits::move_up(block, run.zero, UNARY + BUCKETS + len, 1);
    block[run.zero / 64] |= 1 << (run.zero % 64);
    let (entries, entry) = (layout.entries(), layout.entry());
    let at = entries + run.end * entry;
    bits::move_up(block, at, entries + len * entry, entry);
    write_entry(block, layout, at, remainder, tag);
    block[1] += 1 << (bucket / 64 * 8);
}

/// Puts several members in, in the order of their keys, each a key with its tag above it; tells whether there was room
/// for all of them. If not, nothing is changed.
///
/// From the last one to the first: what lies behind its place moves up by as many places as there are members up to
/// it. So every bit is moved once.
#[inline(always)]
pub fn insert_all<const W: usize>(block: &mut [u64], layout: &Layout, members: &[[u64; W]]) -> bool {
    let len = len(block);
    if len + members.len() > usize::from(layout.capacity) {
        return false;
    }
    let (key_bits, _) = layout.key_and_tag();
    // A key may have fewer bits than a bucket's number: what lies above is its tag.
    let bucket_of = |member: &[u64; W]| {
        field(&low(member, key_bits), u32::from(layout.remainder), BUCKETS.ilog2()) as usize
    };
    let mut counts = [0u64; 4];
    for member in members {
        counts[bucket_of(member) / 64] += 1;
    }
    let has_room = |(quarter, count): (usize, &u64)| {
        (block[1] >> (8 * quarter) & MOST_IN_QUARTER) + count <= MOST_IN_QUARTER
    };
    if !counts.iter().enumerate().all(has_room) {
        return false;
    }
    let parts = |member: &[u64; W]| {
        let (key, tag) = split(member, key_bits);
        (bucket_of(member), low(&key, u32::from(layout.remainder)), tag as u8)
    };
    if len == 0 {
        let mut filling = Filling::default();
        for member in members {
            let (bucket, remainder, tag) = parts(member);
            filling.append(block, layout, bucket, &remainder, tag);
        }
        filling.finish(block);
        return true;
    }
    let (entries, entry) = (layout.entries(), layout.entry());
    let (mut unary_end, mut end) = (UNARY + BUCKETS + len, len);
    for (before, member) in members.iter().enumerate().rev() {
        let (bucket, remainder, tag) = parts(member);
        // What is moved already lies behind all that this looks at.
        let run = run(block, bucket);
        bits::move_up(block, run.zero, unary_end, before + 1);
        let one = run.zero + before;
        block[one / 64] |= 1 << (one % 64);
        bits::move_up(block, entries + run.end * entry, entries + end * entry, (before + 1) * entry);
        write_entry(block, layout, entries + (run.end + before) * entry, &remainder, tag);
        (unary_end, end) = (run.zero, run.end);
    }
    block[1] += counts.iter().enumerate().map(|(quarter, count)| count << (8 * quarter)).sum::<u64>();
    true
}

#[inline(always)]
fn write_entry<const W: usize>(block: &mut [u64], layout: &Layout, at: usize, remainder: &[u64; W], tag: u8) {
    let (bits, entry) = (u32::from(layout.remainder), layout.entry() as u32);
    write(block, at, bits, remainder);
    if entry > bits {
        bits::write(block, at + bits as usize, entry - bits, u64::from(tag));
    }
}

/// Fills an empty block in the order of its buckets.
#[derive(Debug, Default)]
pub struct Filling {
    len: usize,
    counts: u64,
}

impl Filling {
    /// Puts a member into a bucket that is not before any that has members; tells whether there was room.
    #[inline(always)]
    pub fn append<const W: usize>(
        &mut self,
        block: &mut [u64],
        layout: &Layout,
        bucket: usize,
        remainder: &[u64; W],
        tag: u8,
    ) -> bool {
        let quarter = bucket / 64 * 8;
        if self.len >= usize::from(layout.capacity)
            || self.counts >> quarter & MOST_IN_QUARTER == MOST_IN_QUARTER
        {
            return false;
        }
        let one = UNARY + bucket + self.len;
        block[one / 64] |= 1 << (one % 64);
        write_entry(block, layout, layout.entries() + self.len * layout.entry(), remainder, tag);
        self.len += 1;
        self.counts += 1 << quarter;
        true
    }

    /// Puts the counts in.
    pub fn finish(self, block: &mut [u64]) {
        block[1] |= self.counts;
    }
}

/// Copies a block to an empty one with at least as many places.
pub fn copy(target: &mut [u64], wider: &Layout, block: &[u64], layout: &Layout) {
    let len = len(block);
    bits::copy(target, 64, block, 64, UNARY - 64 + BUCKETS + len);
    bits::copy(target, wider.entries(), block, layout.entries(), len * layout.entry());
}

/// The buckets of a block's members, in order.
pub fn buckets(block: &[u64]) -> impl Iterator<Item = usize> {
    let end = UNARY + BUCKETS + len(block);
    let mut from = UNARY;
    let mut ones = bits::read(block, from) & mask((end - from) as u32);
    (0..len(block)).map(move |number| {
        while ones == 0 {
            from += 64;
            ones = bits::read(block, from) & mask((end - from) as u32);
        }
        let one = from + ones.trailing_zeros() as usize;
        ones &= ones - 1;
        one - UNARY - number
    })
}

#[cfg(test)]
mod tests {
    use sweepnet_testkit::random::Random;

    use super::*;

    /// Fills a block, evenly or with all in a few buckets, beside a list for each bucket.
    fn fills<const W: usize>(key: u32, tag: u32, few: bool) {
        let mut random = Random::new(u64::from(key));
        let layout = Layout::none(0, key, tag).after(250);
        let mut block = vec![0; layout.words()];
        let mut twin = vec![Vec::<([u64; W], u8)>::new(); BUCKETS];
        let mut count = 0;
        for _ in 0..2_000 {
            let bucket =
                random.below(if few { 3 } else { BUCKETS as u64 }) as usize * if few { 80 } else { 1 };
            let bits = u32::from(layout.remainder);
            let remainder =
                crate::set::words::low(&std::array::from_fn::<u64, W, _>(|_| random.next_u64()), bits);
            let place = run(&block, bucket);
            assert_eq!(place.len, twin[bucket].len());
            assert_eq!(place.end, twin[..=bucket].iter().map(Vec::len).sum::<usize>());
            let found = find(&block, &layout, place, &remainder);
            let expected = twin[bucket].iter().find(|(other, _)| *other == remainder);
            assert_eq!(found.map(|entry| super::tag(&block, &layout, entry)), expected.map(|(_, tag)| *tag));
            if found.is_none() && !is_full(&block, &layout, bucket) {
                let tag = random.below(1 << tag) as u8;
                insert(&mut block, &layout, bucket, place, &remainder, tag);
                twin[bucket].push((remainder, tag));
                count += 1;
            }
            assert_eq!(len(&block), count);
        }
        assert!(few || count >= 250 || key < 9);
        let expected =
            twin.iter().enumerate().flat_map(|(bucket, members)| members.iter().map(move |_| bucket));
        assert!(buckets(&block).eq(expected));

        let wider = layout.after(300);
        if wider.bucket_bits == layout.bucket_bits {
            let mut target = vec![0; wider.words()];
            copy(&mut target, &wider, &block, &layout);
            for (bucket, (remainder, tag)) in
                twin.iter().enumerate().flat_map(|(bucket, members)| members.iter().map(move |m| (bucket, m)))
            {
                let entry = find(&target, &wider, run(&target, bucket), remainder).unwrap();
                assert_eq!(super::tag(&target, &wider, entry), *tag);
            }
        }
    }

    /// Fills a block with batches of members in the order of their keys, beside one that is filled one by one.
    fn fills_in_batches<const W: usize>(key: u32, tag: u32, few: bool) {
        let mut random = Random::new(u64::from(key));
        let layout = Layout::none(0, key, tag).after(250);
        let bits = u32::from(layout.remainder);
        let (mut block, mut twin) = (vec![0; layout.words()], vec![0; layout.words()]);
        let mut members = std::collections::BTreeSet::new();
        for size in [1, 0, 7, 40, 2, 90, 400, 30, 1, 25, 25, 25, 25] {
            let mut batch = std::collections::BTreeMap::new();
            for _ in 0..size {
                let mut member = low(&std::array::from_fn::<u64, W, _>(|_| random.next_u64()), bits);
                let bucket = if few { random.below(3) * 80 } else { random.below(BUCKETS as u64) };
                crate::set::words::put(&mut member, bits, bucket);
                let member = low(&member, key);
                let order: Vec<u64> = member.iter().rev().copied().collect();
                if members.insert(order.clone()) {
                    let tag = random.below(1 << tag);
                    batch.insert(order, crate::set::words::marked(member, key, tag));
                }
            }
            let batch: Vec<[u64; W]> = batch.into_values().collect();
            let had = block.clone();
            if insert_all(&mut block, &layout, &batch) {
                for member in &batch {
                    let (key, tag) = split(member, key);
                    let bucket = field(&key, bits, BUCKETS.ilog2()) as usize;
                    let place = run(&twin, bucket);
                    assert!(!is_full(&twin, &layout, bucket));
                    insert(&mut twin, &layout, bucket, place, &low(&key, bits), tag as u8);
                }
            } else {
                assert_eq!(block, had);
                assert!(few || len(&block) + batch.len() > usize::from(layout.capacity));
            }
            assert_eq!(len(&block), len(&twin));
            assert!(buckets(&block).eq(buckets(&twin)));
            let entries = |block: &[u64], bucket: usize| {
                let place = run(block, bucket);
                let entry = |at: usize| {
                    let remainder = read::<W>(block, layout.entries() + at * layout.entry(), bits);
                    (remainder, super::tag(block, &layout, at))
                };
                let mut entries: Vec<_> = (place.end - place.len..place.end).map(entry).collect();
                entries.sort_unstable();
                entries
            };
            assert!((0..BUCKETS).all(|bucket| entries(&block, bucket) == entries(&twin, bucket)));
        }
    }

    #[test]
    fn batches_come_to_the_same_as_one_by_one() {
        for (tag, few) in [(0, false), (0, true), (2, false), (2, true)] {
            for key in [3, 8, 9, 14, 20, 33, 60] {
                fills_in_batches::<1>(key, tag, few);
            }
            fills_in_batches::<2>(70, tag, few);
            fills_in_batches::<4>(240, tag, few);
        }
    }

    #[test]
    fn a_block_is_as_good_as_a_list_for_each_bucket() {
        for (tag, few) in [(0, false), (0, true), (2, false), (2, true)] {
            for key in [8, 9, 10, 14, 20, 33, 60] {
                fills::<1>(key, tag, few);
            }
            fills::<2>(70, tag, few);
            fills::<2>(121, tag, few);
            fills::<4>(249, tag, few);
        }
    }
}
