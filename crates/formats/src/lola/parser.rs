//! Reads LoLA's low-level nets. Arcs and markings that are given twice add up. Capacities (`SAFE 3 :`) promise
//! what the net does anyway, so they leave no trace.

use std::io::BufRead;

use sweepnet_net::{NetBuilder, PlaceId};

use super::lexer::Token;
use crate::error::clip;
use crate::text::Text;
use crate::warning::Notices;
use crate::words::Words;
use crate::{Document, ErrorKind, Model, Position, ReadError, number};

/// Reads a net.
pub(crate) fn read(input: &mut dyn BufRead) -> Result<Document, ReadError> {
    let words = Words::new(Text::new(input)?)?;
    let mut parser = Parser { words, net: NetBuilder::default(), notices: Notices::default() };
    parser.places()?;
    parser.marking()?;
    parser.transitions()?;
    let net = parser.net.build().map_err(|e| ErrorKind::from(e).at(parser.words.at))?;
    let nets_in_file = vec![net.name.clone()];
    let warnings = parser.notices.finish();
    Ok(Document { model: Model::Plain(net), warnings, nets_in_file, sources: Default::default() })
}

struct Parser<'a> {
    words: Words<'a, Token>,
    net: NetBuilder,
    notices: Notices,
}

impl Parser<'_> {
    fn places(&mut self) -> Result<(), ReadError> {
        match &self.words.token {
            Token::End => {
                return Err(ErrorKind::Empty { expected: "PLACE and a list of places" }.at(self.words.at));
            }
            Token::Keyword("PLACE") => self.words.advance()?,
            _ => return Err(self.words.unexpected("PLACE")),
        }
        while self.words.token != Token::Keyword("MARKING") {
            if self.words.token == Token::Keyword("SAFE") {
                self.capacity()?;
            }
            let mut expected = "the name of a place, SAFE or MARKING";
            while self.words.token != Token::Sign(';') {
                let (at, id) = (self.words.at, self.name(expected)?);
                expected = "the name of a place";
                self.net.place(&id, 0).map_err(|_| ErrorKind::DuplicateId(clip(&id)).at(at))?;
                match self.words.token {
                    Token::Sign(':') => {
                        let sort = format!("the sort of the place '{}'", clip(&id));
                        return Err(ErrorKind::Coloured(sort).at(self.words.at));
                    }
                    Token::Sign(',') => {
                        self.words.advance()?;
                        if self.words.token == Token::Sign(';') {
                            return Err(self.words.unexpected(expected));
                        }
                    }
                    Token::Sign(';') => {}
                    _ => return Err(self.words.unexpected("',' or ';' after the name of a place")),
                }
            }
            self.words.advance()?;
        }
        Ok(())
    }

    /// `SAFE n :` or `SAFE :`
    fn capacity(&mut self) -> Result<(), ReadError> {
        self.words.advance()?;
        if let Token::Word(word) = &self.words.token {
            number::parse(word, || "the capacity".to_owned()).map_err(|e| e.at(self.words.at))?;
            self.words.advance()?;
        }
        self.words.expect(Token::Sign(':'), "':' after SAFE")
    }

    fn marking(&mut self) -> Result<(), ReadError> {
        self.words.advance()?;
        self.list("the initial marking", |this, place, id, tokens, at| {
            let initial = this.net.initial_mut(place);
            let what = || format!("the initial marking of place '{}'", clip(id));
            let sum = u128::from(*initial) + u128::from(tokens);
            let too_large = |_| ErrorKind::TooLarge { what: what(), found: sum.to_string() }.at(at);
            *initial = u64::try_from(sum).map_err(too_large)?;
            Ok(())
        })
    }

    fn transitions(&mut self) -> Result<(), ReadError> {
        loop {
            match self.words.token {
                Token::End => return Ok(()),
                Token::Keyword("TRANSITION") => self.transition()?,
                Token::Keyword("FORMULA" | "ANALYSE" | "AUTOMATON") => {
                    let message =
                        format!("everything from {} on is ignored: only the net is read", self.words.token);
                    self.notices.add(self.words.at, message);
                    return Ok(());
                }
                _ => return Err(self.words.unexpected("TRANSITION or the end of the file")),
            }
        }
    }

    fn transition(&mut self) -> Result<(), ReadError> {
        self.words.advance()?;
        let (at, id) = (self.words.at, self.name("the name of a transition")?);
        let t = self.net.transition(&id).map_err(|_| ErrorKind::DuplicateId(clip(&id)).at(at))?;
        if let Token::Keyword("WEAK" | "STRONG") = self.words.token {
            self.notices.add(self.words.at, "fairness is ignored: what is enabled for ever need not fire");
            self.words.advance()?;
            self.words.expect(Token::Keyword("FAIR"), "FAIR")?;
        }
        self.words.expect(Token::Keyword("CONSUME"), "CONSUME")?;
        self.arcs("the arc", |net, place, weight| net.input(t, place, weight))?;
        self.words.expect(Token::Keyword("PRODUCE"), "PRODUCE")?;
        self.arcs("the arc", |net, place, weight| net.output(t, place, weight))?;
        Ok(())
    }

    fn arcs(
        &mut self,
        what: &str,
        add: impl Fn(&mut NetBuilder, PlaceId, u64) -> Result<(), sweepnet_net::BuildError>,
    ) -> Result<(), ReadError> {
        self.list(what, |this, place, id, weight, at| {
            if weight == 0 {
                let what = format!("the weight of the arc at '{}'", clip(id));
                return Err(ErrorKind::ZeroWeight { what }.at(at));
            }
            add(&mut this.net, place, weight).map_err(|e| ErrorKind::from(e).at(at))
        })
    }

    /// `p, q: 3, r;` — places with numbers, 1 where there is none.
    fn list(
        &mut self,
        what: &str,
        mut each: impl FnMut(&mut Self, PlaceId, &str, u64, Position) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        if self.words.token == Token::Sign(';') {
            return self.words.advance();
        }
        loop {
            let (at, id) = (self.words.at, self.name("the name of a place, or ';'")?);
            let place = self.net.find_place(&id).ok_or_else(|| ErrorKind::UnknownPlace(clip(&id)).at(at))?;
            let mut number = 1;
            if self.words.token == Token::Sign(':') {
                self.words.advance()?;
                number = self.number(what, &id)?;
            }
            each(self, place, &id, number, at)?;
            match self.words.token {
                Token::Sign(',') => self.words.advance()?,
                Token::Sign(';') => return self.words.advance(),
                _ => return Err(self.words.unexpected(&format!("',' or ';' in {what}"))),
            }
        }
    }

    fn number(&mut self, what: &str, id: &str) -> Result<u64, ReadError> {
        let Token::Word(word) = &self.words.token else { return Err(self.words.unexpected("a number")) };
        let what = || format!("the number in {what} at '{}'", clip(id));
        let number = number::parse(word, what).map_err(|e| e.at(self.words.at))?;
        self.words.advance()?;
        Ok(number)
    }

    fn name(&mut self, expected: &str) -> Result<String, ReadError> {
        match std::mem::replace(&mut self.words.token, Token::End) {
            Token::Word(name) => {
                self.words.advance()?;
                Ok(name)
            }
            other => {
                self.words.token = other;
                Err(self.words.unexpected(expected))
            }
        }
    }
}
