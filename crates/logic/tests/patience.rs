//! One evaluation may take longer than anybody waits. Then the search ends with the reason: there is no verdict, and the
//! model is not wrong.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use sweepnet_colour::unfold::Limits as UnfoldLimits;
use sweepnet_colour::{Patience, UnfoldError};
use sweepnet_language::{Model, read};
use sweepnet_logic::check::{Undecided, Verdict};
use sweepnet_logic::coloured::{Untranslated, check_coloured, translate};
use sweepnet_space::coloured::{ColouredMeasure, ColouredPlan, ColouredSweepPlan};
use sweepnet_space::progress::Order;
use sweepnet_space::{Control, Limits, SearchChoice, StopReason};

/// What is true, but takes 10^12 steps to find out.
const LONG: &str = "(forall a in W, b in W: a * b >= 0)";

fn model(text: &str) -> Model {
    let text = format!("type W = 1..1000000\nplace p: 0..3 = 0\n{text}");
    read(&text, &[]).unwrap_or_else(|errors| panic!("{text}: {errors:?}")).0
}

/// The step from one number to the next, with more clauses.
fn step(clauses: &str) -> String {
    format!("transition t(x) {{ in p: x; out p: (x + 1) mod 4; {clauses} }}\n")
}

/// Models in which something takes too long when the first step is taken.
fn long_steps() -> Vec<String> {
    let arcs = [
        format!("when {LONG}"),
        format!("when not {LONG}"),
        format!("when x = 0 or {LONG} and x > 0"),
        format!("out q: if {LONG} then 1 else 2"),
        "out q: { 1 for a in W if forall b in W: a * b > 0 }".to_owned(),
        format!("read q: if {LONG} then 2 else 3"),
        format!("inhibit q: if {LONG} then 1 else 2"),
        "inhibit q: (sum a in W, b in W: a * b mod 2)'1".to_owned(),
    ];
    let of_arcs = arcs.iter().map(|clauses| format!("place q: 1..3 = 2\n{}", step(clauses)));
    // What nothing binds is gone through as well.
    let unbound = "transition t(x, y: W) { in p: x; out p: (x + 1) mod 4; when forall b in W: y * b < 0 }";
    // Initially it is known.
    let derived = format!("place d: 0..3 derived if #p(0) = 1 or {LONG} then p else {{}}\n{}", step(""));
    of_arcs.chain([unbound.to_owned(), derived]).collect()
}

const QUESTIONS: &str = "property stop: not reachable deadlock\nproperty most: bound #p\n\
                         property back: home #p(0) = 1\nproperty alive: live t\n";

/// Plans for all searches.
fn plans() -> Vec<ColouredPlan> {
    let plan = |search| ColouredPlan { search, ..ColouredPlan::default() };
    [SearchChoice::BreadthFirst, SearchChoice::DepthFirst, SearchChoice::Sweep].map(plan).into()
}

/// Asks all questions of a model where nobody waits, and expects no answer.
fn expect_no_answer(text: &str, plan: &ColouredPlan) {
    let model = model(text);
    for (flag, time, reason) in
        [(true, None, StopReason::Interrupted), (false, Some(Duration::ZERO), StopReason::Time)]
    {
        let limits = Limits { memory: u64::MAX, time, states: None };
        let mut control = Control::new(&limits, Arc::new(AtomicBool::new(flag)), |_| {});
        let checked = check_coloured(&model.net, &model.properties, plan, &mut control);
        assert_eq!(checked.report.stopped, Some(reason), "{text}, {plan:?}");
        assert_eq!(checked.model_error, None, "{text}, {plan:?}");
        for (asked, answer) in model.properties.iter().zip(checked.answers) {
            assert_eq!(answer.verdict, Verdict::Unknown, "{text}, {plan:?}: {}", asked.name);
            let why = Some(Undecided::Stopped(reason));
            assert_eq!(answer.undecided, why, "{text}, {plan:?}: {}", asked.name);
        }
    }
}

#[test]
fn a_step_that_takes_too_long_ends_the_search() {
    for text in long_steps() {
        for plan in plans() {
            expect_no_answer(&format!("{text}\n{QUESTIONS}"), &plan);
        }
    }
}

#[test]
fn a_question_that_takes_too_long_has_no_answer() {
    let questions = [
        format!("property q: invariant {LONG}"),
        format!("property q: reachable {LONG} and #p = 2"),
        format!("property q: not reachable #p = 1 and not {LONG}"),
        "property q: bound #p * (sum a in W, b in W: a * b mod 2)".to_owned(),
        format!("property q: invariant deadlock or {LONG}"),
        format!("property q: home {LONG}"),
        format!("property q: ctl AG {LONG}"),
        format!("property q: ltl F {LONG}"),
    ];
    for question in questions {
        for plan in plans() {
            expect_no_answer(&format!("{}{question}", step("")), &plan);
        }
    }
}

#[test]
fn a_question_about_what_is_enabled_has_no_answer_if_that_takes_too_long() {
    for question in ["reachable not enabled(t)", "invariant enabled(t)", "invariant not enabled(t, x = 0)"] {
        for plan in plans() {
            expect_no_answer(&format!("{}property q: {question}", step(&format!("when {LONG}"))), &plan);
        }
    }
}

#[test]
fn a_measure_that_takes_too_long_ends_the_sweep() {
    let text = format!("{}progress if {LONG} then 1 else 0\n{QUESTIONS}", step(""));
    let terms = model(&text).net.progress.parts;
    let measure = ColouredMeasure { terms, order: Order::Lexicographic, text: String::new() };
    let sweep = Some(ColouredSweepPlan::by(measure));
    let plan = ColouredPlan { search: SearchChoice::Sweep, sweep, ..ColouredPlan::default() };
    expect_no_answer(&text, &plan);
}

#[test]
fn an_unfolding_that_takes_too_long_is_stopped() {
    let never = UnfoldLimits { nodes: usize::MAX, go_on: &|| false };
    for text in long_steps() {
        // A derived place that nothing touches is not unfolded.
        if !text.contains("derived") {
            assert_eq!(model(&text).net.unfold(&never).map(drop), Err(UnfoldError::Stopped), "{text}");
        }
    }
}

#[test]
fn a_question_that_takes_too_long_is_not_asked_of_the_unfolding() {
    let model = model(&format!("{}property q: invariant {LONG}", step("")));
    let unfolding = model.net.unfold(&UnfoldLimits { nodes: 1_000, go_on: &|| true }).expect("it is small");
    let asked =
        translate(&model.net, &unfolding, &model.properties[0], usize::MAX, Patience::asking(&|| false));
    assert_eq!(asked.map(drop), Err(Untranslated::Fault(sweepnet_colour::Fault::Interrupted)));
}
