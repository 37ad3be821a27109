//! What the reader of LoLA files says.

mod common;

use common::{error, warnings};
use sweepnet_formats::Format::Lola;

#[test]
fn an_empty_file() {
    insta::assert_snapshot!(error(Lola, ""), @"line 1, column 1: the file is empty; expected PLACE and a list of places");
}

#[test]
fn no_places() {
    insta::assert_snapshot!(error(Lola, "TRANSITION t CONSUME; PRODUCE;"), @"line 1, column 1: found TRANSITION; expected PLACE");
}

#[test]
fn no_marking() {
    insta::assert_snapshot!(error(Lola, "PLACE p;\nTRANSITION t CONSUME p; PRODUCE;"), @"line 2, column 1: found TRANSITION; expected the name of a place, SAFE or MARKING");
}

#[test]
fn no_separator() {
    insta::assert_snapshot!(error(Lola, "PLACE p q; MARKING;"), @"line 1, column 9: found 'q'; expected ',' or ';' after the name of a place");
}

#[test]
fn a_comma_too_many() {
    insta::assert_snapshot!(error(Lola, "PLACE p, ; MARKING;"), @"line 1, column 10: found ';'; expected the name of a place");
}

#[test]
fn two_places_with_one_name() {
    insta::assert_snapshot!(error(Lola, "PLACE p,\np; MARKING;"), @"line 2, column 1: there are two nodes with the id 'p'; expected every id of a place or transition only once");
}

#[test]
fn two_transitions_with_one_name() {
    insta::assert_snapshot!(error(Lola, "PLACE p; MARKING;\nTRANSITION t CONSUME; PRODUCE;\nTRANSITION t CONSUME; PRODUCE;"), @"line 3, column 12: there are two nodes with the id 't'; expected every id of a place or transition only once");
}

#[test]
fn an_unknown_place() {
    insta::assert_snapshot!(error(Lola, "PLACE p; MARKING;\nTRANSITION t CONSUME q; PRODUCE;"), @"line 2, column 22: there is no place 'q'; expected one from the PLACE section");
}

#[test]
fn no_produce() {
    insta::assert_snapshot!(error(Lola, "PLACE p; MARKING;\nTRANSITION t CONSUME p;"), @"line 2, column 24: found the end of the file; expected PRODUCE");
}

#[test]
fn a_list_without_end() {
    insta::assert_snapshot!(error(Lola, "PLACE p; MARKING p"), @"line 1, column 19: found the end of the file; expected ',' or ';' in the initial marking");
}

#[test]
fn a_weight_of_0() {
    insta::assert_snapshot!(error(Lola, "PLACE p; MARKING;\nTRANSITION t CONSUME p: 0; PRODUCE;"), @"line 2, column 22: the weight of the arc at 'p' is 0; expected at least 1");
}

#[test]
fn a_number_that_is_none() {
    insta::assert_snapshot!(error(Lola, "PLACE p; MARKING p: x;"), @"line 1, column 21: the number in the initial marking at 'p' is 'x'; expected a whole number");
}

#[test]
fn a_number_that_is_missing() {
    insta::assert_snapshot!(error(Lola, "PLACE p; MARKING p: ;"), @"line 1, column 21: found ';'; expected a number");
}

#[test]
fn a_huge_number() {
    insta::assert_snapshot!(error(Lola, "PLACE p; MARKING p: 1000000000000000000000000000000;"), @"line 1, column 21: the number in the initial marking at 'p' is 1000000000000000000000000000000; expected at most 18446744073709551615 (2^64 - 1)");
}

#[test]
fn a_negative_number() {
    insta::assert_snapshot!(error(Lola, "PLACE p; MARKING p: -1;"), @"line 1, column 21: the number in the initial marking at 'p' is -1; expected a number that is not negative");
}

#[test]
fn markings_that_add_up_to_too_much() {
    insta::assert_snapshot!(error(Lola, "PLACE p; MARKING p: 18446744073709551615, p;"), @"line 1, column 43: the initial marking of place 'p' is 18446744073709551616; expected at most 18446744073709551615 (2^64 - 1)");
}

#[test]
fn weights_that_add_up_to_too_much() {
    insta::assert_snapshot!(error(Lola, "PLACE p; MARKING;\nTRANSITION t CONSUME p: 18446744073709551615, p; PRODUCE;"), @"line 2, column 58: the weights of the arcs between 'p' and 't' add up to more than 2^64 - 1");
}

#[test]
fn a_comment_without_end() {
    insta::assert_snapshot!(error(Lola, "PLACE p; { MARKING"), @"line 1, column 10: the file ends too early, in a comment; expected '}'");
}

#[test]
fn a_control_character() {
    insta::assert_snapshot!(error(Lola, b"PLACE \x01p; MARKING;"), @"line 1, column 7: found the character U+0001; expected a name or a keyword");
}

#[test]
fn bytes_that_are_not_text() {
    insta::assert_snapshot!(error(Lola, b"PLACE p\xe9; MARKING;"), @"line 1, column 8: these bytes are not UTF-8 text; expected a text file in UTF-8");
}

#[test]
fn a_keyword_as_a_name() {
    insta::assert_snapshot!(error(Lola, "PLACE SAFE 1: FAIR; MARKING;"), @"line 1, column 15: found FAIR; expected the name of a place, SAFE or MARKING");
}

#[test]
fn a_capacity_that_is_no_number() {
    insta::assert_snapshot!(error(Lola, "PLACE SAFE x: p; MARKING;"), @"line 1, column 12: the capacity is 'x'; expected a whole number");
}

#[test]
fn text_after_the_end() {
    insta::assert_snapshot!(error(Lola, "PLACE p; MARKING; p"), @"line 1, column 19: found 'p'; expected TRANSITION or the end of the file");
}

#[test]
fn sorts() {
    insta::assert_snapshot!(error(Lola, "{ high level }\nSORT s = [1, 2];\nPLACE p: s; MARKING;"), @"line 2, column 1: this is a coloured (high-level) net, as 'SORT' shows; expected a place/transition net");
}

#[test]
fn a_place_with_a_sort() {
    insta::assert_snapshot!(error(Lola, "PLACE p: s;\nMARKING;"), @"line 1, column 8: this is a coloured (high-level) net, as the sort of the place 'p' shows; expected a place/transition net");
}

#[test]
fn a_transition_with_variables() {
    insta::assert_snapshot!(error(Lola, "PLACE p; MARKING;\nTRANSITION t VAR x: s; CONSUME; PRODUCE;"), @"line 2, column 14: this is a coloured (high-level) net, as 'VAR' shows; expected a place/transition net");
}

#[test]
fn warning_fairness() {
    insta::assert_snapshot!(warnings(Lola, "PLACE p; MARKING;\nTRANSITION t STRONG FAIR CONSUME; PRODUCE;\nTRANSITION u WEAK FAIR CONSUME; PRODUCE;"), @"line 2, column 14: fairness is ignored: what is enabled for ever need not fire (2 times, here first)");
}

#[test]
fn warning_formula() {
    insta::assert_snapshot!(warnings(Lola, "PLACE p; MARKING;\nFORMULA p = 1;"), @"line 2, column 1: everything from FORMULA on is ignored: only the net is read");
}

#[test]
fn what_could_stand_there_instead() {
    insta::assert_snapshot!(error(Lola, "PLACE SAFE 1 p; MARKING;"), @r"line 1, column 14: found 'p'; expected ':' after SAFE");
    insta::assert_snapshot!(error(Lola, "PLACE p; MARKING p;\nTRANSITION t CONSUME ,; PRODUCE;"), @r"line 2, column 22: found ','; expected the name of a place, or ';'");
}
