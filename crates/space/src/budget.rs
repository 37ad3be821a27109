//! One memory budget for a whole run.
//!
//! Everything that grows with the state space asks here *before* it allocates. A refusal is a value: the search
//! turns it into an honest `unknown`, never into a crash. The account starts with what the process already
//! uses, so that the limit speaks of the process, as the user does.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use thiserror::Error;

/// The budget does not allow an allocation, or the operating system refused it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the memory budget of {limit} bytes is used up")]
pub struct OutOfMemory {
    /// The budget in bytes.
    pub limit: u64,
}

/// A shared account of bytes.
#[derive(Clone, Debug)]
pub struct Budget {
    account: Arc<Account>,
}

#[derive(Debug)]
struct Account {
    limit: u64,
    used: AtomicU64,
    whole_process: bool,
}

/// What is kept back of a budget for the whole process.
fn kept_back(limit: u64) -> u64 {
    (limit / 64).min(16 << 20) + (512 << 10)
}

impl Budget {
    /// A budget for the whole process, of which what is resident now is already used, and a little is kept back
    /// for what nobody accounts for: what allocators round up, and what it takes to report the end.
    pub fn for_process(limit: u64) -> Self {
        let used = resident_bytes().unwrap_or(0).saturating_add(kept_back(limit));
        Self { account: Arc::new(Account { limit, used: AtomicU64::new(used), whole_process: true }) }
    }

    /// A budget of which nothing is used yet.
    pub fn of(limit: u64) -> Self {
        Self { account: Arc::new(Account { limit, used: AtomicU64::new(0), whole_process: false }) }
    }

    /// Puts on the account what the process has in memory beyond it: what was taken without asking, or given back
    /// to the allocator but not to the system.
    pub fn catch_up(&self) {
        if self.account.whole_process
            && let Some(resident) = resident_bytes()
        {
            self.account.used.fetch_max(resident.saturating_add(kept_back(self.limit())), Ordering::Relaxed);
        }
    }

    /// The limit in bytes.
    pub fn limit(&self) -> u64 {
        self.account.limit
    }

    /// What is used, in bytes.
    pub fn used(&self) -> u64 {
        self.account.used.load(Ordering::Relaxed)
    }

    /// The refusal.
    pub fn refusal(&self) -> OutOfMemory {
        OutOfMemory { limit: self.limit() }
    }

    /// Takes bytes from the budget, or refuses.
    pub fn charge(&self, bytes: usize) -> Result<(), OutOfMemory> {
        let bytes = bytes as u64;
        let before = self.account.used.fetch_add(bytes, Ordering::Relaxed);
        if before.saturating_add(bytes) > self.account.limit {
            self.account.used.fetch_sub(bytes, Ordering::Relaxed);
            return Err(self.refusal());
        }
        Ok(())
    }

    /// Takes bytes from the budget until what is returned is dropped, or refuses.
    pub fn hold(&self, bytes: usize) -> Result<Hold, OutOfMemory> {
        self.charge(bytes)?;
        Ok(Hold { bytes, budget: self.clone() })
    }

    /// Gives bytes back.
    pub fn release(&self, bytes: usize) {
        self.account.used.fetch_sub(bytes as u64, Ordering::Relaxed);
    }
}

/// Bytes that are on the account as long as this lives: for memory of a known size that others allocate.
#[derive(Debug)]
pub struct Hold {
    bytes: usize,
    budget: Budget,
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.budget.release(self.bytes);
    }
}

/// A vector whose memory is on the account: it grows only with the budget's consent.
#[derive(Debug)]
pub struct Charged<T> {
    items: Vec<T>,
    budget: Budget,
}

impl<T> Charged<T> {
    /// An empty vector.
    pub fn new(budget: &Budget) -> Self {
        Self { items: Vec::new(), budget: budget.clone() }
    }

    /// A vector of `len` copies.
    pub fn filled(budget: &Budget, value: T, len: usize) -> Result<Self, OutOfMemory>
    where
        T: Clone,
    {
        let mut vector = Self::new(budget);
        vector.resize(len, value)?;
        Ok(vector)
    }

    /// Makes it `len` items long, with copies of a value where there were none.
    pub fn resize(&mut self, len: usize, value: T) -> Result<(), OutOfMemory>
    where
        T: Clone,
    {
        self.grow_to(len)?;
        self.items.resize(len, value);
        Ok(())
    }

    /// Makes it `len` items long, with default values where there were none.
    pub fn resize_default(&mut self, len: usize) -> Result<(), OutOfMemory>
    where
        T: Default,
    {
        self.grow_to(len)?;
        self.items.resize_with(len, T::default);
        Ok(())
    }

    /// Makes room for `capacity` items in all.
    pub fn grow_to(&mut self, capacity: usize) -> Result<(), OutOfMemory> {
        let old = self.bytes();
        if capacity <= self.items.capacity() {
            return Ok(());
        }
        let wanted = capacity.checked_mul(size_of::<T>()).ok_or(self.budget.refusal())?;
        // While a vector moves, old and new memory exist at once: the new one is charged in full first.
        self.budget.charge(wanted)?;
        if self.items.try_reserve_exact(capacity - self.items.len()).is_err() {
            self.budget.release(wanted);
            return Err(self.budget.refusal());
        }
        self.budget.release(wanted + old);
        let real = self.bytes();
        // What the allocator really gave is never less than what was asked for; the difference is tiny.
        self.budget.account.used.fetch_add(real as u64, Ordering::Relaxed);
        Ok(())
    }

    /// Makes room for `capacity` items in all, and for more if that means to move: moving again soon would cost
    /// more than the room.
    #[inline]
    pub fn reserve(&mut self, capacity: usize) -> Result<(), OutOfMemory> {
        if capacity <= self.items.capacity() {
            return Ok(());
        }
        let ample = capacity.max(self.items.capacity() * 2).max(4);
        self.grow_to(ample).or_else(|_| self.grow_to(capacity))
    }

    /// Adds an item for which there is room.
    ///
    /// # Panics
    /// If there is none: memory that nobody asked for must not be taken.
    #[inline]
    pub fn push_reserved(&mut self, item: T) {
        assert!(self.items.len() < self.items.capacity(), "there is room");
        self.items.push(item);
    }

    /// Adds an item.
    #[inline]
    pub fn push(&mut self, item: T) -> Result<(), OutOfMemory> {
        self.reserve(self.items.len() + 1)?;
        self.items.push(item);
        Ok(())
    }

    /// Takes the last item.
    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        self.items.pop()
    }

    /// The bytes it holds.
    pub fn bytes(&self) -> usize {
        self.items.capacity() * size_of::<T>()
    }
}

impl<T> std::ops::Deref for Charged<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<T> std::ops::DerefMut for Charged<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items
    }
}

impl<T> Drop for Charged<T> {
    fn drop(&mut self) {
        self.budget.release(self.bytes());
    }
}

/// What the process has in memory now, where the system tells.
pub fn resident_bytes() -> Option<u64> {
    status_field("VmRSS:")
}

/// The most the process has had in memory, where the system tells.
pub fn peak_resident_bytes() -> Option<u64> {
    status_field("VmHWM:")
}

fn status_field(name: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_charged_is_released_and_the_limit_is_never_passed() {
        let budget = Budget::of(10_000);
        let mut vector = Charged::<u64>::new(&budget);
        let mut pushed = 0;
        while vector.push(7).is_ok() {
            pushed += 1;
            assert!(budget.used() <= budget.limit());
        }
        assert_eq!(vector.len(), pushed);
        assert!(pushed >= 256, "a third of the budget at least can be used by one growing vector");
        drop(vector);
        assert_eq!(budget.used(), 0);
        assert_eq!(Charged::filled(&budget, 0u8, 10_001).err(), Some(OutOfMemory { limit: 10_000 }));
    }
}
