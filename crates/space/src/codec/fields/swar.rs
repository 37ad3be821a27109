//! Arithmetic on all fields of a word at once (SIMD within a register; Warren, *Hacker's Delight*, 2-18).
//!
//! A word is cut into fields of any widths, without gaps from bit 0 on; `tops` has the highest bit of each
//! field set. Bits above the last field do not matter.

/// For each field, whether `x >= y`: the field's top bit is set in the result iff it is, all else is 0.
#[inline(always)]
pub fn at_least(x: u64, y: u64, tops: u64) -> u64 {
    // Subtract without the top bits (no borrow can leave a field), then decide by the top bits.
    let low = (x | tops).wrapping_sub(y & !tops);
    ((x & !y) | ((x | !y) & low)) & tops
}

/// For each field, the larger of `x` and `y`.
#[inline]
pub fn larger(x: u64, y: u64, tops: u64) -> u64 {
    let mut smaller = tops & !at_least(x, y, tops);
    let mut larger = x;
    while smaller != 0 {
        let mask = field_mask(smaller & smaller.wrapping_neg(), tops);
        larger = larger & !mask | y & mask;
        smaller &= smaller - 1;
    }
    larger
}

/// All bits of the field whose top bit is `top` (one bit of `tops`).
#[inline]
pub fn field_mask(top: u64, tops: u64) -> u64 {
    let up_to_top = top | (top - 1);
    let below = tops & (top - 1);
    let up_to_below = if below == 0 { 0 } else { u64::MAX >> below.leading_zeros() };
    up_to_top & !up_to_below
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fields of a word, given their widths.
    fn tops(widths: &[u32]) -> u64 {
        let mut at = 0;
        widths.iter().fold(0, |tops, width| {
            at += width;
            tops | 1 << (at - 1)
        })
    }

    #[test]
    fn fields_are_compared_each_for_itself() {
        // Exhaustive over all pairs of words of 9 bits, cut in several ways.
        for widths in [&[1u32, 2, 3, 3][..], &[9], &[1; 9], &[4, 5], &[3, 1, 1, 4]] {
            let tops = tops(widths);
            for x in 0..512u64 {
                for y in 0..512u64 {
                    let mut at = 0;
                    let mut expected = 0;
                    for width in widths {
                        let part = |word: u64| word >> at & ((1 << width) - 1);
                        if part(x) >= part(y) {
                            expected |= 1 << (at + width - 1);
                        }
                        at += width;
                    }
                    assert_eq!(at_least(x, y, tops), expected, "{widths:?} {x:b} {y:b}");
                    let most = larger(x, y, tops);
                    assert_eq!(at_least(most, x, tops) & at_least(most, y, tops), tops);
                    assert_eq!(at_least(x, most, tops) | at_least(y, most, tops), tops);
                }
            }
        }
    }

    #[test]
    fn whole_words_are_fields_too() {
        let tops = 1 << 63;
        assert_eq!(at_least(u64::MAX, u64::MAX, tops), tops);
        assert_eq!(at_least(0, u64::MAX, tops), 0);
        assert_eq!(at_least(1 << 63, (1 << 63) - 1, tops), tops);
        assert_eq!(field_mask(tops, tops), u64::MAX);
    }

    #[test]
    fn a_field_is_found_by_its_top_bit() {
        let tops = tops(&[1, 2, 3, 58]);
        assert_eq!(field_mask(1, tops), 0b1);
        assert_eq!(field_mask(0b100, tops), 0b110);
        assert_eq!(field_mask(0b10_0000, tops), 0b11_1000);
        assert_eq!(field_mask(1 << 63, tops), u64::MAX << 6);
    }
}
