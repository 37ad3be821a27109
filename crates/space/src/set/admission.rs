//! How many members a set has, and how many it may have.

use crate::Full;
use crate::sync::atomic::{AtomicU64, Ordering};

/// A count of members with a limit.
///
/// Without a limit nothing is counted member by member: [`take`](Self::take) is free, and whoever inserts adds up
/// what was new in a [`settle`](Self::settle) now and then. With a limit, each member takes its place before it goes
/// in, so that there are never too many.
#[derive(Debug)]
pub struct Admission {
    most: u64,
    members: AtomicU64,
}

impl Admission {
    /// So many members already, and at most so many in all.
    pub fn new(members: u64, most: u64) -> Self {
        Self { most, members: AtomicU64::new(members) }
    }

    /// The members so far.
    pub fn members(&self) -> u64 {
        self.members.load(Ordering::Relaxed)
    }

    /// The limit.
    pub fn most(&self) -> u64 {
        self.most
    }

    /// Lowers the limit.
    pub fn limit(&mut self, most: u64) {
        self.most = self.most.min(most);
    }

    /// Whether there is a limit at all.
    #[inline(always)]
    pub fn is_limited(&self) -> bool {
        self.most < u64::MAX
    }

    /// Takes the place of one new member.
    #[inline(always)]
    pub fn take(&self) -> Result<(), Full> {
        if self.is_limited() { self.take_one() } else { Ok(()) }
    }

    fn take_one(&self) -> Result<(), Full> {
        self.members
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |members| {
                (members < self.most).then_some(members + 1)
            })
            .map_or(Err(Full::States), |_| Ok(()))
    }

    /// Gives the place of one member back that did not come.
    pub fn give_back(&self) {
        if self.is_limited() {
            self.members.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// Takes the places of so many new members.
    pub fn admit(&self, new: u64) -> Result<(), Full> {
        let places = |members: u64| members.checked_add(new).filter(|members| *members <= self.most);
        self.members
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, places)
            .map_or(Err(Full::States), |_| Ok(()))
    }

    /// So many members came in without a limit to look at.
    #[inline(always)]
    pub fn settle(&self, new: u64) {
        if !self.is_limited() && new > 0 {
            self.members.fetch_add(new, Ordering::Relaxed);
        }
    }
}
