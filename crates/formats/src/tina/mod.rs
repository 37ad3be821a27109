//! The textual format of the TINA toolbox: `lexer` for its words, `parser` for its declarations, `writer`.

mod lexer;
pub(crate) mod parser;
pub(crate) mod writer;
