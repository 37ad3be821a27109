//! The models in `examples/`, explored on values by the plainest means: the same counts as their unfoldings have.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use sweepnet_colour::{Machine, Marking};
use sweepnet_language::format::format;
use sweepnet_language::{Model, read};

/// Parameters with other values than the model gives them.
type Parameters = &'static [(&'static str, i64)];

/// Example, parameters, states, arcs. The counts are those of papers, or were found on the net's unfolding, or, of
/// `timed`, by a program for this model alone.
const COUNTS: [(&str, Parameters, usize, usize); 12] = [
    ("database-managers", &[("N", 5)], 407, 1_091),
    ("dbm", &[], 109, 224),
    ("dining", &[], 491, 1_895),
    ("election", &[], 18_500, 44_142),
    ("eratos", &[], 739, 1_702),
    ("leader", &[], 603, 2_533),
    ("mutex", &[], 432, 1_440),
    ("peterson", &[("N", 2)], 158, 316),
    ("sliding-window", &[], 11_204, 37_593),
    ("stop-and-wait", &[], 2_576, 6_950),
    ("timed", &[], 180, 189),
    ("timed", &[("LOSSES", 0)], 16, 15),
];

fn examples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut examples: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|e| e == "snet")).collect();
    examples.sort();
    examples
}

fn model(name: &str, params: &[(&str, i64)]) -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(format!("{name}.snet"));
    let text = std::fs::read_to_string(&path).unwrap();
    let params: Vec<(String, i64)> = params.iter().map(|(name, value)| ((*name).into(), *value)).collect();
    let (model, warnings) = read(&text, &params)
        .unwrap_or_else(|errors| panic!("{}", errors[0].render(&path.display().to_string(), &text)));
    if params.is_empty() {
        assert!(warnings.is_empty(), "{name}: {}", warnings[0].render(name, &text));
    }
    model
}

fn explore(machine: &Machine) -> (usize, usize) {
    let (mut seen, mut open) = (HashSet::new(), vec![machine.initial().clone()]);
    seen.insert(machine.initial().clone());
    let (mut arcs, mut scratch) = (0, Default::default());
    while let Some(marking) = open.pop() {
        let _ = machine.successors(&marking, &mut scratch, &mut |_, next| {
            let next: &Marking = next.unwrap_or_else(|error| panic!("{error:?}"));
            arcs += 1;
            if seen.insert(next.clone()) {
                open.push(next.clone());
            }
            ControlFlow::Continue(())
        });
    }
    (seen.len(), arcs)
}

#[test]
fn values_and_unfoldings_have_as_many_states() {
    for (name, params, states, arcs) in COUNTS {
        let machine = Machine::new(&model(name, params).net);
        assert_eq!(explore(&machine), (states, arcs), "{name} {params:?}");
    }
}

#[test]
fn every_example_has_counts() {
    for path in examples() {
        let name = path.file_stem().unwrap().to_str().unwrap();
        assert!(COUNTS.iter().any(|(known, ..)| *known == name), "{name} has no counts");
    }
}

#[test]
fn examples_are_laid_out_as_everybody_does() {
    for path in examples() {
        let text = std::fs::read_to_string(&path).unwrap();
        let formatted = format(&text).unwrap_or_else(|errors| panic!("{}: {:?}", path.display(), errors[0]));
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&path, &formatted).unwrap();
            continue;
        }
        let differs = text.lines().zip(formatted.lines()).position(|(is, should)| is != should);
        assert!(text == formatted, "{}: line {}", path.display(), differs.map_or(0, |at| at + 1));
    }
}
