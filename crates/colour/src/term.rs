//! Terms: expressions whose names are resolved and whose types are checked.
//!
//! Whoever makes terms (the language's checker, the PNML reader) sees to it that they are well typed, through the
//! constructors here where there is something to see to; whoever evaluates them relies on it. Integers are their own
//! sort: a value of a range is *widened* before it is calculated with, and the result is *narrowed* again, which is
//! where a value outside of its type is noticed.

use crate::types::TypeId;

/// A variable's position in a frame: its first word.
pub type Slot = usize;

/// What a term stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// An integer of 64 bits.
    Int,
    /// A value of a type; truth values are those of [`TypeId::BOOL`].
    Of(TypeId),
}

/// A term with its sort.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// What it is.
    pub node: Node,
    /// What it stands for.
    pub sort: Sort,
}

/// Arithmetic on integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Multiply,
    /// Quotient, rounded down.
    Divide,
    /// What division leaves: never negative for a positive divisor.
    Modulo,
    /// The smaller one.
    Min,
    /// The larger one.
    Max,
}

/// Comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Equal.
    Equal,
    /// Different.
    NotEqual,
    /// Smaller.
    Less,
    /// Not larger.
    LessEqual,
    /// Larger.
    Greater,
    /// Not smaller.
    GreaterEqual,
}

/// `forall`, `exists`, `sum`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// True of all.
    Forall,
    /// True of some.
    Exists,
    /// The sum over all.
    Sum,
}

/// Operations on lists and sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collection {
    /// A list with an element behind it: list, element.
    Append,
    /// A list with an element before it: list, element.
    Prepend,
    /// The first element of a list.
    First,
    /// The last element of a list.
    Last,
    /// A list without its first element.
    Rest,
    /// A list without its last element.
    Front,
    /// Two lists, one behind the other.
    Concatenate,
    /// How many elements a list or set has: an integer.
    Length,
    /// The element of a list at a position, an integer from 0: list, position.
    At,
    /// Whether an element is in a list or set: collection, element.
    Has,
    /// A set with an element: set, element.
    Insert,
    /// A set without an element: set, element.
    Remove,
    /// All elements of two sets.
    Union,
    /// The common elements of two sets.
    Intersection,
    /// The elements of the first set that are not in the second.
    Difference,
}

/// What a term is.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// An integer.
    Integer(i64),
    /// A value, as its words.
    Constant(Box<[u64]>),
    /// A variable, by its slot.
    Variable(Slot),
    /// The integer that a value of a range is.
    Widen(Box<Term>),
    /// An integer as a value of a range; outside of it there is none.
    Narrow(Box<Term>),
    /// A value of one type as one of another with the same tree: between a type and its subsets, and between structs
    /// that differ in such components. The value may not be there.
    Convert(Box<Term>),
    /// Arithmetic on integers.
    Arithmetic(Arithmetic, Box<Term>, Box<Term>),
    /// Comparison of integers, or of two values of one type by their order.
    Compare(Relation, Box<Term>, Box<Term>),
    /// Negation.
    Not(Box<Term>),
    /// Conjunction, from left to right until one is false.
    And(Vec<Term>),
    /// Disjunction, from left to right until one is true.
    Or(Vec<Term>),
    /// Choice: only the part that is chosen is evaluated.
    If(Box<Term>, Box<Term>, Box<Term>),
    /// A variable for the value of a term, inside another.
    Let(Slot, Box<Term>, Box<Term>),
    /// A struct, tuple or array of its components, all of them.
    Struct(Vec<Term>),
    /// A field of a struct, by position.
    Field(Box<Term>, usize),
    /// A struct with another value in one field.
    WithField(Box<Term>, usize, Box<Term>),
    /// An element of an array: array, index value.
    Element(Box<Term>, Box<Term>),
    /// An array with another element: array, index value, element.
    WithElement(Box<Term>, Box<Term>, Box<Term>),
    /// An array of the values of a term for each index, which the variable stands for.
    Fill(Slot, Box<Term>),
    /// A variant of a union with its content.
    Variant(usize, Option<Box<Term>>),
    /// Whether a value of a union is of a variant.
    Is(Box<Term>, usize),
    /// The content of a variant; of others there is none.
    Content(Box<Term>, usize),
    /// A list of its elements.
    List(Vec<Term>),
    /// A set of its elements.
    Set(Vec<Term>),
    /// The set of those values of a term, for each value of a type that the variable stands for, for which the
    /// condition is true: variable, its type, condition, value.
    SetOf(Slot, TypeId, Box<Term>, Box<Term>),
    /// An operation on lists and sets.
    Collection(Collection, Vec<Term>),
    /// The value so many steps further in the order of its type. Beyond the last comes the first if it `wraps`, else
    /// there is none.
    Step {
        /// From where.
        from: Box<Term>,
        /// How far; negative for predecessors.
        by: i64,
        /// Whether the first value follows the last.
        wraps: bool,
    },
    /// A quantifier over the values of a type.
    Quantified(Quantifier, Slot, TypeId, Box<Term>),
    /// How many tokens a multiset has, an integer.
    Count(Box<Bag>),
    /// How often a value is in a multiset, an integer.
    CountOf(Box<Bag>, Box<Term>),
    /// Comparison of multisets: equality and inclusion.
    CompareBags(Relation, Box<Bag>, Box<Bag>),
    /// Whether a transition is enabled, for some values of the variables that are not given: the transition, and its
    /// variables' positions with their values.
    Enabled(usize, Vec<(usize, Term)>),
    /// Whether nothing is enabled.
    Deadlock,
    /// Whether the marking is the initial one.
    Initial,
    /// The time, an integer.
    Clock,
}

/// A multiset of values of one type.
#[derive(Clone, Debug, PartialEq)]
pub enum Bag {
    /// No token.
    Empty,
    /// One token.
    One(Term),
    /// A multiset so many times; an integer that is not negative.
    Times(Box<Term>, Box<Bag>),
    /// All tokens of several.
    Sum(Vec<Bag>),
    /// The tokens of the first without those of the second, which must be there.
    Difference(Box<Bag>, Box<Bag>),
    /// Each value of the type once.
    All(TypeId),
    /// All tokens of a multiset for each value of a type that the variable stands for: variable, its type, condition.
    For(Slot, TypeId, Option<Box<Term>>, Box<Bag>),
    /// Choice.
    If(Box<Term>, Box<Bag>, Box<Bag>),
    /// A variable for the value of a term, inside a multiset.
    Let(Slot, Box<Term>, Box<Bag>),
    /// What a place has, by its position. Not on arcs.
    Place(usize),
}

impl Term {
    /// A term.
    pub fn new(node: Node, sort: Sort) -> Self {
        Self { node, sort }
    }

    /// An integer.
    pub fn int(n: i64) -> Self {
        Self::new(Node::Integer(n), Sort::Int)
    }

    /// A truth value.
    pub fn bool(truth: bool) -> Self {
        Self::constant([u64::from(truth)], TypeId::BOOL)
    }

    /// A value.
    pub fn constant(words: impl Into<Box<[u64]>>, of: TypeId) -> Self {
        Self::new(Node::Constant(words.into()), Sort::Of(of))
    }

    /// The value of the type `unit`.
    pub fn unit() -> Self {
        Self::constant([0], TypeId::UNIT)
    }

    /// A variable.
    pub fn variable(slot: Slot, sort: Sort) -> Self {
        Self::new(Node::Variable(slot), sort)
    }

    /// A term that is true or false.
    pub fn truth(node: Node) -> Self {
        Self::new(node, Sort::Of(TypeId::BOOL))
    }

    /// All are true.
    pub fn and(parts: Vec<Self>) -> Self {
        Self::truth(Node::And(parts))
    }

    /// Some are true.
    pub fn or(parts: Vec<Self>) -> Self {
        Self::truth(Node::Or(parts))
    }

    /// A comparison.
    pub fn compare(relation: Relation, left: Self, right: Self) -> Self {
        Self::truth(Node::Compare(relation, Box::new(left), Box::new(right)))
    }

    /// Arithmetic.
    pub fn arithmetic(operator: Arithmetic, left: Self, right: Self) -> Self {
        Self::new(Node::Arithmetic(operator, Box::new(left), Box::new(right)), Sort::Int)
    }

    /// The type it is a value of.
    pub fn type_of(&self) -> Option<TypeId> {
        match self.sort {
            Sort::Of(id) => Some(id),
            Sort::Int => None,
        }
    }

    /// Calls `see` for every term and multiset in it, itself first.
    pub fn walk<'a>(&'a self, see: &mut dyn FnMut(Part<'a>)) {
        see(Part::Term(self));
        match &self.node {
            Node::Integer(_)
            | Node::Constant(_)
            | Node::Variable(_)
            | Node::Deadlock
            | Node::Initial
            | Node::Clock => {}
            Node::Widen(a)
            | Node::Narrow(a)
            | Node::Convert(a)
            | Node::Not(a)
            | Node::Field(a, _)
            | Node::Fill(_, a)
            | Node::Is(a, _)
            | Node::Content(a, _)
            | Node::Step { from: a, .. }
            | Node::Quantified(_, _, _, a) => a.walk(see),
            Node::Arithmetic(_, a, b)
            | Node::Compare(_, a, b)
            | Node::Let(_, a, b)
            | Node::WithField(a, _, b)
            | Node::Element(a, b)
            | Node::SetOf(_, _, a, b) => {
                a.walk(see);
                b.walk(see);
            }
            Node::If(a, b, c) | Node::WithElement(a, b, c) => {
                a.walk(see);
                b.walk(see);
                c.walk(see);
            }
            Node::And(parts)
            | Node::Or(parts)
            | Node::Struct(parts)
            | Node::List(parts)
            | Node::Set(parts)
            | Node::Collection(_, parts) => parts.iter().for_each(|part| part.walk(see)),
            Node::Variant(_, content) => {
                if let Some(content) = content {
                    content.walk(see);
                }
            }
            Node::Count(bag) => bag.walk(see),
            Node::CountOf(bag, value) => {
                bag.walk(see);
                value.walk(see);
            }
            Node::CompareBags(_, a, b) => {
                a.walk(see);
                b.walk(see);
            }
            Node::Enabled(_, values) => values.iter().for_each(|(_, value)| value.walk(see)),
        }
    }
}

impl Bag {
    /// The multiset so many times; itself for 1.
    pub fn times(self, count: Term) -> Self {
        match count.node {
            Node::Integer(1) => self,
            _ => Self::Times(Box::new(count), Box::new(self)),
        }
    }

    /// Calls `see` for every term and multiset in it, itself first.
    pub fn walk<'a>(&'a self, see: &mut dyn FnMut(Part<'a>)) {
        see(Part::Bag(self));
        match self {
            Self::Empty | Self::All(_) | Self::Place(_) => {}
            Self::One(value) => value.walk(see),
            Self::Times(count, bag) => {
                count.walk(see);
                bag.walk(see);
            }
            Self::Sum(parts) => parts.iter().for_each(|part| part.walk(see)),
            Self::Difference(a, b) => {
                a.walk(see);
                b.walk(see);
            }
            Self::For(_, _, condition, body) => {
                if let Some(condition) = condition {
                    condition.walk(see);
                }
                body.walk(see);
            }
            Self::If(condition, a, b) => {
                condition.walk(see);
                a.walk(see);
                b.walk(see);
            }
            Self::Let(_, value, body) => {
                value.walk(see);
                body.walk(see);
            }
        }
    }
}

/// A part of a term or multiset.
#[derive(Clone, Copy, Debug)]
pub enum Part<'a> {
    /// A term.
    Term(&'a Term),
    /// A multiset.
    Bag(&'a Bag),
}
