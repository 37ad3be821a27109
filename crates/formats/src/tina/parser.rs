//! Reads TINA's format: a series of declarations, each of which adds to the net. Places and transitions come
//! into being when they are first mentioned. Two declarations of arcs between the same nodes add up, a later
//! label replaces an earlier one; a second marking of a place is refused, because nothing says whether it should
//! replace the first or add to it.

use std::io::BufRead;

use sweepnet_net::{NetBuilder, PlaceId, TransitionId};

use super::lexer::Token;
use crate::error::clip;
use crate::text::Text;
use crate::warning::Notices;
use crate::words::Words;
use crate::{Document, ErrorKind, Model, Position, ReadError, number};

/// Reads a net.
pub(crate) fn read(input: &mut dyn BufRead) -> Result<Document, ReadError> {
    let words = Words::new(Text::new(input)?)?;
    let mut parser = Parser {
        words,
        net: NetBuilder::default(),
        notices: Notices::default(),
        marked: Vec::new(),
        labels: Vec::new(),
        name: None,
    };
    parser.declarations()?;
    parser.finish()
}

struct Parser<'a> {
    words: Words<'a, Token>,
    net: NetBuilder,
    notices: Notices,
    /// Places that have a marking, by number.
    marked: Vec<bool>,
    /// `lb` declarations, which may precede the node they speak of.
    labels: Vec<(Position, String, String)>,
    name: Option<String>,
}

/// What stands behind a node in a list of arcs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ArcKind {
    Normal,
    Read,
    Inhibitor,
    Stopwatch,
}

impl Parser<'_> {
    fn declarations(&mut self) -> Result<(), ReadError> {
        if self.words.token == Token::End {
            return Err(
                ErrorKind::Empty { expected: "declarations that begin with net, tr or pl" }.at(self.words.at)
            );
        }
        loop {
            let at = self.words.at;
            let Token::Keyword(keyword) = self.words.token else {
                return match self.words.token {
                    Token::End => Ok(()),
                    _ => {
                        Err(self.words.unexpected("a declaration that begins with net, tr, pl, lb, pr or nt"))
                    }
                };
            };
            self.words.advance()?;
            match keyword {
                "net" => self.net_name(at)?,
                "tr" => self.transition()?,
                "pl" => self.place()?,
                "lb" => {
                    let node = self.name("the name of a place or transition")?;
                    let label = self.name("a label")?;
                    self.labels.push((at, node, label));
                }
                "pr" => self.priority(at)?,
                // A note: its name, a number, and a text, all for the drawing only.
                _ => {
                    for expected in ["the name of a note", "0 or 1", "the text of a note"] {
                        self.name(expected)?;
                    }
                }
            }
        }
    }

    fn net_name(&mut self, at: Position) -> Result<(), ReadError> {
        // Only a net may be without a name: `net {}`.
        let name = self.text("the name of the net")?;
        if self.name.is_some() {
            self.notices.add(at, "the net gets a second name, which is ignored");
        } else {
            self.name = Some(name);
        }
        Ok(())
    }

    fn transition(&mut self) -> Result<(), ReadError> {
        let (at, id) = (self.words.at, self.name("the name of a transition")?);
        let t = self.find_transition(&id, at)?;
        if let Some(label) = self.label()? {
            self.net.label_transition(t, &label);
        }
        if matches!(self.words.token, Token::Sign('[' | ']')) {
            self.interval()?;
        }
        let mut has_inputs = false;
        while let Some((at, id)) = self.node()? {
            let p = self.find_place(&id, at)?;
            let (kind, weight) = self.arc_end()?;
            self.input(t, p, kind, weight, at)?;
            has_inputs = true;
        }
        if self.arrow(has_inputs)? {
            while let Some((at, id)) = self.node()? {
                let p = self.find_place(&id, at)?;
                let weight = self.plain_arc_end()?;
                self.net.output(t, p, weight).map_err(|e| ErrorKind::from(e).at(at))?;
            }
        }
        Ok(())
    }

    fn place(&mut self) -> Result<(), ReadError> {
        let (at, id) = (self.words.at, self.name("the name of a place")?);
        let p = self.find_place(&id, at)?;
        if let Some(label) = self.label()? {
            self.net.label_place(p, &label);
        }
        if self.words.token == Token::Sign('(') {
            let at = self.words.at;
            self.words.advance()?;
            let tokens = self.number(&|| format!("the initial marking of place '{}'", clip(&id)))?;
            self.words.expect(Token::Sign(')'), "')' after the marking")?;
            self.marked.resize(self.net.place_count().max(self.marked.len()), false);
            if std::mem::replace(&mut self.marked[p.index()], true) {
                return Err(ErrorKind::MarkedTwice(clip(&id)).at(at));
            }
            *self.net.initial_mut(p) = tokens;
        }
        // Before the arrow stand transitions that put tokens here, after it those that take or look at them.
        let mut has_outputs = false;
        while let Some((at, id)) = self.node()? {
            let t = self.find_transition(&id, at)?;
            let weight = self.plain_arc_end()?;
            self.net.output(t, p, weight).map_err(|e| ErrorKind::from(e).at(at))?;
            has_outputs = true;
        }
        if self.arrow(has_outputs)? {
            while let Some((at, id)) = self.node()? {
                let t = self.find_transition(&id, at)?;
                let (kind, weight) = self.arc_end()?;
                self.input(t, p, kind, weight, at)?;
            }
        }
        Ok(())
    }

    /// The arrow, or the end of a declaration that has none and no arcs either.
    fn arrow(&mut self, has_arcs: bool) -> Result<bool, ReadError> {
        match self.words.token {
            Token::Arrow => {
                self.words.advance()?;
                Ok(true)
            }
            Token::Keyword(_) | Token::End if !has_arcs => Ok(false),
            _ => Err(self.words.unexpected("'->' or the name of a node")),
        }
    }

    fn input(
        &mut self,
        t: TransitionId,
        p: PlaceId,
        kind: ArcKind,
        weight: u64,
        at: Position,
    ) -> Result<(), ReadError> {
        let done = match kind {
            ArcKind::Normal => self.net.input(t, p, weight),
            ArcKind::Read => self.net.read(t, p, weight),
            ArcKind::Inhibitor => self.net.inhibitor(t, p, weight),
            ArcKind::Stopwatch => {
                self.notices.add(at, "a stopwatch arc is ignored: the net is read without time");
                Ok(())
            }
        };
        done.map_err(|e| ErrorKind::from(e).at(at))
    }

    /// `*w`, `?w`, `?-w`, `!w`, `!-w`, or nothing.
    fn arc_end(&mut self) -> Result<(ArcKind, u64), ReadError> {
        let Token::Sign(sign @ ('*' | '?' | '!')) = self.words.token else { return Ok((ArcKind::Normal, 1)) };
        self.words.advance()?;
        let negative = sign != '*' && self.words.token == Token::Sign('-');
        if negative {
            self.words.advance()?;
        }
        let kind = match (sign, negative) {
            ('*', _) => ArcKind::Normal,
            ('?', false) => ArcKind::Read,
            ('?', true) => ArcKind::Inhibitor,
            _ => ArcKind::Stopwatch,
        };
        let at = self.words.at;
        match self.number(&|| "the weight of the arc".to_owned())? {
            0 => Err(ErrorKind::ZeroWeight { what: "the weight of the arc".to_owned() }.at(at)),
            weight => Ok((kind, weight)),
        }
    }

    /// `*w` or nothing.
    fn plain_arc_end(&mut self) -> Result<u64, ReadError> {
        match self.words.token {
            Token::Sign('?' | '!') => Err(self
                .words
                .unexpected("'*' and a weight: arcs from a transition to a place are normal ones")),
            _ => Ok(self.arc_end()?.1),
        }
    }

    /// `[4,9]`, `]2,3[`, `[0,w[`; told unless it says "at any time".
    fn interval(&mut self) -> Result<(), ReadError> {
        let at = self.words.at;
        let opens_closed = self.words.token == Token::Sign('[');
        self.words.advance()?;
        let what = || "the bound of the time interval".to_owned();
        let from = self.number(&what)?;
        self.words.expect(Token::Sign(','), "',' in the time interval")?;
        let unbounded = matches!(&self.words.token, Token::Word(word) if word == "w");
        if unbounded {
            self.words.advance()?;
        } else {
            self.number(&what)?;
        }
        match self.words.token {
            Token::Sign('[' | ']') => self.words.advance()?,
            _ => return Err(self.words.unexpected("'[' or ']' at the end of the time interval")),
        }
        if !(opens_closed && from == 0 && unbounded) {
            self.notices.add(at, "a time interval is ignored: the net is read without time");
        }
        Ok(())
    }

    fn priority(&mut self, at: Position) -> Result<(), ReadError> {
        self.name("the name of a transition")?;
        while self.node()?.is_some() {}
        match self.words.token {
            Token::Sign('<' | '>') => self.words.advance()?,
            _ => return Err(self.words.unexpected("'<' or '>' between transitions")),
        }
        self.name("the name of a transition")?;
        while self.node()?.is_some() {}
        self.notices.add(at, "a priority is ignored: transitions of lower priority can fire as well");
        Ok(())
    }

    fn label(&mut self) -> Result<Option<String>, ReadError> {
        if self.words.token != Token::Sign(':') {
            return Ok(None);
        }
        self.words.advance()?;
        let at = self.words.at;
        let label = self.text("a label")?;
        if label.is_empty() {
            self.notices.add(at, "an empty label is ignored");
            return Ok(None);
        }
        Ok(Some(label))
    }

    fn number(&mut self, what: &dyn Fn() -> String) -> Result<u64, ReadError> {
        let Token::Word(word) = &self.words.token else { return Err(self.words.unexpected("a number")) };
        let (digits, factor) = match word.char_indices().next_back() {
            Some((i, 'K')) => (&word[..i], 1_000),
            Some((i, 'M')) => (&word[..i], 1_000_000),
            Some((i, 'G')) => (&word[..i], 1_000_000_000),
            Some((i, 'T')) => (&word[..i], 1_000_000_000_000),
            Some((i, 'P')) => (&word[..i], 1_000_000_000_000_000),
            Some((i, 'E')) => (&word[..i], 1_000_000_000_000_000_000),
            _ => (word.as_str(), 1_u64),
        };
        let too_large = || ErrorKind::TooLarge { what: what(), found: clip(word) };
        let number = number::parse(digits, what).and_then(|n| n.checked_mul(factor).ok_or_else(too_large));
        let number = number.map_err(|e| e.at(self.words.at))?;
        self.words.advance()?;
        Ok(number)
    }

    /// The node that a list of arcs goes on with, if it does.
    fn node(&mut self) -> Result<Option<(Position, String)>, ReadError> {
        match self.words.token {
            Token::Word(_) | Token::Quoted(_) => Ok(Some((self.words.at, self.name("the name of a node")?))),
            _ => Ok(None),
        }
    }

    fn name(&mut self, expected: &str) -> Result<String, ReadError> {
        let at = self.words.at;
        let name = self.text(expected)?;
        match name.is_empty() {
            true => Err(ErrorKind::unexpected("an empty name", expected).at(at)),
            false => Ok(name),
        }
    }

    fn text(&mut self, expected: &str) -> Result<String, ReadError> {
        match std::mem::replace(&mut self.words.token, Token::End) {
            Token::Word(text) | Token::Quoted(text) => {
                self.words.advance()?;
                Ok(text)
            }
            other => {
                self.words.token = other;
                Err(self.words.unexpected(expected))
            }
        }
    }

    fn find_place(&mut self, id: &str, at: Position) -> Result<PlaceId, ReadError> {
        match self.net.find_place(id) {
            Some(place) => Ok(place),
            None => self.net.place(id, 0).map_err(|e| ErrorKind::from(e).at(at)),
        }
    }

    fn find_transition(&mut self, id: &str, at: Position) -> Result<TransitionId, ReadError> {
        match self.net.find_transition(id) {
            Some(transition) => Ok(transition),
            None => self.net.transition(id).map_err(|e| ErrorKind::from(e).at(at)),
        }
    }

    fn finish(mut self) -> Result<Document, ReadError> {
        for (at, id, label) in std::mem::take(&mut self.labels) {
            match (self.net.find_place(&id), self.net.find_transition(&id)) {
                (None, None) => return Err(ErrorKind::UnknownNode(clip(&id)).at(at)),
                (Some(_), Some(_)) => {
                    let message = format!(
                        "the label of '{}' is ignored: a place and a transition have this name",
                        clip(&id)
                    );
                    self.notices.add(at, message);
                }
                (Some(place), None) => self.net.label_place(place, &label),
                (None, Some(transition)) => self.net.label_transition(transition, &label),
            }
        }
        self.net.set_name(self.name.unwrap_or_default());
        let net = self.net.build().map_err(|e| ErrorKind::from(e).at(self.words.at))?;
        let nets_in_file = vec![net.name.clone()];
        let warnings = self.notices.finish();
        Ok(Document { model: Model::Plain(net), warnings, nets_in_file, sources: Default::default() })
    }
}
