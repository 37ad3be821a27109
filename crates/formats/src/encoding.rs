//! From bytes to UTF-8: byte order marks, and the encodings that an XML declaration may name.

use std::io::{self, BufRead, Chain, Cursor, Read};

use crate::error::clip;
use crate::{ErrorKind, Position, ReadError};

/// How much of a file is looked at for a mark or a declaration.
const PREFIX: usize = 512;

/// A stream of UTF-8 (as far as the file keeps its promise), without byte order mark.
pub(crate) enum Decoded<'a> {
    Utf8(Raw<'a>),
    Latin1(Latin1<'a>),
}

type Raw<'a> = Chain<Cursor<Vec<u8>>, &'a mut dyn BufRead>;

/// Opens a text in UTF-8.
pub(crate) fn open_text(input: &mut dyn BufRead) -> Result<Decoded<'_>, ReadError> {
    let prefix = prefix(input)?;
    Ok(Decoded::Utf8(Cursor::new(prefix).chain(input)))
}

/// Opens an XML file in the encoding that its declaration names.
pub(crate) fn open_xml(input: &mut dyn BufRead) -> Result<Decoded<'_>, ReadError> {
    let prefix = prefix(input)?;
    let encoding = declared(&prefix);
    let raw = Cursor::new(prefix).chain(input);
    let Some(encoding) = encoding else { return Ok(Decoded::Utf8(raw)) };
    match encoding.to_ascii_lowercase().as_str() {
        "utf-8" | "utf8" | "us-ascii" | "ascii" => Ok(Decoded::Utf8(raw)),
        "iso-8859-1" | "latin1" | "latin-1" | "iso8859-1" | "iso_8859-1" => {
            Ok(Decoded::Latin1(Latin1 { raw, buffer: Vec::new(), at: 0 }))
        }
        _ => Err(ErrorKind::Encoding(clip(&encoding)).at(Position::START)),
    }
}

/// The first bytes without byte order mark.
fn prefix(input: &mut dyn BufRead) -> Result<Vec<u8>, ReadError> {
    let mut prefix = Vec::new();
    let start = |kind: ErrorKind| kind.at(Position::START);
    input.take(PREFIX as u64).read_to_end(&mut prefix).map_err(|e| start(e.into()))?;
    if prefix.starts_with(b"\xEF\xBB\xBF") {
        prefix.drain(..3);
    }
    let wide: [(&[u8], &str); 4] =
        [(b"\xFF\xFE", "UTF-16"), (b"\xFE\xFF", "UTF-16"), (b"<\0", "UTF-16"), (b"\0<", "UTF-16")];
    match wide.iter().find(|(mark, _)| prefix.starts_with(mark)) {
        Some((_, name)) => Err(start(ErrorKind::Encoding((*name).to_owned()))),
        None => Ok(prefix),
    }
}

/// The encoding in `<?xml … encoding="…"?>`.
fn declared(prefix: &[u8]) -> Option<String> {
    let declaration = prefix.strip_prefix(b"<?xml")?;
    let end = declaration.windows(2).position(|w| w == b"?>")?;
    let declaration = String::from_utf8_lossy(&declaration[..end]);
    let value = declaration.split_once("encoding")?.1.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    Some(value[1..].split(quote).next()?.to_owned())
}

/// ISO-8859-1 to UTF-8: every byte is the character with that number.
pub(crate) struct Latin1<'a> {
    raw: Raw<'a>,
    buffer: Vec<u8>,
    at: usize,
}

impl BufRead for Latin1<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.buffer.len() {
            self.buffer.clear();
            self.at = 0;
            let raw = self.raw.fill_buf()?;
            let bytes = &raw[..raw.len().min(8192)];
            let mut utf8 = [0; 2];
            for byte in bytes {
                self.buffer.extend_from_slice(char::from(*byte).encode_utf8(&mut utf8).as_bytes());
            }
            let used = bytes.len();
            self.raw.consume(used);
        }
        Ok(&self.buffer[self.at..])
    }

    fn consume(&mut self, amount: usize) {
        self.at = (self.at + amount).min(self.buffer.len());
    }
}

impl Read for Latin1<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n = self.fill_buf()?.read(out)?;
        self.consume(n);
        Ok(n)
    }
}

impl Read for Decoded<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self {
            Decoded::Utf8(raw) => raw.read(out),
            Decoded::Latin1(latin1) => latin1.read(out),
        }
    }
}

impl BufRead for Decoded<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match self {
            Decoded::Utf8(raw) => raw.fill_buf(),
            Decoded::Latin1(latin1) => latin1.fill_buf(),
        }
    }

    fn consume(&mut self, amount: usize) {
        match self {
            Decoded::Utf8(raw) => raw.consume(amount),
            Decoded::Latin1(latin1) => latin1.consume(amount),
        }
    }
}
