//! Fields: a state is its counts, each in a field of bits, packed in 64-bit words.
//!
//! A place with a proven bound b takes ⌈log2(b + 1)⌉ bits, a place whose count never changes none; a place
//! without a proven bound starts narrow and is widened when it overflows. No bits are spent on guards: whole
//! words of fields are compared at once by the carry-free comparison of [`swar`]. The key of a state is the
//! state itself, so encoding costs nothing. Σ ⌈log2(b + 1)⌉ bits per state is what independent places need;
//! it is far from log2 R where places depend on each other.
//!
//! [`layout`] decides where fields lie, [`program`] compiles transitions to operations on words,
//! [`triggers`] keeps those of wide nets from being tried one by one, [`system`] plays the token game with them, [`engine`] runs searches on it and widens fields on the way.

pub mod engine;
pub mod layout;
pub mod program;
pub mod swar;
pub mod system;
pub mod triggers;

pub use engine::{FieldsEngine, PlainEngine};
pub use layout::Layout;
pub use swar::larger;
pub use system::{Fields, Words};
