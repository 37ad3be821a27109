//! Writing questions with the net's names, so that reading them back gives the same question.

use std::fmt;

use sweepnet_language::question::{Modal, Path, Until};
use sweepnet_net::{Fold, Net, PlaceId, TransitionId};

use crate::comparison::Comparison;
use crate::expression::{Expression, Operation};
use crate::predicate::Predicate;
use crate::property::Question;
use crate::syntax::token::is_plain_name;
use crate::temporal::{Ctl, Formula, Ltl};

/// A name as it can be written: as it is if that reads back as the same name, else quoted.
#[derive(Clone, Copy, Debug)]
pub struct Name<'a>(pub &'a str);

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if is_plain_name(self.0) {
            return f.write_str(self.0);
        }
        f.write_str("\"")?;
        for c in self.0.chars() {
            match c {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                '\n' => f.write_str("\\n")?,
                '\r' => f.write_str("\\r")?,
                '\t' => f.write_str("\\t")?,
                c => write!(f, "{c}")?,
            }
        }
        f.write_str("\"")
    }
}

/// Something together with the net whose names it is printed with.
#[derive(Clone, Copy, Debug)]
pub struct Named<'a, T> {
    what: &'a T,
    net: &'a Net,
}

macro_rules! display {
    ($($type:ty),*) => {$(
        impl $type {
            /// To print, with the net's names.
            pub fn display<'a>(&'a self, net: &'a Net) -> Named<'a, Self> {
                Named { what: self, net }
            }
        }
    )*};
}

display!(Expression, Comparison, Predicate, Question, Ctl, Ltl);

impl fmt::Display for Named<'_, Expression> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        sum(f, self.net, self.what, self.what.linear().offset())
    }
}

/// A sum, with another constant in place of its own.
fn sum(f: &mut fmt::Formatter<'_>, net: &Net, expression: &Expression, constant: i128) -> fmt::Result {
    let mut first = true;
    for &(p, coefficient) in expression.linear().terms() {
        sign(f, &mut first, coefficient < 0)?;
        if coefficient.unsigned_abs() != 1 {
            write!(f, "{}*", coefficient.unsigned_abs())?;
        }
        place(f, net, p)?;
    }
    for compound in expression.compounds() {
        sign(f, &mut first, compound.coefficient() < 0)?;
        let is_alone = compound.coefficient().unsigned_abs() == 1;
        if !is_alone {
            write!(f, "{}*", compound.coefficient().unsigned_abs())?;
        }
        match compound.operation() {
            Operation::Product(factors) => {
                for (i, factor) in factors.iter().enumerate() {
                    f.write_str(if i > 0 { "*" } else { "" })?;
                    operand(f, net, factor)?;
                }
            }
            Operation::Quotient(dividend, divisor) => division(f, net, dividend, "/", *divisor, is_alone)?,
            Operation::Remainder(dividend, divisor) => division(f, net, dividend, "mod", *divisor, is_alone)?,
        }
    }
    if constant != 0 || first {
        sign(f, &mut first, constant < 0)?;
        write!(f, "{}", constant.unsigned_abs())?;
    }
    Ok(())
}

/// What is multiplied or divided.
fn operand(f: &mut fmt::Formatter<'_>, net: &Net, expression: &Expression) -> fmt::Result {
    match expression.as_linear().map(|linear| (linear.terms(), linear.offset())) {
        Some((&[(p, 1)], 0)) => place(f, net, p),
        _ => write!(f, "({})", expression.display(net)),
    }
}

fn division(
    f: &mut fmt::Formatter<'_>,
    net: &Net,
    dividend: &Expression,
    sign: &str,
    divisor: i128,
    is_alone: bool,
) -> fmt::Result {
    f.write_str(if is_alone { "" } else { "(" })?;
    operand(f, net, dividend)?;
    write!(f, " {sign} {divisor}")?;
    f.write_str(if is_alone { "" } else { ")" })
}

fn sign(f: &mut fmt::Formatter<'_>, first: &mut bool, negative: bool) -> fmt::Result {
    f.write_str(match (std::mem::take(first), negative) {
        (true, true) => "-",
        (true, false) => "",
        (false, true) => " - ",
        (false, false) => " + ",
    })
}

fn place(f: &mut fmt::Formatter<'_>, net: &Net, p: PlaceId) -> fmt::Result {
    write!(f, "#{}", Name(&net.place(p).id))
}

fn transition(net: &Net, t: TransitionId) -> Name<'_> {
    Name(&net.transition(t).id)
}

impl fmt::Display for Named<'_, Comparison> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What is subtracted reads better when added on the other side.
        let (left, right) = self.what.expression().by_sign();
        sum(f, self.net, &left, 0)?;
        write!(f, " {} ", self.what.relation().symbol())?;
        sum(f, self.net, &right.negate(), self.what.bound())
    }
}

impl fmt::Display for Named<'_, Predicate> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let net = self.net;
        match self.what {
            Predicate::True => f.write_str("true"),
            Predicate::False => f.write_str("false"),
            Predicate::Not(operand) => match &**operand {
                Predicate::Xor(operands) if operands.len() == 2 => chain(f, net, operands, " <-> "),
                operand => {
                    f.write_str("not ")?;
                    inner(f, net, operand)
                }
            },
            Predicate::And(operands) => chain(f, net, operands, " and "),
            Predicate::Or(operands) => chain(f, net, operands, " or "),
            Predicate::Xor(operands) => chain(f, net, operands, " xor "),
            Predicate::Compare(comparison) => write!(f, "{}", comparison.display(net)),
            Predicate::Enabled(t) => write!(f, "enabled({})", transition(net, *t)),
            Predicate::AnyEnabled(all) => enabled(f, net, all),
            Predicate::Deadlock => f.write_str("deadlock"),
            Predicate::Initial => f.write_str("initial"),
        }
    }
}

/// That some of the transitions is enabled; by its name if they are the instances of a coloured one.
fn enabled(f: &mut fmt::Formatter<'_>, net: &Net, all: &[TransitionId]) -> fmt::Result {
    let are_all = |fold: &&Fold| fold.instances.clone().eq(all.iter().map(|t| t.index()));
    let folds = net.folding().into_iter().flat_map(|folding| &folding.transitions);
    if let Some(fold) = folds.filter(|fold| fold.instances.len() == all.len()).find(are_all) {
        return write!(f, "enabled({})", Name(&fold.id));
    }
    for (i, t) in all.iter().enumerate() {
        write!(f, "{}{}", if i > 0 { ", " } else { "enabled(" }, transition(net, *t))?;
    }
    f.write_str(")")
}

fn chain(f: &mut fmt::Formatter<'_>, net: &Net, operands: &[Predicate], connective: &str) -> fmt::Result {
    for (i, operand) in operands.iter().enumerate() {
        f.write_str(if i > 0 { connective } else { "" })?;
        inner(f, net, operand)?;
    }
    Ok(())
}

/// An operand: connectives get parentheses, also where precedence would not need them, because few people are
/// sure of it.
fn inner(f: &mut fmt::Formatter<'_>, net: &Net, operand: &Predicate) -> fmt::Result {
    let parentheses = match operand {
        Predicate::And(_) | Predicate::Or(_) | Predicate::Xor(_) => true,
        Predicate::Not(operand) => matches!(&**operand, Predicate::Xor(operands) if operands.len() == 2),
        _ => false,
    };
    match parentheses {
        true => write!(f, "({})", operand.display(net)),
        false => write!(f, "{}", operand.display(net)),
    }
}

/// What stands around a temporal operator, before and behind.
trait Quantified: Copy {
    /// Before the letter of an operator with one operand.
    fn letter(self) -> &'static str;
    /// Around an operator between two operands, if anything is.
    fn around(self) -> bool;
}

impl Quantified for Path {
    fn letter(self) -> &'static str {
        match self {
            Self::All => "A",
            Self::Some => "E",
        }
    }

    fn around(self) -> bool {
        true
    }
}

impl Quantified for () {
    fn letter(self) -> &'static str {
        ""
    }

    fn around(self) -> bool {
        false
    }
}

impl<Q: Quantified> fmt::Display for Named<'_, Formula<Q>> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let net = self.net;
        let part = |what| Part(Named { what, net });
        match self.what {
            Formula::Atom(predicate) => write!(f, "{}", predicate.display(net)),
            Formula::Not(operand) => match &**operand {
                Formula::Xor(operands) if operands.len() == 2 => parts(f, net, operands, " <-> "),
                operand => write!(f, "not {}", part(operand)),
            },
            Formula::And(operands) => parts(f, net, operands, " and "),
            Formula::Or(operands) => parts(f, net, operands, " or "),
            Formula::Xor(operands) => parts(f, net, operands, " xor "),
            Formula::Unary(q, modal, operand) => {
                let modal = match modal {
                    Modal::Next => "X",
                    Modal::Finally => "F",
                    Modal::Globally => "G",
                };
                write!(f, "{}{modal} {}", q.letter(), part(operand))
            }
            Formula::Binary(q, until, left, right) => {
                let until = match until {
                    Until::Until => "U",
                    Until::WeakUntil => "W",
                    Until::Release => "R",
                };
                let (open, close) = if q.around() { (" (", ")") } else { ("", "") };
                write!(f, "{}{open}{} {until} {}{close}", q.letter(), part(left), part(right))
            }
        }
    }
}

fn parts<Q: Quantified>(
    f: &mut fmt::Formatter<'_>,
    net: &Net,
    operands: &[Formula<Q>],
    connective: &str,
) -> fmt::Result {
    for (i, operand) in operands.iter().enumerate() {
        write!(f, "{}{}", if i > 0 { connective } else { "" }, Part(Named { what: operand, net }))?;
    }
    Ok(())
}

/// A formula as an operand.
struct Part<'a, Q>(Named<'a, Formula<Q>>);

impl<Q: Quantified> fmt::Display for Part<'_, Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parentheses = match self.0.what {
            Formula::Atom(predicate) => return inner(f, self.0.net, predicate),
            Formula::And(_) | Formula::Or(_) | Formula::Xor(_) => true,
            Formula::Not(operand) => matches!(&**operand, Formula::Xor(operands) if operands.len() == 2),
            Formula::Unary(..) => false,
            Formula::Binary(q, ..) => !q.around(),
        };
        match parentheses {
            true => write!(f, "({})", self.0),
            false => write!(f, "{}", self.0),
        }
    }
}

impl fmt::Display for Named<'_, Question> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let net = self.net;
        match self.what {
            Question::Invariant(predicate) => write!(f, "invariant {}", predicate.display(net)),
            Question::Reachable(predicate) => write!(f, "reachable {}", predicate.display(net)),
            Question::Unreachable(Predicate::Deadlock) => f.write_str("deadlock-free"),
            Question::Unreachable(predicate) => write!(f, "not reachable {}", predicate.display(net)),
            Question::Bound(expression) => write!(f, "bound {}", expression.display(net)),
            Question::BoundByCases(cases) => {
                f.write_str("bound ")?;
                // Exactly one case counts, so that the last needs no condition.
                let (last, others) = cases.split_last().ok_or(fmt::Error)?;
                for (case, expression) in others {
                    write!(f, "if {} then {} else ", case.display(net), expression.display(net))?;
                }
                write!(f, "{}", last.1.display(net))
            }
            Question::Safe(1) => f.write_str("safe"),
            Question::Safe(k) => write!(f, "{k}-safe"),
            Question::Conservative => f.write_str("conservative"),
            Question::QuasiLive => f.write_str("quasi-live"),
            Question::Dead(t) => write!(f, "dead {}", transition(net, *t)),
            Question::Stable(p) => write!(f, "stable {}", Name(&net.place(*p).id)),
            Question::SomeStable => f.write_str("some-stable"),
            Question::Home(Predicate::Initial) => f.write_str("reversible"),
            Question::Home(Predicate::Enabled(t)) => write!(f, "live {}", transition(net, *t)),
            Question::Home(predicate) => write!(f, "home {}", predicate.display(net)),
            Question::Live => f.write_str("live"),
            Question::Ctl(formula) => write!(f, "ctl {}", formula.display(net)),
            Question::Ltl(formula) => write!(f, "ltl {}", formula.display(net)),
        }
    }
}
