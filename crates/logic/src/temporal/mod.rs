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
//! look at every node; then ask for each [`answer`], or [`decide`] it where paths are replayed on something else than
//! a place/transition net.

pub mod atoms;
pub mod automaton;
pub mod backward;
pub mod bits;
pub(crate) mod conclude;
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

use crate::check::{Answer, Method, Undecided, Verdict};
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

/// What the graph tells about a question, before anybody has replayed a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Whether it is true.
    pub verdict: Verdict,
    /// The path that shows it, if one path does and there was memory to find it.
    pub run: Option<Run>,
    /// The classes of events that can never happen again where the path ends, in order, if these decide.
    pub never_again: Vec<usize>,
}

/// How the events of a graph are put into classes: those of one transition together.
pub struct Classes<'a> {
    /// The class of an event.
    pub of: &'a dyn Fn(u32) -> usize,
    /// How many there are.
    pub count: usize,
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
    let (classes, count) = crate::check::transition_classes(net);
    let classes = Classes { of: &|event| classes[event as usize] as usize, count };
    Some(match decide(question, &classes, graph, atoms, budget)? {
        Ok(finding) => conclude::answer(net, question, finding),
        Err(why) => Answer::unknown(why, Method::Graph),
    })
}

/// Decides a question about paths, or about one predicate, by any graph. Other questions are not decided here.
pub fn decide(
    question: &Question,
    classes: &Classes<'_>,
    graph: &mut impl Steps,
    atoms: &Atoms,
    budget: &Budget,
) -> Option<Result<Finding, Undecided>> {
    let of = |predicate: &Predicate| Ctl::Atom(predicate.clone());
    let finally = |predicate| Ctl::unary(Path::Some, Modal::Finally, of(predicate));
    let mut by_sets = |formula: &Ctl| by_sets(formula, graph, atoms, budget);
    Some(match question {
        Question::Home(predicate) => by_sets(&Ctl::unary(Path::All, Modal::Globally, finally(predicate))),
        Question::Invariant(predicate) => by_sets(&Ctl::unary(Path::All, Modal::Globally, of(predicate))),
        Question::Reachable(predicate) => by_sets(&finally(predicate)),
        Question::Unreachable(predicate) => by_sets(&!finally(predicate)),
        Question::Ctl(formula) => by_sets(formula),
        Question::Ltl(formula) => by_automaton(formula, graph, atoms, budget),
        Question::Live => live(classes, graph, budget),
        _ => return None,
    })
}

fn by_sets(
    formula: &Ctl,
    graph: &mut impl Steps,
    atoms: &Atoms,
    budget: &Budget,
) -> Result<Finding, Undecided> {
    let decided = ctl::Decided::new(formula, graph, atoms, budget)?;
    let verdict = Verdict::from(decided.set().contains(0));
    // A verdict needs no path; there may be no memory to find one.
    let run = decided.run(graph, budget).ok().flatten();
    Ok(Finding { verdict, run, never_again: Vec::new() })
}

fn by_automaton(
    formula: &Ltl,
    graph: &mut impl Steps,
    atoms: &Atoms,
    budget: &Budget,
) -> Result<Finding, Undecided> {
    let (verdict, run) = match ltl::decide(formula, graph, atoms, budget)? {
        ltl::Outcome::Holds => (Verdict::Holds, None),
        ltl::Outcome::Violated(run) => (Verdict::Violated, run),
    };
    Ok(Finding { verdict, run, never_again: Vec::new() })
}

fn live(classes: &Classes<'_>, graph: &mut impl Steps, budget: &Budget) -> Result<Finding, Undecided> {
    let stuck = terminal::stuck(graph, classes.of, classes.count, budget).map_err(Undecided::Stopped)?;
    let Some(stuck) = stuck else {
        return Ok(Finding { verdict: Verdict::Holds, run: None, never_again: Vec::new() });
    };
    let run = paths::to(graph, stuck.node, budget).ok().map(|prefix| Run { prefix, cycle: Vec::new() });
    Ok(Finding { verdict: Verdict::Violated, run, never_again: stuck.classes })
}
