//! What the writers refuse, change and leave out, in the words that people get to see.

mod common;

use common::read_bytes;
use sweepnet_formats::Format::{Dot, Lola, Pnml, Tina};
use sweepnet_formats::{Format, write};
use sweepnet_net::{Net, NetBuilder};

/// A net with one place and one transition, and whatever `add` adds.
fn net(add: impl FnOnce(&mut NetBuilder)) -> Net {
    let mut builder = NetBuilder::new("n");
    builder.place("p", 1).expect("a place");
    builder.transition("t").expect("a transition");
    add(&mut builder);
    builder.build().expect("a net")
}

fn refusal(format: Format, net: &Net) -> String {
    write(net, format, &mut Vec::new()).expect_err("an error").to_string()
}

fn written(format: Format, net: &Net) -> String {
    let mut out = Vec::new();
    let warnings = write(net, format, &mut out).expect("a file");
    let warnings: String = warnings.iter().map(|warning| format!("warning: {}\n", warning.message)).collect();
    warnings + &String::from_utf8(out).expect("text")
}

#[test]
fn arcs_that_a_format_has_not() {
    let [reset, inhibitor, read] = [0, 1, 2].map(|kind| {
        net(|builder| {
            let (p, t) = (builder.find_place("p").unwrap(), builder.find_transition("t").unwrap());
            match kind {
                0 => builder.reset(t, p).unwrap(),
                1 => builder.inhibitor(t, p, 2).unwrap(),
                _ => {
                    builder.read(t, p, u64::MAX).unwrap();
                    builder.output(t, p, 1).unwrap();
                }
            }
        })
    });
    insta::assert_snapshot!(refusal(Tina, &reset), @"TINA has no reset arcs, but one joins the place 'p' and the transition 't'");
    insta::assert_snapshot!(refusal(Lola, &reset), @"LoLA has no reset arcs, but one joins the place 'p' and the transition 't'");
    insta::assert_snapshot!(refusal(Lola, &inhibitor), @"LoLA has no inhibitor arcs, but one joins the place 'p' and the transition 't'");
    insta::assert_snapshot!(refusal(Lola, &read), @"the read arc between 'p' and 't' cannot be written as taking and giving back: the weights exceed 2^64 - 1");
}

#[test]
fn a_failing_disk() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("no space left"))
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let error = write(&net(|_| {}), Pnml, &mut Full).expect_err("an error");
    insta::assert_snapshot!(error, @"the file cannot be written: no space left");
}

#[test]
fn a_failing_stream() {
    struct Broken;
    impl std::io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("the cable is out"))
        }
    }
    let text = b"net a\n".repeat(1000);
    let input = std::io::BufReader::new(std::io::Read::chain(text.as_slice(), Broken));
    let error = sweepnet_formats::read(input, Tina, &Default::default()).expect_err("an error");
    assert!(error.to_string().ends_with("the file cannot be read: the cable is out"), "{error}");
}

#[test]
fn drawings_are_not_read() {
    insta::assert_snapshot!(common::error(Dot, "digraph {}"), @"line 1, column 1: DOT files are drawings and cannot be read; expected PNML, TINA or LoLA");
}

#[test]
fn a_read_arc_in_lola_takes_and_gives_back() {
    let net = net(|builder| {
        let t = builder.find_transition("t").unwrap();
        // Taken and looked at: a = 2, w = 5, b = 1.
        let p = builder.find_place("p").unwrap();
        builder.input(t, p, 2).unwrap();
        builder.read(t, p, 5).unwrap();
        builder.output(t, p, 1).unwrap();
        // Looked at only.
        let q = builder.place("q", 0).unwrap();
        builder.read(t, q, 3).unwrap();
        // Looked at for less than is taken.
        let r = builder.place("r", 0).unwrap();
        builder.read(t, r, 1).unwrap();
        builder.input(t, r, 2).unwrap();
    });
    insta::assert_snapshot!(written(Lola, &net), @r"
    PLACE p, q, r;
    MARKING p;
    TRANSITION t
    CONSUME p: 5, q: 3, r: 2;
    PRODUCE p: 4, q: 3;
    ");
}

#[test]
fn names_that_a_format_cannot_carry() {
    let mut builder = NetBuilder::new("");
    for id in ["a b", "a_b", "a:b", "PLACE", "", "x", "c d"] {
        builder.place(id, 0).unwrap();
    }
    builder.transition("x").unwrap();
    let net = builder.build().unwrap();
    insta::assert_snapshot!(written(Lola, &net), @r"
    warning: some names of places cannot be written in LoLA: 'a b' is written as 'a_b_1', 'a:b' is written as 'a_b_2', 'PLACE' is written as 'PLACE_3', and 2 more
    PLACE a_b_1, a_b, a_b_2, PLACE_3, _, x, c_d;
    MARKING;
    TRANSITION x
    CONSUME;
    PRODUCE;
    ");
    insta::assert_snapshot!(written(Tina, &net), @r"
    warning: some names of places cannot be written in TINA: '' is written as '_'
    pl {a b}
    pl a_b
    pl {a:b}
    pl PLACE
    pl _
    pl x
    pl {c d}
    tr x ->
    ");
    // In PNML a place and a transition cannot share an id; the old one stays as the name.
    let pnml = written(Pnml, &net);
    assert!(
        pnml.starts_with("warning: some names of places cannot be written in PNML: '' is written as '_'\n")
    );
    let again = read_bytes(Pnml, &pnml[pnml.find("<?xml").unwrap()..]).unwrap().into_plain().unwrap();
    assert_eq!(&*again.transitions()[0].id, "x_1");
    assert_eq!(again.transitions()[0].label.as_deref(), Some("x"));
}

#[test]
fn what_has_no_effect_but_is_lost() {
    let net = net(|builder| {
        let p = builder.find_place("p").unwrap();
        builder.label_place(p, " spaced ");
        let unit = sweepnet_net::Unit { id: "u v".into(), places: vec![p], subunits: vec![] };
        builder.set_units(sweepnet_net::Units { safe: true, root: 0, units: vec![unit] });
    });
    let warnings = |format| {
        let text = written(format, &net);
        text.lines().filter(|line| line.starts_with("warning")).collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!(warnings(Lola), @r"
    warning: labels are not written: LoLA has none, only ids
    warning: the unit structure is not written: LoLA has none
    ");
    insta::assert_snapshot!(warnings(Tina), @"warning: the unit structure is not written: TINA has none");
    insta::assert_snapshot!(warnings(Pnml), @r"
    warning: the unit structure is not written: the name 'u v' cannot stand in its lists
    warning: 1 names lose characters or outer blanks that PNML cannot carry
    ");
}

#[test]
fn a_drawing() {
    let net = net(|builder| {
        let (p, t) = (builder.find_place("p").unwrap(), builder.find_transition("t").unwrap());
        builder.label_place(p, "say \"hi\"");
        builder.input(t, p, 2).unwrap();
        builder.inhibitor(t, p, 7).unwrap();
        builder.output(t, p, 1).unwrap();
    });
    insta::assert_snapshot!(written(Dot, &net), @r#"
    digraph "n" {
      node [shape=circle];
      p0 [label="●", xlabel="say \"hi\""];
      node [shape=box];
      t0 [label="t"];
      p0 -> t0 [label="2"];
      p0 -> t0 [arrowhead=odot, label="7"];
      t0 -> p0;
    }
    "#);
}
