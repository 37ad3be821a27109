//! The operators: how they are written, and how tightly they bind.

use crate::ast::Binary;

/// How tightly something binds; more is tighter.
pub(crate) type Level = u8;

/// Anything can stand here.
pub(crate) const LOOSEST: Level = 0;
/// `<->`
pub(crate) const IFF: Level = 1;
/// `->`
pub(crate) const IMPLIES: Level = 2;
/// `or`
pub(crate) const OR: Level = 3;
/// `xor`
pub(crate) const XOR: Level = 4;
/// `and`
pub(crate) const AND: Level = 5;
/// `U`, `W`, `R`, in temporal formulas
pub(crate) const UNTIL: Level = 6;
/// `not`, and in temporal formulas `G`, `AF` and so on
pub(crate) const NOT: Level = 7;
/// `=`, `<` and so on
pub(crate) const COMPARISON: Level = 8;
/// `is`
pub(crate) const IS: Level = 9;
/// `+`, `-`
pub(crate) const SUM: Level = 10;
/// `*`, `/`, `mod`
pub(crate) const PRODUCT: Level = 11;
/// `-` before its only operand
pub(crate) const NEGATE: Level = 12;
/// `'`
pub(crate) const TIMES: Level = 13;
/// `#`
pub(crate) const COUNT: Level = 14;
/// `.field`, `[index]`, `with`
pub(crate) const POSTFIX: Level = 15;
/// What has no operator around it.
pub(crate) const ATOM: Level = 16;

/// The operator between two operands that is written so.
pub(crate) fn infix(lexeme: &str) -> Option<Binary> {
    Some(match lexeme {
        "<->" | "<=>" => Binary::Iff,
        "->" | "=>" => Binary::Implies,
        "or" | "||" | "|" | "∨" => Binary::Or,
        "xor" | "^" => Binary::Xor,
        "and" | "&&" | "&" | "∧" => Binary::And,
        "=" | "==" => Binary::Equal,
        "!=" | "<>" | "≠" => Binary::NotEqual,
        "<" => Binary::Less,
        "<=" | "≤" => Binary::LessEqual,
        ">" => Binary::Greater,
        ">=" | "≥" => Binary::GreaterEqual,
        "+" => Binary::Add,
        "-" => Binary::Subtract,
        "*" => Binary::Multiply,
        "/" => Binary::Divide,
        "mod" => Binary::Modulo,
        _ => return None,
    })
}

/// Whether this is `not`, however it is written.
pub(crate) fn is_not(lexeme: &str) -> bool {
    matches!(lexeme, "not" | "!" | "¬")
}

/// How tightly an operator binds.
pub(crate) fn level(operator: Binary) -> Level {
    match operator {
        Binary::Iff => IFF,
        Binary::Implies => IMPLIES,
        Binary::Or => OR,
        Binary::Xor => XOR,
        Binary::And => AND,
        Binary::Equal
        | Binary::NotEqual
        | Binary::Less
        | Binary::LessEqual
        | Binary::Greater
        | Binary::GreaterEqual => COMPARISON,
        Binary::Add | Binary::Subtract => SUM,
        Binary::Multiply | Binary::Divide | Binary::Modulo => PRODUCT,
    }
}
