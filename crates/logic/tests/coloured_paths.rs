//! Questions about paths, asked of coloured nets themselves: the answers are those of the unfolding.

use sweepnet_colour::unfold::Limits as UnfoldLimits;
use sweepnet_colour::{ColouredNet, Patience, Unfolding};
use sweepnet_language::{Property as Asked, Question as Asks, Scope, read_progress, read_property};
use sweepnet_logic::check::{Answer, Undecided, Verdict};
use sweepnet_logic::coloured::{ColouredChecked, check_coloured, translate};
use sweepnet_logic::{Property, check};
use sweepnet_space::coloured::{ColouredMeasure, ColouredPlan, ColouredSweepPlan};
use sweepnet_space::progress::Order;
use sweepnet_space::{Control, Limits, Plan, SearchChoice, StopReason, SweepPaths};
use sweepnet_structure::{Effort, Structure};
use sweepnet_testkit::coloured_nets::{dbm, dining, leader};
use sweepnet_testkit::random::Random;
use sweepnet_testkit::{coloured_twin, random_coloured};

/// A random formula; `quantified` if it is one of branching time.
fn formula(random: &mut Random, net: &ColouredNet, depth: u32, quantified: bool) -> String {
    if depth == 0 || random.one_in(6) {
        return predicate(random, net);
    }
    let quantifier = |random: &mut Random| if quantified { *random.pick(&["A", "E"]) } else { "" };
    let inner = |random: &mut Random| formula(random, net, depth - 1, quantified);
    match random.below(8) {
        0 => format!("not ({})", inner(random)),
        1 => format!("(({}) and ({}))", inner(random), inner(random)),
        2 => format!("(({}) or ({}))", inner(random), inner(random)),
        3 => format!("(({}) -> ({}))", inner(random), inner(random)),
        4 | 5 => {
            let (quantifier, modal) = (quantifier(random), *random.pick(&["X", "F", "G"]));
            format!("{quantifier}{modal} ({})", inner(random))
        }
        _ => {
            let (quantifier, until) = (quantifier(random), *random.pick(&["U", "W", "R"]));
            format!("{quantifier} (({}) {until} ({}))", inner(random), inner(random))
        }
    }
}

fn predicate(random: &mut Random, net: &ColouredNet) -> String {
    let place = |random: &mut Random| net.places[random.below(net.places.len() as u64) as usize].id.clone();
    let transition = &net.transitions[random.below(net.transitions.len() as u64) as usize].id;
    match random.below(7) {
        0 => "deadlock".to_owned(),
        1 => "initial".to_owned(),
        2 | 3 => format!("enabled({transition})"),
        4 => format!("#{} < #{}", place(random), place(random)),
        _ => format!("#{} <= {}", place(random), random.below(2)),
    }
}

/// Random questions about the paths of a net.
fn questions(random: &mut Random, net: &mut ColouredNet) -> Vec<Asked> {
    let scope = Scope::of(net);
    let mut texts = vec!["reversible".to_owned(), "live".to_owned()];
    texts.extend(net.transitions.iter().map(|transition| format!("live {}", transition.id)));
    texts.extend((0..2).map(|_| format!("home {}", predicate(random, net))));
    texts.extend((0..4).map(|_| format!("ctl {}", formula(random, net, 3, true))));
    texts.extend((0..4).map(|_| format!("ltl {}", formula(random, net, 3, false))));
    // Others may be asked along with them.
    texts.extend(["deadlock-free".to_owned(), format!("invariant {}", predicate(random, net))]);
    let read = |text: &String| match read_property(text, net, &scope) {
        Ok(asked) => asked,
        Err(error) => panic!("{text}: {error:?}"),
    };
    texts.iter().map(read).collect()
}

/// What the unfolding answers.
fn unfolded(net: &ColouredNet, unfolding: &Unfolding, asked: &[Asked]) -> Vec<Verdict> {
    let translated = |asked: &Asked| {
        translate(net, unfolding, asked, usize::MAX, Patience::default()).expect("it can be asked")
    };
    let properties: Vec<Property> = asked.iter().map(translated).collect();
    let structure = Structure::of(&unfolding.net, Effort::LEAST);
    let plan = Plan::knowing(&unfolding.net, &structure);
    let checked = check(&unfolding.net, &structure, &properties, &plan, &mut Control::unlimited());
    checked.answers.iter().map(|answer| answer.verdict).collect()
}

/// Ways to search; sweeps by the tokens in the first place, and by nothing at all.
fn plans(net: &mut ColouredNet) -> Vec<ColouredPlan> {
    let scope = Scope::of(net);
    let sweep = |text: &str, net: &mut ColouredNet| {
        let progress = read_progress(text, net, &scope).expect("it is a measure");
        let (terms, text) = (progress.parts, text.to_owned());
        let measure = ColouredMeasure { terms, order: Order::Lexicographic, text };
        let sweep = ColouredSweepPlan { paths: SweepPaths::Again, ..ColouredSweepPlan::by(measure) };
        ColouredPlan { search: SearchChoice::Sweep, sweep: Some(sweep), ..ColouredPlan::default() }
    };
    let first = format!("#{}", net.places[0].id);
    let mut plans = vec![sweep(&first, net), sweep("0", net)];
    let searches = [SearchChoice::BreadthFirst, SearchChoice::DepthFirst];
    plans.extend(searches.map(|search| ColouredPlan { search, ..ColouredPlan::default() }));
    plans
}

/// What is shown is a trace of the story's net; where it goes round, it comes back, although at another time.
fn is_shown(net: &ColouredNet, checked: &ColouredChecked, answer: &Answer) {
    if !net.is_timed()
        && let (Some(trace), Some(turn)) = (&answer.trace, answer.cycle)
    {
        let at = trace.markings(&checked.net).nth(turn).expect("it has so many steps");
        assert!(turn == trace.events.len() || at == *trace.last());
    }
}

/// Compares all ways to search with the unfolding; tells how many answers were compared.
fn agrees(mut net: ColouredNet, seed: u64, most: usize) -> usize {
    let mut random = Random::new(seed);
    let asked = questions(&mut random, &mut net);
    let plans = plans(&mut net);
    if coloured_twin::explore(&net, most).is_none() {
        return 0;
    }
    let Ok(unfolding) = net.unfold(&UnfoldLimits { nodes: 100_000, go_on: &|| true }) else { return 0 };
    let expected = unfolded(&net, &unfolding, &asked);
    // Terminal components decide some of them, if nothing else is asked.
    let is_about_ends = |asked: &Asked| {
        matches!(asked.question, Asks::Home(_) | Asks::Reversible | Asks::Live(_) | Asks::AllLive)
    };
    let (ends, of_ends): (Vec<Asked>, Vec<Verdict>) =
        asked.iter().cloned().zip(expected.iter().copied()).filter(|(asked, _)| is_about_ends(asked)).unzip();
    let all = plans.iter().map(|plan| (plan, &asked, &expected));
    let sweeps = plans.iter().filter(|plan| plan.search == SearchChoice::Sweep);
    for (plan, asked, expected) in all.chain(sweeps.map(|plan| (plan, &ends, &of_ends))) {
        let checked = check_coloured(&net, asked, plan, &mut Control::unlimited());
        for ((asked, answer), expected) in asked.iter().zip(&checked.answers).zip(expected) {
            let context = || format!("{}, seed {seed}, {}: {}", net.name, plan.search.name(), asked.text);
            assert_eq!(answer.verdict, *expected, "{}: {answer:?}", context());
            is_shown(&net, &checked, answer);
        }
    }
    expected.len()
}

#[test]
fn random_nets_answer_as_their_unfoldings_do() {
    let compared: usize = (0..600).map(|seed| agrees(random_coloured::net(seed, false), seed, 300)).sum();
    assert!(compared > 2_000, "{compared} answers were compared");
}

#[test]
fn known_nets_answer_as_their_unfoldings_do() {
    for (at, net) in [dbm(3, false), dbm(4, true), dining(4), leader(3)].into_iter().enumerate() {
        for seed in 0..5 {
            assert!(agrees(net.clone(), at as u64 * 100 + seed, 10_000) > 0, "{}", net.name);
        }
    }
}

/// The answers to the properties of a model.
fn answers(text: &str, plan: &ColouredPlan, control: &mut Control<'_>) -> Vec<(String, Answer)> {
    let (model, _) = sweepnet_language::read(text, &[]).unwrap_or_else(|wrong| panic!("{wrong:#?}"));
    let checked = check_coloured(&model.net, &model.properties, plan, control);
    assert!(checked.model_error.is_none());
    checked.answers.iter().for_each(|answer| is_shown(&model.net, &checked, answer));
    model.properties.iter().map(|asked| asked.name.clone()).zip(checked.answers).collect()
}

/// A lamp that is switched on, burns for three units, and may break when it goes out. A clock ticks beside it until it
/// breaks.
const LAMP: &str = "
    net lamp
    place off: unit = ()
    place on, broken: unit timed
    place ticks: unit timed = ()
    transition switch { in off: (); out on: (); delay 3 }
    transition out_again { in on: (); out off: () }
    transition break { in on: (); out broken: () }
    transition tick { in ticks: (); out ticks: (); inhibit broken: (); delay 1 }
    property back: home #off = 1
    property may_burn: live tick
    property all: live
    property round: reversible
    property can_break: ctl EF #broken = 1
    property may_go_on: ctl EG #broken = 0
    property must_break: ltl F #broken = 1
    property burns_out: ltl G (#on = 1 -> F (#off = 1 or #broken = 1))
    property stays: ctl AG (#broken = 1 -> AG #broken = 1)
";

#[test]
fn a_timed_net_is_asked_about_its_paths() {
    for search in [SearchChoice::BreadthFirst, SearchChoice::DepthFirst, SearchChoice::Sweep] {
        let plan = ColouredPlan { search, ..ColouredPlan::default() };
        for (name, answer) in answers(LAMP, &plan, &mut Control::unlimited()) {
            let holds = matches!(&*name, "can_break" | "may_go_on" | "burns_out" | "stays");
            assert_eq!(answer.verdict, Verdict::from(holds), "{name}: {answer:?}");
            assert_eq!(
                answer.cycle.is_some(),
                name == "may_go_on" || name == "must_break",
                "{name}: {answer:?}"
            );
            assert!(holds || answer.trace.is_some(), "{name} is shown");
        }
    }
}

#[test]
fn priorities_decide_what_is_live() {
    // The one below never gets its turn.
    let text = "
        place p: unit = ()
        transition above { priority 1; in p: (); out p: () }
        transition below { in p: (); out p: () }
        property above_lives: live above
        property below_lives: live below
        property always: ctl AG enabled(above)
    ";
    let found = answers(text, &ColouredPlan::default(), &mut Control::unlimited());
    let verdicts: Vec<(&str, Verdict)> = found.iter().map(|(name, it)| (&**name, it.verdict)).collect();
    assert_eq!(
        verdicts,
        [("above_lives", Verdict::Holds), ("below_lives", Verdict::Violated), ("always", Verdict::Holds)]
    );
}

#[test]
fn where_limits_end_the_search_nothing_is_claimed() {
    let text = "
        type Step = 0..100000
        place p: Step = 0
        transition up(n) { in p: n; out p: n + 1; when n < 100000 }
        property back: home #p(0) = 1
        property ends: ltl F deadlock
    ";
    let stop = |limits: Limits, why: StopReason| {
        let mut control = Control::new(&limits, Default::default(), |_| {});
        for (name, answer) in answers(text, &ColouredPlan::default(), &mut control) {
            let stopped = answer.undecided == Some(Undecided::Stopped(why));
            assert!(stopped, "{name}: {answer:?}");
        }
    };
    stop(Limits { memory: u64::MAX, time: None, states: Some(100) }, StopReason::States);
    stop(Limits { memory: 1, time: None, states: None }, StopReason::Memory);
}

#[test]
fn a_condition_without_a_value_decides_nothing() {
    let text = "
        place p: unit = 3'()
        transition down { in p: () }
        property quotient: ctl AG 6 / #p >= 2
        property other: ctl AF #p = 0
    ";
    let found = answers(text, &ColouredPlan::default(), &mut Control::unlimited());
    assert!(matches!(found[0].1.undecided, Some(Undecided::NoValue(_))), "{:?}", found[0]);
    assert_eq!(found[1].1.verdict, Verdict::Holds);
}
