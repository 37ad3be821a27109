//! What the PNML reader tolerates, and what it says about it.

mod common;

use common::symmetric::{DECLARATIONS, net, place};
use common::{page, warnings};
use sweepnet_formats::Format::Pnml;

#[test]
fn nodes_outside_of_a_page() {
    insta::assert_snapshot!(warnings(Pnml, r#"<pnml><net id="n" type="P/T net">
<place id="p"/><transition id="t"/>
<arc source="p" target="t"/></net></pnml>"#), @"line 2, column 1: a node or arc is outside of any <page>; it is read all the same (3 times, here first)");
}

#[test]
fn a_net_without_type() {
    insta::assert_snapshot!(warnings(Pnml, r#"<pnml><net id="n"><page id="g"/></net></pnml>"#), @"line 1, column 7: the net has no type; it is read as a place/transition net");
}

#[test]
fn a_type_that_is_not_known() {
    insta::assert_snapshot!(warnings(Pnml, r#"<pnml><net id="n" type="http://example.org/nets"><page id="g"/></net></pnml>"#), @"line 1, column 7: the net type 'http://example.org/nets' is not known; it is read as a place/transition net");
}

#[test]
fn several_nets() {
    insta::assert_snapshot!(warnings(Pnml, r#"<pnml><net id="a" type="ptNetb"/>
<net id="b" type="ptNetb"/><net id="c" type="ptNetb"/></pnml>"#), @"line 2, column 1: the file has 3 nets; the first is read, not 'b', 'c'");
}

#[test]
fn a_document_type() {
    insta::assert_snapshot!(warnings(Pnml, r#"<!DOCTYPE pnml [<!ENTITY a "b">]>
<pnml><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet">
<page id="g">

</page></net></pnml>"#), @"line 1, column 1: the document type declaration is ignored; its entities are not expanded");
}

#[test]
fn a_capacity() {
    insta::assert_snapshot!(warnings(Pnml, page(r#"<place id="p"><capacity><value>0</value></capacity></place>
<place id="q"><capacity><value>3</value></capacity></place>"#)), @"line 4, column 25: the capacity of a place is ignored: it may hold any number of tokens");
}

#[test]
fn time() {
    insta::assert_snapshot!(warnings(Pnml, page(r#"<transition id="t"><timed><value>true</value></timed></transition>
<transition id="u"><timed><value>false</value></timed></transition>"#)), @"line 3, column 27: timing is ignored: the net is read without time");
}

#[test]
fn elements_that_may_mean_something() {
    insta::assert_snapshot!(warnings(Pnml, page(r#"<transition id="t">
<delay/><priority/></transition>
<transition id="u"><priority/></transition>"#)), @"
line 4, column 1: <delay> in <transition> is not understood and is ignored
line 4, column 9: <priority> in <transition> is not understood and is ignored (2 times, here first)
");
}

#[test]
fn a_guard() {
    insta::assert_snapshot!(warnings(Pnml, page(r#"<transition id="t" guard="x &gt; 1"/>"#)), @"line 3, column 1: the guard of a transition is ignored: it may fire more often");
}

#[test]
fn an_empty_marking() {
    insta::assert_snapshot!(warnings(Pnml, page(r#"<place id="p"><initialMarking><text/></initialMarking></place>"#)), @"line 3, column 31: an empty initial marking is taken as 0");
}

#[test]
fn an_empty_inscription() {
    insta::assert_snapshot!(warnings(Pnml, page(r#"<place id="p"/><transition id="t"/>
<arc source="p" target="t"><inscription><text> </text></inscription></arc>"#)), @"line 4, column 41: an empty inscription is taken as 1");
}

#[test]
fn units_without_root() {
    insta::assert_snapshot!(warnings(Pnml, page(r#"<place id="p"/><place id="q"/>
<toolspecific tool="nupn" version="1.1"><structure units="2" root="x" safe="true"><unit id="a"><places>p q</places><subunits/></unit></structure></toolspecific>"#)), @"line 4, column 1: the unit structure (NUPN) is ignored: there is no unit 'x'");
}

#[test]
fn units_with_an_unknown_place() {
    insta::assert_snapshot!(warnings(Pnml, page(r#"<place id="p"/><place id="q"/>
<toolspecific tool="nupn" version="1.1"><structure units="2" root="a" safe="true"><unit id="a"><places>p q r</places><subunits/></unit></structure></toolspecific>"#)), @"line 4, column 1: the unit structure (NUPN) is ignored: there is no place 'r'");
}

#[test]
fn units_with_a_place_left_out() {
    insta::assert_snapshot!(warnings(Pnml, page(r#"<place id="p"/><place id="q"/>
<toolspecific tool="nupn" version="1.1"><structure units="2" root="a" safe="true"><unit id="a"><places>q</places><subunits/></unit></structure></toolspecific>"#)), @"line 4, column 1: the unit structure (NUPN) is ignored: 1 of 2 places are in no unit");
}

#[test]
fn units_with_a_place_in_two() {
    insta::assert_snapshot!(warnings(Pnml, page(r#"<place id="p"/><place id="q"/>
<toolspecific tool="nupn" version="1.1"><structure units="2" root="a" safe="true"><unit id="a"><places>p q p</places><subunits/></unit></structure></toolspecific>"#)), @"line 4, column 1: the unit structure (NUPN) is ignored: the place 'p' is in two units");
}

#[test]
fn units_with_one_name_for_two() {
    insta::assert_snapshot!(warnings(Pnml, page(r#"<place id="p"/><place id="q"/>
<toolspecific tool="nupn" version="1.1"><structure units="2" root="a" safe="true"><unit id="a"><places>p</places></unit><unit id="a"><places>q</places></unit></structure></toolspecific>"#)), @"line 4, column 1: the unit structure (NUPN) is ignored: there are two units 'a'");
}

#[test]
fn units_in_a_circle() {
    insta::assert_snapshot!(warnings(Pnml, page(r#"<place id="p"/><place id="q"/>
<toolspecific tool="nupn" version="1.1"><structure units="2" root="a" safe="true"><unit id="a"><places>p q</places></unit><unit id="b"><subunits>c</subunits></unit><unit id="c"><subunits>b</subunits></unit></structure></toolspecific>"#)), @"line 4, column 1: the unit structure (NUPN) is ignored: some units are not inside the root unit");
}

#[test]
fn units_with_two_parents() {
    insta::assert_snapshot!(warnings(Pnml, page(r#"<place id="p"/><place id="q"/>
<toolspecific tool="nupn" version="1.1"><structure units="2" root="a" safe="true"><unit id="a"><places>p q</places><subunits>b b</subunits></unit><unit id="b"/></structure></toolspecific>"#)), @"line 4, column 1: the unit structure (NUPN) is ignored: the unit 'b' is inside two units, or the root inside another");
}

#[test]
fn units_with_blanks_in_a_name() {
    insta::assert_snapshot!(warnings(Pnml, page(r#"<place id="p"/><place id="q"/>
<toolspecific tool="nupn" version="1.1"><structure units="2" root="a b" safe="true"><unit id="a b"><places>p q</places></unit></structure></toolspecific>"#)), @"line 4, column 1: the unit structure (NUPN) is ignored: 'a b' is no name for a unit: it is empty or has blanks");
}

#[test]
fn a_second_unit_structure() {
    insta::assert_snapshot!(warnings(Pnml, page(r#"<place id="p"/>
<toolspecific tool="nupn" version="1.1"><structure units="1" root="a" safe="true"><unit id="a"><places>p</places></unit></structure></toolspecific>
<toolspecific tool="nupn" version="1.1"><structure units="1" root="a" safe="true"><unit id="a"><places>p</places></unit></structure></toolspecific>"#)), @"line 5, column 1: a second unit structure (NUPN) is ignored");
}

#[test]
fn units_of_a_coloured_net() {
    let page = place("s", "e", "'a")
        + r#"<toolspecific tool="nupn" version="1.1"><structure units="1" root="a" safe="true"><unit id="a"><places>s</places></unit></structure></toolspecific>"#;
    insta::assert_snapshot!(warnings(Pnml, net(DECLARATIONS, &page)), @"line 6, column 1: the unit structure (NUPN) is ignored: the net is coloured");
}
