//! `simulate`: the token game in the terminal.

mod board;
mod coloured;
mod history;

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::Path;

use sweepnet_colour::ColouredNet;

use crate::Ending;
use crate::args::Simulate;
use crate::failure::Failure;
use crate::input::{self, Given, Subject};
use crate::output::Draft;
use crate::quantity::{counted, grouped};
use crate::report::{json, trace};
use crate::scenario;
use crate::session::Session;
use board::{Board, PlainBoard, Refusal};
use coloured::ColouredBoard;

/// Runs `simulate`.
pub fn run(args: &Simulate) -> Result<Ending, Failure> {
    let is_input = |path: &Path| path == Path::new("-");
    if is_input(&args.input.model) && args.replay.as_deref().is_some_and(is_input) {
        return Err(Failure::input(
            "standard input can be read only once: give the model or the steps as a file",
        ));
    }
    let Given { subject, warnings } = input::read(&args.input, args.saying, &Session::of_reader(None, None))?;
    let mut game = Game { board: board(subject), random: args.seed };
    let mut out = io::stdout().lock();
    if let Some(path) = &args.replay {
        replay(path, &mut game)?;
    }
    let mut refused = None;
    match args.random {
        Some(steps) => refused = play_at_random(&mut game, steps, args.saying.json, &mut out)?,
        None if args.saying.json => {}
        None => play(&mut game, &mut out)?,
    }
    if args.saying.json {
        let (net, trace) = game.board.trace();
        let enabled: Vec<String> = game.board.moves().into_iter().map(|it| it.name).collect();
        let summary = serde_json::json!({
            "schema": "sweepnet/simulate/1",
            "model": game.board.title(),
            "seed": args.seed,
            "trace": json::trace(&net, &trace),
            "warnings": json::warnings(&warnings, &[]),
            "enabled": enabled,
            "model_error": match &refused {
                Some(Refusal::Wrong(broken)) => broken.json(),
                _ => serde_json::Value::Null,
            },
        });
        writeln!(out, "{summary:#}")?;
    }
    Ok(if refused.is_some() { Ending::ModelError } else { Ending::Holds })
}

/// Unfoldings up to this size are played on; others are not worth the wait.
const MOST_NODES: usize = 500_000;

/// The board for a model.
fn board(subject: Subject) -> Box<dyn Board> {
    match subject {
        Subject::Plain(net) => Box::new(PlainBoard::new(net)),
        Subject::Coloured(coloured) => match input::unfold_soon(&coloured.net, MOST_NODES) {
            // Where the model may be wrong, the coloured net tells how.
            Ok(unfolding) if unfolding.faults.is_empty() && !makes_promises(&coloured.net) => {
                Box::new(PlainBoard::new(unfolding.net))
            }
            _ => Box::new(ColouredBoard::new(*coloured)),
        },
    }
}

/// Whether a net has capacities or derived places.
fn makes_promises(net: &ColouredNet) -> bool {
    net.places.iter().any(|place| place.capacity.is_some() || place.derived.is_some())
}

/// Makes moves at random and shows each; what is past is forgotten, unless JSON shows it. Tells what ended it too early.
fn play_at_random(
    game: &mut Game,
    steps: u64,
    json: bool,
    out: &mut impl Write,
) -> Result<Option<Refusal>, Failure> {
    if !json && game.board.steps() > 0 {
        // What was replayed comes first.
        let (net, trace) = game.board.trace();
        trace::print(out, &net, &trace, false, "")?;
    }
    if steps == 0 {
        return Ok(None);
    }
    let mut refused = None;
    for step in 1..=steps {
        match game.play_random() {
            Some(Ok((name, changes))) => {
                if !json {
                    game.board.forget();
                    writeln!(out, "{step:>4}  {name:<NAME_WIDTH$}  {changes}")?;
                }
            }
            Some(Err(why)) => {
                complain!("{why}");
                refused = Some(why);
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
        writeln!(out, "ends in {}", game.board.marking_line())?;
    }
    Ok(refused)
}

/// Names up to this width are aligned.
const NAME_WIDTH: usize = 20;

/// A play: a board, and chance.
struct Game {
    board: Box<dyn Board>,
    random: u64,
}

impl Game {
    /// Makes one of the possible moves and tells which; nothing if there is none.
    fn play_random(&mut self) -> Option<Result<(String, String), Refusal>> {
        let count = self.board.moves().len();
        // SplitMix64: the same seed gives the same play on every machine.
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.random;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        (count > 0).then(|| self.board.play((z % count as u64) as usize))
    }
}

const HELP: &str = "  NUMBER           fire that transition of the list
  NAME, f NAME     fire that transition; with f also if it is called like a command. Where a transition has
                   variables and can fire in one way only, its name is enough
  u [N]            undo the last N steps (1)
  r [N]            fire N transitions at random (1)
  m                show the whole marking
  t                show the steps so far
  reset            back to the initial marking
  w FILE           write the steps to a file (simulate --replay reads it)
  q                quit";

/// Transitions listed at a time.
const LISTED: usize = 30;

fn play(game: &mut Game, out: &mut impl Write) -> Result<(), Failure> {
    let interactive = io::stdin().is_terminal();
    writeln!(out, "Playing {}. ? lists the commands.", game.board.title())?;
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

fn obey(game: &mut Game, line: &str, out: &mut impl Write) -> Result<Said, Failure> {
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
            for (place, tokens) in game.board.marking() {
                writeln!(out, "  {place:<30} {}", grouped(tokens))?;
            }
            Ok(Said::Stayed)
        }
        ("t" | "trace", _) => {
            let (net, trace) = game.board.trace();
            trace::print(out, &net, &trace, false, "  ")?;
            Ok(Said::Stayed)
        }
        ("u" | "undo", Ok(times)) => {
            for _ in 0..times {
                if !game.board.undo() {
                    writeln!(out, "This is the initial marking.")?;
                    break;
                }
            }
            Ok(Said::Back)
        }
        ("r" | "random", Ok(times)) => {
            for _ in 0..times {
                match game.play_random() {
                    Some(Ok((name, _))) => writeln!(out, "  {name}")?,
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
            while game.board.undo() {}
            Ok(Said::Back)
        }
        ("f" | "fire", _) if !rest.is_empty() => match game.board.play_named(rest) {
            Some(played) => moved(played, out),
            None => {
                writeln!(out, "There is no transition '{rest}'.")?;
                Ok(Said::Stayed)
            }
        },
        ("w" | "write", _) if !rest.is_empty() => {
            match save(game, Path::new(rest)) {
                Ok(()) => writeln!(out, "{} written to {rest}", counted(game.board.steps() as u64, "step"))?,
                Err(failure) => writeln!(out, "{failure}")?,
            }
            Ok(Said::Stayed)
        }
        ("u" | "undo" | "r" | "random", Err(why)) => {
            writeln!(out, "{why}")?;
            Ok(Said::Stayed)
        }
        _ => match line.parse::<usize>() {
            Ok(number) => match game.board.moves().len() {
                count if (1..=count).contains(&number) => moved(game.board.play(number - 1).map(drop), out),
                count => {
                    writeln!(out, "There are {count} enabled transitions, from 1 on.")?;
                    Ok(Said::Stayed)
                }
            },
            Err(_) => match game.board.play_named(line) {
                Some(played) => moved(played, out),
                None => {
                    writeln!(out, "'{line}' is neither a transition nor a command. ? lists the commands.")?;
                    Ok(Said::Stayed)
                }
            },
        },
    }
}

fn moved(played: Result<(), Refusal>, out: &mut impl Write) -> Result<Said, Failure> {
    match played {
        Ok(()) => Ok(Said::Moved),
        Err(why) => {
            writeln!(out, "{why}")?;
            Ok(Said::Stayed)
        }
    }
}

/// Shows where the play is, after a step forward also what that changed.
fn show(game: &Game, out: &mut impl Write, forward: bool) -> io::Result<()> {
    let board = &game.board;
    if let Some((name, changes)) = board.last().filter(|_| forward) {
        writeln!(out, "{name}: {changes}")?;
    }
    writeln!(out, "step {}: {}", grouped(board.steps() as u64), board.marking_line())?;
    let enabled = board.moves();
    if enabled.is_empty() {
        return writeln!(out, "Nothing is enabled: this is a deadlock.");
    }
    for (number, it) in enabled.iter().enumerate().take(LISTED) {
        let (name, effect) = (&it.name, it.effect.as_ref().unwrap_or_else(|why| why));
        writeln!(out, "{:>4}  {name:<NAME_WIDTH$}  {effect}", number + 1)?;
    }
    if enabled.len() > LISTED {
        writeln!(out, "      … and {} more", enabled.len() - LISTED)?;
    }
    Ok(())
}

fn save(game: &Game, path: &Path) -> Result<(), Failure> {
    let mut draft = Draft::new(path)?;
    writeln!(draft, "# {}", game.board.title().replace('\n', " "))?;
    let (net, trace) = game.board.trace();
    scenario::write(&mut draft, &net, &trace.events)?;
    draft.finish()
}

/// Fires the transitions of a scenario file.
fn replay(path: &Path, game: &mut Game) -> Result<(), Failure> {
    let name = input::display_name(path);
    let text = match path == Path::new("-") {
        true => io::read_to_string(io::stdin()),
        false => std::fs::read_to_string(path),
    };
    let text = text.map_err(|error| Failure::input(format!("cannot read {name}: {error}")))?;
    for (line, word) in scenario::words(&text) {
        let word = word.map_err(|why| Failure::input(format!("{name}: line {line}: {why}")))?;
        let played = game.board.play_named(&word);
        played
            .unwrap_or_else(|| Err(Refusal::No(format!("there is no transition '{word}'"))))
            .map_err(|why| Failure::input(format!("{name}: line {line}: {why}")))?;
    }
    Ok(())
}
