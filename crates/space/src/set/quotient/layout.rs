//! How a table is laid out: how many blocks, how large, and when it is time for another layout.
//!
//! The leading bits of a key choose one of 2^j buckets, λ = R/2^j members in each on average; the rest, the
//! remainder, is stored, r = log2 S - j bits. One bit per bucket and one per member tell which remainders belong to
//! which bucket. In all that is log2(S/R) + (log2 λ + 1 + 1/λ) bits per member: 2 above log2(S/R) for λ = 1/2 and
//! for λ = 1, and 1.91 in between, against 1.44 for the bound.
//!
//! Buckets are in blocks of 256. A block has room for somewhat more members than it gets on average: as many more as
//! cost as much as the members that find no room, and are stashed away at greater length, would cost more. The
//! number of members of a block has a standard deviation of about its square root, so the room for spare is a small
//! multiple of that: the longer an entry is, the smaller the multiple.
//!
//! A table grows in small steps by making the blocks larger, which only moves bits; when λ would become too large,
//! the buckets are split in two.

/// Buckets of a block.
pub const BUCKETS: usize = 256;

/// Words before the first block, so that the word can be read that ends in its first bits.
pub const WORDS_BEFORE: usize = 1;

/// Where the string of bits for the buckets begins in a block, counted from the word before it: behind four bytes
/// with the members in each quarter of the buckets and a bit that is always 0.
pub const UNARY: usize = 64 + 33;

/// The most members per block on average before the buckets are split: λ = 1.1.
const MOST_MEAN: u64 = 282;

/// The step by which a table grows: a 32nd; where remainders have so many bits, a 64th.
const STEP: u64 = 32;
const SMALL_STEP: u64 = 64;
const WIDE: u32 = 24;

/// How often blocks are full, as a part of how often they are where members take the fewest bits. It takes hardly more,
/// and look-ups are faster; where remainders are long, it takes more.
const FULL: f64 = 0.35;
const WIDE_FULL: f64 = 0.7;

/// The least step, in members.
const LEAST_STEP: u64 = 8;

/// A table's measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// How many members it is made for.
    pub members: u64,
    /// Words of a block.
    pub stride: u32,
    /// Entries of a block.
    pub capacity: u16,
    /// Bits of a remainder.
    pub remainder: u16,
    /// Bits of a key.
    key: u16,
    /// The number of buckets, as a power of two; 0 if there is no table yet.
    pub bucket_bits: u8,
    /// Bits of a tag.
    tag: u8,
}

impl Layout {
    /// No table, for so many members.
    pub fn none(members: u64, key_bits: u32, tag_bits: u32) -> Self {
        let (key, tag) = (key_bits as u16, tag_bits as u8);
        Self { members, stride: 0, capacity: 0, remainder: 0, key, bucket_bits: 0, tag }
    }

    /// The layout for somewhat more than so many members, when this one is no longer enough.
    pub fn after(self, members: u64) -> Self {
        let key_bits = u32::from(self.key);
        let is_wide = key_bits >= WIDE + members.max(1).ilog2();
        let (step, full) = if is_wide { (SMALL_STEP, WIDE_FULL) } else { (STEP, FULL) };
        let wanted = members + (members / step).max(LEAST_STEP);
        let mut bucket_bits = u32::from(self.bucket_bits).max(BUCKETS.ilog2());
        while wanted >> (bucket_bits - BUCKETS.ilog2()) > MOST_MEAN && bucket_bits < key_bits {
            bucket_bits += 1;
        }
        let remainder = key_bits.saturating_sub(bucket_bits);
        let entry = remainder as usize + usize::from(self.tag);

        let blocks = 1u64 << (bucket_bits - BUCKETS.ilog2());
        let mean = wanted as f64 / blocks as f64;
        let deviation = (mean * (1.0 - 1.0 / blocks as f64)).sqrt();
        // One more place costs an entry, and saves a stashed key where the block would be full. The sum is smallest
        // where blocks are full as often as the one is smaller than the other. No fewer places than members are expected.
        let often = (entry + 1) as f64 / (key_bits as usize + usize::from(self.tag) + 1) as f64 * full;
        let often = often.min(0.5);
        let capacity = (mean + deviations(often) * deviation).ceil() as usize;
        // A bucket has no more members than there are remainders, and a quarter of them no more than it can count.
        let most = if remainder < 2 { BUCKETS << remainder } else { super::block::MOST };
        let capacity = capacity.min(most);
        // What is left of the last word is room, too.
        let fixed = UNARY - 64 + BUCKETS;
        let stride = (fixed + capacity * (entry + 1)).div_ceil(64);
        let capacity = ((stride * 64 - fixed) / (entry + 1)).min(most);
        Self {
            members: wanted,
            stride: stride as u32,
            capacity: capacity as u16,
            remainder: remainder as u16,
            bucket_bits: bucket_bits as u8,
            ..self
        }
    }

    /// Bits of an entry: a remainder and perhaps a tag.
    #[inline(always)]
    pub fn entry(&self) -> usize {
        usize::from(self.remainder) + usize::from(self.tag)
    }

    /// Bits of a key and a tag.
    #[inline(always)]
    pub fn key_and_tag(&self) -> (u32, u32) {
        (u32::from(self.key), u32::from(self.tag))
    }

    /// Whether there is no table.
    #[inline(always)]
    pub fn is_none(&self) -> bool {
        self.bucket_bits == 0
    }

    /// The number of blocks.
    pub fn blocks(&self) -> usize {
        if self.is_none() { 0 } else { 1 << (u32::from(self.bucket_bits) - BUCKETS.ilog2()) }
    }

    /// The words of the whole table.
    pub fn words(&self) -> usize {
        if self.is_none() {
            return 0;
        }
        // Behind each word in which something is read that may begin in any bit there must be another. The last such
        // words are that of the last entry, or the one where the entries begin.
        let last = (WORDS_BEFORE + self.stride as usize + 1).max(self.entries() / 64 + 2);
        (self.blocks() - 1) * self.stride as usize + last
    }

    /// Where the entries begin in a block, as [`UNARY`].
    #[inline(always)]
    pub fn entries(&self) -> usize {
        UNARY + BUCKETS + usize::from(self.capacity)
    }
}

/// How many standard deviations above the mean a value lies that is exceeded so often, after Tukey's approximation
/// of the normal distribution.
fn deviations(often: f64) -> f64 {
    ((1.0 - often).powf(0.135) - often.powf(0.135)) / 0.1975
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_grow_in_small_steps_and_have_room() {
        for (key, tag) in [(0, 0), (3, 2), (8, 0), (9, 2), (16, 0), (23, 2), (57, 0), (121, 2), (249, 2)] {
            let mut layout = Layout::none(16, key, tag);
            let most = if key < 20 { 1 << key } else { 1 << 20 };
            while layout.members < most {
                let next = layout.after(layout.members);
                assert!(
                    next.members > layout.members
                        && next.members <= layout.members + (layout.members / 16).max(8)
                );
                assert!(next.capacity as usize * next.blocks() >= next.members.min(most) as usize);
                let bits = UNARY - 64 + BUCKETS + next.capacity as usize * (next.entry() + 1);
                assert!(bits <= next.stride as usize * 64);
                assert!(u32::from(next.remainder) + u32::from(next.bucket_bits) >= key);
                if next.bucket_bits == layout.bucket_bits {
                    assert!(next.capacity >= layout.capacity);
                }
                layout = next;
            }
        }
    }

    #[test]
    fn the_normal_distribution_is_met() {
        for (often, expected) in [(0.5, 0.0), (0.25, 0.674), (0.1, 1.282), (0.025, 1.960)] {
            assert!((deviations(often) - expected).abs() < 0.01);
        }
    }
}
