//! Opening a saved graph.

use std::fs::File;
use std::path::Path;

use sweepnet_space::Control;
use sweepnet_space::control::Watch;

use super::head::{CHECKSUM, HEAD, Head};
use super::{FileError, PIECE, chain, texts};
use crate::block::{MOST_NODES, NODES};
use crate::graph::{LOOK, Sizes};
use crate::mapped::Mapped;
use crate::offsets::Offsets;
use crate::words::Words;
use crate::{Description, Graph};

impl Graph {
    /// Opens a file and maps it into memory. Everything in it is looked at once.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, FileError> {
        Self::open_within(path, &Control::unlimited().watch())
    }

    /// The same, unless a limit is reached meanwhile.
    pub fn open_within(path: impl AsRef<Path>, watch: &Watch) -> Result<Self, FileError> {
        let file = File::open(path)?;
        let found = file.metadata()?.len();
        if found < HEAD as u64 * 8 {
            return Err(FileError::Foreign);
        }
        let map = Mapped::open(&file)?;
        let (head, checksum) = Head::read(map.words())?;
        let expected = head.file_words().and_then(|words| words.checked_mul(8)).unwrap_or(u64::MAX);
        if expected != found || map.words().len() as u64 * 8 != found {
            return Err(FileError::Size { expected, found });
        }
        let body = HEAD + head.text_words as usize;
        let (front, rest) = map.words().split_at(body);
        let mut front = front.to_vec();
        front[CHECKSUM] = 0;
        if chain(0, bytemuck::cast_slice(&front)) != checksum {
            return Err(FileError::Checksum("head"));
        }
        let mut checksum = 0;
        for piece in rest.chunks(PIECE) {
            watch.look().map_err(FileError::Stopped)?;
            checksum = chain(checksum, bytemuck::cast_slice(piece));
        }
        if checksum != head.body_checksum {
            return Err(FileError::Checksum("body"));
        }
        let text_bytes = usize::try_from(head.text_bytes).ok();
        let texts = text_bytes.and_then(|len| bytemuck::cast_slice::<u64, u8>(&front[HEAD..]).get(..len));
        let description = texts.and_then(|texts| describe(&head, texts));
        let description = description.ok_or(FileError::Damaged("its names are no texts"))?;
        let graph = assemble(&head, map, body, description)?;
        graph.verify(watch)?;
        Ok(graph)
    }

    /// Reads every block, and counts.
    fn verify(&self, watch: &Watch) -> Result<(), FileError> {
        let mut reader = self.reader();
        let mut edges = 0u64;
        for block in 0..self.sizes.started.div_ceil(NODES) {
            if block.is_multiple_of(LOOK / NODES) {
                watch.look().map_err(FileError::Stopped)?;
            }
            let block =
                reader.read(block, NODES).ok_or(FileError::Damaged("a block of edges cannot be read"))?;
            edges += (0..block.nodes()).map(|index| block.edges(index).len() as u64).sum::<u64>();
        }
        if edges != self.sizes.edges {
            return Err(FileError::Damaged("the number of edges is wrong"));
        }
        Ok(())
    }
}

fn describe(head: &Head, texts: &[u8]) -> Option<Description> {
    let (name, search, note, events) = texts::read(texts)?;
    Some(Description { model: head.model, name, search, exact: head.flags & 2 != 0, events, note })
}

/// The graph whose body begins with a certain word of a file.
fn assemble(head: &Head, map: Mapped, body: usize, description: Description) -> Result<Graph, FileError> {
    let events = u32::try_from(head.events).map_err(|_| FileError::Damaged("it has too many events"))?;
    // Nodes that were not begun were found by an edge.
    let most_nodes = head.started.saturating_add(head.edges).saturating_add(1);
    if head.nodes > MOST_NODES.min(most_nodes)
        || head.started > head.nodes
        || head.flags > 3
        || head.low_bits >= 48
    {
        return Err(FileError::Damaged("its sizes are impossible"));
    }
    if !description.events.is_empty() && description.events.len() != events as usize {
        return Err(FileError::Damaged("it has not as many names as events"));
    }
    let mut from = body;
    // The parts were found to fill the file exactly.
    let [stream, low, high, samples, open] = head.parts().map(|len| {
        let part = Words::Mapped(map.clone(), from, len as usize);
        from += len as usize;
        part
    });
    let mut open_nodes = Vec::new();
    open.copy(0, open.len(), &mut open_nodes);
    if !open_nodes.is_sorted_by(|a, b| a < b) || open_nodes.last().is_some_and(|last| *last >= head.started) {
        return Err(FileError::Damaged("its list of nodes without all edges is impossible"));
    }
    let (nodes, started, edges) = (head.nodes, head.started, head.edges);
    let sizes = Sizes { nodes, started, edges, events, complete: head.flags & 1 != 0 };
    let len = started.div_ceil(NODES) + 1;
    let offsets = Offsets { len, low_bits: head.low_bits as u32, low, high, samples };
    Ok(Graph { sizes, stream, offsets, open: open_nodes, description })
}
