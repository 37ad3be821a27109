//! Dividing the places of a net into components.

use std::collections::HashSet;

use sweepnet_net::{Marking, Net, NetBuilder, PlaceId, Unit, Units};
use sweepnet_space::product::partition::text::print;
use sweepnet_space::product::partition::{
    Judgement, Knowledge, Part, Partition, PartitionChoice, PartitionError, Proposer, Sample, Scored, choose,
};
use sweepnet_space::{Control, Limits, Plan, StopReason};
use sweepnet_structure::{Effort, Structure};
use sweepnet_testkit::nets::{self, net};
use sweepnet_testkit::{naive, random};

fn judge_with(net: &Net, choice: &PartitionChoice, states: usize) -> Result<Judgement, PartitionError> {
    let structure = Structure::of(net, Effort::for_net(net));
    let plan = Plan::knowing(net, &structure);
    let sample = Sample::gather(net, &plan, states, &mut Control::unlimited());
    choose(net, &Knowledge::of(net, &structure), choice, &sample)
}

fn judge(net: &Net, choice: &str) -> Result<Judgement, PartitionError> {
    judge_with(net, &choice.parse().unwrap(), 2_000)
}

fn leaves(part: &Part, into: &mut Vec<Vec<PlaceId>>) {
    match part {
        Part::Places(places) => into.push(places.clone()),
        Part::Pair(left, right) => {
            leaves(left, into);
            leaves(right, into);
        }
    }
}

/// Each place exactly once, no empty component, at least one.
fn assert_partition(net: &Net, partition: &Partition, story: &str) {
    let mut sets = Vec::new();
    partition.parts.iter().for_each(|part| leaves(part, &mut sets));
    assert!(!partition.parts.is_empty(), "{story}");
    assert!(net.places().is_empty() || sets.iter().all(|set| !set.is_empty()), "{story}: {partition:?}");
    let mut places = sets.concat();
    places.sort_unstable();
    assert_eq!(places, net.place_ids().collect::<Vec<_>>(), "{story}: {partition:?}");
}

fn assert_judgement(net: &Net, judgement: &Judgement, story: &str) {
    for candidate in &judgement.candidates {
        assert_partition(net, &candidate.partition, story);
        assert_eq!(candidate.seen.len(), candidate.partition.parts.len(), "{story}");
        assert!(candidate.bits_per_state.is_finite(), "{story}");
    }
    assert_eq!(judgement.chosen, judgement.candidates[0].partition, "{story}");
    assert_eq!(judgement.capacities.len(), judgement.chosen.parts.len(), "{story}");
    assert!(judgement.capacities.iter().all(|capacity| *capacity > 0), "{story}");
}

/// The names of a partition's components, each sorted, sorted.
fn names(net: &Net, partition: &Partition) -> Vec<Vec<String>> {
    let mut names: Vec<Vec<String>> = partition
        .parts
        .iter()
        .map(|part| part.places().iter().map(|place| net.place(*place).id.to_string()).collect())
        .collect();
    names.iter_mut().for_each(|part| part.sort());
    names.sort();
    names
}

#[test]
fn every_proposal_is_a_partition() {
    for seed in 0..100 {
        for (kind, net) in [("net", random::net(seed)), ("wide net", random::wide_net(seed))] {
            let structure = Structure::of(&net, Effort::for_net(&net));
            let knowledge = Knowledge::of(&net, &structure);
            let plan = Plan::knowing(&net, &structure);
            let sample = Sample::gather(&net, &plan, 300, &mut Control::unlimited());
            for choice in ["auto", "one", "file", "file:3", "file:1000", "semiflows", "units", "clusters"] {
                let story = format!("{kind} {seed}, {choice}");
                match choose(&net, &knowledge, &choice.parse().unwrap(), &sample) {
                    Ok(judgement) => assert_judgement(&net, &judgement, &story),
                    Err(PartitionError::NoSemiflows) => assert_eq!(choice, "semiflows", "{story}"),
                    Err(PartitionError::NoUnits) => assert_eq!(choice, "units", "{story}"),
                    Err(error) => panic!("{story}: {error}"),
                }
            }
        }
    }
}

#[test]
fn a_sample_of_a_small_net_is_its_state_space() {
    let mut whole = 0;
    for seed in 0..150 {
        let net = random::net(seed);
        let naive = naive::explore(&net, 500);
        let plan = Plan::knowing(&net, &Structure::of(&net, Effort::for_net(&net)));
        let sample = Sample::gather(&net, &plan, 1_000, &mut Control::unlimited());
        if naive.complete {
            whole += 1;
            assert_eq!(sample.complete(), Some(naive.states.len() as u64), "seed {seed}");
            assert_eq!(sample.len(), naive.states.len(), "seed {seed}");
            for (position, place) in sample.places().iter().enumerate() {
                let mut counts: Vec<u64> = naive.states.keys().map(|marking| marking[*place]).collect();
                let mut sampled: Vec<u64> = sample.column(position).iter().map(u64::from).collect();
                counts.sort_unstable();
                sampled.sort_unstable();
                assert_eq!(sampled, counts, "seed {seed}");
            }
        } else {
            assert_eq!(sample.complete(), None, "seed {seed}");
            assert!(sample.len() <= 1_000, "seed {seed}");
        }
    }
    assert!(whole > 50);
}

#[test]
fn a_sample_of_states_found_looks_beyond_them() {
    let net = nets::kanban(2);
    let plan = Plan::knowing(&net, &Structure::of(&net, Effort::for_net(&net)));
    let reachable = naive::explore(&net, 10_000).states;
    let counts = |marking: &Marking| -> Vec<u64> { net.place_ids().map(|place| marking[place]).collect() };
    let all: HashSet<Vec<u64>> = reachable.keys().map(counts).collect();
    let found: HashSet<Vec<u64>> = reachable.keys().take(100).map(counts).collect();
    let show = |most: usize, visit: &mut dyn FnMut(Marking)| {
        reachable.keys().take(most.min(100)).for_each(|marking| visit(marking.clone()));
    };
    let sample = Sample::beyond(&net, &plan, show, 1_000, &mut Control::unlimited());
    assert_eq!(sample.places().len(), net.places().len());
    let state = |at: usize| -> Vec<u64> {
        (0..sample.places().len()).map(|position| u64::from(sample.column(position).of(at))).collect()
    };
    let states: HashSet<Vec<u64>> = (0..sample.len()).map(state).collect();
    assert!(states.is_superset(&found) && states.is_subset(&all) && states.len() > 200, "{}", states.len());
    assert_eq!((sample.len(), sample.complete()), (states.len(), None));
}

#[test]
fn kanban_is_divided_into_its_cells() {
    let net = nets::kanban(4);
    let cell = |i: usize| ["Pkan", "Pm", "Pback", "Pout"].map(|kind| format!("{kind}{i}"));
    let sorted = |cells: &[usize]| {
        let mut places: Vec<String> = cells.iter().flat_map(|i| cell(*i)).collect();
        places.sort();
        places
    };
    let mut cells = [1, 2, 3, 4].map(|i| sorted(&[i]));
    cells.sort();

    // The four disjoint semiflows are found, in closed form: C(7, 3) ways for four cards.
    let judgement = judge_with(&net, &PartitionChoice::Semiflows, Sample::STATES).unwrap();
    let found = judgement.candidates.iter().find(|it| names(&net, &it.partition) == cells);
    assert_eq!(found.map(|it| it.seen.clone()), Some(vec![35; 4]));

    // Better still: the second and the third cell are filled and emptied together, and with them in one component
    // the product of the local markings is the number of states, 454,475.
    let judgement = judge_with(&net, &PartitionChoice::Auto, Sample::STATES).unwrap();
    let mut best = [sorted(&[1]), sorted(&[2, 3]), sorted(&[4])];
    best.sort();
    assert_eq!(names(&net, &judgement.chosen), best, "{}", judgement.reason);
    assert_eq!(judgement.chosen.proposer, Proposer::Semiflows);
    assert_eq!(judgement.capacities.iter().filter(|capacity| **capacity == 35).count(), 2);
}

#[test]
fn the_reason_is_a_line_in_plain_words() {
    let judgement = judge(&nets::kanban(4), "file:2").unwrap();
    assert!(
        judgement.reason.starts_with("runs of places in file order: 2 components, "),
        "{}",
        judgement.reason
    );
    assert!(judgement.reason.ends_with(" on a sample of 2,000 states"), "{}", judgement.reason);
}

#[test]
fn a_partition_is_read_as_it_is_printed() {
    for seed in 0..100 {
        let net = random::wide_net(seed);
        let chosen = judge(&net, "file:4").unwrap().chosen;
        let text = print(&net, &chosen);
        let again = judge_with(&net, &PartitionChoice::from_lines(&text), 100).unwrap();
        assert_eq!(again.chosen.proposer, Proposer::Given);
        assert_eq!(again.chosen.parts, chosen.parts);
        assert_eq!(print(&net, &again.chosen), text);
    }
}

#[test]
fn places_not_mentioned_are_divided_among_themselves() {
    let net = nets::kanban(2);
    let text = "Pkan1 Pm1 Pback1 Pout1\n\nPkan2 Pm2 Pback2 Pout2\n";
    let judgement = judge_with(&net, &PartitionChoice::from_lines(text), 2_000).unwrap();
    assert_judgement(&net, &judgement, "given");
    assert_eq!(print(&net, &judgement.chosen).lines().next(), text.lines().next());
    assert!(judgement.chosen.parts.len() > 2);
}

#[test]
fn mistakes_in_a_given_partition_are_told_with_their_lines() {
    let net = nets::kanban(2);
    let error = |text| judge_with(&net, &PartitionChoice::from_lines(text), 100).unwrap_err().to_string();
    assert_eq!(error("Pkan1\n\nPm1 nobody"), "line 3: there is no place 'nobody'");
    assert_eq!(error("Pkan1 Pm1\nPm2\nPm1"), "line 3: the place 'Pm1' is already in line 1");
    assert_eq!(error("Pkan1 Pkan1"), "line 1: the place 'Pkan1' is already in line 1");
}

#[test]
fn what_cannot_be_is_an_error() {
    let free = net("free", &[("a", 1), ("b", 0)], &["t: a -> 2*b", "u: 3*b -> a"]);
    assert_eq!(judge(&free, "units").unwrap_err(), PartitionError::NoUnits);
    assert_eq!(judge(&free, "semiflows").unwrap_err(), PartitionError::NoSemiflows);
}

#[test]
fn nets_without_places_or_transitions_have_one_component() {
    let empty = net("empty", &[], &[]);
    let idle = net("idle", &[("a", 3), ("b", 0)], &[]);
    let source = net("source", &[], &["t: -> "]);
    for net in [&empty, &idle, &source] {
        for choice in ["auto", "one", "file", "file:3", "clusters"] {
            let judgement = judge(net, choice).unwrap();
            assert_judgement(net, &judgement, choice);
            assert_eq!(judgement.chosen.parts.len(), 1);
            assert_eq!(judgement.capacities, [1]);
        }
    }
    let given = judge_with(&empty, &PartitionChoice::from_lines(""), 10).unwrap();
    assert_judgement(&empty, &given, "given");
}

/// Three machines of three places, with their units, and `tokens` tokens in the first machine.
fn machines(tokens: u64) -> Net {
    let mut net = NetBuilder::new("machines");
    let mut units = Vec::new();
    for m in 0..3 {
        let places: Vec<PlaceId> = (0..3)
            .map(|p| {
                let tokens = if p > 0 { 0 } else { if m == 0 { tokens } else { 1 } };
                net.place(&format!("m{m}p{p}"), tokens).unwrap()
            })
            .collect();
        for p in 0..3 {
            let t = net.transition(&format!("m{m}t{p}")).unwrap();
            net.input(t, places[p], 1).unwrap();
            net.output(t, places[(p + 1) % 3], 1).unwrap();
        }
        units.push(Unit { id: format!("u{m}").into(), places, subunits: Vec::new() });
    }
    units.push(Unit { id: "root".into(), places: Vec::new(), subunits: vec![0, 1, 2] });
    net.set_units(Units { safe: true, root: 3, units });
    net.build().unwrap()
}

#[test]
fn units_are_believed_only_if_the_sample_does_not_refute_them() {
    let safe = judge(&machines(1), "units").unwrap();
    assert_judgement(&machines(1), &safe, "safe");
    assert!(safe.candidates.iter().any(|it| it.seen == [3, 3, 3]));
    assert_eq!(judge(&machines(2), "units").unwrap_err(), PartitionError::NoUnits);
    let auto = judge(&machines(2), "auto").unwrap();
    assert!(auto.candidates.iter().all(|it| it.partition.proposer != Proposer::Units));
}

/// A ring of `size` places with a token in each tenth.
fn ring(size: usize) -> Net {
    let mut net = NetBuilder::new("ring");
    let places: Vec<PlaceId> =
        (0..size).map(|p| net.place(&format!("p{p}"), u64::from(p % 10 == 0)).unwrap()).collect();
    for p in 0..size {
        let t = net.transition(&format!("t{p}")).unwrap();
        net.input(t, places[p], 1).unwrap();
        net.output(t, places[(p + 1) % size], 1).unwrap();
        net.inhibitor(t, places[(p + 1) % size], 1).unwrap();
    }
    net.build().unwrap()
}

#[test]
fn a_net_of_ten_thousand_places_can_be_divided() {
    let net = ring(10_000);
    let structure = Structure::of(&net, Effort::LEAST);
    let plan = Plan::knowing(&net, &structure);
    let sample = Sample::gather(&net, &plan, Sample::STATES, &mut Control::unlimited());
    let judgement = choose(&net, &Knowledge::of(&net, &structure), &PartitionChoice::Auto, &sample).unwrap();
    assert_judgement(&net, &judgement, "ring");
    let paired = |it: &Scored| it.partition.parts.iter().any(|part| part.leaves() > 1);
    assert!(judgement.candidates.iter().any(paired));
    let rank: f64 = judgement.candidates[0].expected.iter().map(|n| n.log2()).sum();
    assert!(rank < 256.0, "{}", judgement.reason);
}

#[test]
fn gathering_stops_when_it_is_told_to() {
    let net = ring(500);
    let structure = Structure::of(&net, Effort::LEAST);
    let plan = Plan::knowing(&net, &structure);
    let limits = Limits { memory: u64::MAX, time: Some(std::time::Duration::ZERO), states: None };
    let mut control = Control::new(&limits, Default::default(), |_| {});
    let sample = Sample::gather(&net, &plan, Sample::STATES, &mut control);
    assert_eq!(sample.stopped(), Some(StopReason::Time));
    assert_eq!(sample.complete(), None);
    let judgement = choose(&net, &Knowledge::of(&net, &structure), &PartitionChoice::Auto, &sample).unwrap();
    assert_judgement(&net, &judgement, "stopped");
}

#[test]
fn the_same_net_is_judged_the_same_way_again() {
    let net = nets::philosophers(9);
    let one = judge(&net, "auto").unwrap();
    let two = judge(&net, "auto").unwrap();
    assert_eq!(one.chosen, two.chosen);
    assert_eq!(one.reason, two.reason);
    let proposers: HashSet<Proposer> = one.candidates.iter().map(|it| it.partition.proposer).collect();
    assert!(proposers.len() > 3);
}
