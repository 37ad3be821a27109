//! What is written is read again as the same net, for random nets and every format.

mod common;

use common::read_bytes;
use proptest::collection::vec;
use proptest::prelude::*;
use sweepnet_formats::{Format, write};
use sweepnet_net::{Marking, Net, NetBuilder, Unit, Units};

/// An arc: transition, place (both modulo their number), weight, kind.
type RawArc = (usize, usize, u64, u8);

fn build(
    places: Vec<(String, u64, String)>,
    transitions: Vec<(String, String)>,
    arcs: Vec<RawArc>,
    kinds: u8,
) -> Net {
    let mut net = NetBuilder::new("a <net> & {more}");
    let mut ids = std::collections::HashSet::new();
    for (id, initial, label) in places {
        if !ids.insert(id.clone()) {
            continue;
        }
        let p = net.place(&id, initial).unwrap();
        if !label.is_empty() {
            net.label_place(p, &label);
        }
    }
    for (id, label) in transitions {
        if !ids.insert(id.clone()) {
            continue;
        }
        let t = net.transition(&id).unwrap();
        if !label.is_empty() {
            net.label_transition(t, &label);
        }
    }
    let (np, nt) = (net.place_count(), net.transition_count());
    for (t, p, weight, kind) in arcs {
        if np == 0 || nt == 0 {
            break;
        }
        let (t, p) = (sweepnet_net::TransitionId::new(t % nt), sweepnet_net::PlaceId::new(p % np));
        match kind % kinds {
            0 => net.input(t, p, weight),
            1 => net.output(t, p, weight),
            2 => net.read(t, p, weight),
            3 => net.inhibitor(t, p, weight),
            _ => net.reset(t, p),
        }
        .unwrap();
    }
    net.build().unwrap()
}

fn arcs() -> impl Strategy<Value = Vec<RawArc>> {
    vec((any::<usize>(), any::<usize>(), prop_oneof![Just(1), 1..1_000_000_000_u64], any::<u8>()), 0..40)
}

/// Nets whose ids and labels are drawn from these patterns.
fn nets(id: &'static str, label: &'static str, kinds: u8) -> impl Strategy<Value = Net> {
    let places = vec((id, prop_oneof![Just(0), any::<u64>()], label), 0..12);
    (places, vec((id, label), 0..12), arcs())
        .prop_map(move |(places, transitions, arcs)| build(places, transitions, arcs, kinds))
}

fn again(net: &Net, format: Format) -> Net {
    let mut written = Vec::new();
    let warnings = write(net, format, &mut written).unwrap();
    assert_eq!(warnings, []);
    let document = read_bytes(format, &written).unwrap();
    assert_eq!(document.warnings, []);
    document.into_plain().unwrap()
}

/// A unit tree over all places: unit `i` is inside unit `parents[i] % i`, place `p` in unit `owners[p]`.
fn with_units(net: &Net, parents: &[usize], owners: &[usize], safe: bool) -> Units {
    let unit = |i| Unit { id: format!("u{i}").into(), places: Vec::new(), subunits: Vec::new() };
    let mut units: Vec<Unit> = (0..parents.len()).map(unit).collect();
    for i in 1..parents.len() {
        units[parents[i] % i].subunits.push(i);
    }
    for (p, owner) in net.place_ids().zip(owners.iter().cycle()) {
        let n = units.len();
        units[owner % n].places.push(p);
    }
    Units { safe, root: 0, units }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pnml(net in nets("[a-zA-Z&<>\"'é{}]([ -~]{0,5}[a-z\u{1F600}])?", "([a&<>](\n|[ -~]|\u{85}){0,3})?[z\"']", 5)) {
        prop_assert_eq!(again(&net, Format::Pnml), net);
    }

    #[test]
    fn tina(net in nets("\\PC{1,6}|tr|pl|[{}\\\\ ]{1,3}", "(\\PC|\n|\t){0,6}", 4)) {
        prop_assert_eq!(again(&net, Format::Tina), net);
    }

    #[test]
    fn lola(mut net in nets("[a-z0-9][a-zA-Z0-9./_\\[\\]|#-]{0,6}[a-z]", "", 2)) {
        net.name.clear();
        prop_assert_eq!(again(&net, Format::Lola), net);
    }

    #[test]
    fn units(
        parents in vec(any::<usize>(), 1..8), owners in vec(any::<usize>(), 1..8), safe: bool, places in 0..9_usize,
    ) {
        let mut builder = NetBuilder::new("n");
        (0..places).for_each(|p| drop(builder.place(&format!("p&{p}"), 0)));
        let net = builder.build().unwrap();
        let units = with_units(&net, &parents, &owners, safe);
        let mut builder = NetBuilder::new("n");
        (0..places).for_each(|p| drop(builder.place(&format!("p&{p}"), 0)));
        builder.set_units(units);
        let net = builder.build().unwrap();
        prop_assert_eq!(again(&net, Format::Pnml), net);
    }

    /// Taking and giving back is as good as a read arc: the same transitions fire, with the same effect.
    #[test]
    fn read_arcs_in_lola_fire_alike(
        arcs in vec((0..3_usize, 0..3_usize, 1..4_u64, any::<u8>()), 0..20), tokens in vec(0..6_u64, 3),
    ) {
        let names = |c: char| (0..3).map(move |i| format!("{c}{i}"));
        let places = names('p').map(|id| (id, 0, String::new())).collect();
        let net = build(places, names('t').map(|id| (id, String::new())).collect(), arcs, 3);
        let mut written = Vec::new();
        write(&net, Format::Lola, &mut written).unwrap();
        let lola = read_bytes(Format::Lola, &written).unwrap().into_plain().unwrap();
        let marking = Marking::new(tokens.into());
        for t in net.transition_ids() {
            prop_assert_eq!(net.fire(&marking, t), lola.fire(&marking, t));
        }
    }

    /// Whatever the names, every format that can hold the net gives back its shape.
    #[test]
    fn any_names(net in nets("(\\PC|[\\x00-\\x20]){0,4}", "(\\PC|[\\x00-\\x20]){0,4}", 2)) {
        for format in [Format::Pnml, Format::Tina, Format::Lola] {
            let mut written = Vec::new();
            write(&net, format, &mut written).unwrap();
            let again = read_bytes(format, &written).unwrap().into_plain().unwrap();
            prop_assert_eq!(again.inputs(), net.inputs());
            prop_assert_eq!(again.outputs(), net.outputs());
            prop_assert_eq!(again.initial_marking(), net.initial_marking());
        }
        write(&net, Format::Dot, &mut Vec::new()).unwrap();
    }

    /// No bytes make a reader panic.
    #[test]
    fn any_bytes(bytes in vec(any::<u8>(), 0..200)) {
        for format in Format::ALL {
            let _ = read_bytes(format, &bytes);
        }
        let _ = Format::detect(&bytes);
    }
}
