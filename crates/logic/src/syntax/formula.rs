//! Predicates, temporal formulas and expressions, read by operator precedence.
//!
//! One stack holds the operators that still wait for an operand, parentheses among them; nothing is recursive,
//! so that no text, however nested, can exhaust the machine's stack. A chain of operators of one precedence is one
//! entry that collects its operands: `a and b and c` becomes one conjunction of three.

use std::ops::Range;

use sweepnet_language::question::Until;

use super::MAX_DEPTH;
use super::error::SyntaxError;
use super::reader::Reader;
use super::temporal::{Before, Written};
use super::token::Kind;
use crate::comparison::{Comparison, Relation};
use crate::expression::Expression;
use crate::predicate::Predicate;
use crate::temporal::Formula;
use crate::view::EvalError;

/// What parentheses, numbers and comparisons can stand for.
#[derive(Debug)]
pub(crate) enum Value {
    Truth(Written),
    Number(Expression),
}

/// A value, and the bytes it was read from.
pub(super) type Operand = (Value, Range<usize>);

/// Levels of precedence, loosest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Parenthesis,
    Equivalence,
    Implication,
    Or,
    Xor,
    And,
    Until,
    /// Also of the temporal operators before one formula.
    Not,
    Comparison,
    Sum,
    Product,
    Minus,
}

/// An operator that waits for its last operand.
struct Pending {
    level: Level,
    /// The operands so far.
    operands: Vec<Operand>,
    /// The operators after each of them, for those levels that have several.
    signs: Vec<&'static str>,
    /// The temporal operator, or the quantifier before a parenthesis.
    before: Option<Before>,
    /// Where it begins.
    span: Range<usize>,
}

/// The operator between two operands that a word or sign stands for.
fn infix(text: &str) -> Option<(Level, &'static str)> {
    Some(match text {
        "<->" | "<=>" => (Level::Equivalence, "<->"),
        "->" | "=>" => (Level::Implication, "->"),
        "or" | "||" | "|" => (Level::Or, "or"),
        "xor" | "^" => (Level::Xor, "xor"),
        "and" | "&&" | "&" => (Level::And, "and"),
        "=" | "==" => (Level::Comparison, "="),
        "!=" | "<>" | "≠" => (Level::Comparison, "!="),
        "<" => (Level::Comparison, "<"),
        "<=" | "≤" => (Level::Comparison, "<="),
        ">" => (Level::Comparison, ">"),
        ">=" | "≥" => (Level::Comparison, ">="),
        "+" => (Level::Sum, "+"),
        "-" => (Level::Sum, "-"),
        "*" => (Level::Product, "*"),
        _ => return None,
    })
}

fn relation(sign: &str) -> Relation {
    match sign {
        "!=" => Relation::NotEqual,
        "<" => Relation::Less,
        "<=" => Relation::AtMost,
        ">" => Relation::Greater,
        ">=" => Relation::AtLeast,
        _ => Relation::Equal,
    }
}

/// `φ U (ψ W χ)`
fn chain(mut operands: Vec<Written>, signs: &[&'static str]) -> Written {
    let mut formula = operands.pop().unwrap_or_else(|| true.into());
    for (left, sign) in operands.into_iter().zip(signs).rev() {
        formula = Formula::binary(None, Until::of(sign).unwrap_or(Until::Until), left, formula);
    }
    formula
}

fn wanting(operator: &str) -> String {
    match operator {
        "" => "not".into(),
        operator => format!("but `{operator}` wants"),
    }
}

/// Words that begin a predicate or join two, to suggest.
const WORDS: [&str; 12] = [
    "true", "false", "not", "and", "or", "xor", "deadlock", "initial", "enabled", "fireable", "tokens",
    "property",
];

fn predicate(predicate: Predicate) -> Value {
    Value::Truth(Formula::Atom(predicate))
}

impl Reader<'_> {
    /// Reads as much as belongs to one formula. What follows is left to the caller.
    pub(super) fn formula(&mut self) -> Result<Operand, SyntaxError> {
        let mut stack: Vec<Pending> = Vec::new();
        'operand: loop {
            let span = self.peek().span.clone();
            let prefix = match self.peek_text() {
                "(" => Some(Level::Parenthesis),
                "not" | "!" | "¬" => Some(Level::Not),
                "-" => Some(Level::Minus),
                _ => None,
            };
            let (level, before) = match (prefix, self.temporal_operator()?) {
                (Some(level), _) => (Some(level), None),
                (None, Some(before @ Before::Modal(..))) => (Some(Level::Not), Some(before)),
                (None, Some(before @ Before::Path(_))) => (Some(Level::Parenthesis), Some(before)),
                (None, None) => (None, None),
            };
            if let Some(level) = level {
                let span = span.start..self.peek().span.end;
                let (operands, signs) = (Vec::new(), vec![self.peek_sign()]);
                self.push(&mut stack, Pending { level, operands, signs, before, span })?;
                self.advance();
                continue;
            }
            let mut value = self.atom()?;
            loop {
                let operator = infix(self.peek_text()).or_else(|| self.until_operator());
                let level = operator.map_or(Level::Parenthesis, |(level, _)| level);
                while let Some(top) = stack.pop_if(|top| top.level > level) {
                    value = self.finish(top, value)?;
                }
                if let Some((level, sign)) = operator {
                    self.wait(&mut stack, level, sign, value)?;
                    self.advance();
                    continue 'operand;
                }
                let Some(open) = stack.pop() else { return Ok(value) };
                let close = if open.signs == ["["] { "]" } else { ")" };
                if self.peek_text() != close {
                    return Err(match self.peek().kind {
                        Kind::End => self.error(open.span, "this parenthesis is never closed"),
                        _ => self.unexpected(&format!("an operator or `{close}`")),
                    });
                }
                if let Some(Before::Path(path)) = open.before {
                    value = self.quantify(path, value)?;
                }
                value.1 = open.span.start..self.peek().span.end;
                self.advance();
            }
        }
    }

    /// The operator waits for its next operand, as part of a chain if it continues one.
    fn wait(
        &mut self,
        stack: &mut Vec<Pending>,
        level: Level,
        sign: &'static str,
        value: Operand,
    ) -> Result<(), SyntaxError> {
        match stack.last_mut() {
            Some(top) if top.level == level => {
                // `φ U (ψ U (χ U …))` is as deep as it is long.
                self.chained += usize::from(level == Level::Until);
                if self.chained >= MAX_DEPTH {
                    return Err(self.too_deep());
                }
                top.operands.push(value);
                top.signs.push(sign);
                Ok(())
            }
            _ => {
                let span = value.1.clone();
                self.push(
                    stack,
                    Pending { level, operands: vec![value], signs: vec![sign], before: None, span },
                )
            }
        }
    }

    fn push(&self, stack: &mut Vec<Pending>, pending: Pending) -> Result<(), SyntaxError> {
        if stack.len() >= MAX_DEPTH {
            return Err(self.too_deep());
        }
        stack.push(pending);
        Ok(())
    }

    fn too_deep(&self) -> SyntaxError {
        let message = format!("this is nested too deeply: at most {MAX_DEPTH} levels are allowed");
        self.error(self.peek().span.clone(), message)
    }

    /// The value of an operator with its last operand.
    fn finish(&self, pending: Pending, last: Operand) -> Result<Operand, SyntaxError> {
        let span = pending.span.start..last.1.end;
        let (signs, mut operands) = (pending.signs, pending.operands);
        operands.push(last);
        let sign = signs.first().copied();
        let value = match pending.level {
            Level::Parenthesis => return Ok(operands.remove(0)),
            Level::Equivalence => Value::Truth(Formula::equivalence(self.truths(operands, sign)?)),
            Level::Implication => Value::Truth(Formula::implication(self.truths(operands, sign)?)),
            Level::Or => Value::Truth(Formula::or(self.truths(operands, sign)?)),
            Level::Xor => Value::Truth(Formula::xor(self.truths(operands, sign)?)),
            Level::And => Value::Truth(Formula::and(self.truths(operands, sign)?)),
            Level::Until => Value::Truth(chain(self.truths(operands, sign)?, &signs)),
            Level::Not => Value::Truth(match pending.before {
                Some(before) => before.of(self.truth(operands.remove(0), before.letters())?),
                None => !self.truth(operands.remove(0), "not")?,
            }),
            Level::Comparison => self.comparisons(operands, &signs, span.clone())?,
            Level::Sum => {
                let negative = [false].into_iter().chain(signs.iter().map(|sign| *sign == "-"));
                let signed = self.numbers(operands, sign)?.into_iter().zip(negative);
                let sum = Expression::sum(signed.map(|(e, negative)| if negative { e.negate() } else { e }));
                self.number_or(sum, &span)?
            }
            Level::Product => self.number_or(Expression::product(self.numbers(operands, sign)?), &span)?,
            Level::Minus => Value::Number(self.number(operands.remove(0), "-")?.negate()),
        };
        Ok((value, span))
    }

    fn comparisons(
        &self,
        operands: Vec<Operand>,
        signs: &[&'static str],
        span: Range<usize>,
    ) -> Result<Value, SyntaxError> {
        let numbers = self.numbers(operands, signs.first().copied())?;
        let compare = |(pair, sign): (&[Expression], &&str)| {
            Comparison::new(pair[0].clone(), relation(sign), pair[1].clone()).map(Predicate::from)
        };
        let all = numbers.windows(2).zip(signs).map(compare).collect::<Result<_, _>>();
        all.map(|all| predicate(Predicate::and(all))).map_err(|e| self.error(span, e.to_string()))
    }

    fn number_or(
        &self,
        number: Result<Expression, EvalError>,
        span: &Range<usize>,
    ) -> Result<Value, SyntaxError> {
        number.map(Value::Number).map_err(|e| self.error(span.clone(), e.to_string()))
    }

    fn truths(&self, operands: Vec<Operand>, sign: Option<&str>) -> Result<Vec<Written>, SyntaxError> {
        operands.into_iter().map(|operand| self.truth(operand, sign.unwrap_or_default())).collect()
    }

    fn numbers(&self, operands: Vec<Operand>, sign: Option<&str>) -> Result<Vec<Expression>, SyntaxError> {
        operands.into_iter().map(|operand| self.number(operand, sign.unwrap_or_default())).collect()
    }

    /// An operand that must be true or false, because of what stands beside it.
    pub(super) fn truth(&self, operand: Operand, beside: &str) -> Result<Written, SyntaxError> {
        match operand {
            (Value::Truth(formula), span) => self.quantified(formula, span),
            (Value::Number(_), span) => Err(self
                .error(span, format!("this is a number, {} a predicate", wanting(beside)))
                .expected("a comparison, such as #p <= 1")),
        }
    }

    /// An operand that must be a number, because of what stands beside it.
    pub(super) fn number(&self, operand: Operand, beside: &str) -> Result<Expression, SyntaxError> {
        match operand {
            (Value::Number(expression), _) => Ok(expression),
            (Value::Truth(_), span) => {
                let message = format!("this is true or false, {} a number", wanting(beside));
                Err(match beside {
                    "=" => self.error(span, message).suggest(vec!["<->".into()]),
                    "!=" => self.error(span, message).suggest(vec!["xor".into()]),
                    _ => self.error(span, message),
                })
            }
        }
    }

    /// What has no operator in it.
    fn atom(&mut self) -> Result<Operand, SyntaxError> {
        let start = self.peek().span.start;
        let value = match (&self.peek().kind, self.peek_text()) {
            (Kind::Number, digits) => {
                let Ok(number) = digits.parse() else {
                    return Err(self.error(self.peek().span.clone(), EvalError::Overflow.to_string()));
                };
                self.advance();
                self.number_or(Expression::constant(number), &(start..self.previous_end))?
            }
            (_, "#") => {
                self.advance();
                let places = match self.peek_text() {
                    "(" => self.list(|reader| reader.place("#"))?,
                    _ => vec![self.place("#")?],
                };
                self.number_or(Expression::places(places), &(start..self.previous_end))?
            }
            (_, "tokens") => {
                self.advance();
                let places = self.list(|reader| reader.place("tokens"))?;
                self.number_or(Expression::places(places), &(start..self.previous_end))?
            }
            (_, "enabled" | "fireable") => {
                self.advance();
                predicate(Predicate::any_enabled(self.list(|reader| reader.transition("enabled"))?))
            }
            (_, word @ ("true" | "false" | "deadlock" | "initial")) => {
                let constant = match word {
                    "true" => Predicate::True,
                    "false" => Predicate::False,
                    "deadlock" => Predicate::Deadlock,
                    _ => Predicate::Initial,
                };
                self.advance();
                predicate(constant)
            }
            (Kind::Word, word) if infix(word).is_some() => {
                return Err(self.unexpected("a predicate or an expression"));
            }
            (Kind::Word | Kind::Quoted(_), _) => return Err(self.stray_name(&WORDS)),
            _ => return Err(self.unexpected("a predicate or an expression")),
        };
        Ok((value, start..self.previous_end))
    }
}
