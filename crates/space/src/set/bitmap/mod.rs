//! The bitmap: one bit per rank, eight if members carry tags (0 for a rank that is not there, else its tag plus one).
//!
//! S bits for R members out of S: no set is smaller where more than about one rank in five is a member (the bound is
//! S·H(R/S) bits, H the binary entropy, and tables need some two bits per member more than theirs), and none is
//! faster anywhere. Memory comes in pages when it is first touched, so that ranks that cluster leave the rest of S
//! unpaid.
//!
//! Of several threads, the one that writes to a page has claimed it (`page`): it reads and writes words in two steps, without
//! atomic operations on them, and has the page for itself meanwhile. Successors by one event of states that lie close
//! together lie close together, so a claim is good for many candidates. Nothing is ever taken out, so a relaxed load without
//! a claim that shows a member may be believed, and one that shows none is only a hint that is checked under the claim.
//!
//! Where there is a limit, no page is claimed: a bit goes from 0 to 1 only in a single atomic read-modify-write (`fetch_or`, or
//! `compare_exchange` for a tag), and all such operations on one word happen in one order, whatever the memory
//! ordering asked for; exactly one of them reads the 0 that it replaces. The number of members publishes them: it is
//! released after each of them is in. (Whether there is a limit only changes while nobody sends.)
//!
//! No other memory is published through the words; pages are published by their [`OnceLock`].

mod page;
mod stretching;

use page::{Claim, Page};

use super::admission::Admission;
use super::words::mask;
use super::{RankSet, Shape, TAG_BITS, TOGETHER, Taker};
use crate::budget::{Charged, OutOfMemory};
use crate::sync::atomic::{AtomicU64, Ordering};
use crate::sync::{OnceLock, yield_now};
use crate::{Budget, Full};

/// Words of a page, as a power of two: 1 KiB. Smaller ones leave more of S unpaid where ranks cluster, but each takes 32
/// bytes more.
const PAGE: u32 = 7;

/// The most pages, as a power of two; beyond, pages are larger.
const MOST_PAGES: u32 = 17;

/// The most ranks, as a power of two.
const MOST_BITS: u32 = 40;

/// Candidates are close where so many, in the mean, come one after another that are in the same page.
const CLOSE: usize = 4;

/// See the [module](self).
#[derive(Debug)]
pub struct Bitmap {
    pages: Charged<OnceLock<Page>>,
    /// Words of a page, as a power of two.
    page: u32,
    ranks: u64,
    /// Bits of a rank.
    bits: u32,
    /// Bits per rank: 1, or those of a tag.
    width: u32,
    /// Bytes of the pages that were touched.
    touched: AtomicU64,
    len: AtomicU64,
    /// Places taken, by members and by candidates that are about to find out whether they are new.
    admission: Admission,
    budget: Budget,
}

/// Ranks on their way into a [`Bitmap`].
#[derive(Debug)]
pub struct Candidates {
    ranks: Vec<[u64; 1]>,
    /// Whether nobody else sends any.
    alone: bool,
}

/// The page, the word in it and the bit in that where a rank is, with so many bits for each and so many words, as a power
/// of two, in a page.
#[inline(always)]
fn place(rank: u64, width: u32, page: u32) -> (usize, usize, u32) {
    let bit = rank * u64::from(width);
    let word = bit / 64;
    ((word >> page) as usize, (word & ((1 << page) - 1)) as usize, (bit % 64) as u32)
}

/// Bits for a rank.
fn width(tagged: bool) -> u32 {
    if tagged { TAG_BITS } else { 1 }
}

/// Words of a page, as a power of two, of a bitmap of so many ranks.
fn page_for(ranks: u64, tagged: bool) -> u32 {
    let words = ranks.saturating_mul(width(tagged).into()).div_ceil(64);
    (PAGE..).find(|page| words.div_ceil(1 << page) <= 1 << MOST_PAGES).unwrap_or(PAGE)
}

impl Bitmap {
    /// What it takes with its list of pages, if none is left out, in multiples of its bits.
    pub const WITH_PAGES: f64 =
        (size_of::<OnceLock<Page>>() + Page::bytes_for(1 << PAGE)) as f64 / (8 << PAGE) as f64;

    /// An empty set of ranks below `ranks`; the shape's bits must be enough for them.
    pub fn with_ranks(ranks: u64, shape: &Shape) -> Result<Self, Full> {
        if ranks > 1 << MOST_BITS {
            return Err(shape.budget.refusal().into());
        }
        let width = width(shape.tagged);
        let words = (ranks * u64::from(width)).div_ceil(64);
        let page = page_for(ranks, shape.tagged);
        let count = words.div_ceil(1 << page) as usize;
        let mut pages = Charged::new(&shape.budget);
        pages.grow_to(count)?;
        for _ in 0..count {
            pages.push_reserved(OnceLock::new());
        }
        Ok(Self {
            pages,
            page,
            ranks,
            bits: shape.bits,
            width,
            touched: AtomicU64::new(0),
            len: AtomicU64::new(0),
            admission: Admission::new(0, shape.most),
            budget: shape.budget.clone(),
        })
    }

    /// How many ranks share a page, if there are so many in all.
    pub fn ranks_of_page(ranks: u64, tagged: bool) -> u64 {
        (64 << page_for(ranks, tagged)) / u64::from(width(tagged))
    }

    /// The bytes of a page, if there are so many ranks in all.
    pub fn page_bytes(ranks: u64, tagged: bool) -> u64 {
        Page::bytes_for(1 << page_for(ranks, tagged)) as u64
    }

    /// The part of it that was touched, and is paid for.
    pub fn touched(&self) -> f64 {
        let bits = self.ranks as f64 * f64::from(self.width);
        (self.touched.load(Ordering::Relaxed) as f64 * 8.0 / bits.max(1.0)).min(1.0)
    }

    /// The bits of an entry.
    #[inline(always)]
    fn mask(&self) -> u64 {
        (1 << self.width) - 1
    }

    /// The page, the word in it and the bit in that where a rank is.
    #[inline(always)]
    fn place(&self, rank: u64) -> (usize, usize, u32) {
        place(rank, self.width, self.page)
    }

    /// The words of a page: the last one has only those it needs.
    fn words_of(&self, page: usize) -> usize {
        let words = (self.ranks * u64::from(self.width)).div_ceil(64);
        (words - ((page as u64) << self.page)).min(1 << self.page) as usize
    }

    #[inline(always)]
    fn page(&self, page: usize) -> Result<&Page, OutOfMemory> {
        match self.pages[page].get() {
            Some(words) => Ok(words),
            None => self.make(page),
        }
    }

    #[cold]
    fn make(&self, page: usize) -> Result<&Page, OutOfMemory> {
        let words = self.words_of(page);
        let bytes = Page::bytes_for(words);
        self.budget.charge(bytes)?;
        let Some(fresh) = Page::fresh(words) else {
            self.budget.release(bytes);
            return Err(self.budget.refusal());
        };
        match self.pages[page].set(fresh) {
            Ok(()) => _ = self.touched.fetch_add(bytes as u64, Ordering::Relaxed),
            // Another thread was faster; its page is as good.
            Err(_) => self.budget.release(bytes),
        }
        Ok(self.pages[page].get().expect("a page is there"))
    }

    /// Sets a rank's bits unless they are set; tells whether they were not.
    #[inline(always)]
    fn set(&self, word: &AtomicU64, bit: u32, tag: u8) -> bool {
        let entry = if self.width == 1 { 1 } else { u64::from(tag) + 1 } << bit;
        let mut seen = word.load(Ordering::Relaxed);
        while seen >> bit & self.mask() == 0 {
            if self.width == 1 {
                return word.fetch_or(entry, Ordering::Relaxed) & entry == 0;
            }
            match word.compare_exchange_weak(seen, seen | entry, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return true,
                Err(other) => seen = other,
            }
        }
        false
    }

    /// Sets a rank's bits unless they are set or there are too many; tells whether they were not.
    fn set_within_limit(&self, word: &AtomicU64, bit: u32, tag: u8) -> Result<bool, Full> {
        loop {
            if self.admission.take().is_ok() {
                let new = self.set(word, bit, tag);
                if new {
                    self.len.fetch_add(1, Ordering::Release);
                } else {
                    self.admission.give_back();
                }
                return Ok(new);
            }
            // All places are taken, but some perhaps by candidates that turn out to be there already and give theirs
            // back at once: the set is full only if as many are in it as may be. Whoever sees that sees them all, and
            // this one may be among them.
            let is_full = self.len.load(Ordering::Acquire) >= self.admission.most();
            if word.load(Ordering::Relaxed) >> bit & self.mask() != 0 {
                return Ok(false);
            }
            if is_full {
                return Err(Full::States);
            }
            yield_now();
        }
    }

    /// Leaves only those candidates whose bits are not set. No look-up waits for another and none is a reason to branch,
    /// so that the processor waits for the memory of many of them together.
    #[inline(always)]
    fn keep_strangers<const WIDTH: u32>(&self, candidates: &mut Vec<[u64; 1]>) {
        let rank = mask(self.bits);
        let entry = mask(WIDTH);
        // What is in the set's fields does not change meanwhile, which only we know.
        let (pages, page_bits) = (&self.pages[..], self.page);
        let mut strangers = 0;
        let all = candidates.as_mut_slice();
        for at in 0..all.len() {
            let candidate = all[at];
            let (page, word, bit) = place(candidate[0] & rank, WIDTH, page_bits);
            let word = pages[page].get().map_or(0, |page| page.all_words()[word].load(Ordering::Relaxed));
            all[strangers] = candidate;
            strangers += usize::from(word >> bit & entry == 0);
        }
        candidates.truncate(strangers);
    }

    /// Whether one after another they are in the same page.
    #[inline(always)]
    fn are_close<const WIDTH: u32>(&self, candidates: &[[u64; 1]]) -> bool {
        let rank = mask(self.bits);
        let page = |candidate: &[u64; 1]| place(candidate[0] & rank, WIDTH, self.page).0;
        let changes: usize =
            candidates.windows(2).map(|two| usize::from(page(&two[0]) != page(&two[1]))).sum();
        changes * CLOSE <= candidates.len()
    }

    /// Sets the bits of all candidates, and leaves in front those whose bits were not set: by a thread that is the only one to
    /// send, or that claims each page for as long as the next candidate is in it, too. As in
    /// [`keep_strangers`](Self::keep_strangers) no look-up waits for another, and whether bits were set is no reason to
    /// branch. Tells how many were not set, and how many there were before a refusal.
    #[inline(always)]
    fn set_all<const WIDTH: u32, const ALONE: bool>(
        &self,
        candidates: &mut [[u64; 1]],
        tag: u8,
    ) -> (usize, usize, Result<(), OutOfMemory>) {
        let rank = mask(self.bits);
        let entry = mask(WIDTH);
        let set = if WIDTH == 1 { 1 } else { u64::from(tag) + 1 };
        let (pages, page_bits) = (&self.pages[..], self.page);
        let mut new = 0;
        let mut words: &[AtomicU64] = &[];
        let (mut present, mut claim) = (usize::MAX, None::<Claim<'_>>);
        for at in 0..candidates.len() {
            let candidate = candidates[at];
            let (page, word, bit) = place(candidate[0] & rank, WIDTH, page_bits);
            if ALONE || page != present {
                drop(claim.take());
                let whole = match pages[page].get() {
                    Some(whole) => whole,
                    None => match self.make(page) {
                        Ok(made) => made,
                        Err(refusal) => return (new, at, Err(refusal)),
                    },
                };
                words = whole.all_words();
                if !ALONE {
                    claim = Some(whole.claim());
                    present = page;
                }
            }
            let seen = words[word].load(Ordering::Relaxed);
            let is_new = seen >> bit & entry == 0;
            let entry = if WIDTH == 1 || is_new { set << bit } else { 0 };
            words[word].store(seen | entry, Ordering::Relaxed);
            candidates[new] = candidate;
            new += usize::from(is_new);
        }
        (new, candidates.len(), Ok(()))
    }

    /// Where there is no limit. Each of several threads looks first who is a stranger, unless all are close and it costs
    /// next to nothing to claim their pages anyway.
    fn insert_unlimited<const WIDTH: u32, const ALONE: bool>(
        &self,
        candidates: &mut Vec<[u64; 1]>,
        tag: u8,
        found: &mut Vec<[u64; 1]>,
    ) -> Result<(), Full> {
        if !ALONE && !self.are_close::<WIDTH>(candidates) {
            self.keep_strangers::<WIDTH>(candidates);
        }
        let (new, done, outcome) = self.set_all::<WIDTH, ALONE>(candidates, tag);
        if new > 0 {
            self.len.fetch_add(new as u64, Ordering::Relaxed);
        }
        found.extend_from_slice(&candidates[..new]);
        candidates.drain(..done);
        Ok(outcome?)
    }

    /// For one or several, where there is a limit.
    fn insert_within_limit<const WIDTH: u32>(
        &self,
        candidates: &mut Vec<[u64; 1]>,
        tag: u8,
        found: &mut Vec<[u64; 1]>,
    ) -> Result<(), Full> {
        self.keep_strangers::<WIDTH>(candidates);
        let rank = mask(self.bits);
        let mut done = 0;
        let outcome = candidates.iter().try_for_each(|candidate| {
            let (page, word, bit) = self.place(candidate[0] & rank);
            if self.set_within_limit(&self.page(page)?.all_words()[word], bit, tag)? {
                found.push(*candidate);
            }
            done += 1;
            Ok(())
        });
        candidates.drain(..done);
        outcome
    }

    fn insert(
        &self,
        candidates: &mut Vec<[u64; 1]>,
        alone: bool,
        tag: u8,
        found: &mut Vec<[u64; 1]>,
    ) -> Result<(), Full> {
        debug_assert!(tag < u8::MAX, "one value is needed for what is not there");
        match (self.admission.is_limited(), alone, self.width) {
            (true, _, 1) => self.insert_within_limit::<1>(candidates, tag, found),
            (true, _, _) => self.insert_within_limit::<TAG_BITS>(candidates, tag, found),
            (false, true, 1) => self.insert_unlimited::<1, true>(candidates, tag, found),
            (false, true, _) => self.insert_unlimited::<TAG_BITS, true>(candidates, tag, found),
            (false, false, 1) => self.insert_unlimited::<1, false>(candidates, tag, found),
            (false, false, _) => self.insert_unlimited::<TAG_BITS, false>(candidates, tag, found),
        }
    }
}

impl RankSet<1> for Bitmap {
    type Outbox = Candidates;
    const IS_DEAR: bool = false;

    fn new(shape: &Shape) -> Result<Self, Full> {
        if shape.bits > MOST_BITS {
            return Err(shape.budget.refusal().into());
        }
        Self::with_ranks(1 << shape.bits, shape)
    }

    fn parts(&self) -> usize {
        self.pages.len()
    }

    fn outbox(&self) -> Candidates {
        Candidates { ranks: Vec::with_capacity(TOGETHER), alone: false }
    }

    fn sole_outbox(&self) -> Candidates {
        Candidates { alone: true, ..self.outbox() }
    }

    #[inline]
    fn send(
        &self,
        outbox: &mut Candidates,
        rank: [u64; 1],
        tag: u8,
        found: &mut impl FnMut([u64; 1]),
    ) -> Result<(), Full> {
        outbox.ranks.push(rank);
        if outbox.ranks.len() < TOGETHER { Ok(()) } else { self.flush(outbox, tag, found) }
    }

    fn send_all(
        &self,
        outbox: &mut Candidates,
        candidates: &mut Vec<[u64; 1]>,
        tag: u8,
        found: &mut Vec<[u64; 1]>,
    ) -> Result<(), Full> {
        self.insert(candidates, outbox.alone, tag, found)
    }

    fn flush(&self, outbox: &mut Candidates, tag: u8, found: &mut impl FnMut([u64; 1])) -> Result<(), Full> {
        let mut new = Vec::new();
        let inserted = self.insert(&mut outbox.ranks, outbox.alone, tag, &mut new);
        new.into_iter().for_each(found);
        inserted
    }

    fn take_back(&self, outbox: &mut Candidates, into: &mut Vec<[u64; 1]>) {
        into.append(&mut outbox.ranks);
    }

    fn fill(
        &self,
        _: u64,
        _: usize,
        feed: impl FnOnce(&mut Taker<'_, 1>) -> Result<(), Full>,
    ) -> Result<(), Full> {
        let mut new = 0;
        let fed = feed(&mut |[rank], tag| {
            let (page, word, bit) = self.place(rank);
            let word = &self.page(page)?.all_words()[word];
            self.admission.take()?;
            new += u64::from(self.set(word, bit, tag));
            Ok(())
        });
        self.len.fetch_add(new, Ordering::Relaxed);
        fed
    }

    fn tag_of(&self, rank: [u64; 1]) -> Option<u8> {
        let (page, word, bit) = self.place(rank[0]);
        let word = self.pages.get(page)?.get()?.words().get(word)?.load(Ordering::Relaxed);
        match word >> bit & self.mask() {
            0 => None,
            entry => Some(entry as u8 - 1),
        }
    }

    fn len(&self) -> u64 {
        self.len.load(Ordering::Relaxed)
    }

    fn limit(&mut self, most: u64) {
        self.admission = Admission::new(self.len(), self.admission.most().min(most));
    }

    fn bytes(&self) -> usize {
        self.pages.bytes() + self.touched.load(Ordering::Relaxed) as usize
    }

    fn takes(&self, ranks: Option<u64>) -> bool {
        ranks.is_some_and(|ranks| ranks <= self.ranks)
    }

    fn each(&self, visit: &mut dyn FnMut([u64; 1])) {
        for (page, words) in self.pages.iter().enumerate() {
            let Some(words) = words.get() else { continue };
            let shown = self.each_of_page(page, words.words(), &mut |rank, _| {
                visit(rank);
                Ok(())
            });
            debug_assert_eq!(shown, Ok(()));
        }
    }

    fn drain(mut self, take: &mut dyn FnMut([u64; 1], u8) -> Result<(), Full>) -> Result<(), Full> {
        for page in 0..self.pages.len() {
            let Some(words) = self.pages[page].take() else { continue };
            let outcome = self.each_of_page(page, words.words(), take);
            self.give_back(words);
            outcome?;
        }
        Ok(())
    }
}

impl Bitmap {
    fn each_of_page(
        &self,
        page: usize,
        words: &[AtomicU64],
        take: &mut dyn FnMut([u64; 1], u8) -> Result<(), Full>,
    ) -> Result<(), Full> {
        let first = (page as u64) << self.page;
        words.iter().zip(first..).try_for_each(|(word, at)| {
            let mut rest = word.load(Ordering::Relaxed);
            while rest != 0 {
                let bit = rest.trailing_zeros() / self.width * self.width;
                let entry = rest >> bit & self.mask();
                rest ^= entry << bit;
                take([(at * 64 + u64::from(bit)) / u64::from(self.width)], entry as u8 - 1)?;
            }
            Ok(())
        })
    }

    fn give_back(&self, page: Page) {
        let bytes = page.bytes();
        drop(page);
        self.touched.fetch_sub(bytes as u64, Ordering::Relaxed);
        self.budget.release(bytes);
    }
}

impl Drop for Bitmap {
    fn drop(&mut self) {
        for page in 0..self.pages.len() {
            if let Some(words) = self.pages[page].take() {
                self.give_back(words);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(tagged: bool) -> Shape {
        Shape { bits: 40, tagged, most: u64::MAX, expected: 0, budget: Budget::of(u64::MAX) }
    }

    #[test]
    fn memory_is_paid_for_where_ranks_are() {
        let set = <Bitmap as RankSet<1>>::new(&shape(true)).unwrap();
        assert!(set.bytes() <= 4 << 20, "{}", set.bytes());
        let before = set.bytes();
        let mut outbox = set.outbox();
        for rank in [7, 8, 9, (1 << 40) - 1, (1 << 40) - 2] {
            set.send(&mut outbox, [rank], 2, &mut |_| ()).unwrap();
        }
        set.flush(&mut outbox, 2, &mut |_| ()).unwrap();
        assert_eq!(set.len(), 5);
        assert_eq!(set.bytes() - before, 2 * Page::bytes_for(1 << set.page));
        assert_eq!(set.tag_of([(1 << 40) - 1]), Some(2));
        assert_eq!(set.tag_of([(1 << 40) - 3]), None);
    }

    #[test]
    fn a_number_of_ranks_takes_as_many_bits() {
        for (ranks, tagged, words, pages) in
            [(0, false, 0, 0), (1, false, 1, 1), (64, true, 8, 1), (100_000, false, 1563, 13)]
        {
            let set = Bitmap::with_ranks(ranks, &shape(tagged)).unwrap();
            let mut outbox = set.outbox();
            let mut count = 0;
            for rank in 0..ranks {
                set.send(&mut outbox, [rank], 0, &mut |_| count += 1).unwrap();
            }
            set.flush(&mut outbox, 0, &mut |_| count += 1).unwrap();
            assert_eq!((count, set.len()), (ranks, ranks));
            assert_eq!(set.bytes() - set.pages.bytes(), 8 * (words + pages));
        }
    }

    #[test]
    fn too_many_ranks_are_refused() {
        let shape = Shape { bits: 41, ..shape(false) };
        assert!(matches!(<Bitmap as RankSet<1>>::new(&shape), Err(Full::Memory(_))));
    }
}
