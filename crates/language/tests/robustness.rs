//! No text makes the parser or the formatter panic, overflow its stack or take for ever.

mod random;

use random::Random;
use sweepnet_language::format::format;
use sweepnet_language::{parse_file, parse_properties, parse_property};

const EXAMPLE: &str = include_str!("data/dbm.snet");

const PIECES: [&str; 73] = [
    "net ",
    "param ",
    "type ",
    "\nplace ",
    "fn ",
    "\ntransition ",
    "progress ",
    "\nproperty ",
    "in ",
    "out ",
    "read ",
    "inhibit ",
    "reset ",
    "let ",
    "when ",
    "priority ",
    "delay ",
    "capacity ",
    "derived ",
    "timed ",
    "unit ",
    "bool ",
    "enum ",
    "cyclic ",
    "struct ",
    "union ",
    "array ",
    "list ",
    "set ",
    "of ",
    "max ",
    "where ",
    "all ",
    "for ",
    "if ",
    "then ",
    "else ",
    "forall ",
    "exists ",
    "sum ",
    "with ",
    "is ",
    "not ",
    "and ",
    "mod ",
    "it ",
    "a ",
    "A ",
    "G ",
    "U ",
    "ctl ",
    "safe ",
    "3",
    "99999999999999999999",
    "\"q\"",
    "\"",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    ";",
    "#",
    "'",
    "..",
    ".",
    "=",
    "-",
    "->",
    "\n",
];

/// Reads, reports and formats a text.
fn survive(text: &str) {
    let (_, errors) = parse_file(text);
    assert!(errors.len() <= 100);
    for error in errors.iter().chain(&parse_properties(text).1).chain(&parse_property(text).err()) {
        assert!(error.render("text", text).lines().count() >= 4);
    }
    if let Ok(once) = format(text) {
        assert_eq!(format(&once).as_deref(), Ok(once.as_str()), "{text}");
    }
}

#[test]
fn every_prefix_of_the_example() {
    for end in (0..=EXAMPLE.len()).filter(|end| EXAMPLE.is_char_boundary(*end)) {
        survive(&EXAMPLE[..end]);
    }
}

#[test]
fn the_example_without_any_one_token() {
    for token in sweepnet_language::lexer::lex(EXAMPLE).tokens {
        survive(&format!("{}{}", &EXAMPLE[..token.span.start], &EXAMPLE[token.span.end..]));
    }
}

#[test]
fn random_pieces() {
    for seed in 0..5_000 {
        let mut random = Random::new(seed);
        let text: String = (0..random.below(60)).map(|_| random.pick(&PIECES)).collect();
        survive(&text);
    }
}

#[test]
fn deep_nesting_is_an_error() {
    for (open, close) in [
        ("(", ")"),
        ("{", "}"),
        ("[", "]"),
        ("f(", ")"),
        ("a[", "]"),
        ("-", ""),
        ("not ", ""),
        ("#", ""),
        ("1'", ""),
        ("a -> ", ""),
        ("if a then b else ", ""),
        ("let x = 1 in ", ""),
        ("forall x in T: ", ""),
        ("forall x in T where ", ": a"),
        ("set { ", "}"),
    ] {
        let expression = format!("{}1{}", open.repeat(100_000), close.repeat(100_000));
        let text = format!("param N = {expression}\nparam M = 2");
        let (file, errors) = parse_file(&text);
        assert_eq!((file.items.len(), errors.len()), (2, 1), "{open}");
        assert_eq!(errors[0].message, "this is nested too deeply", "{open}");
        for kind in ["ctl", "invariant"] {
            assert!(parse_property(&format!("{kind} {expression}")).is_err());
        }
    }
    for open in ["(", "set of ", "cyclic ", "array [T] of ", "array [", "struct { a: ", "list of "] {
        assert_eq!(parse_file(&format!("type T = {}", open.repeat(100_000))).1.len(), 1, "{open}");
    }
    for open in ["G ", "A (", "not ", "(F ", "a U ", "A X "] {
        assert!(parse_property(&format!("ltl {}a", open.repeat(100_000))).is_err());
    }
}

#[test]
fn what_is_just_allowed_can_be_walked() {
    let nested = |open: &str, close: &str| format!("{}1{}", open.repeat(60), close.repeat(60));
    let chain = |link: &str, length: usize| format!("a{}", link.repeat(length));
    for expression in [
        nested("(1 + f(", "))"),
        nested("{ [", "] }"),
        chain(" + a", 999),
        chain(" and a", 999),
        chain(".a", 999),
        chain("[0]", 999),
        chain(" < a", 400),
        format!("({}).b + {}", chain(".a", 400), chain(" + a", 500)),
    ] {
        survive(&format!("param N = {expression}"));
        assert_eq!(parse_file(&format!("param N = {expression}")).1, []);
    }
    for link in [" + a", " and a", ".a", "[0]", " < a", " is a", " with { }"] {
        assert_eq!(parse_file(&format!("param N = {}", chain(link, 200_000))).1.len(), 1);
    }
    // Chains in chains: as deep as the two together.
    let mut inner = chain(" + a", 900);
    for _ in 0..10 {
        inner = format!("({inner}){}", " + a".repeat(900));
    }
    assert_eq!(parse_file(&format!("param N = {inner}")).1.len(), 1);
    assert!(parse_property(&format!("ltl {}", chain(" U F a and a", 200_000))).is_err());
}

#[test]
fn large_files_take_linear_time() {
    let text = EXAMPLE.repeat(500) + &"transition t { in p: (a, {\n".repeat(20_000);
    assert_eq!(parse_file(&text).1.len(), 100);
    let text: String = (0..20_000)
        .map(|i| format!("place p{i}: ((A), (B))\nproperty q{i}: ctl (EF (#p{i} = 1))\n"))
        .collect();
    assert_eq!(parse_file(&text).1, []);
    assert!(format(&text).is_ok());
}
