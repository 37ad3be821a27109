//! Sparse vectors as sorted lists of (index, value) without zeros, in checked integers.

/// A sparse vector.
pub type Entries = Vec<(u32, i128)>;

/// The bytes that a vector takes, with what the allocator adds.
pub(crate) fn bytes_of<T>(vector: &Vec<T>) -> usize {
    if vector.capacity() == 0 { 0 } else { vector.capacity() * size_of::<T>() + ALLOCATION }
}

/// What allocators take for themselves, as a rule.
const ALLOCATION: usize = 16;

/// `x * a + y * b` without zeros; nothing if a number leaves `i128`.
pub fn linear(a: &[(u32, i128)], x: i128, b: &[(u32, i128)], y: i128) -> Option<Entries> {
    let mut sum = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        let left = a.get(i).map_or(u32::MAX, |e| e.0);
        let right = b.get(j).map_or(u32::MAX, |e| e.0);
        let column = left.min(right);
        let mut value = 0i128;
        if i < a.len() && left == column {
            value = a[i].1.checked_mul(x)?;
            i += 1;
        }
        if j < b.len() && right == column {
            value = value.checked_add(b[j].1.checked_mul(y)?)?;
            j += 1;
        }
        if value != 0 {
            sum.push((column, value));
        }
    }
    Some(sum)
}

/// The indices of both, sorted.
pub(crate) fn union(a: &[(u32, i128)], b: &[(u32, i128)]) -> Vec<u32> {
    let mut all: Vec<u32> = a.iter().chain(b).map(|e| e.0).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Whether the indices are all among those of the sorted list.
pub(crate) fn is_subset(small: &[(u32, i128)], large: &[u32]) -> bool {
    let mut rest = large.iter();
    small.len() <= large.len() && small.iter().all(|(x, _)| rest.by_ref().any(|y| y == x))
}

/// A set of 64 that contains the signature of every subset: most pairs need no closer look.
pub(crate) fn signature(weights: &[(u32, i128)]) -> u64 {
    weights.iter().fold(0, |s, (i, _)| s | 1 << (i.wrapping_mul(0x9E37_79B1) >> 26))
}

/// The greatest common divisor; that of 0 and x is x.
pub fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
