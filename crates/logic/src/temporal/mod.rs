//! Questions about paths: `home`, `live`, `ctl` and `ltl`.
//!
//! They need the whole graph of reachable markings, not only its nodes. Read [`formula`] for what the
//! operators mean and [`simplify`] for what needs no graph after all. The graph is looked at through
//! [`steps`], sets of its nodes are [`bits`], and [`atoms`] says where predicates hold.
//!
//! Branching time: [`ctl`] works from the inside out, by sets of nodes, with the searches in [`backward`] and
//! [`terminal`]; `paths` finds paths to show. Linear time: [`nnf`] brings the negated formula into shape,
//! [`automaton`] makes an automaton of it and `reduce` a smaller one, [`ltl`] looks for a path in its product
//! with the graph, and `lasso` says plainly whether a formula is true of a path. `conclude` replays every
//! path on the net before anybody sees it.
//!
//! To answer questions: [simplify](Question::simplify) them; collect their predicates in [`Atoms`]; let these
//! look at every node; then ask for each [`answer`].

pub mod atoms;
pub mod automaton;
pub mod backward;
pub mod bits;
mod conclude;
pub mod ctl;
pub mod formula;
mod lasso;
pub mod ltl;
pub mod nnf;
mod paths;
mod product;
mod reduce;
pub mod simplify;
pub mod steps;
pub mod terminal;

pub use atoms::Atoms;
pub use bits::BitSet;
pub use formula::{Ctl, Formula, Ltl};
pub use steps::{Run, Step, Steps};

use sweepnet_language::question::{Modal, Path};
use sweepnet_net::Net;
use sweepnet_space::budget::Budget;

use crate::check::{Answer, Detail, Method, Undecided, Verdict};
use crate::predicate::Predicate;
use crate::property::Question;

impl Question {
    /// The predicates that the graph has to be looked at for: those of [`answer`].
    pub fn atoms(&self) -> Vec<&Predicate> {
        match self {
            Self::Home(predicate) | Self::Invariant(predicate) => atom(predicate),
            Self::Reachable(predicate) | Self::Unreachable(predicate) => atom(predicate),
            Self::Ctl(formula) => formula.atoms(),
            Self::Ltl(formula) => formula.atoms(),
            _ => Vec::new(),
        }
    }

    /// Whether it is about paths, so that no search answers it by the states it finds.
    pub fn is_temporal(&self) -> bool {
        matches!(self, Self::Home(_) | Self::Live | Self::Ctl(_) | Self::Ltl(_))
    }
}

fn atom(predicate: &Predicate) -> Vec<&Predicate> {
    match predicate {
        Predicate::True | Predicate::False => Vec::new(),
        predicate => vec![predicate],
    }
}

/// Answers a question about paths, or about one predicate, by the graph of a net. Its events are the net's
/// transitions by position. Other questions have no answer here.
pub fn answer(
    question: &Question,
    net: &Net,
    graph: &mut impl Steps,
    atoms: &Atoms,
    budget: &Budget,
) -> Option<Answer> {
    let of = |predicate: &Predicate| Ctl::Atom(predicate.clone());
    let finally = |predicate| Ctl::unary(Path::Some, Modal::Finally, of(predicate));
    let answer = match question {
        Question::Home(predicate) => {
            by_sets(&Ctl::unary(Path::All, Modal::Globally, finally(predicate)), net, graph, atoms, budget)
        }
        Question::Invariant(predicate) => {
            by_sets(&Ctl::unary(Path::All, Modal::Globally, of(predicate)), net, graph, atoms, budget)
        }
        Question::Reachable(predicate) => by_sets(&finally(predicate), net, graph, atoms, budget),
        Question::Unreachable(predicate) => by_sets(&!finally(predicate), net, graph, atoms, budget),
        Question::Ctl(formula) => by_sets(formula, net, graph, atoms, budget),
        Question::Ltl(formula) => by_automaton(formula, net, graph, atoms, budget),
        Question::Live => live(net, graph, budget),
        _ => return None,
    };
    Some(answer.unwrap_or_else(|why| Answer::unknown(why, Method::Graph)))
}

fn by_sets(
    formula: &Ctl,
    net: &Net,
    graph: &mut impl Steps,
    atoms: &Atoms,
    budget: &Budget,
) -> Result<Answer, Undecided> {
    let decided = ctl::Decided::new(formula, graph, atoms, budget)?;
    let verdict = Verdict::from(decided.set().contains(0));
    // A verdict needs no path; there may be no memory to find one.
    Ok(match decided.run(graph, budget) {
        Ok(Some(run)) => conclude::shown(net, verdict, &run),
        _ => Answer::plain(verdict, Method::Graph),
    })
}

fn by_automaton(
    formula: &Ltl,
    net: &Net,
    graph: &mut impl Steps,
    atoms: &Atoms,
    budget: &Budget,
) -> Result<Answer, Undecided> {
    Ok(match ltl::decide(formula, graph, atoms, budget)? {
        ltl::Outcome::Holds => Answer::plain(Verdict::Holds, Method::Graph),
        ltl::Outcome::Violated(Some(run)) => conclude::contradicted(net, formula, &run),
        ltl::Outcome::Violated(None) => Answer::plain(Verdict::Violated, Method::Graph),
    })
}

fn live(net: &Net, graph: &mut impl Steps, budget: &Budget) -> Result<Answer, Undecided> {
    let (classes, count) = crate::check::transition_classes(net);
    let class = |event: u32| classes[event as usize] as usize;
    let stuck = terminal::stuck(graph, &class, count, budget).map_err(Undecided::Stopped)?;
    let Some(stuck) = stuck else { return Ok(Answer::plain(Verdict::Holds, Method::Graph)) };
    let detail = Some(Detail::NeverAgain(stuck.classes));
    let answer = match paths::to(graph, stuck.node, budget) {
        Ok(prefix) => conclude::shown(net, Verdict::Violated, &Run { prefix, cycle: Vec::new() }),
        Err(_) => Answer::plain(Verdict::Violated, Method::Graph),
    };
    Ok(Answer { detail: detail.filter(|_| answer.verdict == Verdict::Violated), ..answer })
}
