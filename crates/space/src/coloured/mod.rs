//! Searching a coloured net on its own markings, without unfolding it: for nets whose unfolding would be too large, and
//! for those with times or priorities, which have none.
//!
//! A marking is encoded by the codec of [`multiset`] (with [`bits`], [`counts`] and [`items`] below it), kept in a set of
//! byte [`strings`], and found by [`search`], in an order that may follow a [`measure`] of progress: [`explore`] runs it, an
//! [`observer`](ColouredObserver) watches, and a [`report`](ColouredReport) tells what came of it. [`ColouredPump`]s show that
//! there is no end to it.

pub mod bits;
mod breadth_first;
pub mod counts;
mod depth_first;
mod growth;
pub mod items;
pub mod measure;
pub mod multiset;
pub mod observer;
pub mod report;
mod running;
pub mod search;
pub mod strings;
mod sweep;

pub use growth::{ColouredPump, Grown};
pub use measure::{ColouredMeasure, ColouredSweepPlan};
pub use multiset::{CodecOptions, CodecScratch, MultisetCodec};
pub use observer::ColouredObserver;
pub use report::{ColouredMaxima, ColouredReport, Lost};
pub use search::{ColouredPlan, explore};
pub use strings::Strings;
