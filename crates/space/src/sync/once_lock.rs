//! The standard library's `OnceLock` as loom should see it, which has none of its own.
//!
//! Whoever sees that a value is there sees what was written before it was put there; of several who put one there, the
//! first succeeds, and the others return when its value is there. A flag and a lock of loom's say so. The value itself
//! is in a lock of the standard library, in which nobody ever waits: loom changes threads only at its own operations.

use loom::sync::Mutex;

use super::atomic::{AtomicBool, Ordering};

#[derive(Debug)]
pub struct OnceLock<T> {
    is_there: AtomicBool,
    one_at_a_time: Mutex<()>,
    value: std::sync::OnceLock<T>,
}

impl<T> OnceLock<T> {
    pub fn new() -> Self {
        Self {
            is_there: AtomicBool::new(false),
            one_at_a_time: Mutex::new(()),
            value: std::sync::OnceLock::new(),
        }
    }

    pub fn get(&self) -> Option<&T> {
        if self.is_there.load(Ordering::Acquire) { self.value.get() } else { None }
    }

    pub fn set(&self, value: T) -> Result<(), T> {
        let _one_at_a_time = self.one_at_a_time.lock();
        self.value.set(value)?;
        self.is_there.store(true, Ordering::Release);
        Ok(())
    }

    pub fn take(&mut self) -> Option<T> {
        self.is_there.store(false, Ordering::Relaxed);
        self.value.take()
    }
}
