//! What the reader of TINA files says.

mod common;

use common::{error, warnings};
use sweepnet_formats::Format::Tina;

#[test]
fn an_empty_file() {
    insta::assert_snapshot!(error(Tina, ""), @"line 1, column 1: the file is empty; expected declarations that begin with net, tr or pl");
}

#[test]
fn only_a_comment() {
    insta::assert_snapshot!(error(Tina, "# nothing\n"), @"line 2, column 1: the file is empty; expected declarations that begin with net, tr or pl");
}

#[test]
fn not_a_declaration() {
    insta::assert_snapshot!(error(Tina, "net a\nplace p"), @"line 2, column 1: found 'place'; expected a declaration that begins with net, tr, pl, lb, pr or nt");
}

#[test]
fn bytes_that_are_not_text() {
    insta::assert_snapshot!(error(Tina, b"net a\npl \xff"), @"line 2, column 4: these bytes are not UTF-8 text; expected a text file in UTF-8");
}

#[test]
fn a_character_outside_of_braces() {
    insta::assert_snapshot!(error(Tina, "pl p.1 (1)"), @"line 1, column 5: found the character '.'; expected a name; names with other characters than letters, digits, _ and ' stand in {braces}");
}

#[test]
fn a_name_without_closing_brace() {
    insta::assert_snapshot!(error(Tina, "net a\npl {p"), @"line 2, column 4: the file ends too early, in a name in braces; expected '}'");
}

#[test]
fn an_empty_name() {
    insta::assert_snapshot!(error(Tina, "pl {}"), @"line 1, column 4: found an empty name; expected the name of a place");
}

#[test]
fn no_name() {
    insta::assert_snapshot!(error(Tina, "tr -> p"), @"line 1, column 4: found '->'; expected the name of a transition");
}

#[test]
fn no_arrow() {
    insta::assert_snapshot!(error(Tina, "tr t p q\ntr u ->"), @"line 2, column 1: found 'tr'; expected '->' or the name of a node");
}

#[test]
fn a_read_arc_to_a_place() {
    insta::assert_snapshot!(error(Tina, "tr t p -> q?1"), @"line 1, column 12: found '?'; expected '*' and a weight: arcs from a transition to a place are normal ones");
}

#[test]
fn a_weight_of_0() {
    insta::assert_snapshot!(error(Tina, "tr t p*0 ->"), @"line 1, column 8: the weight of the arc is 0; expected at least 1");
}

#[test]
fn a_weight_that_is_no_number() {
    insta::assert_snapshot!(error(Tina, "tr t p*x ->"), @"line 1, column 8: the weight of the arc is 'x'; expected a whole number");
}

#[test]
fn a_weight_without_number() {
    insta::assert_snapshot!(error(Tina, "tr t p* -> q"), @"line 1, column 9: found '->'; expected a number");
}

#[test]
fn a_huge_weight() {
    insta::assert_snapshot!(error(Tina, "tr t p*20E ->"), @"line 1, column 8: the weight of the arc is 20E; expected at most 18446744073709551615 (2^64 - 1)");
}

#[test]
fn a_huge_marking() {
    insta::assert_snapshot!(error(Tina, "pl p (1000000000000000000000000000000)"), @"line 1, column 7: the initial marking of place 'p' is 1000000000000000000000000000000; expected at most 18446744073709551615 (2^64 - 1)");
}

#[test]
fn a_marking_without_end() {
    insta::assert_snapshot!(error(Tina, "pl p (1\npl q"), @"line 2, column 1: found 'pl'; expected ')' after the marking");
}

#[test]
fn a_marking_that_is_no_number() {
    insta::assert_snapshot!(error(Tina, "pl p (w)"), @"line 1, column 7: the initial marking of place 'p' is 'w'; expected a whole number");
}

#[test]
fn a_negative_marking() {
    insta::assert_snapshot!(error(Tina, "pl p (-1)"), @"line 1, column 7: found '-'; expected a number");
}

#[test]
fn two_markings() {
    insta::assert_snapshot!(error(Tina, "pl p (1)\npl p (2)"), @"line 2, column 6: the place 'p' gets a second initial marking; expected only one");
}

#[test]
fn a_label_for_nothing() {
    insta::assert_snapshot!(error(Tina, "tr t ->\nlb x late"), @"line 2, column 1: there is no place or transition 'x'; expected the id of a node of this net");
}

#[test]
fn an_interval_without_end() {
    insta::assert_snapshot!(error(Tina, "tr t [0,3 p ->"), @"line 1, column 11: found 'p'; expected '[' or ']' at the end of the time interval");
}

#[test]
fn a_priority_without_sign() {
    insta::assert_snapshot!(error(Tina, "pr t u\nnet a"), @"line 2, column 1: found 'net'; expected '<' or '>' between transitions");
}

#[test]
fn weights_that_add_up_to_too_much() {
    insta::assert_snapshot!(error(Tina, "tr t p*18446744073709551615 ->\ntr t p ->"), @"line 2, column 10: the weights of the arcs between 'p' and 't' add up to more than 2^64 - 1");
}

#[test]
fn warning_time() {
    insta::assert_snapshot!(warnings(Tina, "tr t [1,3] ->\ntr u [0,w[ ->\ntr v ]0,w[ ->"), @"line 1, column 6: a time interval is ignored: the net is read without time (2 times, here first)");
}

#[test]
fn warning_stopwatches() {
    insta::assert_snapshot!(warnings(Tina, "tr t p!1 q!-2 ->"), @"line 1, column 6: a stopwatch arc is ignored: the net is read without time (2 times, here first)");
}

#[test]
fn warning_priorities() {
    insta::assert_snapshot!(warnings(Tina, "tr t ->\ntr u ->\npr t > u"), @"line 3, column 1: a priority is ignored: transitions of lower priority can fire as well");
}

#[test]
fn warning_two_names() {
    insta::assert_snapshot!(warnings(Tina, "net a\nnet b"), @"line 2, column 1: the net gets a second name, which is ignored");
}

#[test]
fn warning_empty_label() {
    insta::assert_snapshot!(warnings(Tina, "pl p : {} (1)"), @"line 1, column 8: an empty label is ignored");
}

#[test]
fn warning_ambiguous_label() {
    insta::assert_snapshot!(warnings(Tina, "tr x ->\npl x\nlb x y"), @"line 3, column 1: the label of 'x' is ignored: a place and a transition have this name");
}

#[test]
fn what_could_stand_there_instead() {
    insta::assert_snapshot!(error(Tina, "net ->"), @r"line 1, column 5: found '->'; expected the name of the net");
    insta::assert_snapshot!(error(Tina, "lb -> a"), @r"line 1, column 4: found '->'; expected the name of a place or transition");
    insta::assert_snapshot!(error(Tina, "nt ->"), @r"line 1, column 4: found '->'; expected the name of a note");
    insta::assert_snapshot!(error(Tina, "nt a ->"), @r"line 1, column 6: found '->'; expected 0 or 1");
    insta::assert_snapshot!(error(Tina, "nt a 0 ->"), @r"line 1, column 8: found '->'; expected the text of a note");
    insta::assert_snapshot!(error(Tina, "tr t [x,1] p -> q"), @r"line 1, column 7: the bound of the time interval is 'x'; expected a whole number");
    insta::assert_snapshot!(error(Tina, "tr t [0 1] p -> q"), @r"line 1, column 9: found '1'; expected ',' in the time interval");
}
