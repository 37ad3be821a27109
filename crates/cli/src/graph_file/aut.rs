//! Aldebaran's `.aut`: a header with the numbers of transitions and states, then a line per edge. The header is
//! known only at the end, so the edges go to a file of their own first.

use std::io::{self, BufWriter, Seek, Write};
use std::path::Path;

use sweepnet_net::{Net, TransitionId};
use sweepnet_space::StateId;

use super::Recorder;

use crate::failure::Failure;
use crate::output::cannot_write;

/// Writes edges as they are seen.
pub struct AutWriter {
    labels: Vec<String>,
    edges: BufWriter<std::fs::File>,
    error: Option<io::Error>,
}

/// What the format's readers allow.
const LONGEST_LABEL: usize = 5_000;

impl AutWriter {
    /// A writer whose edges wait beside the file that they are for.
    pub fn new(net: &Net, path: &Path) -> Result<Self, Failure> {
        let folder = path.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let edges = tempfile::tempfile_in(folder).map_err(|error| cannot_write(path, &error))?;
        // The format has no way to write a quotation mark inside a label.
        let label = |id: &str| id.replace('"', "'").replace('\n', " ").chars().take(LONGEST_LABEL).collect();
        let labels: Vec<String> = net.transitions().iter().map(|t| label(&t.id)).collect();
        let changed = net.transitions().iter().zip(&labels).find(|(t, label)| *t.id != **label);
        if let Some((transition, label)) = changed {
            complain!(
                "warning: {}: the format has no way to write the name {:?}: it becomes {label:?}",
                path.display(),
                transition.id
            );
        }
        Ok(Self { labels, edges: BufWriter::with_capacity(1 << 16, edges), error: None })
    }

    /// Writes the whole file.
    pub fn finish(self, out: &mut impl Write, states: u64, arcs: u64) -> io::Result<()> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let mut edges = self.edges.into_inner().map_err(io::IntoInnerError::into_error)?;
        edges.rewind()?;
        writeln!(out, "des (0, {arcs}, {states})")?;
        io::copy(&mut edges, out)?;
        Ok(())
    }
}

impl Recorder for AutWriter {
    fn arc(&mut self, source: StateId, event: TransitionId, target: StateId) {
        if self.error.is_none() {
            let label = &self.labels[event.index()];
            self.error = writeln!(self.edges, "({}, \"{label}\", {})", source.0, target.0).err();
        }
    }

    fn has_failed(&self) -> bool {
        self.error.is_some()
    }
}
