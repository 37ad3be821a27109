//! What a thread has sent to the set of late: most successors of neighbouring states are the same, and those need not
//! be looked up again.

/// Ranks remembered, as a power of two: what a processor's own cache holds easily.
const BITS: u32 = 15;

/// A table in which each rank has one place, where the last one that came stays.
#[derive(Debug)]
pub struct Recent<const W: usize>(Vec<[u64; W]>);

impl<const W: usize> Recent<W> {
    /// The bytes one holds.
    pub const BYTES: usize = size_of::<[u64; W]>() << BITS;

    /// Nothing yet, and nothing ever unless `keeps`.
    pub fn new(keeps: bool) -> Self {
        // No rank has all bits set.
        Self(if keeps { vec![[u64::MAX; W]; 1 << BITS] } else { Vec::new() })
    }

    /// Whether a rank was sent a moment ago; if not, it is remembered now.
    #[inline(always)]
    pub fn has(&mut self, rank: &[u64; W]) -> bool {
        let mixed = rank.iter().fold(0u64, |mixed, word| (mixed ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let place = &mut self.0[(mixed >> (64 - BITS)) as usize];
        if place == rank {
            return true;
        }
        *place = *rank;
        false
    }
}
