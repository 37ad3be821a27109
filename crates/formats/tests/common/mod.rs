//! Helpers of the tests: reading from a string, and where the models are.
#![allow(dead_code)]

pub mod symmetric;

use std::path::{Path, PathBuf};

use sweepnet_formats::{Document, Format, Options, ReadError, read};

/// Reads bytes, the first net of them.
pub fn read_bytes(format: Format, bytes: impl AsRef<[u8]>) -> Result<Document, ReadError> {
    read(bytes.as_ref(), format, &Options::default())
}

/// Why the bytes cannot be read.
pub fn error(format: Format, bytes: impl AsRef<[u8]>) -> String {
    match read_bytes(format, bytes) {
        Ok(document) => panic!("this was read as a net: {:?}", document.model),
        Err(error) => error.to_string(),
    }
}

/// What the reader warns of, a line each.
pub fn warnings(format: Format, bytes: impl AsRef<[u8]>) -> String {
    let document = read_bytes(format, bytes).expect("a net");
    document.warnings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// A page of a place/transition net around these nodes and arcs, which begin on line 3.
pub fn page(content: &str) -> String {
    format!(
        "<pnml><net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\">\n\
         <page id=\"g\">\n{content}\n</page></net></pnml>"
    )
}

/// The folder of models beside the repository, if it is there.
pub fn models() -> Option<PathBuf> {
    let found = Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .map(|folder| folder.join("shared/models"))
        .find(|models| models.is_dir());
    if found.is_none() {
        println!("skipped: there is no folder shared/models beside the repository");
    }
    found
}
