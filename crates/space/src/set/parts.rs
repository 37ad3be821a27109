//! The parts of a [`Divided`](super::Divided) set: often one, which is kept where the set itself is, or some in a list.

use std::ops::Deref;

use crate::budget::Charged;
use crate::sync::Mutex;
use crate::{Budget, Full};

/// See the [module](self).
#[derive(Debug)]
pub enum Parts<P> {
    /// One, until it is taken out.
    One(Option<Mutex<P>>),
    /// Several.
    Many(Charged<Mutex<P>>),
}

impl<P> Parts<P> {
    /// So many parts, made one by one.
    pub fn new(
        count: usize,
        budget: &Budget,
        mut part: impl FnMut() -> Result<P, Full>,
    ) -> Result<Self, Full> {
        if count == 1 {
            return Ok(Self::One(Some(Mutex::new(part()?))));
        }
        let mut parts = Charged::new(budget);
        parts.grow_to(count)?;
        for _ in 0..count {
            parts.push_reserved(Mutex::new(part()?));
        }
        Ok(Self::Many(parts))
    }

    /// Takes the last one out.
    pub fn pop(&mut self) -> Option<Mutex<P>> {
        match self {
            Self::One(part) => part.take(),
            Self::Many(parts) => parts.pop(),
        }
    }

    /// The bytes of their list.
    pub fn bytes(&self) -> usize {
        match self {
            Self::One(_) => 0,
            Self::Many(parts) => parts.bytes(),
        }
    }
}

impl<P> Deref for Parts<P> {
    type Target = [Mutex<P>];

    #[inline(always)]
    fn deref(&self) -> &[Mutex<P>] {
        match self {
            Self::One(part) => part.as_slice(),
            Self::Many(parts) => parts,
        }
    }
}
