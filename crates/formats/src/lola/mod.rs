//! The low-level nets of LoLA: `lexer` for its words, `parser` for its sections, `writer`.

mod lexer;
pub(crate) mod parser;
pub(crate) mod writer;
