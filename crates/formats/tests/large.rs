//! Large and deep files: read as a stream, without recursion.

mod common;

use std::io::{self, BufReader, Read};

use sweepnet_formats::{ErrorKind, Format, Options, read};

/// A file that is made up while it is read: a head, many pieces, a tail.
struct Generated<F> {
    piece: F,
    pieces: usize,
    next: usize,
    buffer: Vec<u8>,
    at: usize,
}

/// `piece(i)` for `i` from 0 to `pieces - 1`, one after the other.
fn generated<F: FnMut(usize) -> String>(pieces: usize, piece: F) -> BufReader<Generated<F>> {
    BufReader::new(Generated { piece, pieces, next: 0, buffer: Vec::new(), at: 0 })
}

impl<F: FnMut(usize) -> String> Read for Generated<F> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.at == self.buffer.len() && self.next < self.pieces {
            self.buffer = (self.piece)(self.next).into_bytes();
            self.at = 0;
            self.next += 1;
        }
        let n = (&self.buffer[self.at..]).read(out)?;
        self.at += n;
        Ok(n)
    }
}

const HEAD: &str = "<pnml><net id='n' type='http://www.pnml.org/version-2009/grammar/ptnet'><page id='g'>";
const TAIL: &str = "</page></net></pnml>";

/// A ring of `n` places and transitions as the contest writes nets: about 550 bytes for each place.
fn ring(n: usize) -> impl io::BufRead {
    generated(n + 2, move |i| match i {
        0 => HEAD.to_owned(),
        _ if i == n + 1 => TAIL.to_owned(),
        _ => {
            let (p, next) = (i - 1, i % n);
            format!(
                "<place id=\"place_{p}\">\n<name><text>place number {p}</text>\n<graphics><offset x=\"0\" y=\"0\"/></graphics></name>\n\
                 <initialMarking><text>1</text></initialMarking>\n<graphics><position x=\"{p}\" y=\"{p}\"/></graphics>\n</place>\n\
                 <transition id=\"transition_{p}\">\n<name><text>transition number {p}</text></name></transition>\n\
                 <arc id=\"in_{p}\" source=\"place_{p}\" target=\"transition_{p}\">\n<inscription><text>1</text></inscription></arc>\n\
                 <arc id=\"out_{p}\" source=\"transition_{p}\" target=\"place_{next}\">\n<inscription><text>1</text></inscription></arc>\n"
            )
        }
    })
}

#[test]
fn a_net_of_20_megabytes() {
    let n = 37_000;
    let net = read(ring(n), Format::Pnml, &Options::default()).unwrap().into_plain().unwrap();
    assert_eq!((net.places().len(), net.transitions().len(), net.arc_count()), (n, n, 2 * n));
    assert_eq!(net.initial_marking().total(), n as u128);
}

/// Run with `cargo test --release --test large -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn a_net_of_100_megabytes() {
    let n = 185_000;
    let mut text = Vec::new();
    ring(n).read_to_end(&mut text).unwrap();
    let started = std::time::Instant::now();
    let net = read(&text[..], Format::Pnml, &Options::default()).unwrap().into_plain().unwrap();
    println!("{} MB in {:.2} s", text.len() / 1_000_000, started.elapsed().as_secs_f64());
    assert_eq!(net.arc_count(), 2 * n);
}

const DEEP: usize = 1_000_000;

#[test]
fn a_million_pages_inside_each_other() {
    let text = generated(2 * DEEP + 3, |i| match i {
        0 => HEAD.to_owned(),
        i if i <= DEEP => "<page id='x'>".to_owned(),
        i if i == DEEP + 1 => "<place id='p'/>".to_owned(),
        i if i <= 2 * DEEP + 1 => "</page>".to_owned(),
        _ => TAIL.to_owned(),
    });
    assert_eq!(
        read(text, Format::Pnml, &Options::default()).unwrap().into_plain().unwrap().places().len(),
        1
    );
}

#[test]
fn a_million_elements_of_a_tool_inside_each_other() {
    let text = generated(2 * DEEP + 3, |i| match i {
        0 => format!("{HEAD}<toolspecific tool='x' version='1'>"),
        i if i <= DEEP => "<a>".to_owned(),
        i if i == DEEP + 1 => String::new(),
        i if i <= 2 * DEEP + 1 => "</a>".to_owned(),
        _ => format!("</toolspecific><place id='p'/>{TAIL}"),
    });
    assert_eq!(
        read(text, Format::Pnml, &Options::default()).unwrap().into_plain().unwrap().places().len(),
        1
    );
}

#[test]
fn a_chain_of_a_hundred_thousand_references() {
    let n = 100_000;
    let text = generated(n + 2, |i| match i {
        0 => format!("{HEAD}<transition id='t'/><arc source='r1' target='t'/>"),
        i if i <= n => format!("<referencePlace id='r{i}' ref='r{}'/>", i + 1),
        _ => format!("<place id='r{i}'/>{TAIL}"),
    });
    assert_eq!(
        read(text, Format::Pnml, &Options::default()).unwrap().into_plain().unwrap().inputs().len(),
        1
    );
}

#[test]
fn a_chain_of_units() {
    let n = 100_000;
    let text = generated(n + 2, |i| match i {
        0 => format!(
            "{HEAD}<toolspecific tool='nupn' version='1.1'><structure units='{n}' root='u1' safe='true'>"
        ),
        i if i < n => format!("<unit id='u{i}'><subunits>u{}</subunits></unit>", i + 1),
        i if i == n => format!("<unit id='u{i}'><places>p</places></unit>"),
        _ => format!("</structure></toolspecific><place id='p'/>{TAIL}"),
    });
    let document = read(text, Format::Pnml, &Options::default()).unwrap();
    assert_eq!(document.warnings, []);
    assert_eq!(document.into_plain().unwrap().units().unwrap().units.len(), n);
}

#[test]
fn many_kinds_of_unknown_elements_give_few_warnings() {
    let text = generated(10_002, |i| match i {
        0 => HEAD.to_owned(),
        10_001 => TAIL.to_owned(),
        i => format!("<e{i}/>"),
    });
    let document = read(text, Format::Pnml, &Options::default()).unwrap();
    assert_eq!(document.warnings.len(), 101);
    insta::assert_snapshot!(document.warnings[100].message, @"there are 9900 more warnings, from here on");
}

#[test]
fn a_file_that_arrives_byte_by_byte() {
    let text = common::page("<place id='é&amp;'><name><text>\u{1F600}</text></name></place>");
    let bytes: Vec<u8> = text.into_bytes();
    let mut one_at_a_time = BufReader::with_capacity(1, &bytes[..]);
    let net = read(&mut one_at_a_time, Format::Pnml, &Options::default()).unwrap().into_plain().unwrap();
    assert_eq!(&*net.places()[0].id, "é&");
    let tina = BufReader::with_capacity(1, "pl {é\u{1F600}}".as_bytes());
    assert_eq!(
        read(tina, Format::Tina, &Options::default()).unwrap().into_plain().unwrap().places().len(),
        1
    );
}

/// Entities that would grow to gigabytes are not expanded.
#[test]
fn a_billion_laughs() {
    let mut text = String::from("<!DOCTYPE pnml [<!ENTITY l0 \"ha\">");
    for i in 1..30 {
        text += &format!("<!ENTITY l{i} \"&l{};&l{};\">", i - 1, i - 1);
    }
    text += &format!("]>{}", common::page("<place id='p'><name><text>&l29;</text></name></place>"));
    let error = common::read_bytes(Format::Pnml, text).unwrap_err();
    assert!(matches!(error.kind, ErrorKind::UnknownEntity(_)), "{error}");
}
