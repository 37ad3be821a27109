//! Terminal strongly connected components of a layer that is about to be dropped.
//!
//! Where no step loses progress, all states of a component have the same: no component is ever cut. So while a layer is
//! expanded its inner steps are written down, and at its end the components that no step leaves are shown.

use crate::Budget;
use crate::budget::{Charged, OutOfMemory};

/// The steps inside the present layer.
#[derive(Debug)]
pub struct Inner {
    /// Where the steps of each expanded state begin.
    heads: Charged<u32>,
    targets: Charged<u32>,
    /// Which states have a step out of the layer.
    leaves: Charged<bool>,
    budget: Budget,
}

impl Inner {
    /// No steps yet.
    pub fn new(budget: &Budget) -> Self {
        Self {
            heads: Charged::new(budget),
            targets: Charged::new(budget),
            leaves: Charged::new(budget),
            budget: budget.clone(),
        }
    }

    /// Another layer is next.
    pub fn clear(&mut self) {
        *self = Self::new(&self.budget.clone());
    }

    /// The state whose expansion begins. States come in order of their positions.
    pub fn begin(&mut self, at: u64) -> Result<(), OutOfMemory> {
        if self.heads.len() as u64 == at {
            self.heads.push(self.targets.len() as u32)?;
            self.leaves.push(false)?;
        }
        Ok(())
    }

    /// A step of the state under expansion: to a state of the layer, or out of it.
    pub fn step(&mut self, to: Option<u64>) -> Result<(), OutOfMemory> {
        match to {
            Some(at) if self.targets.len() < u32::MAX as usize => self.targets.push(at as u32),
            Some(_) => Err(self.budget.refusal()),
            None => {
                if let Some(leaves) = self.leaves.last_mut() {
                    *leaves = true;
                }
                Ok(())
            }
        }
    }

    /// Shows the states of the components that nothing leaves, component by component.
    pub fn terminal<E: From<OutOfMemory>>(&self, show: impl FnMut(&[u32]) -> Result<(), E>) -> Result<(), E> {
        let states = self.heads.len();
        let mut components = Components {
            inner: self,
            index: Charged::filled(&self.budget, 0, states)?,
            low: Charged::filled(&self.budget, 0, states)?,
            stack: Charged::new(&self.budget),
            next: 1,
            show,
        };
        for state in 0..states as u32 {
            if components.index[state as usize] == 0 {
                components.visit(state)?;
            }
        }
        Ok(())
    }

    fn steps(&self, state: u32) -> &[u32] {
        let from = self.heads[state as usize] as usize;
        let to = self.heads.get(state as usize + 1).map_or(self.targets.len(), |head| *head as usize);
        &self.targets[from..to]
    }
}

/// Tarjan's algorithm under way.
struct Components<'a, F> {
    inner: &'a Inner,
    /// In which order states were met, from 1; `DONE` once their component is known.
    index: Charged<u32>,
    low: Charged<u32>,
    stack: Charged<u32>,
    next: u32,
    show: F,
}

/// A state whose component is complete.
const DONE: u32 = u32::MAX;

impl<F> Components<'_, F> {
    fn visit<E: From<OutOfMemory>>(&mut self, root: u32) -> Result<(), E>
    where
        F: FnMut(&[u32]) -> Result<(), E>,
    {
        let mut path = Charged::new(&self.inner.budget);
        self.enter(root)?;
        path.push((root, 0_u32))?;
        while let Some((state, done)) = path.last().copied() {
            if let Some(target) = self.inner.steps(state).get(done as usize).copied() {
                let last = path.len() - 1;
                path[last].1 += 1;
                match self.index[target as usize] {
                    0 => {
                        self.enter(target)?;
                        path.push((target, 0))?;
                    }
                    DONE => {}
                    index => self.low[state as usize] = self.low[state as usize].min(index),
                }
                continue;
            }
            path.pop();
            if let Some((parent, _)) = path.last() {
                let low = self.low[state as usize];
                self.low[*parent as usize] = self.low[*parent as usize].min(low);
            }
            if self.low[state as usize] == self.index[state as usize] {
                self.complete(state)?;
            }
        }
        Ok(())
    }

    fn enter(&mut self, state: u32) -> Result<(), OutOfMemory> {
        self.index[state as usize] = self.next;
        self.low[state as usize] = self.next;
        self.next += 1;
        self.stack.push(state)
    }

    /// The component of a state is what lies above it on the stack.
    fn complete<E>(&mut self, root: u32) -> Result<(), E>
    where
        F: FnMut(&[u32]) -> Result<(), E>,
    {
        let from = self.stack.iter().rposition(|state| *state == root).unwrap_or(0);
        let first = self.index[root as usize];
        let is_inside = |target: &u32| (first..DONE).contains(&self.index[*target as usize]);
        let component = &self.stack[from..];
        let leaves = |state: &u32| {
            self.inner.leaves[*state as usize] || !self.inner.steps(*state).iter().all(is_inside)
        };
        let terminal = !component.iter().any(leaves);
        if terminal {
            (self.show)(component)?;
        }
        while let Some(state) = self.stack.pop() {
            self.index[state as usize] = DONE;
            if state == root {
                break;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terminal(steps: &[&[Option<u64>]]) -> Vec<Vec<u32>> {
        let mut inner = Inner::new(&Budget::of(u64::MAX));
        for (at, steps) in steps.iter().enumerate() {
            inner.begin(at as u64).unwrap();
            steps.iter().for_each(|to| inner.step(*to).unwrap());
        }
        let mut found = Vec::new();
        let shown = inner.terminal(|component| {
            found.push(component.to_vec());
            Ok::<_, OutOfMemory>(())
        });
        assert_eq!(shown, Ok(()));
        found.iter_mut().for_each(|component| component.sort_unstable());
        found.sort();
        found
    }

    #[test]
    fn components_that_are_left_are_not_terminal() {
        assert_eq!(terminal(&[&[Some(1)], &[Some(0), Some(2)], &[]]), [vec![2]]);
        assert_eq!(terminal(&[&[Some(1)], &[Some(0)], &[None]]), [vec![0, 1]]);
        assert_eq!(terminal(&[&[Some(0)], &[Some(1), Some(0)], &[Some(0), None]]), [vec![0]]);
        assert_eq!(terminal(&[&[Some(1), None], &[Some(0)]]), Vec::<Vec<u32>>::new());
        assert_eq!(terminal(&[&[Some(1), Some(2)], &[], &[Some(2)]]), [vec![1], vec![2]]);
    }
}
