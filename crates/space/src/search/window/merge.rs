//! The next level, merged from the successors of the last one.
//!
//! Each event reads the last level on its own, and adds its step to the keys where it is enabled: a sorted stream. The
//! streams are merged, so that all ways to a marking come together, and markings come in order: those that lie in older
//! levels are found by reading these along. Nothing is kept but the lists.

use sweepnet_net::TransitionId;

use super::events::Event;
use super::lists::{Cursor, Format, List};
use super::number::Number;
use super::ring::Ring;

/// One step to a marking.
#[derive(Clone, Copy, Debug)]
pub struct Step<const W: usize> {
    /// The event.
    pub event: TransitionId,
    /// Its place among the events.
    pub at: usize,
    /// Where the source lies in its level, from 0.
    pub source: u64,
    /// The key it leads to.
    pub target: Number<W>,
}

/// A field is too narrow for a count.
#[derive(Clone, Copy, Debug)]
pub struct Narrow {
    /// The field.
    pub field: usize,
    /// The count.
    pub count: u64,
}

struct Stream<const W: usize> {
    cursor: Cursor<W>,
    target: Number<W>,
}

impl<const W: usize> Stream<W> {
    /// Goes to the next state in which the event is enabled; tells whether there is one.
    #[inline]
    fn advance(&mut self, event: &Event<W>, ring: &Ring) -> Result<bool, Narrow> {
        while self.cursor.next(ring) {
            if event.is_enabled(&self.cursor.key) {
                if let Some((field, count)) = event.overflows(&self.cursor.key) {
                    return Err(Narrow { field, count });
                }
                self.target = self.cursor.key.plus(&event.step);
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Merges the streams of all events from a level.
pub struct Merge<const W: usize> {
    streams: Vec<Stream<W>>,
    /// The streams that go on, the least target first.
    heap: Vec<u32>,
}

impl<const W: usize> Merge<W> {
    /// The streams from a level.
    pub fn new(events: &[Event<W>], level: &List, format: Format, ring: &Ring) -> Result<Self, Narrow> {
        let mut merge = Self { streams: Vec::with_capacity(events.len()), heap: Vec::new() };
        for (at, event) in events.iter().enumerate() {
            let mut stream = Stream { cursor: Cursor::new(level, format, ring), target: Number::ZERO };
            if stream.advance(event, ring)? {
                merge.heap.push(at as u32);
            }
            merge.streams.push(stream);
        }
        (0..merge.heap.len() / 2).rev().for_each(|at| merge.sift(at));
        Ok(merge)
    }

    /// The events that are enabled somewhere.
    pub fn enabled(&self) -> impl Iterator<Item = usize> + '_ {
        self.heap.iter().map(|at| *at as usize)
    }

    /// All steps to the next marking; none when there are no more.
    #[inline]
    pub fn next(
        &mut self,
        events: &[Event<W>],
        mask: &Number<W>,
        ring: &Ring,
        steps: &mut Vec<Step<W>>,
    ) -> Result<(), Narrow> {
        steps.clear();
        while let Some(&first) = self.heap.first() {
            let at = first as usize;
            let (event, stream) = (&events[at], &mut self.streams[at]);
            let target = stream.target;
            if steps.first().is_some_and(|step| !step.target.is_same(&target, mask)) {
                break;
            }
            steps.push(Step { event: event.transition, at, source: stream.cursor.position - 1, target });
            if !stream.advance(event, ring)? {
                self.heap.swap_remove(0);
            }
            self.sift(0);
        }
        Ok(())
    }

    /// Puts a stream where it belongs.
    #[inline]
    fn sift(&mut self, mut at: usize) {
        let target = |heap: &[u32], at: usize| self.streams[heap[at] as usize].target;
        let heap = &mut self.heap;
        loop {
            let left = 2 * at + 1;
            if left >= heap.len() {
                break;
            }
            let right = left + 1;
            let is_right = right < heap.len() && target(heap, right) < target(heap, left);
            let child = if is_right { right } else { left };
            if target(heap, at) <= target(heap, child) {
                break;
            }
            heap.swap(at, child);
            at = child;
        }
    }
}
