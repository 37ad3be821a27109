//! The net as one component sees it: its own places, and what each transition asks of them and does to them.

use std::sync::OnceLock;

use sweepnet_net::{Net, NetBuilder, PlaceId, TransitionId};

use super::complements::Complement;
use super::partition::Knowledge;
use super::producers::Producers;
use crate::codec::fields::{Fields, Layout, larger};
use crate::hashing::HashMap;
use crate::store::key_words;
use crate::{Codec, System};

/// Some places of a net as a net of their own, with markings packed in fields.
#[derive(Debug)]
pub struct Leaf {
    /// The places, in the order of the fields.
    pub places: Vec<PlaceId>,
    fields: Fields<Vec<u64>>,
    resets: Vec<bool>,
    net: Net,
    /// Words, bits in them, and how many tokens complements have less for each of these that is set.
    lost: Vec<(usize, u64, i64)>,
    /// Tokens that complements have less in any case.
    always_lost: i64,
    /// Made when somebody first asks where a marking may have come from.
    producers: OnceLock<Producers>,
}

/// A place would hold more tokens than can be counted, or than it is assumed to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyTokens(pub PlaceId);

impl Leaf {
    /// The part of a net that lies in some of its places, seen by some of its transitions: event e of the leaf is
    /// the e-th of them.
    pub fn new(net: &Net, places: Vec<PlaceId>, events: &[TransitionId], knowledge: &Knowledge) -> Self {
        let mut here = NetBuilder::new(net.name.clone());
        let mut local = HashMap::with_capacity_and_hasher(places.len(), Default::default());
        for (at, place) in places.iter().enumerate() {
            let id = here.place(&format!("p{at}"), net.place(*place).initial);
            local.insert(*place, id.expect("places are numbered"));
        }
        let mut resets = Vec::with_capacity(events.len());
        for (at, t) in events.iter().enumerate() {
            let event = here.transition(&format!("t{at}")).expect("events are numbered");
            let mut resets_here = false;
            let here = &mut here;
            let arcs = |arcs: &sweepnet_net::Arcs| {
                let inside = arcs.of(*t).iter().filter_map(|arc| Some((*local.get(&arc.place)?, arc.weight)));
                inside.collect::<Vec<_>>()
            };
            let known = "an arc of a net that was built";
            arcs(net.inputs()).into_iter().for_each(|(p, w)| here.input(event, p, w).expect(known));
            arcs(net.outputs()).into_iter().for_each(|(p, w)| here.output(event, p, w).expect(known));
            arcs(net.reads()).into_iter().for_each(|(p, w)| here.read(event, p, w).expect(known));
            arcs(net.inhibitors()).into_iter().for_each(|(p, w)| here.inhibitor(event, p, w).expect(known));
            for (p, _) in arcs(net.resets()) {
                here.reset(event, p).expect(known);
                resets_here = true;
            }
            resets.push(resets_here);
        }
        let here = here.build().expect("a part of a net that was built");
        let proven: Vec<_> = places.iter().map(|p| knowledge.proven(*p)).collect();
        let assumed: Vec<_> = places.iter().map(|p| knowledge.assumed(*p)).collect();
        let layout = Layout::roomy(&here, &proven, &assumed);
        let order: Vec<TransitionId> = here.transition_ids().collect();
        let fields = Fields::new(&here, layout, &[], &order);
        let (lost, always_lost) = (Vec::new(), 0);
        Self { places, fields, resets, net: here, lost, always_lost, producers: OnceLock::new() }
    }

    /// The same leaf of a net with complements, each of which lacks a token when one of its others has it. (These have no
    /// more than one: the lowest bit of their fields tells it.)
    pub fn beside(mut self, complements: &[Complement]) -> Self {
        let mut less = HashMap::default();
        for other in complements.iter().flat_map(|it| &it.others) {
            *less.entry(*other).or_insert(0i64) += 1;
        }
        for (at, place) in self.places.iter().enumerate() {
            let Some(less) = less.get(place).copied() else { continue };
            let field = self.fields.layout().field(PlaceId::new(at));
            if field.width == 0 {
                self.always_lost += less * field.constant as i64;
                continue;
            }
            let (word, bit) = (field.word as usize, 1 << field.shift);
            match self.lost.iter_mut().find(|(there, _, times)| *there == word && *times == less) {
                Some((_, bits, _)) => *bits |= bit,
                None => self.lost.push((word, bit, less)),
            }
        }
        self
    }

    /// Words of a local marking.
    pub fn words(&self) -> usize {
        key_words(self.fields.bits())
    }

    /// The local marking it starts in.
    pub fn initial(&self) -> Vec<u64> {
        self.fields.initial()
    }

    /// Leaves some of the events that these places enable in any case out of what [`enabled`](Self::enabled) visits, and
    /// tells which.
    pub fn grant(&mut self, is_out: impl Fn(usize) -> bool) -> Vec<usize> {
        self.fields.grant(|event| is_out(event.index())).into_iter().map(TransitionId::index).collect()
    }

    /// Visits the events that are enabled as far as these places are concerned, in order, but for those that are granted.
    pub fn enabled(&self, marking: &Vec<u64>, mut visit: impl FnMut(u32)) {
        self.fields.enabled(marking, |event| visit(event.index() as u32));
    }

    /// Whether these places enable an event.
    pub fn is_enabled(&self, marking: &Vec<u64>, event: u32) -> bool {
        self.fields.is_enabled(marking, TransitionId::new(event as usize))
    }

    /// Fires an event that these places enable.
    pub fn fire(&self, marking: &mut Vec<u64>, event: u32) -> Result<(), TooManyTokens> {
        let fired = self.fields.fire(marking, TransitionId::new(event as usize));
        fired.map_err(|place| TooManyTokens(self.places[place.index()]))
    }

    /// The only local marking from which an event may have led here, if there is one; not for events that reset a
    /// place, which may have come from several.
    pub fn unfire(&self, marking: &[u64], event: u32) -> Option<Vec<u64>> {
        let t = TransitionId::new(event as usize);
        let layout = self.fields.layout();
        let (inputs, outputs) = (self.net.inputs(), self.net.outputs());
        // Nearly all events are ruled out by what they would have left here.
        if outputs.of(t).iter().any(|arc| layout.get(marking, arc.place) < arc.weight) {
            return None;
        }
        let mut before = marking.to_vec();
        for p in inputs.of(t).iter().chain(outputs.of(t)).map(|arc| arc.place) {
            let after = layout.get(marking, p);
            let count = after.checked_sub(outputs.weight(t, p))?.checked_add(inputs.weight(t, p))?;
            if count > layout.field(p).capacity() {
                return None;
            }
            layout.set(&mut before, p, count);
        }
        self.is_enabled(&before, event).then_some(before)
    }

    /// Adds the events that may have led to a local marking, and perhaps others.
    pub fn may_have_led_to(&self, marking: &[u64], events: &mut Vec<u32>) {
        let producers = self.producers.get_or_init(|| Producers::of(&self.net, self.fields.layout()));
        producers.find(marking, events);
    }

    /// Whether an event resets one of these places.
    pub fn resets(&self, event: u32) -> bool {
        self.resets[event as usize]
    }

    /// Tokens in the place with this position among `places`, given the words of a local marking.
    #[inline]
    pub fn tokens(&self, position: usize, word: impl FnOnce(usize) -> u64) -> u64 {
        let field = self.fields.layout().field(PlaceId::new(position));
        field.count(word(field.word as usize))
    }

    /// Makes each count of a local marking as large as in another one.
    pub fn raise(&self, most: &mut [u64], marking: &[u64]) {
        for ((most, word), tops) in most.iter_mut().zip(marking).zip(self.fields.layout().tops()) {
            *most = larger(*most, *word, *tops);
        }
    }

    /// Tokens in all places together, less those that complements have not because of them.
    #[inline]
    pub fn total(&self, marking: &[u64]) -> i128 {
        let lost =
            |(word, bits, times): &(usize, u64, i64)| i64::from((marking[*word] & bits).count_ones()) * times;
        let lost = self.lost.iter().map(lost).sum::<i64>() + self.always_lost;
        self.fields.total_of(marking) as i128 - i128::from(lost)
    }

    /// The local marking with these counts, in the order of `places`; nothing if one is beyond its bound.
    pub fn pack(&self, counts: &[u64]) -> Option<Vec<u64>> {
        let layout = self.fields.layout();
        let mut words = vec![0; layout.words()];
        for (position, count) in counts.iter().enumerate() {
            let place = PlaceId::new(position);
            let field = layout.field(place);
            if *count > field.capacity() || field.width == 0 && *count != field.constant {
                return None;
            }
            layout.put(&mut words, place, *count);
        }
        Some(words)
    }
}
