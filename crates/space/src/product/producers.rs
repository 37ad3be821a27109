//! Which events may have led to a local marking: those that put tokens into its marked places, and those of which that
//! cannot be said.

use sweepnet_net::Net;

use crate::codec::fields::Layout;

/// See the [module](self).
#[derive(Debug, Default)]
pub struct Producers {
    /// For each word of a local marking the bits that places have in it, with where their events begin and end.
    fields: Vec<Vec<(u64, u32, u32)>>,
    events: Vec<u32>,
    /// Events that put tokens into no place whose count can change, or that empty places.
    others: Vec<u32>,
}

impl Producers {
    /// Those of a net whose markings have this layout.
    pub fn of(net: &Net, layout: &Layout) -> Self {
        let mut by_place: Vec<Vec<u32>> = vec![Vec::new(); net.places().len()];
        let mut others = Vec::new();
        for t in net.transition_ids() {
            let event = t.index() as u32;
            let varies = |place| layout.field(place).width > 0;
            let mut outputs = net.outputs().of(t).iter().map(|arc| arc.place).filter(|place| varies(*place));
            match outputs.next().filter(|_| net.resets().of(t).is_empty()) {
                // One of its outputs is enough to find it by.
                Some(place) => by_place[place.index()].push(event),
                None => others.push(event),
            }
        }
        let mut producers = Self { fields: vec![Vec::new(); layout.words()], events: Vec::new(), others };
        for (place, events) in net.place_ids().zip(by_place).filter(|(_, events)| !events.is_empty()) {
            let field = layout.field(place);
            let bits = field.capacity() << field.shift;
            let begin = producers.events.len() as u32;
            producers.events.extend(events);
            producers.fields[field.word as usize].push((bits, begin, producers.events.len() as u32));
        }
        producers
    }

    /// Adds the events that may have led to a local marking; nothing tells that they did.
    pub fn find(&self, marking: &[u64], found: &mut Vec<u32>) {
        found.extend_from_slice(&self.others);
        let marked = marking.iter().zip(&self.fields).filter(|(word, _)| **word != 0);
        for (word, fields) in marked {
            for (_, begin, end) in fields.iter().filter(|(bits, ..)| word & bits != 0) {
                found.extend_from_slice(&self.events[*begin as usize..*end as usize]);
            }
        }
    }
}
