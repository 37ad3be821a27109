//! Every set of ranks obeys the same laws. A new set joins by one line at the end.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use sweepnet_space::budget::Charged;
use sweepnet_space::set::{Bitmap, Plain, Quotient, RankSet, Shape};
use sweepnet_space::{Budget, Full};
use sweepnet_testkit::random::Random;

type Rank<const W: usize> = [u64; W];

/// How a set is made; nothing if it is not meant for such ranks.
type Make<S> = fn(&Shape) -> Option<Result<S, Full>>;

fn unlimited(bits: u32, tagged: bool) -> Shape {
    Shape { bits, tagged, most: u64::MAX, expected: 1 << 20, budget: Budget::of(u64::MAX) }
}

/// The same for few members, however many come.
fn for_few(shape: &Shape) -> Shape {
    Shape { expected: 0, ..shape.clone() }
}

/// The lowest bits of a number.
fn low<const W: usize>(rank: Rank<W>, bits: u32) -> Rank<W> {
    std::array::from_fn(|word| match bits.saturating_sub(64 * word as u32) {
        0 => 0,
        bits => rank[word] & u64::MAX >> (64 - bits.min(64)),
    })
}

/// The widths at which sets of so many words are tried.
fn widths(words: usize) -> &'static [u32] {
    match words {
        1 => &[0, 1, 2, 3, 5, 8, 9, 12, 13, 16, 20, 24, 33, 40, 57, 63, 64],
        2 => &[0, 3, 30, 63, 64, 65, 72, 90, 100, 127, 128],
        _ => &[1, 50, 64, 128, 130, 180, 192, 193, 200, 255, 256],
    }
}

/// Ranks of several kinds: random ones, consecutive ones, multiples of powers of two, products.
fn ranks<const W: usize>(bits: u32, kind: u64, count: u64) -> Vec<Rank<W>> {
    let mut random = Random::new(u64::from(bits) * 5 + kind);
    let rank = |i: u64, random: &mut Random| -> Rank<W> {
        let mut rank = [0; W];
        match kind {
            0 => rank = std::array::from_fn(|_| random.next_u64()),
            1 => rank[0] = i / 2 + 1000,
            2 => {
                let at = bits.saturating_sub(14);
                let value = random.below(10_000);
                rank[(at / 64) as usize] = value << (at % 64);
                if let Some(high) = rank.get_mut((at / 64) as usize + 1) {
                    *high = value >> 1 >> (63 - at % 64);
                }
            }
            3 => rank[0] = random.below(50) * random.below(60) * random.below(70),
            _ => rank[W - 1] = i % 3_000,
        }
        low(rank, bits)
    };
    (0..count).map(|i| rank(i, &mut random)).collect()
}

const KINDS: u64 = 5;

/// Checks that a set has exactly the members of its twin, by asking and by taking them out.
fn agrees<S: RankSet<W>, const W: usize>(
    set: S,
    twin: &HashMap<Rank<W>, u8>,
    others: &[Rank<W>],
    budget: &Budget,
    what: &str,
) {
    assert_eq!(set.len(), twin.len() as u64, "{what}");
    assert_eq!(set.is_empty(), twin.is_empty(), "{what}");
    for (rank, tag) in twin {
        assert_eq!(set.tag_of(*rank), Some(*tag), "{what}: {rank:x?}");
    }
    for rank in others {
        assert_eq!(set.tag_of(*rank), twin.get(rank).copied(), "{what}: {rank:x?}");
    }
    assert_eq!(set.bytes() as u64, budget.used(), "{what}");
    let mut members = HashMap::new();
    set.drain(&mut |rank, tag| {
        assert_eq!(members.insert(rank, tag), None, "{what}: {rank:x?} comes out twice");
        Ok(())
    })
    .unwrap();
    assert_eq!(&members, twin, "{what}");
    assert_eq!(budget.used(), 0, "{what}");
}

fn ranks_are_found_once<S: RankSet<W>, const W: usize>(make: Make<S>) {
    for bits in widths(W) {
        for (kind, tagged) in (0..KINDS).flat_map(|kind| [(kind, false), (kind, true)]) {
            let what = format!("{bits} bits, kind {kind}, tagged: {tagged}");
            let bits = if tagged { (*bits).min(64 * W as u32 - 8) } else { *bits };
            let shape = unlimited(bits, tagged);
            let Some(set) = make(&shape) else { continue };
            let set = set.unwrap();
            let sent = ranks::<W>(bits, kind, 6_000);
            let mut twin = HashMap::new();
            let mut outbox = set.outbox();
            let mut random = Random::new(1);
            let mut tag = 0;
            let mut batch = Vec::new();
            for rank in sent {
                let mut found = |rank| assert_eq!(twin.insert(rank, tag), None, "{what}");
                set.send(&mut outbox, rank, tag, &mut found).unwrap();
                batch.push(rank);
                if random.one_in(700) || (batch.len() == 1 && random.one_in(3)) {
                    set.flush(&mut outbox, tag, &mut found).unwrap();
                    assert!(batch.drain(..).all(|rank| twin.contains_key(&rank)), "{what}");
                    if tagged {
                        tag = ((u16::from(tag) + 41) % 255) as u8;
                    }
                }
            }
            set.flush(&mut outbox, tag, &mut |rank| assert_eq!(twin.insert(rank, tag), None)).unwrap();
            set.flush(&mut outbox, tag, &mut |_| panic!("nothing is left")).unwrap();
            assert!(batch.iter().all(|rank| twin.contains_key(rank)), "{what}");
            agrees(set, &twin, &ranks(bits, 0, 1_000), &shape.budget, &what);
        }
    }
}

fn small_spaces_can_be_filled<S: RankSet<W>, const W: usize>(make: Make<S>) {
    for bits in [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 15, 17] {
        for tagged in [false, true] {
            let shape = unlimited(bits, tagged);
            let set = make(&shape).unwrap().unwrap();
            let mut outbox = set.outbox();
            let mut twin = HashMap::new();
            for i in (0..1u64 << bits).chain(0..1 << bits) {
                let mut rank = [0; W];
                rank[0] = i.wrapping_mul(0x9E37_79B9) & ((1 << bits) - 1);
                set.send(&mut outbox, rank, 1, &mut |rank| {
                    assert_eq!(twin.insert(rank, u8::from(tagged)), None);
                })
                .unwrap();
            }
            set.flush(&mut outbox, 1, &mut |rank| assert_eq!(twin.insert(rank, u8::from(tagged)), None))
                .unwrap();
            assert_eq!(set.len(), 1 << bits);
            agrees(set, &twin, &[], &shape.budget, &format!("{bits} bits"));
        }
    }
}

fn budgets_are_kept_and_nothing_is_lost<S: RankSet<W>, const W: usize>(make: Make<S>) {
    for limit in [0, 100, 5_000, 20_000, 60_000, 200_000, 700_000, 3_000_000] {
        for (bits, tagged) in [(19, false), (24, true), (64 * W as u32, false), (64 * W as u32 - 8, true)] {
            let what = format!("{limit} bytes, {bits} bits, tagged: {tagged}");
            if limit > 300_000 && (!tagged || bits == 24) {
                continue;
            }
            let budget = Budget::of(limit);
            let Some(made) = make(&Shape { budget: budget.clone(), ..unlimited(bits, tagged) }) else {
                continue;
            };
            let Ok(set) = made else {
                assert_eq!(budget.used(), 0);
                continue;
            };
            let mut random = Random::new(limit + u64::from(bits));
            let mut outbox = set.outbox();
            let mut twin = HashMap::new();
            let mut sent = Vec::new();
            let mut refusals = 0;
            while refusals < 300 && sent.len() < 250_000 {
                let rank = low(std::array::from_fn(|_| random.next_u64()), bits);
                sent.push(rank);
                let outcome = set.send(&mut outbox, rank, 1, &mut |rank| {
                    assert_eq!(twin.insert(rank, u8::from(tagged)), None)
                });
                assert!(budget.used() <= limit, "{what}");
                match outcome {
                    Ok(()) => {}
                    Err(full) => {
                        assert!(matches!(full, Full::Memory(_)), "{what}");
                        refusals += 1;
                    }
                }
            }
            assert!(set.bytes() as u64 <= limit, "{what}");
            let waiting = sent.iter().filter(|rank| !twin.contains_key(*rank)).count();
            if refusals == 0 {
                set.flush(&mut outbox, 1, &mut |rank| assert_eq!(twin.insert(rank, u8::from(tagged)), None))
                    .unwrap();
                assert!(sent.iter().all(|rank| twin.contains_key(rank)));
            } else {
                assert!(waiting > 0, "{what}");
            }
            agrees(set, &twin, &sent, &budget, &what);
        }
    }
}

fn a_refusal_is_made_good_when_there_is_memory_again<S: RankSet<W>, const W: usize>(make: Make<S>) {
    for tagged in [false, true] {
        let budget = Budget::of(4_000_000);
        // A tagged bitmap of 22 bits would take all of it.
        let bits = 20;
        let others = Charged::filled(&budget, 0u8, 3_960_000).unwrap();
        let shape = Shape { budget: budget.clone(), ..unlimited(bits, tagged) };
        let set = make(&shape).unwrap().unwrap();
        let mut outbox = set.outbox();
        let mut twin = HashMap::new();
        let tag = if tagged { 2 } else { 0 };
        let mut refusals = 0;
        let sent = ranks::<W>(bits, 0, 60_000);
        for rank in &sent {
            let found = &mut |rank| assert_eq!(twin.insert(rank, tag), None);
            refusals += u32::from(set.send(&mut outbox, *rank, tag, found).is_err());
        }
        assert!(refusals > 1_000 && twin.len() < 50_000);
        drop(others);
        set.flush(&mut outbox, tag, &mut |rank| assert_eq!(twin.insert(rank, tag), None)).unwrap();
        assert!(sent.iter().all(|rank| twin.contains_key(rank)));
        agrees(set, &twin, &sent, &budget, "refused for a while");
    }
}

fn limits_are_exact<S: RankSet<W>, const W: usize>(make: Make<S>) {
    for most in [0, 1, 2, 100, 1_000, 3_333] {
        for tagged in [false, true] {
            let shape = Shape { most, ..unlimited(20, tagged) };
            let mut set = make(&shape).unwrap().unwrap();
            let mut outbox = set.outbox();
            let mut twin = HashMap::new();
            let mut sent = Vec::new();
            for rank in ranks::<W>(20, 0, 5_000) {
                _ = set.send(&mut outbox, rank, 0, &mut |rank| _ = twin.insert(rank, 0));
                sent.push(rank);
            }
            let end = set.flush(&mut outbox, 0, &mut |rank| _ = twin.insert(rank, 0));
            assert_eq!(end, Err(Full::States));
            assert_eq!(twin.len() as u64, most);
            // Members are still told from others.
            let mut outbox = set.outbox();
            for rank in twin.keys() {
                set.send(&mut outbox, *rank, 0, &mut |_| panic!("it is not new")).unwrap();
            }
            set.flush(&mut outbox, 0, &mut |_| panic!("it is not new")).unwrap();
            set.limit(most / 2);
            let new = sent.iter().find(|rank| !twin.contains_key(*rank)).unwrap();
            let sent_one = set.send(&mut outbox, *new, 0, &mut |_| panic!("there is no place"));
            assert!(sent_one.and_then(|()| set.flush(&mut outbox, 0, &mut |_| panic!())).is_err());
            agrees(set, &twin, &sent, &shape.budget, "limited");
        }
    }
    // A limit that comes later counts those that were there before.
    let shape = unlimited(20, false);
    let mut set = make(&shape).unwrap().unwrap();
    let mut twin = HashMap::new();
    let sent = ranks::<W>(20, 0, 5_000);
    for (i, rank) in sent.iter().enumerate() {
        let mut outbox = set.outbox();
        if i == 500 {
            set.limit(600);
        }
        let before = twin.len();
        let outcome = set
            .send(&mut outbox, *rank, 0, &mut |rank| _ = twin.insert(rank, 0))
            .and_then(|()| set.flush(&mut outbox, 0, &mut |rank| _ = twin.insert(rank, 0)));
        assert_eq!(outcome.is_err(), before == 600 && !twin.contains_key(rank));
        if i > 2_000 {
            break;
        }
    }
    agrees(set, &twin, &sent, &shape.budget, "limited later");
}

fn a_refusal_while_draining_gives_everything_back<S: RankSet<W>, const W: usize>(make: Make<S>) {
    let shape = unlimited(24, true);
    let set = make(&shape).unwrap().unwrap();
    let mut outbox = set.outbox();
    for rank in ranks::<W>(24, 0, 5_000) {
        set.send(&mut outbox, rank, 2, &mut |_| ()).unwrap();
    }
    set.flush(&mut outbox, 2, &mut |_| ()).unwrap();
    let mut taken = 0;
    let outcome = set.drain(&mut |_, _| {
        taken += 1;
        if taken < 1_000 { Ok(()) } else { Err(Full::States) }
    });
    assert_eq!((outcome, taken), (Err(Full::States), 1_000));
    assert_eq!(shape.budget.used(), 0);
}

/// Sends ranks by several threads at once, chosen from a few so that threads meet; returns how often each was found.
fn meet<S: RankSet<W>, const W: usize>(
    set: &S,
    threads: u64,
    sent: &[Rank<W>],
    tags: bool,
) -> (HashMap<Rank<W>, u8>, u64) {
    let found = Mutex::new(HashMap::new());
    let refusals = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let (found, refusals) = (&found, &refusals);
            scope.spawn(move || {
                let mut outbox = set.outbox();
                let mut random = Random::new(thread);
                let mut mine = Vec::new();
                let tag = if tags { (thread % 3) as u8 } else { 0 };
                let start = random.below(sent.len() as u64) as usize;
                let mut outcome = Ok(());
                // Some go round in the same order, some at random.
                for i in 0..sent.len() {
                    let at = if thread % 2 == 0 {
                        (start + i) % sent.len()
                    } else {
                        random.below(sent.len() as u64) as usize
                    };
                    outcome = outcome.and(set.send(&mut outbox, sent[at], tag, &mut |rank| mine.push(rank)));
                    if random.one_in(5_000) {
                        outcome = outcome.and(set.flush(&mut outbox, tag, &mut |rank| mine.push(rank)));
                    }
                    if outcome.is_err() {
                        break;
                    }
                }
                if outcome.and_then(|()| set.flush(&mut outbox, tag, &mut |rank| mine.push(rank))).is_err() {
                    refusals.fetch_add(1, Ordering::Relaxed);
                }
                let mut found = found.lock().unwrap();
                for rank in mine {
                    assert_eq!(found.insert(rank, tag), None, "{rank:x?} is found twice");
                }
            });
        }
    });
    (found.into_inner().unwrap(), refusals.into_inner())
}

fn threads_find_each_rank_once<S: RankSet<W>, const W: usize>(make: Make<S>) {
    for threads in [2, 3, 8] {
        for (bits, tagged) in [(9, false), (9, true), (17, true), (23, false), (23, true)] {
            let shape = unlimited(bits, tagged);
            let set = make(&shape).unwrap().unwrap();
            let sent = ranks::<W>(bits, 0, 20_000);
            let (found, refusals) = meet(&set, threads, &sent, tagged);
            assert_eq!(refusals, 0);
            assert!(sent.iter().all(|rank| found.contains_key(rank)));
            agrees(set, &found, &[], &shape.budget, &format!("{threads} threads, {bits} bits"));
        }
    }
}

fn threads_share_a_limit<S: RankSet<W>, const W: usize>(make: Make<S>) {
    for (threads, most) in [(2, 1), (4, 500), (8, 3_000)] {
        let shape = Shape { most, ..unlimited(24, false) };
        let set = make(&shape).unwrap().unwrap();
        let (found, refusals) = meet(&set, threads, &ranks::<W>(24, 0, 4_000), false);
        // Those that go round meet all ranks.
        assert!(found.len() as u64 == most && refusals >= threads / 2);
        agrees(set, &found, &[], &shape.budget, "a shared limit");

        // A limit that is reached and not passed refuses nobody.
        let sent = ranks::<W>(12, 0, 2_000);
        let different: std::collections::HashSet<_> = sent.iter().collect();
        let shape = Shape { most: different.len() as u64, ..unlimited(12, true) };
        let set = make(&shape).unwrap().unwrap();
        let (found, refusals) = meet(&set, threads * 2, &sent, true);
        assert_eq!((found.len(), refusals), (different.len(), 0));
        agrees(set, &found, &[], &shape.budget, "a limit just enough");
    }
}

fn threads_share_a_budget<S: RankSet<W>, const W: usize>(make: Make<S>) {
    for limit in [70_000, 90_000] {
        let budget = Budget::of(limit);
        let set = make(&Shape { budget: budget.clone(), ..unlimited(24, true) });
        let Some(Ok(set)) = set else { continue };
        let (found, _) = meet(&set, 4, &ranks::<W>(24, 0, 40_000), true);
        assert!(budget.used() <= limit);
        agrees(set, &found, &[], &budget, "a shared budget");
    }
}

macro_rules! conformance {
    ($name:ident, $set:ty, $words:literal, $make:expr) => {
        mod $name {
            use super::*;

            const MAKE: Make<$set> = $make;

            #[test]
            fn ranks_are_found_once() {
                super::ranks_are_found_once::<$set, $words>(MAKE);
            }

            #[test]
            fn small_spaces_can_be_filled() {
                super::small_spaces_can_be_filled::<$set, $words>(MAKE);
            }

            #[test]
            fn budgets_are_kept_and_nothing_is_lost() {
                super::budgets_are_kept_and_nothing_is_lost::<$set, $words>(MAKE);
            }

            #[test]
            fn a_refusal_is_made_good_when_there_is_memory_again() {
                super::a_refusal_is_made_good_when_there_is_memory_again::<$set, $words>(MAKE);
            }

            #[test]
            fn limits_are_exact() {
                super::limits_are_exact::<$set, $words>(MAKE);
            }

            #[test]
            fn a_refusal_while_draining_gives_everything_back() {
                super::a_refusal_while_draining_gives_everything_back::<$set, $words>(MAKE);
            }

            #[test]
            fn threads_find_each_rank_once() {
                super::threads_find_each_rank_once::<$set, $words>(MAKE);
            }

            #[test]
            fn threads_share_a_limit() {
                super::threads_share_a_limit::<$set, $words>(MAKE);
            }

            #[test]
            fn threads_share_a_budget() {
                super::threads_share_a_budget::<$set, $words>(MAKE);
            }
        }
    };
}

// Scattered ranks of many bits would touch all of a bitmap's pages.
conformance!(bitmap, Bitmap, 1, |shape| (shape.bits <= 24).then(|| RankSet::new(shape)));
conformance!(quotient_1, Quotient<1>, 1, |shape| Some(RankSet::new(shape)));
conformance!(quotient_2, Quotient<2>, 2, |shape| Some(RankSet::new(shape)));
conformance!(quotient_4, Quotient<4>, 4, |shape| Some(RankSet::new(shape)));
conformance!(in_one_part_1, Quotient<1>, 1, |shape| Some(RankSet::new(&for_few(shape))));
conformance!(in_one_part_2, Quotient<2>, 2, |shape| Some(RankSet::new(&for_few(shape))));
conformance!(in_one_part_4, Quotient<4>, 4, |shape| Some(RankSet::new(&for_few(shape))));
conformance!(unmixed_1, Quotient<1>, 1, |shape| Some(Quotient::unmixed(shape)));
conformance!(unmixed_2, Quotient<2>, 2, |shape| Some(Quotient::unmixed(shape)));
conformance!(unmixed_4, Quotient<4>, 4, |shape| Some(Quotient::unmixed(shape)));
conformance!(plain_1, Plain<1>, 1, |shape| Some(RankSet::new(shape)));
conformance!(plain_2, Plain<2>, 2, |shape| Some(RankSet::new(shape)));
conformance!(plain_4, Plain<4>, 4, |shape| Some(RankSet::new(shape)));

/// The bitmap is the one set without locks: many threads on few words, many times over.
#[test]
fn threads_meet_in_the_words_of_a_bitmap() {
    for round in 0..400 {
        let tagged = round % 2 == 1;
        let set = Bitmap::with_ranks(70, &unlimited(7, tagged)).unwrap();
        let start = std::sync::Barrier::new(6);
        let total = AtomicU64::new(0);
        let found: Vec<AtomicU64> = (0..70).map(|_| AtomicU64::new(0)).collect();
        std::thread::scope(|scope| {
            for thread in 0..6 {
                let (set, start, total, found) = (&set, &start, &total, &found);
                scope.spawn(move || {
                    let mut outbox = set.outbox();
                    start.wait();
                    for i in 0..70 {
                        let rank = if thread % 2 == 0 { i } else { 69 - i };
                        set.send(&mut outbox, [rank], thread % 3, &mut |_| ()).unwrap();
                    }
                    set.flush(&mut outbox, thread % 3, &mut |[rank]| {
                        found[rank as usize].fetch_add(1 + u64::from(thread % 3) * 1_000, Ordering::Relaxed);
                        total.fetch_add(1, Ordering::Relaxed);
                    })
                    .unwrap();
                });
            }
        });
        assert_eq!((total.into_inner(), set.len()), (70, 70));
        for (rank, found) in found.iter().enumerate() {
            let found = found.load(Ordering::Relaxed);
            assert_eq!(found % 1_000, 1);
            let tag = if tagged { (found / 1_000) as u8 } else { 0 };
            assert_eq!(set.tag_of([rank as u64]), Some(tag));
        }
    }
}

/// A thousand members of 64 bits take little, though they are spread over all parts.
#[test]
fn few_members_take_little() {
    let set = Quotient::<1>::new(&unlimited(64, false)).unwrap();
    let mut outbox = set.outbox();
    for rank in ranks::<1>(64, 0, 1_000) {
        set.send(&mut outbox, rank, 0, &mut |_| ()).unwrap();
    }
    set.flush(&mut outbox, 0, &mut |_| ()).unwrap();
    assert!(set.bytes() < 64 << 10, "{} bytes", set.bytes());
}

/// What the quotient table promises: at most 8 bits per member where one rank in 16 is a member, and at most six more
/// than log2(S/R) up to 35 from 1,500 members on, and up to 45 from 4,000 on.
#[test]
fn members_take_few_bits() {
    take_few_bits(1_500, 4_000, 35.0);
    for (first, last) in [(4_000, 16_000), (30_000, 120_000), (100_000, 700_000)] {
        take_few_bits(first, last, 45.0);
    }
}

/// The same for a table that is made for so many members, with more and more of them.
fn take_few_bits(first: u64, last: u64, most_ratio: f64) {
    for bits in [12, 13, 15, 17, 18, 19, 20, 21, 23, 26, 30, 36, 42, 46, 47, 48, 52, 56, 60, 63] {
        let set = Quotient::<1>::new(&Shape { expected: first, ..unlimited(bits, false) }).unwrap();
        let mut outbox = set.outbox();
        let mut check = first;
        let end = (1u64 << bits) / 10 * 9;
        for i in 0..last.min(end) {
            set.send(&mut outbox, [i], 0, &mut |_| ()).unwrap();
            if i + 1 == check {
                set.flush(&mut outbox, 0, &mut |_| ()).unwrap();
                check += check / 100;
                let members = set.len() as f64;
                let ratio = f64::from(bits) - members.log2();
                let per_member = set.bytes() as f64 * 8.0 / members;
                let most = if ratio <= 4.0 { 8.0 } else { ratio + 6.0 };
                assert!(
                    per_member <= most || ratio > most_ratio,
                    "{bits} bits, {members} members, log2(S/R) = {ratio:.2}: {per_member:.2} bits"
                );
            }
        }
    }
}

/// Nanoseconds that this thread has run, where the system tells, so that others do not count.
fn clock() -> f64 {
    // The system brings the figure up to date when the thread gives way.
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let since_start = || START.get_or_init(std::time::Instant::now).elapsed().as_nanos() as f64;
    text.split(' ').next().and_then(|text| text.parse().ok()).unwrap_or_else(since_start)
}

static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();

/// Prints what look-ups, insertions and members cost:
/// `cargo test --release -p sweepnet-space --test sets -- --ignored --nocapture costs`.
#[test]
#[ignore = "it prints times and checks nothing"]
fn costs() {
    fn measure<S: RankSet<W>, const W: usize>(name: &str, bits: u32, tagged: bool, members: u64) {
        let shape = unlimited(bits, tagged);
        let set = S::new(&shape).unwrap();
        let mut outbox = set.outbox();
        let mut new = 0u64;
        let mut send = |from: u64, count: u64| {
            let start = clock();
            for i in from..from + count {
                let mut rank = [0; W];
                rank[0] = 3 * i;
                set.send(&mut outbox, rank, 1, &mut |_| new += 1).unwrap();
            }
            set.flush(&mut outbox, 1, &mut |_| new += 1).unwrap();
            (clock() - start) / count as f64
        };
        let insert = send(0, members);
        // The best of several, because others use the machine, too.
        let again = (0..5).map(|_| send(0, members)).fold(f64::MAX, f64::min);
        let bytes = set.bytes();
        let start = clock();
        let asked = members.min(2_000_000);
        let there = (0..asked).filter(|i| {
            let mut rank = [0; W];
            rank[0] = 3 * i + 1;
            set.tag_of(rank).is_some()
        });
        let (there, ask) = (there.count(), (clock() - start) / asked as f64);
        let start = clock();
        let mut sum = 0;
        let len = set.len();
        set.drain(&mut |rank, _| {
            sum ^= rank[0];
            Ok(())
        })
        .unwrap();
        let drain = (clock() - start) / len as f64;
        println!(
            "{name:12} {bits:3} bits {:7} {len:9} members: insert {insert:5.1} ns, seen {again:5.1} ns, \
             one by one {ask:5.1} ns ({there} there), drain {drain:4.1} ns, {:6.2} bits each, \
             log2(S/R) {:5.2} {}",
            if tagged { "tagged" } else { "" },
            bytes as f64 * 8.0 / len as f64,
            f64::from(bits) - (len as f64).log2(),
            sum % 2 + new % 2,
        );
    }
    for members in [100_000, 1_000_000, 10_000_000] {
        for (bits, tagged) in
            [(24, false), (27, false), (30, false), (30, true), (34, false), (40, false), (52, true)]
        {
            if members * 4 <= 1 << bits {
                measure::<Quotient<1>, 1>("quotient", bits, tagged, members);
            }
        }
        measure::<Quotient<2>, 2>("quotient", 100, false, members);
        measure::<Quotient<4>, 4>("quotient", 230, false, members);
        measure::<Plain<1>, 1>("plain", 34, false, members);
        measure::<Bitmap, 1>("bitmap", 30, false, members);
        measure::<Bitmap, 1>("bitmap", 30, true, members);
    }
}
