//! Multisets of values as flat words: each value's words one after another, beside how often it is there.

use std::cmp::Ordering;

use crate::fault::Fault;

/// A multiset of values that take `width` words each. *Sorted* ones have each value once, in order, with a count that
/// is not 0.
#[derive(Debug, Default, PartialEq, Eq, Hash)]
pub struct Tokens {
    width: usize,
    words: Vec<u64>,
    counts: Vec<u64>,
}

impl Clone for Tokens {
    fn clone(&self) -> Self {
        Self { width: self.width, words: self.words.clone(), counts: self.counts.clone() }
    }

    /// Keeps the memory it has.
    fn clone_from(&mut self, other: &Self) {
        self.width = other.width;
        self.words.clone_from(&other.words);
        self.counts.clone_from(&other.counts);
    }
}

impl Tokens {
    /// No tokens.
    pub fn new(width: usize) -> Self {
        Self { width: width.max(1), words: Vec::new(), counts: Vec::new() }
    }

    /// How many distinct values there are, if sorted.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Words of a value.
    pub fn width(&self) -> usize {
        self.width
    }

    /// All tokens together.
    pub fn total(&self) -> u64 {
        self.counts.iter().fold(0, |sum: u64, count| sum.saturating_add(*count))
    }

    /// The value at a position.
    #[inline]
    pub fn value(&self, at: usize) -> &[u64] {
        &self.words[at * self.width..(at + 1) * self.width]
    }

    /// The count at a position.
    #[inline]
    pub fn count_at(&self, at: usize) -> u64 {
        self.counts[at]
    }

    /// Values with their counts.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&[u64], u64)> {
        self.words.chunks_exact(self.width).zip(self.counts.iter().copied())
    }

    /// Where a value is, or where it would be.
    #[inline]
    pub fn find(&self, value: &[u64]) -> Result<usize, usize> {
        if self.width == 1 {
            return self.words.binary_search(&value[0]);
        }
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = (low + high) / 2;
            match self.value(middle).cmp(value) {
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
                Ordering::Equal => return Ok(middle),
            }
        }
        Err(low)
    }

    /// How often a value is there.
    #[inline]
    pub fn count(&self, value: &[u64]) -> u64 {
        self.find(value).map_or(0, |at| self.counts[at])
    }

    /// Takes tokens away; false (and nothing taken) if there are not so many.
    pub fn remove(&mut self, value: &[u64], count: u64) -> bool {
        match self.find(value) {
            Ok(at) if self.counts[at] > count => self.counts[at] -= count,
            Ok(at) if self.counts[at] == count => {
                self.counts.remove(at);
                self.words.drain(at * self.width..(at + 1) * self.width);
            }
            _ => return count == 0,
        }
        true
    }

    /// Adds tokens.
    pub fn add(&mut self, value: &[u64], count: u64) -> Result<(), Fault> {
        match self.find(value) {
            _ if count == 0 => {}
            Ok(at) => self.counts[at] = self.counts[at].checked_add(count).ok_or(Fault::TooManyTokens)?,
            Err(at) => {
                self.counts.insert(at, count);
                self.words.splice(at * self.width..at * self.width, value.iter().copied());
            }
        }
        Ok(())
    }

    /// Appends a value that is larger than all that are there.
    pub fn push_last(&mut self, value: &[u64], count: u64) {
        self.words.extend_from_slice(value);
        self.counts.push(count);
    }

    /// Takes everything away.
    pub fn clear(&mut self) {
        self.words.clear();
        self.counts.clear();
    }
}

/// Tokens in the making: values in any order with signed counts.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    width: usize,
    /// The words of the values.
    pub words: Vec<u64>,
    /// Their counts.
    pub counts: Vec<i64>,
    /// Memory to sort in.
    spare: Vec<(u64, i64)>,
}

/// So many values are inserted one by one sooner than all are sorted.
const FEW: usize = 32;

impl Draft {
    /// Nothing, for values of so many words.
    pub fn new(width: usize) -> Self {
        Self { width: width.max(1), ..Self::default() }
    }

    /// Begins anew, for values of so many words.
    pub fn restart(&mut self, width: usize) {
        self.width = width.max(1);
        self.words.clear();
        self.counts.clear();
    }

    /// The values with their counts, in the order they came.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&[u64], i64)> {
        self.words.chunks_exact(self.width).zip(self.counts.iter().copied())
    }

    /// Brings equal values together and drops those that cancel out; an error if one is there fewer than no times.
    pub fn settle(&mut self) -> Result<(), Fault> {
        match self.width {
            1 if !self.words.is_sorted_by(|a, b| a < b) => self.sort_words()?,
            1 => {}
            _ => self.sort_values()?,
        }
        if self.counts.iter().any(|count| *count < 0) {
            return Err(Fault::NegativeCount);
        }
        if self.counts.contains(&0) {
            self.drop_zeros();
        }
        Ok(())
    }

    /// Sorts values of one word. Most often they begin with a long run in order, and the rest only changes its counts.
    fn sort_words(&mut self) -> Result<(), Fault> {
        let Self { words, counts, spare, .. } = self;
        let run = 1 + words.windows(2).take_while(|pair| pair[0] < pair[1]).count();
        let kept = if words.len() - run <= FEW { run } else { 0 };
        spare.clear();
        spare.extend(words.drain(kept..).zip(counts.drain(kept..)));
        if kept == 0 {
            spare.sort_unstable_by_key(|(word, _)| *word);
        }
        for (word, count) in spare {
            let at = match words.last() {
                Some(last) if last < word => Err(words.len()),
                _ => words.binary_search(word),
            };
            match at {
                Ok(at) => counts[at] = counts[at].checked_add(*count).ok_or(Fault::TooManyTokens)?,
                Err(at) => {
                    words.insert(at, *word);
                    counts.insert(at, *count);
                }
            }
        }
        Ok(())
    }

    fn sort_values(&mut self) -> Result<(), Fault> {
        let width = self.width;
        let value = |at: &usize| &self.words[at * width..(at + 1) * width];
        if (1..self.counts.len()).all(|at| value(&(at - 1)) < value(&at)) {
            return Ok(());
        }
        let mut order: Vec<usize> = (0..self.counts.len()).collect();
        order.sort_by(|a, b| value(a).cmp(value(b)));
        let (mut words, mut counts) = (Vec::with_capacity(self.words.len()), Vec::<i64>::new());
        for at in order {
            let value = &self.words[at * width..(at + 1) * width];
            match counts.last_mut() {
                Some(last) if words[words.len() - width..] == *value => {
                    *last = last.checked_add(self.counts[at]).ok_or(Fault::TooManyTokens)?;
                }
                _ => {
                    words.extend_from_slice(value);
                    counts.push(self.counts[at]);
                }
            }
        }
        (self.words, self.counts) = (words, counts);
        Ok(())
    }

    fn drop_zeros(&mut self) {
        let (width, mut kept) = (self.width, 0);
        for at in 0..self.counts.len() {
            if self.counts[at] != 0 {
                self.counts[kept] = self.counts[at];
                self.words.copy_within(at * width..(at + 1) * width, kept * width);
                kept += 1;
            }
        }
        self.counts.truncate(kept);
        self.words.truncate(kept * width);
    }
}
