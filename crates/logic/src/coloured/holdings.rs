//! What coloured places hold, in terms of the unfolding: each the sum of the places that it became, or what its
//! definition says.

use sweepnet_colour::{ColouredNet, Patience, Unfolding};
use sweepnet_net::PlaceId;

use super::Untranslated;
use super::cases::Cases;
use super::translate::Translator;
use crate::{Expression, Linear};

/// What every coloured place holds.
#[derive(Debug)]
pub struct Holdings {
    /// What each coloured place holds.
    pub(super) places: Vec<Holds>,
    /// Sums over places of the unfolding. The first is that of all tokens, but for what is different in different cases.
    pub(super) sums: Vec<Linear>,
    pub(super) by_cases: Vec<Cases<Expression>>,
}

/// What a coloured place holds.
#[derive(Debug)]
pub(super) enum Holds {
    /// What one place of the unfolding does.
    Place(PlaceId),
    /// The sum at a position.
    Sum(usize),
    /// What is at a position among those by cases.
    Cases(usize),
}

impl Holdings {
    /// What the places of a net hold. An error if what one holds by definition cannot be said in terms of others.
    pub fn of(
        net: &ColouredNet,
        unfolding: &Unfolding,
        patience: Patience<'_>,
    ) -> Result<Self, Untranslated> {
        let own = (0..net.places.len()).flat_map(|place| unfolding.instances(place));
        let mut all = vec![Expression::places(own)?];
        let (mut places, mut sums, mut by_cases) = (Vec::new(), vec![Linear::default()], Vec::new());
        for place in 0..net.places.len() {
            if !net.is_only_defined(place) {
                let mut instances = unfolding.instances(place);
                if let (1, Some(only)) = (instances.len(), instances.next()) {
                    places.push(Holds::Place(only));
                } else {
                    places.push(Holds::Sum(sums.len()));
                    sums.push(Expression::places(unfolding.instances(place))?.linear().clone());
                }
                continue;
            }
            let tokens = Translator::of_definitions(net, unfolding, patience).tokens(place)?;
            match tokens.0.as_slice() {
                [(_, only)] if only.as_linear().is_some() => {
                    all.push(only.clone());
                    places.push(Holds::Sum(sums.len()));
                    sums.extend(only.as_linear().cloned());
                }
                _ => {
                    places.push(Holds::Cases(by_cases.len()));
                    by_cases.push(tokens);
                }
            }
        }
        sums[0] = Expression::sum(all)?.linear().clone();
        Ok(Self { places, sums, by_cases })
    }
}
