//! Inputs that once went wrong, most of them found by fuzzing.

mod common;

use common::read_bytes;
use sweepnet_formats::{Format, write};
use sweepnet_net::{Net, NetBuilder};

fn again(net: &Net, format: Format) -> Net {
    let mut written = Vec::new();
    write(net, format, &mut written).unwrap();
    read_bytes(format, &written).unwrap().into_plain().unwrap()
}

/// Written in TINA's format, it was an empty file.
#[test]
fn an_empty_net() {
    let net = NetBuilder::default().build().unwrap();
    for format in [Format::Pnml, Format::Tina, Format::Lola] {
        assert_eq!(again(&net, format), net, "{format}");
    }
    let lola = read_bytes(Format::Lola, "{ c }PLACE ; ;\nMARKING ;\n// d").unwrap().into_plain().unwrap();
    assert_eq!(again(&lola, Format::Tina), lola);
    let notes = read_bytes(Format::Tina, "nt n1 0 {a note}").unwrap().into_plain().unwrap();
    assert_eq!(again(&notes, Format::Tina), notes);
}

/// Units without a name could be read, but not written.
#[test]
fn a_unit_without_a_name() {
    let text = common::page(
        "<place id='p'/><toolspecific tool='nupn'><structure units='1' safe='true'>\
         <unit><places>p</places></unit></structure></toolspecific>",
    );
    let document = read_bytes(Format::Pnml, text).unwrap();
    assert_eq!(document.warnings.len(), 1);
    assert_eq!(document.into_plain().unwrap().units(), None);
}

/// No number behind it makes this a name in LoLA, where it begins a comment; the search for one never ended.
#[test]
fn a_name_that_begins_like_a_comment() {
    let mut builder = NetBuilder::default();
    builder.place("//", 3).unwrap();
    let net = builder.build().unwrap();
    assert_eq!(&*again(&net, Format::Lola).places()[0].id, "_//");
}
