//! Open addressing over state numbers: linear probing, slots of 32 bits (64 beyond 2^30 states). What bits of
//! a slot the number does not need hold a part of the hash, so that most slots of other states are told apart
//! without a look into the arena.
//!
//! The table grows by half, from the arena alone: the old slots are given back before the new ones are filled.

use crate::Budget;
use crate::budget::{Charged, OutOfMemory};

/// The largest load: 4 of 5 slots.
const LOAD: (u64, u64) = (4, 5);

const FIRST_SLOTS: usize = 1 << 4;

/// A place in the table where a number may go.
#[derive(Clone, Copy, Debug)]
pub struct Vacancy(usize);

#[derive(Debug)]
pub struct Index {
    slots: Slots,
    /// Bits of a slot that hold the number (plus one: 0 is an empty slot).
    id_bits: u32,
    budget: Budget,
}

#[derive(Debug)]
enum Slots {
    Narrow(Charged<u32>),
    Wide(Charged<u64>),
}

impl Slots {
    /// Empty slots whose bytes are on the account already.
    fn paid(budget: &Budget, slots: usize) -> Option<Self> {
        match is_wide(slots) {
            true => Charged::paid(budget, 0, slots).map(Self::Wide),
            false => Charged::paid(budget, 0, slots).map(Self::Narrow),
        }
    }

    fn free_on_account(&mut self) {
        match self {
            Self::Narrow(slots) => slots.free_on_account(),
            Self::Wide(slots) => slots.free_on_account(),
        }
    }
}

trait Slot: Copy {
    const BITS: u32;
    fn widen(self) -> u64;
    fn narrow(value: u64) -> Self;
}

impl Slot for u32 {
    const BITS: u32 = 32;
    #[inline(always)]
    fn widen(self) -> u64 {
        u64::from(self)
    }
    #[inline(always)]
    fn narrow(value: u64) -> Self {
        value as Self
    }
}

impl Slot for u64 {
    const BITS: u32 = 64;
    #[inline(always)]
    fn widen(self) -> u64 {
        self
    }
    #[inline(always)]
    fn narrow(value: u64) -> Self {
        value
    }
}

/// What a slot holds for a state. The tag is taken from the low bits of the hash: the high ones choose the slot.
#[inline(always)]
fn entry<S: Slot>(hash: u64, id: u64, id_bits: u32) -> u64 {
    (hash << id_bits | (id + 1)) & (u64::MAX >> (64 - S::BITS))
}

#[inline(always)]
fn home(hash: u64, slots: usize) -> usize {
    ((u128::from(hash) * slots as u128) >> 64) as usize
}

#[inline(always)]
fn find<S: Slot>(
    slots: &[S],
    id_bits: u32,
    hash: u64,
    mut is_it: impl FnMut(u64) -> bool,
) -> Result<u64, Vacancy> {
    let id_mask = (1u64 << id_bits) - 1;
    let tag = entry::<S>(hash, 0, id_bits) & !id_mask;
    let mut at = home(hash, slots.len());
    loop {
        let slot = slots[at].widen();
        if slot == 0 {
            return Err(Vacancy(at));
        }
        if slot & !id_mask == tag {
            let id = (slot & id_mask) - 1;
            if is_it(id) {
                return Ok(id);
            }
        }
        at += 1;
        if at == slots.len() {
            at = 0;
        }
    }
}

fn refill<S: Slot>(slots: &mut [S], id_bits: u32, len: u64, hash_of: impl Fn(u64) -> u64) {
    slots.fill(S::narrow(0));
    for id in 0..len {
        let hash = hash_of(id);
        let Err(Vacancy(at)) = find(slots, id_bits, hash, |_| false) else {
            unreachable!("nothing is equal to anything here");
        };
        slots[at] = S::narrow(entry::<S>(hash, id, id_bits));
    }
}

impl Index {
    pub fn new(budget: &Budget) -> Result<Self, OutOfMemory> {
        let slots = Slots::Narrow(Charged::filled(budget, 0, FIRST_SLOTS)?);
        Ok(Self { slots, id_bits: id_bits(FIRST_SLOTS), budget: budget.clone() })
    }

    fn slots(&self) -> usize {
        match &self.slots {
            Slots::Narrow(slots) => slots.len(),
            Slots::Wide(slots) => slots.len(),
        }
    }

    pub fn bytes(&self) -> usize {
        match &self.slots {
            Slots::Narrow(slots) => slots.bytes(),
            Slots::Wide(slots) => slots.bytes(),
        }
    }

    /// Whether so many states are more than the table should hold.
    #[inline(always)]
    pub fn is_full(&self, len: u64) -> bool {
        len * LOAD.1 > self.slots() as u64 * LOAD.0
    }

    /// The number of the state that `is_it` recognises among those with this hash, or where it would go.
    #[inline(always)]
    pub fn find(&self, hash: u64, is_it: impl FnMut(u64) -> bool) -> Result<u64, Vacancy> {
        match &self.slots {
            Slots::Narrow(slots) => find(slots, self.id_bits, hash, is_it),
            Slots::Wide(slots) => find(slots, self.id_bits, hash, is_it),
        }
    }

    /// The state in the slot where the search for a hash begins, if its part of the hash fits.
    #[inline(always)]
    pub fn likely(&self, hash: u64) -> Option<u64> {
        fn first<S: Slot>(slots: &[S], id_bits: u32, hash: u64) -> Option<u64> {
            let id_mask = (1u64 << id_bits) - 1;
            let slot = slots[home(hash, slots.len())].widen();
            ((slot ^ entry::<S>(hash, 0, id_bits)) & !id_mask == 0).then_some(slot & id_mask)?.checked_sub(1)
        }
        match &self.slots {
            Slots::Narrow(slots) => first(slots, self.id_bits, hash),
            Slots::Wide(slots) => first(slots, self.id_bits, hash),
        }
    }

    /// Where a state that is not there would go.
    pub fn vacancy(&self, hash: u64) -> Vacancy {
        match self.find(hash, |_| false) {
            Err(vacancy) => vacancy,
            Ok(_) => unreachable!("nothing is equal to anything here"),
        }
    }

    #[inline(always)]
    pub fn fill(&mut self, Vacancy(at): Vacancy, hash: u64, id: u64) {
        match &mut self.slots {
            Slots::Narrow(slots) => slots[at] = u32::narrow(entry::<u32>(hash, id, self.id_bits)),
            Slots::Wide(slots) => slots[at] = u64::narrow(entry::<u64>(hash, id, self.id_bits)),
        }
    }

    /// Half as many slots again, filled anew with the first `len` states.
    #[cold]
    pub fn grow(&mut self, len: u64, hash_of: impl Fn(u64) -> u64) -> Result<(), OutOfMemory> {
        let (old, more) = (self.slots(), self.slots() / 2 * 3);
        // The old slots pay for a part of the new ones, so that what others take meanwhile cannot come between. A
        // refusal leaves the table as it was.
        let extra = slot_bytes(more) - self.bytes();
        self.budget.charge(extra)?;
        self.slots.free_on_account();
        let grown = Slots::paid(&self.budget, more);
        let refused = grown.is_none();
        if refused {
            self.budget.release(extra);
        }
        self.slots = grown
            .or_else(|| Slots::paid(&self.budget, old))
            .expect("memory that was just given back can be had again");
        self.id_bits = id_bits(self.slots());
        self.refill(len, hash_of);
        if refused { Err(self.budget.refusal()) } else { Ok(()) }
    }

    /// Fills the slots anew with the first `len` states.
    pub fn refill(&mut self, len: u64, hash_of: impl Fn(u64) -> u64) {
        match &mut self.slots {
            Slots::Narrow(slots) => refill(slots, self.id_bits, len, hash_of),
            Slots::Wide(slots) => refill(slots, self.id_bits, len, hash_of),
        }
    }
}

/// Bits for the numbers (plus one) of as many states as a table of so many slots may hold.
fn id_bits(slots: usize) -> u32 {
    let most = slots as u64 * LOAD.0 / LOAD.1 + 2;
    64 - most.leading_zeros()
}

/// Whether a table of so many slots needs wide ones; some bits are left to tell hashes apart.
fn is_wide(slots: usize) -> bool {
    id_bits(slots) > 30
}

fn slot_bytes(slots: usize) -> usize {
    slots * if is_wide(slots) { size_of::<u64>() } else { size_of::<u32>() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_leaves_the_table_as_it_was() {
        let hash_of = |id: u64| id.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let budget = Budget::of(4 * FIRST_SLOTS as u64 + 4 * FIRST_SLOTS as u64 / 2);
        let mut index = Index::new(&budget).unwrap();
        let mut len = 0;
        loop {
            if index.is_full(len + 1) && index.grow(len, hash_of).is_err() {
                break;
            }
            index.fill(index.vacancy(hash_of(len)), hash_of(len), len);
            len += 1;
        }
        assert!(len > FIRST_SLOTS as u64 * 4 / 5, "it has grown once");
        for id in 0..len {
            assert_eq!(index.find(hash_of(id), |it| it == id).ok(), Some(id));
        }
    }
}
