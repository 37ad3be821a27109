//! What `--sizes` tells.

use std::io::{self, Write};

use serde_json::{Value, json};
use sweepnet_colour::machine::MarkingWorld;
use sweepnet_colour::{ColouredNet, Machine};
use sweepnet_space::coloured::{CodecOptions, CodecScratch, MultisetCodec};

use crate::quantity::grouped;

/// The bytes of all states in three codecs: the plain one, with capacities, and also without derived places. These
/// are the columns of the paper's tables.
pub struct Sizes {
    codecs: [MultisetCodec; 3],
    bytes: [u64; 3],
    scratch: CodecScratch,
}

impl Sizes {
    const NAMES: [&'static str; 3] = ["plain", "capacities", "derived"];

    /// Of no states yet.
    pub fn new(net: &ColouredNet, machine: &Machine) -> Self {
        let options = [(false, false), (true, false), (true, true)];
        let codecs = options.map(|(capacities, derived)| {
            let codec = MultisetCodec::new(net, CodecOptions { capacities, derived });
            if machine.keeps_clock() { codec.with_clock() } else { codec }
        });
        Self { codecs, bytes: [0; 3], scratch: CodecScratch::default() }
    }

    /// Takes in a state.
    pub fn add(&mut self, state: &MarkingWorld<'_>) {
        for (codec, sum) in self.codecs.iter().zip(&mut self.bytes) {
            // A state that has no encoding ends the search by itself.
            if let Ok(encoded) = codec.encode(state.marking, &mut self.scratch) {
                *sum += encoded.len() as u64;
            }
        }
    }

    /// As JSON.
    pub fn json(&self) -> Value {
        json!({ "plain": self.bytes[0], "capacities": self.bytes[1], "derived": self.bytes[2] })
    }

    /// Prints them.
    pub fn print(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "\nbytes of all states, each a whole number of them")?;
        let words = [
            "without capacities, all places",
            "with capacities, all places",
            "with capacities, without derived places",
        ];
        for (size, (name, words)) in self.bytes.iter().zip(Self::NAMES.iter().zip(words)) {
            writeln!(out, "  {name:<10}  {:>15}  {words}", grouped(*size))?;
        }
        Ok(())
    }
}
