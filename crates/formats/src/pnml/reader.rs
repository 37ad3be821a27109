//! Reads PNML as a stream of events, with an explicit stack instead of recursion: a file may nest as deep as it
//! likes.

use std::io::BufRead;

use quick_xml::events::{BytesStart, Event};

use super::assembly::{Assembly, RawArc};
use super::attributes::{attributes, legal, trim, xml_error};
use super::colours::{Colouring, Structured};
use super::dialect::{NetType, net_type};
use super::inside::Inside;
use super::tree::Growing;
use crate::error::clip;
use crate::position::Counted;
use crate::warning::Notices;
use crate::{Document, ErrorKind, Options, Position, ReadError, encoding};

/// Reads one net of a PNML file.
pub(crate) fn read(input: &mut dyn BufRead, options: &Options) -> Result<Document, ReadError> {
    let mut xml = quick_xml::Reader::from_reader(Counted::new(encoding::open_xml(input)?));
    let mut reader = Reader::new(options);
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        let mut at = xml.get_ref().position();
        let error = match xml.read_event_into(&mut buffer) {
            Ok(Event::Start(tag)) => {
                reader.start(&tag, at)?;
                continue;
            }
            Ok(Event::End(_)) => {
                reader.end(at)?;
                continue;
            }
            Ok(Event::Empty(tag)) => {
                reader.start(&tag, at)?;
                reader.end(at)?;
                continue;
            }
            Ok(Event::Text(text)) => {
                reader.text(&text.xml10_content(), at)?;
                continue;
            }
            Ok(Event::CData(text)) => {
                reader.text(&text.xml10_content(), at)?;
                continue;
            }
            Ok(Event::GeneralRef(entity)) => {
                reader.entity(&entity, at)?;
                continue;
            }
            Ok(Event::DocType(_)) => {
                reader
                    .notices
                    .add(at, "the document type declaration is ignored; its entities are not expanded");
                continue;
            }
            Ok(Event::Comment(_) | Event::PI(_) | Event::Decl(_)) => continue,
            Ok(Event::Eof) => return reader.finish(xml.get_ref().position()),
            Err(error) => error,
        };
        if let Err(utf8) = std::str::from_utf8(&buffer) {
            at.advance(&buffer[..utf8.valid_up_to()]);
        }
        return Err(xml_error(&error).at(at));
    }
}

/// The net that is being read.
pub(super) struct Candidate {
    assembly: Assembly,
    id: String,
    pub(super) name: Option<String>,
    /// Asked for by id, number or silence. Else its name may turn out to be the one asked for, and until then
    /// what is wrong with it is nobody's business.
    chosen: bool,
    error: Option<ReadError>,
}

/// The state of reading: what is open, and what was found.
pub(super) struct Reader<'o> {
    options: &'o Options,
    pub(super) stack: Vec<Inside>,
    /// How many elements deep in something that is not read.
    skipping: usize,
    notices: Notices,
    nets: Vec<String>,
    second_net: Position,
    pub(super) candidate: Option<Candidate>,
    document: Option<Document>,
    seen_root: bool,
    /// The text of the label (or list of ids) being read, if it has any.
    pub(super) text: Option<String>,
    pub(super) text_at: Position,
    pub(super) arc: Option<RawArc>,
    /// The label of a coloured net being read, and the tree in it.
    pub(super) structured: Structured,
    pub(super) growing: Growing,
    /// The id of the place or arc being read, for messages.
    pub(super) owner: String,
}

impl<'o> Reader<'o> {
    fn new(options: &'o Options) -> Self {
        Self {
            options,
            stack: Vec::new(),
            skipping: 0,
            notices: Notices::default(),
            nets: Vec::new(),
            second_net: Position::START,
            candidate: None,
            document: None,
            seen_root: false,
            text: None,
            text_at: Position::START,
            arc: None,
            structured: Structured { at: Position::START, structure: None },
            growing: Growing::default(),
            owner: String::new(),
        }
    }

    fn start(&mut self, tag: &BytesStart<'_>, at: Position) -> Result<(), ReadError> {
        if self.skipping > 0 {
            self.skipping += 1;
            return Ok(());
        }
        match self.open(tag, at) {
            Ok(Some(inside)) => self.stack.push(inside),
            Ok(None) => self.skipping = 1,
            Err(error) => {
                self.fail(error)?;
                self.skipping = 1;
            }
        }
        Ok(())
    }

    /// An error ends the reading, unless it is in a net that may not be the one asked for.
    pub(super) fn fail(&mut self, error: ReadError) -> Result<(), ReadError> {
        match &mut self.candidate {
            Some(candidate) if !candidate.chosen => {
                candidate.error.get_or_insert(error);
                Ok(())
            }
            _ => Err(error),
        }
    }

    pub(super) fn open_root(&mut self, element: &str, at: Position) -> Result<Inside, ReadError> {
        if element != "pnml" {
            return Err(ErrorKind::unexpected(format!("<{}>", clip(element)), "<pnml>").at(at));
        }
        if std::mem::replace(&mut self.seen_root, true) {
            return Err(ErrorKind::unexpected("a second <pnml>", "the end of the file").at(at));
        }
        Ok(Inside::Pnml)
    }

    pub(super) fn open_net(
        &mut self,
        tag: &BytesStart<'_>,
        at: Position,
    ) -> Result<Option<Inside>, ReadError> {
        let [id, kind] = attributes(tag, ["id", "type"], at)?;
        let number = (self.nets.len() + 1).to_string();
        let id = id.map_or_else(|| number.clone(), |id| id.into_owned());
        self.nets.push(id.clone());
        if self.nets.len() == 2 {
            self.second_net = at;
        }
        if self.document.is_some() {
            return Ok(None);
        }
        let chosen = self.options.net.as_ref().is_none_or(|wanted| *wanted == id || *wanted == number);
        let mut assembly = Assembly::default();
        assembly.builder.set_name(id.clone());
        assembly.colours.kind = match net_type(kind.as_deref()) {
            NetType::PlaceTransition => Colouring::Never,
            NetType::Unknown(what) => Colouring::Perhaps { at, otherwise: what },
            NetType::Coloured => Colouring::Always,
        };
        self.candidate = Some(Candidate { assembly, id, name: None, chosen, error: None });
        Ok(Some(Inside::Net))
    }

    fn end(&mut self, at: Position) -> Result<(), ReadError> {
        if self.skipping > 0 {
            self.skipping -= 1;
            return Ok(());
        }
        let closed = self.stack.pop();
        match self.close(closed, at) {
            Ok(()) => Ok(()),
            Err(error) => self.fail(error),
        }
    }

    pub(super) fn close_net(&mut self, at: Position) -> Result<(), ReadError> {
        let Some(candidate) = self.candidate.take() else { return Ok(()) };
        let wanted_by_name = || candidate.name.is_some() && candidate.name == self.options.net;
        if !candidate.chosen && !wanted_by_name() {
            return Ok(());
        }
        if let Some(error) = candidate.error {
            return Err(error);
        }
        let mut assembly = candidate.assembly;
        assembly.builder.set_name(candidate.name.unwrap_or(candidate.id));
        let (model, sources, notices) = assembly.finish(at)?;
        let (warnings, nets_in_file) = (notices.finish(), Vec::new());
        self.document = Some(Document { model, warnings, nets_in_file, sources });
        Ok(())
    }

    fn text(&mut self, text: &str, mut at: Position) -> Result<(), ReadError> {
        if self.stack.is_empty() && self.skipping == 0 && !trim(text).is_empty() {
            at.advance(&text.as_bytes()[..text.len() - text.trim_start().len()]);
            let expected =
                if self.seen_root { "the end of the file" } else { "'<': an XML file with <pnml>" };
            return Err(ErrorKind::unexpected(format!("'{}'", clip(trim(text))), expected).at(at));
        }
        if self.reads_text() {
            legal(text).map_err(|e| e.at(at)).or_else(|e| self.fail(e))?;
            self.text.get_or_insert_default().push_str(text);
        }
        Ok(())
    }

    /// One of the entities that XML defines, or a character by number; nothing else is expanded.
    fn entity(&mut self, entity: &quick_xml::events::BytesRef<'_>, at: Position) -> Result<(), ReadError> {
        if !self.reads_text() {
            return Ok(());
        }
        let name: &str = entity;
        let text = match entity.resolve_char_ref() {
            Ok(Some(c)) => Some(c.to_string()),
            Ok(None) => quick_xml::escape::resolve_xml_entity(name).map(str::to_owned),
            Err(_) => None,
        };
        match text {
            Some(text) => self.text(&text, at),
            None => self.fail(ErrorKind::UnknownEntity(clip(name)).at(at)),
        }
    }

    fn reads_text(&self) -> bool {
        let reads = matches!(self.stack.last(), Some(Inside::Text | Inside::UnitPlaces | Inside::Subunits));
        reads && self.skipping == 0
    }

    fn finish(mut self, at: Position) -> Result<Document, ReadError> {
        if let Some(open) = self.stack.last() {
            let name = open.name();
            let expected = format!("</{name}> and what follows it");
            return Err(ErrorKind::UnexpectedEnd { inside: format!("<{name}>"), expected }.at(at));
        }
        if !self.seen_root {
            return Err(ErrorKind::Empty { expected: "an XML file with <pnml>" }.at(at));
        }
        let Some(mut document) = self.document else {
            return Err(match &self.options.net {
                Some(wanted) if !self.nets.is_empty() => {
                    ErrorKind::NoSuchNet { wanted: wanted.clone(), present: self.nets }.at(Position::START)
                }
                _ => ErrorKind::NoNet.at(at),
            });
        };
        if self.options.net.is_none() && self.nets.len() > 1 {
            let others = crate::error::list(&self.nets[1..]);
            let message = format!("the file has {} nets; the first is read, not {others}", self.nets.len());
            self.notices.add(self.second_net, message);
        }
        document.warnings.extend(self.notices.finish());
        document.warnings.sort_by_key(|w| (w.line, w.column));
        document.nets_in_file = self.nets;
        Ok(document)
    }

    pub(super) fn assembly(&mut self) -> &mut Assembly {
        // Nodes are opened inside a net only, and a net that is read has a candidate.
        &mut self
            .candidate
            .get_or_insert_with(|| Candidate {
                assembly: Assembly::default(),
                id: String::new(),
                name: None,
                chosen: true,
                error: None,
            })
            .assembly
    }

    pub(super) fn note(&mut self, at: Position, message: String) {
        match &mut self.candidate {
            Some(candidate) => candidate.assembly.notices.add(at, message),
            None => self.notices.add(at, message),
        }
    }
}
