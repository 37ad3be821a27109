//! What to watch for, to answer one property.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use sweepnet_net::{Fold, Net, PlaceId};

use super::answer::{Undecided, Verdict};
use super::facts::StructuralFacts;
use crate::{Comparison, EvalError, Expression, Predicate, Question, Relation, View};

/// What is watched for.
#[derive(Clone, Debug)]
pub enum Watch {
    /// A state in which a predicate is true.
    Target(Predicate),
    /// The largest value of an expression, which may be another in another case; `upper` is a proven bound of it, so that
    /// the search may end early.
    Largest {
        /// The expressions; that of the first predicate that holds counts.
        cases: Vec<(Predicate, Expression)>,
        /// The largest value seen.
        best: Option<i128>,
        /// A value that is never exceeded.
        upper: Option<i128>,
    },
    /// One of these places with more than so many tokens.
    TooMany {
        /// The places that no structure keeps from it.
        places: Vec<PlaceId>,
        /// What is allowed.
        most: u64,
    },
    /// Another number of tokens, in all places together, than this.
    OtherTotal(u128),
    /// Until all transitions have fired; of an unfolded net, one instance of each coloured transition.
    Unfired {
        /// For each transition, its position among those that are asked for.
        classes: Arc<[u32]>,
        /// Those that have.
        fired: Vec<bool>,
        /// How many have not.
        left: usize,
    },
    /// Until no place is left that has always had its initial count; of an unfolded net, no coloured place.
    Unchanged(Vec<Group>),
}

/// Places that count as one: a place, or the instances of a coloured place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its position among the places, or among the coloured ones.
    pub position: usize,
    /// The positions of its places.
    pub places: Range<usize>,
    /// The tokens of all of them in the initial marking.
    pub initial: u128,
}

impl Group {
    /// All groups of a net.
    pub fn all(net: &Net) -> Vec<Self> {
        let group = |(position, places): (usize, Range<usize>)| {
            let initial = places.clone().map(|p| u128::from(net.places()[p].initial)).sum();
            Self { position, places, initial }
        };
        match net.folding() {
            Some(folding) => {
                folding.places.iter().map(|fold| fold.instances.clone()).enumerate().map(group).collect()
            }
            None => (0..net.places().len()).map(|p| group((p, p..p + 1))).collect(),
        }
    }

    /// Its tokens in a marking.
    fn tokens<V: View>(&self, view: &V) -> u128 {
        self.places.clone().map(|p| u128::from(view.tokens(PlaceId::new(p)))).sum()
    }
}

/// For each transition, its position among those that are asked for, and how many these are: of an unfolded net, the
/// coloured ones.
pub fn transition_classes(net: &Net) -> (Arc<[u32]>, usize) {
    match net.folding() {
        Some(folding) => {
            let class = |(at, fold): (u32, &Fold)| fold.instances.clone().map(move |_| at);
            ((0..).zip(&folding.transitions).flat_map(class).collect(), folding.transitions.len())
        }
        None => ((0..net.transitions().len() as u32).collect(), net.transitions().len()),
    }
}

/// What a watch makes of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// Nothing of interest.
    Nothing,
    /// This is the state.
    Found,
    /// There is nothing left to wait for.
    Exhausted,
}

impl Watch {
    /// What to watch for, and the verdict when it is found.
    pub fn for_question(
        question: &Question,
        facts: &StructuralFacts<'_>,
    ) -> Result<(Self, Verdict), Undecided> {
        let net = facts.net();
        let target = |predicate: &Predicate| Self::Target(predicate.simplify(facts));
        Ok(match question {
            Question::Invariant(predicate) => (target(&!predicate.clone()), Verdict::Violated),
            Question::Reachable(predicate) => (target(predicate), Verdict::Holds),
            Question::Unreachable(predicate) => (target(predicate), Verdict::Violated),
            Question::Dead(transition) => (target(&Predicate::Enabled(*transition)), Verdict::Violated),
            Question::Stable(place) => {
                let initial = Expression::constant(i128::from(net.place(*place).initial))?;
                let changed = Comparison::new(Expression::place(*place), Relation::NotEqual, initial)?;
                (target(&changed.into()), Verdict::Violated)
            }
            Question::Bound(expression) => {
                let upper = expression.as_linear().and_then(|linear| facts.upper(linear));
                let cases = vec![(Predicate::True, expression.clone())];
                (Self::Largest { cases, best: None, upper }, Verdict::Holds)
            }
            Question::BoundByCases(cases) => {
                let simple = |(case, it): &(Predicate, Expression)| (case.simplify(facts), it.clone());
                let cases = cases.iter().map(simple).collect();
                (Self::Largest { cases, best: None, upper: None }, Verdict::Holds)
            }
            Question::Safe(most) if net.folding().is_some() => {
                let too_many = |group: Group| {
                    let tokens = Expression::places(group.places.map(PlaceId::new))?;
                    let most = Expression::constant(i128::from(*most))?;
                    Comparison::new(tokens, Relation::Greater, most).map(Predicate::from)
                };
                let groups = Group::all(net).into_iter().map(too_many);
                (target(&Predicate::or(groups.collect::<Result<_, _>>()?)), Verdict::Violated)
            }
            Question::Safe(most) => {
                let suspect = |p: &PlaceId| facts.bound(*p).is_none_or(|bound| bound > *most);
                let places = net.place_ids().filter(suspect).collect();
                (Self::TooMany { places, most: *most }, Verdict::Violated)
            }
            Question::Conservative => (Self::OtherTotal(net.initial_marking().total()), Verdict::Violated),
            Question::QuasiLive => {
                let (classes, count) = transition_classes(net);
                (Self::Unfired { classes, fired: vec![false; count], left: count }, Verdict::Holds)
            }
            Question::SomeStable => (Self::Unchanged(Group::all(net)), Verdict::Violated),
            Question::Home(_) | Question::Live | Question::Ctl(_) | Question::Ltl(_) => {
                return match question.simplify(facts) {
                    simple if !simple.is_temporal() => Self::for_question(&simple, facts),
                    _ => Err(Undecided::NeedsGraph),
                };
            }
        })
    }

    /// Whether what it watches for is one state, so that a path to it will be asked for.
    pub fn is_shown_by_a_state(&self) -> bool {
        matches!(self, Self::Target(_) | Self::TooMany { .. } | Self::OtherTotal(_))
    }

    /// What is true of the states that it looks for, if that can be said.
    pub fn target(&self) -> Option<Cow<'_, Predicate>> {
        match self {
            Self::Target(predicate) => Some(Cow::Borrowed(predicate)),
            Self::TooMany { places, most } => {
                let most = Expression::constant(i128::from(*most)).ok()?;
                let more = |place: &PlaceId| {
                    Comparison::new(Expression::place(*place), Relation::Greater, most.clone())
                };
                let more = places.iter().map(|place| more(place).map(Predicate::from));
                more.collect::<Result<_, _>>().ok().map(|more| Cow::Owned(Predicate::or(more)))
            }
            _ => None,
        }
    }

    /// Whether it looks at states only once it is known whether they are dead.
    pub fn waits_for_expansion(&self) -> bool {
        match self {
            Self::Target(predicate) => predicate.mentions_deadlock(),
            Self::Largest { cases, .. } => cases.iter().any(|(case, _)| case.mentions_deadlock()),
            _ => false,
        }
    }

    /// Takes over what the same watch has seen of other states.
    pub fn join(&mut self, other: &Self) {
        match (self, other) {
            (Self::Largest { best, .. }, Self::Largest { best: other, .. }) => *best = (*best).max(*other),
            (Self::Unchanged(groups), Self::Unchanged(other)) => groups.retain(|group| other.contains(group)),
            _ => {}
        }
    }

    /// Looks at a state. `total` gives all tokens together.
    #[inline]
    pub fn look<V: View>(&mut self, view: &V, total: impl FnOnce() -> u128) -> Result<Sight, EvalError> {
        let found = |it: bool| Ok(if it { Sight::Found } else { Sight::Nothing });
        let exhausted = |it: bool| Ok(if it { Sight::Exhausted } else { Sight::Nothing });
        match self {
            Self::Target(predicate) => found(predicate.eval(view)?),
            Self::Largest { cases, best, upper } => {
                for (case, expression) in cases {
                    if case.eval(view)? {
                        let value = expression.eval(view)?;
                        *best = (*best).max(Some(value));
                        return exhausted(upper.is_some_and(|upper| value >= upper));
                    }
                }
                Ok(Sight::Nothing)
            }
            Self::TooMany { places, most } => found(places.iter().any(|p| view.tokens(*p) > *most)),
            Self::OtherTotal(initial) => found(total() != *initial),
            // Told by edges, not by states.
            Self::Unfired { .. } => Ok(Sight::Nothing),
            Self::Unchanged(groups) => {
                groups.retain(|group| group.tokens(view) == group.initial);
                exhausted(groups.is_empty())
            }
        }
    }
}
