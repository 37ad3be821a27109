//! PNML, the XML format of ISO/IEC 15909-2 and its many dialects.
//!
//! `reader` follows the XML events with a stack of what it is `inside`, and chooses the net; `nodes` and `labels`
//! take what elements mean, `attributes` looks at tags, `dialect` knows the spellings of other tools. `assembly`
//! puts the net together (arcs may come before their nodes, and through reference nodes), `nupn` its unit
//! structure. The labels of coloured nets are kept as a `tree` each, in `colours`; `symmetric` makes the coloured net
//! of them. `writer` writes, with `escape` for what XML cannot hold as it is.

mod assembly;
mod attributes;
mod colours;
mod dialect;
mod escape;
mod inside;
mod labels;
mod nodes;
mod nupn;
pub(crate) mod reader;
mod symmetric;
mod tree;
pub(crate) mod writer;
