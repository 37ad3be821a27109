//! Predicates on states that are tuples of local numbers.
//!
//! What speaks of one component only is true or false of its local number. So each sub-formula that does is a table
//! over local numbers, filled in where a number is met first, by looking at the counts; after that it is a look-up,
//! and no count is read. Operands of one connective that speak of the same component are put together first, and a
//! transition is enabled iff each component that it touches enables it: a formula becomes as few tables as it can.
//!
//! A disjunction of very many conjunctions, such as that some instance of a coloured transition is enabled, is kept as
//! lists: for each number of a component, those conjunctions that it allows. Of the others nothing is looked at.
//!
//! Tables are shared by all threads. Two that fill in the same number say the same.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use sweepnet_net::{PlaceId, TransitionId};
use sweepnet_space::{Numbering, View as StateView};

use crate::{EvalError, Predicate, View};

/// A predicate made ready for one numbering of local markings.
#[derive(Debug)]
pub struct LocalPredicate {
    numbering: Numbering,
    root: Node,
}

/// A sub-formula.
#[derive(Debug)]
struct Node {
    /// The component of which alone it speaks.
    component: Option<u32>,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Not(Box<Node>),
    Joined(Connective, Vec<Node>),
    /// Anything without operands.
    Atom(Predicate),
    /// The component enables the transition, as far as it is concerned.
    Enables(TransitionId),
    /// What is known of another node by the numbers of its component.
    Tabled(Box<(Table, Node)>),
    /// Some of many conjunctions holds.
    Some(Vec<Lists>),
}

/// Conjunctions that begin with what one component says.
#[derive(Debug)]
struct Lists {
    component: u32,
    /// Each a conjunction of tables.
    conjunctions: Vec<Vec<Node>>,
    /// For each local number, the positions of those whose first operand is true of it.
    by_number: Pages<Box<[u32]>>,
}

/// Fewer conjunctions are looked at one by one.
const MANY: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Connective {
    And,
    Or,
    Xor,
}

impl LocalPredicate {
    /// The predicate on states of this system; nothing if they have no local numbers.
    pub fn new(predicate: &Predicate, state: &StateView<'_>) -> Option<Self> {
        let numbering = state.numbering()?;
        // Where a number may become too large, it matters which operand is looked at first.
        let compiler = Compiler { state, may_reorder: predicate.is_total() };
        Some(Self { numbering, root: compiler.node(predicate).tabled() })
    }

    /// Whether the local numbers of a state are those that it was made for.
    #[inline]
    pub fn is_for(&self, numbering: Option<Numbering>) -> bool {
        numbering == Some(self.numbering)
    }

    /// Whether it holds in a state. `view` is the same state, as atoms see it.
    #[inline]
    pub fn eval<V: View>(&self, state: &StateView<'_>, view: &V) -> Result<bool, EvalError> {
        self.root.eval(state, view)
    }
}

struct Compiler<'a, 'b> {
    state: &'a StateView<'b>,
    may_reorder: bool,
}

impl Compiler<'_, '_> {
    fn node(&self, predicate: &Predicate) -> Node {
        let nodes = |operands: &[Predicate]| operands.iter().map(|operand| self.node(operand)).collect();
        match predicate {
            Predicate::Not(operand) => {
                let operand = self.node(operand);
                Node { component: operand.component, kind: Kind::Not(Box::new(operand)) }
            }
            Predicate::And(operands) => self.joined(Connective::And, nodes(operands)),
            Predicate::Or(operands) => self.joined(Connective::Or, nodes(operands)),
            Predicate::Xor(operands) => self.joined(Connective::Xor, nodes(operands)),
            Predicate::Enabled(transition) => {
                let kind = || Kind::Enables(*transition);
                match self.state.components_of(*transition).as_slice() {
                    // It touches nothing that changes: the same in every state.
                    [] => Node { component: Some(0), kind: Kind::Atom(predicate.clone()) },
                    [one] => Node { component: Some(*one), kind: kind() },
                    several => {
                        let part = |component: &u32| Node { component: Some(*component), kind: kind() };
                        self.joined(Connective::And, several.iter().map(part).collect())
                    }
                }
            }
            // Looked at once for all formulas: see `groups`.
            Predicate::AnyEnabled(transitions) => {
                let components = transitions.iter().flat_map(|t| self.state.components_of(*t));
                Node { component: only(components).unwrap_or(Some(0)), kind: Kind::Atom(predicate.clone()) }
            }
            Predicate::Deadlock | Predicate::Initial => {
                Node { component: None, kind: Kind::Atom(predicate.clone()) }
            }
            Predicate::Compare(_) | Predicate::True | Predicate::False => {
                let places = predicate.places();
                let complement = |place: &PlaceId| self.state.complement_of(*place);
                let others = places.iter().filter_map(complement).flatten();
                let components =
                    places.iter().chain(others).filter_map(|place| self.state.component_of(*place));
                // What speaks of constant places only is the same for every number of any component.
                let component = only(components).unwrap_or(Some(0));
                Node { component, kind: Kind::Atom(predicate.clone()) }
            }
        }
    }

    /// Operands as one node. If they do not all speak of one component, those that do so become tables.
    fn joined(&self, connective: Connective, operands: Vec<Node>) -> Node {
        if let Some(Some(component)) = only(operands.iter().map(|operand| operand.component)) {
            return Node { component: Some(component), kind: Kind::Joined(connective, operands) };
        }
        if !self.may_reorder {
            let operands = operands.into_iter().map(Node::tabled).collect();
            return Node { component: None, kind: Kind::Joined(connective, operands) };
        }
        // Operands of operands may belong to the same components as these.
        let mut flat = Vec::with_capacity(operands.len());
        for operand in operands {
            match operand {
                Node { component: None, kind: Kind::Joined(inner, nodes) } if inner == connective => {
                    flat.extend(nodes.into_iter().map(Node::untabled));
                }
                other => flat.push(other),
            }
        }
        let mut groups: Vec<(Option<u32>, Vec<Node>)> = Vec::new();
        for node in flat {
            let same = |group: &&mut (Option<u32>, Vec<Node>)| group.0.is_some() && group.0 == node.component;
            match groups.iter_mut().find(same) {
                Some((_, group)) => group.push(node),
                None => groups.push((node.component, vec![node])),
            }
        }
        match connective {
            Connective::Or => list(&mut groups, false),
            Connective::And => list(&mut groups, true),
            Connective::Xor => {}
        }
        // Tables are looked at before anything else.
        groups.sort_by_key(|(component, _)| component.is_none());
        let one = |(component, mut group): (Option<u32>, Vec<Node>)| match group.len() {
            1 => group.remove(0).tabled(),
            _ => Node { component, kind: Kind::Joined(connective, group) }.tabled(),
        };
        Node { component: None, kind: Kind::Joined(connective, groups.into_iter().map(one).collect()) }
    }
}

/// Puts the conjunctions of tables among groups of operands into lists, if they are many: those of a disjunction, or the
/// denied ones of a conjunction.
fn list(groups: &mut Vec<(Option<u32>, Vec<Node>)>, denied: bool) {
    let is_listed = |(component, nodes): &(Option<u32>, Vec<Node>)| {
        let is_meant = |node: &Node| match &node.kind {
            Kind::Not(operand) if denied => operand.is_conjunction_of_tables(),
            _ => !denied && node.is_conjunction_of_tables(),
        };
        component.is_none() && matches!(&nodes[..], [node] if is_meant(node))
    };
    if groups.iter().filter(|group| is_listed(group)).count() < MANY {
        return;
    }
    let mut lists: Vec<Lists> = Vec::new();
    for (_, nodes) in groups.extract_if(.., |group| is_listed(group)) {
        for node in nodes {
            let conjunction = match node.kind {
                Kind::Not(operand) => operand.kind,
                kind => kind,
            };
            let Kind::Joined(_, operands) = conjunction else { continue };
            let Some(component) = operands.first().and_then(|first| first.component) else { continue };
            match lists.iter_mut().find(|lists| lists.component == component) {
                Some(lists) => lists.conjunctions.push(operands),
                None => {
                    let conjunctions = vec![operands];
                    lists.push(Lists { component, conjunctions, by_number: Pages::default() });
                }
            }
        }
    }
    let some = Node { component: None, kind: Kind::Some(lists) };
    let node = if denied { Node { component: None, kind: Kind::Not(Box::new(some)) } } else { some };
    groups.push((None, vec![node]));
}

impl Lists {
    /// Whether one of the conjunctions holds.
    fn eval<V: View>(&self, state: &StateView<'_>, view: &V) -> Result<bool, EvalError> {
        let holds = |at: &u32| Connective::And.eval(&self.conjunctions[*at as usize][1..], state, view);
        let number = state.local_number(self.component);
        let find = || -> Result<Box<[u32]>, EvalError> {
            let mut found = Vec::new();
            for (at, conjunction) in (0u32..).zip(&self.conjunctions) {
                if conjunction[0].eval(state, view)? {
                    found.push(at);
                }
            }
            Ok(found.into())
        };
        let any = |list: &[u32]| {
            for at in list {
                if holds(at)? {
                    return Ok(true);
                }
            }
            Ok(false)
        };
        match self.by_number.get(number) {
            Some(slot) => match slot.get() {
                Some(list) => any(list),
                None => {
                    let list = find()?;
                    any(slot.get_or_init(|| list))
                }
            },
            None => any(&find()?),
        }
    }
}

/// The one thing that all of them are, `Some(None)` if they differ; nothing if there is none.
fn only<T: Into<Option<u32>>>(all: impl Iterator<Item = T>) -> Option<Option<u32>> {
    all.map(Into::into).reduce(|a, b| if a == b { a } else { None })
}

impl Node {
    /// The same as a table, if it speaks of one component.
    fn tabled(self) -> Self {
        match self {
            Self { component: Some(_), kind: Kind::Tabled(..) } | Self { component: None, .. } => self,
            _ => Self { component: self.component, kind: Kind::Tabled(Box::new((Table::default(), self))) },
        }
    }

    fn is_conjunction_of_tables(&self) -> bool {
        let is_table = |node: &Self| matches!(node.kind, Kind::Tabled(_));
        matches!(&self.kind, Kind::Joined(Connective::And, operands) if operands.iter().all(is_table))
    }

    fn untabled(self) -> Self {
        match self.kind {
            Kind::Tabled(tabled) => tabled.1,
            kind => Self { kind, ..self },
        }
    }

    fn eval<V: View>(&self, state: &StateView<'_>, view: &V) -> Result<bool, EvalError> {
        match (&self.kind, self.component) {
            (Kind::Tabled(tabled), Some(component)) => {
                let (table, node) = &**tabled;
                let number = state.local_number(component);
                match table.get(number) {
                    Some(known) => known,
                    None => table.fill(number, node.eval(state, view)),
                }
            }
            (Kind::Joined(connective, operands), _) => connective.eval(operands, state, view),
            (Kind::Not(operand), _) => Ok(!operand.eval(state, view)?),
            (Kind::Enables(transition), Some(component)) => Ok(state.is_enabled_in(component, *transition)),
            (Kind::Atom(predicate), _) => predicate.eval(view),
            (Kind::Some(lists), _) => {
                for lists in lists {
                    if lists.eval(state, view)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            (Kind::Tabled(_) | Kind::Enables(_), None) => unreachable!("they speak of one component"),
        }
    }
}

impl Connective {
    #[inline]
    fn eval<V: View>(self, operands: &[Node], state: &StateView<'_>, view: &V) -> Result<bool, EvalError> {
        let mut odd = false;
        for operand in operands {
            match (self, operand.eval(state, view)?) {
                (Self::And, false) => return Ok(false),
                (Self::Or, true) => return Ok(true),
                (Self::Xor, value) => odd ^= value,
                _ => {}
            }
        }
        Ok(match self {
            Self::And => true,
            Self::Or => false,
            Self::Xor => odd,
        })
    }
}

/// Something for each local number, made when it is needed.
///
/// It grows as a [`Table`] does. Numbers beyond the last page have no room.
#[derive(Debug)]
pub(crate) struct Pages<T> {
    pages: [OnceLock<Box<[OnceLock<T>]>>; LISTED_PAGES],
}

/// Pages of lists: for up to 262,080 numbers.
const LISTED_PAGES: usize = 12;

impl<T> Default for Pages<T> {
    fn default() -> Self {
        Self { pages: std::array::from_fn(|_| OnceLock::new()) }
    }
}

impl<T> Pages<T> {
    /// The slot of a number.
    pub(crate) fn get(&self, number: u32) -> Option<&OnceLock<T>> {
        let (page, word, shift) = place(number);
        let page_of = self.pages.get(page)?;
        let all = page_of.get_or_init(|| (0..FIRST_PAGE << page).map(|_| OnceLock::new()).collect());
        Some(&all[word * PER_WORD as usize + (shift / 2) as usize])
    }
}

/// Two bits for each local number: unknown, false, true, or that there is no value.
///
/// It grows without moving, because others read it: page k has room for 64·2^k numbers and is made when the first
/// of them is filled in. Numbers beyond the last page are never known.
#[derive(Debug, Default)]
struct Table {
    pages: [OnceLock<Box<[AtomicU64]>>; PAGES],
}

/// Pages of a table: all together have 1 MiB.
const PAGES: usize = 16;

const PER_WORD: u32 = 32;
const FIRST_PAGE: u32 = 64;
const WORDS_OF_FIRST: usize = (FIRST_PAGE / PER_WORD) as usize;

const FALSE: u64 = 1;
const TRUE: u64 = 2;
const OVERFLOW: u64 = 3;

/// The page, word and shift of a number.
#[inline]
fn place(number: u32) -> (usize, usize, u32) {
    let units = u64::from(number / FIRST_PAGE) + 1;
    let page = units.ilog2();
    let within = u64::from(number) + u64::from(FIRST_PAGE) - (u64::from(FIRST_PAGE) << page);
    (page as usize, (within / u64::from(PER_WORD)) as usize, number % PER_WORD * 2)
}

impl Table {
    #[inline]
    fn get(&self, number: u32) -> Option<Result<bool, EvalError>> {
        let (page, word, shift) = place(number);
        let page = self.pages.get(page)?.get()?;
        match page[word].load(Ordering::Relaxed) >> shift & 3 {
            FALSE => Some(Ok(false)),
            TRUE => Some(Ok(true)),
            OVERFLOW => Some(Err(EvalError::Overflow)),
            _ => None,
        }
    }

    /// Fills in what is found out of a number, and gives it back.
    #[cold]
    fn fill(&self, number: u32, value: Result<bool, EvalError>) -> Result<bool, EvalError> {
        let (page, word, shift) = place(number);
        let bits = match value {
            Ok(false) => FALSE,
            Ok(true) => TRUE,
            Err(EvalError::Overflow) => OVERFLOW,
        };
        if let Some(at) = self.pages.get(page) {
            let words = WORDS_OF_FIRST << page;
            let page = at.get_or_init(|| (0..words).map(|_| AtomicU64::new(0)).collect());
            page[word].fetch_or(bits << shift, Ordering::Relaxed);
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_knows_what_was_filled_in_and_nothing_else() {
        let table = Table::default();
        let values = [Ok(false), Ok(true), Err(EvalError::Overflow)];
        let numbers: Vec<u32> = (0..1_000).chain([65_535, 65_536, 1 << 20, (1 << 22) - 65]).collect();
        for (at, number) in numbers.iter().enumerate() {
            assert_eq!(table.get(*number), None, "{number}");
            assert_eq!(table.fill(*number, values[at % 3]), values[at % 3]);
        }
        for (at, number) in numbers.iter().enumerate() {
            assert_eq!(table.get(*number), Some(values[at % 3]), "{number}");
        }
        assert_eq!(table.get(1_000), None);
    }

    #[test]
    fn numbers_beyond_the_last_page_are_never_known() {
        let table = Table::default();
        for number in [(1 << 22) - 64, u32::MAX] {
            assert_eq!(table.fill(number, Ok(true)), Ok(true));
            assert_eq!(table.get(number), None);
        }
    }

    #[test]
    fn every_number_has_bits_of_its_own() {
        let mut seen = std::collections::HashSet::new();
        for number in 0..100_000 {
            let (page, word, shift) = place(number);
            assert!(word < WORDS_OF_FIRST << page);
            assert!(seen.insert((page, word, shift)), "{number}");
        }
    }
}
