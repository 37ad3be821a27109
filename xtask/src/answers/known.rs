//! Questions with known answers.

use std::fs::File;
use std::io::BufReader;

use sweepnet_logic::{Property, contest, parse_property};
use sweepnet_net::Net;
use sweepnet_testkit::shared::Instance;

/// Questions, each with what is known.
#[derive(Debug, Default)]
pub(super) struct Known {
    pub(super) properties: Vec<Property>,
    pub(super) answers: Vec<String>,
    /// What could not be read, and why.
    pub(super) unread: Vec<String>,
}

/// What single markings decide, or all of them.
pub(super) fn about_markings(instance: &Instance, net: &Net) -> Known {
    let global = [
        ("deadlock", "reachable deadlock"),
        ("quasi_live", "quasi-live"),
        ("stable_marking", "some-stable"),
        ("safe", "safe"),
    ];
    let examinations = ["ReachabilityCardinality", "ReachabilityFireability", "UpperBounds"];
    Known::default().global(instance, net, &global).formulas(instance, net, &examinations)
}

/// What paths decide.
pub(super) fn about_paths(instance: &Instance, net: &Net) -> Known {
    let global = [("live", "live"), ("reversible", "reversible")];
    let examinations = ["CTLCardinality", "CTLFireability", "LTLCardinality", "LTLFireability"];
    Known::default().global(instance, net, &global).formulas(instance, net, &examinations)
}

impl Known {
    /// Questions about the whole net: the heading of the table, and how it is asked.
    fn global(mut self, instance: &Instance, net: &Net, questions: &[(&str, &str)]) -> Self {
        for (heading, text) in questions {
            if let Some(answer) = instance.answer(heading) {
                let property = parse_property(text, net).expect("it is a property");
                self.properties.push(Property { name: (*heading).to_owned(), ..property });
                self.answers.push(answer.to_owned());
            }
        }
        self
    }

    /// The formulas of examinations.
    fn formulas(mut self, instance: &Instance, net: &Net, examinations: &[&str]) -> Self {
        for examination in examinations {
            let expected = instance.expected(examination);
            let path = instance.folder.join(format!("{examination}.xml"));
            // Some instances come with verdicts but without the formulas.
            let Ok(file) = File::open(&path) else { continue };
            let read = contest::read_properties(BufReader::new(file), net, net);
            for property in read.unwrap_or_else(|error| panic!("{}: {error}", path.display())) {
                let Some((_, answer)) = expected.iter().find(|(id, _)| *id == property.id) else { continue };
                match property.property {
                    Ok(resolved) => {
                        self.properties.push(Property { name: property.id, ..resolved });
                        self.answers.push(answer.clone());
                    }
                    Err(why) => self.unread.push(format!("{}: {why}", property.id)),
                }
            }
        }
        self
    }
}
