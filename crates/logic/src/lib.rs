//! What can be asked of a net, and what a question means.
//!
//! A question such as `invariant #p + #q <= 1` starts as text, is resolved against a net (names become numbers),
//! simplified with what is already proven, and evaluated in one marking after another. This room knows the
//! questions and their meaning; which markings there are is the business of a search.
//!
//! Read in this order: [`linear`] and [`expression`] for integers over token counts, [`comparison`] and
//! [`predicate`] for what can be true of one marking, [`view`] for how a marking is looked at, [`simplify`] for
//! what can be decided without one; then [`property`] for the questions about all reachable markings, with the
//! table of their syntax, and [`temporal`] for those about paths. Behind it are [`syntax`] (text to questions) and [`print`](mod@print) (and back), and
//! [`coloured`] for questions about coloured nets and [`contest`] for the XML of the Model Checking Contest.

pub mod check;
pub mod coloured;
pub mod comparison;
pub mod contest;
pub mod expression;
pub mod linear;
pub mod predicate;
pub mod print;
pub mod progress;
pub mod property;
pub mod simplify;
pub mod syntax;
pub mod temporal;
pub mod view;

pub use check::{Answer, Checked, check};
pub use comparison::{Comparison, Relation};
pub use expression::{Compound, Expression, Operation};
pub use linear::Linear;
pub use predicate::Predicate;
pub use progress::parse_progress;
pub use property::{Property, Question};
pub use simplify::{Facts, NoFacts};
pub use syntax::{SyntaxError, parse_expression, parse_predicate, parse_properties, parse_property};
pub use temporal::{Ctl, Ltl};
pub use view::{EvalError, PlainView, View};
