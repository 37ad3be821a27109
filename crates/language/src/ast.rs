//! What a text says, before names and types are looked at: one node for each construct, with its place.
//!
//! The tree keeps everything that the formatter needs except comments, which stay in the text and are found
//! again by their places.

use std::ops::Range;

/// Bytes of the text.
pub type Span = Range<usize>;

/// A name with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name, without quotes.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// A file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct File {
    /// Its declarations, in order.
    pub items: Vec<Item>,
}

/// A declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// What it declares.
    pub kind: ItemKind,
    /// Where it stands, from its first word to its last.
    pub span: Span,
}

/// What can be declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// `net "Database managers"`
    Net(Name),
    /// `param N = 4`
    Param {
        /// What it is called.
        name: Name,
        /// Its value, unless another is given where the net is used.
        value: Expr,
    },
    /// `type Odd = 1..9 where it mod 2 = 1`
    Type {
        /// What it is called.
        name: Name,
        /// What it is.
        definition: TypeExpr,
    },
    /// `fn messages(s: Site) = { (s, r) for r in Site if r != s }`
    Function {
        /// What it is called.
        name: Name,
        /// What it is applied to.
        parameters: Vec<Variable>,
        /// The type of its values, if that is declared.
        result: Option<TypeExpr>,
        /// Its value.
        body: Expr,
    },
    /// `place sent, received: Message capacity 0..3 = { } timed`
    Place(Place),
    /// `transition receive(s, r) { … }`
    Transition(Transition),
    /// `progress #performing + 2 * #acknowledged`
    Progress(Progress),
    /// `property exclusive: invariant #waiting <= 1`
    Property(Property),
}

/// How far a state is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Integers: one, or several as `(a, b)` or `vector(a, b)`.
    pub parts: Vec<Expr>,
    /// Whether all of them are compared, as in `vector(a, b)`, and not just the first that differs.
    pub componentwise: bool,
}

/// One or several places of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// What they are called.
    pub names: Vec<Name>,
    /// The type of their tokens.
    pub type_: TypeExpr,
    /// `capacity 0..1, 5`: the numbers of tokens that it may have. Each range is from..to; one number is
    /// both.
    pub capacity: Option<Vec<(Expr, Expr)>>,
    /// `= M`
    pub initial: Option<Expr>,
    /// `derived M`
    pub derived: Option<Expr>,
    /// `timed`
    pub timed: Option<Span>,
}

/// A variable of a transition, or a parameter of a function, with its type if it is declared: `s`, `x: Site`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// What it is called.
    pub name: Name,
    /// Its type, if that is declared.
    pub type_: Option<TypeExpr>,
}

/// A transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// What it is called.
    pub name: Name,
    /// What its bindings bind.
    pub variables: Vec<Variable>,
    /// What it does, in order.
    pub clauses: Vec<Clause>,
}

/// A clause of a transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// What it says.
    pub kind: ClauseKind,
    /// Where it stands.
    pub span: Span,
}

/// What can stand in a transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClauseKind {
    /// `in p: M`, `out p: M`, `read p: M`
    Arc {
        /// Where the tokens go.
        kind: ArcKind,
        /// The place.
        place: Name,
        /// The tokens.
        tokens: Expr,
    },
    /// `inhibit p: M`; without M: p is empty
    Inhibit {
        /// The place.
        place: Name,
        /// The tokens that must not be there.
        tokens: Option<Expr>,
    },
    /// `reset p`
    Reset(Name),
    /// `let x = e`
    Let {
        /// What it is called.
        name: Name,
        /// What it stands for.
        value: Expr,
    },
    /// `when e`
    When(Expr),
    /// `priority n`
    Priority(Expr),
    /// `delay e`
    Delay(Expr),
}

/// Arcs that carry tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArcKind {
    /// `in`: takes tokens.
    In,
    /// `out`: puts tokens.
    Out,
    /// `read`: wants tokens and leaves them.
    Read,
}

/// A type as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeExpr {
    /// Its form.
    pub kind: TypeKind,
    /// Where it stands.
    pub span: Span,
}

/// The forms of types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeKind {
    /// `unit`
    Unit,
    /// `bool`
    Bool,
    /// `1..N`
    Range(Box<Expr>, Box<Expr>),
    /// `enum { idle, busy }`
    Enum(Vec<Name>),
    /// `cyclic 1..N`, `cyclic enum { a, b }`
    Cyclic(Box<TypeExpr>),
    /// `struct { from: Site, to: Site }`
    Struct(Vec<(Name, TypeExpr)>),
    /// `(Site, bool)`
    Tuple(Vec<TypeExpr>),
    /// `union { none, some: Site }`
    Union(Vec<(Name, Option<TypeExpr>)>),
    /// `array [Site] of bool`
    Array(Box<TypeExpr>, Box<TypeExpr>),
    /// `list of Site max 4`
    List(Box<TypeExpr>, Box<Expr>),
    /// `set of Site`
    Set(Box<TypeExpr>),
    /// `1..9 where it mod 2 = 1`
    Where(Box<TypeExpr>, Box<Expr>),
    /// `Site`
    Named(Name),
}

/// An expression: a value, a number, a truth value or a multiset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// Its form.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// The forms of expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// `12`
    Integer(i64),
    /// `true`, `false`
    Bool(bool),
    /// `x`, `idle`, `N`, `waiting`, `deadlock`, `initial`, `clock`
    Name(Name),
    /// `()` (none), `(a, b)`; `(a)` is just `a`
    Tuple(Vec<Expr>),
    /// `{ from: s, to: r }`
    Record(Vec<(Name, Expr)>),
    /// `{ }`, `{ a, 2'b }`
    Braces(Vec<Expr>),
    /// `{ e for x in T, y in U if c }`
    Comprehension(Box<Comprehension>),
    /// `[ ]`, `[a, b]`
    Brackets(Vec<Expr>),
    /// `[ e for x in T ]`: an array, or a list
    BracketComprehension(Box<Comprehension>),
    /// `set { a, b }`, `set { e for x in T if c }`
    Set(Box<Expr>),
    /// `all T`
    All(TypeExpr),
    /// `3'v`
    Times(Box<Expr>, Box<Expr>),
    /// `#p`, `#M`
    Count(Box<Expr>),
    /// `f(x)`, `p(v)`, `some(s)`, `succ(x)`, `enabled(t, s = 1)`
    Call(Name, Vec<Argument>),
    /// `e.field`, `e.0`, `Type.constant`
    Field(Box<Expr>, Name),
    /// `a[i]`
    Index(Box<Expr>, Box<Expr>),
    /// `r with { field: v, … }`
    WithFields(Box<Expr>, Vec<(Name, Expr)>),
    /// `a with [i: v, …]`
    WithElements(Box<Expr>, Vec<(Expr, Expr)>),
    /// `e is some`
    Is(Box<Expr>, Name),
    /// `not e`, `-e`
    Unary(Unary, Box<Expr>),
    /// `a + b`, and so on
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `if c then a else b`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `let x = e in body`
    Let(Name, Box<Expr>, Box<Expr>),
    /// `forall x in T: c`
    Quantified(Quantifier, Box<Binder>, Box<Expr>),
    /// Something that could not be read; an error was reported.
    Broken,
}

/// `e for x in T, y in U if c`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comprehension {
    /// What is made for each binding.
    pub body: Expr,
    /// The variables, the first outermost.
    pub binders: Vec<Binder>,
    /// Which bindings count.
    pub condition: Option<Expr>,
}

/// `x in T`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binder {
    /// The variable.
    pub variable: Name,
    /// What it ranges over.
    pub domain: TypeExpr,
}

/// An argument of a call: `e`, or `x = e`. The parser makes the second form only inside `enabled(…)`, after
/// the first argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The variable, in the second form.
    pub name: Option<Name>,
    /// The value.
    pub value: Expr,
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// `not`
    Not,
    /// `-`
    Negate,
}

/// Operators with two operands, from loosest to tightest: `<->`, `->` (to the right), `or`, `xor`, `and`,
/// (`not`), the comparisons, `+ -`, `* / mod`, (unary `-`), `'`. A chain of comparisons, `0 < x <= 3`, is
/// read as a conjunction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// `<->`
    Iff,
    /// `->`
    Implies,
    /// `or`
    Or,
    /// `xor`
    Xor,
    /// `and`
    And,
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `mod`
    Modulo,
}

/// `forall`, `exists`, `sum`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// `forall`
    Forall,
    /// `exists`
    Exists,
    /// `sum`
    Sum,
}

/// A named question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its name; none on the command line.
    pub name: Option<Name>,
    /// What is asked.
    pub question: Question,
    /// Where the question stands, without the name.
    pub span: Span,
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// `invariant φ`
    Invariant(Expr),
    /// `reachable φ`
    Reachable(Expr),
    /// `not reachable φ`, `impossible φ`, `deadlock-free`
    Unreachable(Expr),
    /// `bound e`
    Bound(Expr),
    /// `safe`, `safe 3`, `3-safe`
    Safe(u64),
    /// `conservative`
    Conservative,
    /// `quasi-live`
    QuasiLive,
    /// `dead t`
    Dead(Name),
    /// `fireable t`
    Fireable(Name),
    /// `stable p`
    Stable(Name),
    /// `some-stable`
    SomeStable,
    /// `home φ`
    Home(Expr),
    /// `reversible`
    Reversible,
    /// `live t`
    Live(Name),
    /// `live`
    AllLive,
    /// `ctl φ`
    Ctl(Temporal),
    /// `ltl φ`
    Ltl(Temporal),
}

/// A temporal formula. Connectives below the temporal operators are in the expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Temporal {
    /// Its form.
    pub kind: TemporalKind,
    /// Where it stands.
    pub span: Span,
}

/// The forms of temporal formulas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TemporalKind {
    /// A predicate on one marking.
    State(Expr),
    /// `not φ`
    Not(Box<Temporal>),
    /// `φ and ψ`, …
    Binary(Binary, Box<Temporal>, Box<Temporal>),
    /// `AG φ`, `EF φ`, `G φ`, `X φ`, …: the path quantifier, if any, and the operator
    Unary(Option<Path>, Modal, Box<Temporal>),
    /// `φ U ψ`, `A (φ U ψ)`, `E (φ U ψ)`: also `W` and `R`
    Until(Option<Path>, Until, Box<Temporal>, Box<Temporal>),
}

/// `A`, `E`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Path {
    /// `A`: on all paths.
    All,
    /// `E`: on some path.
    Some,
}

impl Path {
    /// What a letter stands for.
    pub fn of(letter: &str) -> Option<Self> {
        match letter {
            "A" => Some(Self::All),
            "E" => Some(Self::Some),
            _ => None,
        }
    }
}

/// `X`, `F`, `G`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Modal {
    /// `X`
    Next,
    /// `F`
    Finally,
    /// `G`
    Globally,
}

impl Modal {
    /// What a letter stands for.
    pub fn of(letter: &str) -> Option<Self> {
        match letter {
            "X" => Some(Self::Next),
            "F" => Some(Self::Finally),
            "G" => Some(Self::Globally),
            _ => None,
        }
    }
}

/// `U`, `W`, `R`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Until {
    /// `U`
    Until,
    /// `W`
    WeakUntil,
    /// `R`
    Release,
}

impl Until {
    /// What a letter stands for.
    pub fn of(letter: &str) -> Option<Self> {
        match letter {
            "U" => Some(Self::Until),
            "W" => Some(Self::WeakUntil),
            "R" => Some(Self::Release),
            _ => None,
        }
    }
}
