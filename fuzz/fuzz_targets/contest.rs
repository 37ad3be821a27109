//! Any bytes as a property file of the contest: what can be read is a question that reads back as it is printed.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use sweepnet_logic::contest::read_properties;
use sweepnet_logic::parse_property;
use sweepnet_net::{Net, NetBuilder};

static NET: LazyLock<Net> = LazyLock::new(|| {
    let mut net = NetBuilder::new("fuzz");
    for name in ["p1", "p2", "a b"] {
        net.place(name, 1).unwrap();
    }
    for name in ["t1", "t2"] {
        net.transition(name).unwrap();
    }
    net.build().unwrap()
});

fuzz_target!(|bytes: &[u8]| {
    match read_properties(bytes, &*NET, &*NET) {
        Ok(properties) => {
            for property in properties.into_iter().filter_map(|p| p.property.ok()) {
                // What is as deep as a file may be can be too deep for a line of text.
                if let Ok(read_back) = parse_property(&property.text, &NET) {
                    assert_eq!(read_back.question, property.question);
                }
            }
        }
        Err(error) => drop(error.to_string()),
    }
});
