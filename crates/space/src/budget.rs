//! One memory budget for a whole run.
//!
//! Everything that grows with the state space asks here *before* it allocates. A refusal is a value: the search
//! turns it into an honest `unknown`, never into a crash. The account starts with what the process already
//! uses, so that the limit speaks of the process, as the user does.
//!
//! Allocators keep what they are given back, and may or may not use it for what is asked for next. So the account of a
//! process is a bound from above: what was resident when it was last looked at, and all that was charged since. What is
//! given back counts only when the system says so, at the next look; before anything is refused, there is one.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::{Arc, OnceLock};

use thiserror::Error;

use crate::program::RETURNING_BYTES;
use crate::sync::Mutex;
use crate::sync::atomic::{AtomicU64, Ordering};

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
    /// What is used, at most.
    used: AtomicU64,
    /// What was charged and not released, and what is about to be charged: it is counted here before it is used, so that
    /// whoever looks meanwhile does not take it for something that was given back.
    charged: AtomicU64,
    /// The part of it that is held for memory which need not be there yet.
    held: AtomicU64,
    /// For a whole process, what it used at first.
    at_first: Option<u64>,
    looking: Mutex<()>,
}

/// What is left over what an analysis may count.
const ROOM_SHARE: u64 = 4;

/// What is kept back of a budget for the whole process.
fn kept_back(limit: u64) -> u64 {
    (limit / 64).min(16 << 20) + (1 << 20)
}

impl Budget {
    /// A budget for the whole process, of which what is resident now is already used, and a little is kept back
    /// for what nobody accounts for: what allocators round up, and what it takes to report the end.
    pub fn for_process(limit: u64) -> Self {
        let used = resident_at_most().unwrap_or(0).saturating_add(kept_back(limit));
        Self::with(limit, Some(used))
    }

    /// A budget of which nothing is used yet.
    pub fn of(limit: u64) -> Self {
        Self::with(limit, None)
    }

    fn with(limit: u64, at_first: Option<u64>) -> Self {
        let used = AtomicU64::new(at_first.unwrap_or(0));
        let (charged, held) = (AtomicU64::new(0), AtomicU64::new(0));
        Self {
            account: Arc::new(Account { limit, used, charged, held, at_first, looking: Mutex::default() }),
        }
    }

    /// Looks at what the process really has in memory: less than on the account if the system got something back,
    /// more if something was taken without asking.
    pub fn catch_up(&self) {
        let _one_at_a_time = self.account.looking.lock();
        self.look(0);
    }

    /// Looks on behalf of one who is about to charge so much.
    fn look(&self, asked: u64) {
        let account = &*self.account;
        let Some(at_first) = account.at_first else { return };
        // Whatever is used here is seen among what is charged: it was released after that.
        let before = account.used.load(Ordering::Acquire);
        let Some(resident) = resident_at_most() else { return };
        let charged = account.charged.load(Ordering::Relaxed).saturating_sub(asked);
        let charged = at_first.saturating_add(charged);
        let held = account.held.load(Ordering::Relaxed);
        let now = resident.saturating_add(kept_back(self.limit())).saturating_add(held).max(charged);
        // What was charged meanwhile may or may not be resident: it stays on the account until the next look.
        account.used.fetch_add(now.wrapping_sub(before), Ordering::Relaxed);
    }

    /// The limit in bytes.
    pub fn limit(&self) -> u64 {
        self.account.limit
    }

    /// The most that the process may have in memory: the limit, if it is one for the whole process.
    pub fn resident_limit(&self) -> u64 {
        if self.account.at_first.is_some() { self.limit() } else { u64::MAX }
    }

    /// What is used, in bytes.
    pub fn used(&self) -> u64 {
        self.account.used.load(Ordering::Relaxed)
    }

    /// How many bytes an analysis that does not ask here may keep at a time. It counts what it keeps, and more comes of
    /// it: what it is made from, what is drawn from it, and what allocators lose between pieces. And something has to be
    /// left for the search. So it is a part of what is left.
    pub fn room(&self) -> usize {
        self.catch_up();
        let left = self.limit().saturating_sub(self.used());
        usize::try_from(left / ROOM_SHARE).unwrap_or(usize::MAX)
    }

    /// The refusal.
    pub fn refusal(&self) -> OutOfMemory {
        OutOfMemory { limit: self.limit() }
    }

    /// Takes bytes from the budget, or refuses. (Of two who ask for the last bytes at the same time, both may be refused.)
    pub fn charge(&self, bytes: usize) -> Result<(), OutOfMemory> {
        self.account.charged.fetch_add(bytes as u64, Ordering::Relaxed);
        if self.take(bytes as u64) || self.take_after_a_look(bytes as u64) {
            return Ok(());
        }
        self.account.charged.fetch_sub(bytes as u64, Ordering::Relaxed);
        Err(self.refusal())
    }

    /// Puts bytes on the account unless they are too many.
    fn take(&self, bytes: u64) -> bool {
        let with = |used: u64| used.checked_add(bytes).filter(|used| *used <= self.account.limit);
        self.account.used.fetch_update(Ordering::Release, Ordering::Relaxed, with).is_ok()
    }

    #[cold]
    fn take_after_a_look(&self, bytes: u64) -> bool {
        let _one_at_a_time = self.account.looking.lock();
        // Somebody else may have looked meanwhile.
        self.take(bytes) || {
            self.look(bytes);
            self.take(bytes)
        }
    }

    /// Takes bytes from the budget until what is returned is dropped, or refuses.
    pub fn hold(&self, bytes: usize) -> Result<Hold, OutOfMemory> {
        self.charge(bytes)?;
        self.account.held.fetch_add(bytes as u64, Ordering::Relaxed);
        Ok(Hold { bytes, budget: self.clone() })
    }

    /// Gives bytes back.
    pub fn release(&self, bytes: usize) {
        self.account.charged.fetch_sub(bytes as u64, Ordering::Relaxed);
        if self.account.at_first.is_none() {
            self.account.used.fetch_sub(bytes as u64, Ordering::Relaxed);
        }
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
        self.budget.account.held.fetch_sub(self.bytes as u64, Ordering::Relaxed);
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

    /// A vector of `len` copies whose bytes are on the account already; nothing if the system refuses them.
    pub fn paid(budget: &Budget, value: T, len: usize) -> Option<Self>
    where
        T: Clone,
    {
        let mut items = Vec::new();
        items.try_reserve_exact(len).ok()?;
        items.resize(len, value);
        Some(Self { items, budget: budget.clone() })
    }

    /// Frees the items; their bytes stay on the account, for a vector that is [`paid`](Self::paid) with them.
    pub fn free_on_account(&mut self) {
        self.items = Vec::new();
    }

    /// A vector of `len` items of which all bits are 0. Memory that nobody writes to is not taken from the system.
    pub fn zeroed(budget: &Budget, len: usize) -> Result<Self, OutOfMemory>
    where
        T: bytemuck::Zeroable,
    {
        let bytes = len.checked_mul(size_of::<T>()).ok_or(budget.refusal())?;
        budget.charge(bytes)?;
        match bytemuck::allocation::try_zeroed_vec(len) {
            Ok(items) => Ok(Self { items, budget: budget.clone() }),
            Err(()) => {
                budget.release(bytes);
                Err(budget.refusal())
            }
        }
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
        // What the allocator really gave is never less than what was asked for; the difference is tiny.
        let more = self.bytes().saturating_sub(wanted);
        self.budget.account.charged.fetch_add(more as u64, Ordering::Relaxed);
        self.budget.account.used.fetch_add(more as u64, Ordering::Release);
        self.budget.release(old);
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

    /// How many items it has room for.
    pub fn capacity(&self) -> usize {
        self.items.capacity()
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

    /// Takes all items out; the memory stays.
    pub fn clear(&mut self) {
        self.items.clear();
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

/// What the process has in memory now, where the system tells. This is asked often, and `statm` is told ten times as fast as
/// `status`.
pub fn resident_bytes() -> Option<u64> {
    let (resident, _) = statm()?;
    Some(resident)
}

/// The same with all pages of the program that may come again after they were [given back](crate::program).
fn resident_at_most() -> Option<u64> {
    let (resident, of_files) = statm()?;
    Some(resident.saturating_sub(of_files).saturating_add(of_files.max(RETURNING_BYTES)))
}

/// What the process has in memory, and how much of it is pages of files.
fn statm() -> Option<(u64, u64)> {
    static STATM: OnceLock<Option<(File, u64)>> = OnceLock::new();
    let opened = STATM.get_or_init(|| Some((File::open("/proc/self/statm").ok()?, page_bytes()?)));
    let (statm, page) = opened.as_ref()?;
    let mut text = [0; 128];
    let len = statm.read_at(&mut text, 0).ok()?;
    let mut pages = std::str::from_utf8(&text[..len]).ok()?.split_ascii_whitespace().skip(1);
    let mut bytes = || Some(pages.next()?.parse::<u64>().ok()? * page);
    Some((bytes()?, bytes()?))
}

/// The bytes of a page of memory, as the system tells every program that it starts.
fn page_bytes() -> Option<u64> {
    const PAGE_SIZE: usize = 6;
    let told = std::fs::read("/proc/self/auxv").ok()?;
    let words: Vec<usize> = told
        .chunks_exact(size_of::<usize>())
        .map(|bytes| bytes.iter().rev().fold(0, |word, byte| word << 8 | usize::from(*byte)))
        .collect();
    let page = words.chunks_exact(2).find(|pair| pair[0] == PAGE_SIZE)?[1];
    page.is_power_of_two().then_some(page as u64)
}

/// Whether the process has outgrown a limit, but for what is kept back of it: for work that does not ask for its memory.
pub fn is_outgrown(limit: u64) -> bool {
    resident_bytes().is_some_and(|bytes| bytes > limit.saturating_sub(kept_back(limit)))
}

/// The most the process has had in memory, where the system tells.
pub fn peak_resident_bytes() -> Option<u64> {
    status_field("VmHWM:")
}

/// What files take of it that the process has mapped, which is mostly the program: the system can have that back at any
/// time.
pub fn program_resident_bytes() -> Option<u64> {
    status_field("RssFile:")
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
    fn both_ways_to_ask_for_memory_are_answered_alike() {
        let (Some(quick), Some(slow)) = (resident_bytes(), status_field("VmRSS:")) else {
            return println!("skipped: the system does not tell");
        };
        assert!(quick.abs_diff(slow) < (64 << 20), "{quick} {slow}");
        assert!(page_bytes().is_some_and(|page| page >= 4096));
    }

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
