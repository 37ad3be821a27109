//! How many states each progress value had, for whoever wants to see the sweep.

use super::layers::Layers;
use super::shelf::Shelf;
use crate::report::Point;

/// Points that are kept, at most: more than a screen is wide.
const MOST_POINTS: usize = 4096;

/// See the [module](self).
#[derive(Debug, Default)]
pub struct Profile {
    points: Vec<Point>,
    explored: u64,
    /// Layers that one point stands for, and how many the last one has.
    stride: u64,
    last: u64,
}

impl Profile {
    /// A layer is done; so many states are explored by now.
    pub fn push(&mut self, sweep: u64, value: &[i64], explored: u64, layers: &Layers<impl Shelf>) {
        let here = explored - self.explored;
        self.explored = explored;
        let (kept, persistent) = (layers.kept(), layers.persistent());
        let stride = self.stride.max(1);
        match self.points.last_mut() {
            Some(point) if point.sweep == sweep && self.last < stride => {
                point.explored += here;
                point.kept = point.kept.max(kept);
                point.persistent = point.persistent.max(persistent);
                self.last += 1;
            }
            _ => {
                self.points.push(Point { sweep, value: value.to_vec(), explored: here, kept, persistent });
                self.last = 1;
            }
        }
        if self.points.len() > MOST_POINTS {
            self.thin_out();
            self.stride = stride * 2;
        }
    }

    /// Merges neighbours of the same sweep.
    fn thin_out(&mut self) {
        let mut merged: Vec<Point> = Vec::with_capacity(MOST_POINTS);
        let mut single = true;
        for point in self.points.drain(..) {
            match merged.last_mut() {
                Some(last) if single && last.sweep == point.sweep => {
                    last.explored += point.explored;
                    last.kept = last.kept.max(point.kept);
                    last.persistent = last.persistent.max(point.persistent);
                    single = false;
                }
                _ => {
                    merged.push(point);
                    single = true;
                }
            }
        }
        self.points = merged;
    }

    /// The points, in order.
    pub fn points(&self) -> Vec<Point> {
        self.points.clone()
    }
}
