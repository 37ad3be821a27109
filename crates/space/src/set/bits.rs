//! Strings of bits in words: reading, writing, moving and counting them, a word at a time.
//!
//! Addresses are bit numbers from the start of the slice. What is read as a word may begin in any bit and therefore
//! needs the word after the one it begins in to exist.

use crate::set::words::mask;

/// The 64 bits from `at` on.
#[inline(always)]
pub fn read(words: &[u64], at: usize) -> u64 {
    let (word, shift) = (at / 64, at % 64);
    words[word] >> shift | words[word + 1] << 1 << (63 - shift)
}

/// The 64 bits from `at` on, and the 64 bits after them.
#[inline(always)]
pub fn read_two(words: &[u64], at: usize) -> (u64, u64) {
    let (word, shift) = (at / 64, at % 64);
    let words = &words[word..word + 3];
    (words[0] >> shift | words[1] << 1 << (63 - shift), words[1] >> shift | words[2] << 1 << (63 - shift))
}

/// Writes the lowest `bits` bits (at most 64) of a value over what is there.
#[inline(always)]
pub fn write(words: &mut [u64], at: usize, bits: u32, value: u64) {
    let (word, shift) = (at / 64, at % 64);
    let (mask, value) = (mask(bits), value & mask(bits));
    words[word] = words[word] & !(mask << shift) | value << shift;
    words[word + 1] = words[word + 1] & !(mask >> 1 >> (63 - shift)) | value >> 1 >> (63 - shift);
}

/// Moves the bits `from..to` up by `by`, over what is there. The bits they leave behind are as they were.
#[inline(always)]
pub fn move_up(words: &mut [u64], from: usize, to: usize, by: usize) {
    if from == to || by == 0 {
        return;
    }
    let (skip, shift) = (by / 64, by % 64);
    // A word of the result; what would come from before the slice is never kept.
    let moved = |words: &[u64], at: usize| {
        let low = if at > skip { words[at - skip - 1] >> 1 >> (63 - shift) } else { 0 };
        words[at - skip] << shift | low
    };
    let (first, last) = ((from + by) / 64, (to + by - 1) / 64);
    let kept_below = mask(((from + by) % 64) as u32);
    let kept_above = !mask(((to + by - 1) % 64) as u32 + 1);
    if first == last {
        let kept = kept_below | kept_above;
        words[first] = words[first] & kept | moved(words, first) & !kept;
        return;
    }
    words[last] = words[last] & kept_above | moved(words, last) & !kept_above;
    // Several at a time from a copy, which the compiler makes vector operations of.
    const CHUNK: usize = 8;
    let mut end = last;
    while end > first + CHUNK {
        let mut copy = [0; CHUNK + 1];
        copy.copy_from_slice(&words[end - skip - CHUNK - 1..end - skip]);
        for (word, pair) in words[end - CHUNK..end].iter_mut().zip(copy.windows(2)) {
            *word = pair[1] << shift | pair[0] >> 1 >> (63 - shift);
        }
        end -= CHUNK;
    }
    for at in (first + 1..end).rev() {
        words[at] = moved(words, at);
    }
    words[first] = words[first] & kept_below | moved(words, first) & !kept_below;
}

/// Copies `count` bits from `at` on to where there are zeros.
pub fn copy(target: &mut [u64], to: usize, source: &[u64], at: usize, count: usize) {
    let head = (64 - to % 64).min(count);
    target[to / 64] |= (read(source, at) & mask(head as u32)) << (to % 64);
    // The rest begins with a word of the target.
    let (to, at, count) = ((to + head) / 64, at + head, count - head);
    let (from, shift) = (at / 64, at % 64);
    let (whole, tail) = (count / 64, count % 64);
    if whole > 0 {
        let pairs = source[from..=from + whole].windows(2);
        for (word, pair) in target[to..to + whole].iter_mut().zip(pairs) {
            *word = pair[0] >> shift | pair[1] << 1 << (63 - shift);
        }
    }
    if tail > 0 {
        target[to + whole] |= read(source, at + 64 * whole) & mask(tail as u32);
    }
}

const ONES: u64 = 0x0101_0101_0101_0101;

/// For each byte, the ones in it and all lower ones; the highest byte has those of the whole word.
#[inline(always)]
pub fn ones_up_to_byte(word: u64) -> u64 {
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    ((nibbles + (nibbles >> 4)) & 0x0F0F_0F0F_0F0F_0F0F).wrapping_mul(ONES)
}

/// The number of the `n`-th one of a word (counted from 0), which must have more; `sums` is
/// [`ones_up_to_byte`] of the word. After Vigna, "Broadword implementation of rank/select queries", 2008.
#[inline(always)]
pub fn select(word: u64, sums: u64, n: u32) -> u32 {
    let more = ((sums | ONES << 7) - ONES.wrapping_mul(u64::from(n) + 1)) & ONES << 7;
    let byte = more.trailing_zeros() & 0x38;
    let before = (sums << 8 >> byte) as u32 & 0xFF;
    byte + u32::from(IN_BYTE[((n - before) & 7) as usize][(word >> byte & 0xFF) as usize])
}

/// The number of the n-th one of a byte.
static IN_BYTE: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut n) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[n][byte] = bit as u8;
                n += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use sweepnet_testkit::random::Random;

    use super::*;

    fn bits_of(words: &[u64]) -> Vec<bool> {
        (0..words.len() * 64).map(|bit| words[bit / 64] >> (bit % 64) & 1 == 1).collect()
    }

    #[test]
    fn ones_are_found_by_their_number() {
        let mut random = Random::new(1);
        for _ in 0..10_000 {
            let word = random.next_u64() & random.next_u64() | random.next_u64() & random.next_u64();
            let sums = ones_up_to_byte(word);
            assert_eq!(sums >> 56, u64::from(word.count_ones()));
            let ones = (0..64).filter(|bit| word >> bit & 1 == 1);
            assert!(ones.enumerate().all(|(n, bit)| select(word, sums, n as u32) == bit));
        }
        assert_eq!(select(u64::MAX, ones_up_to_byte(u64::MAX), 63), 63);
    }

    #[test]
    fn bits_move_and_nothing_else_does() {
        let mut random = Random::new(2);
        for _ in 0..5_000 {
            let mut words: Vec<u64> = (0..40).map(|_| random.next_u64()).collect();
            let before = bits_of(&words);
            let by = random.below(300) as usize;
            let to = random.below(40 * 64 - by as u64 + 1) as usize;
            let from = random.below(to as u64 + 1) as usize;
            let mut expected = before.clone();
            expected[from + by..to + by].copy_from_slice(&before[from..to]);
            move_up(&mut words, from, to, by);
            assert_eq!(bits_of(&words), expected, "{from}..{to} by {by}");
        }
    }

    #[test]
    fn bits_are_copied_written_and_read() {
        let mut random = Random::new(3);
        for _ in 0..20_000 {
            let source: Vec<u64> = (0..9).map(|_| random.next_u64()).collect();
            let count = random.below(400) as usize;
            let (at, to) = (random.below(100) as usize, random.below(100) as usize);
            let mut target = vec![0; 9];
            copy(&mut target, to, &source, at, count);
            let mut expected = vec![false; 9 * 64];
            expected[to..to + count].copy_from_slice(&bits_of(&source)[at..at + count]);
            assert_eq!(bits_of(&target), expected);

            let bits = random.below(65) as usize;
            let value = random.next_u64();
            let mut written = source.clone();
            write(&mut written, at, bits as u32, value);
            let mut expected = bits_of(&source);
            expected[at..at + bits].copy_from_slice(&bits_of(&[value])[..bits]);
            assert_eq!(bits_of(&written), expected);
            assert_eq!(read(&written, at) & mask(bits as u32), value & mask(bits as u32));
        }
    }
}
