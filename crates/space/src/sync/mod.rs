//! Atomics and locks that threads of a search share: those of the standard library, and those of
//! loom where it tries all interleavings (`tests/interleavings`, built with `--cfg loom`).
//!
//! What is a static, or shared by nobody while threads run, takes the standard library's in any case: loom's must be
//! made anew in every run of a model. So does the flag by which a level is paused ([`levels`](crate::search::levels)):
//! it is a hint, and loom has no scoped threads.

#[cfg(loom)]
pub(crate) mod atomic;
#[cfg(loom)]
mod once_lock;

#[cfg(not(loom))]
pub(crate) use std::{
    hint::spin_loop,
    sync::{Mutex, MutexGuard, OnceLock, atomic},
    thread::yield_now,
};

#[cfg(loom)]
pub(crate) use {
    loom::hint::spin_loop,
    loom::sync::{Mutex, MutexGuard},
    loom::thread::yield_now,
    once_lock::OnceLock,
};
