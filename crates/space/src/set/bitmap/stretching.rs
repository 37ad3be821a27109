//! Moving all members of a bitmap to a wider or narrower one, a word at a time.
//!
//! Making ranks anew one by one costs a division for each component and each member. Runs of ranks that stay side by
//! side need none of that: their bits are copied, up to 64 together, whoever is a member and who is not.

use super::{Bitmap, Page};
use crate::Full;
use crate::set::RankSet;
use crate::set::runs::Runs;
use crate::set::words::mask;
use crate::sync::atomic::Ordering;

/// How often, while pages are given back, it is looked what the process really has.
const LOOKS: usize = 16;

impl Bitmap {
    /// Moves all members to an empty bitmap of ranks in another radix, giving pages back on the way. After a refusal the
    /// rest is lost.
    pub fn stretch_into(mut self, to: &Self, runs: &Runs) -> Result<(), Full> {
        debug_assert_eq!(self.width, to.width, "both have tags or none has");
        let members = self.len();
        if to.admission.is_limited() {
            to.admission.admit(members)?;
        }
        let width = u64::from(self.width);
        let page_bits = 64u64 << self.page;
        let look = self.pages.len() / LOOKS + 1;
        let mut given_back = 0;
        runs.each(|from, target| {
            let (mut from, mut target, mut rest) = (from * width, target * width, runs.len * width);
            while rest > 0 {
                // Up to the end of a page; those before it are not needed any more.
                let (page, _) = self.word_at(from);
                while given_back < page {
                    if let Some(words) = self.pages[given_back].take() {
                        self.give_back(words);
                    }
                    given_back += 1;
                    if given_back % look == 0 {
                        self.budget.catch_up();
                    }
                }
                let bits = rest.min(page_bits - from % page_bits);
                self.copy(page, from, to, target, bits)?;
                (from, target, rest) = (from + bits, target + bits, rest - bits);
            }
            Ok::<_, Full>(())
        })?;
        to.len.fetch_add(members, Ordering::Relaxed);
        Ok(())
    }

    /// Copies so many bits of a page from one place to another one, where none are set.
    fn copy(&self, page: usize, mut from: u64, to: &Self, mut at: u64, mut rest: u64) -> Result<(), Full> {
        let Some(words) = self.pages[page].get().map(Page::words) else { return Ok(()) };
        while rest > 0 {
            let bits = rest.min(64 - at % 64);
            let (_, word) = self.word_at(from);
            let shift = from % 64;
            let low = words[word].load(Ordering::Relaxed) >> shift;
            // Bits beyond the page are none of those to be copied.
            let next = words.get(word + 1).map_or(0, |next| next.load(Ordering::Relaxed));
            let piece = (low | next << 1 << (63 - shift)) & mask(bits as u32);
            if piece != 0 {
                let (page, word) = to.word_at(at);
                to.page(page)?.all_words()[word].fetch_or(piece << (at % 64), Ordering::Relaxed);
            }
            (from, at, rest) = (from + bits, at + bits, rest - bits);
        }
        Ok(())
    }

    /// The page of a bit, and the word in it.
    #[inline(always)]
    fn word_at(&self, bit: u64) -> (usize, usize) {
        let word = bit / 64;
        ((word >> self.page) as usize, (word & ((1 << self.page) - 1)) as usize)
    }
}
