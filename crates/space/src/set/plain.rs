//! The plain part: keys in a [`Flat`] store, tags by their numbers.
//!
//! ⌈bits / 8⌉ bytes per key, 5 to 7.5 bytes of index and a byte of tag: far from the bound, but made of
//! parts that are in use elsewhere, so that it can tell whether the cleverer sets are right.

use super::admission::Admission;
use super::divided::Part;
use super::words::split;
use crate::budget::Charged;
use crate::store::flat::Flat;
use crate::store::key_words;
use crate::{Budget, Full, Inserted, Keys, StateId, Store};

/// See the [module](self).
#[derive(Debug)]
pub struct PlainPart<const W: usize> {
    /// The keys, from the first one on.
    keys: Option<Box<Flat>>,
    tags: Charged<u8>,
    bits: u32,
    tagged: bool,
    budget: Budget,
}

impl<const W: usize> PlainPart<W> {
    fn tag(&self, StateId(id): StateId) -> u8 {
        if self.tagged { self.tags[id as usize] } else { 0 }
    }

    fn find(&self, key: &[u64; W]) -> Option<StateId> {
        self.keys.as_ref()?.find(&key[..key_words(self.bits as usize)])
    }
}

impl<const W: usize> Part<W> for PlainPart<W> {
    fn new(bits: u32, tagged: bool, budget: &Budget) -> Result<Self, Full> {
        Ok(Self { keys: None, tags: Charged::new(budget), bits, tagged, budget: budget.clone() })
    }

    fn touch(&self, _: &[u64; W]) -> u64 {
        0
    }

    fn insert(&mut self, key: &[u64; W], tag: u8, admission: &Admission) -> Result<bool, Full> {
        if self.find(key).is_some() {
            return Ok(false);
        }
        let keys = match &mut self.keys {
            Some(keys) => keys,
            keys => keys.insert(Box::new(Flat::new(self.bits as usize, u64::MAX, &self.budget)?)),
        };
        let id = keys.len();
        if self.tagged && self.tags.len() as u64 == id {
            self.tags.push(0)?;
        }
        admission.take()?;
        let inserted = keys.insert(&key[..key_words(self.bits as usize)]);
        match inserted {
            Ok(Inserted::New(_)) => {
                if self.tagged {
                    self.tags[id as usize] = tag;
                }
                Ok(true)
            }
            Ok(Inserted::Seen(_)) => unreachable!("it was looked for"),
            Err(full) => {
                admission.give_back();
                Err(full)
            }
        }
    }

    fn absorb(&mut self, members: &[[u64; W]], _: u64) -> Result<(), Full> {
        let unlimited = Admission::new(0, u64::MAX);
        members.iter().try_for_each(|member| {
            let (key, tag) = split(member, self.bits);
            self.insert(&key, tag as u8, &unlimited).map(drop)
        })
    }

    fn tag_of(&self, key: &[u64; W]) -> Option<u8> {
        self.find(key).map(|id| self.tag(id))
    }

    fn bytes(&self) -> usize {
        self.tags.bytes() + self.keys.as_ref().map_or(0, |keys| keys.bytes())
    }

    fn for_each(&self, take: &mut dyn FnMut([u64; W], u8) -> Result<(), Full>) -> Result<(), Full> {
        let Some(keys) = &self.keys else { return Ok(()) };
        for id in (0..keys.len()).map(StateId) {
            let mut key = [0; W];
            keys.get(id, &mut key[..key_words(self.bits as usize)]);
            take(key, self.tag(id))?;
        }
        Ok(())
    }
}
