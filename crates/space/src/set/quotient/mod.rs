//! The quotient table: an exact set close to the bound.
//!
//! Keys that are spread evenly need not be stored whole: the place says what their leading bits are ("very tight
//! hashing", Cleary, "Compact hash tables using bidirectional linear probing", 1984; later known from quotient
//! filters). Which entries of a block belong to which bucket is told in unary, as in the upper half of Elias and
//! Fano's code for sorted numbers. `layout.rs` says what it costs: about log2(S/R) + 2 bits per member over a load of
//! some nine tenths, where the bound is log2(S/R) + 1.44.
//!
//! A block never spills into its neighbours, so that insertions move few bits; the few members whose block is full
//! are stashed away whole. Before there are enough members for a block, all of them are.

mod block;
mod layout;
mod stash;

use block::Filling;
use layout::{BUCKETS, Layout, UNARY};
use stash::Stash;

use super::TAG_BITS;
use super::admission::Admission;
use super::divided::Part;
use super::words::{field, low, put, split};
use crate::budget::{Charged, OutOfMemory};
use crate::{Budget, Full};

/// How many members are kept without a table.
const WITHOUT_TABLE: u64 = 16;

/// The step by which a part grows that is being filled, as a part of what it has.
const FILLING: u64 = 12;

/// See the [module](self).
#[derive(Debug)]
pub struct QuotientPart<const W: usize> {
    table: Table<W>,
    stash: Stash<W>,
    len: u64,
    budget: Budget,
}

#[derive(Debug)]
struct Table<const W: usize> {
    words: Charged<u64>,
    layout: Layout,
}

impl<const W: usize> Table<W> {
    fn new(layout: Layout, budget: &Budget) -> Result<Self, OutOfMemory> {
        Ok(Self { words: Charged::filled(budget, 0, layout.words())?, layout })
    }

    /// The block and the bucket in it to which a key belongs.
    #[inline(always)]
    fn home(&self, key: &[u64; W]) -> (usize, usize) {
        let bucket = field(key, u32::from(self.layout.remainder), 64) as usize;
        (bucket / BUCKETS, bucket % BUCKETS)
    }

    #[inline(always)]
    fn remainder(&self, key: &[u64; W]) -> [u64; W] {
        low(key, u32::from(self.layout.remainder))
    }

    #[inline(always)]
    fn block(&self, number: usize) -> &[u64] {
        let stride = self.layout.stride as usize;
        &self.words[number * stride..]
    }

    #[inline(always)]
    fn block_mut(&mut self, number: usize) -> &mut [u64] {
        let stride = self.layout.stride as usize;
        &mut self.words[number * stride..]
    }

    /// Puts a key in that is not there; tells whether there was room.
    fn insert(&mut self, key: &[u64; W], tag: u8) -> bool {
        let layout = self.layout;
        let (number, bucket) = self.home(key);
        let remainder = self.remainder(key);
        let block = self.block_mut(number);
        if block::is_full(block, &layout, bucket) {
            return false;
        }
        let run = block::run(block, bucket);
        block::insert(block, &layout, bucket, run, &remainder, tag);
        true
    }

    /// All keys and tags, in the order of their buckets.
    fn for_each(&self, take: &mut dyn FnMut([u64; W], u8) -> Result<(), Full>) -> Result<(), Full> {
        let layout = &self.layout;
        for number in 0..layout.blocks() {
            let block = self.block(number);
            for (entry, bucket) in block::buckets(block).enumerate() {
                let at = layout.entries() + entry * layout.entry();
                let mut key = block::read::<W>(block, at, u32::from(layout.remainder));
                put(&mut key, u32::from(layout.remainder), (number * BUCKETS + bucket) as u64);
                take(key, block::tag(block, layout, entry))?;
            }
        }
        Ok(())
    }
}

impl<const W: usize> QuotientPart<W> {
    /// Moves to a layout for somewhat more than so many members.
    #[cold]
    fn grow(&mut self, members: u64) -> Result<(), OutOfMemory> {
        let layout = self.table.layout;
        let next = layout.after(members);
        let mut table = Table::new(next, &self.budget)?;
        let mut stash = Stash::new(&self.budget);
        let widths = layout.key_and_tag();
        if !layout.is_none() {
            stash.reserve_as(&self.stash, &self.budget, widths)?;
        }
        if next.bucket_bits == layout.bucket_bits {
            for number in 0..layout.blocks() {
                block::copy(table.block_mut(number), &next, self.table.block(number), &layout);
            }
        } else {
            self.split_into(&mut table, &mut stash)?;
        }
        for (key, tag) in self.stash.iter(widths) {
            if !table.insert(&key, tag) {
                stash.reserve(&self.budget, widths)?;
                stash.put(&key, tag, widths);
            }
        }
        self.table = table;
        self.stash = stash;
        Ok(())
    }

    /// Fills a table with more buckets. Each bucket becomes several, one after another in the order of the leading
    /// bits of their remainders.
    fn split_into(&self, table: &mut Table<W>, stash: &mut Stash<W>) -> Result<(), OutOfMemory> {
        let (old, new) = (self.table.layout, table.layout);
        let widths = old.key_and_tag();
        let (old_bits, new_bits) = (u32::from(old.remainder), u32::from(new.remainder));
        let split = old_bits.saturating_sub(new_bits);
        let mut target = 0;
        let mut filling = Filling::default();
        // The buckets of a block's members, counted from the first bucket the block becomes, with their numbers.
        let mut homes = [(0u32, 0u32); block::MOST];
        for number in 0..old.blocks() {
            let block = self.table.block(number);
            let read =
                |entry: u32| block::read::<W>(block, old.entries() + entry as usize * old.entry(), old_bits);
            let mut count = 0;
            for bucket in block::buckets(block) {
                let own = field(&read(count as u32), new_bits, split) as u32;
                homes[count] = ((bucket as u32) << split | own, count as u32);
                // They come in order but for members of the same old bucket: few places to go back, if any.
                let mut at = count;
                while at > 0 && homes[at - 1].0 > homes[at].0 {
                    homes.swap(at - 1, at);
                    at -= 1;
                }
                count += 1;
            }
            for (home, entry) in homes[..count].iter().copied() {
                let home = ((number * BUCKETS) << split) + home as usize;
                if home / BUCKETS != target {
                    std::mem::take(&mut filling).finish(table.block_mut(target));
                    target = home / BUCKETS;
                }
                let mut key = read(entry);
                let tag = block::tag(block, &old, entry as usize);
                let remainder = low(&key, new_bits);
                if !filling.append(table.block_mut(target), &new, home % BUCKETS, &remainder, tag) {
                    key = remainder;
                    put(&mut key, new_bits, home as u64);
                    stash.reserve(&self.budget, widths)?;
                    stash.put(&key, tag, widths);
                }
            }
        }
        if !old.is_none() {
            filling.finish(table.block_mut(target));
        }
        Ok(())
    }
}

impl<const W: usize> Part<W> for QuotientPart<W> {
    fn new(bits: u32, tagged: bool, budget: &Budget) -> Result<Self, Full> {
        let layout = Layout::none(WITHOUT_TABLE, bits, if tagged { TAG_BITS } else { 0 });
        let table = Table::new(layout, budget)?;
        Ok(Self { table, stash: Stash::new(budget), len: 0, budget: budget.clone() })
    }

    #[inline(always)]
    fn touch(&self, key: &[u64; W]) -> u64 {
        let layout = &self.table.layout;
        if layout.is_none() {
            return 0;
        }
        let (number, bucket) = self.table.home(key);
        let block = number * layout.stride as usize;
        // Where its bucket and its entries are if all buckets are filled evenly.
        let before = ((bucket as u64 * self.len) >> layout.bucket_bits) as usize;
        let (unary, entry) = (UNARY + bucket + before, layout.entries() + before * layout.entry());
        let words = &self.table.words;
        words[block + 1] ^ words[block + unary / 64] ^ words[block + entry / 64]
    }

    #[inline(always)]
    fn insert(&mut self, key: &[u64; W], tag: u8, admission: &Admission) -> Result<bool, Full> {
        let layout = self.table.layout;
        if !layout.is_none() {
            let (number, bucket) = self.table.home(key);
            let remainder = self.table.remainder(key);
            let block = self.table.block_mut(number);
            let run = block::run(block, bucket);
            if block::find(block, &layout, run, &remainder).is_some() {
                return Ok(false);
            }
            if !block::is_full(block, &layout, bucket) && self.len < layout.members {
                admission.take()?;
                block::insert(block, &layout, bucket, run, &remainder, tag);
                self.len += 1;
                return Ok(true);
            }
        }
        self.insert_otherwise(key, tag, admission)
    }

    fn absorb(&mut self, members: &[[u64; W]], expected: u64) -> Result<(), Full> {
        let len = self.len + members.len() as u64;
        if len > self.table.layout.members {
            self.grow((len + len / FILLING).min(expected).max(len))?;
        }
        let layout = self.table.layout;
        if layout.is_none() {
            return self.absorb_one_by_one(members);
        }
        let block_bits = u32::from(layout.remainder) + BUCKETS.ilog2();
        let (key_bits, _) = layout.key_and_tag();
        let number = |member: &[u64; W]| field(&low(member, key_bits), block_bits, 64);
        for members in members.chunk_by(|member, other| number(member) == number(other)) {
            let block = self.table.block_mut(number(&members[0]) as usize);
            if block::insert_all(block, &layout, members) {
                self.len += members.len() as u64;
            } else {
                self.absorb_one_by_one(members)?;
            }
        }
        Ok(())
    }

    fn tag_of(&self, key: &[u64; W]) -> Option<u8> {
        let layout = &self.table.layout;
        if layout.is_none() {
            return self.stash.tag_of(key, layout.key_and_tag());
        }
        let (number, bucket) = self.table.home(key);
        let block = self.table.block(number);
        let run = block::run(block, bucket);
        match block::find(block, layout, run, &self.table.remainder(key)) {
            Some(entry) => Some(block::tag(block, layout, entry)),
            None if block::is_full(block, layout, bucket) => self.stash.tag_of(key, layout.key_and_tag()),
            None => None,
        }
    }

    fn bytes(&self) -> usize {
        self.table.words.bytes() + self.stash.bytes()
    }

    fn for_each(&self, take: &mut dyn FnMut([u64; W], u8) -> Result<(), Full>) -> Result<(), Full> {
        self.table.for_each(take)?;
        self.stash.iter(self.table.layout.key_and_tag()).try_for_each(|(key, tag)| take(key, tag))
    }
}

impl<const W: usize> QuotientPart<W> {
    /// Puts keys in that are not there, into their blocks where there is room and else into the stash.
    fn absorb_one_by_one(&mut self, members: &[[u64; W]]) -> Result<(), Full> {
        let widths = self.table.layout.key_and_tag();
        for member in members {
            let (key, tag) = split(member, widths.0);
            if self.table.layout.is_none() || !self.table.insert(&key, tag as u8) {
                self.stash.reserve(&self.budget, widths)?;
                self.stash.put(&key, tag as u8, widths);
            }
            self.len += 1;
        }
        Ok(())
    }

    /// Inserts a key that is not in its block, where there is no room for it there or it is time to grow.
    #[inline(never)]
    fn insert_otherwise(&mut self, key: &[u64; W], tag: u8, admission: &Admission) -> Result<bool, Full> {
        let widths = self.table.layout.key_and_tag();
        if self.stash.tag_of(key, widths).is_some() {
            return Ok(false);
        }
        if self.len >= self.table.layout.members {
            self.grow(self.len)?;
        }
        let has_room = !self.table.layout.is_none() && {
            let (number, bucket) = self.table.home(key);
            !block::is_full(self.table.block(number), &self.table.layout, bucket)
        };
        if has_room {
            admission.take()?;
            self.table.insert(key, tag);
        } else {
            self.stash.reserve(&self.budget, widths)?;
            admission.take()?;
            self.stash.put(key, tag, widths);
        }
        self.len += 1;
        Ok(true)
    }
}
