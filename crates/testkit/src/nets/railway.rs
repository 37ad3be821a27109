//! A wide net with few tokens, as many nets of the Model Checking Contest are: hundreds of places that hold at
//! most one token each, hundreds of transitions of which two or three are enabled.

use sweepnet_net::Net;

use super::family;

/// A circular line of `sections`, each free or held by one of the `trains`, which all go the same way.
///
/// Trains cannot overtake, so a state is a set of sections and where the first train is among them:
/// t·C(s,t) states. A train that can go is in any section, with the next one free and the other trains anywhere
/// else: t·s·C(s-2,t-1) arcs. It has (t+1)·s places and t·s transitions.
///
/// # Panics
/// If the trains leave no section free.
pub fn railway(trains: usize, sections: usize) -> Net {
    assert!(trains < sections, "a train needs room to move");
    let mut transitions = Vec::new();
    for train in 0..trains {
        for here in 0..sections {
            let next = (here + 1) % sections;
            transitions.push(format!(
                "go{train}_{here}: at{train}_{here} free{next} -> at{train}_{next} free{here}"
            ));
        }
    }
    let at: Vec<String> = (0..trains).map(|train| format!("at{train}_{train}")).collect();
    let free: Vec<String> = (trains..sections).map(|section| format!("free{section}")).collect();
    let initial: Vec<(&str, u64)> = at.iter().chain(&free).map(|place| (place.as_str(), 1)).collect();
    family(&format!("Railway {trains}x{sections}"), &initial, &transitions)
}
