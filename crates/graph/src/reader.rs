//! Reading a graph: the edges of any node, fastest in order of numbers.

use crate::bits::BitReader;
use crate::block::{Block, Decoder, Extent, NODES};
use crate::graph::Sizes;
use crate::offsets::Offsets;
use crate::words::Words;
use crate::{Edge, Graph};

/// Reads the edges of a graph. It keeps the block it read last, so that neighbours cost nothing.
#[derive(Debug)]
pub struct Reader<'a> {
    graph: &'a Graph,
    blocks: BlockReader,
    /// The number of the block that was read last.
    at: u64,
}

impl<'a> Reader<'a> {
    /// A reader that has not read anything.
    pub fn new(graph: &'a Graph) -> Self {
        Self { graph, blocks: BlockReader::default(), at: u64::MAX }
    }

    /// The edges of a node, in order of events. A node that was not expanded, or is not there, has none.
    #[inline]
    pub fn out(&mut self, node: u64) -> &[Edge] {
        let block = node / NODES;
        let index = (node % NODES) as usize;
        if block != self.at || index >= self.blocks.block.nodes() {
            self.at = block;
            // The nodes of a block are read from the first on: when one is wanted that is no neighbour, those
            // after it may never be.
            let count = if index == 0 { NODES } else { index as u64 + 1 };
            if self.read(block, count).is_none() {
                // Files are looked through when they are opened. A block that is damaged later has no edges.
                self.blocks.block.clear();
            }
        }
        self.blocks.block.edges(index)
    }

    /// Reads so many nodes of a block; none if it is damaged.
    pub(crate) fn read(&mut self, block: u64, count: u64) -> Option<&Block> {
        let Graph { sizes, stream, offsets, .. } = self.graph;
        self.blocks.read(sizes, stream, offsets, block, count)
    }
}

/// Reads blocks from wherever they are, and keeps the last.
#[derive(Debug, Default)]
pub(crate) struct BlockReader {
    decoder: Decoder,
    words: Vec<u64>,
    pub block: Block,
}

impl BlockReader {
    /// Reads so many nodes of a block; none if it is damaged.
    pub fn read(
        &mut self,
        sizes: &Sizes,
        stream: &Words,
        offsets: &Offsets,
        block: u64,
        count: u64,
    ) -> Option<&Block> {
        self.block.clear();
        let first = block * NODES;
        let there = sizes.started.saturating_sub(first).min(NODES);
        if there == 0 {
            return Some(&self.block);
        }
        let (begin, end) = offsets.pair(block)?;
        let (begin, end) = (usize::try_from(begin).ok()?, usize::try_from(end).ok()?);
        let (from, to) = (begin / 64, end.div_ceil(64));
        if end < begin || to > stream.len() {
            return None;
        }
        self.words.clear();
        stream.copy(from, to, &mut self.words);
        let extent = Extent { first, count: there.min(count), nodes: sizes.nodes, events: sizes.events };
        let bits = BitReader::new(&self.words, begin - from * 64);
        self.decoder.decode(bits, end - from * 64, extent, &mut self.block)?;
        Some(&self.block)
    }
}
