//! Random trees.

use super::random::Random;
use sweepnet_language::ast::{
    ArcKind, Argument, Binary, Binder, Clause, ClauseKind, Comprehension, Expr, ExprKind, File, Item,
    ItemKind, Modal, Name, Path, Place, Progress, Property, Quantifier, Question, Temporal, TemporalKind,
    Transition, TypeExpr, TypeKind, Unary, Until, Variable,
};

/// Trees need more than numbers.
trait Choices {
    fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T>;
    fn several<T>(&mut self, least: usize, make: impl FnMut(&mut Self) -> T) -> Vec<T>;
}

impl Choices for Random {
    fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        (self.below(2) == 0).then(|| make(self))
    }

    fn several<T>(&mut self, least: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..least + self.below(3)).map(|_| make(self)).collect()
    }
}

/// A tree as text, without the places of things.
pub fn without_places(tree: &impl std::fmt::Debug) -> String {
    let text = format!("{tree:?}");
    let (mut result, mut rest) = (String::new(), text.as_str());
    while let Some(at) = rest.find("..") {
        let (before, after) = (&rest[..at], &rest[at + 2..]);
        let digit = |c: char| c.is_ascii_digit();
        result.push_str(before.trim_end_matches(digit));
        result.push('_');
        rest = after.trim_start_matches(digit);
    }
    result + rest
}

fn name(random: &mut Random) -> Name {
    let names = [
        "a", "Site", "x1", "in", "odd name", "A", "G", "U", "EF", "enabled", "max", "é", "", "\"\\\n", "3",
        "it",
    ];
    Name { text: random.pick(&names).into(), span: 0..0 }
}

const BINARY: [Binary; 16] = [
    Binary::Iff,
    Binary::Implies,
    Binary::Or,
    Binary::Xor,
    Binary::And,
    Binary::Equal,
    Binary::NotEqual,
    Binary::Less,
    Binary::LessEqual,
    Binary::Greater,
    Binary::GreaterEqual,
    Binary::Add,
    Binary::Subtract,
    Binary::Multiply,
    Binary::Divide,
    Binary::Modulo,
];

fn expression(random: &mut Random, depth: usize) -> Expr {
    let choices = if depth == 0 { 4 } else { 27 };
    let kind = match random.below(choices) {
        0 => ExprKind::Integer(random.pick(&[0, 7, i64::MAX, i64::MIN])),
        1 => ExprKind::Bool(random.below(2) == 0),
        2 | 3 => ExprKind::Name(name(random)),
        4 => ExprKind::Tuple(random.several(0, |r| expression(r, depth - 1))),
        5 => ExprKind::Record(random.several(1, |r| (name(r), expression(r, depth - 1)))),
        6 => ExprKind::Braces(random.several(0, |r| expression(r, depth - 1))),
        7 => ExprKind::Comprehension(Box::new(comprehension(random, depth - 1))),
        8 => ExprKind::Brackets(random.several(0, |r| expression(r, depth - 1))),
        9 => ExprKind::BracketComprehension(Box::new(comprehension(random, depth - 1))),
        10 => {
            let kind = match random.below(2) {
                0 => ExprKind::Braces(random.several(0, |r| expression(r, depth - 1))),
                _ => ExprKind::Comprehension(Box::new(comprehension(random, depth - 1))),
            };
            ExprKind::Set(Box::new(Expr { kind, span: 0..0 }))
        }
        11 => ExprKind::All(type_expression(random, depth - 1)),
        12 => ExprKind::Times(boxed(random, depth), boxed(random, depth)),
        13 => ExprKind::Count(boxed(random, depth)),
        14 => call(random, depth - 1),
        15 => ExprKind::Field(boxed(random, depth), name(random)),
        16 => ExprKind::Index(boxed(random, depth), boxed(random, depth)),
        17 => {
            let fields = random.several(0, |r| (name(r), expression(r, depth - 1)));
            ExprKind::WithFields(boxed(random, depth), fields)
        }
        18 => {
            let elements = random.several(0, |r| (expression(r, depth - 1), expression(r, depth - 1)));
            ExprKind::WithElements(boxed(random, depth), elements)
        }
        19 => ExprKind::Is(boxed(random, depth), name(random)),
        20 => ExprKind::Unary(random.pick(&[Unary::Not, Unary::Negate]), boxed(random, depth)),
        21 => ExprKind::If(boxed(random, depth), boxed(random, depth), boxed(random, depth)),
        22 => ExprKind::Let(name(random), boxed(random, depth), boxed(random, depth)),
        23 => {
            let quantifier = random.pick(&[Quantifier::Forall, Quantifier::Exists, Quantifier::Sum]);
            ExprKind::Quantified(quantifier, Box::new(binder(random, depth - 1)), boxed(random, depth))
        }
        _ => ExprKind::Binary(random.pick(&BINARY), boxed(random, depth), boxed(random, depth)),
    };
    Expr { kind, span: 0..0 }
}

fn boxed(random: &mut Random, depth: usize) -> Box<Expr> {
    Box::new(expression(random, depth - 1))
}

fn call(random: &mut Random, depth: usize) -> ExprKind {
    let function = name(random);
    let mut arguments = random.several(0, |r| Argument { name: r.maybe(name), value: expression(r, depth) });
    for (at, argument) in arguments.iter_mut().enumerate() {
        if at == 0 || function.text != "enabled" {
            argument.name = None;
        }
    }
    ExprKind::Call(function, arguments)
}

fn binder(random: &mut Random, depth: usize) -> Binder {
    Binder { variable: name(random), domain: type_expression(random, depth) }
}

fn comprehension(random: &mut Random, depth: usize) -> Comprehension {
    Comprehension {
        body: expression(random, depth),
        binders: random.several(1, |r| binder(r, depth)),
        condition: random.maybe(|r| expression(r, depth)),
    }
}

fn type_expression(random: &mut Random, depth: usize) -> TypeExpr {
    let inner = |random: &mut Random| Box::new(type_expression(random, depth - 1));
    let choices = if depth == 0 { 4 } else { 13 };
    let kind = match random.below(choices) {
        0 => TypeKind::Unit,
        1 => TypeKind::Bool,
        2 => TypeKind::Named(name(random)),
        3 => TypeKind::Enum(random.several(0, name)),
        4 | 5 => TypeKind::Range(boxed(random, depth), boxed(random, depth)),
        6 => TypeKind::Cyclic(inner(random)),
        7 => TypeKind::Struct(random.several(0, |r| (name(r), type_expression(r, depth - 1)))),
        8 => TypeKind::Tuple(random.several(0, |r| type_expression(r, depth - 1))),
        9 => TypeKind::Union(random.several(0, |r| (name(r), r.maybe(|r| type_expression(r, depth - 1))))),
        10 => TypeKind::Array(inner(random), inner(random)),
        11 => match random.below(2) {
            0 => TypeKind::List(inner(random), boxed(random, depth)),
            _ => TypeKind::Set(inner(random)),
        },
        _ => TypeKind::Where(inner(random), boxed(random, depth)),
    };
    TypeExpr { kind, span: 0..0 }
}

/// A formula with a temporal operator in it, or a predicate.
fn temporal(random: &mut Random, depth: usize) -> Temporal {
    let paths = [None, Some(Path::All), Some(Path::Some)];
    let inner = |random: &mut Random| Box::new(temporal(random, depth - 1));
    let choices = if depth == 0 { 1 } else { 6 };
    let kind = match random.below(choices) {
        0 => TemporalKind::State(expression(random, 2)),
        1 | 2 => {
            let modal = random.pick(&[Modal::Next, Modal::Finally, Modal::Globally]);
            TemporalKind::Unary(random.pick(&paths), modal, inner(random))
        }
        3 => {
            let until = random.pick(&[Until::Until, Until::WeakUntil, Until::Release]);
            TemporalKind::Until(random.pick(&paths), until, inner(random), inner(random))
        }
        4 => match inner(random) {
            // A negated predicate is a predicate.
            state if matches!(state.kind, TemporalKind::State(_)) => return *state,
            formula => TemporalKind::Not(formula),
        },
        _ => {
            let (left, right) = (inner(random), inner(random));
            if let (TemporalKind::State(_), TemporalKind::State(_)) = (&left.kind, &right.kind) {
                return *left;
            }
            TemporalKind::Binary(random.pick(&BINARY[..5]), left, right)
        }
    };
    Temporal { kind, span: 0..0 }
}

fn question(random: &mut Random) -> Question {
    match random.below(17) {
        0 => Question::Invariant(expression(random, 3)),
        1 => Question::Reachable(expression(random, 3)),
        2 => Question::Unreachable(expression(random, 3)),
        3 => Question::Bound(expression(random, 3)),
        4 => Question::Safe(random.below(3) as u64),
        5 => Question::Conservative,
        6 => Question::QuasiLive,
        7 => Question::Dead(name(random)),
        8 => Question::Fireable(name(random)),
        9 => Question::Stable(name(random)),
        10 => Question::SomeStable,
        11 => Question::Home(expression(random, 3)),
        12 => Question::Live(name(random)),
        13 => Question::Ctl(temporal(random, 4)),
        14 => Question::Reversible,
        15 => Question::AllLive,
        _ => Question::Ltl(temporal(random, 4)),
    }
}

fn clause(random: &mut Random) -> Clause {
    let kind = match random.below(9) {
        0..3 => ClauseKind::Arc {
            kind: random.pick(&[ArcKind::In, ArcKind::Out, ArcKind::Read]),
            place: name(random),
            tokens: expression(random, 3),
        },
        3 => ClauseKind::Inhibit { place: name(random), tokens: random.maybe(|r| expression(r, 2)) },
        4 => ClauseKind::Reset(name(random)),
        5 => ClauseKind::Let { name: name(random), value: expression(random, 3) },
        6 => ClauseKind::When(expression(random, 4)),
        7 => ClauseKind::Priority(expression(random, 2)),
        _ => ClauseKind::Delay(expression(random, 2)),
    };
    Clause { kind, span: 0..0 }
}

fn variable(random: &mut Random) -> Variable {
    Variable { name: name(random), type_: random.maybe(|r| type_expression(r, 2)) }
}

fn item(random: &mut Random) -> Item {
    let kind = match random.below(8) {
        0 => ItemKind::Net(name(random)),
        1 => ItemKind::Param { name: name(random), value: expression(random, 3) },
        2 => ItemKind::Type { name: name(random), definition: type_expression(random, 4) },
        3 => ItemKind::Function {
            name: name(random),
            parameters: random.several(0, variable),
            result: random.maybe(|r| type_expression(r, 2)),
            body: expression(random, 4),
        },
        4 => ItemKind::Place(Place {
            names: random.several(1, name),
            type_: type_expression(random, 3),
            capacity: random.maybe(|r| r.several(1, |r| (expression(r, 2), expression(r, 2)))),
            initial: random.maybe(|r| expression(r, 3)),
            derived: random.maybe(|r| expression(r, 3)),
            timed: random.maybe(|_| 0..0),
        }),
        5 => ItemKind::Transition(Transition {
            name: name(random),
            variables: random.several(0, variable),
            clauses: random.several(0, clause),
        }),
        6 => {
            let parts = random.several(0, |r| expression(r, 3));
            let componentwise = !parts.is_empty() && random.below(3) == 0;
            ItemKind::Progress(Progress { parts, componentwise })
        }
        _ => {
            let text = random.pick(&["a", "quasi-live", "3-safe", "a b", "-", "property", "", "a-"]);
            let name = Some(Name { text: text.into(), span: 0..0 });
            ItemKind::Property(Property { name, question: question(random), span: 0..0 })
        }
    };
    Item { kind, span: 0..0 }
}

/// A file.
pub fn file(random: &mut Random) -> File {
    File { items: random.several(1, item) }
}
