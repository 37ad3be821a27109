//! Symmetric nets: those of the Model Checking Contest and of other tools, with the counts that others found, and
//! small ones for what each part of the format means.

mod common;

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;

use common::symmetric::{DECLARATIONS, arc, net, place, transition, xml};
use common::{models, read_bytes};
use sweepnet_colour::{Bag, Closed, ColouredNet, Patience, eval};
use sweepnet_formats::{Document, Format, Model, Options, read};

fn read_file(path: &Path) -> Document {
    let file = File::open(path).expect("a file");
    let document = read(BufReader::new(file), Format::Pnml, &Options::default());
    document.unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn coloured(document: Document) -> ColouredNet {
    match document.model {
        Model::Coloured(net) => *net,
        Model::Plain(_) => panic!("this was read as a place/transition net"),
    }
}

fn tokens(net: &ColouredNet) -> u64 {
    net.places.iter().flat_map(|place| &place.initial).map(|(_, count)| count).sum()
}

fn arcs(net: &ColouredNet) -> usize {
    net.transitions.iter().map(|t| t.inputs.len() + t.outputs.len()).sum()
}

#[test]
fn the_contest() {
    let Some(models) = models() else { return };
    let table = fs::read_to_string(models.join("mcc/answers.csv")).expect("a table");
    let mut lines = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let names = lines.next().expect("a heading");
    let mut read = 0;
    for line in lines {
        let answer: HashMap<&str, &str> = names.iter().copied().zip(line.iter().copied()).collect();
        let instance = line[0];
        let path = models.join("mcc").join(instance).join("model.pnml");
        if answer["format"] != "PNML symmetric" || !path.exists() {
            continue;
        }
        let document = read_file(&path);
        assert_eq!(document.warnings, [], "{instance}");
        let net = coloured(document);
        let sizes: u64 = net.places.iter().map(|place| net.types.size(place.type_).expect("narrow")).sum();
        for (column, ours) in [
            ("places", net.places.len() as u64),
            ("transitions", net.transitions.len() as u64),
            ("arcs_in_net", arcs(&net) as u64),
            ("unfolded_places", sizes),
        ] {
            let known = answer[column];
            assert!(
                known.is_empty() || known == ours.to_string(),
                "{instance}: {column} {known}, not {ours}"
            );
        }
        // The same system as a place/transition net begins with as many tokens; but that of BART leaves out some that
        // never move.
        let twin = models.join("mcc").join(instance.replace("-COL-", "-PT-")).join("model.pnml");
        if twin.exists() && !instance.starts_with("BART") {
            let twin = read_file(&twin).into_plain().expect("a place/transition net");
            assert_eq!(u128::from(tokens(&net)), twin.initial_marking().total(), "{instance}");
        }
        read += 1;
    }
    println!("{read} coloured nets read");
    assert!(read > 0);
}

/// The net of the standard's own example: a partition, and an order on it.
#[test]
fn the_access_policy() {
    let Some(models) = models() else { return };
    let net = coloured(read_file(&models.join("formats/pnml/pnmlframework-sampleSNPrio.pnml")));
    assert_eq!(net.places.iter().map(|place| place.initial.len()).collect::<Vec<_>>(), [5, 4, 0]);
    let variables: Vec<&str> = net.transitions[0].variables.iter().map(|variable| &*variable.name).collect();
    assert_eq!(variables, ["u", "v", "f"]);
    assert_eq!(net.transitions[0].guards.len(), 1);
}

fn of_text(text: &str) -> ColouredNet {
    let document = read_bytes(Format::Pnml, text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(document.warnings, []);
    coloured(document)
}

/// The tokens of a place with this initial marking.
fn initial(declarations: &str, sort: &str, term: &str) -> String {
    let net = of_text(&net(declarations, &place("s", sort, term)));
    let place = &net.places[0];
    let token =
        |(words, count): &(Box<[u64]>, u64)| format!("{count}'{}", net.types.show(place.type_, words));
    place.initial.iter().map(token).collect::<Vec<_>>().join(" + ")
}

fn tokens_of(sort: &str, term: &str) -> String {
    initial(DECLARATIONS, sort, term)
}

#[test]
fn multisets() {
    assert_eq!(tokens_of("e", "'b"), "1'B");
    assert_eq!(tokens_of("e", "all:e"), "1'A + 1'B + 1'C");
    assert_eq!(tokens_of("e", "empty:e"), "");
    assert_eq!(tokens_of("e", "add(numberof(2, 'b), numberof(3, 'a), 'b)"), "3'A + 3'B");
    assert_eq!(tokens_of("e", "subtract(all:e, 'a, numberof('b))"), "1'C");
    assert_eq!(tokens_of("e", "scalarproduct(2, subtract(all:e, 'a))"), "2'B + 2'C");
    assert_eq!(tokens_of("e", "numberof(addition(1, cardinality(all:e)), 'a)"), "4'A");
    assert_eq!(tokens_of("e", "numberof(cardinalityof(numberof(3, 'a), 'a), 'b)"), "3'B");
    assert_eq!(tokens_of("dot", "numberof(7, .)"), "7'()");
    assert_eq!(tokens_of("bool", "add(true, numberof(2, false))"), "2'false + 1'true");
    assert_eq!(tokens_of("p", "all:p"), "1'Low + 1'High");
    assert_eq!(tokens_of("p", "numberof(2, 'high)"), "2'High");
    assert_eq!(tokens_of("e", "numberof(2, 'low)"), "2'A + 2'C");
}

#[test]
fn multisets_inside_tuples() {
    assert_eq!(tokens_of("exr", "tuple('a, 3r)"), "1'(A,3)");
    assert_eq!(tokens_of("exr", "tuple(all:e, 3)"), "1'(A,3) + 1'(B,3) + 1'(C,3)");
    assert_eq!(tokens_of("exe", "tuple('b, subtract(all:e, 'b))"), "1'(B,A) + 1'(B,C)");
    assert_eq!(tokens_of("exe", "numberof(2, tuple(add('a, numberof(2, 'b)), 'c))"), "2'(A,C) + 4'(B,C)");
    assert_eq!(
        tokens_of("exe", "subtract(tuple(all:e, all:e), tuple(all:e, 'a))"),
        "1'(A,B) + 1'(A,C) + 1'(B,B) + 1'(B,C) + 1'(C,B) + 1'(C,C)"
    );
    assert_eq!(tokens_of("exe", "tuple('b, add('low, 'high))"), "1'(B,A) + 1'(B,B) + 1'(B,C)");
    assert_eq!(tokens_of("e", "tuple(all:e)"), "1'A + 1'B + 1'C");
    assert_eq!(tokens_of("e", "numberof(2, tuple('c))"), "2'C");
}

/// A component that is calculated in a variable of its own does not disturb those around it.
#[test]
fn variables_inside_terms_are_apart() {
    let declarations = format!(
        "{DECLARATIONS}<namedsort id=\"pxe\" name=\"PxE\"><productsort><usersort declaration=\"p\"/>\
         <usersort declaration=\"e\"/></productsort></namedsort>"
    );
    let tokens = initial(&declarations, "pxe", "tuple(in:p(successor('a)), all:e)");
    assert_eq!(tokens, "1'(High,A) + 1'(High,B) + 1'(High,C)");
}

#[test]
fn steps_go_around() {
    for (term, value) in [
        ("successor('a)", "1'B"),
        ("successor('c)", "1'A"),
        ("predecessor('a)", "1'C"),
        ("predecessor(predecessor('c))", "1'A"),
    ] {
        assert_eq!(tokens_of("e", term), value);
    }
    assert_eq!(tokens_of("r", "add(successor(5r), predecessor(1r))"), "1'1 + 1'5");
}

#[test]
fn numbers() {
    assert_eq!(tokens_of("r", "add(4, 2r)"), "1'2 + 1'4");
    assert_eq!(tokens_of("r", "addition(2r, 1)"), "1'3");
    assert_eq!(tokens_of("r", "mod(subtraction(mult(4, 5), 1), 5)"), "1'4");
    assert_eq!(tokens_of("r", "div(5r, 2r)"), "1'2");
}

/// Whether a condition without variables is true.
fn is_true(condition: &str) -> bool {
    let mut net = of_text(&net(DECLARATIONS, &transition("t", condition)));
    let transition = net.transitions.remove(0);
    transition.guards.into_iter().all(|body| {
        let closed = Closed { body, frame: transition.frame };
        eval::constant(&net.types, &closed, Patience::default()).expect("a value")[0] != 0
    })
}

#[test]
fn conditions() {
    for (condition, truth) in [
        ("true", true),
        ("and(true, not(false), or(false, true))", true),
        ("and(true, and(true, false))", false),
        ("imply(true, false)", false),
        ("imply(false, false)", true),
        ("equality('a, 'a)", true),
        ("inequality(tuple('a, 1r), tuple('a, 2r))", true),
        ("lessthan('a, 'b)", true),
        ("lessthanorequal('b, 'b)", true),
        ("greaterthan('b, 'c)", false),
        ("greaterthanorequal(5r, 3)", true),
        ("lt(2r, 9)", true),
        ("leq(7, 3r)", false),
        ("gt(addition(3r, 3), 5)", true),
        ("geq(1, 2)", false),
        ("gtp(in:p('b), in:p('a))", true),
        ("ltp(in:p('c), in:p('a))", false),
        ("equality(in:p(successor('b)), 'low)", true),
        ("contains(all:e, 'a)", true),
        ("contains('a, all:e)", false),
        ("equality(add('a, 'b, 'c), all:e)", true),
    ] {
        assert_eq!(is_true(condition), truth, "{condition}");
    }
}

#[test]
fn operators_that_the_net_defines() {
    let declarations = format!(
        "{DECLARATIONS}{}{}",
        r#"<namedoperator id="next2" name="next2"><parameter><variabledecl id="z" name="z">
<usersort declaration="e"/></variabledecl></parameter><def>"#,
        xml("successor(successor($z))")
    ) + r#"</def></namedoperator><namedoperator id="others" name="others"><parameter>
<variabledecl id="w" name="w"><usersort declaration="e"/></variabledecl></parameter><def>"#
        + &xml("subtract(all:e, $w)")
        + "</def></namedoperator>";
    assert_eq!(initial(&declarations, "e", "!next2(!next2('a))"), "1'B");
    assert_eq!(initial(&declarations, "e", "!others(!next2('a))"), "1'A + 1'B");
    assert_eq!(initial(&declarations, "exe", "tuple(!others('a), !next2('a))"), "1'(B,C) + 1'(C,C)");
}

#[test]
fn transitions_know_their_variables() {
    let content = place("s", "exr", "")
        + &place("q", "e", "")
        + &transition("t", "and(lessthan($x, $y), true)")
        + &transition("u", "")
        + &arc("s", "t", "tuple($x, $n)")
        + &arc("t", "q", "add($x, $x)")
        + &arc("t", "s", "tuple(all:e, $n)");
    let net = of_text(&net(DECLARATIONS, &content));
    let [t, u] = &net.transitions[..] else { panic!("two transitions") };
    let variables: Vec<(&str, usize)> = t.variables.iter().map(|v| (&*v.name, v.slot)).collect();
    assert_eq!(variables, [("x", 0), ("y", 1), ("n", 2)]);
    assert_eq!((t.frame, t.guards.len(), t.inputs.len(), t.outputs.len()), (4, 2, 1, 2));
    assert_eq!((u.variables.len(), u.frame), (0, 0));
    assert!(matches!(&t.outputs[1].tokens, Bag::For(3, _, None, _)));
}

#[test]
fn other_kinds_of_arcs() {
    let content = place("s", "e", "")
        + &place("q", "dot", "")
        + &transition("t", "")
        + &arc("s", "t", "$x")
        + &arc("s", "t", "$x").replace("<hlinscription", r#"<type value="inhibitor"/><hlinscription"#)
        + &arc("s", "t", "$y").replace("<hlinscription", r#"<type value="test"/><hlinscription"#)
        + r#"<arc source="s" target="t" type="reset"/><arc source="s" target="t" type="inhibitor"/>
<arc source="t" target="q"/><arc source="q" target="t" type="inhibitor"/>"#;
    let net = of_text(&net(DECLARATIONS, &content));
    let t = &net.transitions[0];
    assert_eq!((t.inputs.len(), t.reads.len(), t.inhibitors.len(), t.outputs.len()), (1, 1, 2, 1));
    assert_eq!((&t.resets[..], &t.empties[..]), (&[0][..], &[0][..]));
}

/// Arcs before their nodes, declarations last, pages in pages, references, names, and a type that nobody knows.
#[test]
fn the_frame_of_a_net_is_that_of_any_other() {
    let declaration = format!(
        "<page id='g'><page id='h'>{}<referencePlace id='r' ref='s'/></page>\
         <declaration><structure><declarations>{DECLARATIONS}</declarations></structure></declaration>\
         {}<transition id='t'><name><text>go</text></name></transition></page>",
        arc("r", "t", "$x"),
        place("s", "e", "all:e"),
    );
    for kind in
        ["type='somewhere/symmetricnet'", "type='http://www.pnml.org/version-2009/grammar/pt-hlpng'", ""]
    {
        let net = of_text(&format!("<pnml><net id='n' {kind}>{declaration}</net></pnml>"));
        assert_eq!((net.places.len(), arcs(&net), tokens(&net)), (1, 1, 3));
        assert_eq!(net.transitions[0].label.as_deref(), Some("go"));
        assert_eq!(net.find_transition("go"), Some(0));
        assert_eq!(net.types.describe(net.places[0].type_), "E");
    }
}

#[test]
fn what_is_said_twice_or_in_text_does_not_count() {
    let place = place("s", "e", "'b").replace("<structure>", "<text>A or so</text><structure>");
    assert_eq!(tokens(&of_text(&net(DECLARATIONS, &place))), 1);
    let dots = r#"<place id="s"><type><structure><dot/></structure></type>
<initialMarking><text>3</text></initialMarking></place>"#;
    assert_eq!(tokens(&of_text(&net("", dots))), 3);
}

/// As deep as it may be, on the small stack of a test; twice as many levels are refused.
#[test]
fn deep_terms() {
    let deep = |operator: &str, inner: &str| format!("{operator}(").repeat(248) + inner + &")".repeat(248);
    assert_eq!(tokens_of("e", &deep("successor", "'a")), "1'C");
    assert_eq!(tokens_of("e", &deep("add", "'a")), "1'A");
    assert_eq!(tokens_of("e", &deep("tuple", "all:e")), "1'A + 1'B + 1'C");
    assert!(is_true(&deep("not", "true")));
}

/// Ten megabytes of places, arcs and transitions.
#[test]
fn a_large_net() {
    let mut content = String::new();
    for i in 0..8000 {
        let (s, t, next) = (format!("s{i}"), format!("t{i}"), format!("s{}", (i + 1) % 8000));
        content += &place(&s, "exe", "tuple(all:e, 'a)");
        content += &transition(&t, "and(lessthan($x, $y), inequality(successor($x), 'b))");
        content += &arc(&s, &t, "numberof(1, tuple($x, $y))");
        content += &arc(&t, &next, "numberof(1, tuple($y, $x))");
    }
    assert!(content.len() > 9_000_000, "{}", content.len());
    let net = of_text(&net(DECLARATIONS, &content));
    assert_eq!((net.places.len(), arcs(&net), tokens(&net)), (8000, 16000, 24000));
}
