//! Answers to random questions about random nets agree with the naive twin, in every way to search.
//!
//! A failure prints the net's seed; `SWEEPNET_SEED=n` runs just that one.

use sweepnet_logic::check::{Detail, Undecided, Value, Verdict};
use sweepnet_logic::{PlainView, Predicate, Property, Question, check, parse_property};
use sweepnet_net::{Marking, Net, PlaceId, TransitionId};
use sweepnet_space::budget::Budget;
use sweepnet_space::progress::{Component, Linear, Measure, Order};
use sweepnet_space::{
    CodecChoice, Control, Limits, Plan, SearchChoice, StopReason, SweepPaths, SweepPlan, WindowPlan,
};
use sweepnet_structure::Structure;
use sweepnet_testkit::naive::{self, Naive};
use sweepnet_testkit::nets;
use sweepnet_testkit::random::{self, Random};
use sweepnet_testkit::seeds::{only, seeds};

const NETS: u64 = 1_000;
const BORROWING_NETS: u64 = 300;
const LIMIT: usize = 1_000;

fn some_place<'a>(random: &mut Random, net: &'a Net) -> &'a str {
    &random.pick(net.places()).id
}

fn some_transition<'a>(random: &mut Random, net: &'a Net) -> &'a str {
    &random.pick(net.transitions()).id
}

fn random_predicate(random: &mut Random, net: &Net, depth: u32) -> String {
    let place = |random: &mut Random| format!("#{}", some_place(random, net));
    let transition = |random: &mut Random| some_transition(random, net).to_owned();
    match random.below(if depth == 0 { 7 } else { 11 }) {
        0 => format!("{} <= {}", place(random), random.below(4)),
        1 => format!("{} > {}", place(random), random.below(3)),
        2 => format!("{} + {} = {}", place(random), place(random), random.below(5)),
        3 => format!("{} < 2 * {} - 1", place(random), place(random)),
        4 => format!("enabled({})", transition(random)),
        5 => "deadlock".to_owned(),
        6 => "initial".to_owned(),
        7 => format!("not ({})", random_predicate(random, net, depth - 1)),
        8 => {
            let (a, b) = (random_predicate(random, net, depth - 1), random_predicate(random, net, depth - 1));
            format!("({a}) and ({b})")
        }
        9 => {
            let (a, b) = (random_predicate(random, net, depth - 1), random_predicate(random, net, depth - 1));
            format!("({a}) or ({b})")
        }
        _ => {
            let (a, b) = (random_predicate(random, net, depth - 1), random_predicate(random, net, depth - 1));
            format!("({a}) xor ({b})")
        }
    }
}

fn questions(random: &mut Random, net: &Net) -> Vec<Property> {
    let mut texts: Vec<String> =
        ["deadlock-free", "safe", "2-safe", "conservative", "quasi-live", "some-stable"]
            .map(str::to_owned)
            .into();
    for kind in ["invariant", "reachable", "not reachable"] {
        for _ in 0..3 {
            texts.push(format!("{kind} {}", random_predicate(random, net, 2)));
        }
    }
    texts.push(format!("dead {}", some_transition(random, net)));
    texts.push(format!("stable {}", some_place(random, net)));
    texts.push(format!("bound #{} + 2 * #{}", net.places()[0].id, some_place(random, net)));
    texts.push(format!("bound 3 - #{}", some_place(random, net)));
    texts.iter().map(|text| parse_property(text, net).expect("it is a property")).collect()
}

fn holds(net: &Net, predicate: &Predicate, marking: &Marking) -> bool {
    predicate.eval(&PlainView { net, marking }).expect("numbers are small")
}

/// The true answer, from all states: the verdict, the distance of the state that shows it, the value.
fn truth(net: &Net, twin: &Naive, question: &Question) -> (bool, Option<u64>, Option<i128>) {
    let initial = net.initial_marking();
    let changes = |p| twin.states.keys().any(|m| m[p] != initial[p]);
    let fires = |t| twin.states.keys().any(|m| net.is_enabled(m, t));
    let shown = |distance: Option<u64>, if_shown: bool| match distance {
        Some(_) => (if_shown, distance, None),
        None => (!if_shown, None, None),
    };
    match question {
        Question::Invariant(p) => shown(twin.distance(|m| !holds(net, p, m)), false),
        Question::Reachable(p) => shown(twin.distance(|m| holds(net, p, m)), true),
        Question::Unreachable(p) => shown(twin.distance(|m| holds(net, p, m)), false),
        Question::Dead(t) => shown(twin.distance(|m| net.is_enabled(m, *t)), false),
        Question::Stable(p) => shown(twin.distance(|m| m[*p] != initial[*p]), false),
        Question::Safe(k) => shown(twin.distance(|m| m.tokens().iter().any(|n| n > k)), false),
        Question::Conservative => shown(twin.distance(|m| m.total() != initial.total()), false),
        Question::QuasiLive => (net.transition_ids().all(fires), None, None),
        Question::SomeStable => (net.place_ids().any(|p| !changes(p)), None, None),
        Question::Bound(e) => {
            let value = |m: &Marking| e.eval(&PlainView { net, marking: m }).expect("numbers are small");
            (true, None, twin.states.keys().map(value).max())
        }
        other => unreachable!("nobody asks {other:?} here"),
    }
}

/// Whether an answer about a net whose states are not all known can be true, as far as its trace shows.
fn consistent(net: &Net, question: &Question, answer: &sweepnet_logic::Answer) -> bool {
    let Some(trace) = &answer.trace else { return true };
    let end = trace.last();
    let initial = net.initial_marking();
    match question {
        Question::Invariant(p) => !holds(net, p, end) && answer.verdict == Verdict::Violated,
        Question::Reachable(p) => holds(net, p, end) && answer.verdict == Verdict::Holds,
        Question::Unreachable(p) => holds(net, p, end) && answer.verdict == Verdict::Violated,
        Question::Dead(t) => net.is_enabled(end, *t) && answer.verdict == Verdict::Violated,
        Question::Stable(p) => end[*p] != initial[*p] && answer.verdict == Verdict::Violated,
        Question::Safe(k) => end.tokens().iter().any(|n| n > k) && answer.verdict == Verdict::Violated,
        Question::Conservative => end.total() != initial.total() && answer.verdict == Verdict::Violated,
        _ => false,
    }
}

/// Whether some of the states that the twin did find contradict an answer.
fn refuted(net: &Net, twin: &Naive, question: &Question, answer: &sweepnet_logic::Answer) -> bool {
    let some = |p: &dyn Fn(&Marking) -> bool| twin.states.keys().any(p);
    let initial = net.initial_marking();
    let (holds_, violated) = (answer.verdict == Verdict::Holds, answer.verdict == Verdict::Violated);
    match question {
        Question::Invariant(p) => holds_ && some(&|m| !holds(net, p, m)),
        Question::Reachable(p) => violated && some(&|m| holds(net, p, m)),
        Question::Unreachable(p) => holds_ && some(&|m| holds(net, p, m)),
        Question::Dead(t) => holds_ && some(&|m| net.is_enabled(m, *t)),
        Question::Stable(p) => holds_ && some(&|m| m[*p] != initial[*p]),
        Question::Safe(k) => holds_ && some(&|m| m.tokens().iter().any(|n| n > k)),
        Question::Conservative => holds_ && some(&|m| m.total() != initial.total()),
        Question::QuasiLive => match &answer.detail {
            Some(Detail::DeadTransitions(dead)) => {
                dead.iter().any(|t| some(&|m| net.is_enabled(m, TransitionId::new(*t))))
            }
            _ => false,
        },
        Question::SomeStable => match &answer.detail {
            Some(Detail::StablePlaces(places)) => places.iter().any(|p| {
                let p = PlaceId::new(*p);
                some(&|m| m[p] != initial[p])
            }),
            _ => violated && net.place_ids().any(|p| !some(&|m| m[p] != initial[p])) && twin.complete,
        },
        Question::Bound(e) => {
            let value = |m: &Marking| e.eval(&PlainView { net, marking: m }).expect("numbers are small");
            match answer.value {
                Some(Value::Exactly(most)) => some(&|m| value(m) > most),
                _ => false,
            }
        }
        _ => holds_ || violated,
    }
}

/// Each search with some codec, and ranks in sets: with some partition and number of threads, calm and under stress,
/// where the partition changes in the run.
fn plans(random: &mut Random, net: &Net, structure: &Structure) -> Vec<Plan> {
    let known = &Plan::knowing(net, structure);
    let mut plans = Vec::new();
    for search in [SearchChoice::BreadthFirst, SearchChoice::DepthFirst] {
        plans.push(Plan { search, codec: *random.pick(CodecChoice::ALL), ..known.clone() });
    }
    let terms = net.place_ids().map(|place| (place, random.below(4) as i64 - 1)).collect();
    let components = vec![Component::Linear(Linear { terms, constant: 0 })];
    let measure = Measure { components, order: Order::Lexicographic, text: "random".into() };
    let paths = if random.one_in(4) { SweepPaths::Again } else { SweepPaths::Spool };
    let sweep = Some(SweepPlan { paths, ..SweepPlan::by(measure) });
    let codec = *random.pick(&[CodecChoice::Fields, CodecChoice::Plain, CodecChoice::Product]);
    plans.push(Plan { search: SearchChoice::Sweep, codec, sweep, ..known.clone() });
    let window = Some(WindowPlan {
        bytes: Some(1 << 20),
        ..WindowPlan::of(net, structure, &Budget::of(u64::MAX), &|| true)
    });
    plans.push(Plan { search: SearchChoice::Window, window, ..known.clone() });
    for stress in [false, true] {
        let partition = *random.pick(&["auto", "one", "file", "file:2", "file:3", "semiflows", "clusters"]);
        plans.push(Plan {
            search: SearchChoice::BreadthFirst,
            codec: CodecChoice::Product,
            partition: partition.parse().expect("a choice"),
            threads: Some(1 + random.below(3) as usize),
            stress,
            ..known.clone()
        });
    }
    plans
}

fn compare(net: &Net, random: &mut Random) -> usize {
    let twin = naive::explore(net, LIMIT);
    let structure = Structure::of(net, Default::default());
    let properties = questions(random, net);
    let mut compared = 0;
    for plan in plans(random, net, &structure) {
        let limits = Limits { memory: u64::MAX, time: None, states: Some(10 * LIMIT as u64) };
        let mut control = Control::new(&limits, Default::default(), |_| {});
        let checked = check(net, &structure, &properties, &plan, &mut control);
        for (property, answer) in properties.iter().zip(&checked.answers) {
            let (search, codec) = (plan.search.name(), plan.codec.name());
            let how = format!("{search}, {codec}, {}, {:?} threads", plan.partition, plan.threads);
            let what = format!("{} ({how}, stress {})", property.text, plan.stress);
            assert!(!matches!(answer.undecided, Some(Undecided::NotReplayed(_))), "{what}: {answer:?}");
            if !twin.complete {
                assert!(consistent(net, &property.question, answer), "{what}: {answer:?}");
                assert!(!refuted(net, &twin, &property.question, answer), "{what}: {answer:?}");
                continue;
            }
            if plan.search == SearchChoice::Window && answer.verdict == Verdict::Unknown {
                // It may know less, if it says why.
                assert!(answer.undecided.is_some(), "{what}: {answer:?}");
                continue;
            }
            let (verdict, distance, value) = truth(net, &twin, &property.question);
            assert_eq!(answer.verdict, Verdict::from(verdict), "{what}: {answer:?}");
            assert_eq!(answer.value, value.map(Value::Exactly), "{what}");
            assert_eq!(answer.trace.is_some(), distance.is_some(), "{what}: a state that decides is shown");
            if let (Some(trace), Some(distance)) = (&answer.trace, distance) {
                assert!(consistent(net, &property.question, answer), "{what}");
                if plan.search == SearchChoice::BreadthFirst {
                    assert_eq!(trace.events.len() as u64, distance, "{what}: the shortest");
                }
            }
            compared += 1;
        }
    }
    compared
}

/// Compares answers about the nets that `make` gives for the seeds.
fn compare_all(usual: std::ops::Range<u64>, make: fn(u64) -> Net) {
    let nets = usual.end - usual.start;
    let mut compared = 0;
    for seed in seeds(usual) {
        let net = make(seed);
        match std::panic::catch_unwind(|| compare(&net, &mut Random::new(seed))) {
            Ok(count) => compared += count,
            Err(panic) => {
                eprintln!("seed {seed}: {net:#?}");
                std::panic::resume_unwind(panic);
            }
        }
    }
    println!("{compared} answers compared");
    assert!(only().is_some() || compared > 20 * nets as usize);
}

#[test]
fn answers_agree_with_the_naive_twin_on_random_nets() {
    compare_all(10_000..10_000 + NETS, random::net);
}

/// Questions about complements of other places, among others.
#[test]
fn answers_agree_with_the_naive_twin_where_processes_borrow() {
    compare_all(20_000..20_000 + BORROWING_NETS, random::borrowing_net);
}

fn ask(net: &Net, text: &str) -> sweepnet_logic::Answer {
    let structure = Structure::of(net, Default::default());
    let property = parse_property(text, net).expect("it is a property");
    check(net, &structure, &[property], &Plan::default(), &mut Control::unlimited()).answers.remove(0)
}

#[test]
fn what_structure_proves_needs_no_search() {
    let net = nets::kanban(1_000_000);
    for text in [
        "invariant #Pm1 + #Pback1 <= 1000000",
        "invariant #Pm1 + #Pback1 + #Pkan1 + #Pout1 = 1000000",
        "not reachable #Pout4 > 1000000",
        "1000000-safe",
        "conservative",
        "bound #Pkan1",
    ] {
        let answer = ask(&net, text);
        assert_eq!((answer.verdict, answer.method.name()), (Verdict::Holds, "structure"), "{text}");
    }
}

#[test]
fn growth_answers_what_it_can() {
    let net = nets::net("pump", &[("p", 1)], &["make: p -> p buffer", "stop: p ->"]);
    assert_eq!(ask(&net, "bound #buffer").value, Some(Value::Unbounded));
    assert_eq!(ask(&net, "bound #p").value, Some(Value::Exactly(1)));
    assert_eq!(ask(&net, "7-safe").trace.map(|trace| trace.events.len()), Some(8));
    assert_eq!(ask(&net, "reachable #buffer >= 100").verdict, Verdict::Holds);
    assert_eq!(ask(&net, "conservative").verdict, Verdict::Violated);
    let unknown = ask(&net, "invariant #buffer != 123456789");
    assert_eq!(unknown.undecided, Some(Undecided::Stopped(StopReason::Unbounded)));
}

#[test]
fn a_deadlock_is_shown_by_a_shortest_trace() {
    let answer = ask(&nets::philosophers(5), "deadlock-free");
    assert_eq!(answer.verdict, Verdict::Violated);
    assert_eq!(answer.trace.map(|trace| trace.events.len()), Some(5), "each takes the left fork");
}

#[test]
fn dead_transitions_and_stable_places_are_named() {
    let net = nets::net("dead", &[("p", 1), ("q", 0)], &["loop: p -> p", "never: p q -> p"]);
    let answer = ask(&net, "quasi-live");
    assert_eq!(answer.verdict, Verdict::Violated);
    let never = net.find_transition("never").expect("it is there");
    assert_eq!(answer.detail, Some(Detail::DeadTransitions(vec![never.index()])));
    assert!(
        matches!(ask(&net, "some-stable").detail, Some(Detail::StablePlaces(places)) if places.len() == 2)
    );
}
