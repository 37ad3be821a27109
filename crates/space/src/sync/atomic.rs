//! Loom's atomics, each operation of which leaves traces.
//!
//! Loom tries two operations of two threads in both orders if it sees that they depend on each other, and it compares an
//! operation only with the last one on the same atomic. A load hides the loads before it, so that a store after it is
//! not tried before those (issue 166 of loom): whatever loads and then
//! stores or exchanges, as everything here does, is not tried in all orders. So a load leaves a trace for its thread, and
//! anything else one for every thread. Traces are read-modify-writes, which hide nothing. A thread is never left between
//! an operation and its traces, so that they come in all orders iff the operations do. And they are relaxed: nobody sees
//! anything because of them.

pub use std::sync::atomic::Ordering;

use std::hash::{Hash, Hasher};

use loom::sync::atomic as of_loom;

/// Threads that run at the same time.
const THREADS: usize = 2;

/// What shows loom the operations on one atomic.
#[derive(Debug, Default)]
struct Traces([of_loom::AtomicU8; THREADS]);

impl Traces {
    fn after_a_load(&self) {
        leave(&self.0[this_thread() % THREADS..][..1]);
    }

    fn after_another(&self) {
        leave(&self.0);
    }
}

fn leave(traces: &[of_loom::AtomicU8]) {
    loom::stop_exploring();
    traces.iter().for_each(|trace| _ = trace.fetch_add(0, Ordering::Relaxed));
    loom::explore();
}

/// The number of this thread, which is all that its id hashes in the end.
fn this_thread() -> usize {
    struct Last(usize);

    impl Hasher for Last {
        fn write(&mut self, _: &[u8]) {}

        fn write_usize(&mut self, number: usize) {
            self.0 = number;
        }

        fn finish(&self) -> u64 {
            self.0 as u64
        }
    }

    let mut last = Last(0);
    loom::thread::current().id().hash(&mut last);
    last.0
}

macro_rules! traced {
    ($name:ident, $value:ty $(, $number:ident)?) => {
        #[derive(Debug, Default)]
        pub struct $name {
            traces: Traces,
            value: of_loom::$name,
        }

        // Not every type is used with every operation.
        #[allow(dead_code)]
        impl $name {
            pub fn new(value: $value) -> Self {
                Self { traces: Traces::default(), value: of_loom::$name::new(value) }
            }

            fn traced<T>(&self, operation: impl FnOnce(&of_loom::$name) -> T) -> T {
                let outcome = operation(&self.value);
                self.traces.after_another();
                outcome
            }

            pub fn load(&self, order: Ordering) -> $value {
                let outcome = self.value.load(order);
                self.traces.after_a_load();
                outcome
            }

            pub fn store(&self, value: $value, order: Ordering) {
                self.traced(|it| it.store(value, order));
            }

            pub fn swap(&self, value: $value, order: Ordering) -> $value {
                self.traced(|it| it.swap(value, order))
            }

            pub fn fetch_or(&self, value: $value, order: Ordering) -> $value {
                self.traced(|it| it.fetch_or(value, order))
            }

            pub fn compare_exchange_weak(
                &self,
                old: $value,
                new: $value,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$value, $value> {
                self.traced(|it| it.compare_exchange_weak(old, new, success, failure))
            }

            /// As the standard library does it.
            pub fn fetch_update(
                &self,
                set: Ordering,
                fetch: Ordering,
                mut update: impl FnMut($value) -> Option<$value>,
            ) -> Result<$value, $value> {
                let mut seen = self.load(fetch);
                while let Some(next) = update(seen) {
                    match self.compare_exchange_weak(seen, next, set, fetch) {
                        Ok(old) => return Ok(old),
                        Err(other) => seen = other,
                    }
                }
                Err(seen)
            }
        }
        $(traced!(@$number $name, $value);)?
    };
    (@number $name:ident, $value:ty) => {
        #[allow(dead_code)]
        impl $name {
            pub fn fetch_add(&self, value: $value, order: Ordering) -> $value {
                self.traced(|it| it.fetch_add(value, order))
            }

            pub fn fetch_sub(&self, value: $value, order: Ordering) -> $value {
                self.traced(|it| it.fetch_sub(value, order))
            }
        }
    };
}

traced!(AtomicBool, bool);
traced!(AtomicU32, u32, number);
traced!(AtomicU64, u64, number);
