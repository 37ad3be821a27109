//! The token game on a coloured net that has no unfolding, or too large a one.

use std::ops::ControlFlow;
use std::sync::Arc;

use sweepnet_colour::machine::Scratch;
use sweepnet_colour::{ColouredNet, Event, Machine, Marking, ModelError};
use sweepnet_logic::coloured::story;
use sweepnet_net::Net;
use sweepnet_space::Trace;
use sweepnet_space::budget::Budget;

use super::board::{Board, Move, Refusal, is_same, which};
use super::history::History;
use crate::input::{Coloured, Source};
use crate::quantity::grouped;
use crate::report::model_error::{Broken, wrong};

/// A coloured net.
pub struct ColouredBoard {
    net: ColouredNet,
    source: Option<Source>,
    machine: Machine,
    history: History<Event, Marking>,
}

impl ColouredBoard {
    /// A net in its initial marking.
    pub fn new(coloured: Coloured) -> Self {
        let Coloured { net, source, .. } = coloured;
        let mut machine = Machine::new(&net);
        if net.is_timed() {
            machine.keep_clock();
        }
        let history = History::new(machine.initial().clone());
        Self { net, source, machine, history }
    }

    /// The events that are possible, each with where it leads or why it does not.
    fn enabled(&self) -> Vec<(Event, Result<Marking, ModelError>)> {
        let mut found = Vec::new();
        let _ =
            self.machine.successors(self.history.now(), &mut Scratch::default(), &mut |occurrence, next| {
                found.push((self.machine.event(&occurrence), next.cloned()));
                ControlFlow::Continue(())
            });
        found
    }

    /// What an event is called now.
    fn name(&self, event: &Event) -> String {
        let name = self.net.event_name(event.transition, &event.binding);
        match self.net.is_timed() {
            true => format!("{name}@{}", self.history.now().clock + event.wait as i64),
            false => name,
        }
    }

    /// Whether an event is what a player calls by this name: with or without its time.
    fn is_called(&self, event: &Event, name: &str) -> bool {
        is_same(&self.name(event), name)
            || is_same(&self.net.event_name(event.transition, &event.binding), name)
    }

    /// A marking as it is shown, place by place.
    fn shown(&self, marking: &Marking) -> Vec<(String, u64)> {
        let mut shown = Vec::new();
        for (place, tokens) in self.net.places.iter().zip(&marking.places) {
            for (words, count) in tokens.iter() {
                let (value, ready) = match (place.timed, words.split_last()) {
                    (true, Some((0, value))) => (value, None),
                    (true, Some((wait, value))) => (value, Some(marking.clock + *wait as i64)),
                    _ => (words, None),
                };
                let name = self.net.place_name(&place.id, place.type_, value);
                let name = ready.map_or(name.clone(), |ready| format!("{name}@{ready}"));
                shown.push((name, count));
            }
        }
        shown
    }

    fn changes(&self, before: &Marking, after: &Marking) -> String {
        let (before, after) = (self.shown(before), self.shown(after));
        let count = |list: &[(String, u64)], name: &str| {
            list.iter().filter(|(other, _)| other == name).map(|(_, count)| *count).sum::<u64>()
        };
        let mut names: Vec<&String> = before.iter().chain(&after).map(|(name, _)| name).collect();
        names.sort_unstable();
        names.dedup();
        let change = |name: &String| {
            let (old, new) = (count(&before, name), count(&after, name));
            match new.cmp(&old) {
                std::cmp::Ordering::Greater => Some(format!("{name} +{}", new - old)),
                std::cmp::Ordering::Less => Some(format!("{name} -{}", old - new)),
                std::cmp::Ordering::Equal => None,
            }
        };
        let text = names.into_iter().filter_map(change).collect::<Vec<_>>().join("  ");
        if text.is_empty() { "(no change)".to_owned() } else { text }
    }
}

impl Board for ColouredBoard {
    fn title(&self) -> &str {
        &self.net.name
    }

    fn steps(&self) -> usize {
        self.history.events().len()
    }

    fn moves(&self) -> Vec<Move> {
        let it = |(event, next): (Event, Result<Marking, ModelError>)| Move {
            name: self.name(&event),
            effect: match next {
                Ok(next) => Ok(self.changes(self.history.now(), &next)),
                Err(error) => Err(format!("model error: {}", wrong(&self.net, &error, Some(&event)))),
            },
        };
        self.enabled().into_iter().map(it).collect()
    }

    fn play(&mut self, position: usize) -> Result<(String, String), Refusal> {
        let (event, next) = self.enabled().swap_remove(position);
        let next = next.map_err(|error| {
            // The way to it is the play itself.
            let broken = Broken::told(&self.net, self.source.as_ref(), &error, Some(&event), None);
            Refusal::Wrong(Box::new(broken))
        })?;
        let (name, changes) = (self.name(&event), self.changes(self.history.now(), &next));
        self.history.push(event, next);
        Ok((name, changes))
    }

    fn play_named(&mut self, name: &str) -> Option<Result<(), Refusal>> {
        let enabled = self.enabled();
        if let Some(position) = enabled.iter().position(|(event, _)| self.is_called(event, name)) {
            return Some(self.play(position).map(drop));
        }
        let head = name.split(['(', '@']).next().unwrap_or(name).trim_end();
        let transition = self.net.find_transition(head)?;
        if head != name {
            return Some(Err(Refusal::No(format!("{name} is not enabled"))));
        }
        let ways: Vec<usize> =
            (0..enabled.len()).filter(|position| enabled[*position].0.transition == transition).collect();
        Some(match ways.as_slice() {
            [only] => self.play(*only).map(drop),
            several => {
                let ways = several.iter().map(|position| self.name(&enabled[*position].0));
                Err(Refusal::No(which(name, ways)))
            }
        })
    }

    fn undo(&mut self) -> bool {
        self.history.undo()
    }

    fn forget(&mut self) {
        self.history.forget();
    }

    fn last(&self) -> Option<(String, String)> {
        let (event, before) = self.history.last()?;
        let name = self.net.event_name(event.transition, &event.binding);
        let name = match self.net.is_timed() {
            true => format!("{name}@{}", self.history.now().clock),
            false => name,
        };
        Some((name, self.changes(before, self.history.now())))
    }

    fn marking_line(&self) -> String {
        let spot = |(name, count): (String, u64)| match count {
            1 => name,
            count => format!("{name}:{}", grouped(count)),
        };
        let marking = self.shown(self.history.now()).into_iter().map(spot).collect::<Vec<_>>().join(" ");
        let marking = if marking.is_empty() { "no tokens at all".to_owned() } else { marking };
        match self.net.is_timed() {
            true => format!("time {}: {marking}", self.history.now().clock),
            false => marking,
        }
    }

    fn marking(&self) -> Vec<(String, u64)> {
        self.shown(self.history.now())
    }

    fn trace(&self) -> (Arc<Net>, Trace) {
        let told = story::tell(&self.net, &self.machine, [self.history.events()], &Budget::of(u64::MAX));
        let mut told = told.expect("every step of a play was fired");
        let trace = told.traces.pop().expect("one path makes one trace");
        (Arc::new(told.net), trace)
    }
}
