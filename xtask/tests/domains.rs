//! On coloured markings, what an event costs does not depend on domains that it does not look into.

use std::path::Path;

use xtask::domains::{SIZES, TOLERANCE, count};

#[test]
fn an_event_costs_the_same_beside_any_domain() {
    let program = Path::new(env!("CARGO_BIN_EXE_xtask"));
    let mut smallest = None;
    for size in SIZES {
        let Some(found) = count(program, size).unwrap_or_else(|error| panic!("{size}: {error}")) else {
            return eprintln!("skipped: instructions are counted by valgrind, which is not installed");
        };
        println!("{size:>15} values: {:.1} instructions per arc", found.per_arc);
        let first = *smallest.get_or_insert(found);
        assert_eq!((found.states, found.arcs), (first.states, first.arcs), "the same happens");
        assert!(
            found.per_arc < first.per_arc * (1.0 + TOLERANCE),
            "{size} values: {:.1} instructions per arc, {:.1} with {} values",
            found.per_arc,
            first.per_arc,
            SIZES[0]
        );
    }
}
