//! The unit structure of a nested-unit Petri net, from its tool-specific section (NUPN 1.1).
//!
//! The structure is a hint, so whatever is wrong with it costs the hint and a warning, never the net.

use std::collections::HashMap;

use sweepnet_net::{NetBuilder, Unit, Units};

use crate::Position;
use crate::error::clip;

/// What the section says, until all places are known.
#[derive(Debug)]
pub(super) struct Nupn {
    pub(super) at: Position,
    pub(super) root: String,
    pub(super) safe: bool,
    pub(super) units: Vec<RawUnit>,
    /// Whether a `<structure>` was there at all; a section may give the size only.
    pub(super) has_structure: bool,
}

/// A unit as written: lists of ids, separated by blanks.
#[derive(Debug, Default)]
pub(super) struct RawUnit {
    pub(super) id: String,
    pub(super) places: String,
    pub(super) subunits: String,
}

impl Nupn {
    pub(super) fn new(at: Position) -> Self {
        Self { at, root: String::new(), safe: false, units: Vec::new(), has_structure: false }
    }

    /// The units, or why this is no unit structure of the net.
    pub(super) fn resolve(&self, net: &NetBuilder) -> Result<Units, String> {
        let mut numbers = HashMap::new();
        for (i, unit) in self.units.iter().enumerate() {
            if unit.id.is_empty() || unit.id.contains(|c: char| c.is_ascii_whitespace()) {
                return Err(format!("'{}' is no name for a unit: it is empty or has blanks", clip(&unit.id)));
            }
            if numbers.insert(unit.id.as_str(), i).is_some() {
                return Err(format!("there are two units '{}'", clip(&unit.id)));
            }
        }
        let number =
            |id: &str| numbers.get(id).copied().ok_or_else(|| format!("there is no unit '{}'", clip(id)));
        let root = number(&self.root)?;

        let mut owned = vec![false; net.place_count()];
        let mut has_parent = vec![false; self.units.len()];
        let mut units = Vec::with_capacity(self.units.len());
        for raw in &self.units {
            let mut unit = Unit { id: raw.id.as_str().into(), places: Vec::new(), subunits: Vec::new() };
            for id in raw.places.split_ascii_whitespace() {
                let place = net.find_place(id).ok_or_else(|| format!("there is no place '{}'", clip(id)))?;
                if std::mem::replace(&mut owned[place.index()], true) {
                    return Err(format!("the place '{}' is in two units", clip(id)));
                }
                unit.places.push(place);
            }
            for id in raw.subunits.split_ascii_whitespace() {
                let child = number(id)?;
                if child == root || std::mem::replace(&mut has_parent[child], true) {
                    return Err(format!(
                        "the unit '{}' is inside two units, or the root inside another",
                        clip(id)
                    ));
                }
                unit.subunits.push(child);
            }
            units.push(unit);
        }
        let stray = owned.iter().filter(|owned| !**owned).count();
        if stray > 0 {
            return Err(format!("{stray} of {} places are in no unit", owned.len()));
        }
        // Every unit but the root has one parent at most; what the root does not reach is a forest or a ring.
        if reached(&units, root) < units.len() {
            return Err("some units are not inside the root unit".to_owned());
        }
        Ok(Units { safe: self.safe, root, units })
    }
}

/// How many units are in the tree below (and with) the root.
fn reached(units: &[Unit], root: usize) -> usize {
    let mut open = vec![root];
    let mut reached = 0;
    while let Some(unit) = open.pop() {
        reached += 1;
        open.extend(&units[unit].subunits);
    }
    reached
}
