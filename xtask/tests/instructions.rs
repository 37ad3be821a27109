//! Exploration takes no more instructions per arc than it used to.

use std::path::Path;

use xtask::instructions::{Count, HOW_TO_UPDATE, Record, TOLERANCE, compiler, count, names};

#[test]
fn exploration_takes_no_more_instructions_than_recorded() {
    if !cfg!(debug_assertions) {
        eprintln!("skipped: the record is of builds in the profile of the tests");
        return;
    }
    let mut counts = Vec::new();
    for name in names() {
        match count(Path::new(env!("CARGO_BIN_EXE_xtask")), &name)
            .unwrap_or_else(|error| panic!("{name}: {error}"))
        {
            Some(count) => counts.push((name, count)),
            None => {
                return eprintln!("skipped: instructions are counted by valgrind, which is not installed");
            }
        }
    }
    let new = Record { compiler: compiler(), counts };
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(Record::path(), new.text()).expect("the record can be written");
        println!("recorded:\n{}", new.text());
        return;
    }
    let text = std::fs::read_to_string(Record::path()).expect("there is a record");
    let old = Record::parse(&text).expect("it is a record");
    if old.compiler != new.compiler {
        println!("the record was made by {}, this is {}: more is allowed", old.compiler, new.compiler);
    }
    for (name, count) in &new.counts {
        let recorded =
            old.counts.iter().find(|(other, _)| other == name).map_or(f64::NAN, |(_, old)| old.per_arc);
        println!("{name:<20} {:>8.1} instructions per arc, {recorded:.1} on record", count.per_arc);
        if count.per_arc < recorded * (1.0 - TOLERANCE) {
            println!("{:<20} much better than on record: {HOW_TO_UPDATE}", "");
        }
    }
    assert_eq!(old.objections(&new), Vec::<String>::new());
}

/// A record of one net.
fn record(compiler: &str, states: u64, per_arc: f64) -> Record {
    Record {
        compiler: compiler.to_owned(),
        counts: vec![("Kanban 3".to_owned(), Count { states, arcs: 10, per_arc })],
    }
}

#[test]
fn the_guard_speaks_up_when_more_is_needed_than_is_allowed() {
    let old = record("a", 5, 100.0);
    assert_eq!(old.objections(&record("a", 5, 114.0)), Vec::<String>::new());
    assert_eq!(old.objections(&record("a", 5, 50.0)), Vec::<String>::new());
    let slower = old.objections(&record("a", 5, 116.0));
    assert!(slower[0].contains("116.0 instructions per arc, 100.0 on record: 16 % more"), "{slower:?}");
    assert_eq!(old.objections(&record("a", 6, 100.0)).len(), 1, "another state space");
}

#[test]
fn another_compiler_is_given_more_room() {
    let old = record("a", 5, 100.0);
    assert_eq!(old.objections(&record("b", 5, 149.0)), Vec::<String>::new());
    assert_eq!(old.objections(&record("b", 5, 151.0)).len(), 1);
}

#[test]
fn a_net_without_a_record_is_an_objection() {
    let none = Record { compiler: "a".to_owned(), counts: Vec::new() };
    assert_eq!(none.objections(&record("a", 5, 100.0)).len(), 1);
}

#[test]
fn records_are_read_as_they_were_written() {
    let record = record("a", 5, 100.5);
    assert_eq!(Record::parse(&record.text()), Some(record));
}
