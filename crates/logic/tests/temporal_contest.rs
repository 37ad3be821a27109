//! The contest's formulas of branching and linear time, and liveness, against the verdicts that are known.

#[path = "common/graphs.rs"]
mod graphs;

use std::fs::File;
use std::io::BufReader;
use std::time::Instant;

use graphs::explored;
use sweepnet_colour::unfold::Limits;
use sweepnet_formats::{Format, Model, Options, read};
use sweepnet_logic::check::{Undecided, Verdict};
use sweepnet_logic::contest::read_properties;
use sweepnet_logic::{Answer, NoFacts, Predicate, Question};
use sweepnet_net::Net;
use sweepnet_testkit::shared::{self, Instance};

/// What is compared in every test run: nets of so many states.
const SMALL: u128 = 10_000;
const LARGE: u128 = 100_000;
/// Unfolded nets may have so many transitions: the naive firing rule tries them all.
const TRANSITIONS: usize = 1_000;

fn net_of(instance: &Instance) -> Option<Net> {
    let file = BufReader::new(File::open(instance.model()).ok()?);
    match read(file, Format::Pnml, &Options::default()).ok()?.model {
        Model::Plain(net) => Some(net),
        Model::Coloured(net) => {
            let limits = Limits { nodes: 100_000, go_on: &|| true };
            net.unfold(&limits).ok().map(|unfolding| Net::clone(&unfolding.net))
        }
    }
}

fn verdict(answer: &Answer) -> &'static str {
    match answer.verdict {
        Verdict::Holds => "TRUE",
        Verdict::Violated => "FALSE",
        Verdict::Unknown => "?",
    }
}

/// What is asked, with the known verdicts.
fn questions(instance: &Instance, net: &Net) -> Vec<(String, Question, String)> {
    let mut asked = Vec::new();
    for examination in ["CTLCardinality", "CTLFireability", "LTLCardinality", "LTLFireability"] {
        let path = instance.folder.join(examination).with_extension("xml");
        let Ok(file) = File::open(&path) else { continue };
        let known = instance.expected(examination);
        for property in read_properties(BufReader::new(file), net, net).expect("it is a property file") {
            let verdict = known.iter().find(|(id, _)| *id == property.id).map(|(_, verdict)| verdict.clone());
            let question = property.property.expect("it is supported").question;
            if let Some(verdict) = verdict.filter(|verdict| verdict == "TRUE" || verdict == "FALSE") {
                asked.push((property.id, question, verdict));
            }
        }
    }
    for (heading, question) in [("live", Question::Live), ("reversible", Question::Home(Predicate::Initial))]
    {
        if let Some(known) = instance.answer(heading).filter(|known| matches!(*known, "TRUE" | "FALSE")) {
            asked.push((heading.to_owned(), question, known.to_owned()));
        }
    }
    asked
}

fn compare(states: std::ops::RangeInclusive<u128>, at_least: usize) {
    let (mut nets, mut formulas, mut shown, mut wrong) = (0, 0, 0, Vec::new());
    for instance in shared::contest() {
        if !instance.number("states").is_some_and(|known| states.contains(&known)) {
            continue;
        }
        let Some(net) = net_of(&instance).filter(|net| net.transitions().len() <= TRANSITIONS) else {
            continue;
        };
        let start = Instant::now();
        let Some(mut graph) = explored(&net, *states.end() as usize) else { continue };
        let (built, asked) = (start.elapsed(), questions(&instance, &net));
        // Simplified or not, the answer is the same.
        for simplified in [true, false] {
            let all: Vec<Question> = asked
                .iter()
                .map(
                    |(_, question, _)| {
                        if simplified { question.simplify(&NoFacts) } else { question.clone() }
                    },
                )
                .collect();
            for ((id, question, known), answer) in asked.iter().zip(graph.answers(&net, &all)) {
                assert!(!matches!(answer.undecided, Some(Undecided::NotReplayed(_))), "{id}: {answer:?}");
                if verdict(&answer) != known {
                    let text = question.display(&net);
                    wrong.push(format!(
                        "{} {id}: {} instead of {known}: {text}",
                        instance.name,
                        verdict(&answer)
                    ));
                }
                shown += usize::from(answer.trace.is_some());
            }
        }
        nets += 1;
        formulas += asked.len();
        println!(
            "{}: {} states, built in {built:.1?}, {} formulas in {:.1?}",
            instance.name,
            graph.edges.len(),
            asked.len(),
            start.elapsed() - built
        );
    }
    println!("{formulas} formulas about {nets} nets compared, {shown} paths shown");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(nets >= at_least || shared::models().is_none());
}

#[test]
fn known_verdicts_about_small_nets() {
    compare(0..=SMALL, 20);
}

#[test]
#[ignore = "takes minutes"]
fn known_verdicts_about_larger_nets() {
    compare(SMALL + 1..=LARGE, 20);
}
