//! A bijection that scatters ranks.
//!
//! Ranks of real systems are anything but random: consecutive numbers, multiples of a power of two, sums of products
//! of small numbers. Tables that divide their keys by the leading bits want them to look random, and an exact set
//! wants them back; so ranks go through a bijection instead of a hash.
//!
//! In one word it is what good integer hashes are made of: a shift by half the width folded in with exclusive or,
//! which is its own inverse, and multiplications by odd numbers, which have inverses modulo every power of two. Over
//! several words a Feistel network goes round twice: each word takes in a hash of the words before it and is then
//! mixed within itself, so that in the end every bit depends on every word.

use super::words::mask;

/// Odd factors: digits of the golden ratio, and those of David Stafford's thirteenth variant of MurmurHash3's
/// finaliser.
const FACTORS: [u64; 3] = [0x9E37_79B9_7F4A_7C15, 0xBF58_476D_1CE4_E5B9, 0x94D0_49BB_1331_11EB];

/// How often a number of several words goes round.
const ROUNDS: usize = 2;

/// See the [module](self).
#[derive(Clone, Debug)]
pub struct Mixer<const W: usize> {
    /// The words that hold bits.
    words: usize,
    /// The bits of each word.
    masks: [u64; W],
    /// Half the bits of each word, rounded up.
    halves: [u32; W],
    inverses: [u64; FACTORS.len()],
    identity: bool,
}

impl<const W: usize> Mixer<W> {
    /// A bijection on numbers of so many bits.
    pub fn new(bits: u32) -> Self {
        let bits_of = |word: usize| bits.saturating_sub(64 * word as u32).min(64);
        Self {
            words: bits.div_ceil(64) as usize,
            masks: std::array::from_fn(|word| mask(bits_of(word))),
            halves: std::array::from_fn(|word| bits_of(word).div_ceil(2).max(1)),
            inverses: FACTORS.map(inverse),
            identity: false,
        }
    }

    /// The bijection that leaves everything where it is, to see what happens to sets that are handed keys that are
    /// not scattered.
    #[doc(hidden)]
    pub fn identity(bits: u32) -> Self {
        Self { identity: true, ..Self::new(bits) }
    }

    /// Scatters.
    #[inline(always)]
    pub fn mix(&self, mut x: [u64; W]) -> [u64; W] {
        if self.identity {
            return x;
        }
        if W == 1 || self.words <= 1 {
            let (mask, half) = (self.masks[0], self.halves[0]);
            let mut y = x[0];
            for factor in FACTORS {
                y = (y ^ y >> half).wrapping_mul(factor) & mask;
            }
            x[0] = y ^ y >> half;
            return x;
        }
        for _ in 0..ROUNDS {
            for word in 0..self.words {
                let (mask, half) = (self.masks[word], self.halves[word]);
                let mut y = x[word].wrapping_add(self.hash_before(&x, word)) & mask;
                for factor in &FACTORS[1..] {
                    y = (y ^ y >> half).wrapping_mul(*factor) & mask;
                }
                x[word] = y ^ y >> half;
            }
        }
        x
    }

    /// Takes [`mix`](Self::mix) back.
    #[inline(always)]
    pub fn unmix(&self, mut x: [u64; W]) -> [u64; W] {
        if self.identity {
            return x;
        }
        if W == 1 || self.words <= 1 {
            let (mask, half) = (self.masks[0], self.halves[0]);
            let mut y = x[0];
            for inverse in self.inverses.iter().rev() {
                y = (y ^ y >> half).wrapping_mul(*inverse) & mask;
            }
            x[0] = y ^ y >> half;
            return x;
        }
        for _ in 0..ROUNDS {
            for word in (0..self.words).rev() {
                let (mask, half) = (self.masks[word], self.halves[word]);
                let mut y = x[word];
                for inverse in self.inverses[1..].iter().rev() {
                    y = (y ^ y >> half).wrapping_mul(*inverse) & mask;
                }
                x[word] = (y ^ y >> half).wrapping_sub(self.hash_before(&x, word)) & mask;
            }
        }
        x
    }

    /// A hash of the word before this one, in the round, and of the one before that: the last word may have so few
    /// bits that hardly anything would come through it alone.
    #[inline(always)]
    fn hash_before(&self, x: &[u64; W], word: usize) -> u64 {
        let before = |word: usize| if word == 0 { self.words - 1 } else { word - 1 };
        let mut hash = x[before(word)];
        if W > 2 && self.words > 2 {
            hash ^= x[before(before(word))].wrapping_mul(FACTORS[2]).rotate_left(32);
        }
        hash = (hash ^ hash >> 32).wrapping_mul(FACTORS[0]);
        (hash ^ hash >> 29).wrapping_mul(FACTORS[2]) ^ hash >> 32
    }
}

/// The inverse of an odd number modulo 2^64, by Newton's method: each step doubles the number of right bits.
fn inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    for _ in 0..5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

#[cfg(test)]
mod tests {
    use sweepnet_testkit::random::Random;

    use super::*;
    use crate::set::words::{field, low, put};

    #[test]
    fn small_numbers_are_permuted() {
        for bits in 0..=12 {
            let mixer = Mixer::<1>::new(bits);
            let mut images: Vec<u64> = (0..1 << bits).map(|x| mixer.mix([x])[0]).collect();
            assert!((0..1 << bits).all(|x| mixer.unmix(mixer.mix([x])) == [x]));
            images.sort_unstable();
            assert!(images.into_iter().eq(0..1 << bits), "{bits} bits");
        }
    }

    fn comes_back<const W: usize>() {
        let mut random = Random::new(W as u64);
        for bits in 0..=64 * W as u32 {
            let mixer = Mixer::<W>::new(bits);
            for _ in 0..100 {
                let x = low(&std::array::from_fn::<u64, W, _>(|_| random.next_u64()), bits);
                let y = mixer.mix(x);
                assert_eq!(low(&y, bits), y, "{bits} bits");
                assert_eq!(mixer.unmix(y), x, "{bits} bits");
            }
        }
    }

    #[test]
    fn every_number_comes_back() {
        comes_back::<1>();
        comes_back::<2>();
        comes_back::<4>();
    }

    /// Counts how numbers fall into 2^10 cells by 10 of their bits: the statistic divided by its expectation is
    /// about 1 if they fall at random, less if they are spread more evenly still.
    fn unevenness<const W: usize>(mixer: &Mixer<W>, at: u32, numbers: impl Iterator<Item = [u64; W]>) -> f64 {
        let mut cells = vec![0u32; 1 << 10];
        let mut count = 0;
        for number in numbers {
            cells[field(&mixer.mix(number), at, 10) as usize] += 1;
            count += 1;
        }
        let mean = f64::from(count) / cells.len() as f64;
        let chi_square: f64 = cells.iter().map(|cell| (f64::from(*cell) - mean).powi(2) / mean).sum();
        chi_square / cells.len() as f64
    }

    fn scatters<const W: usize>(bits: u32) {
        let mixer = Mixer::<W>::new(bits);
        let n = 1u64 << 16;
        for at in [0, (bits - 10) / 2, bits - 10] {
            // Consecutive numbers, and consecutive multiples of powers of two as long as they fit.
            for shift in (0..=bits - 16).step_by(13).chain([bits - 16]) {
                let numbers = (0..n).map(|i| {
                    let mut x = [0; W];
                    put(&mut x, shift, i);
                    x
                });
                let unevenness = unevenness(&mixer, at, numbers);
                assert!(unevenness < 1.6, "{bits} bits from {at}, << {shift}: {unevenness}");
            }
            // Four digits of 16 values each, in places of a mixed radix.
            for radix in [17u64, 23, 100] {
                let numbers = (0..n).map(|i| {
                    let mut x = [0; W];
                    let digits = [i & 15, i >> 4 & 15, i >> 8 & 15, i >> 12];
                    let value = digits.into_iter().fold(0, |sum, digit| sum * radix + digit);
                    put(&mut x, 0, value & mask(bits));
                    x
                });
                if radix.pow(4) <= mask(bits) {
                    let unevenness = unevenness(&mixer, at, numbers);
                    assert!(unevenness < 1.6, "{bits} bits from {at}, radix {radix}: {unevenness}");
                }
            }
        }
    }

    #[test]
    fn regular_numbers_are_scattered() {
        for bits in [20, 24, 31, 33, 40, 50, 57, 63, 64] {
            scatters::<1>(bits);
        }
        for bits in [40, 64, 65, 66, 72, 100, 127, 128] {
            scatters::<2>(bits);
        }
        for bits in [50, 128, 130, 192, 193, 200, 256] {
            scatters::<4>(bits);
        }
    }
}
