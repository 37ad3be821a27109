//! Two threads expand states with tables that are empty at first. Whatever one has published, the other sees whole: a row
//! with its pattern, a local number with its marking and its due.

use std::collections::BTreeSet;

use sweepnet_net::{Marking, Net, NetBuilder, PlaceId};
use sweepnet_space::product::partition::{Knowledge, Part, Partition, Proposer};
use sweepnet_space::product::{Automata, Expanding, Given, Lot, Product, Radix};
use sweepnet_space::{Budget, System};

use crate::{together, with_few_switches};

/// A net of places `a`, `b`, … with so many tokens, and transitions with these inputs and outputs.
fn net<const N: usize>(tokens: [u64; N], transitions: &[(&[usize], &[usize])]) -> Net {
    let mut net = NetBuilder::new("net");
    let places: Vec<PlaceId> =
        tokens.iter().zip('a'..).map(|(count, id)| net.place(&id.to_string(), *count).unwrap()).collect();
    for (at, (from, to)) in transitions.iter().enumerate() {
        let t = net.transition(&format!("t{at}")).unwrap();
        from.iter().for_each(|place| net.input(t, places[*place], 1).unwrap());
        to.iter().for_each(|place| net.output(t, places[*place], 1).unwrap());
    }
    net.build().unwrap()
}

/// A token goes from `a` to `b`, alone or together with one that goes from `c` to `d`; and `e` has one as long as `a` has.
fn two_ways() -> (Net, Semiflow) {
    (net([1, 0, 1, 0, 1], &[(&[0, 4], &[1]), (&[0, 2, 4], &[1, 3])]), (&[1, 4], 1))
}

/// Tokens go from `a` to `b` and from `c` to `d`, in either order, and each leaves one in `e`.
fn two_orders() -> (Net, Semiflow) {
    (net([1, 0, 1, 0, 0], &[(&[0], &[1, 4]), (&[2], &[3, 4])]), (&[0, 2, 4], 2))
}

/// Places that have so many tokens together.
type Semiflow = (&'static [usize], u64);

fn places<const N: usize>(places: [usize; N]) -> Vec<PlaceId> {
    places.map(PlaceId::new).to_vec()
}

/// Where firing leads from a marking, by the plain rule.
fn successors(net: &Net, marking: &Marking) -> BTreeSet<Vec<u64>> {
    let fired = net.enabled(marking).map(|t| net.fire(marking, t).unwrap());
    fired.map(|marking| marking.tokens().to_vec()).collect()
}

struct Tables {
    automata: Automata,
    radix: Radix,
}

impl Tables {
    fn new(net: &Net, (places, tokens): Semiflow, partition: &Partition) -> Self {
        let semiflow = places.iter().map(|place| (PlaceId::new(*place), 1)).collect();
        let bounds = vec![Some(tokens); net.places().len()];
        let knowledge = Knowledge { semiflows: vec![(semiflow, tokens)], bounds, ..Knowledge::default() };
        let given =
            Given { net, complements: &[], knowledge: &knowledge, with_events: false, with_totals: false };
        let automata = Automata::new(given, partition, &[2, 2], &Budget::of(u64::MAX)).unwrap();
        let radix = Radix::new(&automata.capacities());
        Self { automata, radix }
    }

    fn product(&self) -> Product<'_, 1> {
        Product { automata: &self.automata, radix: &self.radix }
    }

    fn targets(&self, rank: [u64; 1]) -> Vec<[u64; 1]> {
        let mut targets: Vec<[u64; 1]> = Vec::new();
        let mut lot = Lot::default();
        lot.take(&[rank], 1, (self.radix.bits(), 0));
        let done = Expanding::new(self.product()).expand(&mut lot, |some, _| targets.extend_from_slice(some));
        assert_eq!((done, lot.arcs[0]), (Ok(()), targets.len() as u64));
        targets
    }

    /// The successors of a state, as whoever watches would see them.
    fn expand(&self, rank: [u64; 1]) -> BTreeSet<Vec<u64>> {
        let product = self.product();
        let marking = |rank: [u64; 1]| {
            let marking = product.marking_of(&rank);
            assert_eq!(product.total_in(&rank), marking.total());
            marking.tokens().to_vec()
        };
        self.targets(rank).into_iter().map(marking).collect()
    }
}

/// Two threads expand the initial state.
fn check(partition: &Partition) {
    let (net, semiflow) = two_ways();
    let tables = Tables::new(&net, semiflow, partition);
    let initial = System::initial(&tables.product());
    let expand = move |tables: &Tables| tables.expand(initial);
    let (mut tables, one, other) = together(tables, expand, expand);
    let wanted = successors(&net, &net.initial_marking());
    assert_eq!((&one, &other), (&wanted, &wanted));
    assert!(tables.automata.counts().iter().all(|count| *count <= 2), "each local marking has one number");
    assert_eq!(tables.automata.take_newly_fired().len(), 2, "each transition fires for the first time once");
}

#[test]
fn components_with_rows_and_shared_events() {
    with_few_switches("two components", 3, || {
        check(&Partition::flat(Proposer::Given, vec![places([0, 1, 4]), places([2, 3])]));
    });
}

#[test]
fn a_component_that_follows_from_the_others() {
    with_few_switches("two components and one that follows", 2, || {
        let others = vec![places([0, 1]), places([2, 3])];
        check(&Partition::flat(Proposer::Given, others).and_determined(places([4])));
    });
}

#[test]
fn a_number_that_another_found_to_follow() {
    with_few_switches("two states lead to one", 3, || {
        let (net, semiflow) = two_orders();
        let others = vec![places([0, 1]), places([2, 3])];
        let partition = Partition::flat(Proposer::Given, others).and_determined(places([4]));
        let tables = Tables::new(&net, semiflow, &partition);
        // All numbers of the others are known then. That of two tokens in `e` is found by one thread or the other.
        let targets = tables.targets(System::initial(&tables.product()));
        let wanted: Vec<_> =
            targets.iter().map(|rank| successors(&net, &tables.product().marking_of(rank))).collect();
        let [first, second] = targets[..] else { panic!("two can happen") };
        let (_, one, other) =
            together(tables, move |tables| tables.expand(first), |tables| tables.expand(second));
        assert_eq!([one, other], wanted[..]);
    });
}

#[test]
fn a_pair_of_components() {
    with_few_switches("a pair and a component", 2, || {
        let leaf = |places| Box::new(Part::Places(places));
        let pair = Part::Pair(leaf(places([0, 1])), leaf(places([4])));
        let parts = vec![pair, Part::Places(places([2, 3]))];
        check(&Partition { proposer: Proposer::Given, parts, determined: false });
    });
}
