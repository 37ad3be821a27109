//! Limits on how deep a text and its tree may be, so that nobody who walks the tree runs out of stack.

use super::{Parsed, Parser};
use crate::diagnostic::Diagnostic;

/// How many constructs may stand inside each other.
const NESTING: usize = 200;

/// How many operators may follow each other: `a + b + c` is a tree as deep as it is long.
const CHAIN: usize = 1_000;

/// How many chains of comparisons may stand inside each other. Their inner operands are in the tree twice.
const COMPARISONS: usize = 4;

/// How deep the parser is, and how deep the tree is that it has read.
#[derive(Default)]
pub(super) struct Depth {
    nesting: usize,
    /// The longest path through chains in what was read since this was last taken.
    chain: usize,
    /// The same for chains of comparisons.
    comparisons: usize,
}

impl Parser<'_> {
    /// Reads something that may contain itself.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth.nesting >= NESTING {
            return Err(Box::new(Diagnostic::error(self.peek().span.clone(), "this is nested too deeply")));
        }
        self.depth.nesting += 1;
        let result = read(self);
        self.depth.nesting -= 1;
        result
    }

    /// Reads something that may begin with a chain, and forgets other chains meanwhile.
    pub(super) fn chain<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let outer = std::mem::take(&mut self.depth.chain);
        let result = read(self);
        self.depth.chain = self.depth.chain.max(outer);
        result
    }

    /// Notes that what was read is now the left part of something larger.
    pub(super) fn link(&mut self) -> Parsed<()> {
        self.depth.chain += 1;
        if self.depth.chain > CHAIN {
            let message = format!("more than {CHAIN} operators in one expression");
            return Err(Box::new(
                Diagnostic::error(self.peek().span.clone(), message)
                    .expected("parentheses around parts of it"),
            ));
        }
        Ok(())
    }

    /// Reads operands of comparisons, and tells how many chains of comparisons stand inside each other there.
    pub(super) fn comparisons<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<(T, usize)> {
        let outer = std::mem::take(&mut self.depth.comparisons);
        let result = read(self);
        let inner = self.depth.comparisons;
        self.depth.comparisons = inner.max(outer);
        Ok((result?, inner))
    }

    /// Notes a chain of comparisons around others.
    pub(super) fn comparison_chain(&mut self, inner: usize) -> Parsed<()> {
        self.depth.comparisons = self.depth.comparisons.max(inner + 1);
        if inner >= COMPARISONS {
            let message = "too many chains of comparisons inside each other";
            let error = Diagnostic::error(self.peek().span.clone(), message);
            return Err(Box::new(error.expected("comparisons joined by `and`")));
        }
        Ok(())
    }

    /// Forgets all depths: something new begins.
    pub(super) fn surface(&mut self) {
        self.depth = Depth::default();
    }
}
