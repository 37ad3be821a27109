//! Temporal questions, one story at a time.

#[path = "common/graphs.rs"]
mod graphs;

use graphs::explored;
use sweepnet_colour::Patience;
use sweepnet_colour::unfold::Limits;
use sweepnet_logic::check::{Detail, Method, Undecided, Verdict};
use sweepnet_logic::coloured::translate;
use sweepnet_logic::temporal::{Atoms, answer};
use sweepnet_logic::{Answer, NoFacts, PlainView, Question, check, parse_property};
use sweepnet_net::Net;
use sweepnet_space::{Budget, Control, Plan, StopReason};
use sweepnet_structure::Structure;
use sweepnet_testkit::nets;

fn asked(net: &Net, text: &str) -> Question {
    parse_property(text, net).expect("it is a property").question
}

fn ask(net: &Net, text: &str) -> Answer {
    let mut graph = explored(net, 10_000).expect("it is small");
    graph.answers(net, &[asked(net, text)]).remove(0)
}

/// The names of the events of an answer's trace, with a bar where it begins to repeat.
fn told(net: &Net, answer: &Answer) -> String {
    let Some(trace) = &answer.trace else { return "nothing".into() };
    let mut words: Vec<&str> = trace.events.iter().map(|t| &*net.transition(*t).id).collect();
    if let Some(turn) = answer.cycle {
        words.insert(turn, "|");
    }
    words.join(" ")
}

/// One works and rests, until it breaks.
fn worker() -> Net {
    nets::net(
        "worker",
        &[("rest", 1), ("work", 0), ("broken", 0)],
        &["start: rest -> work", "stop: work -> rest", "break: work -> broken"],
    )
}

#[test]
fn verdicts_and_the_paths_that_show_them() {
    let net = worker();
    for (text, verdict, path) in [
        ("reversible", Verdict::Violated, "start break"),
        ("home #broken = 1", Verdict::Holds, "nothing"),
        ("live start", Verdict::Violated, "start break"),
        ("live", Verdict::Violated, "start break"),
        ("ctl AG EF initial", Verdict::Violated, "start break"),
        ("ctl EG #broken = 0", Verdict::Holds, "| start stop"),
        ("ctl AF #broken = 1", Verdict::Violated, "| start stop"),
        ("ctl EF EG #broken = 1", Verdict::Holds, "start break |"),
        ("ctl EX EX #broken = 1", Verdict::Holds, "start break"),
        ("ctl AX #work = 1", Verdict::Holds, "nothing"),
        ("ctl AX #rest = 1", Verdict::Violated, "start"),
        ("ctl E (#broken = 0 U #broken = 1)", Verdict::Holds, "start break"),
        ("ctl A [#broken = 0 U #broken = 1]", Verdict::Violated, "| start stop"),
        ("ctl A [#broken = 0 W #broken = 1]", Verdict::Holds, "nothing"),
        ("ctl A (#work = 0 R #rest = 1)", Verdict::Holds, "nothing"),
        ("ctl not EF deadlock", Verdict::Violated, "start break"),
        // In a dead marking there is no next one, so that all of them are anything.
        ("ctl EF AX false", Verdict::Holds, "start break"),
        ("ctl AG (#broken = 1 -> AF #broken = 1)", Verdict::Holds, "nothing"),
        ("ltl F deadlock", Verdict::Violated, "| start stop"),
        ("ltl G F #rest = 1", Verdict::Violated, "start break |"),
        ("ltl G F #rest = 1 or F G #broken = 1", Verdict::Holds, "nothing"),
        // In a dead marking the next one is the same.
        ("ltl G (#broken = 1 -> X #broken = 1)", Verdict::Holds, "nothing"),
        ("ltl X #work = 1", Verdict::Holds, "nothing"),
        ("ltl X X #rest = 1", Verdict::Violated, "start break |"),
        ("ltl #broken = 0 W deadlock", Verdict::Holds, "nothing"),
        ("ltl #broken = 0 U deadlock", Verdict::Violated, "| start stop"),
    ] {
        let answer = ask(&net, text);
        assert_eq!((answer.verdict, &*told(&net, &answer)), (verdict, path), "{text}");
        assert_eq!(answer.method, Method::Graph);
    }
    assert_eq!(ask(&net, "live").detail, Some(Detail::NeverAgain(vec![0, 1, 2])));
}

#[test]
fn letters_are_names_where_names_stand() {
    let net = nets::net("letters", &[("F", 1), ("U", 0), ("AG", 0)], &["G: F -> U", "X: U -> AG"]);
    for text in
        ["ctl AF #AG = 1", "ltl F #AG = 1", "ltl #F = 1 U #U = 1", "ctl E [#F = 1 U enabled(X)]", "live G"]
    {
        assert_eq!(ask(&net, text).verdict, Verdict::from(text != "live G"), "{text}");
    }
}

#[test]
fn what_is_about_markings_alone_needs_no_graph() {
    let net = worker();
    let structure = Structure::of(&net, Default::default());
    for (text, simple, verdict) in [
        ("ctl AG #rest + #work <= 1", "invariant #rest + #work <= 1", Verdict::Holds),
        ("ctl EF deadlock", "reachable deadlock", Verdict::Holds),
        ("ctl not EF deadlock", "invariant not deadlock", Verdict::Violated),
        ("ctl AG #rest <= 1 and AG AG #work <= 1", "invariant #rest <= 1 and #work <= 1", Verdict::Holds),
        ("ctl A [true W deadlock]", "invariant true", Verdict::Holds),
        ("ctl E [true U #work = 1]", "reachable #work = 1", Verdict::Holds),
        ("ctl EX true", "reachable initial and not deadlock", Verdict::Holds),
        ("ctl #rest = 1 -> #work = 0", "reachable initial and (#rest != 1 or #work = 0)", Verdict::Holds),
        ("ltl G #rest + #work + #broken = 1", "invariant #rest + #work + #broken = 1", Verdict::Holds),
        ("ltl not F deadlock", "invariant not deadlock", Verdict::Violated),
        ("ltl G #rest <= 1 and G #work <= 1", "invariant #rest <= 1 and #work <= 1", Verdict::Holds),
        ("ltl X X true", "invariant true", Verdict::Holds),
        ("home true", "invariant true", Verdict::Holds),
    ] {
        let property = parse_property(text, &net).expect("it is a property");
        let question = property.question.simplify(&NoFacts);
        assert_eq!(question.display(&net).to_string(), simple, "{text}");
        let checked = check(&net, &structure, &[property], &Plan::default(), &mut Control::unlimited());
        assert_eq!(checked.answers[0].verdict, verdict, "{text}");
        assert_ne!(checked.answers[0].method, Method::Graph, "{text}");
    }
    let property = parse_property("ctl AG EF #rest = 1", &net).expect("it is a property");
    let checked = check(&net, &structure, &[property], &Plan::default(), &mut Control::unlimited());
    assert_eq!(checked.answers[0].verdict, Verdict::Violated);
    assert_eq!(checked.answers[0].method, Method::Graph, "this one does");
}

/// Whatever is refused, and whenever: there is no answer, or the right one.
#[test]
fn memory_that_is_refused_is_no_answer() {
    let net = nets::philosophers(5);
    let mut graph = explored(&net, 10_000).expect("it is small");
    let texts = ["reversible", "live", "ctl AG AF initial", "ltl G F initial", "ltl F deadlock"];
    let questions: Vec<Question> = texts.iter().map(|text| asked(&net, text)).collect();
    let right = graph.answers(&net, &questions);
    let mut refusals = 0;
    for limit in (0..40_000).step_by(100) {
        let budget = Budget::of(limit);
        let Ok(mut atoms) = Atoms::new(&questions, graph.edges.len() as u64, &budget) else {
            refusals += 1;
            continue;
        };
        for (node, marking) in graph.markings.iter().enumerate() {
            atoms.look(node as u64, &PlainView { net: &net, marking });
        }
        for (question, right) in questions.iter().zip(&right) {
            let answer = answer(question, &net, &mut graph.edges, &atoms, &budget).expect("it is temporal");
            match answer.undecided {
                Some(why) => {
                    assert_eq!(why, Undecided::Stopped(StopReason::Memory));
                    refusals += 1;
                }
                None => assert_eq!(answer.verdict, right.verdict, "{question:?}"),
            }
        }
        drop(atoms);
        assert_eq!(budget.used(), 0);
    }
    assert!(refusals > 10);
}

/// Two that take turns with one fork, as a coloured net: a coloured transition stands for all its bindings.
#[test]
fn questions_about_coloured_nets() {
    let text = "
        type Person = 1..2
        place hungry: Person = all Person
        place eating, sated: Person
        place fork: unit = { () }
        transition take(p) { in hungry: p  in fork: ()  out eating: p }
        transition give(p) { in eating: p  out sated: p  out fork: () }
        transition digest(p) { in sated: p  out hungry: p }
        property back: home initial
        property again: live take
        property all_again: live
        property round: reversible
        property all_may: ctl AG (forall p in Person: #hungry(p) = 1) or AG EF #eating = 1
        property each: ctl AG EF #eating(1) = 1
        property somebody: ltl G F #eating = 1
        property one: ltl G F #eating(1) = 1
        property first: ctl A [#sated = 0 U #eating = 1]
    ";
    let (model, _) = sweepnet_language::model::read(text, &[]).unwrap_or_else(|wrong| panic!("{wrong:#?}"));
    let unfolding = model.net.unfold(&Limits { nodes: 1_000, go_on: &|| true }).expect("it is small");
    let mut graph = explored(&unfolding.net, 1_000).expect("it is small");
    for asked in &model.properties {
        let property = translate(&model.net, &unfolding, asked, usize::MAX, Patience::default())
            .expect("it can be asked");
        let answer = graph.answers(&unfolding.net, std::slice::from_ref(&property.question)).remove(0);
        // Nobody is fair to the first one.
        assert_eq!(answer.verdict, Verdict::from(asked.name != "one"), "{}: {property:?}", asked.text);
    }
}
