//! One object: a list of states, each with its marking and its successors.

use std::io::{self, Write};

use sweepnet_net::{Marking, Net, TransitionId};
use sweepnet_space::{Report, StateId};

use super::Recorder;

use crate::report::json;

/// Writes each state when its successors are known. Edges of several states may be under way at once in a
/// depth-first search, so each keeps its own until then.
pub struct JsonWriter<'a, W> {
    net: &'a Net,
    out: W,
    pending: std::collections::HashMap<StateId, Vec<(TransitionId, StateId)>>,
    written: u64,
    error: Option<io::Error>,
}

impl<'a, W: Write> JsonWriter<'a, W> {
    /// A writer for a net's graph.
    pub fn new(net: &'a Net, mut out: W) -> Self {
        let name = serde_json::Value::from(net.name.as_str());
        let start = write!(
            out,
            "{{\n\"schema\": \"sweepnet/graph-file/1\",\n\"model\": {name},\n\"initial\": 0,\n\"states\": ["
        );
        Self { net, out, pending: Default::default(), written: 0, error: start.err() }
    }

    /// Ends the object.
    pub fn finish(mut self, report: &Report) -> io::Result<()> {
        if let Some(error) = self.error {
            return Err(error);
        }
        writeln!(
            self.out,
            "\n],\n\"complete\": {},\n\"state_count\": {},\n\"arc_count\": {}\n}}",
            report.is_complete(),
            report.states,
            report.counts.arcs
        )
    }
}

impl<W: Write + Send> Recorder for JsonWriter<'_, W> {
    fn arc(&mut self, source: StateId, event: TransitionId, target: StateId) {
        self.pending.entry(source).or_default().push((event, target));
    }

    fn complete(&mut self, id: StateId, marking: &dyn Fn() -> Marking, _: u64) {
        if self.error.is_some() {
            return;
        }
        let successors = self.pending.remove(&id).unwrap_or_default();
        let successors = successors
            .iter()
            .map(|(event, target)| serde_json::json!([&*self.net.transition(*event).id, target.0]))
            .collect::<Vec<_>>();
        let object = serde_json::json!({
            "id": id.0,
            "marking": json::marking(self.net, &marking()),
            "successors": successors,
        });
        let comma = if self.written == 0 { "" } else { "," };
        self.written += 1;
        self.error = write!(self.out, "{comma}\n{object}").err();
    }

    fn has_failed(&self) -> bool {
        self.error.is_some()
    }
}
