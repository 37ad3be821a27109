//! Numbers of `W` words, lowest word first, as strings of bits.

/// The mask of the lowest `bits` bits; all of them from 64 on.
#[inline(always)]
pub fn mask(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// The `bits` bits (at most 64) from bit `at` on; bits beyond the last word are 0.
#[inline(always)]
pub fn field<const W: usize>(number: &[u64; W], at: u32, bits: u32) -> u64 {
    let (word, shift) = ((at / 64) as usize, at % 64);
    let low = number.get(word).map_or(0, |word| word >> shift);
    let high = number.get(word + 1).map_or(0, |word| word << 1 << (63 - shift));
    (low | high) & mask(bits)
}

/// The lowest `bits` bits.
#[inline(always)]
pub fn low<const W: usize>(number: &[u64; W], bits: u32) -> [u64; W] {
    std::array::from_fn(|word| number[word] & mask(bits.saturating_sub(64 * word as u32)))
}

/// Puts a value where there are zeros, from bit `at` on.
#[inline(always)]
pub fn put<const W: usize>(number: &mut [u64; W], at: u32, value: u64) {
    let (word, shift) = ((at / 64) as usize, at % 64);
    if let Some(low) = number.get_mut(word) {
        *low |= value << shift;
    }
    if let Some(high) = number.get_mut(word + 1) {
        *high |= value >> 1 >> (63 - shift);
    }
}

/// A number of `bits` bits and the mark above it.
#[inline(always)]
pub fn split<const W: usize>(marked: &[u64; W], bits: u32) -> ([u64; W], u64) {
    if W == 1 {
        let mark = marked[0].checked_shr(bits).unwrap_or(0);
        return ([marked[0] & mask(bits); W], mark);
    }
    (low(marked, bits), field(marked, bits, 64))
}

/// A number of `bits` bits with a mark above it, for which there must be room.
#[inline(always)]
pub fn marked<const W: usize>(mut number: [u64; W], bits: u32, mark: u64) -> [u64; W] {
    if W == 1 {
        // Where the number takes all bits there is room for 0 only, which no shift changes.
        number[0] |= mark.wrapping_shl(bits);
    } else {
        put(&mut number, bits, mark);
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_read() {
        for at in 0..190 {
            let mut number = [0; 4];
            put(&mut number, at, 0x9E37_79B9_7F4A_7C15);
            assert_eq!(field(&number, at, 64), 0x9E37_79B9_7F4A_7C15);
            assert_eq!(field(&number, at, 5), 0x15);
            assert_eq!(low(&number, at), [0; 4]);
            assert_eq!(field(&low(&number, at + 9), at, 64), 0x15);
        }
        for bits in 0..=56 {
            assert_eq!(split(&marked([mask(bits)], bits, 0xA5), bits), ([mask(bits)], 0xA5));
            assert_eq!(split(&marked([9, mask(bits)], 64 + bits, 0xA5), 64 + bits), ([9, mask(bits)], 0xA5));
        }
        assert_eq!(split(&marked([7], 64, 0), 64), ([7], 0));
        assert_eq!(field(&[u64::MAX], 60, 64), 0xF);
        assert_eq!(field(&[u64::MAX], 64, 64), 0);
        assert_eq!(low(&[u64::MAX, u64::MAX], 128), [u64::MAX, u64::MAX]);
    }
}
