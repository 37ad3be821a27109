//! Measures of progress: read, translated, and tried on all edges of the examples.
#![allow(missing_docs)]

use sweepnet_colour::unfold::Limits;
use sweepnet_colour::{ColouredNet, Patience, Unfolding};
use sweepnet_language::{read, read_progress};
use sweepnet_logic::coloured::{Untranslated, translate_progress};
use sweepnet_logic::progress::{parse_progress, weighted};
use sweepnet_net::{Marking, Net, TransitionId};
use sweepnet_space::progress::{Component, Measure, Order};
use sweepnet_testkit::{naive, nets};

fn values(measure: &Measure, marking: &Marking) -> Vec<i64> {
    let value = |component: &Component| match component {
        Component::Linear(linear) => linear.value(|p| marking[p]),
        Component::Function(function) => function.value(&|p| marking[p]),
    };
    measure.components.iter().map(|component| value(component).expect("a number")).collect()
}

/// States, and the transitions of all edges along which the values fall.
fn regress(net: &Net, measure: &Measure) -> (usize, Vec<TransitionId>) {
    let states = naive::explore(net, 100_000).states;
    let mut falling = Vec::new();
    for marking in states.keys() {
        for t in net.enabled(marking) {
            let next = net.fire(marking, t).expect("it is enabled");
            if values(measure, &next) < values(measure, marking) {
                falling.push(t);
            }
        }
    }
    (states.len(), falling)
}

fn unfolded(net: &ColouredNet) -> Unfolding {
    net.unfold(&Limits { nodes: usize::MAX, go_on: &|| true }).expect("it is small")
}

fn example(name: &str, params: &[(&str, i64)]) -> sweepnet_language::Model {
    let path = format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"));
    let params: Vec<_> = params.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    read(&std::fs::read_to_string(path).expect("an example"), &params).expect("it is right").0
}

/// Database managers: 2 + N 3^(N-1) states, and only `finish`, once for each manager, leads back.
#[test]
fn managers_go_back_only_to_the_start() {
    for n in 2..=5 {
        let model = example("database-managers.snet", &[("N", n)]);
        let unfolding = unfolded(&model.net);
        let measure =
            translate_progress(&model.net, &unfolding, &model.net.progress, "", Patience::default())
                .expect("sums");
        assert!(matches!(
            measure.components.as_slice(),
            [Component::Function(_), Component::Linear(_), Component::Linear(_)]
        ));
        let (states, falling) = regress(&unfolding.net, &measure);
        assert_eq!(states as i64, 2 + n * 3_i64.pow(n as u32 - 1));
        assert_eq!(falling.len() as i64, n);
        let finish = model.net.find_transition("finish").expect("a transition");
        let back: Vec<_> = unfolding.bindings(finish).map(|(t, _)| t).collect();
        assert!(falling.iter().all(|t| back.contains(t)));
        // The same as one would type it.
        let (mut net, text) = (model.net.clone(), "1 - #initially + #waiting; sum s in Site: s * waiting(s)");
        let typed = read_progress(text, &mut net, &model.scope).expect("two integers");
        let typed = translate_progress(&net, &unfolding, &typed, text, Patience::default()).expect("sums");
        assert!(typed.components.iter().all(|part| matches!(part, Component::Linear(_))));
        assert_eq!(regress(&unfolding.net, &typed).1.len() as i64, n);
    }
}

/// Stop-and-wait: 271 P - 134 states, and what was received stays so.
#[test]
fn packets_stay_received() {
    for packets in [1, 3] {
        let model = example("stop-and-wait.snet", &[("P", packets)]);
        let unfolding = unfolded(&model.net);
        let measure =
            translate_progress(&model.net, &unfolding, &model.net.progress, "", Patience::default())
                .expect("sums");
        let (states, falling) = regress(&unfolding.net, &measure);
        assert_eq!((states as i64, falling.len()), (271 * packets - 134, 0));
    }
}

#[test]
fn conditions_and_quotients_are_decided_in_each_marking() {
    let text = "type T = 0..19
        place p: T = all T
        place q: T
        transition t(x) { in p: x; out q: x }
        progress sum x in T: (if q(x) = 1 then x else -1)";
    let (model, _) = read(text, &[]).expect("it is right");
    let unfolding = unfolded(&model.net);
    let marking = unfolding.net.initial_marking();
    let measure = translate_progress(&model.net, &unfolding, &model.net.progress, "", Patience::default())
        .expect("cases");
    assert_eq!(values(&measure, &marking), [-20]);
    let first = unfolding.net.enabled(&marking).next().expect("all are enabled");
    let next = unfolding.net.fire(&marking, first).expect("it is enabled");
    let value = |text: &str, marking: &Marking| {
        let mut net = model.net.clone();
        let progress = read_progress(text, &mut net, &model.scope).expect("an integer");
        values(
            &translate_progress(&net, &unfolding, &progress, text, Patience::default()).expect("operations"),
            marking,
        )
    };
    assert_eq!(value("#p / 3, -#p / 3, -#p mod 3", &marking), [6, -7, 1]);
    assert_eq!(value("(min(#p, #q), max(#p, 2 * #q), #p * #q)", &next), [1, 19, 19]);
    assert_eq!(value("sum x in T: (if q(x) = 1 then 5 else 0)", &next), [5]);
}

#[test]
fn vectors_in_models_and_for_them() {
    let text = "place p, q: unit\ntransition t { in p: (); out q: () }\nprogress vector(#q, -#p)";
    let (mut model, _) = read(text, &[]).expect("it is right");
    assert!(model.net.progress.componentwise && model.net.progress.parts.len() == 2);
    let unfolding = unfolded(&model.net);
    let measure = translate_progress(&model.net, &unfolding, &model.net.progress, "it", Patience::default())
        .expect("sums");
    assert_eq!((measure.order, measure.text.as_str()), (Order::Componentwise, "it"));
    let mut read = |text: &str| read_progress(text, &mut model.net, &model.scope).map_err(Box::new);
    assert!(!read("(#p, #q)").expect("a tuple").componentwise);
    assert_eq!(read("vector(#p, #q, #p)").expect("a vector").parts.len(), 3);
    for wrong in ["", "#", "#r", "true", "(#p, true)", "#p #q", "()", "vector()", "vector(true)", "#p,,#q"] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn the_clock_is_for_the_coloured_engine() {
    let (model, _) =
        read("place p: unit\ntransition t { in p: () }\nprogress clock", &[]).expect("it is right");
    let translated =
        translate_progress(&model.net, &unfolded(&model.net), &model.net.progress, "", Patience::default());
    assert_eq!(translated.err(), Some(Untranslated::Clock));
}

#[test]
fn measures_of_plain_nets() {
    let net = nets::net("n", &[("p", 3), ("q", 2)], &["t: p -> q"]);
    let marking = net.initial_marking();
    let read = |text: &str| parse_progress(text, &net).map(|m| (values(&m, &marking), m.order));
    let ordered = |values: &[i64]| Ok((values.to_vec(), Order::Lexicographic));
    assert_eq!(read("#p + 2 * #q - 1"), ordered(&[6]));
    assert_eq!(read("(#p + 2) * 3"), ordered(&[15]));
    assert_eq!(read("(#p, #q * #p)"), ordered(&[3, 6]));
    assert_eq!(read("#p, #q"), ordered(&[3, 2]));
    assert_eq!(read("#p; #q;"), ordered(&[3, 2]));
    assert_eq!(read("(#(p, q)) + 1"), ordered(&[6]));
    assert_eq!(read("vector(#p, -#q)"), Ok((vec![3, -2], Order::Componentwise)));
    for wrong in ["", "#r", "(#p, #q", "#p #q", "#p = 1", "vector(#p) + 1", "vector()", "(#p, #q) + 1", "()"]
    {
        assert!(parse_progress(wrong, &net).is_err(), "{wrong}");
    }
    let error = parse_progress("#p; #quu", &net).expect_err("no such place");
    assert_eq!((error.column, error.message.as_str()), (6, "there is no place 'quu'"));
    assert!(parse_progress(&"(".repeat(100_000), &net).is_err());
}

#[test]
fn weights_are_written_as_one_would() {
    let net = nets::net("n", &[("p", 3), ("q", 2)], &["t: p -> q", "u: q -> r"]);
    let measure = weighted(&net, &[-1, 0, 2]);
    assert_eq!(measure.text, "-#p + 2 * #r");
    let again = parse_progress(&measure.text, &net).expect("it is right");
    let marking = net.initial_marking();
    assert_eq!(values(&again, &marking), values(&measure, &marking));
}
