//! What the readers make of files: the parts of each format, in the order a newcomer meets them.

mod common;

use common::{page, read_bytes};
use sweepnet_formats::Format::{Lola, Pnml, Tina};
use sweepnet_formats::{Document, Format, Options, read};
use sweepnet_net::{Net, PlaceId, TransitionId};

fn net(format: Format, text: impl AsRef<[u8]>) -> Net {
    let document = read_bytes(format, text).expect("a net");
    assert_eq!(document.warnings, []);
    document.into_plain().expect("a place/transition net")
}

fn place(net: &Net, id: &str) -> PlaceId {
    net.find_place(id).expect("a place")
}

fn transition(net: &Net, id: &str) -> TransitionId {
    net.find_transition(id).expect("a transition")
}

#[test]
fn a_small_net_in_each_format() {
    let pnml = page(
        r#"<place id="p"><initialMarking><text>3</text></initialMarking></place><place id="q"/>
        <transition id="t"/>
        <arc source="p" target="t"><inscription><text> 2 </text></inscription></arc><arc source="t" target="q"/>"#,
    );
    let tina = "net n\npl p (3)\npl q\ntr t p*2 -> q";
    let lola = "PLACE p, q; MARKING p: 3; TRANSITION t CONSUME p: 2; PRODUCE q;";
    let mut nets = [net(Pnml, pnml), net(Tina, tina), net(Lola, lola)];
    nets[2].name = "n".to_owned();
    assert_eq!(nets[0], nets[1]);
    assert_eq!(nets[0], nets[2]);
    let (p, q, t) = (place(&nets[0], "p"), place(&nets[0], "q"), transition(&nets[0], "t"));
    assert_eq!(nets[0].inputs().weight(t, p), 2);
    assert_eq!(nets[0].outputs().weight(t, q), 1);
    assert_eq!(nets[0].place(p).initial, 3);
}

#[test]
fn arcs_may_come_before_their_nodes_and_cross_pages_through_references() {
    let net = net(
        Pnml,
        page(
            r#"<arc source="far" target="t"/><page id="h"><page id="i"><transition id="t"/></page>
            <referencePlace id="far" ref="farther"/></page><referencePlace id="farther" ref="p"/>
            <referenceTransition id="u" ref="t"/><arc source="u" target="p"/><place id="p"/>"#,
        ),
    );
    let (p, t) = (place(&net, "p"), transition(&net, "t"));
    assert_eq!((net.inputs().weight(t, p), net.outputs().weight(t, p)), (1, 1));
    assert_eq!(net.places().len() + net.transitions().len(), 2);
}

#[test]
fn the_spellings_of_arc_kinds() {
    let arcs = [
        r#"<arc source="p" target="t"><type value="inhibitor"/></arc>"#,
        r#"<arc source="p" target="t" type="inhibitor"/>"#,
        r#"<arc source="p" target="t"><arctype><text>inhibitor</text></arctype></arc>"#,
    ];
    for arc in arcs {
        let net = net(Pnml, page(&format!(r#"<place id="p"/><transition id="t"/>{arc}"#)));
        assert_eq!((net.inhibitors().len(), net.arc_count()), (1, 1), "{arc}");
    }
    let others = r#"<place id="p"/><transition id="t"/><arc source="p" target="t"><type value="test"/></arc>
        <arc source="p" target="t"><type value="read"/><inscription><text>4</text></inscription></arc>
        <arc source="p" target="t"><type value="reset"/></arc><arc source="p" target="t" type="normal"/>"#;
    let net = net(Pnml, page(others));
    let (p, t) = (place(&net, "p"), transition(&net, "t"));
    assert_eq!((net.reads().weight(t, p), net.resets().len(), net.inputs().weight(t, p)), (4, 1, 1));
}

#[test]
fn names_become_labels_and_blanks_around_them_vanish() {
    let text = page(
        "<place id=' p\n'><name><text>\n  waiting &amp; <![CDATA[<idle>]]> &#65;\n</text></name></place>\
         <place id='q'><name><value>q</value></name></place>",
    );
    let net = net(Pnml, text);
    assert_eq!(net.places()[0].label.as_deref(), Some("waiting & <idle> A"));
    assert_eq!(&*net.places()[0].id, "p");
    assert_eq!(net.places()[1].label, None);
}

#[test]
fn units() {
    let net = net(
        Pnml,
        page(
            r#"<toolspecific tool="nupn" version="1.1"><size places="2" transitions="0" arcs="0"/>
            <structure units="2" root="u0" safe="true"><unit id="u0"><places/><subunits>u1</subunits></unit>
            <unit id="u1"><places>q p</places><subunits></subunits></unit></structure></toolspecific>
            <place id="p"/><place id="q"/>"#,
        ),
    );
    let units = net.units().expect("units");
    assert!(units.safe);
    assert_eq!((units.root, units.units.len()), (0, 2));
    assert_eq!(units.units[1].places, [place(&net, "q"), place(&net, "p")]);
    assert_eq!(units.units[0].subunits, [1]);
}

#[test]
fn dialects_of_older_tools() {
    let pipe = r#"<?xml version="1.0" encoding="ISO-8859-1"?><pnml><net id="n" type="P/T net">
        <token id="Default"/><page id="g"><place id="p"><initialMarking><value>Default,2</value></initialMarking>
        <capacity><value>0</value></capacity></place></page></net></pnml>"#;
    assert_eq!(net(Pnml, pipe).places()[0].initial, 2);
    let attributes = r#"<place id="p" initialMarking="4"/><transition id="t"/>
        <arc source="p" target="t" inscription="3" type="normal"/><arc source="t" target="p" weight="2"/>"#;
    let tapaal = net(Pnml, page(attributes));
    assert_eq!(tapaal.places()[0].initial, 4);
    assert_eq!(tapaal.inputs().of(transition(&tapaal, "t"))[0].weight, 3);
    assert_eq!(tapaal.outputs().of(transition(&tapaal, "t"))[0].weight, 2);
    for kind in [
        "http://www.pnml.org/version-2009/grammar/ptnet",
        "http://www.pnml.org/version-2009/grammar/pnmlcoremodel",
        "http://www.informatik.hu-berlin.de/top/pntd/ptNetb",
        "http://www.yasper.org/specs/epnml-1.1",
    ] {
        net(
            Pnml,
            format!("<x:pnml xmlns:x='y'><x:net id='n' type='{kind}'><x:page id='g'/></x:net></x:pnml>"),
        );
    }
}

#[test]
fn encodings() {
    let latin1 = b"<?xml version='1.0' encoding='iso-8859-1'?><pnml><net id='n' type='ptNetb'><page id='g'>\
        <place id='caf\xe9'/></page></net></pnml>";
    assert_eq!(&*net(Pnml, latin1).places()[0].id, "café");
    let marked = [b"\xEF\xBB\xBF".as_slice(), page("<place id='café'/>").as_bytes()].concat();
    assert_eq!(&*net(Pnml, marked).places()[0].id, "café");
    assert_eq!(&*net(Tina, "\u{feff}pl {café}").places()[0].id, "café");
}

const THREE: &str = r#"<pnml>
<net id="a" type="http://www.pnml.org/version-2009/grammar/symmetricnet"><name><text>first</text></name></net>
<net id="b" type="ptNetb"><page id="g"><place id="x"/></page><name><text>second</text></name></net>
<net id="c" type="ptNetb"><page id="g"><place id="y"/><place id="y"/></page><name><text>third</text></name></net>
</pnml>"#;

fn choose(wanted: &str) -> Result<Document, String> {
    let options = Options { net: Some(wanted.to_owned()) };
    read(THREE.as_bytes(), Pnml, &options).map_err(|error| error.to_string())
}

#[test]
fn a_net_is_chosen_by_id_name_or_number_whatever_the_others_are_like() {
    for wanted in ["b", "second", "2"] {
        let document = choose(wanted).expect("the second net");
        assert_eq!(document.model.name(), "second");
        assert_eq!(document.nets_in_file, ["a", "b", "c"]);
        assert_eq!(document.warnings, []);
        assert_eq!(&*document.into_plain().unwrap().places()[0].id, "x");
    }
    insta::assert_snapshot!(choose("third").unwrap_err(), @"line 4, column 55: there are two nodes with the id 'y'; expected every id of a place or transition only once");
    insta::assert_snapshot!(choose("4").unwrap_err(), @"line 1, column 1: there is no net '4' in this file; expected one of: 'a', 'b', 'c'");
    let tina = read(b"net a".as_slice(), Tina, &Options { net: Some("b".to_owned()) });
    insta::assert_snapshot!(tina.unwrap_err(), @"line 1, column 1: there is no net 'b' in this file; expected one of: 'a'");
}

#[test]
fn tina_declarations_add_up_in_any_order() {
    let text = "# a comment\npl p : {in \\{braces\\} and \\\\} (2K) t -> u*3 v?4 v?-5K\n\
        tr t : late [0,w[ p -> {q 1}*2\ntr t -> {q 1}\nlb v {a label}\nnt n 0 {not read}\nnet {n 1}";
    let net = net(Tina, text);
    let (p, q) = (place(&net, "p"), place(&net, "q 1"));
    let [t, u, v] = ["t", "u", "v"].map(|id| transition(&net, id));
    assert_eq!(net.name, "n 1");
    assert_eq!(net.place(p).initial, 2000);
    assert_eq!(net.place(p).label.as_deref(), Some("in {braces} and \\"));
    assert_eq!(net.transition(t).label.as_deref(), Some("late"));
    assert_eq!(net.transition(v).label.as_deref(), Some("a label"));
    assert_eq!(net.outputs().weight(t, p), 1);
    assert_eq!(net.outputs().weight(t, q), 3);
    assert_eq!((net.inputs().weight(t, p), net.inputs().weight(u, p)), (1, 3));
    assert_eq!((net.reads().weight(v, p), net.inhibitors().weight(v, p)), (4, 5000));
}

#[test]
fn lola_lists_add_up() {
    let text = "{ a comment } PLACE SAFE 3: p.0, 1; SAFE: q; r; // to the end of the line\n\
        MARKING p.0: 2, p.0, r;\nTRANSITION t CONSUME p.0, p.0: 2, r; PRODUCE ; TRANSITION 2 CONSUME; PRODUCE 1: 7;";
    let net = net(Lola, text);
    let (p, t) = (place(&net, "p.0"), transition(&net, "t"));
    assert_eq!(net.places().iter().map(|p| &*p.id).collect::<Vec<_>>(), ["p.0", "1", "q", "r"]);
    assert_eq!((net.place(p).initial, net.inputs().weight(t, p)), (3, 3));
    assert_eq!(net.outputs().weight(transition(&net, "2"), place(&net, "1")), 7);
}

#[test]
fn formats_are_told_by_extension_or_by_their_first_words() {
    let by_path = |name: &str| Format::from_path(std::path::Path::new(name));
    assert_eq!(by_path("a/model.PNML"), Some(Pnml));
    assert_eq!(["x.xml", "x.net", "x.lola", "x.gv"].map(by_path), [Pnml, Tina, Lola, Format::Dot].map(Some));
    assert_eq!(["x", "x.txt", ".net"].map(by_path), [None; 3]);
    let by_text = |text: &str| Format::detect(text.as_bytes());
    assert_eq!(by_text("\u{feff} <?xml?>"), Some(Pnml));
    assert_eq!(by_text("# c\n\n# d\npl p"), Some(Tina));
    assert_eq!(by_text("net{a}"), Some(Tina));
    assert_eq!(by_text("{ c } // d\nPLACE p;"), Some(Lola));
    assert_eq!(by_text("digraph {}"), Some(Format::Dot));
    assert_eq!(["", "hello", "{ no end"].map(by_text), [None; 3]);
    assert_eq!(Format::from_name("LoLA"), Some(Lola));
}
