//! `simulate`: the token game in the terminal.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::Path;

use sweepnet_net::{Marking, Net, TransitionId};
use sweepnet_space::Trace;

use crate::Ending;
use crate::args::Simulate;
use crate::failure::Failure;
use crate::input;
use crate::output::Draft;
use crate::quantity::{counted, grouped};
use crate::report::{json, trace};
use crate::scenario;

/// Runs `simulate`.
pub fn run(args: &Simulate) -> Result<Ending, Failure> {
    let (net, warnings) = input::read_net(&args.input, args.saying, None)?;
    let mut game = Game::new(&net, args.seed);
    let mut out = io::stdout().lock();
    if let Some(path) = &args.replay {
        replay(path, &mut game)?;
    }
    match args.random {
        Some(steps) => play_at_random(&mut game, steps, args.saying.json, &mut out)?,
        None if args.saying.json => {}
        None => play(&mut game, &mut out)?,
    }
    if args.saying.json {
        let summary = serde_json::json!({
            "schema": "sweepnet/simulate/1",
            "model": net.name,
            "seed": args.seed,
            "trace": json::trace(&net, &game.trace()),
            "warnings": json::warnings(&warnings, &[]),
            "enabled": game.enabled().iter().map(|t| &*net.transition(*t).id).collect::<Vec<_>>(),
        });
        writeln!(out, "{summary:#}")?;
    }
    Ok(Ending::Holds)
}

/// Fires transitions at random and shows each; what is past is forgotten, but for the events that JSON shows.
fn play_at_random(game: &mut Game<'_>, steps: u64, json: bool, out: &mut impl Write) -> Result<(), Failure> {
    let width = trace::name_width(game.net);
    if !json && !game.events.is_empty() {
        // What was replayed comes first.
        trace::print(out, game.net, &game.trace(), false, "")?;
    }
    if steps == 0 {
        return Ok(());
    }
    for step in 1..=steps {
        let before = game.marking().clone();
        match game.fire_random() {
            Some(Ok(event)) => {
                game.markings.swap_remove(0);
                if !json {
                    game.events.clear();
                    let name = trace::transition_name(game.net, event);
                    writeln!(
                        out,
                        "{step:>4}  {name:<width$}  {}",
                        trace::changes(game.net, &before, game.marking())
                    )?;
                }
            }
            Some(Err(why)) => {
                writeln!(out, "{why}")?;
                break;
            }
            None if json => break,
            None => {
                writeln!(out, "dead after {}", counted(step - 1, "step"))?;
                break;
            }
        }
    }
    if !json {
        writeln!(out, "ends in {}", trace::marking_line(game.net, game.marking(), false))?;
    }
    Ok(())
}

/// A play: where it is and how it came there.
struct Game<'a> {
    net: &'a Net,
    events: Vec<TransitionId>,
    markings: Vec<Marking>,
    random: u64,
}

impl<'a> Game<'a> {
    fn new(net: &'a Net, seed: u64) -> Self {
        Self { net, events: Vec::new(), markings: vec![net.initial_marking()], random: seed }
    }

    fn marking(&self) -> &Marking {
        self.markings.last().expect("there is always a marking")
    }

    fn enabled(&self) -> Vec<TransitionId> {
        self.net.enabled(self.marking()).collect()
    }

    fn fire(&mut self, t: TransitionId) -> Result<(), String> {
        let next = self.net.fire(self.marking(), t).map_err(|error| match error {
            sweepnet_net::FireError::NotEnabled => self.why_not(t),
            other => other.to_string(),
        })?;
        self.events.push(t);
        self.markings.push(next);
        Ok(())
    }

    /// What keeps a transition from firing.
    fn why_not(&self, t: TransitionId) -> String {
        let (net, marking) = (self.net, self.marking());
        let mut reasons = Vec::new();
        for arc in net.inputs().of(t).iter().chain(net.reads().of(t)) {
            if marking[arc.place] < arc.weight {
                let place = &net.place(arc.place).id;
                reasons.push(format!(
                    "{place} has {} of {}",
                    grouped(marking[arc.place]),
                    grouped(arc.weight)
                ));
            }
        }
        for arc in net.inhibitors().of(t) {
            if marking[arc.place] >= arc.weight {
                let place = &net.place(arc.place).id;
                let (has, limit) = (grouped(marking[arc.place]), grouped(arc.weight));
                reasons.push(format!("{place} has {has}, and inhibits from {limit} on"));
            }
        }
        format!("{} is not enabled: {}", net.transition(t).id, reasons.join(", "))
    }

    fn undo(&mut self) -> bool {
        let undone = self.events.pop().is_some();
        if undone {
            self.markings.pop();
        }
        undone
    }

    /// Fires one of the enabled transitions and tells which; nothing if there is none.
    fn fire_random(&mut self) -> Option<Result<TransitionId, String>> {
        let enabled = self.enabled();
        // SplitMix64: the same seed gives the same play on every machine.
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.random;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        let chosen = *enabled.get((z % enabled.len().max(1) as u64) as usize)?;
        Some(self.fire(chosen).map(|()| chosen))
    }

    /// The play so far.
    fn trace(&self) -> Trace {
        Trace::replay(self.net, self.events.clone()).expect("every step of a play was fired")
    }
}

const HELP: &str = "  NUMBER           fire that transition of the list
  NAME, f NAME     fire that transition; with f also if it is called like a command
  u [N]            undo the last N steps (1)
  r [N]            fire N transitions at random (1)
  m                show the whole marking
  t                show the steps so far
  reset            back to the initial marking
  w FILE           write the steps to a file (simulate --replay reads it)
  q                quit";

/// Transitions listed at a time.
const LISTED: usize = 30;

fn play(game: &mut Game<'_>, out: &mut impl Write) -> Result<(), Failure> {
    let interactive = io::stdin().is_terminal();
    writeln!(out, "Playing {}. ? lists the commands.", game.net.name)?;
    show(game, out, false)?;
    let mut line = String::new();
    loop {
        if interactive {
            write!(out, "> ")?;
            out.flush()?;
        }
        line.clear();
        match io::stdin().lock().read_line(&mut line) {
            Ok(0) => {
                if interactive {
                    writeln!(out)?;
                }
                return Ok(());
            }
            Ok(_) => {}
            Err(error) => return Err(Failure::input(format!("cannot read the commands: {error}"))),
        }
        match obey(game, line.trim(), out)? {
            Said::Quit => return Ok(()),
            Said::Moved => show(game, out, true)?,
            Said::Back => show(game, out, false)?,
            Said::Stayed => {}
        }
    }
}

enum Said {
    Quit,
    Moved,
    Back,
    Stayed,
}

fn obey(game: &mut Game<'_>, line: &str, out: &mut impl Write) -> Result<Said, Failure> {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let times = || if rest.is_empty() { Ok(1) } else { crate::quantity::parse_count(rest) };
    match (word, times()) {
        ("", _) => Ok(Said::Stayed),
        ("q" | "quit" | "exit", _) => Ok(Said::Quit),
        ("?" | "h" | "help", _) => {
            writeln!(out, "{HELP}")?;
            Ok(Said::Stayed)
        }
        ("m" | "marking", _) => {
            for place in game.net.place_ids() {
                writeln!(out, "  {:<30} {}", game.net.place(place).id, grouped(game.marking()[place]))?;
            }
            Ok(Said::Stayed)
        }
        ("t" | "trace", _) => {
            trace::print(out, game.net, &game.trace(), false, "  ")?;
            Ok(Said::Stayed)
        }
        ("u" | "undo", Ok(times)) => {
            for _ in 0..times {
                if !game.undo() {
                    writeln!(out, "This is the initial marking.")?;
                    break;
                }
            }
            Ok(Said::Back)
        }
        ("r" | "random", Ok(times)) => {
            for _ in 0..times {
                match game.fire_random() {
                    Some(Ok(event)) => writeln!(out, "  {}", trace::transition_name(game.net, event))?,
                    Some(Err(why)) => {
                        writeln!(out, "{why}")?;
                        break;
                    }
                    None => break,
                }
            }
            Ok(Said::Moved)
        }
        ("reset", _) => {
            while game.undo() {}
            Ok(Said::Back)
        }
        ("f" | "fire", _) if !rest.is_empty() => match game.net.find_transition(rest) {
            Some(t) => fire(game, t, out),
            None => {
                writeln!(out, "There is no transition '{rest}'.")?;
                Ok(Said::Stayed)
            }
        },
        ("w" | "write", _) if !rest.is_empty() => {
            match save(game, Path::new(rest)) {
                Ok(()) => writeln!(out, "{} written to {rest}", counted(game.events.len() as u64, "step"))?,
                Err(failure) => writeln!(out, "{failure}")?,
            }
            Ok(Said::Stayed)
        }
        ("u" | "undo" | "r" | "random", Err(why)) => {
            writeln!(out, "{why}")?;
            Ok(Said::Stayed)
        }
        _ => match line.parse::<usize>() {
            Ok(number) => match game.enabled().get(number.wrapping_sub(1)) {
                Some(t) => fire(game, *t, out),
                None => {
                    writeln!(out, "There are {} enabled transitions, from 1 on.", game.enabled().len())?;
                    Ok(Said::Stayed)
                }
            },
            Err(_) => match game.net.find_transition(line) {
                Some(t) => fire(game, t, out),
                None => {
                    writeln!(out, "'{line}' is neither a transition nor a command. ? lists the commands.")?;
                    Ok(Said::Stayed)
                }
            },
        },
    }
}

fn fire(game: &mut Game<'_>, t: TransitionId, out: &mut impl Write) -> Result<Said, Failure> {
    match game.fire(t) {
        Ok(()) => Ok(Said::Moved),
        Err(why) => {
            writeln!(out, "{why}")?;
            Ok(Said::Stayed)
        }
    }
}

/// Shows where the play is, after a step forward also what that changed.
fn show(game: &Game<'_>, out: &mut impl Write, forward: bool) -> io::Result<()> {
    let step = game.events.len();
    if let Some(last) = game.events.last().filter(|_| forward) {
        let name = trace::transition_name(game.net, *last);
        writeln!(out, "{name}: {}", trace::changes(game.net, &game.markings[step - 1], game.marking()))?;
    }
    writeln!(out, "step {}: {}", grouped(step as u64), trace::marking_line(game.net, game.marking(), false))?;
    let enabled = game.enabled();
    if enabled.is_empty() {
        return writeln!(out, "Nothing is enabled: this is a deadlock.");
    }
    for (number, t) in enabled.iter().enumerate().take(LISTED) {
        let name = trace::transition_name(game.net, *t);
        match game.net.fire(game.marking(), *t) {
            Ok(next) => {
                writeln!(
                    out,
                    "{:>4}  {name:<20}  {}",
                    number + 1,
                    trace::changes(game.net, game.marking(), &next)
                )?;
            }
            Err(error) => writeln!(out, "{:>4}  {name:<20}  {error}", number + 1)?,
        }
    }
    if enabled.len() > LISTED {
        writeln!(out, "      … and {} more", enabled.len() - LISTED)?;
    }
    Ok(())
}

fn save(game: &Game<'_>, path: &Path) -> Result<(), Failure> {
    let mut draft = Draft::new(path)?;
    writeln!(draft, "# {}", game.net.name.replace('\n', " "))?;
    scenario::write(&mut draft, game.net, &game.events)?;
    draft.finish()
}

/// Fires the transitions of a scenario file.
fn replay(path: &Path, game: &mut Game<'_>) -> Result<(), Failure> {
    let name = input::display_name(path);
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::input(format!("cannot read {name}: {error}")))?;
    for (line, word) in scenario::words(&text) {
        let word = word.map_err(|why| Failure::input(format!("{name}: line {line}: {why}")))?;
        let t = game
            .net
            .find_transition(&word)
            .ok_or_else(|| Failure::input(format!("{name}: line {line}: there is no transition '{word}'")))?;
        game.fire(t).map_err(|why| Failure::input(format!("{name}: line {line}: {why}")))?;
    }
    Ok(())
}
