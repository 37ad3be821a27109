//! Members and their tags survive every move from one set to another.

use std::collections::HashMap;

use sweepnet_space::Budget;
use sweepnet_space::set::held::{AnyRank, Held, Kind, Translation};
use sweepnet_space::set::{RankSet, Shape};
use sweepnet_testkit::random::Random;

fn shape(bits: u32, budget: &Budget) -> Shape {
    Shape { bits, tagged: true, most: u64::MAX, expected: 1 << 20, budget: budget.clone() }
}

/// Ranks stay as they are.
struct Same;

impl Translation for Same {
    fn translate<const W: usize, const V: usize>(&mut self, rank: [u64; W]) -> [u64; V] {
        std::array::from_fn(|word| rank.get(word).copied().unwrap_or(0))
    }
}

fn tag_of(held: &Held, rank: AnyRank) -> Option<u8> {
    let [a, b, ..] = rank;
    match held {
        Held::Bitmap(set) => set.tag_of([a]),
        Held::Quotient1(set) => set.tag_of([a]),
        Held::Quotient2(set) => set.tag_of([a, b]),
        Held::Quotient4(set) => set.tag_of(rank),
        Held::Plain1(set) => set.tag_of([a]),
        Held::Plain2(set) => set.tag_of([a, b]),
        Held::Plain4(set) => set.tag_of(rank),
    }
}

#[test]
fn members_keep_their_tags_through_all_sets_and_widths() {
    let budget = Budget::of(u64::MAX);
    let mut random = Random::new(5);
    for size in [1, 3, 40, 700, 20_000] {
        let mut set = Held::new(Kind::Bitmap, 1, Some(1 << 20), &shape(20, &budget)).unwrap();
        let mut twin: HashMap<u64, u8> = HashMap::new();
        let Held::Bitmap(bitmap) = &set else { unreachable!() };
        let mut outbox = bitmap.outbox();
        for _ in 0..size {
            let (rank, tag) = (random.below(1 << 20), random.below(255) as u8);
            twin.entry(rank).or_insert(tag);
            bitmap.send(&mut outbox, [rank], tag, &mut |_| {}).unwrap();
            bitmap.flush(&mut outbox, tag, &mut |_| {}).unwrap();
        }
        let moves = [
            (Kind::Plain, 1, 20),
            (Kind::Quotient, 1, 20),
            (Kind::Quotient, 1, 37),
            (Kind::Bitmap, 1, 20),
            (Kind::Quotient, 2, 90),
            (Kind::Plain, 4, 200),
            (Kind::Quotient, 4, 150),
            (Kind::Plain, 2, 65),
            (Kind::Quotient, 1, 20),
        ];
        for (kind, words, bits) in moves {
            let shape = shape(bits, &budget);
            let fresh = Held::new(kind, words, Some(1 << bits.min(20)), &shape).unwrap();
            let [intake, _] = set.intakes(kind);
            set.pour_into(&fresh, &mut Same, &shape, intake).unwrap();
            set = fresh;
            assert_eq!(set.len(), twin.len() as u64);
            for (rank, tag) in &twin {
                assert_eq!(
                    tag_of(&set, [*rank, 0, 0, 0]),
                    Some(*tag),
                    "{kind:?}, {bits} bits, {size} states"
                );
            }
            let mut seen = 0;
            set.each(&mut |rank| {
                assert!(twin.contains_key(&rank[0]));
                seen += 1;
            });
            assert_eq!(seen, twin.len());
        }
    }
    assert_eq!(budget.used(), 0);
}

/// A set with these members.
fn filled(kind: Kind, members: &[u64], shape: &Shape) -> Held {
    let set = Held::new(kind, 1, Some(1 << 25), shape).unwrap();
    match &set {
        Held::Bitmap(set) => fill(set, members),
        Held::Quotient1(set) => fill(set, members),
        _ => unreachable!(),
    }
    set
}

fn fill<S: RankSet<1>>(set: &S, members: &[u64]) {
    let mut outbox = set.outbox();
    members.iter().for_each(|rank| set.send(&mut outbox, [*rank], 0, &mut |_| {}).unwrap());
    set.flush(&mut outbox, 0, &mut |_| {}).unwrap();
}

#[test]
fn a_set_is_moved_without_a_second_copy() {
    let mut random = Random::new(11);
    let members: Vec<u64> = (0..1_000_000).map(|_| random.below(1 << 25)).collect();
    let with = |limit| Shape { tagged: false, ..shape(25, &Budget::of(limit)) };
    for (from, to) in [(Kind::Quotient, Kind::Quotient), (Kind::Bitmap, Kind::Quotient)] {
        let shape = with(u64::MAX);
        let alone = [from, to].map(|kind| filled(kind, &members, &shape).bytes()).into_iter().max().unwrap();
        let before = filled(from, &members, &shape);
        let [_, intake] = before.intakes(to);
        let in_motion = before.in_motion(intake);
        drop(before);
        let shape = with((alone * 9 / 8 + in_motion) as u64);
        let set = filled(from, &members, &shape);
        let len = set.len();
        let fresh = Held::new(to, 1, Some(1 << 25), &shape).unwrap();
        let moving = shape.budget.hold(in_motion).unwrap();
        set.pour_into(&fresh, &mut Same, &shape, intake).unwrap();
        drop(moving);
        assert_eq!(fresh.len(), len);
    }
}
