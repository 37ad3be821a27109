//! A long row of words: grown piece by piece, without ever moving, or mapped from a file.

use std::collections::VecDeque;

use sweepnet_space::Budget;
use sweepnet_space::budget::{Charged, OutOfMemory};

use crate::mapped::Mapped;

/// Words of a piece.
const PIECE: usize = 1 << 13;

/// Words that are added at the end and can be given back from either end.
#[derive(Debug)]
pub struct Pieces {
    pieces: VecDeque<Charged<u64>>,
    /// Pieces given back at the beginning.
    gone: usize,
    len: usize,
    budget: Budget,
}

impl Pieces {
    /// No words.
    pub fn new(budget: &Budget) -> Self {
        Self { pieces: VecDeque::new(), gone: 0, len: 0, budget: budget.clone() }
    }

    /// Words that were added.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Copies words out; those that were given back or never added are zero.
    pub fn copy(&self, from: usize, to: usize, into: &mut Vec<u64>) {
        let mut at = from;
        while at < to {
            let end = to.min((at / PIECE + 1) * PIECE);
            let piece = (at / PIECE).checked_sub(self.gone).and_then(|i| self.pieces.get(i));
            let words = piece.and_then(|piece| piece.get(at % PIECE..at % PIECE + (end - at)));
            match words {
                Some(words) => into.extend_from_slice(words),
                None => {
                    into.extend((at..end).map(|i| piece.and_then(|p| p.get(i % PIECE)).copied().unwrap_or(0)))
                }
            }
            at = end;
        }
    }

    /// One word; zero if there is none.
    #[inline]
    pub fn get(&self, index: usize) -> u64 {
        let piece = (index / PIECE).checked_sub(self.gone).and_then(|i| self.pieces.get(i));
        piece.and_then(|piece| piece.get(index % PIECE)).copied().unwrap_or(0)
    }

    /// Gives back what lies wholly before this word.
    pub fn forget_before(&mut self, index: usize) {
        while self.gone < index / PIECE && self.pieces.pop_front().is_some() {
            self.gone += 1;
        }
    }

    /// Gives back what lies wholly from this word on.
    pub fn forget_from(&mut self, index: usize) {
        let kept = index.div_ceil(PIECE).saturating_sub(self.gone);
        self.pieces.truncate(kept);
    }

    /// The bytes it holds.
    pub fn bytes(&self) -> usize {
        self.pieces.iter().map(Charged::bytes).sum()
    }
}

impl Pieces {
    /// Adds words.
    pub fn extend(&mut self, mut words: &[u64]) -> Result<(), OutOfMemory> {
        while !words.is_empty() {
            if self.len.is_multiple_of(PIECE) {
                self.open()?;
            }
            let Some(piece) = self.pieces.back_mut() else { return Err(self.budget.refusal()) };
            let (now, later) = words.split_at(words.len().min(PIECE - self.len % PIECE));
            piece.reserve(piece.len() + now.len())?;
            now.iter().for_each(|word| piece.push_reserved(*word));
            self.len += now.len();
            words = later;
        }
        Ok(())
    }

    #[cold]
    fn open(&mut self) -> Result<(), OutOfMemory> {
        let mut piece = Charged::new(&self.budget);
        // The first piece grows as needed: most graphs are small.
        if self.len > 0 {
            piece.grow_to(PIECE)?;
        }
        self.pieces.try_reserve(1).map_err(|_| self.budget.refusal())?;
        self.pieces.push_back(piece);
        Ok(())
    }
}

/// Words, wherever they are.
#[derive(Debug)]
pub enum Words {
    /// In memory.
    Own(Pieces),
    /// A part of a file: the file, the first word, and how many.
    Mapped(Mapped, usize, usize),
}

impl Words {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Own(pieces) => pieces.len(),
            Self::Mapped(_, _, len) => *len,
        }
    }

    /// One word; zero if there is none.
    #[inline]
    pub fn get(&self, index: usize) -> u64 {
        match self {
            Self::Own(pieces) => pieces.get(index),
            Self::Mapped(file, from, len) => {
                let word = if index < *len { file.words().get(from + index) } else { None };
                word.map_or(0, |word| u64::from_le(*word))
            }
        }
    }

    /// Copies words out; those that are not there are zero.
    pub fn copy(&self, from: usize, to: usize, into: &mut Vec<u64>) {
        match self {
            Self::Own(pieces) => pieces.copy(from, to, into),
            Self::Mapped(file, first, len) => {
                let words = file.words().get(*first..first + len).unwrap_or(&[]);
                let there = words.get(from.min(words.len())..to.min(words.len())).unwrap_or(&[]);
                into.extend(there.iter().map(|word| u64::from_le(*word)));
                into.extend(std::iter::repeat_n(0, to.saturating_sub(from) - there.len()));
            }
        }
    }

    /// The bytes it holds, or that are mapped.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Own(pieces) => pieces.bytes(),
            Self::Mapped(_, _, len) => len * 8,
        }
    }
}
