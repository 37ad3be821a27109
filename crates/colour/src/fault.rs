//! What can go wrong when a term is evaluated: errors of the model, not of the tool.

use thiserror::Error;

use crate::types::TypeId;

/// Why a term has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// An integer is not in the range it should be in.
    #[error("{value} is outside of its type")]
    OutOfRange {
        /// The integer.
        value: i64,
        /// The range.
        type_: TypeId,
    },
    /// A value is not in the subset it should be in.
    #[error("a value is outside of its type")]
    NotInSubset {
        /// The subset.
        type_: TypeId,
    },
    /// An integer does not fit into 64 bits.
    #[error("a number does not fit into 64 bits")]
    Overflow,
    /// Division by zero.
    #[error("division by zero")]
    DivisionByZero,
    /// The successor of the last value, or the predecessor of the first.
    #[error("there is no value beyond the end of the type")]
    BeyondTheEnd,
    /// The first element of an empty list, or one at a position that there is not.
    #[error("the list has no such element")]
    NoSuchElement,
    /// One element more than a list can have.
    #[error("the list is full")]
    ListFull,
    /// The content of a variant that a value is not of.
    #[error("the union holds another variant")]
    OtherVariant,
    /// Fewer than no tokens.
    #[error("a multiset would have fewer than no tokens of a value")]
    NegativeCount,
    /// A delay into the past.
    #[error("the delay is negative")]
    NegativeDelay,
    /// More tokens than can be counted.
    #[error("a multiset would have more than 2^64 - 1 tokens of a value")]
    TooManyTokens,
    /// It depends on the marking, and there is none.
    #[error("it depends on the marking")]
    NoMarking,
    /// Too much to enumerate.
    #[error("a type is too large to go through all its values")]
    TooLarge,
    /// A variable that nothing binds, with too many combinations of values to try.
    #[error("a variable is bound by nothing, and there are too many values to try")]
    Unbound {
        /// The variable of the transition, by position.
        variable: usize,
    },
    /// Nobody waits for the value any more. Not an error of the model.
    #[error("it was interrupted")]
    Interrupted,
}
