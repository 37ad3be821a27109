//! Derived places: what they hold follows from the others.

use crate::compile::Compiler;
use crate::fault::Fault;
use crate::frame::{Frame, World};
use crate::net::{Closed, ColouredNet, Listed};
use crate::patience::Patience;
use crate::term::{Bag, Part};
use crate::tokens::Draft;

impl ColouredNet {
    /// Computes the initial tokens of derived places. An error names the place.
    pub fn derive_initial(&mut self, patience: Patience<'_>) -> Result<(), (usize, Fault)> {
        let compiler = Compiler::for_net(self);
        for place in self.derivation_order().map_err(|place| (place, Fault::NoMarking))? {
            let Some(definition) = &self.places[place].derived else { continue };
            let code = compiler.bag(&definition.body);
            let mut slots = vec![0; definition.frame];
            let mut draft = Draft::new(self.types.width(self.places[place].type_));
            let world = Initial(self, patience);
            code(&mut Frame::within(&mut slots, &world), &mut draft, 1).map_err(|fault| (place, fault))?;
            draft.settle().map_err(|fault| (place, fault))?;
            let initial: Listed = draft.iter().map(|(value, count)| (value.into(), count as u64)).collect();
            self.places[place].initial = initial;
        }
        Ok(())
    }

    /// The derived places, each behind those that its definition mentions; an error names one on a cycle.
    pub fn derivation_order(&self) -> Result<Vec<usize>, usize> {
        let (mut order, mut state) = (Vec::new(), vec![Mark::New; self.places.len()]);
        for place in 0..self.places.len() {
            self.visit(place, &mut state, &mut order)?;
        }
        Ok(order)
    }

    fn visit(&self, place: usize, state: &mut [Mark], order: &mut Vec<usize>) -> Result<(), usize> {
        let Some(definition) = &self.places[place].derived else { return Ok(()) };
        match state[place] {
            Mark::Done => return Ok(()),
            Mark::Open => return Err(place),
            Mark::New => state[place] = Mark::Open,
        }
        for other in places_of(definition) {
            self.visit(other, state, order)?;
        }
        state[place] = Mark::Done;
        order.push(place);
        Ok(())
    }
}

/// The places that a definition mentions, in order, each once.
pub fn places_of(definition: &Closed<Bag>) -> Vec<usize> {
    let mut places = Vec::new();
    definition.body.walk(&mut |part| {
        if let Part::Bag(Bag::Place(place)) = part {
            places.push(*place);
        }
    });
    places.sort_unstable();
    places.dedup();
    places
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    Open,
    Done,
}

/// The initial tokens as far as they are known.
struct Initial<'a>(&'a ColouredNet, Patience<'a>);

impl World for Initial<'_> {
    fn tokens(&self, place: usize, see: &mut dyn FnMut(&[u64], u64)) {
        self.0.places[place].initial.iter().for_each(|(value, count)| see(value, *count));
    }

    fn is_enabled(&self, _: usize, _: &[(usize, Vec<u64>)]) -> Result<bool, Fault> {
        Err(Fault::NoMarking)
    }

    fn is_dead(&self) -> Result<bool, Fault> {
        Err(Fault::NoMarking)
    }

    fn is_initial(&self) -> bool {
        true
    }

    fn clock(&self) -> i64 {
        0
    }

    fn patience(&self) -> Patience<'_> {
        self.1
    }
}
