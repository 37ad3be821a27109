//! In which order states were expanded: a long list of numbers that is written once and read once.

use sweepnet_space::Budget;
use sweepnet_space::budget::OutOfMemory;

use crate::bits::{BitReader, BitWriter, width};
use crate::words::Pieces;

/// Numbers that are packed together, in the bits that the largest of them needs.
const TOGETHER: usize = 1024;

/// Bits for how many bits the numbers have.
const WIDTH_BITS: u32 = 6;

/// A list of numbers. As long as it is 0, 1, 2, … it takes no memory.
#[derive(Debug)]
pub struct Order {
    /// How many of the first numbers are their own positions.
    identity: u64,
    len: u64,
    first: Option<u64>,
    packed: Pieces,
    writer: BitWriter,
    last: Vec<u64>,
}

impl Order {
    /// An empty list.
    pub fn new(budget: &Budget) -> Self {
        let (packed, writer, last) = (Pieces::new(budget), BitWriter::default(), Vec::new());
        Self { identity: 0, len: 0, first: None, packed, writer, last }
    }

    /// How many numbers there are.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// The first number.
    pub fn first(&self) -> Option<u64> {
        self.first
    }

    /// Whether each number is its own position.
    pub fn is_identity(&self) -> bool {
        self.identity == self.len
    }

    /// Adds a number below 2^63.
    #[inline]
    pub fn push(&mut self, number: u64) -> Result<(), OutOfMemory> {
        if self.identity == self.len && number == self.len {
            self.first = Some(0);
            self.identity += 1;
            self.len += 1;
            return Ok(());
        }
        self.first = self.first.or(Some(number));
        self.len += 1;
        self.last.push(number);
        if self.last.len() == TOGETHER { self.pack() } else { Ok(()) }
    }

    fn pack(&mut self) -> Result<(), OutOfMemory> {
        let width = width(self.last.iter().copied().max().unwrap_or(0));
        self.writer.write(u64::from(width), WIDTH_BITS);
        for number in self.last.drain(..) {
            self.writer.write(number, width);
        }
        self.writer.drain(&mut self.packed)
    }

    /// Shows all numbers in order, and gives their memory back.
    pub fn read(mut self, mut show: impl FnMut(u64)) -> Result<(), OutOfMemory> {
        let packed = self.len - self.identity - self.last.len() as u64;
        (0..self.identity).for_each(&mut show);
        self.writer.finish(&mut self.packed)?;
        let (mut words, mut at) = (Vec::new(), 0);
        for _ in 0..packed / TOGETHER as u64 {
            words.clear();
            self.packed.forget_before(at / 64);
            self.packed.copy(at / 64, at / 64 + TOGETHER + 2, &mut words);
            let mut bits = BitReader::new(&words, at % 64);
            let width = bits.read(WIDTH_BITS) as u32;
            for _ in 0..TOGETHER {
                show(bits.read(width));
            }
            at += WIDTH_BITS as usize + TOGETHER * width as usize;
        }
        self.last.iter().copied().for_each(show);
        Ok(())
    }

    /// The bytes it holds.
    pub fn bytes(&self) -> usize {
        self.packed.bytes()
    }
}
