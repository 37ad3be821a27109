//! Texts and what they say.

use sweepnet_language::ast::{
    Binary, Expr, ExprKind, ItemKind, Modal, Path, Question, Temporal, TemporalKind, TypeKind, Until,
};
use sweepnet_language::{parse_file, parse_properties, parse_property};

const EXAMPLE: &str = include_str!("data/dbm.snet");

/// The one expression of `invariant …`.
fn expression(text: &str) -> Expr {
    match parse_property(&format!("invariant {text}")).map(|property| property.question) {
        Ok(Question::Invariant(expression)) => expression,
        other => panic!("{text}: {other:?}"),
    }
}

fn type_kind(text: &str) -> TypeKind {
    let (file, errors) = parse_file(&format!("type T = {text}"));
    assert_eq!(errors, [], "{text}");
    match file.items.into_iter().next().map(|item| item.kind) {
        Some(ItemKind::Type { definition, .. }) => definition.kind,
        other => panic!("{text}: {other:?}"),
    }
}

fn temporal(text: &str) -> Temporal {
    match parse_property(&format!("ctl {text}")).map(|property| property.question) {
        Ok(Question::Ctl(formula)) => formula,
        other => panic!("{text}: {other:?}"),
    }
}

/// The tree with all its parentheses.
fn shape(expression: &Expr) -> String {
    let operator = |operator: &Binary| format!("{operator:?}");
    match &expression.kind {
        ExprKind::Integer(value) => value.to_string(),
        ExprKind::Name(name) => name.text.clone(),
        ExprKind::Unary(unary, operand) => format!("({unary:?} {})", shape(operand)),
        ExprKind::Binary(binary, left, right) => {
            format!("({} {} {})", shape(left), operator(binary), shape(right))
        }
        ExprKind::Times(left, right) => format!("({} ' {})", shape(left), shape(right)),
        ExprKind::Count(counted) => format!("(# {})", shape(counted)),
        ExprKind::Is(left, variant) => format!("({} is {})", shape(left), variant.text),
        ExprKind::Field(left, field) => format!("({} . {})", shape(left), field.text),
        ExprKind::Index(left, index) => format!("({} [] {})", shape(left), shape(index)),
        ExprKind::Quantified(quantifier, binder, body) => {
            format!("({quantifier:?} {} {})", binder.variable.text, shape(body))
        }
        ExprKind::Call(name, arguments) => {
            let arguments: Vec<String> = arguments.iter().map(|argument| shape(&argument.value)).collect();
            format!("{}({})", name.text, arguments.join(", "))
        }
        ExprKind::All(type_) => format!("(all {:?})", &type_.span),
        other => format!("{other:?}"),
    }
}

#[test]
fn the_example_of_the_manual_is_read() {
    let (file, errors) = parse_file(EXAMPLE);
    assert_eq!(errors, []);
    assert_eq!(file.items.len(), 19);
    let transitions = file.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Transition(transition) => Some((transition.name.text.as_str(), transition.clauses.len())),
        _ => None,
    });
    assert_eq!(
        transitions.collect::<Vec<_>>(),
        [("update", 4), ("receive", 4), ("acknowledge", 4), ("finish", 4)]
    );
    for item in &file.items {
        let first = EXAMPLE[item.span.clone()].split_whitespace().next();
        assert!(first.is_some_and(|word| word.chars().all(char::is_alphabetic)), "{item:?}");
    }
}

#[test]
fn operators_bind_as_in_mathematics() {
    for (text, tree) in [
        ("a + b * c - d", "((a Add (b Multiply c)) Subtract d)"),
        ("-a mod b", "((Negate a) Modulo b)"),
        ("2'a + b", "((2 ' a) Add b)"),
        ("-2'a", "(Negate (2 ' a))"),
        ("a -> b -> c", "(a Implies (b Implies c))"),
        ("a <-> b <-> c", "((a Iff b) Iff c)"),
        ("a or b xor c and not d = e", "(a Or (b Xor (c And (Not (d Equal e)))))"),
        ("0 < x <= 3", "((0 Less x) And (x LessEqual 3))"),
        ("#p.x + #q(1) = 1", "(((# (p . x)) Add (# q(1))) Equal 1)"),
        ("#(p + q)", "(# (p Add q))"),
        ("a is some and b is none", "((a is some) And (b is none))"),
        ("a.0.1[i]", "(((a . 0) . 1) [] i)"),
        ("forall x in T, y in 1..N: x = y and z", "(Forall x (Forall y ((x Equal y) And z)))"),
        ("a && b || !c => d <=> e ^ f", "((((a And b) Or (Not c)) Implies d) Iff (e Xor f))"),
        ("max(a, b) + -9223372036854775808", "(max(a, b) Add -9223372036854775808)"),
        ("all Site - waiting", "((all 14..18) Subtract waiting)"),
    ] {
        assert_eq!(shape(&expression(text)), tree, "{text}");
    }
}

#[test]
fn parentheses_braces_and_brackets() {
    let kind = |text| expression(text).kind;
    assert!(matches!(kind("()"), ExprKind::Tuple(parts) if parts.is_empty()));
    assert!(matches!(kind("(a,)"), ExprKind::Tuple(parts) if parts.len() == 1));
    assert!(matches!(kind("(a)"), ExprKind::Name(_)));
    assert!(matches!(kind("{ }"), ExprKind::Braces(parts) if parts.is_empty()));
    assert!(matches!(kind("{ a, 2'b }"), ExprKind::Braces(parts) if parts.len() == 2));
    assert!(matches!(kind("{ from: s, to: r }"), ExprKind::Record(fields) if fields.len() == 2));
    assert!(matches!(kind("{ e for x in T, y in 1..3 if x != y }"),
        ExprKind::Comprehension(all) if all.binders.len() == 2 && all.condition.is_some()));
    assert!(matches!(kind("[ e for x in T ]"), ExprKind::BracketComprehension(_)));
    assert!(matches!(kind("set { a, b }"), ExprKind::Set(_)));
    assert!(matches!(kind("r with { from: s }"), ExprKind::WithFields(_, fields) if fields.len() == 1));
    assert!(
        matches!(kind("a with [i: v, j: w]"), ExprKind::WithElements(_, elements) if elements.len() == 2)
    );
    assert!(matches!(kind("enabled(t, s = 1)"),
        ExprKind::Call(_, arguments) if arguments[0].name.is_none() && arguments[1].name.is_some()));
    assert!(matches!(kind("f(t, s = 1)"), ExprKind::Call(_, arguments) if arguments[1].name.is_none()));
}

#[test]
fn types() {
    assert!(matches!(type_kind("-3..3"), TypeKind::Range(..)));
    assert!(matches!(type_kind("0..N-1"), TypeKind::Range(..)));
    assert!(matches!(type_kind("(N - 1)..2 * N"), TypeKind::Range(..)));
    assert!(matches!(type_kind("(Site, bool)"), TypeKind::Tuple(parts) if parts.len() == 2));
    assert!(matches!(type_kind("(Site)"), TypeKind::Named(_)));
    assert!(matches!(type_kind("cyclic enum { a, b }"), TypeKind::Cyclic(_)));
    assert!(matches!(type_kind("array [Site] of list of 1..N max 4"), TypeKind::Array(..)));
    assert!(
        matches!(type_kind("union { none, some: Site }"), TypeKind::Union(variants) if variants.len() == 2)
    );
    assert!(matches!(type_kind("set of 1..9 where it mod 2 = 1"), TypeKind::Where(..)));
}

#[test]
fn questions() {
    let question =
        |text| parse_property(text).map(|property| property.question).map_err(|error| error.message);
    assert_eq!(question("safe"), Ok(Question::Safe(1)));
    assert_eq!(question("3-safe"), Ok(Question::Safe(3)));
    assert_eq!(question("safe 3"), Ok(Question::Safe(3)));
    assert!(matches!(question("deadlock-free"), Ok(Question::Unreachable(_))));
    assert!(matches!(question("not reachable deadlock"), Ok(Question::Unreachable(_))));
    assert!(matches!(question("quasi-live"), Ok(Question::QuasiLive)));
    assert!(matches!(question("property some-stable: some-stable;"), Ok(Question::SomeStable)));
    assert!(matches!(question("reversible"), Ok(Question::Reversible)));
    assert!(matches!(question("live"), Ok(Question::AllLive)));
    assert!(matches!(question("live;"), Ok(Question::AllLive)));
    assert!(matches!(question("live \"a b\""), Ok(Question::Live(name)) if name.text == "a b"));
    let named = parse_property("Net-PT-0001-Cardinality-07: bound -#p").unwrap();
    assert_eq!(named.name.unwrap().text, "Net-PT-0001-Cardinality-07");
    let (properties, errors) = parse_properties("property a: safe; b: conservative\nproperty c: dead t");
    assert_eq!((properties.len(), errors), (3, vec![]));
}

#[test]
fn temporal_formulas() {
    use TemporalKind::{Binary as Both, State, Unary, Until as Path2};
    let kind = |text| temporal(text).kind;
    assert!(matches!(kind("AG EF initial"), Unary(Some(Path::All), Modal::Globally, inner)
        if matches!(inner.kind, Unary(Some(Path::Some), Modal::Finally, _))));
    assert!(matches!(kind("A X p"), Unary(Some(Path::All), Modal::Next, _)));
    assert!(matches!(kind("A [p U q]"), Path2(Some(Path::All), Until::Until, ..)));
    assert!(matches!(kind("E (p R q)"), Path2(Some(Path::Some), Until::Release, ..)));
    assert!(
        matches!(kind("p U q U r"), Path2(None, Until::Until, _, right) if matches!(right.kind, Path2(..)))
    );
    assert!(matches!(kind("G (#waiting = 1 -> F #waiting = 0)"),
        Unary(None, Modal::Globally, inner) if matches!(inner.kind, Both(Binary::Implies, ..))));
    assert!(matches!(kind("(#p + 1) * 2 = 4 and not q"), State(_)));
    assert!(matches!(kind("F(p) and a and b"), Both(Binary::And, ..)));
    // Where no operator can stand, the letters are names.
    assert!(matches!(kind("#A + G = 1 and \"F\"(2)"), State(_)));
    assert!(matches!(expression("G and U").kind, ExprKind::Binary(..)));
}
