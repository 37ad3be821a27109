//! Every store obeys the same laws. A new store joins by one line at the end.

use sweepnet_space::store::key_words;
use sweepnet_space::{Budget, Full, Inserted, StateId, Store};
use sweepnet_testkit::random::Random;

/// A random key of so many bits, one of `variety`.
fn key(bits: usize, random: &mut Random, variety: u64) -> Vec<u64> {
    let mut source = Random::new(random.below(variety));
    let mut key: Vec<u64> = (0..key_words(bits)).map(|_| source.next_u64()).collect();
    let spare = key.len() * 64 - bits;
    let last = key.last_mut().unwrap();
    *last = if spare == 64 { 0 } else { *last << spare >> spare };
    key
}

const WIDTHS: [usize; 12] = [0, 1, 7, 8, 9, 31, 63, 64, 65, 128, 200, 1000];

fn numbers_are_given_once_and_in_order<S: Store>(make: impl Fn(usize, u64, &Budget) -> Result<S, Full>) {
    for bits in WIDTHS {
        let mut store = make(bits, u64::MAX, &Budget::of(u64::MAX)).unwrap();
        let mut twin: Vec<Vec<u64>> = Vec::new();
        let mut numbers = std::collections::HashMap::new();
        let mut random = Random::new(bits as u64);
        for _ in 0..20_000 {
            let key = key(bits, &mut random, 7_000);
            let expected = match numbers.get(&key) {
                Some(id) => Inserted::Seen(*id),
                None => {
                    let id = StateId(twin.len() as u64);
                    numbers.insert(key.clone(), id);
                    twin.push(key.clone());
                    Inserted::New(id)
                }
            };
            assert_eq!(store.find(&key).is_some(), matches!(expected, Inserted::Seen(_)), "{bits} bits");
            assert_eq!(store.insert(&key), Ok(expected), "{bits} bits");
        }
        assert_eq!(store.len(), twin.len() as u64);
        let mut read = vec![0; key_words(bits)];
        for (id, key) in twin.iter().enumerate() {
            store.get(StateId(id as u64), &mut read);
            assert_eq!(&read, key, "{bits} bits");
        }
        assert!(store.bytes() >= twin.len() * bits / 8);
    }
}

fn keys_go_in_together_as_they_do_one_by_one<S: Store>(
    make: impl Fn(usize, u64, &Budget) -> Result<S, Full>,
) {
    for bits in WIDTHS {
        let mut together = make(bits, 3_000, &Budget::of(u64::MAX)).unwrap();
        let mut single = make(bits, 3_000, &Budget::of(u64::MAX)).unwrap();
        let mut random = Random::new(bits as u64);
        let mut full = false;
        while !full && single.len() < 3_000 && random.below(2_000) > 0 {
            let batch: Vec<Vec<u64>> = (0..random.below(70)).map(|_| key(bits, &mut random, 5_000)).collect();
            let mut outcome = Vec::new();
            let result = together.insert_all(&batch.concat(), key_words(bits), &mut outcome);
            let mut expected = Vec::new();
            for key in &batch {
                match single.insert(key) {
                    Ok(inserted) => expected.push(inserted),
                    Err(reason) => {
                        assert_eq!(result, Err(reason));
                        full = true;
                        break;
                    }
                }
            }
            assert_eq!(outcome, expected, "{bits} bits");
        }
        assert_eq!(together.len(), single.len());
    }
}

fn a_refusal_while_recoding_gives_everything_back<S: Store>(
    make: impl Fn(usize, u64, &Budget) -> Result<S, Full>,
) {
    let budget = Budget::of(300_000);
    let mut store = make(16, u64::MAX, &budget).unwrap();
    for word in 0..20_000 {
        store.insert(&[word]).unwrap();
    }
    let refused = store.recode(4_000, &mut |old, new| {
        new.fill(0);
        new[0] = old[0];
    });
    assert!(matches!(refused, Err(Full::Memory(_))));
    assert!(budget.used() <= budget.limit());
    drop(store);
    assert_eq!(budget.used(), 0);
}

fn keys_can_be_recoded_to_other_widths<S: Store>(make: impl Fn(usize, u64, &Budget) -> Result<S, Full>) {
    for (old_bits, new_bits) in [(9, 10), (64, 65), (65, 200), (200, 70), (3, 1000)] {
        let mut store = make(old_bits, u64::MAX, &Budget::of(u64::MAX)).unwrap();
        let mut random = Random::new(1);
        for _ in 0..5_000 {
            store.insert(&key(old_bits, &mut random, 2_000)).unwrap();
        }
        let mut before = Vec::new();
        for id in 0..store.len() {
            let mut key = vec![0; key_words(old_bits)];
            store.get(StateId(id), &mut key);
            before.push(key);
        }
        // Keeps the lowest bits, which differ already, and sets the highest one.
        let recode = |old: &[u64], new: &mut [u64]| {
            new.fill(0);
            let kept = old.len().min(new.len());
            new[..kept].copy_from_slice(&old[..kept]);
            if new_bits < old_bits {
                new[1] = old[1] & 0x1F | (old[2] & 1) << 5;
            } else {
                new[(new_bits - 1) / 64] |= 1 << ((new_bits - 1) % 64);
            }
        };
        store.recode(new_bits, &mut |old, new| recode(old, new)).unwrap();
        let mut expected = vec![0; key_words(new_bits)];
        let mut read = expected.clone();
        for (id, old) in before.iter().enumerate() {
            recode(old, &mut expected);
            store.get(StateId(id as u64), &mut read);
            assert_eq!(read, expected);
            assert_eq!(store.find(&expected), Some(StateId(id as u64)));
            assert_eq!(store.insert(&expected), Ok(Inserted::Seen(StateId(id as u64))));
        }
    }
}

fn limits_are_kept_and_lose_nothing<S: Store>(make: impl Fn(usize, u64, &Budget) -> Result<S, Full>) {
    for limit in [0, 1, 1_000, 10_000, 300_000, 3_000_000] {
        let budget = Budget::of(limit);
        let Ok(mut store) = make(40, u64::MAX, &budget) else { continue };
        let mut random = Random::new(limit);
        let mut stored = Vec::new();
        loop {
            let key = key(40, &mut random, u64::MAX);
            match store.insert(&key) {
                Ok(Inserted::New(_)) => stored.push(key),
                Ok(Inserted::Seen(_)) => {}
                Err(full) => {
                    assert!(matches!(full, Full::Memory(_)));
                    break;
                }
            }
            assert!(budget.used() <= limit);
        }
        for (id, key) in stored.iter().enumerate() {
            assert_eq!(store.find(key), Some(StateId(id as u64)));
        }
        assert!(store.bytes() as u64 <= limit);
        drop(store);
        assert_eq!(budget.used(), 0, "everything is given back");
    }
    let mut store = make(40, 3, &Budget::of(u64::MAX)).unwrap();
    for word in 0..3 {
        store.insert(&[word]).unwrap();
    }
    assert_eq!(store.insert(&[3]), Err(Full::States));
    assert_eq!(store.insert(&[2]), Ok(Inserted::Seen(StateId(2))));
}

macro_rules! conformance {
    ($name:ident, $make:expr) => {
        mod $name {
            #[test]
            fn numbers_are_given_once_and_in_order() {
                super::numbers_are_given_once_and_in_order($make);
            }

            #[test]
            fn keys_go_in_together_as_they_do_one_by_one() {
                super::keys_go_in_together_as_they_do_one_by_one($make);
            }

            #[test]
            fn a_refusal_while_recoding_gives_everything_back() {
                super::a_refusal_while_recoding_gives_everything_back($make);
            }

            #[test]
            fn keys_can_be_recoded_to_other_widths() {
                super::keys_can_be_recoded_to_other_widths($make);
            }

            #[test]
            fn limits_are_kept_and_lose_nothing() {
                super::limits_are_kept_and_lose_nothing($make);
            }
        }
    };
}

conformance!(flat, sweepnet_space::store::flat::Flat::new);
