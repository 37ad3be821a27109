//! Measures of progress for place/transition nets, from text and from weights.
//!
//! `#p + 2 * #q` is one integer, as in questions; `(#p, #q)`, `#p, #q` and `#p; #q` are several that are compared from
//! left to right, and of `vector(#p, #q)` all are compared. Sums that are linear stay so, because then each transition
//! changes them by a constant.

use std::sync::Arc;

use sweepnet_net::{Net, PlaceId, TransitionId};
use sweepnet_space::progress::trial::{Tried, frequencies, try_all};
use sweepnet_space::progress::{Component, Function, Linear, Measure, Order};
use sweepnet_space::{Control, Plan, StopReason};
use sweepnet_structure::progress::{distances, fewest_regressing, independent_effects};
use sweepnet_structure::{Effort, Structure};

use crate::expression::Expression;
use crate::print::Name;
use crate::syntax::{self, SyntaxError};
use crate::view::View;

/// Reads a measure for a net.
pub fn parse_progress(text: &str, net: &Net) -> Result<Measure, SyntaxError> {
    let (parts, order) = syntax::parse_measure(text, net)?;
    let components = parts.into_iter().map(component).collect();
    Ok(Measure { components, order, text: text.trim().to_owned() })
}

/// The measure with these weights for the places of a net, one for each.
pub fn weighted(net: &Net, weights: &[i64]) -> Measure {
    let terms = || net.place_ids().zip(weights.iter().copied()).filter(|(_, weight)| *weight != 0);
    let mut text = String::new();
    for (place, weight) in terms() {
        text.push_str(match (text.is_empty(), weight < 0) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        });
        if weight.unsigned_abs() != 1 {
            text.push_str(&format!("{} * ", weight.unsigned_abs()));
        }
        text.push_str(&format!("#{}", Name(&net.place(place).id)));
    }
    if text.is_empty() {
        text.push('0');
    }
    let linear = Linear { terms: terms().collect(), constant: 0 };
    Measure { components: vec![Component::Linear(linear)], order: Order::Lexicographic, text }
}

/// An expression as part of a measure.
pub(crate) fn component(expression: Expression) -> Component {
    match linear(&expression) {
        Some(linear) => Component::Linear(linear),
        None => Component::Function(Arc::new(Polynomial(expression))),
    }
}

/// The expression, if it is linear and its numbers are not too large.
fn linear(expression: &Expression) -> Option<Linear> {
    let linear = expression.as_linear()?;
    let term = |(place, weight): &(PlaceId, i128)| Some((*place, i64::try_from(*weight).ok()?));
    let terms = linear.terms().iter().map(term).collect::<Option<_>>()?;
    Some(Linear { terms, constant: i64::try_from(linear.offset()).ok()? })
}

#[derive(Debug)]
struct Polynomial(Expression);

impl Function for Polynomial {
    fn value(&self, tokens: &dyn Fn(PlaceId) -> u64) -> Option<i64> {
        self.0.eval(&Tokens(tokens)).ok().and_then(|value| i64::try_from(value).ok())
    }
}

/// A marking of which only the tokens are known: enough for expressions, and for predicates that compare them.
pub(crate) struct Tokens<'a>(pub(crate) &'a dyn Fn(PlaceId) -> u64);

impl View for Tokens<'_> {
    fn tokens(&self, place: PlaceId) -> u64 {
        (self.0)(place)
    }

    fn is_enabled(&self, _: TransitionId) -> bool {
        false
    }

    fn is_dead(&self) -> bool {
        false
    }

    fn is_initial(&self) -> bool {
        false
    }
}

/// Nets with more places than this are not swept by the tokens of one.
const MOST_SINGLE: usize = 500;

/// The measures that structure suggests for a net, tried, the best first.
pub fn find(
    net: &Net,
    structure: &Structure,
    plan: &Plan,
    control: &mut Control<'_>,
) -> Result<Tried, StopReason> {
    let frequencies = frequencies(net, control)?;
    let mut order: Vec<TransitionId> = net.transition_ids().collect();
    order.sort_by(|a, b| frequencies[b.index()].total_cmp(&frequencies[a.index()]));
    let mut candidates = Vec::new();
    let effort = Effort::for_net(net).within(control.budget().room());
    candidates.extend(independent_effects(&structure.incidence, &order, effort.bytes));
    candidates.extend(fewest_regressing(net, &structure.incidence, &frequencies, &effort));
    candidates.extend(distances(net));
    if net.places().len() <= MOST_SINGLE {
        // What goes through one place may be all the progress there is.
        let single = |place: PlaceId, weight| {
            let mut weights = vec![0; net.places().len()];
            weights[place.index()] = weight;
            weights
        };
        candidates.extend(net.place_ids().flat_map(|place| [single(place, 1), single(place, -1)]));
    }
    candidates.sort();
    candidates.dedup();
    let measures = candidates.iter().map(|weights| weighted(net, weights)).collect();
    try_all(net, plan, measures, control)
}
