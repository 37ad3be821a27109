//! Questions about coloured nets, asked of their unfoldings or of the nets themselves.
//!
//! `translate` makes of a term over values and multisets a predicate over token counts: quantifiers are spelt out,
//! what depends on no marking is computed. `cases` keeps terms that are one thing here and another there.
//! [`conditions`] are what the model itself promises: capacities, derived places, values within their types.
//!
//! [`translate_progress`] does the same for measures of progress, [`Holdings`] are what coloured
//! places hold, which [`Totals`] watches. [`offers`] finds places that could be derived.
//!
//! [`check_coloured`] answers by a search on coloured markings, with `watch` for what is looked for and [`story`] for
//! traces that can be shown. For questions about paths, `labels` are looked at in every state, `record` keeps them with
//! the graph, `along` lets both watch a search, and `paths` asks the graph.

mod along;
mod breaking;
mod cases;
mod check;
pub mod conditions;
mod formula;
pub mod growing;
mod holdings;
mod labels;
pub mod offers;
mod paths;
mod progress;
mod record;
pub mod story;
mod totals;
mod translate;
mod watch;

pub use breaking::Breaking;
pub use check::{ColouredChecked, check_coloured};
pub use holdings::Holdings;
pub use progress::translate_progress;
pub use totals::Totals;

use sweepnet_colour::{ColouredNet, Fault, Patience, Unfolding};
use sweepnet_language::question::{Property as Asked, Question as Asks};
use sweepnet_net::PlaceId;
use thiserror::Error;

use crate::{Comparison, EvalError, Expression, Predicate, Property, Question, Relation};
pub use conditions::{Condition, Promise};
use translate::Translator;

/// Why a question cannot be asked of the unfolding.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Untranslated {
    /// A term in it has no value.
    #[error("a term in it has no value: {0}")]
    Fault(#[from] Fault),
    /// A number is too large.
    #[error(transparent)]
    Eval(#[from] EvalError),
    /// Spelt out, it becomes too large.
    #[error("spelt out for every value it becomes too large")]
    TooLarge,
    /// It divides or chooses by what only the marking tells.
    #[error("it calculates with token counts in a way that only the coloured engine can (--engine coloured)")]
    NotLinear,
    /// It counts the tokens of all places, and some are only defined.
    #[error(
        "it counts tokens of derived places that no arc changes, as only the coloured engine can (--engine coloured)"
    )]
    Defined,
    /// It speaks of the time.
    #[error("it speaks of the time, which only the coloured engine knows (--engine coloured)")]
    Clock,
}

/// Asks a question about a coloured net of its unfolding. Spelt out, it may take about so many bytes; it takes as long as
/// somebody waits.
pub fn translate(
    net: &ColouredNet,
    unfolding: &Unfolding,
    asked: &Asked,
    bytes: usize,
    patience: Patience<'_>,
) -> Result<Property, Untranslated> {
    let mut translator = Translator::new(net, unfolding, patience).within(bytes);
    let enabled = |transition: usize| {
        Predicate::any_enabled(unfolding.bindings(transition).map(|(t, _)| t).collect::<Vec<_>>())
    };
    // What is only defined has no places of its own, which these count.
    let is_defined = |place: usize| net.is_only_defined(place);
    match &asked.question {
        Asks::Stable(place) if is_defined(*place) => return Err(Untranslated::Defined),
        Asks::Safe(_) | Asks::Conservative | Asks::SomeStable if (0..net.places.len()).any(is_defined) => {
            return Err(Untranslated::Defined);
        }
        _ => {}
    }
    let question = match &asked.question {
        Asks::Invariant(term) => Question::Invariant(translator.closed(term)?),
        Asks::Reachable(term) => Question::Reachable(translator.closed(term)?),
        Asks::Unreachable(term) => Question::Unreachable(translator.closed(term)?),
        Asks::Bound(term) => translator.bound(term)?,
        Asks::Safe(most) => Question::Safe(*most),
        Asks::Conservative => Question::Conservative,
        Asks::QuasiLive => Question::QuasiLive,
        Asks::Dead(transition) => Question::Unreachable(enabled(*transition)),
        Asks::Fireable(transition) => Question::Reachable(enabled(*transition)),
        Asks::Stable(place) => {
            let instances: Vec<PlaceId> = unfolding.instances(*place).collect();
            let initial = instances.iter().map(|p| i128::from(unfolding.net.place(*p).initial)).sum();
            let tokens = Expression::places(instances)?;
            let same = Comparison::new(tokens, Relation::Equal, Expression::constant(initial)?)?;
            Question::Invariant(same.into())
        }
        Asks::SomeStable => Question::SomeStable,
        Asks::Home(term) => Question::Home(translator.closed(term)?),
        Asks::Reversible => Question::Home(Predicate::Initial),
        Asks::Live(transition) => Question::Home(enabled(*transition)),
        Asks::AllLive => Question::Live,
        Asks::Ctl(asked) => {
            let formula = formula::written(asked, &mut |term| translator.closed(term))?;
            Question::Ctl(formula::branching(formula).ok_or(Untranslated::NotLinear)?)
        }
        Asks::Ltl(asked) => {
            let formula = formula::written(asked, &mut |term| translator.closed(term))?;
            Question::Ltl(formula::linear(formula).ok_or(Untranslated::NotLinear)?)
        }
    };
    Ok(Property { name: asked.name.clone(), text: asked.text.clone(), question })
}
