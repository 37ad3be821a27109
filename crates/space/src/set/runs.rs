//! Ranks that stay side by side when all ranks are made anew.
//!
//! In mixed radix, tuples that differ in their lowest numbers only have neighbouring ranks, in every radix in which the
//! numbers below have the same capacities. So from one radix to another whole *runs* of ranks move together, and where
//! each of them goes is told by a few strides, one for each number above.

/// From one radix to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runs {
    /// Ranks of a run.
    pub len: u64,
    /// The numbers above, lowest first.
    pub strides: Vec<Stride>,
}

/// A number of a tuple: it is below `count`, and one more of it adds this to a rank of the one radix and of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stride {
    /// How many values it has.
    pub count: u64,
    /// What one more adds before.
    pub from: u64,
    /// What one more adds afterwards.
    pub to: u64,
}

impl Runs {
    /// How many runs there are.
    pub fn count(&self) -> u64 {
        self.strides.iter().fold(1, |count, stride| count.saturating_mul(stride.count))
    }

    /// Tells of each run where it begins, before and afterwards, in ascending order of the former; until a refusal.
    pub fn each<E>(&self, mut visit: impl FnMut(u64, u64) -> Result<(), E>) -> Result<(), E> {
        let mut numbers = vec![0; self.strides.len()];
        let (mut from, mut to) = (0u64, 0u64);
        loop {
            visit(from, to)?;
            let mut carries = numbers.iter_mut().zip(&self.strides);
            loop {
                let Some((number, stride)) = carries.next() else { return Ok(()) };
                *number += 1;
                (from, to) = (from + stride.from, to + stride.to);
                if *number < stride.count {
                    break;
                }
                (from, to) = (from - *number * stride.from, to - *number * stride.to);
                *number = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_run_is_told_once_and_in_order() {
        let runs = Runs {
            len: 7,
            strides: vec![Stride { count: 2, from: 7, to: 9 }, Stride { count: 3, from: 14, to: 20 }],
        };
        let mut told = Vec::new();
        runs.each(|from, to| {
            told.push((from, to));
            Ok::<_, ()>(())
        })
        .unwrap();
        assert_eq!(runs.count(), 6);
        assert_eq!(told, [(0, 0), (7, 9), (14, 20), (21, 29), (28, 40), (35, 49)]);
    }

    #[test]
    fn a_single_run_has_no_strides() {
        let mut told = 0;
        let runs = Runs { len: 5, strides: Vec::new() };
        assert_eq!(runs.each(|from, to| Err::<(), _>((from, to))), Err((0, 0)));
        runs.each(|_, _| {
            told += 1;
            Ok::<_, ()>(())
        })
        .unwrap();
        assert_eq!(told, 1);
    }
}
