//! What threads share without a lock, in every order in which their steps can happen.
//!
//! loom runs each model again and again: with every interleaving of two threads, and with every
//! value that a load may see, old ones included. What it finds nothing wrong with is right, for models of this size, but
//! for two things that it does not try: a weak exchange that fails without a reason, which the loops around them would not
//! notice, and a load that sees what is stored only later.
//!
//!     RUSTFLAGS="--cfg loom" cargo test --profile loom -p sweepnet-space --test interleavings
//!
//! With `-- --nocapture`, each model tells how many runs it took.

#![cfg(loom)]

mod accounts;
mod automata;
mod frontier;
mod sets;
mod tables;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Runs a model in every way.
fn in_every_way(name: &str, model: impl Fn() + Send + Sync + 'static) {
    run(name, None, model);
}

/// Runs a model in every way in which threads are left for others no more than so many times, those apart in which they
/// wait or end: where there are too many others.
fn with_few_switches(name: &str, switches: usize, model: impl Fn() + Send + Sync + 'static) {
    run(name, Some(switches), model);
}

fn run(name: &str, switches: Option<usize>, model: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = switches;
    builder.max_branches = 20_000;
    let runs = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&runs);
    let model = Arc::new(model);
    builder.check(move || {
        counted.fetch_add(1, Ordering::Relaxed);
        let model = Arc::clone(&model);
        spawn(move || model()).join().expect("it ends");
    });
    let runs = runs.load(Ordering::Relaxed);
    println!("{name}: {runs} runs");
    assert!(runs > 1, "{name}: nothing happens at the same time");
}

/// Words of a thread's stack; loom's own have too few to make automata.
const STACK: usize = 1 << 16;

fn spawn<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> loom::thread::JoinHandle<T> {
    loom::thread::Builder::new().stack_size(STACK).spawn(work).expect("there are few threads")
}

/// Lets two threads do something with what they share, and gives it back with what came of it.
fn together<T, A, B>(
    shared: T,
    one: impl FnOnce(&T) -> A + Send + 'static,
    other: impl FnOnce(&T) -> B,
) -> (T, A, B)
where
    T: Send + Sync + 'static,
    A: Send + 'static,
{
    let shared = Arc::new(shared);
    let there = Arc::clone(&shared);
    let handle = spawn(move || one(&there));
    let second = other(&shared);
    let first = handle.join().expect("it ends");
    (Arc::into_inner(shared).expect("the other has ended"), first, second)
}
