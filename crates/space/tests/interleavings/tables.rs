//! Whoever sees that a row is there sees all of it, and what it speaks of.

use std::sync::Mutex;
use std::sync::atomic::Ordering;

use sweepnet_space::Budget;
use sweepnet_space::product::tables::{HEADER, Tables, UNKNOWN};

use crate::{in_every_way, together};

#[test]
fn a_row_is_seen_whole_or_not_at_all() {
    in_every_way("one publishes a row, another reads it", || {
        let (tables, mut filling) = Tables::new(2, 2, 1, (true, false), &Budget::of(u64::MAX)).unwrap();
        let first = tables.number(&mut filling, &[1, 2]).unwrap();
        // One thread fills at a time: the lock of the automata is not what is looked at here.
        let shared = (tables, Mutex::new(filling));
        together(
            shared,
            move |(tables, filling)| {
                let filling = &mut filling.lock().unwrap();
                let next = tables.number(filling, &[3, 4]).unwrap();
                tables.set_due(next, 5);
                tables.pattern_number(filling, &[0b01], |_| 0b11).unwrap();
                let pattern = tables.pattern_number(filling, &[0b10], |_| 0b11).unwrap();
                tables.publish(filling, first, &[1, 1, pattern, next, UNKNOWN]).unwrap();
            },
            move |(tables, _)| {
                let Some(row) = tables.row(first) else { return };
                let cell = |at: usize| tables.cells()[row as usize + at].load(Ordering::Relaxed);
                assert_eq!([0, 1, 2].map(cell), [1, 1, 1]);
                let next = cell(HEADER);
                assert_eq!((next, cell(HEADER + 1)), (1, UNKNOWN));
                assert_eq!([0, 1].map(|word| tables.key_word(next, word)), [3, 4]);
                assert_eq!(tables.due(next), 5);
                let word = &tables.pattern(cell(2))[0];
                assert_eq!(word.load(Ordering::Relaxed), 0b10);
            },
        );
    });
}
