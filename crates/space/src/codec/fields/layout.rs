//! Where each place's field lies.

use sweepnet_net::{Net, PlaceId};

/// One place's part of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The word it lies in.
    pub word: u32,
    /// Its lowest bit there.
    pub shift: u8,
    /// Its bits; 0 for a place whose count never changes.
    pub width: u8,
    /// Whether a bound proves that it never overflows.
    pub proven: bool,
    /// The count of a place without bits.
    pub constant: u64,
}

impl Field {
    /// The count in the word it lies in.
    #[inline(always)]
    pub fn count(&self, word: u64) -> u64 {
        match self.width {
            0 => self.constant,
            width => word >> self.shift & (u64::MAX >> (64 - u32::from(width))),
        }
    }

    /// The largest count it can hold.
    pub fn capacity(&self) -> u64 {
        match self.width {
            0 => self.constant,
            width => u64::MAX >> (64 - u32::from(width)),
        }
    }

    /// Its highest bit within its word; 0 for a field without bits.
    pub fn top(&self) -> u64 {
        match self.width {
            0 => 0,
            width => 1 << (self.shift + width - 1),
        }
    }
}

/// How wide a place's field is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Width {
    Constant(u64),
    Proven(u8),
    Open(u8),
}

/// Where each place's field lies. Fields do not cross words; each goes into the first word that has room, so
/// that places that stand together in the file lie together, and only the last words have gaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    widths: Vec<Width>,
    fields: Vec<Field>,
    /// The highest bits of the fields of each word.
    tops: Vec<u64>,
    /// The highest bits of those fields of each word that no bound keeps from overflowing.
    open_tops: Vec<u64>,
    bits: usize,
}

fn bits_for(count: u64) -> u8 {
    (64 - count.leading_zeros()) as u8
}

impl Layout {
    /// Fields by the places' proven bounds. A place without one starts with just enough bits for its initial
    /// count (and 1 at least).
    pub fn tight(net: &Net, bounds: &[Option<u64>]) -> Self {
        let changes = changing_places(net);
        let widths = net.place_ids().map(|p| {
            let initial = net.place(p).initial;
            match bounds.get(p.index()).copied().flatten() {
                _ if !changes[p.index()] => Width::Constant(initial),
                Some(bound) => match bits_for(bound.max(initial)) {
                    0 => Width::Constant(0),
                    bits => Width::Proven(bits),
                },
                None => Width::Open(bits_for(initial).max(1)),
            }
        });
        Self::lay(widths.collect())
    }

    /// Fields by the places' proven bounds, and for each place without one a field that is tested for overflow: by the
    /// bound that is assumed, or else a whole word. Nothing is ever widened.
    pub fn roomy(net: &Net, proven: &[Option<u64>], assumed: &[Option<u64>]) -> Self {
        let mut widths = Self::tight(net, proven).widths;
        for (at, width) in widths.iter_mut().enumerate() {
            if let Width::Open(initial) = *width {
                let bits = assumed.get(at).copied().flatten().map_or(64, bits_for);
                *width = Width::Open(bits.max(initial));
            }
        }
        Self::lay(widths)
    }

    /// A whole word for each place: the second opinion, plain enough to trust.
    pub fn plain(net: &Net) -> Self {
        Self::lay(vec![Width::Open(64); net.places().len()])
    }

    /// The same, with one more bit for a place (and, if `together`, for all that are no wider and may overflow
    /// too); none if it has 64 already.
    pub fn widened(&self, place: PlaceId, together: bool) -> Option<Self> {
        let narrow = match self.widths[place.index()] {
            Width::Open(bits) if bits < 64 => bits,
            _ => return None,
        };
        let mut widths = self.widths.clone();
        for (at, width) in widths.iter_mut().enumerate() {
            match width {
                Width::Open(bits) if at == place.index() || together && *bits <= narrow => *bits += 1,
                _ => {}
            }
        }
        Some(Self::lay(widths))
    }

    fn lay(widths: Vec<Width>) -> Self {
        let mut fields = Vec::with_capacity(widths.len());
        let mut used: Vec<u8> = Vec::new();
        // The words that still have room: the search for one stays short even for very large nets, because a
        // word leaves the list when it is full, and all open ones but the last few are nearly so.
        let mut open: Vec<u32> = Vec::new();
        for width in &widths {
            let (bits, proven, constant) = match *width {
                Width::Constant(count) => (0, true, count),
                Width::Proven(bits) => (bits, true, 0),
                Width::Open(bits) => (bits, false, 0),
            };
            if bits == 0 {
                fields.push(Field { word: 0, shift: 0, width: 0, proven, constant });
                continue;
            }
            let word = match open.iter().position(|w| used[*w as usize] + bits <= 64) {
                Some(at) => open[at],
                None => {
                    used.push(0);
                    let word = (used.len() - 1) as u32;
                    open.push(word);
                    if open.len() > 64 {
                        open.remove(0);
                    }
                    word
                }
            };
            let shift = used[word as usize];
            used[word as usize] += bits;
            if used[word as usize] == 64 {
                open.retain(|w| *w != word);
            }
            fields.push(Field { word, shift, width: bits, proven, constant });
        }
        let words = used.len().max(1);
        let mut tops = vec![0; words];
        let mut open_tops = vec![0; words];
        for field in fields.iter().filter(|f| f.width > 0) {
            tops[field.word as usize] |= field.top();
            if !field.proven {
                open_tops[field.word as usize] |= field.top();
            }
        }
        let bits = used.last().map_or(0, |last| (used.len() - 1) * 64 + usize::from(*last));
        Self { widths, fields, tops, open_tops, bits }
    }

    /// The field of a place.
    #[inline(always)]
    pub fn field(&self, place: PlaceId) -> Field {
        self.fields[place.index()]
    }

    /// All fields, by place.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Words of a state; at least 1.
    pub fn words(&self) -> usize {
        self.tops.len()
    }

    /// The highest bits of the fields of each word.
    pub fn tops(&self) -> &[u64] {
        &self.tops
    }

    /// The same of those fields only that may overflow.
    pub fn open_tops(&self) -> &[u64] {
        &self.open_tops
    }

    /// Bits of a state, up to the end of the last field.
    pub fn bits(&self) -> usize {
        self.bits
    }

    /// Whether some field may overflow.
    pub fn is_open(&self) -> bool {
        self.open_tops.iter().any(|tops| *tops != 0)
    }

    /// The count of a place in a state.
    #[inline(always)]
    pub fn get(&self, words: &[u64], place: PlaceId) -> u64 {
        let field = self.field(place);
        field.count(words[field.word as usize])
    }

    /// Sets the count of a place in a state where it is 0; the count must fit.
    pub fn put(&self, words: &mut [u64], place: PlaceId, count: u64) {
        let field = self.field(place);
        debug_assert!(count <= field.capacity());
        if field.width > 0 {
            words[field.word as usize] |= count << field.shift;
        }
    }

    /// Sets the count of a place, whatever it was; the count must fit.
    pub fn set(&self, words: &mut [u64], place: PlaceId, count: u64) {
        let field = self.field(place);
        if field.width > 0 {
            words[field.word as usize] &= !((u64::MAX >> (64 - u32::from(field.width))) << field.shift);
        }
        self.put(words, place, count);
    }

    /// Copies a state of this layout into one of another, which has room for it.
    pub fn recode(&self, words: &[u64], other: &Self, into: &mut [u64]) {
        into.fill(0);
        for place in (0..self.fields.len()).map(PlaceId::new) {
            other.put(into, place, self.get(words, place));
        }
    }
}

/// The places whose count some transition changes.
fn changing_places(net: &Net) -> Vec<bool> {
    let mut changes = vec![false; net.places().len()];
    for t in net.transition_ids() {
        for arc in net.resets().of(t) {
            changes[arc.place.index()] = true;
        }
        for arc in net.inputs().of(t) {
            changes[arc.place.index()] |= net.outputs().weight(t, arc.place) != arc.weight;
        }
        for arc in net.outputs().of(t) {
            changes[arc.place.index()] |= net.inputs().weight(t, arc.place) != arc.weight;
        }
    }
    changes
}
