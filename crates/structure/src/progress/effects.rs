//! What each transition does to a weighted sum of tokens.

use std::collections::BTreeMap;
use std::fmt;

use sweepnet_net::{Net, TransitionId};

use crate::incidence::Incidence;

/// By how much each transition changes a weighted sum of tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effects {
    changes: Vec<Option<i64>>,
}

impl Effects {
    /// The effects on the sum with these weights.
    pub fn of(net: &Net, incidence: &Incidence, weights: &[i64]) -> Self {
        let weight = |place: usize| weights.get(place).copied().unwrap_or(0);
        let change = |t: TransitionId| {
            if net.resets().of(t).iter().any(|arc| weight(arc.place.index()) != 0) {
                return None;
            }
            let mut terms = incidence.by_transition().row(t.index());
            let sum = terms.try_fold(0_i128, |sum, (place, effect)| {
                sum.checked_add(effect.checked_mul(i128::from(weight(place)))?)
            });
            sum.and_then(|sum| i64::try_from(sum).ok())
        };
        Self { changes: net.transition_ids().map(change).collect() }
    }

    /// By how much firing the transition changes the sum; nothing if that is not always the same, because it empties a
    /// place that counts, or if the number is too large.
    pub fn change(&self, transition: TransitionId) -> Option<i64> {
        self.changes[transition.index()]
    }

    /// Whether no firing can make the sum smaller.
    pub fn is_monotone(&self) -> bool {
        self.changes.iter().all(|change| change.is_some_and(|change| change >= 0))
    }

    /// The transitions that make it smaller, or may do so.
    pub fn regressing(&self) -> impl Iterator<Item = TransitionId> + '_ {
        let regresses = |(_, change): &(usize, &Option<i64>)| change.is_none_or(|change| change < 0);
        self.changes.iter().enumerate().filter(regresses).map(|(t, _)| TransitionId::new(t))
    }

    /// The effects in words, a line for each kind, with at most so many names in each: `advance: t1, t2 (+3); t3 (+1)`.
    pub fn describe<'a>(&'a self, net: &'a Net, most: usize) -> impl fmt::Display + 'a {
        Description { effects: self, net, most }
    }
}

/// Whether a transition with this change is of a kind.
type Belongs = fn(Option<i64>) -> bool;

struct Description<'a> {
    effects: &'a Effects,
    net: &'a Net,
    most: usize,
}

impl fmt::Display for Description<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds: [(&str, Belongs); 4] = [
            ("advance", |change| change.is_some_and(|change| change > 0)),
            ("keep", |change| change == Some(0)),
            ("regress", |change| change.is_some_and(|change| change < 0)),
            ("may regress", |change| change.is_none()),
        ];
        let mut first = true;
        for (word, belongs) in kinds {
            let mut groups: BTreeMap<Option<i64>, Vec<usize>> = BTreeMap::new();
            let changes = self.effects.changes.iter().enumerate().filter(|(_, change)| belongs(**change));
            changes.for_each(|(t, change)| groups.entry(*change).or_default().push(t));
            if groups.is_empty() {
                continue;
            }
            write!(f, "{}{word}: ", if first { "" } else { "\n" })?;
            first = false;
            self.groups(f, groups)?;
        }
        Ok(())
    }
}

impl Description<'_> {
    /// The largest changes first.
    fn groups(&self, f: &mut fmt::Formatter<'_>, groups: BTreeMap<Option<i64>, Vec<usize>>) -> fmt::Result {
        let total: usize = groups.values().map(Vec::len).sum();
        let mut left = self.most;
        let largest_first = |change: &Option<i64>| std::cmp::Reverse(change.map_or(0, i64::unsigned_abs));
        let mut groups: Vec<_> = groups.into_iter().collect();
        groups.sort_by_key(|(change, _)| largest_first(change));
        for (position, (change, transitions)) in groups.iter().enumerate() {
            let shown = transitions.len().min(left);
            if shown == 0 {
                break;
            }
            let names: Vec<&str> =
                transitions[..shown].iter().map(|t| &*self.net.transitions()[*t].id).collect();
            write!(f, "{}{}", if position == 0 { "" } else { "; " }, names.join(", "))?;
            if let Some(change) = change.filter(|change| *change != 0) {
                write!(f, " ({change:+})")?;
            }
            left -= shown;
        }
        if total > self.most {
            write!(f, "{}{} more", if self.most == 0 { "" } else { ", and " }, total - self.most)?;
        }
        Ok(())
    }
}
