//! Any text against a small net: a question that reads back as it is printed, or errors that can be printed.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use sweepnet_logic::{NoFacts, Question, parse_properties, parse_property};
use sweepnet_net::{Net, NetBuilder};

static NET: LazyLock<Net> = LazyLock::new(|| {
    let mut net = NetBuilder::new("fuzz");
    for name in ["p1", "p2", "and", "property", "a b", "7", "x.y'", "{\\\"\n}"] {
        let place = net.place(name, 1).unwrap();
        net.label_place(place, "twin");
    }
    for name in ["t1", "t2", "not", "a-b", ""] {
        net.transition(name).unwrap();
    }
    net.build().unwrap()
});

fuzz_target!(|text: &str| {
    match parse_property(text, &NET) {
        Ok(property) => {
            let printed = property.question.display(&NET).to_string();
            assert_eq!(parse_property(&printed, &NET).unwrap().question, property.question);
            if let Question::Invariant(predicate) = &property.question {
                let simple = predicate.simplify(&NoFacts);
                assert_eq!(simple.simplify(&NoFacts), simple);
            }
        }
        Err(error) => drop(error.to_string()),
    }
    for error in parse_properties(text, &NET).err().unwrap_or_default() {
        drop(error.to_string());
    }
});
