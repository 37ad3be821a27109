//! Coloured nets among the subjects: the examples of the language, with a value for their parameter.

use std::path::{Path, PathBuf};

use sweepnet_colour::unfold::Limits;
use sweepnet_colour::{ColouredNet, Unfolding};

/// A model of the examples.
#[derive(Clone, Copy, Debug)]
pub struct Model {
    /// The file's name, without the ending.
    pub file: &'static str,
    /// The value of its parameter N.
    pub parameter: i64,
    /// On what it is explored.
    pub on: On,
}

/// On what a coloured net is explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    /// On the place/transition net that it stands for.
    Unfolding,
    /// On its own markings.
    Markings,
}

impl Model {
    /// The net.
    ///
    /// # Panics
    /// If its file cannot be read.
    pub fn net(&self) -> ColouredNet {
        read(&file(self.file), self.parameter)
    }
}

/// Reads a model with a value for its parameter N.
///
/// # Panics
/// If it cannot be read.
pub fn read(path: &Path, parameter: i64) -> ColouredNet {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    match sweepnet_language::read(&text, &[("N".to_owned(), parameter)]) {
        Ok((model, _)) => model.net,
        Err(errors) => panic!("{}: {}", path.display(), errors[0].message),
    }
}

/// The file of an example.
pub fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples").join(format!("{name}.snet"))
}

/// Unfolds a net as `explore` does: a slice where all of it would be large. The counts, which are compared with what is
/// known, tell whether the slice has everything.
pub fn unfolded(net: &ColouredNet) -> Result<Unfolding, String> {
    let unfolding = net.unfold_slice(&Limits { nodes: usize::MAX, go_on: &|| true });
    unfolding.map_err(|error| error.to_string())
}
