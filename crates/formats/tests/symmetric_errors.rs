//! Every reason why a symmetric net cannot be read, in the words that people get to see.

mod common;

use common::symmetric::{DECLARATIONS, arc, net, place, transition, xml};
use common::{error, models, read_bytes};
use sweepnet_formats::Format::Pnml;

fn declared(declarations: impl AsRef<str>) -> String {
    net(declarations.as_ref(), "")
}

fn with_sort(sort: &str) -> String {
    declared(format!("<namedsort id=\"s\" name=\"S\">{sort}</namedsort>"))
}

/// A sort of pairs of the one before.
fn doubled(i: usize) -> String {
    let part = if i == 0 { "r".to_owned() } else { format!("r{i}") };
    format!(
        "<namedsort id=\"r{}\" name=\"R{0}\"><productsort><usersort declaration=\"{part}\"/>\
         <usersort declaration=\"{part}\"/></productsort></namedsort>",
        i + 1
    )
}

fn marked(sort: &str, term: &str) -> String {
    net(DECLARATIONS, &place("s", sort, term))
}

/// All values of a sort on a place.
fn with_all(sort: &str) -> String {
    let declarations = format!("<namedsort id=\"s\" name=\"S\">{sort}</namedsort>");
    net(&declarations, &place("s", "s", "all:s"))
}

fn flowing(sort: &str, term: &str) -> String {
    net(DECLARATIONS, &(place("s", sort, "") + &transition("t", "") + &arc("s", "t", term)))
}

fn guarded(condition: &str) -> String {
    net(DECLARATIONS, &transition("t", condition))
}

/// An operator of one argument.
fn operator(id: &str, parameter: &str, definition: &str) -> String {
    format!(
        "<namedoperator id=\"{id}\" name=\"{id}\"><parameter><variabledecl id=\"{parameter}\" name=\"z\">\
         <usersort declaration=\"e\"/></variabledecl></parameter><def>{}</def></namedoperator>",
        xml(definition)
    )
}

fn error_of_operator(definition: &str, term: &str) -> String {
    net(&(DECLARATIONS.to_owned() + &operator("f", "z", definition)), &place("s", "e", term))
}

/// Each operator uses the one before twice.
fn multiplying() -> String {
    let mut declarations = DECLARATIONS.to_owned() + &operator("f0", "z0", "add($z0, $z0)");
    for i in 1..60 {
        let before = i - 1;
        let definition = format!("add(!f{before}($z{i}), !f{before}($z{i}))");
        declarations += &operator(&format!("f{i}"), &format!("z{i}"), &definition);
    }
    net(&declarations, &place("s", "e", "!f59('a)"))
}

#[test]
fn a_sort_that_is_not_supported() {
    insta::assert_snapshot!(error(Pnml, with_sort("<list><dot/></list>")), @"line 2, column 66: the sort <list> is not supported; expected one of symmetric nets");
}

#[test]
fn strings() {
    insta::assert_snapshot!(error(Pnml, with_sort("<string/>")), @"line 2, column 66: the sort <string> is not supported; expected one of symmetric nets");
}

#[test]
fn a_sort_without_end() {
    insta::assert_snapshot!(error(Pnml, with_sort("<natural/>")), @"line 2, column 66: found the sort <natural>, which has no end; expected a finite sort");
}

#[test]
fn a_sort_of_multisets() {
    insta::assert_snapshot!(error(Pnml, with_sort("<multisetsort><dot/></multisetsort>")), @"line 2, column 66: found a sort of multisets; expected the sort of a single token");
}

#[test]
fn a_sort_that_nobody_declares() {
    insta::assert_snapshot!(error(Pnml, with_sort(r#"<usersort declaration="nowhere"/>"#)), @"line 2, column 66: there is no sort 'nowhere'; expected one that the net declares");
}

#[test]
fn a_sort_without_a_name() {
    insta::assert_snapshot!(error(Pnml, with_sort("<usersort/>")), @"line 2, column 66: <usersort> has no attribute 'declaration', or an empty one; expected the id of a sort");
}

#[test]
fn two_sorts_in_one() {
    insta::assert_snapshot!(error(Pnml, with_sort("<dot/><bool/>")), @"line 2, column 72: found <bool> as well in <namedsort>; expected one sort");
}

#[test]
fn no_sort_at_all() {
    insta::assert_snapshot!(error(Pnml, with_sort("")), @"line 2, column 39: found nothing in <namedsort>; expected one sort");
}

#[test]
fn an_empty_enumeration() {
    insta::assert_snapshot!(error(Pnml, with_sort("<finiteenumeration/>")), @"line 2, column 66: this is no sort for tokens: the type is empty");
}

#[test]
fn an_enumeration_of_something_else() {
    insta::assert_snapshot!(error(Pnml, with_sort("<cyclicenumeration><dot/></cyclicenumeration>")), @"line 2, column 85: found <dot>; expected <feconstant>");
}

#[test]
fn a_constant_without_an_id() {
    insta::assert_snapshot!(error(Pnml, with_sort("<cyclicenumeration><feconstant/></cyclicenumeration>")), @"line 2, column 85: <feconstant> has no attribute 'id', or an empty one; expected a name to refer to it by");
}

#[test]
fn an_empty_range() {
    insta::assert_snapshot!(error(Pnml, with_sort(r#"<finiteintrange start="2" end="1"/>"#)), @"line 2, column 66: this is no sort for tokens: the type is empty");
}

#[test]
fn a_range_without_an_end() {
    insta::assert_snapshot!(error(Pnml, with_sort(r#"<finiteintrange start="2"/>"#)), @"line 2, column 66: <finiteintrange> has no attribute 'end', or an empty one; expected its last number");
}

#[test]
fn a_range_of_words() {
    insta::assert_snapshot!(error(Pnml, with_sort(r#"<finiteintrange start="one" end="two"/>"#)), @r#"line 2, column 66: found start="one"; expected a whole number of at most 64 bits"#);
}

#[test]
fn a_sort_that_is_too_wide() {
    insta::assert_snapshot!(error(Pnml, declared(
    r#"<namedsort id="r" name="R"><finiteintrange start="1" end="9223372036854775806"/></namedsort>"#.to_owned()
        + &(0..13).map(doubled).collect::<String>(),
)), @"line 2, column 1658: this is no sort for tokens: a value would take more than 4096 words");
}

#[test]
fn a_sort_made_of_itself() {
    insta::assert_snapshot!(error(Pnml, declared(r#"<namedsort id="a" name="A"><usersort declaration="b"/></namedsort>
<namedsort id="b" name="B"><productsort><dot/><usersort declaration="a"/></productsort></namedsort>"#)), @"line 2, column 151: the sort 'a' is made of itself; expected sorts with a beginning");
}

#[test]
fn two_sorts_with_one_id() {
    insta::assert_snapshot!(error(Pnml, declared(r#"<namedsort id="a" name="A"><dot/></namedsort><namedsort id="a" name="B"><dot/></namedsort>"#)), @"line 2, column 84: there are two sorts with the id 'a'; expected every id only once");
}

#[test]
fn two_constants_with_one_id() {
    insta::assert_snapshot!(error(Pnml, declared(r#"<namedsort id="a" name="A"><finiteenumeration><feconstant id="k"/></finiteenumeration></namedsort>
<namedsort id="b" name="B"><finiteenumeration><feconstant id="l"/><feconstant id="k"/></finiteenumeration></namedsort>"#)), @"line 2, column 203: there are two operators with the id 'k'; expected every id only once");
}

#[test]
fn two_variables_with_one_id() {
    insta::assert_snapshot!(error(Pnml, declared(r#"<variabledecl id="x" name="x"><dot/></variabledecl><variabledecl id="x" name="y"><dot/></variabledecl>"#)), @"line 2, column 90: there are two variables with the id 'x'; expected every id only once");
}

#[test]
fn a_variable_without_an_id() {
    insta::assert_snapshot!(error(Pnml, declared(r#"<variabledecl name="x"><dot/></variabledecl>"#)), @"line 2, column 39: <variabledecl> has no attribute 'id', or an empty one; expected a name to refer to it by");
}

#[test]
fn a_variable_without_a_sort() {
    insta::assert_snapshot!(error(Pnml, declared(r#"<variabledecl id="x" name="x"/>"#)), @"line 2, column 39: found nothing in <variabledecl>; expected the sort of the variable");
}

#[test]
fn an_unknown_declaration() {
    insta::assert_snapshot!(error(Pnml, declared(r#"<arbitrarysort id="a" name="A"/>"#)), @"line 2, column 39: the declaration <arbitrarysort> is not supported; expected one of symmetric nets");
}

#[test]
fn a_partition_that_leaves_something_out() {
    insta::assert_snapshot!(error(Pnml, declared(r#"<partition id="p" name="P"><bool/><partitionelement id="a"><booleanconstant value="true"/></partitionelement></partition>"#)), @"line 2, column 39: the partition 'p' does not have the value 'false'; expected every value of its sort in one element");
}

#[test]
fn a_partition_with_an_overlap() {
    insta::assert_snapshot!(error(Pnml, declared(r#"<partition id="p" name="P"><bool/><partitionelement id="a"><booleanconstant value="true"/></partitionelement>
<partitionelement id="b"><booleanconstant value="true"/></partitionelement></partition>"#)), @"line 2, column 39: the partition 'p' has the value 'true' twice; expected every value of its sort in one element");
}

#[test]
fn a_partition_of_nothing() {
    insta::assert_snapshot!(error(Pnml, declared(r#"<partition id="p" name="P"><partitionelement id="a"/></partition>"#)), @"line 2, column 39: the partition 'p' has no sort; expected every value of its sort in one element");
}

#[test]
fn a_partition_by_something_that_is_not_constant() {
    insta::assert_snapshot!(error(Pnml, declared(r#"<partition id="p" name="P"><bool/><partitionelement id="a"><not><booleanconstant value="true"/></not></partitionelement></partition>"#)), @"line 2, column 98: found <not>; expected a constant");
}

#[test]
fn a_partition_of_too_large_a_sort() {
    insta::assert_snapshot!(error(Pnml, declared(
    r#"<namedsort id="r" name="R"><finiteintrange start="1" end="9223372036854775806"/></namedsort>"#.to_owned()
        + &doubled(0)
        + &doubled(1)
        + r#"<partition id="p" name="P"><usersort declaration="r2"/><partitionelement id="a"/></partition>"#,
)), @"line 2, column 377: the partition 'p' divides too large a sort; expected every value of its sort in one element");
}

#[test]
fn a_declaration_in_words_only() {
    insta::assert_snapshot!(error(Pnml, net(DECLARATIONS, "<declaration><text>x is a number</text></declaration>")), @"line 4, column 1: <declaration> has no <structure>; expected one: text alone has no meaning in a coloured net");
}

#[test]
fn a_place_without_a_sort() {
    insta::assert_snapshot!(error(Pnml, net(DECLARATIONS, r#"<place id="s"/>"#)), @"line 4, column 1: the place 's' has no <type>; expected one in a coloured net");
}

#[test]
fn a_sort_in_words_only() {
    insta::assert_snapshot!(error(Pnml, net(DECLARATIONS, r#"<place id="s"><type><text>E</text></type></place>"#)), @"line 4, column 15: <type> has no <structure>; expected one: text alone has no meaning in a coloured net");
}

#[test]
fn two_sorts_for_a_place() {
    insta::assert_snapshot!(error(Pnml, net(DECLARATIONS, r#"<place id="s"><type><structure><dot/></structure></type><type><structure><dot/></structure></type></place>"#)), @"line 4, column 57: found a second <type>; expected only one");
}

#[test]
fn two_structures_in_a_label() {
    insta::assert_snapshot!(error(Pnml, net(DECLARATIONS, r#"<place id="s"><type><structure><dot/></structure><structure><dot/></structure></type></place>"#)), @"line 4, column 50: found a second <structure>; expected one in <type>");
}

#[test]
fn a_marking_in_words_only() {
    insta::assert_snapshot!(error(Pnml, net(DECLARATIONS, &place("s", "e", "'a").replace("<hlinitialMarking><structure><useroperator declaration=\"a\"/></structure>", "<hlinitialMarking><text>A</text>"))), @"line 5, column 1: <hlinitialMarking> has no <structure>; expected one: text alone has no meaning in a coloured net");
}

#[test]
fn a_marking_in_numbers() {
    insta::assert_snapshot!(error(Pnml, net(DECLARATIONS, &place("s", "e", "").replace("</place>", "<initialMarking><text>2</text></initialMarking></place>"))), @"line 4, column 1: the place 's' has no <hlinitialMarking>; expected one in a coloured net");
}

#[test]
fn an_arc_without_tokens() {
    insta::assert_snapshot!(error(Pnml, net(DECLARATIONS, &(place("s", "e", "") + &transition("t", "") + "<arc source=\"s\" target=\"t\"/>"))), @"line 6, column 1: the arc from 's' to 't' has no <hlinscription>; expected one in a coloured net");
}

#[test]
fn an_arc_in_words_only() {
    insta::assert_snapshot!(error(Pnml, net(DECLARATIONS, &(place("s", "e", "") + &transition("t", "") + "<arc source=\"s\" target=\"t\"><hlinscription><text>x</text></hlinscription></arc>"))), @"line 6, column 28: <hlinscription> has no <structure>; expected one: text alone has no meaning in a coloured net");
}

#[test]
fn a_condition_in_words_only() {
    insta::assert_snapshot!(error(Pnml, net(DECLARATIONS, "<transition id=\"t\"><condition><text>x = y</text></condition></transition>")), @"line 4, column 20: <condition> has no <structure>; expected one: text alone has no meaning in a coloured net");
}

#[test]
fn a_condition_without_a_term() {
    insta::assert_snapshot!(error(Pnml, net(DECLARATIONS, "<transition id=\"t\"><condition><structure/></condition></transition>")), @"line 4, column 31: found nothing in <structure>; expected one term or sort");
}

#[test]
fn a_condition_of_a_place() {
    insta::assert_snapshot!(error(Pnml, net(DECLARATIONS, "<place id=\"s\"><condition/></place>")), @"line 4, column 15: found <condition> in <place>; expected markings in places, inscriptions in arcs, conditions in transitions");
}

#[test]
fn a_parameter_outside_of_its_operator() {
    let declarations = DECLARATIONS.to_owned() + &operator("f", "z", "successor($z)");
    insta::assert_snapshot!(error(Pnml, net(&declarations, &transition("t", "equality($x, $z)"))), @"line 5, column 88: there is no variable 'z'; expected one that the net declares");
}

#[test]
fn a_marking_with_a_variable() {
    insta::assert_snapshot!(error(Pnml, marked("e", "$x")), @"line 5, column 30: found the variable 'x'; expected a term without variables");
}

#[test]
fn a_variable_that_nobody_declares() {
    insta::assert_snapshot!(error(Pnml, flowing("e", "$z")), @"line 6, column 63: there is no variable 'z'; expected one that the net declares");
}

#[test]
fn a_constant_that_nobody_declares() {
    insta::assert_snapshot!(error(Pnml, marked("e", "'z")), @"line 5, column 30: there is no constant or operator 'z'; expected one that the net declares");
}

#[test]
fn a_value_of_another_sort() {
    insta::assert_snapshot!(error(Pnml, marked("e", "1r")), @"line 5, column 30: found a value of R; expected a value of E");
}

#[test]
fn a_dot_on_a_place_for_pairs() {
    insta::assert_snapshot!(error(Pnml, marked("exe", ".")), @"line 5, column 30: found a value of dot; expected a value of ExE");
}

#[test]
fn a_number_outside_of_its_range() {
    insta::assert_snapshot!(error(Pnml, marked("r", "7")), @"line 5, column 30: found 7; expected a value of R");
}

#[test]
fn a_value_outside_of_its_range() {
    insta::assert_snapshot!(error(Pnml, marked("r", "6r")), @"line 5, column 30: found 6; expected a value of R");
}

#[test]
fn a_result_outside_of_its_range() {
    insta::assert_snapshot!(error(Pnml, marked("r", "addition(5r, 1)")), @"line 5, column 30: the initial marking of place 's' cannot be: 6 is outside of its type");
}

#[test]
fn a_division_by_zero() {
    insta::assert_snapshot!(error(Pnml, marked("r", "div(5r, 0)")), @"line 5, column 30: the initial marking of place 's' cannot be: division by zero");
}

#[test]
fn a_negative_number_of_tokens() {
    insta::assert_snapshot!(error(Pnml, marked("e", "numberof(-2, 'a)")), @"line 5, column 49: found -2 tokens; expected a number that is not negative");
}

#[test]
fn fewer_than_no_tokens() {
    insta::assert_snapshot!(error(Pnml, marked("e", "subtract('a, 'b)")), @"line 5, column 30: the initial marking of place 's' cannot be: a multiset would have fewer than no tokens of a value");
}

#[test]
fn more_tokens_than_can_be() {
    insta::assert_snapshot!(error(Pnml, marked("e", "numberof(9223372036854775807, numberof(4, 'a))")), @"line 5, column 30: the initial marking of place 's' cannot be: a multiset would have more than 2^64 - 1 tokens of a value");
}

#[test]
fn a_number_of_tokens_that_is_none() {
    insta::assert_snapshot!(error(Pnml, marked("e", "numberof('a, 'a)")), @"line 5, column 49: found a value of E; expected a number");
}

#[test]
fn a_number_that_is_too_large() {
    insta::assert_snapshot!(error(Pnml, marked("e", "numberof(1, 'a)").replace("value=\"1\"", "value=\"99999999999999999999\"")), @r#"line 5, column 49: found value="99999999999999999999"; expected a whole number of at most 64 bits"#);
}

#[test]
fn too_many_values() {
    insta::assert_snapshot!(error(Pnml, with_all(r#"<finiteintrange start="1" end="1000000000000"/>"#)), @"line 5, column 30: the initial marking of place 's' cannot be: a type is too large to go through all its values");
}

#[test]
fn all_of_another_sort() {
    insta::assert_snapshot!(error(Pnml, marked("e", "all:r")), @"line 5, column 35: found a value of R; expected a value of E");
}

#[test]
fn a_tuple_that_is_too_short() {
    insta::assert_snapshot!(error(Pnml, marked("exr", "tuple('a)")), @"line 5, column 30: found a value of E; expected a value of ExR");
}

#[test]
fn a_tuple_that_is_too_long() {
    insta::assert_snapshot!(error(Pnml, marked("exr", "tuple('a, all:r, 'b)")), @"line 5, column 30: found a tuple of 3 components; expected a value of ExR: 2 components");
}

#[test]
fn a_tuple_where_none_belongs() {
    insta::assert_snapshot!(error(Pnml, marked("e", "tuple('a, 'b)")), @"line 5, column 30: found a tuple of 2 components; expected a value of E");
}

#[test]
fn a_component_of_another_sort() {
    insta::assert_snapshot!(error(Pnml, marked("exr", "tuple('a, 'b)")), @"line 5, column 96: found a value of E; expected a value of R");
}

#[test]
fn a_multiset_where_a_value_belongs() {
    insta::assert_snapshot!(error(Pnml, marked("e", "successor(all:e)")), @"line 5, column 50: found <all>, a multiset; expected a single value");
}

#[test]
fn a_successor_of_a_pair() {
    insta::assert_snapshot!(error(Pnml, marked("exe", "successor(tuple('a, 'a))")), @"line 5, column 50: found a value of ExE; expected a value of an enumeration or range");
}

#[test]
fn a_number_where_a_value_belongs() {
    insta::assert_snapshot!(error(Pnml, guarded("equality(tuple($x, 1), tuple($x, 1))")), @"line 5, column 104: found a number; expected a value of a finite sort");
}

#[test]
fn an_operator_with_too_many_operands() {
    insta::assert_snapshot!(error(Pnml, marked("e", "successor('a, 'b)")), @"line 5, column 30: found <successor> of 2 terms; expected 1");
}

#[test]
fn a_difference_of_one() {
    insta::assert_snapshot!(error(Pnml, marked("e", "subtract('a)")), @"line 5, column 30: found <subtract> of 1 term; expected 2");
}

#[test]
fn an_operator_that_is_not_supported() {
    insta::assert_snapshot!(error(Pnml, marked("e", "makelist('a)")), @"line 5, column 30: the operator <makelist> is not supported; expected one of symmetric nets");
}

#[test]
fn a_subterm_without_a_term() {
    insta::assert_snapshot!(error(Pnml, marked("e", "successor('a)").replace("<useroperator declaration=\"a\"/></subterm>", "</subterm>")), @"line 5, column 41: found nothing in <subterm>; expected one term");
}

#[test]
fn a_condition_that_is_no_condition() {
    insta::assert_snapshot!(error(Pnml, guarded("$x")), @"line 5, column 23: found a value of E; expected a value of bool");
}

#[test]
fn a_condition_over_different_sorts() {
    insta::assert_snapshot!(error(Pnml, guarded("equality($x, $n)")), @"line 5, column 88: found a value of R; expected a value of E");
}

#[test]
fn an_order_on_pairs() {
    insta::assert_snapshot!(error(Pnml, guarded("lessthan(tuple($x, $y), tuple($y, $x))")), @"line 5, column 42: found a value of ExE; expected a value of an enumeration or range");
}

#[test]
fn a_conjunction_of_values() {
    insta::assert_snapshot!(error(Pnml, guarded("and(true, $x)")), @"line 5, column 87: found a value of E; expected a value of bool");
}

#[test]
fn neither_true_nor_false() {
    insta::assert_snapshot!(error(Pnml, guarded("true").replace("value=\"true\"", "value=\"perhaps\"")), @r#"line 5, column 23: found value="perhaps"; expected true or false"#);
}

#[test]
fn a_partition_that_nobody_declares() {
    insta::assert_snapshot!(error(Pnml, guarded("equality(in:q($x), 'low)")), @"line 5, column 42: there is no partition 'q'; expected one that the net declares");
}

#[test]
fn an_operator_with_too_few_arguments() {
    insta::assert_snapshot!(error(Pnml, error_of_operator("successor($z)", "!f()")), @"line 5, column 30: found the operator 'f' with 0 arguments; expected 1");
}

#[test]
fn an_operator_that_uses_itself() {
    insta::assert_snapshot!(error(Pnml, error_of_operator("!f($z)", "!f('a)")), @"line 2, column 1187: the elements are too deep inside one another; expected at most 500 levels");
}

#[test]
fn operators_that_multiply() {
    insta::assert_snapshot!(error(Pnml, multiplying()), @"line 2, column 2711: the terms of this net become too large when its operators are expanded");
}

#[test]
fn terms_too_deep() {
    insta::assert_snapshot!(error(Pnml, marked("e", &("successor(".repeat(300) + "'a" + &")".repeat(300)))), @"line 5, column 5021: the elements are too deep inside one another; expected at most 500 levels");
}

/// Whatever is done to a file, it is read or refused.
#[test]
fn damaged_files() {
    let Some(models) = models() else { return };
    for name in ["pnmlframework-sampleSNPrio", "pnmlframework-ClientServer", "itstools-token-ring-5-col"] {
        let path = models.join("formats/pnml").join(name).with_extension("pnml");
        let text = std::fs::read_to_string(path).expect("a file");
        for end in (0..text.len()).step_by(97).filter(|end| text.is_char_boundary(*end)) {
            assert!(read_bytes(Pnml, &text[..end]).is_err());
        }
        let tags: Vec<(usize, usize)> = text
            .match_indices('<')
            .filter_map(|(start, _)| Some((start, start + text[start..].find('>')? + 1)))
            .collect();
        let mut random = Random(1);
        for _ in 0..2000 {
            let (from, to) = (tags[random.below(tags.len())], tags[random.below(tags.len())]);
            let mut damaged = text.clone();
            match random.below(3) {
                0 => damaged.replace_range(from.0..from.1, ""),
                1 => damaged.replace_range(from.0..from.1, &text[to.0..to.1]),
                _ => {
                    let value = |(start, end): (usize, usize)| {
                        let first = start + text[start..end].find('"')? + 1;
                        Some(first..first + text[first..end].find('"')?)
                    };
                    if let (Some(from), Some(to)) = (value(from), value(to)) {
                        damaged.replace_range(from, &text[to]);
                    }
                }
            }
            // Nothing is expected of it but an end.
            let _ = read_bytes(Pnml, damaged);
        }
    }
}

/// A sequence that is the same every time.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
}

/// A place whose initial marking is this element.
fn holding(sort: &str, element: &str) -> String {
    let place = format!(
        "<place id=\"s\"><type><structure><usersort declaration=\"{sort}\"/></structure></type>\
         <hlinitialMarking><structure>{element}</structure></hlinitialMarking></place>"
    );
    net(DECLARATIONS, &place)
}

#[test]
fn attributes_that_are_missing() {
    insta::assert_snapshot!(error(Pnml, with_sort("<finiteintrange end=\"5\"/>")), @r"line 2, column 66: <finiteintrange> has no attribute 'start', or an empty one; expected its first number");
    insta::assert_snapshot!(error(Pnml, holding("e", "<useroperator/>")), @r"line 4, column 107: <useroperator> has no attribute 'declaration', or an empty one; expected the id of a constant or operator");
    insta::assert_snapshot!(error(Pnml, holding("e", "<variable/>")), @r"line 4, column 107: <variable> has no attribute 'refvariable', or an empty one; expected the id of a variable");
    insta::assert_snapshot!(error(Pnml, holding("e", "<partitionelementof/>")), @r"line 4, column 107: <partitionelementof> has no attribute 'refpartition', or an empty one; expected the id of a partition");
}

#[test]
fn operators_without_a_definition() {
    let operator = "<namedoperator id=\"f\" name=\"f\"></namedoperator>";
    let text = net(&(DECLARATIONS.to_owned() + operator), &place("s", "e", "!f()"));
    insta::assert_snapshot!(error(Pnml, text), @r"line 2, column 1017: found an operator without <def>; expected its definition");
}

#[test]
fn constants_of_the_wrong_sort() {
    let element =
        "<finiteintrangeconstant value=\"1\"><usersort declaration=\"e\"/></finiteintrangeconstant>";
    insta::assert_snapshot!(error(Pnml, holding("e", element)), @r"line 4, column 107: found a value of E; expected a range of integers");
    insta::assert_snapshot!(error(Pnml, marked("e", "3")), @r"line 5, column 30: found a number; expected a value of E");
}
