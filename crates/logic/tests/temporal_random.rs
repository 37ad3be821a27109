//! Random temporal formulas about random nets, against evaluators that are too simple to be wrong.
//!
//! A failure prints the net's seed; `SWEEPNET_SEED=n` runs just that one.

#[path = "common/graphs.rs"]
mod graphs;

use graphs::{Explored, explored};
use sweepnet_language::question::{Modal, Path, Until};
use sweepnet_logic::check::{Detail, Undecided, Verdict};
use sweepnet_logic::temporal::{Ctl, Formula, Ltl};
use sweepnet_logic::{Answer, NoFacts, PlainView, Predicate, Question, parse_predicate, parse_property};
use sweepnet_net::{Net, TransitionId};
use sweepnet_testkit::nets;
use sweepnet_testkit::random::{self, Random};
use sweepnet_testkit::seeds::seeds;

const NETS: u64 = 1_500;

/// A random formula whose operators carry what `quantifier` gives.
fn formula<Q: Copy>(
    random: &mut Random,
    net: &Net,
    depth: u32,
    quantifier: &dyn Fn(&mut Random) -> Q,
) -> Formula<Q> {
    if depth == 0 || random.one_in(6) {
        return Formula::Atom(predicate(random, net));
    }
    let inner = |random: &mut Random| formula(random, net, depth - 1, quantifier);
    match random.below(10) {
        0 => !inner(random),
        1 => Formula::and(vec![inner(random), inner(random)]),
        2 => Formula::or(vec![inner(random), inner(random), inner(random)]),
        3 => Formula::xor(vec![inner(random), inner(random)]),
        4..7 => {
            let modal = *random.pick(&[Modal::Next, Modal::Finally, Modal::Globally]);
            Formula::unary(quantifier(random), modal, inner(random))
        }
        _ => {
            let until = *random.pick(&[Until::Until, Until::WeakUntil, Until::Release]);
            Formula::binary(quantifier(random), until, inner(random), inner(random))
        }
    }
}

fn predicate(random: &mut Random, net: &Net) -> Predicate {
    let place = |random: &mut Random| random.below(net.places().len() as u64);
    let text = match random.below(8) {
        0 => "deadlock".to_owned(),
        1 => "initial".to_owned(),
        2 => (*random.pick(&["true", "false"])).to_owned(),
        3 => format!("enabled(t{})", random.below(net.transitions().len() as u64)),
        4 => format!("#p{} < #p{}", place(random), place(random)),
        5 => format!("#p{} + #p{} = {}", place(random), place(random), random.below(4)),
        _ => format!("#p{} <= {}", place(random), random.below(2)),
    };
    parse_predicate(&text, net).expect("it is a predicate")
}

fn branching(random: &mut Random, net: &Net) -> Ctl {
    formula(random, net, 4, &|random| *random.pick(&[Path::All, Path::Some]))
}

fn linear(random: &mut Random, net: &Net) -> Ltl {
    formula(random, net, 4, &|_| ())
}

/// What is always true, never true, and so on: sets as lists of truths.
fn truths(net: &Net, graph: &Explored, predicate: &Predicate) -> Vec<bool> {
    let holds = |marking| predicate.eval(&PlainView { net, marking }).expect("numbers are small");
    graph.markings.iter().map(holds).collect()
}

/// The naive twin of branching time: each operator by its own equation, until nothing changes.
fn twin(net: &Net, graph: &Explored, formula: &Ctl) -> Vec<bool> {
    let nodes = graph.edges.len();
    let all = |operands: &[Ctl], join: fn(bool, bool) -> bool, neutral| {
        let mut joined = vec![neutral; nodes];
        for operand in operands {
            joined.iter_mut().zip(twin(net, graph, operand)).for_each(|(a, b)| *a = join(*a, b));
        }
        joined
    };
    let some_next = |set: &[bool], n: usize| graph.edges[n].iter().any(|(_, target)| set[*target as usize]);
    let all_next = |set: &[bool], n: usize| graph.edges[n].iter().all(|(_, target)| set[*target as usize]);
    let dead = |n: usize| graph.edges[n].is_empty();
    let fix = |first: bool, step: &dyn Fn(&[bool], usize) -> bool| {
        let mut set = vec![first; nodes];
        loop {
            let next: Vec<bool> = (0..nodes).map(|n| step(&set, n)).collect();
            if next == set {
                return set;
            }
            set = next;
        }
    };
    match formula {
        Ctl::Atom(predicate) => truths(net, graph, predicate),
        Ctl::Not(operand) => twin(net, graph, operand).into_iter().map(|truth| !truth).collect(),
        Ctl::And(operands) => all(operands, |a, b| a && b, true),
        Ctl::Or(operands) => all(operands, |a, b| a || b, false),
        Ctl::Xor(operands) => all(operands, |a, b| a != b, false),
        Ctl::Unary(path, modal, operand) => {
            let set = twin(net, graph, operand);
            match (path, modal) {
                (Path::All, Modal::Next) => (0..nodes).map(|n| all_next(&set, n)).collect(),
                (Path::Some, Modal::Next) => (0..nodes).map(|n| some_next(&set, n)).collect(),
                (Path::All, Modal::Finally) => fix(false, &|z, n| set[n] || !dead(n) && all_next(z, n)),
                (Path::Some, Modal::Finally) => fix(false, &|z, n| set[n] || some_next(z, n)),
                (Path::All, Modal::Globally) => fix(true, &|z, n| set[n] && all_next(z, n)),
                (Path::Some, Modal::Globally) => fix(true, &|z, n| set[n] && (dead(n) || some_next(z, n))),
            }
        }
        Ctl::Binary(path, until, left, right) => {
            let (a, b) = (twin(net, graph, left), twin(net, graph, right));
            match (path, until) {
                (Path::All, Until::Until) => fix(false, &|z, n| b[n] || a[n] && !dead(n) && all_next(z, n)),
                (Path::Some, Until::Until) => fix(false, &|z, n| b[n] || a[n] && some_next(z, n)),
                (Path::All, Until::WeakUntil) => fix(true, &|z, n| b[n] || a[n] && all_next(z, n)),
                (Path::Some, Until::WeakUntil) => {
                    fix(true, &|z, n| b[n] || a[n] && (dead(n) || some_next(z, n)))
                }
                (Path::All, Until::Release) => fix(true, &|z, n| b[n] && (a[n] || all_next(z, n))),
                (Path::Some, Until::Release) => {
                    fix(true, &|z, n| b[n] && (a[n] || dead(n) || some_next(z, n)))
                }
            }
        }
    }
}

/// Paths that go round for ever, up to a length and a number: nodes, and the position that the last one leads
/// back to.
fn lassos(graph: &Explored, length: usize, mut most: usize, see: &mut dyn FnMut(&[usize], usize)) {
    let mut stack = vec![vec![0]];
    while let Some(path) = stack.pop() {
        let last = path[path.len() - 1];
        let mut targets: Vec<usize> = graph.edges[last].iter().map(|(_, target)| *target as usize).collect();
        if targets.is_empty() {
            targets.push(last);
        }
        targets.sort_unstable();
        targets.dedup();
        for target in targets {
            for turn in (0..path.len()).filter(|at| path[*at] == target) {
                see(&path, turn);
                most = most.saturating_sub(1);
            }
            if path.len() < length && most > 0 {
                stack.push([&path[..], &[target]].concat());
            }
        }
    }
}

/// A path that contradicts a formula, among those that are short.
fn contradicts(net: &Net, graph: &Explored, formula: &Ltl) -> bool {
    let atoms: Vec<(&Predicate, Vec<bool>)> =
        formula.atoms().into_iter().map(|atom| (atom, truths(net, graph, atom))).collect();
    let mut found = false;
    lassos(graph, 7, 2_000, &mut |path, turn| {
        found |= !formula.holds_on(path.len(), turn, &mut |predicate, at| match predicate {
            Predicate::True => true,
            Predicate::False => false,
            predicate => atoms.iter().any(|(atom, truths)| *atom == predicate && truths[path[at]]),
        });
    });
    found
}

/// Whether a trace that goes round comes back to where it turned.
fn is_sound(net: &Net, answer: &Answer) -> bool {
    let (Some(trace), Some(turn)) = (&answer.trace, answer.cycle) else { return true };
    let markings: Vec<_> = trace.markings(net).collect();
    match turn == trace.events.len() {
        true => net.enabled(trace.last()).next().is_none(),
        false => markings[turn] == *trace.last(),
    }
}

/// What the paths of different operators must show.
fn shows(net: &Net, graph: &Explored, formula: &Ctl, answer: &Answer) -> bool {
    let Some(trace) = &answer.trace else { return true };
    let node = |marking| graph.markings.iter().position(|known| *known == marking).expect("it is reachable");
    let nodes: Vec<usize> = trace.markings(net).map(node).collect();
    match (formula, answer.verdict) {
        (Ctl::Unary(Path::All, Modal::Globally, operand), Verdict::Violated) => {
            let truths = twin(net, graph, operand);
            nodes.iter().any(|node| !truths[*node])
        }
        (Ctl::Unary(Path::Some, Modal::Finally, operand), Verdict::Holds) => {
            let truths = twin(net, graph, operand);
            nodes.iter().any(|node| truths[*node])
        }
        (Ctl::Unary(Path::Some, Modal::Globally, operand), Verdict::Holds) => {
            let truths = twin(net, graph, operand);
            answer.cycle.is_some() && nodes.iter().all(|node| truths[*node])
        }
        (Ctl::Unary(Path::All, Modal::Finally, operand), Verdict::Violated) => {
            let truths = twin(net, graph, operand);
            answer.cycle.is_some() && nodes.iter().all(|node| !truths[*node])
        }
        _ => true,
    }
}

fn is_read_back(net: &Net, question: &Question) {
    let text = question.display(net).to_string();
    assert_eq!(parse_property(&text, net).expect("it is a question").question, *question, "{text}");
}

fn check_branching(net: &Net, graph: &mut Explored, random: &mut Random) {
    for _ in 0..6 {
        let formula = branching(random, net);
        let question = Question::Ctl(formula.clone());
        let text = question.display(net).to_string();
        is_read_back(net, &question);
        let truth = twin(net, graph, &formula)[0];
        let both = [question.clone(), question.simplify(&NoFacts)];
        let answers = graph.answers(net, &both);
        for answer in &answers {
            assert_eq!(answer.verdict, Verdict::from(truth), "{text}: {answer:?}");
            assert!(is_sound(net, answer), "{text}: {answer:?}");
        }
        assert!(shows(net, graph, &formula, &answers[0]), "{text}: {answers:?}");
    }
}

fn check_linear(net: &Net, graph: &mut Explored, random: &mut Random) -> [usize; 2] {
    let mut counts = [0; 2];
    for _ in 0..6 {
        let formula = linear(random, net);
        let question = Question::Ltl(formula.clone());
        let text = question.display(net).to_string();
        is_read_back(net, &question);
        let contradicted = contradicts(net, graph, &formula);
        let both = [question.clone(), question.simplify(&NoFacts)];
        let answers = graph.answers(net, &both);
        // What is simple can be decided; what is not may become too large.
        assert_ne!(answers[1].verdict, Verdict::Unknown, "{text}: {answers:?}");
        if answers[0].undecided != Some(Undecided::TooComplex) {
            assert_eq!(answers[0].verdict, answers[1].verdict, "{text}: {answers:?}");
        }
        for answer in answers.into_iter().filter(|answer| answer.undecided.is_none()) {
            // That a path which is shown contradicts the formula was checked before it was shown.
            assert!(!contradicted || answer.verdict == Verdict::Violated, "{text}: {answer:?}");
            assert!(is_sound(net, &answer), "{text}: {answer:?}");
            counts[usize::from(answer.verdict == Verdict::Violated)] += 1;
        }
    }
    counts
}

fn check_home_and_live(net: &Net, graph: &mut Explored, random: &mut Random) {
    let home = |predicate: &Predicate| {
        let reach = Ctl::unary(Path::Some, Modal::Finally, Ctl::Atom(predicate.clone()));
        Ctl::unary(Path::All, Modal::Globally, reach)
    };
    let some = predicate(random, net);
    let each: Vec<Predicate> = net.transition_ids().map(Predicate::Enabled).collect();
    let live: Vec<bool> = each.iter().map(|enabled| twin(net, graph, &home(enabled))[0]).collect();
    let truth = twin(net, graph, &home(&some))[0];
    let answers = graph.answers(net, &[Question::Home(some.clone()), Question::Live]);
    assert_eq!(answers[0].verdict, Verdict::from(truth), "home {}", some.display(net));
    assert_eq!(answers[0].trace.is_some(), !truth, "home {}", some.display(net));
    assert_eq!(answers[1].verdict, Verdict::from(live.iter().all(|live| *live)), "{:?}", answers[1]);
    if let Some(Detail::NeverAgain(stuck)) = &answers[1].detail {
        let trace = answers[1].trace.as_ref().expect("there is a way");
        let end = graph.markings.iter().position(|known| known == trace.last()).expect("it is reachable");
        for t in stuck {
            let enabled = Predicate::Enabled(TransitionId::new(*t));
            let again = Ctl::unary(Path::Some, Modal::Finally, Ctl::Atom(enabled));
            assert!(!twin(net, graph, &again)[end], "{:?}", answers[1]);
        }
    }
}

fn over_random_nets(
    usual: std::ops::Range<u64>,
    most: usize,
    check: &mut dyn FnMut(&Net, &mut Explored, &mut Random),
) {
    let mut nets = 0;
    for seed in seeds(usual) {
        let net = random::net(seed);
        let Some(mut graph) = explored(&net, most) else { continue };
        nets += 1;
        let mut random = Random::new(seed);
        let checked =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| check(&net, &mut graph, &mut random)));
        if let Err(panic) = checked {
            eprintln!("seed {seed}: {net:#?}");
            std::panic::resume_unwind(panic);
        }
    }
    println!("{nets} nets");
}

#[test]
fn branching_time_agrees_with_the_naive_twin() {
    over_random_nets(0..NETS, 150, &mut |net, graph, random| check_branching(net, graph, random));
}

#[test]
fn linear_time_agrees_with_all_short_paths() {
    let mut counts = [0; 2];
    over_random_nets(0..NETS, 30, &mut |net, graph, random| {
        let [holds, violated] = check_linear(net, graph, random);
        counts = [counts[0] + holds, counts[1] + violated];
    });
    println!("{} hold, {} do not", counts[0], counts[1]);
}

#[test]
fn home_and_live_agree_with_their_meaning() {
    over_random_nets(0..NETS, 150, &mut |net, graph, random| check_home_and_live(net, graph, random));
}

/// As deep as can be read, and much longer than deep.
#[test]
fn large_formulas_are_answered_or_refused() {
    let net = nets::net("ring", &[("p0", 2), ("p1", 0)], &["t0: p0 -> p1", "t1: p1 -> p0", "t2: p1 ->"]);
    let mut graph = explored(&net, 1_000).expect("it is small");
    let texts = [
        format!("ctl {}deadlock", "AG ".repeat(990)),
        format!("ctl {}deadlock", "not AX ".repeat(490)),
        format!("ctl {}deadlock", "E (initial U not ".repeat(330)) + &")".repeat(330),
        format!("ctl {}deadlock", "EX true xor (".repeat(450)) + &")".repeat(450),
        format!("ltl {}deadlock", "X ".repeat(990)),
        format!("ltl {}deadlock", "F G X ".repeat(330)),
        format!("ltl {}deadlock", "(initial U ".repeat(300)) + &")".repeat(300),
        format!("ltl {}deadlock", "F initial xor (".repeat(450)) + &")".repeat(450),
        format!("ltl {}deadlock", "X initial <-> (".repeat(450)) + &")".repeat(450),
        format!("ltl {}initial", "deadlock U initial R deadlock W ".repeat(150)),
        format!("ctl true{}", " and EX initial or AX deadlock".repeat(20_000)),
        format!("ltl true{}", " and F initial or G X deadlock".repeat(20_000)),
        format!("ltl true{}", (0..200).map(|n| format!(" and F #p0 = {n}")).collect::<String>()),
        format!(
            "ltl true{}",
            (0..60).map(|n| format!(" and (G F #p0 = {n} or F G #p0 > {n})")).collect::<String>()
        ),
    ];
    for text in texts {
        let start = std::time::Instant::now();
        let question = parse_property(&text, &net).expect("it is a property").question;
        is_read_back(&net, &question);
        let both = [question.clone(), question.simplify(&NoFacts)];
        let answers = graph.answers(&net, &both);
        let known: Vec<Verdict> =
            answers.iter().map(|it| it.verdict).filter(|it| *it != Verdict::Unknown).collect();
        assert!(known.iter().all(|verdict| *verdict == known[0]), "{answers:?}");
        for answer in answers.iter().filter(|answer| answer.verdict == Verdict::Unknown) {
            assert_eq!(answer.undecided, Some(Undecided::TooComplex));
        }
        println!("{:.1?} {:?}: {:.60}…", start.elapsed(), known, text);
    }
}
