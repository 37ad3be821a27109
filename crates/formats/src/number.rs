//! Numbers as files write them.

use crate::ErrorKind;
use crate::error::clip;

/// A whole number from 0 to 2^64 - 1. `what` names it in the error.
pub(crate) fn parse(text: &str, what: impl FnOnce() -> String) -> Result<u64, ErrorKind> {
    if let Ok(number) = text.parse() {
        return Ok(number);
    }
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    let found = clip(text);
    let unsigned = text.strip_prefix('+').unwrap_or(text);
    Err(match text.strip_prefix('-') {
        Some(rest) if digits(rest) => ErrorKind::Negative { what: what(), found },
        _ if digits(unsigned) => ErrorKind::TooLarge { what: what(), found },
        _ => ErrorKind::NotANumber { what: what(), found },
    })
}

/// A weight: a number of at least 1.
pub(crate) fn parse_weight(text: &str, what: impl Fn() -> String) -> Result<u64, ErrorKind> {
    match parse(text, &what)? {
        0 => Err(ErrorKind::ZeroWeight { what: what() }),
        weight => Ok(weight),
    }
}
