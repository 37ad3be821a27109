//! Places that could be derived: their tokens follow from those of others, by invariants of the unfolding.
//!
//! Two forms are found, which are those that people write. Where p and some q have one type, and for every value v the
//! tokens p(v) + Σ c·q(v) never change, p is `K - Σ c'q`, where K is what all of them hold at first. Where p has the type
//! `unit` and #p + Σ c·#q never changes, p is `(k - Σ c·#q)'()`. Candidates come from semiflows of the unfolding;
//! each is then verified on every transition.

use std::collections::BTreeMap;

use sweepnet_colour::term::Arithmetic;
use sweepnet_colour::{Bag, Closed, ColouredNet, Node, Sort, Term, TypeId, Unfolding};
use sweepnet_net::{PlaceId, TransitionId};
use sweepnet_structure::{Semiflow, Structure};

/// A place that could be derived.
#[derive(Clone, Debug)]
pub struct Offer {
    /// The place, by position.
    pub place: usize,
    /// Its definition, as the language writes it; nothing where that would be too long.
    pub text: Option<String>,
    /// Its definition.
    pub definition: Closed<Bag>,
}

/// Other places with their factors.
type Others = BTreeMap<usize, i64>;

/// All places that could be derived together.
pub fn of(net: &ColouredNet, unfolding: &Unfolding, structure: &Structure) -> Vec<Offer> {
    let owners = Owners::new(net, unfolding);
    // What holds most tokens costs most to store.
    let mut order: Vec<usize> = (0..net.places.len()).collect();
    let tokens = |place: usize| net.places[place].initial.iter().map(|(_, count)| *count).sum::<u64>();
    order.sort_by_key(|place| std::cmp::Reverse(tokens(*place)));
    let mut offers: Vec<Offer> = Vec::new();
    // What a definition mentions stays as it is.
    let mut kept: Vec<bool> = vec![false; net.places.len()];
    for place in order {
        let it = &net.places[place];
        let instances = unfolding.instances(place).len();
        if it.derived.is_some() || it.timed || kept[place] || instances == 0 {
            continue;
        }
        let first = unfolding.instances(place).next().map(PlaceId::index).unwrap_or_default();
        let mut flows: Vec<&Semiflow> =
            structure.place_semiflows.flows.iter().filter(|flow| flow.weight(first) == 1).collect();
        flows.sort_by_key(|flow| flow.weights.len());
        let usable = |others: &Others| {
            others.keys().all(|other| {
                let derived = net.places[*other].derived.is_some() || net.places[*other].timed;
                !derived && !offers.iter().any(|offer| offer.place == *other)
            })
        };
        let found = flows.into_iter().find_map(|flow| {
            let by_value = owners.by_value(net, place, flow).filter(&usable);
            if let Some(others) = by_value.filter(|others| owners.keeps_values(net, unfolding, place, others))
            {
                return Some((by_values(net, place, &others), others));
            }
            let by_count = owners.by_count(net, place, flow).filter(&usable);
            let others = by_count.filter(|others| owners.keeps_count(unfolding, place, others))?;
            Some((by_counts(net, place, &others)?, others))
        });
        if let Some(((definition, text), others)) = found {
            others.keys().for_each(|other| kept[*other] = true);
            offers.push(Offer { place, text, definition: Closed { body: definition, frame: 0 } });
        }
    }
    offers
}

/// Which coloured place, and which of its values, each place of the unfolding stands for.
struct Owners {
    owner: Vec<usize>,
    values: Vec<Box<[u64]>>,
    instances: Vec<usize>,
}

impl Owners {
    fn new(net: &ColouredNet, unfolding: &Unfolding) -> Self {
        let count = unfolding.net.places().len();
        let (mut owner, mut values) = (vec![0; count], vec![Box::from([]); count]);
        let mut instances = Vec::with_capacity(net.places.len());
        for place in 0..net.places.len() {
            for id in unfolding.instances(place) {
                owner[id.index()] = place;
                values[id.index()] = unfolding.value(place, id).into();
            }
            instances.push(unfolding.instances(place).len());
        }
        Self { owner, values, instances }
    }

    /// The other places of a semiflow, if all are of one type and hold one value there.
    fn by_value(&self, net: &ColouredNet, place: usize, flow: &Semiflow) -> Option<Others> {
        let first = flow.support().find(|p| self.owner[*p] == place)?;
        let mut others = Others::new();
        for (p, weight) in &flow.weights {
            let other = self.owner[*p];
            if *p == first {
                continue;
            }
            let fits = other != place
                && net.places[other].type_ == net.places[place].type_
                && self.values[*p] == self.values[first];
            if !fits || others.insert(other, i64::try_from(*weight).ok()?).is_some() {
                return None;
            }
        }
        Some(others)
    }

    /// The other places of a semiflow, if it has all values of each with one weight.
    fn by_count(&self, net: &ColouredNet, place: usize, flow: &Semiflow) -> Option<Others> {
        if net.places[place].type_ != TypeId::UNIT {
            return None;
        }
        let (mut others, mut seen) = (Others::new(), vec![0; self.instances.len()]);
        for (p, weight) in &flow.weights {
            let other = self.owner[*p];
            seen[other] += 1;
            if other != place
                && *others.entry(other).or_insert(i64::try_from(*weight).ok()?) != *weight as i64
            {
                return None;
            }
        }
        others.keys().all(|other| seen[*other] == self.instances[*other]).then_some(others)
    }

    /// Whether no transition changes p(v) + Σ c·q(v), for any v.
    fn keeps_values(&self, net: &ColouredNet, unfolding: &Unfolding, place: usize, others: &Others) -> bool {
        // A value that only others may have would have to be negative in this one.
        let values_fit = others.keys().all(|other| {
            unfolding.instances(*other).all(|id| unfolding.find(place, &self.values[id.index()]).is_some())
        });
        let narrow = net.types.is_narrow(net.places[place].type_);
        narrow && values_fit && self.keeps(unfolding, place, others, |p| self.values[p].first().copied())
    }

    /// Whether no transition changes #p + Σ c·#q.
    fn keeps_count(&self, unfolding: &Unfolding, place: usize, others: &Others) -> bool {
        self.keeps(unfolding, place, others, |_| Some(0))
    }

    fn keeps(
        &self,
        unfolding: &Unfolding,
        place: usize,
        others: &Others,
        key: impl Fn(usize) -> Option<u64>,
    ) -> bool {
        let net = &unfolding.net;
        let factor = |p: usize| match self.owner[p] == place {
            true => 1,
            false => others.get(&self.owner[p]).copied().unwrap_or(0),
        };
        let keeps = |t: TransitionId| {
            let mut change: BTreeMap<u64, i128> = BTreeMap::new();
            let arcs = [(net.inputs(), -1), (net.outputs(), 1)];
            for (arcs, sign) in arcs {
                for arc in arcs.of(t).iter().filter(|arc| factor(arc.place.index()) != 0) {
                    let Some(key) = key(arc.place.index()) else { return false };
                    let effect = sign * i128::from(arc.weight) * i128::from(factor(arc.place.index()));
                    *change.entry(key).or_default() += effect;
                }
            }
            let resets = net.resets().of(t).iter().any(|arc| factor(arc.place.index()) != 0);
            !resets && change.values().all(|change| *change == 0)
        };
        net.transition_ids().all(keeps)
    }
}

/// `K - q - 2'r`
fn by_values(net: &ColouredNet, place: usize, others: &Others) -> (Bag, Option<String>) {
    let type_ = net.places[place].type_;
    let mut constant: BTreeMap<Box<[u64]>, i64> = BTreeMap::new();
    let mut add = |place: usize, factor: i64| {
        for (value, count) in &net.places[place].initial {
            *constant.entry(value.clone()).or_default() += *count as i64 * factor;
        }
    };
    add(place, 1);
    others.iter().for_each(|(other, factor)| add(*other, *factor));
    let uniform = constant.values().next().copied().filter(|first| {
        constant.values().all(|count| count == first) && net.types.size(type_) == Some(constant.len() as u64)
    });
    let (mut bag, mut text) = match uniform {
        Some(1) => (Bag::All(type_), Some(format!("all {}", net.types.describe(type_)))),
        Some(count) => (
            Bag::All(type_).times(Term::int(count)),
            Some(format!("{count}'(all {})", net.types.describe(type_))),
        ),
        None => {
            let one = |(value, count): (&[u64], i64)| {
                Bag::One(Term::constant(value, type_)).times(Term::int(count))
            };
            let short = constant.len() <= 8;
            let shown = |(value, count): (&[u64], i64)| match count {
                1 => net.types.show(type_, value),
                count => format!("{count}'{}", net.types.show(type_, value)),
            };
            let all = || constant.iter().map(|(value, count)| (&**value, *count));
            let listed = all().map(shown).collect::<Vec<_>>().join(", ");
            (Bag::Sum(all().map(one).collect()), short.then(|| format!("{{ {listed} }}")))
        }
    };
    for (other, factor) in others {
        bag = Bag::Difference(Box::new(bag), Box::new(Bag::Place(*other).times(Term::int(*factor))));
        let id = &net.places[*other].id;
        text = text.map(|text| match factor {
            1 => format!("{text} - {id}"),
            factor => format!("{text} - {factor}'{id}"),
        });
    }
    (bag, text)
}

/// `(k - #q - 2 * #r)'()`
fn by_counts(net: &ColouredNet, place: usize, others: &Others) -> Option<(Bag, Option<String>)> {
    let tokens = |place: usize| net.places[place].initial.iter().map(|(_, count)| *count as i64).sum::<i64>();
    let constant = others.iter().try_fold(tokens(place), |sum, (other, factor)| {
        sum.checked_add(tokens(*other).checked_mul(*factor)?)
    })?;
    let (mut count, mut text) = (Term::int(constant), constant.to_string());
    for (other, factor) in others {
        let tokens = Term::new(Node::Count(Box::new(Bag::Place(*other))), Sort::Int);
        let taken = match factor {
            1 => tokens,
            factor => Term::arithmetic(Arithmetic::Multiply, Term::int(*factor), tokens),
        };
        count = Term::arithmetic(Arithmetic::Subtract, count, taken);
        let id = &net.places[*other].id;
        text = match factor {
            1 => format!("{text} - #{id}"),
            factor => format!("{text} - {factor} * #{id}"),
        };
    }
    Some((Bag::One(Term::unit()).times(count), Some(format!("({text})'()"))))
}
