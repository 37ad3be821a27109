//! Numbering the nodes of a graph anew, in the order of their expansion.
//!
//! A sweep expands states in an order of its own: nodes are written in that order, and only targets have to
//! be translated. In a depth-first search the initial state ends last: the order is turned round, so that it
//! comes first and most edges lead forward (*reverse postorder*). Either way the old graph is read block by
//! block from one of its ends, and its memory is given back as the new one grows.

use sweepnet_space::Budget;
use sweepnet_space::budget::OutOfMemory;

use crate::block::{Encoder, NODES};
use crate::graph::Sizes;
use crate::offsets::Offsets;
use crate::order::Order;
use crate::packed::Packed;
use crate::reader::BlockReader;
use crate::words::{Pieces, Words};
use crate::{Description, Edge, Graph};

/// The graph whose nodes were written in this order of states, with states as targets. `open` are states. With it, for
/// each state, one more than the number of its node.
pub fn graph(
    sizes: Sizes,
    mut stream: Words,
    offsets: Offsets,
    order: Order,
    open: &[u64],
    budget: &Budget,
) -> Result<(Graph, Packed), OutOfMemory> {
    let forward = order.first() == Some(0);
    let numbers = numbers(sizes, order, forward, budget)?;
    let blocks = sizes.started.div_ceil(NODES);
    let (mut encoder, mut new) = (Encoder::new(budget), Pieces::new(budget));
    let (mut reader, mut edges) = (BlockReader::default(), Vec::new());
    for i in 0..blocks {
        let number = if forward { i } else { blocks - 1 - i };
        forget(&mut stream, &offsets, number, forward);
        let Some(block) = reader.read(&sizes, &stream, &offsets, number, NODES) else { continue };
        for j in 0..block.nodes() {
            let old = block.edges(if forward { j } else { block.nodes() - 1 - j });
            edges.clear();
            edges.extend(old.iter().map(|edge| Edge { target: numbers.get(edge.target) - 1, ..*edge }));
            if !edges.is_sorted() {
                edges.sort_unstable();
            }
            encoder.make_room(&mut new, &edges)?;
            encoder.node(&mut new, &edges)?;
        }
    }
    drop(stream);
    let mut open: Vec<u64> = open.iter().map(|state| numbers.get(*state) - 1).collect();
    open.sort_unstable();
    let lengths = encoder.finish(&mut new)?;
    let offsets = Offsets::of_lengths(&lengths, budget)?;
    let stream = Words::Own(new);
    Ok((Graph { sizes, stream, offsets, open, description: Description::default() }, numbers))
}

/// For each state, one more than the number of its node.
fn numbers(sizes: Sizes, order: Order, forward: bool, budget: &Budget) -> Result<Packed, OutOfMemory> {
    let mut numbers = Packed::zeros(budget, sizes.nodes, sizes.nodes)?;
    let mut position = 0;
    order.read(|state| {
        numbers.set(state, if forward { position + 1 } else { sizes.started - position });
        position += 1;
    })?;
    let mut next = sizes.started + 1;
    for state in 0..sizes.nodes {
        if numbers.get(state) == 0 {
            numbers.set(state, next.min(sizes.nodes));
            next += 1;
        }
    }
    Ok(numbers)
}

/// Gives back what has been read when this block is next.
fn forget(stream: &mut Words, offsets: &Offsets, block: u64, forward: bool) {
    if let (Words::Own(pieces), Some((begin, end))) = (stream, offsets.pair(block)) {
        match forward {
            true => pieces.forget_before((begin / 64) as usize),
            false => pieces.forget_from(end.div_ceil(64) as usize),
        }
    }
}
