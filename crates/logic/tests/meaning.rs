//! What predicates mean, and that printing and simplifying do not change it.

mod common;

use common::{Made, TRANSITIONS, made, net, predicate, relation, written};
use proptest::prelude::*;
use sweepnet_logic::{
    Comparison, EvalError, Expression, Facts, Linear, NoFacts, PlainView, Predicate, Question, Relation,
    parse_expression, parse_predicate, parse_properties, parse_property,
};
use sweepnet_net::{NetBuilder, PlaceId, TransitionId};

/// The naive twin of [`Predicate::eval`]: no short cuts, so it is right only where nothing overflows.
fn naive(predicate: &Predicate, view: &Made) -> bool {
    match predicate {
        Predicate::True => true,
        Predicate::False => false,
        Predicate::Not(operand) => !naive(operand, view),
        Predicate::And(operands) => operands.iter().filter(|o| !naive(o, view)).count() == 0,
        Predicate::Or(operands) => operands.iter().filter(|o| naive(o, view)).count() > 0,
        Predicate::Xor(operands) => operands.iter().filter(|o| naive(o, view)).count() % 2 == 1,
        Predicate::Compare(c) => c.relation().admits(c.expression().eval(view).unwrap().cmp(&c.bound())),
        Predicate::Enabled(t) => view.enabled[t.index()],
        Predicate::AnyEnabled(all) => all.iter().filter(|t| view.enabled[t.index()]).count() > 0,
        Predicate::Deadlock => view.dead,
        Predicate::Initial => view.initial,
    }
}

/// Says of each linear expression what its value in one marking is, more or less: true facts of that marking.
struct Near<'a>(&'a Made, i128);

impl Facts for Near<'_> {
    fn bounds(&self, expression: &Linear) -> (Option<i128>, Option<i128>) {
        let value = expression.eval(self.0).unwrap();
        let slack = |n: i128| (n.rem_euclid(3) > 0).then_some(value + n);
        (slack(-self.1), slack(self.1))
    }
    fn never_enabled(&self, transition: TransitionId) -> bool {
        !self.0.enabled[transition.index()]
    }
}

fn small(mut view: Made) -> Made {
    view.tokens.iter_mut().for_each(|n| *n %= 5);
    view
}

proptest! {
    #[test]
    fn what_is_printed_reads_back(predicate in predicate()) {
        let net = net();
        let text = predicate.display(&net).to_string();
        prop_assert_eq!(parse_predicate(&text, &net).map_err(|e| e.to_string()), Ok(predicate), "{}", text);
    }

    #[test]
    fn expressions_read_back(expression in written()) {
        let (net, expression) = (net(), expression.normal());
        let text = expression.display(&net).to_string();
        prop_assert_eq!(parse_expression(&text, &net).map_err(|e| e.to_string()), Ok(expression), "{}", text);
    }

    #[test]
    fn normal_forms_keep_the_value(expression in written(), view in made()) {
        let view = small(view);
        prop_assert_eq!(expression.normal().eval(&view), Ok(expression.value(&view)));
    }

    #[test]
    fn comparisons_compare(left in written(), relation in relation(), right in written(), view in made()) {
        let view = small(view);
        let comparison = Comparison::new(left.normal(), relation, right.normal()).unwrap();
        prop_assert_eq!(comparison.eval(&view), Ok(relation.admits(left.value(&view).cmp(&right.value(&view)))));
    }

    #[test]
    fn evaluation_agrees_with_its_naive_twin(predicate in predicate(), view in made()) {
        let view = small(view);
        prop_assert_eq!(predicate.eval(&view), Ok(naive(&predicate, &view)));
    }

    #[test]
    fn simplifying_keeps_the_value(predicate in predicate(), view in made()) {
        if let Ok(truth) = predicate.eval(&view) {
            prop_assert_eq!(predicate.simplify(&NoFacts).eval(&view), Ok(truth));
            prop_assert_eq!((!predicate).simplify(&NoFacts).eval(&view), Ok(!truth));
        }
    }

    #[test]
    fn true_facts_keep_the_value(predicate in predicate(), view in made(), slack in 0..6i128) {
        let view = small(view);
        let simple = predicate.simplify(&Near(&view, slack));
        prop_assert_eq!(simple.eval(&view), predicate.eval(&view), "{:?}", simple);
    }

    #[test]
    fn simplifying_twice_changes_nothing(predicate in predicate()) {
        let once = predicate.simplify(&NoFacts);
        prop_assert!(in_normal_form(&once), "{:?}", once);
        prop_assert_eq!(once.simplify(&NoFacts), once);
    }
}

/// Words and signs thrown together: most of it is wrong, some of it by luck is not.
fn soup() -> impl Strategy<Value = String> {
    let words = "invariant reachable not and or xor -> <-> => ! ( ) ( ) # # , ; : + - * <= < = != 0 1 2 p1 p2 t1 \
        'a-b' \"x {p1} \\ enabled( fireable tokens( deadlock initial true false bound safe 3-safe dead stable \
        property name: // \n #p1 #p2 enabled(t1) 170141183460469231731687303715884105727 é ' \u{2028} & ||";
    let words: Vec<&str> = words.split(' ').collect();
    let start = prop::sample::select(vec!["", "invariant ", "bound ", "reachable "]);
    let word = prop_oneof![9 => prop::sample::select(words).prop_map(str::to_owned), 1 => any::<String>()];
    (start, prop::collection::vec(word, 0..12)).prop_map(|(start, words)| start.to_owned() + &words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5000))]
    #[test]
    fn any_text_gives_a_question_or_an_error(text in soup()) {
        let net = net();
        match parse_property(&text, &net) {
            Ok(property) => {
                let printed = property.question.display(&net).to_string();
                prop_assert_eq!(parse_property(&printed, &net).map(|p| p.question), Ok(property.question));
            }
            Err(error) => drop(error.to_string()),
        }
        if let Err(errors) = parse_properties(&text, &net) {
            errors.iter().for_each(|error| drop(error.to_string()));
        }
    }
}

fn in_normal_form(predicate: &Predicate) -> bool {
    match predicate {
        Predicate::Not(operand) => {
            use Predicate::{AnyEnabled, Deadlock, Enabled, Initial};
            matches!(**operand, Enabled(_) | AnyEnabled(_) | Deadlock | Initial)
        }
        Predicate::And(operands) | Predicate::Or(operands) | Predicate::Xor(operands) => {
            operands.iter().all(|o| in_normal_form(o) && !matches!(o, Predicate::True | Predicate::False))
        }
        _ => true,
    }
}

fn read(text: &str) -> Predicate {
    parse_predicate(text, &net()).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn operators_bind_as_documented() {
    for (short, long) in [
        ("deadlock and initial or true", "(deadlock and initial) or true"),
        ("deadlock or initial and true", "deadlock or (initial and true)"),
        ("deadlock or initial xor true", "deadlock or (initial xor true)"),
        ("deadlock xor initial and true", "deadlock xor (initial and true)"),
        ("not deadlock and initial", "(not deadlock) and initial"),
        ("not #p1 = 1", "not (#p1 = 1)"),
        ("deadlock -> initial -> true", "not deadlock or not initial or true"),
        ("deadlock -> initial <-> true", "(deadlock -> initial) <-> true"),
        ("deadlock <-> initial", "not (deadlock xor initial)"),
        ("deadlock <-> initial <-> true", "deadlock xor initial xor true"),
        ("! deadlock && initial || true => false", "not deadlock and initial or true -> false"),
        ("1 + 2 * #p1 - 3 = 0", "2*#p1 = 2"),
        ("-#p1 * -2 >= - - 4", "2*#p1 >= 4"),
        ("-#p1 * (2*#p2 - 2) = 0", "-(#p1 * (#p2 - 1) * 2) = 0"),
        ("0 < #p1 <= 3", "#p1 > 0 and #p1 <= 3"),
        ("#(p1, p2) == tokens(p1, {p2})", "0 = 0"),
        ("#room <> #'p2'", "#p1 != #p2"),
        ("enabled(t1, t2)", "fireable({t1}, t2)"),
        ("#p1 <= #p2 // and so on", "#p1 - #p2 <= 0"),
    ] {
        assert_eq!(read(short), read(long), "{short}");
    }
}

#[test]
fn every_question_reads_back() {
    let net = net();
    for (text, printed) in [
        ("invariant #p1 <= 1", "invariant #p1 <= 1"),
        ("reachable deadlock", "reachable deadlock"),
        ("not reachable #p1 > #p2", "not reachable #p1 > #p2"),
        ("impossible initial", "not reachable initial"),
        ("deadlock-free", "deadlock-free"),
        ("not reachable deadlock", "deadlock-free"),
        ("bound #p1 + 2*#p2 - 1", "bound #p1 + 2*#p2 - 1"),
        ("bound -#p1", "bound -#p1"),
        ("bound #(p1, 'and')", "bound #p1 + #and"),
        ("safe", "safe"),
        ("1-safe", "safe"),
        ("safe 3", "3-safe"),
        ("18446744073709551615-safe", "18446744073709551615-safe"),
        ("conservative", "conservative"),
        ("quasi-live", "quasi-live"),
        ("dead t1", "dead t1"),
        ("dead 'a-b'", "dead \"a-b\""),
        ("fireable t1", "reachable enabled(t1)"),
        ("stable room", "stable p1"),
        ("stable \"property\"", "stable \"property\""),
        ("some-stable", "some-stable"),
    ] {
        let property = parse_property(text, &net).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!((property.text.as_str(), property.name.as_str()), (text, text));
        assert_eq!(property.question.display(&net).to_string(), printed);
        assert_eq!(parse_property(printed, &net).unwrap().question, property.question);
    }
}

#[test]
fn overflow_is_an_error_and_not_a_wrong_answer() {
    let view = Made {
        tokens: vec![u64::MAX; 8],
        enabled: vec![true; TRANSITIONS.len()],
        dead: false,
        initial: false,
    };
    assert_eq!(read("#p1 * #p1 * #p1 > 0").eval(&view), Err(EvalError::Overflow));
    assert_eq!(
        read("#p1 * 9223372036854775807 * 9223372036854775807 > 0").eval(&view),
        Err(EvalError::Overflow)
    );
    assert_eq!(read("#p1 * #p2 > 0").eval(&view), Err(EvalError::Overflow));
    assert_eq!(read("#p1 * 9223372036854775807 > 0").eval(&view), Ok(true));
    // A decided operand spares the others.
    assert_eq!(read("false and #p1 * #p2 > 0").eval(&view), Ok(false));
}

#[test]
fn proven_bounds_decide() {
    struct AtMostOne;
    impl Facts for AtMostOne {
        fn bounds(&self, expression: &Linear) -> (Option<i128>, Option<i128>) {
            (None, (expression.terms().len() == 1 && expression.terms()[0].1 == 1).then_some(1))
        }
        fn never_enabled(&self, transition: TransitionId) -> bool {
            transition == TransitionId::new(0)
        }
    }
    let simple = |text: &str| read(text).simplify(&AtMostOne);
    assert_eq!(simple("#p1 <= 1"), Predicate::True);
    assert_eq!(simple("#p1 >= 0"), Predicate::True);
    assert_eq!(simple("#p1 > 1 or enabled(t1)"), Predicate::False);
    assert_eq!(simple("#p1 < 0"), Predicate::False);
    assert_eq!(simple("#p1 != 2"), Predicate::True);
    assert_eq!(simple("not (#p1 = 1 and not deadlock)"), read("#p1 != 1 or deadlock"));
    assert_eq!(
        simple("(#p1 = 1 and true) and (#p1 = 1 and (deadlock or enabled(t1)))"),
        read("#p1 = 1 and deadlock")
    );
    assert_eq!(simple("1 + 1 = 2"), Predicate::True);
}

#[test]
fn predicates_of_plain_markings() {
    let mut net = NetBuilder::new("one step");
    let (a, b) = (net.place("a", 2).unwrap(), net.place("b", 0).unwrap());
    let t = net.transition("t").unwrap();
    net.input(t, a, 2).unwrap();
    net.output(t, b, 3).unwrap();
    let net = net.build().unwrap();
    let before = net.initial_marking();
    let after = net.fire(&before, t).unwrap();
    let holds = |text: &str, marking| {
        parse_predicate(text, &net).unwrap().eval(&PlainView { net: &net, marking }).unwrap()
    };
    assert!(holds("initial and enabled(t) and not deadlock and #a = 2 and #b = 0", &before));
    assert!(holds("not initial and not enabled(t) and deadlock and #a = 0 and #b = 3", &after));
}

#[test]
fn mentions() {
    let predicate = read("#p2 * #and > #p1 - #p1 and (enabled(t2) xor not deadlock)");
    assert_eq!(predicate.places(), [PlaceId::new(1), PlaceId::new(2)]);
    assert_eq!(predicate.transitions(), [TransitionId::new(1)]);
    assert!(predicate.mentions_deadlock() && !predicate.mentions_initial());
}

#[test]
fn chains_may_be_long_and_nesting_deep() {
    let net = net();
    let view = Made { tokens: vec![1; 8], enabled: vec![true; 5], dead: true, initial: true };
    for (operator, atom) in
        [(" and ", "#p1 = 1"), (" or ", "#p1 = 0"), (" xor ", "deadlock"), (" -> ", "deadlock")]
    {
        let text = vec![atom; 100_000].join(operator);
        let predicate = parse_predicate(&text, &net).unwrap();
        predicate.eval(&view).unwrap();
        assert_eq!(parse_predicate(&predicate.display(&net).to_string(), &net).unwrap(), predicate);
        predicate.simplify(&NoFacts);
    }
    let sum = format!("bound {}", vec!["#p1"; 100_000].join(" + "));
    let Question::Bound(sum) = parse_property(&sum, &net).unwrap().question else { panic!() };
    assert_eq!(sum.as_linear().unwrap().terms(), [(PlaceId::new(0), 100_000)]);

    // The deepest trees: each level of the text makes two of the tree.
    let level = "(deadlock and (initial xor not ";
    let deep = format!("{}true{}", level.repeat(199), "))".repeat(199));
    let predicate = parse_predicate(&deep, &net).unwrap();
    predicate.eval(&view).unwrap();
    predicate.simplify(&NoFacts);
    let _ = (predicate.clone() == predicate, predicate.places());
    let implications = format!("{}true{}", "(true -> ".repeat(500), ")".repeat(500));
    let predicate = parse_predicate(&implications, &net).unwrap();
    assert_eq!(predicate.simplify(&NoFacts), Predicate::True);
    let nots = format!("{}true", "not ".repeat(1000));
    assert_eq!(parse_predicate(&nots, &net).unwrap().simplify(&NoFacts), Predicate::True);
    let products = format!("{}#p2{} = 1", "#p1*(1+".repeat(300), ")".repeat(300));
    let predicate = parse_predicate(&products, &net).unwrap();
    assert_eq!(predicate.eval(&view), Ok(false));
    assert_eq!(parse_predicate(&predicate.display(&net).to_string(), &net).unwrap(), predicate);
}

#[test]
fn the_smallest_number_is_refused_everywhere() {
    assert_eq!(Expression::constant(i128::MIN), Err(EvalError::Overflow));
    let largest = Expression::constant(i128::MAX).unwrap();
    let one = Expression::constant(1).unwrap();
    assert_eq!(Expression::sum([largest.clone(), one.clone()]), Err(EvalError::Overflow));
    assert_eq!(Expression::sum([largest.clone().negate(), one.clone().negate()]), Err(EvalError::Overflow));
    assert_eq!(Expression::product([largest.clone(), largest.clone()]), Err(EvalError::Overflow));
    assert_eq!(Comparison::new(largest.negate(), Relation::Less, one), Err(EvalError::Overflow));
}
