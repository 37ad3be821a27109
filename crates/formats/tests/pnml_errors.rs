//! Every reason why a PNML file cannot be read, in the words that people get to see.

mod common;

use common::{error, page};
use sweepnet_formats::Format::Pnml;

#[test]
fn an_empty_file() {
    insta::assert_snapshot!(error(Pnml, ""), @"line 1, column 1: the file is empty; expected an XML file with <pnml>");
}

#[test]
fn only_blanks() {
    insta::assert_snapshot!(error(Pnml, "  \n \n"), @"line 3, column 1: the file is empty; expected an XML file with <pnml>");
}

#[test]
fn text_that_is_not_xml() {
    insta::assert_snapshot!(error(Pnml, "hello, world"), @"line 1, column 1: found 'hello, world'; expected '<': an XML file with <pnml>");
}

#[test]
fn bytes_that_are_not_text() {
    insta::assert_snapshot!(error(Pnml, b"<pnml>\n<net id=\x22\xff\xfe\x22/></pnml>"), @"line 2, column 10: these bytes are not UTF-8 text; expected a text file in UTF-8");
}

#[test]
fn rubbish() {
    insta::assert_snapshot!(error(Pnml, b"\x7fELF\x02\x01\x01\x00\x00\x00\xb0"), @"line 1, column 11: these bytes are not UTF-8 text; expected a text file in UTF-8");
}

#[test]
fn utf_16() {
    insta::assert_snapshot!(error(Pnml, b"\xff\xfe<\x00p\x00n\x00m\x00l\x00"), @"line 1, column 1: the file is in the encoding UTF-16; expected UTF-8 or ISO-8859-1: save it as UTF-8");
}

#[test]
fn an_unknown_encoding() {
    insta::assert_snapshot!(error(Pnml, r#"<?xml version="1.0" encoding="KOI8-R"?>
<pnml/>"#), @"line 1, column 1: the file is in the encoding KOI8-R; expected UTF-8 or ISO-8859-1: save it as UTF-8");
}

#[test]
fn another_kind_of_xml() {
    insta::assert_snapshot!(error(Pnml, r#"<?xml version="1.0"?>
<html><body/></html>"#), @"line 2, column 1: found <html>; expected <pnml>");
}

#[test]
fn no_net() {
    insta::assert_snapshot!(error(Pnml, "<pnml>\n</pnml>"), @"line 2, column 8: the file has no <net>; expected at least one inside <pnml>");
}

#[test]
fn two_roots() {
    insta::assert_snapshot!(error(Pnml, "<pnml/>\n<pnml/>"), @"line 2, column 1: found a second <pnml>; expected the end of the file");
}

#[test]
fn text_after_the_end() {
    insta::assert_snapshot!(error(Pnml, r#"<pnml><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet">
<page id="g">
<place id="p"/>
</page></net></pnml>
rubbish"#), @"line 5, column 1: found 'rubbish'; expected the end of the file");
}

#[test]
fn truncated_in_a_place() {
    insta::assert_snapshot!(error(Pnml, r#"<pnml><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet">
<page id="g">
<place id="p">
<initialMarking>"#), @"line 4, column 17: the file ends too early, in <initialMarking>; expected </initialMarking> and what follows it");
}

#[test]
fn truncated_in_a_tag() {
    insta::assert_snapshot!(error(Pnml, r#"<pnml><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet">
<page id="g">
<place id="p"#), @r#"line 3, column 1: the file ends too early, in the value of an attribute; expected '"'"#);
}

#[test]
fn truncated_in_a_reference() {
    insta::assert_snapshot!(error(Pnml, r#"<pnml><net id="n"><referencePlace id="r" ref="p">"#), @"line 1, column 50: the file ends too early, in <referencePlace>; expected </referencePlace> and what follows it");
    insta::assert_snapshot!(error(Pnml, r#"<pnml><net id="n"><referenceTransition id="r" ref="t">"#), @"line 1, column 55: the file ends too early, in <referenceTransition>; expected </referenceTransition> and what follows it");
}

#[test]
fn truncated_in_a_comment() {
    insta::assert_snapshot!(error(Pnml, r#"<pnml><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet">
<page id="g">
<!-- no end"#), @"line 3, column 1: the file ends too early, in a comment; expected '-->'");
}

#[test]
fn tags_that_do_not_match() {
    insta::assert_snapshot!(error(Pnml, page(r#"<place id="p"></transition>"#)), @"line 3, column 15: found </transition>; expected </place>");
}

#[test]
fn an_end_without_a_beginning() {
    insta::assert_snapshot!(error(Pnml, "</pnml>"), @"line 1, column 1: found </pnml>; expected a start tag, because nothing is open");
}

#[test]
fn an_attribute_without_quotes() {
    insta::assert_snapshot!(error(Pnml, page("<place id=p/>")), @r#"line 3, column 11: found a value without quotes; expected attributes like id="p1""#);
}

#[test]
fn an_attribute_without_value() {
    insta::assert_snapshot!(error(Pnml, page("<place id/>")), @r#"line 3, column 10: found an attribute without '='; expected attributes like id="p1""#);
}

#[test]
fn an_ampersand_alone() {
    insta::assert_snapshot!(error(Pnml, page(r#"<place id="p"><name><text>a & b</text></name></place>"#)), @"line 3, column 29: found '&' without ';'; expected an entity like '&amp;'");
}

#[test]
fn an_unknown_entity_in_text() {
    insta::assert_snapshot!(error(Pnml, page(r#"<place id="p"><name><text>a&nbsp;b</text></name></place>"#)), @"line 3, column 28: the entity '&nbsp;' is not known; expected one of &amp; &lt; &gt; &apos; &quot; or a number like &#65;");
}

#[test]
fn an_unknown_entity_in_an_attribute() {
    insta::assert_snapshot!(error(Pnml, page(r#"<place id="&p;"/>"#)), @"line 3, column 1: the entity '&p;' is not known; expected one of &amp; &lt; &gt; &apos; &quot; or a number like &#65;");
}

#[test]
fn entities_that_grow() {
    insta::assert_snapshot!(error(Pnml, r#"<!DOCTYPE pnml [
<!ENTITY a "haha"><!ENTITY b "&a;&a;&a;&a;">
]>
<pnml><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet">
<page id="g">
<place id="p"><name><text>&b;</text></name></place>
</page></net></pnml>"#), @"line 6, column 27: the entity '&b;' is not known; expected one of &amp; &lt; &gt; &apos; &quot; or a number like &#65;");
}

#[test]
fn a_character_that_xml_forbids() {
    insta::assert_snapshot!(error(Pnml, page(r#"<place id="p&#1;"/>"#)), @"line 3, column 1: the character U+0001 is not allowed in XML; expected printable text");
}

#[test]
fn a_place_without_id() {
    insta::assert_snapshot!(error(Pnml, page("<place/>")), @"line 3, column 1: <place> has no attribute 'id', or an empty one; expected a name that no other node has");
}

#[test]
fn a_place_with_an_empty_id() {
    insta::assert_snapshot!(error(Pnml, page(r#"<place id=" "/>"#)), @"line 3, column 1: <place> has no attribute 'id', or an empty one; expected a name that no other node has");
}

#[test]
fn a_transition_without_id() {
    insta::assert_snapshot!(error(Pnml, page("<transition/>")), @"line 3, column 1: <transition> has no attribute 'id', or an empty one; expected a name that no other node has");
}

#[test]
fn an_arc_without_source() {
    insta::assert_snapshot!(error(Pnml, page(r#"<place id="p"/><transition id="t"/>
<arc id="a" target="t"/>"#)), @"line 4, column 1: <arc> has no attribute 'source', or an empty one; expected the id of the node where it starts");
}

#[test]
fn an_arc_without_target() {
    insta::assert_snapshot!(error(Pnml, page(r#"<place id="p"/><transition id="t"/>
<arc id="a" source="p"/>"#)), @"line 4, column 1: <arc> has no attribute 'target', or an empty one; expected the id of the node where it ends");
}

#[test]
fn a_reference_without_target() {
    insta::assert_snapshot!(error(Pnml, page(r#"<referencePlace id="r"/>"#)), @"line 3, column 1: <referencePlace> has no attribute 'ref', or an empty one; expected the id of the node it stands for");
}

#[test]
fn two_places_with_one_id() {
    insta::assert_snapshot!(error(Pnml, page(r#"<place id="p"/>
<place id="p"/>"#)), @"line 4, column 1: there are two nodes with the id 'p'; expected every id of a place or transition only once");
}

#[test]
fn a_place_and_a_transition_with_one_id() {
    insta::assert_snapshot!(error(Pnml, page(r#"<place id="x"/>
<transition id="x"/>"#)), @"line 4, column 1: there are two nodes with the id 'x'; expected every id of a place or transition only once");
}

#[test]
fn a_reference_with_the_id_of_a_place() {
    insta::assert_snapshot!(error(Pnml, page(r#"<place id="x"/>
<referencePlace id="x" ref="x"/>"#)), @"line 4, column 1: there are two nodes with the id 'x'; expected every id of a place or transition only once");
}

#[test]
fn an_arc_to_nowhere() {
    insta::assert_snapshot!(error(Pnml, page(r#"<place id="p"/><transition id="t"/>
<arc id="a" source="p" target="u"/>"#)), @"line 4, column 1: there is no place or transition 'u'; expected the id of a node of this net");
}

#[test]
fn an_arc_between_places() {
    insta::assert_snapshot!(error(Pnml, page(r#"<place id="p"/><transition id="t"/>
<place id="q"/><arc id="a" source="p" target="q"/>"#)), @"line 4, column 16: this arc leads from the place 'p' to the place 'q'; expected one end to be a place and the other a transition");
}

#[test]
fn an_arc_between_transitions() {
    insta::assert_snapshot!(error(Pnml, page(r#"<place id="p"/><transition id="t"/>
<arc id="a" source="t" target="t"/>"#)), @"line 4, column 1: this arc leads from the transition 't' to the transition 't'; expected one end to be a place and the other a transition");
}

#[test]
fn an_inhibitor_arc_to_a_place() {
    insta::assert_snapshot!(error(Pnml, page(r#"<place id="p"/><transition id="t"/>
<arc id="a" source="t" target="p"><type value="inhibitor"/></arc>"#)), @"line 4, column 1: this inhibitor arc leads from the transition 't' to the place 'p'; expected it to lead from a place to a transition");
}

#[test]
fn a_kind_of_arc_that_is_not_known() {
    insta::assert_snapshot!(error(Pnml, page(r#"<place id="p"/><transition id="t"/>
<arc id="a" source="p" target="t" type="transport"/>"#)), @"line 4, column 1: arcs of the kind 'transport' cannot be read; expected normal, read (test), inhibitor or reset");
}

#[test]
fn a_weight_of_0() {
    insta::assert_snapshot!(error(Pnml, page(r#"<place id="p"/><transition id="t"/>
<arc id="a" source="p" target="t"><inscription><text>0</text></inscription></arc>"#)), @"line 4, column 48: the weight of the arc 'a' is 0; expected at least 1");
}

#[test]
fn a_negative_weight() {
    insta::assert_snapshot!(error(Pnml, page(r#"<place id="p"/><transition id="t"/>
<arc id="a" source="p" target="t"><inscription><text>-2</text></inscription></arc>"#)), @"line 4, column 48: the weight of the arc 'a' is -2; expected a number that is not negative");
}

#[test]
fn a_huge_weight() {
    insta::assert_snapshot!(error(Pnml, page(r#"<place id="p"/><transition id="t"/>
<arc source="p" target="t"><inscription><text>1000000000000000000000000000000</text></inscription></arc>"#)), @"line 4, column 41: the weight of the arc from 'p' to 't' is 1000000000000000000000000000000; expected at most 18446744073709551615 (2^64 - 1)");
}

#[test]
fn a_weight_that_is_no_number() {
    insta::assert_snapshot!(error(Pnml, page(r#"<place id="p"/><transition id="t"/>
<arc id="a" source="p" target="t"><inscription><text>2x</text></inscription></arc>"#)), @"line 4, column 48: the weight of the arc 'a' is '2x'; expected a whole number");
}

#[test]
fn weights_that_add_up_to_too_much() {
    insta::assert_snapshot!(error(Pnml, page(r#"<place id="p"/><transition id="t"/>
<arc source="p" target="t"><inscription><text>18446744073709551615</text></inscription></arc>
<arc source="p" target="t"/>"#)), @"line 6, column 8: the weights of the arcs between 'p' and 't' add up to more than 2^64 - 1");
}

#[test]
fn a_negative_marking() {
    insta::assert_snapshot!(error(Pnml, page(r#"<place id="p"><initialMarking><text>-1</text></initialMarking></place>"#)), @"line 3, column 31: the initial marking of place 'p' is -1; expected a number that is not negative");
}

#[test]
fn a_huge_marking() {
    insta::assert_snapshot!(error(Pnml, page(r#"<place id="p"><initialMarking><text>1000000000000000000000000000000</text></initialMarking></place>"#)), @"line 3, column 31: the initial marking of place 'p' is 1000000000000000000000000000000; expected at most 18446744073709551615 (2^64 - 1)");
}

#[test]
fn a_marking_that_is_no_number() {
    insta::assert_snapshot!(error(Pnml, page(r#"<place id="p">
<initialMarking>
  <text>one</text></initialMarking></place>"#)), @"line 5, column 3: the initial marking of place 'p' is 'one'; expected a whole number");
}

#[test]
fn a_marking_with_several_colours() {
    insta::assert_snapshot!(error(Pnml, page(r#"<place id="p"><initialMarking><value>Default,1,Red,2</value></initialMarking></place>"#)), @"line 3, column 31: this is a coloured (high-level) net, as 'Default,1,Red,2', a count for several colours, shows; expected a place/transition net");
}

#[test]
fn references_in_a_circle() {
    insta::assert_snapshot!(error(Pnml, page(r#"<referencePlace id="a" ref="b"/>
<referencePlace id="b" ref="a"/>"#)), @"line 3, column 1: the reference 'a' leads back to itself; expected references to end in a place or transition");
}

#[test]
fn a_reference_to_nothing() {
    insta::assert_snapshot!(error(Pnml, page(r#"<referencePlace id="a" ref="b"/>"#)), @"line 3, column 1: the reference 'a' points to 'b', which does not exist; expected the id of a node of this net");
}

#[test]
fn a_reference_to_the_wrong_kind() {
    insta::assert_snapshot!(error(Pnml, page(r#"<transition id="t"/>
<referencePlace id="a" ref="t"/>"#)), @"line 4, column 1: the reference 'a' ends in a transition; expected a place");
}

#[test]
fn a_coloured_marking() {
    insta::assert_snapshot!(error(Pnml, page(r#"<place id="p">
<hlinitialMarking/></place>"#)), @"line 4, column 1: this is a coloured (high-level) net, as <hlinitialMarking> shows; expected a place/transition net");
}

#[test]
fn xml_that_breaks_off_or_goes_wrong_in_rare_places() {
    let mut text = String::new();
    for broken in [
        "<pnml><net id=\"n\"><!oops>",
        "<pnml><net id=\"n\"><![CDATA[no end",
        "<pnml><net id=\"n\"><?no end",
        "<?xml version=\"1.0\"",
        "<!DOCTYPE pnml [ <!ENTITY a",
        "<pnml><net id=\"n",
        "<pnml><net id='n",
        "<pnml><net id",
        "<pnml></net>",
        "</pnml>",
        "<pnml><net id>",
        "<pnml><net id=>",
        "<pnml><net id=n>",
        "<pnml><net id=\"n\" id=\"m\">",
        "<pnml><net id=\"n &amp\">",
        "<pnml><net \"=' \">",
        "<!DOCTYPE>",
        "<pnml><net id=\"&#xFFFFFFFF;\">",
    ] {
        text.push_str(&format!("{broken}\n    {}\n", error(Pnml, broken)));
    }
    insta::assert_snapshot!("rare_xml", text);
}
