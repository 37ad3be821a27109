//! Saving a graph.

use std::io::{self, Write};

use super::head::{CHECKSUM, Head};
use super::{PIECE, chain, texts};
use crate::Graph;
use crate::words::Words;

impl Graph {
    /// Writes the graph as a file.
    pub fn write(&self, to: &mut impl Write) -> io::Result<()> {
        let mut texts = texts::write(&self.description);
        let text_bytes = texts.len() as u64;
        texts.resize(texts.len().next_multiple_of(8), 0);
        let mut body_checksum = 0;
        self.body(|bytes| {
            body_checksum = chain(body_checksum, bytes);
            Ok(())
        })?;
        let head = Head {
            body_checksum,
            flags: u64::from(self.sizes.complete) | u64::from(self.description.exact) << 1,
            model: self.description.model,
            nodes: self.sizes.nodes,
            started: self.sizes.started,
            edges: self.sizes.edges,
            events: u64::from(self.sizes.events),
            text_bytes,
            text_words: texts.len() as u64 / 8,
            stream: self.stream.len() as u64,
            low: self.offsets.low.len() as u64,
            high: self.offsets.high.len() as u64,
            samples: self.offsets.samples.len() as u64,
            open: self.open.len() as u64,
            low_bits: u64::from(self.offsets.low_bits),
        };
        let mut words = head.words();
        let mut front = words.map(u64::to_le_bytes).as_flattened().to_vec();
        front.extend(&texts);
        words[CHECKSUM] = chain(0, &front);
        to.write_all(words.map(u64::to_le_bytes).as_flattened())?;
        to.write_all(&texts)?;
        self.body(|bytes| to.write_all(bytes))
    }

    /// Shows the body in pieces.
    fn body(&self, mut show: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(PIECE * 8);
        let parts: [&Words; 4] = [&self.stream, &self.offsets.low, &self.offsets.high, &self.offsets.samples];
        let mut add = |words: &[u64], last: bool| {
            for word in words {
                bytes.extend(word.to_le_bytes());
                if bytes.len() == PIECE * 8 {
                    show(&bytes)?;
                    bytes.clear();
                }
            }
            if last && !bytes.is_empty() { show(&bytes) } else { Ok(()) }
        };
        let mut words = Vec::new();
        for part in parts {
            for from in (0..part.len()).step_by(PIECE) {
                words.clear();
                part.copy(from, (from + PIECE).min(part.len()), &mut words);
                add(&words, false)?;
            }
        }
        add(&self.open, true)
    }
}
