//! The variables of one transition, definition or question, and where they are.

use sweepnet_colour::term::Slot;
use sweepnet_colour::{Node, Sort, Term, Types};

use crate::diagnostic::Diagnostic;

/// What an expression may look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Access {
    /// Constants only.
    Constant,
    /// The variables of a transition.
    Arc,
    /// What places have.
    Places,
    /// Also the time.
    Marking,
    /// Also what is enabled.
    Question,
}

/// A variable, or a parameter of a function that is being inlined.
#[derive(Clone, Debug)]
pub(super) struct Local {
    pub name: String,
    /// A variable, or a literal; nothing if its type is not known.
    pub term: Option<Term>,
    pub used: bool,
}

/// Where an expression stands.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub access: Access,
    /// Words that variables take. Slots are never used again.
    pub words: usize,
    pub locals: Vec<Local>,
    /// Variables around that cannot be seen, because a constant is wanted.
    pub hidden: Vec<String>,
    /// The first local that can be seen; those before belong to the caller of a function.
    pub base: usize,
    /// Above zero where an expression need not be evaluated, so that what would go wrong in it may never do.
    pub conditional: usize,
    /// Nested expressions, including those of functions and definitions on the way.
    pub depth: usize,
    /// Calls inlined so far.
    pub calls: usize,
    /// The `let`s of a transition: slots and the terms that they stand for.
    pub names: Vec<(Slot, Term)>,
    /// Why the type of an expression can't be told from itself. Whoever can tell it from elsewhere takes this
    /// away and tries again; what remains in the end is reported.
    pub untyped: Option<Diagnostic>,
}

impl Frame {
    pub fn new(access: Access, depth: usize) -> Self {
        Self {
            access,
            words: 0,
            locals: Vec::new(),
            hidden: Vec::new(),
            base: 0,
            conditional: 0,
            depth,
            calls: 0,
            names: Vec::new(),
            untyped: None,
        }
    }

    /// Room for a variable.
    pub fn allot(&mut self, sort: Sort, types: &Types) -> Slot {
        let slot = self.words;
        self.words += match sort {
            Sort::Int => 1,
            Sort::Of(id) => types.width(id),
        };
        slot
    }

    /// A new variable that can be seen from now on.
    pub fn bind(&mut self, name: &str, sort: Sort, types: &Types) -> Slot {
        let slot = self.allot(sort, types);
        self.push(name, Some(Term::new(Node::Variable(slot), sort)));
        slot
    }

    /// A name for a variable or literal; nothing if its type is not known.
    pub fn push(&mut self, name: &str, term: Option<Term>) {
        self.locals.push(Local { name: name.to_owned(), term, used: false });
    }

    /// The innermost local of this name.
    pub fn find(&mut self, name: &str) -> Option<&mut Local> {
        self.locals[self.base..].iter_mut().rev().find(|local| local.name == name)
    }

    /// Whether a local hides other things of this name.
    pub fn hides(&self, name: &str) -> bool {
        self.locals[self.base..].iter().any(|local| local.name == name)
    }
}
