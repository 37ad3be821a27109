//! Questions about all reachable markings, and how they are written.
//!
//! | written | asks | |
//! | --- | --- | --- |
//! | `invariant φ` | does φ hold in every reachable marking? | [`Question::Invariant`] |
//! | `reachable φ` | does φ hold in some reachable marking? | [`Question::Reachable`] |
//! | `not reachable φ`, `impossible φ` | does φ hold in none? | [`Question::Unreachable`] |
//! | `deadlock-free` | the same as `not reachable deadlock` | [`Question::Unreachable`] |
//! | `bound E` | the largest value of E, a number | [`Question::Bound`] |
//! | `safe`, `3-safe`, `safe 3` | has no place ever more than one token (three)? | [`Question::Safe`] |
//! | `conservative` | does the number of all tokens together never change? | [`Question::Conservative`] |
//! | `quasi-live` | can every transition fire at least once? | [`Question::QuasiLive`] |
//! | `dead t` | can t never fire? | [`Question::Dead`] |
//! | `fireable t` | the same as `reachable enabled(t)` | [`Question::Reachable`] |
//! | `stable p` | does the number of tokens in p never change? | [`Question::Stable`] |
//! | `some-stable` | is some place stable? | [`Question::SomeStable`] |
//! | `home φ` | can a marking with φ be reached from every reachable marking? | [`Question::Home`] |
//! | `reversible` | the same as `home initial` | [`Question::Home`] |
//! | `live t` | can t fire again from every reachable marking? The same as `home enabled(t)` | [`Question::Home`] |
//! | `live` | is every transition live? | [`Question::Live`] |
//! | `ctl Φ` | does a formula of branching time hold in the initial marking? | [`Question::Ctl`] |
//! | `ltl Φ` | does a formula of linear time hold on every path? | [`Question::Ltl`] |
//!
//! A name may stand in front: `exclusive: invariant #a + #b <= 1`, or `property exclusive: …`. In a file a
//! property ends at `;`, before the word `property`, or at the end. `//` starts a comment, to the end of the line.
//!
//! Predicates φ, from loosest to tightest:
//!
//! | written | also | |
//! | --- | --- | --- |
//! | `φ <-> ψ` | `<=>` | both or neither |
//! | `φ -> ψ` | `=>` | `a -> b -> c` is `a -> (b -> c)` |
//! | `φ or ψ` | <code>&#124;&#124;</code>, <code>&#124;</code> | |
//! | `φ xor ψ` | `^` | of several: an odd number |
//! | `φ and ψ` | `&&`, `&` | |
//! | `not φ` | `!` | |
//! | `E = E`, `!=`, `<`, `<=`, `>`, `>=` | `==`, `<>` | chains mean all: `0 < #p <= 3` |
//!
//! Atoms: `true`, `false`, `deadlock`, `initial` (the marking is the initial one), `enabled(t)` (also
//! `fireable(t)`; of several transitions `enabled(t, u)`: some is enabled), and parentheses.
//!
//! Expressions E: integers, `#p` (the tokens in p; also `tokens(p)`), `#(p, q)` (of several places together; also
//! `tokens(p, q)`), `+`, `-`, `*`, parentheses.
//!
//! Formulas Φ of `ctl` and `ltl` are predicates with temporal operators in them. The connectives are the same; `not` and
//! the operators before one formula bind tighter than `U`, `W` and `R`, and these tighter than `and`; `φ U ψ U χ` is
//! `φ U (ψ U χ)`. What they mean is said in [`formula`](crate::temporal::formula).
//!
//! | written | also | |
//! | --- | --- | --- |
//! | `X Φ`, `F Φ`, `G Φ` | | of `ltl`: next, once, always |
//! | `Φ U Ψ`, `Φ W Ψ`, `Φ R Ψ` | | of `ltl`: until, weak until, release |
//! | `AX Φ`, `EX Φ`, `AF Φ`, … | `A X Φ`, `A (X Φ)`, … | of `ctl`: on all paths, on some path |
//! | `A (Φ U Ψ)`, `E (Φ U Ψ)`, … | `A [Φ U Ψ]`, … | of `ctl`; `W` and `R` as well |
//!
//! Names consist of letters, digits, `_`, `.` and `'`, and do not consist of digits alone or start with `.` or
//! `'`. Any other name, and the name `property`, is quoted: `"…"`, `'…'` or `{…}`, where `\` protects the next
//! character, and `\n`, `\t`, `\r` mean what they mean elsewhere.

use sweepnet_net::{Net, PlaceId, TransitionId};

use crate::expression::Expression;
use crate::predicate::Predicate;
use crate::simplify::Facts;
use crate::temporal::{Ctl, Ltl};

/// A question, with its names resolved.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Question {
    /// Does it hold in every reachable marking?
    Invariant(Predicate),
    /// Does it hold in some reachable marking?
    Reachable(Predicate),
    /// Does it hold in no reachable marking?
    Unreachable(Predicate),
    /// What is the largest value in a reachable marking? The answer is a number.
    Bound(Expression),
    /// The same of what is one thing in one case and another in another; exactly one of the predicates holds in each
    /// marking. Asked only of unfoldings.
    BoundByCases(Vec<(Predicate, Expression)>),
    /// Has no place more than so many tokens in any reachable marking?
    Safe(u64),
    /// Is the number of all tokens together the same in every reachable marking?
    Conservative,
    /// Can every transition fire at least once?
    QuasiLive,
    /// Is the transition enabled in no reachable marking?
    Dead(TransitionId),
    /// Has the place the same number of tokens in every reachable marking?
    Stable(PlaceId),
    /// Is some place stable? (The contest's StableMarking.)
    SomeStable,
    /// Can a marking in which it holds be reached from every reachable marking?
    Home(Predicate),
    /// Can every transition fire again from every reachable marking? (The contest's Liveness.)
    Live,
    /// Does a formula of branching time hold in the initial marking?
    Ctl(Ctl),
    /// Does a formula of linear time hold on every path from the initial marking?
    Ltl(Ltl),
}

impl Question {
    /// Whether it is about paths from other markings than the initial one, so that the graph of all markings answers it.
    pub fn is_about_paths(&self) -> bool {
        matches!(self, Self::Home(_) | Self::Live | Self::Ctl(_) | Self::Ltl(_))
    }

    /// The same question with its predicates [simplified](Predicate::simplify). A question about paths may become one
    /// about markings: `ctl AG φ` is `invariant φ`.
    pub fn simplify(&self, facts: &dyn Facts) -> Self {
        match self {
            Self::Invariant(predicate) => Self::Invariant(predicate.simplify(facts)),
            Self::Reachable(predicate) => Self::Reachable(predicate.simplify(facts)),
            Self::Unreachable(predicate) => Self::Unreachable(predicate.simplify(facts)),
            Self::Home(predicate) => match predicate.simplify(facts) {
                constant @ (Predicate::True | Predicate::False) => Self::Invariant(constant),
                predicate => Self::Home(predicate),
            },
            Self::Ctl(formula) => formula.simplify(facts).into(),
            Self::Ltl(formula) => formula.simplify(facts).into(),
            other => other.clone(),
        }
    }
}

impl Property {
    /// The same, with `initial` spelled out as the number of tokens in each place.
    pub fn spelling_out_initial(&self, net: &Net) -> Self {
        let question = match &self.question {
            Question::Invariant(predicate) => Question::Invariant(predicate.spelling_out_initial(net)),
            Question::Reachable(predicate) => Question::Reachable(predicate.spelling_out_initial(net)),
            Question::Unreachable(predicate) => Question::Unreachable(predicate.spelling_out_initial(net)),
            Question::Home(predicate) => Question::Home(predicate.spelling_out_initial(net)),
            Question::BoundByCases(cases) => {
                let spelt = cases.iter().map(|(case, it)| (case.spelling_out_initial(net), it.clone()));
                Question::BoundByCases(spelt.collect())
            }
            other => other.clone(),
        };
        Self { question, ..self.clone() }
    }
}

/// A question with a name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Property {
    /// What it is called; its text if it was given no name.
    pub name: String,
    /// The question as it was written, without the name.
    pub text: String,
    /// What it asks.
    pub question: Question,
}
