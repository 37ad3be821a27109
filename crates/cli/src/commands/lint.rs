//! `lint`: what is suspicious about a model, and what could be had cheaper.

mod parameters;

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use serde_json::json;
use sweepnet_colour::{UnfoldError, Unfolding};
use sweepnet_formats::Warning;
use sweepnet_language::Setting;
use sweepnet_logic::coloured::offers::{self, Offer};
use sweepnet_net::Net;
use sweepnet_structure::{Effort, Structure};

use crate::Ending;
use crate::args::{Input, Lint, Saying};
use crate::failure::Failure;
use crate::input::{self, Coloured, Given, Subject};
use crate::session::Session;

/// Unfoldings up to this size are looked at for invariants.
const MOST_NODES: usize = 1_000_000;

/// Runs `lint`.
pub fn run(args: &Lint) -> Result<Ending, Failure> {
    // Warnings are what is asked for: they go where results go.
    let quiet = Saying { json: false, quiet: true };
    let Given { subject, warnings } = input::read(&args.input, quiet, &Session::of_reader(None, None))?;
    let name = input::display_name(&args.input.model);
    let hints = match &subject {
        Subject::Coloured(coloured) => {
            let others = |parameters: &[(String, Setting)]| {
                // What comes from standard input cannot be read again.
                let is_file = args.input.model != Path::new("-");
                let input =
                    is_file.then(|| Input { parameters: parameters.to_vec(), ..args.input.clone() })?;
                let given = input::read(&input, quiet, &Session::of_reader(None, None)).ok()?;
                match given.subject {
                    Subject::Coloured(coloured) => Some(hints(&coloured)),
                    Subject::Plain(_) => None,
                }
            };
            parameters::named(hints(coloured), &coloured.scope.parameters(), others)
        }
        Subject::Plain(_) => Vec::new(),
    };
    let mut out = io::stdout().lock();
    if args.saying.json {
        let hints: Vec<_> = hints
            .iter()
            .map(|(place, definition)| json!({ "place": place, "derived": definition }))
            .collect();
        let summary = json!({
            "schema": "sweepnet/lint/1",
            "warnings": crate::report::json::warnings(&warnings, &[]),
            "derived": hints,
        });
        writeln!(out, "{summary:#}")?;
    } else {
        for Warning { line, column, message } in &warnings {
            writeln!(out, "warning: {name}:{line}:{column}: {message}")?;
        }
        for (place, definition) in &hints {
            writeln!(
                out,
                "hint: {name}: place '{place}' follows from others and need not be stored: derived {definition}"
            )?;
        }
        if !args.saying.quiet && warnings.is_empty() && hints.is_empty() {
            writeln!(out, "{name}: nothing to complain about")?;
        }
    }
    Ok(if warnings.is_empty() { Ending::Holds } else { Ending::Violated })
}

/// A place that could be derived, and its definition.
type Hint = (String, String);

/// Places that could be derived, with their definitions.
fn hints(coloured: &Coloured) -> Vec<Hint> {
    let net = &coloured.net;
    let told = |offer: Offer| Some((net.places[offer.place].id.to_string(), offer.text?));
    let structure = |net: &Arc<Net>| Structure::of(net, Effort::for_net(net));
    let unfolded = input::unfold_soon(net, MOST_NODES);
    offered(coloured, unfolded, structure).into_iter().filter_map(told).collect()
}

/// Places that could be derived; none where the net cannot be unfolded.
pub fn offered(
    coloured: &Coloured,
    unfolded: Result<Unfolding, UnfoldError>,
    structure: impl Fn(&Arc<Net>) -> Structure,
) -> Vec<Offer> {
    let Ok(unfolding) = unfolded else { return Vec::new() };
    let structure = structure(&unfolding.net);
    offers::of(&coloured.net, &unfolding, &structure)
}
