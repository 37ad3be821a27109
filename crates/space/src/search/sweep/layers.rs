//! States by their progress: a small store for each value, dropped whole.
//!
//! What is dropped costs nothing to drop, and at every moment only those states are there that may still be met. A
//! state that is kept for ever stays alone in the layer of its value when the others go.

use std::collections::BTreeMap;
use std::ops::Bound;

use super::shelf::Shelf;
use crate::budget::{Charged, OutOfMemory};
use crate::coloured::Strings;
use crate::store::flat::Flat;
use crate::{Budget, Full, Inserted, Keys, StateId, Store};

/// How far a state is.
pub type Value = Box<[i64]>;

/// The states of one progress value.
#[derive(Debug)]
struct Layer<S> {
    value: Value,
    store: S,
    /// The states' numbers, where they have any.
    numbers: Charged<u64>,
    /// What is remembered of each state's way, where somebody asks for it.
    marks: Charged<u64>,
    /// Which states are kept for ever: a bit each, as far as there are any.
    persistent: Charged<u64>,
    /// The first that is not expanded.
    next: u64,
}

/// What the layers keep of each state besides its key.
#[derive(Clone, Copy, Debug, Default)]
pub struct Keeping {
    /// Its number.
    pub numbers: bool,
    /// A mark.
    pub marks: bool,
}

/// All states that are kept. A slot is a layer's number for as long as it exists.
#[derive(Debug)]
pub struct Layers<S: Shelf = Flat> {
    slots: Vec<Option<Layer<S>>>,
    free: Vec<u32>,
    by_value: BTreeMap<Value, u32>,
    /// Those with states that are not expanded.
    pending: BTreeMap<Value, u32>,
    form: S::Form,
    keeping: Keeping,
    found: u64,
    kept: u64,
    persistent: u64,
    most: u64,
    peak_bytes: usize,
    /// How many states there were when the bytes were last counted.
    counted_at: u64,
    budget: Budget,
}

/// A state among those that are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Local {
    /// Its layer.
    pub slot: u32,
    /// Its position there.
    pub at: u64,
}

impl<S: Shelf> Layers<S> {
    /// Nothing yet, for keys of a form.
    pub fn new(form: S::Form, most: u64, budget: &Budget) -> Result<Self, Full> {
        Ok(Self {
            slots: Vec::new(),
            free: Vec::new(),
            by_value: BTreeMap::new(),
            pending: BTreeMap::new(),
            form,
            keeping: Keeping::default(),
            found: 0,
            kept: 0,
            persistent: 0,
            most,
            peak_bytes: 0,
            counted_at: 0,
            budget: budget.clone(),
        })
    }

    /// Decides what is kept of each state besides its key, before there is any.
    pub fn keep(&mut self, keeping: Keeping) {
        self.keeping = keeping;
    }

    fn layer(&self, slot: u32) -> &Layer<S> {
        self.slots[slot as usize].as_ref().expect("a slot in use has a layer")
    }

    fn layer_mut(&mut self, slot: u32) -> &mut Layer<S> {
        self.slots[slot as usize].as_mut().expect("a slot in use has a layer")
    }

    /// States that were found. Those that were dropped and found again count again.
    pub fn found(&self) -> u64 {
        self.found
    }

    /// States that are there now.
    pub fn kept(&self) -> u64 {
        self.kept
    }

    /// Those of them that stay for ever.
    pub fn persistent(&self) -> u64 {
        self.persistent
    }

    /// The layer of a value; it is made if there is none.
    pub fn enter(&mut self, value: &[i64]) -> Result<u32, Full> {
        if let Some(slot) = self.by_value.get(value) {
            return Ok(*slot);
        }
        let layer = Layer {
            value: value.into(),
            store: S::empty(self.form, &self.budget)?,
            numbers: Charged::new(&self.budget),
            marks: Charged::new(&self.budget),
            persistent: Charged::new(&self.budget),
            next: 0,
        };
        // A layer is a map entry, a store and a few tables: that much is charged by hand.
        self.budget.charge(LAYER_BYTES)?;
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            (self.slots.len() - 1) as u32
        });
        self.by_value.insert(layer.value.clone(), slot);
        self.slots[slot as usize] = Some(layer);
        Ok(slot)
    }

    /// The value of a layer.
    pub fn value(&self, slot: u32) -> &[i64] {
        &self.layer(slot).value
    }

    /// The next layer with something to expand: the first from a value on.
    pub fn next_pending(&self, from: Bound<&[i64]>) -> Option<u32> {
        self.pending.range::<[i64], _>((from, Bound::Unbounded)).next().map(|(_, slot)| *slot)
    }

    /// The values of layers with something to expand, from a value on.
    pub fn pending_from<'a>(&'a self, value: &'a [i64]) -> impl Iterator<Item = &'a [i64]> + 'a {
        let range = (Bound::Excluded(value), Bound::Unbounded);
        self.pending.range::<[i64], _>(range).map(|(value, _)| &**value)
    }

    /// How many layers there are.
    pub fn values(&self) -> usize {
        self.by_value.len()
    }

    /// The layers behind a value and the one that has it.
    pub fn up_to(&self, value: &[i64]) -> Vec<u32> {
        self.by_value.range::<[i64], _>((Bound::Unbounded, Bound::Included(value))).map(|(_, s)| *s).collect()
    }

    /// Whether a layer has something to expand.
    pub fn waits(&self, slot: u32) -> bool {
        self.pending.contains_key(&self.layer(slot).value)
    }

    /// The next state to expand of a layer; the layer does not wait any more if there is none.
    pub fn next(&mut self, slot: u32) -> Option<Local> {
        let layer = self.layer(slot);
        if layer.next < layer.store.len() {
            return Some(Local { slot, at: layer.next });
        }
        let value = layer.value.clone();
        self.pending.remove(&value);
        None
    }

    /// The state under expansion is done.
    pub fn expanded(&mut self, slot: u32) {
        self.layer_mut(slot).next += 1;
    }

    /// The hash of a key, and where it may be: asked for early, so that the memory is at hand when it is needed.
    #[inline]
    pub fn look_ahead(&self, slot: u32, key: &S::Key) -> u64 {
        self.layer(slot).store.look_ahead(key)
    }

    /// Puts a key into a layer, unless it is there.
    pub fn insert(&mut self, slot: u32, key: &S::Key, hash: u64, mark: u64) -> Result<Found, Full> {
        let (number, most, keeping) = (self.found, self.most, self.keeping);
        let layer = self.slots[slot as usize].as_mut().expect("a slot in use has a layer");
        if keeping.numbers {
            layer.numbers.reserve(layer.store.len() as usize + 1)?;
        }
        if keeping.marks {
            layer.marks.reserve(layer.store.len() as usize + 1)?;
        }
        if number >= most {
            return match layer.store.find(key, hash) {
                Some(StateId(at)) => {
                    Ok(Found { at, number: layer.numbers.get(at as usize).copied(), new: false })
                }
                None => Err(Full::States),
            };
        }
        match layer.store.insert(key, hash)? {
            Inserted::Seen(StateId(at)) => {
                Ok(Found { at, number: layer.numbers.get(at as usize).copied(), new: false })
            }
            Inserted::New(StateId(at)) => {
                if keeping.numbers {
                    layer.numbers.push_reserved(number);
                }
                if keeping.marks {
                    layer.marks.push_reserved(mark);
                }
                // The first that waits is the one that makes its layer wait.
                if at == layer.next {
                    let value = layer.value.clone();
                    self.pending.insert(value, slot);
                }
                self.found += 1;
                self.kept += 1;
                Ok(Found { at, number: Some(number), new: true })
            }
        }
    }

    /// Keeps a state for ever.
    pub fn persist(&mut self, local: Local) -> Result<(), OutOfMemory> {
        self.persistent += 1;
        let layer = self.layer_mut(local.slot);
        let word = (local.at / 64) as usize;
        if layer.persistent.len() <= word {
            layer.persistent.resize(word + 1, 0)?;
        }
        layer.persistent[word] |= 1 << (local.at % 64);
        Ok(())
    }

    /// The number of a state, where they have any.
    pub fn number(&self, local: Local) -> StateId {
        let number = self.layer(local.slot).numbers.get(local.at as usize);
        number.map_or(StateId::UNNUMBERED, |number| StateId(*number))
    }

    /// The mark of a state, where they have any.
    pub fn mark(&self, local: Local) -> u64 {
        self.layer(local.slot).marks.get(local.at as usize).copied().unwrap_or(0)
    }

    /// How many states a layer has.
    pub fn states(&self, slot: u32) -> u64 {
        self.layer(slot).store.len()
    }

    /// Drops a layer that is expanded, but for the states that are kept for ever. Tells how many are gone.
    pub fn drop_layer(&mut self, slot: u32) -> Result<u64, Full> {
        self.count_bytes();
        let layer = self.slots[slot as usize].take().expect("a slot in use has a layer");
        let before = layer.store.len();
        let stay: u64 = layer.persistent.iter().map(|word| u64::from(word.count_ones())).sum();
        self.kept -= before - stay;
        if stay == 0 {
            self.by_value.remove(&layer.value);
            self.free.push(slot);
            self.budget.release(LAYER_BYTES);
            return Ok(before);
        }
        let slimmed = if stay == before { layer } else { self.slim(layer, stay)? };
        self.slots[slot as usize] = Some(slimmed);
        Ok(before - stay)
    }

    /// A layer with nothing but its states that are kept for ever.
    fn slim(&self, layer: Layer<S>, stay: u64) -> Result<Layer<S>, Full> {
        let mut slim = Layer {
            value: layer.value,
            store: S::empty(self.form, &self.budget)?,
            numbers: Charged::new(&self.budget),
            marks: Charged::new(&self.budget),
            persistent: Charged::filled(&self.budget, u64::MAX, (stay as usize).div_ceil(64))?,
            next: stay,
        };
        if !stay.is_multiple_of(64)
            && let Some(last) = slim.persistent.last_mut()
        {
            *last >>= 64 - stay % 64;
        }
        for (word, bits) in layer.persistent.iter().enumerate() {
            let mut bits = *bits;
            while bits != 0 {
                let at = word as u64 * 64 + u64::from(bits.trailing_zeros());
                bits &= bits - 1;
                layer.store.copy(StateId(at), &mut slim.store)?;
                if self.keeping.numbers {
                    slim.numbers.push(layer.numbers[at as usize])?;
                }
                if self.keeping.marks {
                    slim.marks.push(layer.marks[at as usize])?;
                }
            }
        }
        Ok(slim)
    }

    /// Counts the bytes that are held, if there are as many states as never before.
    fn count_bytes(&mut self) {
        if self.kept > self.counted_at + self.counted_at / 32 {
            self.counted_at = self.kept;
            self.peak_bytes = self.most_bytes();
        }
    }

    /// The most bytes that were held at a time, as far as anybody counted.
    pub fn most_bytes(&self) -> usize {
        let bytes = |layer: &Layer<S>| {
            let rest = layer.numbers.bytes() + layer.marks.bytes() + layer.persistent.bytes();
            layer.store.bytes() + rest + LAYER_BYTES
        };
        self.peak_bytes.max(self.slots.iter().flatten().map(bytes).sum())
    }
}

impl Layers<Flat> {
    /// Reads a key.
    #[inline]
    pub fn get(&self, local: Local, key: &mut [u64]) {
        self.layer(local.slot).store.get(StateId(local.at), key);
    }
}

impl Layers<Strings> {
    /// Reads a string.
    #[inline]
    pub fn get(&self, local: Local, string: &mut Vec<u8>) {
        self.layer(local.slot).store.get(StateId(local.at), string);
    }
}

/// What a layer takes besides its states, about.
const LAYER_BYTES: usize = 512;

/// What came of an insertion.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// Its position in its layer.
    pub at: u64,
    /// Its number, where it has one.
    pub number: Option<u64>,
    /// Whether it was not there.
    pub new: bool,
}

impl Keys for Layers<Flat> {
    fn len(&self) -> u64 {
        self.found
    }

    fn limit_states(&mut self, most: u64) {
        self.most = self.most.min(most);
    }

    /// The most it held at a time.
    fn bytes(&self) -> usize {
        self.most_bytes()
    }

    fn recode(&mut self, bits: usize, recode: &mut dyn FnMut(&[u64], &mut [u64])) -> Result<(), Full> {
        self.form = bits;
        self.slots.iter_mut().flatten().try_for_each(|layer| layer.store.recode(bits, recode))
    }
}
