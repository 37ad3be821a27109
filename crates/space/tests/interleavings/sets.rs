//! Two senders and one set of ranks: each rank is found exactly once, and there are never too many.

use sweepnet_space::set::{Bitmap, Quotient, RankSet, Shape};
use sweepnet_space::{Budget, Full};

use crate::{in_every_way, together, with_few_switches};

/// Ranks that a page has room for, without tags: one more, and there are two pages.
const PAGE: u64 = 64 << 7;

/// What two threads send, and to what kind of set.
#[derive(Clone, Copy)]
struct Model {
    /// What is there before.
    before: &'static [u64],
    sent: [&'static [u64]; 2],
    tagged: bool,
    most: u64,
}

/// What came of it for one of them.
struct Sent {
    found: Vec<u64>,
    left: Vec<[u64; 1]>,
    outcome: Result<(), Full>,
}

fn send<S: RankSet<1>>(set: &S, ranks: &[u64], tag: u8) -> Sent {
    let mut outbox = set.outbox();
    let mut candidates: Vec<[u64; 1]> = ranks.iter().map(|rank| [*rank]).collect();
    let mut found = Vec::new();
    let mut outcome = set.send_all(&mut outbox, &mut candidates, tag, &mut found);
    if outcome.is_ok() {
        outcome = set.flush(&mut outbox, tag, &mut |new| found.push(new));
    }
    set.take_back(&mut outbox, &mut candidates);
    Sent { found: found.into_iter().flatten().collect(), left: candidates, outcome }
}

impl Model {
    fn check<S: RankSet<1> + Send + 'static>(self, set: impl FnOnce(&Shape) -> S) {
        let budget = Budget::of(u64::MAX);
        let shape = Shape {
            bits: 14,
            tagged: self.tagged,
            most: self.most,
            expected: 1 << 20,
            budget: budget.clone(),
        };
        let [first, second] = self.sent;
        let set = set(&shape);
        let before = send(&set, self.before, 0);
        let (set, one, other) = together(set, move |set| send(set, first, 1), |set| send(set, second, 2));

        let mut sent = [self.before, first, second].concat();
        sent.sort_unstable();
        sent.dedup();
        let mut found = [before.found, one.found.clone(), other.found.clone()].concat();
        found.sort_unstable();
        let mut members = Vec::new();
        set.each(&mut |[rank]| members.push(rank));
        members.sort_unstable();
        assert_eq!(found, members, "each is found once");
        assert_eq!(set.len(), members.len() as u64);
        assert!(set.len() <= self.most);
        for (sent, tag) in [(&one, 1), (&other, 2)] {
            let is_theirs = |rank: &u64| set.tag_of([*rank]) == Some(if self.tagged { tag } else { 0 });
            assert!(sent.found.iter().all(is_theirs));
            match sent.outcome {
                Ok(()) => assert!(sent.left.is_empty()),
                Err(full) => {
                    assert_eq!(full, Full::States);
                    assert_eq!(set.len(), self.most, "it is full only if it is");
                }
            }
        }
        if sent.len() as u64 <= self.most {
            assert_eq!(found, sent);
            assert!(one.outcome.is_ok() && other.outcome.is_ok());
        }
        assert_eq!(budget.used(), set.bytes() as u64);
        drop(set);
        assert_eq!(budget.used(), 0);
    }
}

/// With a page that is there already: what happens in a page is one thing, how it is made another.
fn bitmap(name: &str, model: Model) {
    for tagged in [false, true] {
        let model = Model { before: &[7], tagged, most: model.most.saturating_add(1), ..model };
        let name = format!("{name}, tags: {tagged}");
        let check = move || model.check(|shape| Bitmap::with_ranks(8, shape).unwrap());
        match model.sent {
            [[_], [_]] => in_every_way(&name, check),
            _ => with_few_switches(&name, 3, check),
        }
    }
}

const UNLIMITED: Model = Model { before: &[], sent: [&[], &[]], tagged: false, most: u64::MAX };

#[test]
fn a_rank_is_new_to_one_sender_only() {
    bitmap("the same rank", Model { sent: [&[3], &[3]], ..UNLIMITED });
}

#[test]
fn neighbours_in_a_word_do_not_disturb_each_other() {
    bitmap("two ranks of a word", Model { sent: [&[3], &[4]], ..UNLIMITED });
    bitmap("some are the same", Model { sent: [&[0, 1], &[1, 2]], ..UNLIMITED });
}

#[test]
fn pages_are_made_once_and_paid_for_once() {
    let page = Model { sent: [&[3], &[3]], ..UNLIMITED };
    in_every_way("one page", move || page.check(|shape| Bitmap::with_ranks(8, shape).unwrap()));
    let pages = Model { sent: [&[PAGE], &[PAGE, 0]], ..UNLIMITED };
    with_few_switches("two pages", 3, move || {
        pages.check(|shape| Bitmap::with_ranks(PAGE + 1, shape).unwrap())
    });
}

#[test]
fn there_are_never_more_than_the_limit_and_as_many_as_it_if_there_are_so_many() {
    for (sent, most) in [
        ([&[3][..], &[3][..]], 1),
        ([&[3], &[4]], 1),
        ([&[0, 1], &[1]], 2),
        ([&[0, 1], &[1, 2]], 2),
        ([&[0, 1], &[1, 2]], 3),
    ] {
        bitmap(&format!("{sent:?}, at most {most}"), Model { sent, most, ..UNLIMITED });
    }
}

#[test]
fn a_page_that_another_could_not_pay_for_is_asked_for_again() {
    in_every_way("memory for one page", || {
        let bytes = {
            let budget = Budget::of(u64::MAX);
            let shape = Shape { bits: 3, tagged: false, most: u64::MAX, expected: 1 << 20, budget };
            // A word, and one by which it is claimed.
            Bitmap::with_ranks(8, &shape).unwrap().bytes() + 16
        };
        let budget = Budget::of(bytes as u64);
        let shape =
            Shape { bits: 3, tagged: false, most: u64::MAX, expected: 1 << 20, budget: budget.clone() };
        let set = Bitmap::with_ranks(8, &shape).unwrap();
        let (set, one, other) = together(set, |set| send(set, &[3], 0), |set| send(set, &[4], 0));
        assert!(one.outcome.is_ok() || other.outcome.is_ok(), "one page can be paid for");
        let mut found = [one.found, other.found].concat();
        for left in one.left.into_iter().chain(other.left) {
            let again = send(&set, &left, 0);
            assert!(again.outcome.is_ok() && again.found == left);
            found.extend(again.found);
        }
        found.sort_unstable();
        assert_eq!(found, [3, 4]);
        assert_eq!(budget.used(), bytes as u64);
    });
}

#[test]
fn parts_with_locks_share_one_limit() {
    // Ranks of 14 bits are in four parts.
    for (sent, most) in [
        ([&[1][..], &[1][..]], u64::MAX),
        ([&[1], &[1]], 1),
        ([&[1], &[2]], 1),
        ([&[1, 2], &[2, 3]], 2),
        ([&[1, 2], &[2, 3]], 3),
    ] {
        let model = Model { sent, tagged: true, most, ..UNLIMITED };
        with_few_switches(&format!("quotient table, {sent:?}, at most {most}"), 3, move || {
            model.check(|shape| Quotient::<1>::new(shape).unwrap());
        });
    }
}
