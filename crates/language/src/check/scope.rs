//! What names mean.

use std::collections::HashMap;
use std::sync::Arc;

use sweepnet_colour::{ColouredNet, Node, Shape, Sort, Term, TypeId};

use crate::ast::{Expr, Span};
use crate::model::Setting;

/// The names of a model: one name space for parameters, types and functions, one for constants and variants,
/// one for places, one for transitions.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub(super) globals: HashMap<String, Global>,
    /// Constants of enumerations and variants of unions, with the types that have them.
    pub(super) constants: HashMap<String, Vec<TypeId>>,
    /// Shared by copies: nets can have many.
    pub(super) places: Arc<HashMap<String, usize>>,
    pub(super) transitions: Arc<HashMap<String, usize>>,
}

/// What a parameter, type or function is.
#[derive(Clone, Debug)]
pub(super) enum Global {
    /// A literal.
    Param(Term),
    Type(TypeId),
    Function(Arc<Function>),
    /// Declared by this item, not looked at yet.
    Pending(usize),
    /// Being looked at: whoever needs it now needs itself.
    Resolving,
    /// Wrong; an error was reported.
    Broken,
}

/// A function. Calls are replaced by its body.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub name: String,
    pub span: Span,
    pub parameters: Vec<(String, Sort)>,
    /// The sort of its value, or of the values in its multiset.
    pub result: Option<Sort>,
    pub body: Expr,
    /// Whether it gives a multiset.
    pub multiset: bool,
}

impl Scope {
    /// The names of a net that came without a text: its places and transitions, by id and by labels that only
    /// one has, and its named types with their constants.
    pub fn of(net: &ColouredNet) -> Self {
        let mut scope = Self::default();
        for id in net.types.ids() {
            if let Some(name) = &net.types.get(id).name {
                scope.globals.insert(name.to_string(), Global::Type(id));
            }
            scope.add_constants(id, net.types.shape(id));
        }
        scope.places = Arc::new(names(net.places.iter().map(|place| (&*place.id, place.label.as_deref()))));
        scope.transitions = Arc::new(names(net.transitions.iter().map(|t| (&*t.id, t.label.as_deref()))));
        scope
    }

    /// The parameters with their values, in the order of their names.
    pub fn parameters(&self) -> Vec<(&str, Setting)> {
        let value = |name| match self.globals.get(name) {
            Some(Global::Param(Term { node: Node::Integer(value), .. })) => {
                Some((name, Setting::Integer(*value)))
            }
            Some(Global::Param(Term { node: Node::Constant(words), sort: Sort::Of(TypeId::BOOL) })) => {
                Some((name, Setting::Truth(words.first() != Some(&0))))
            }
            _ => None,
        };
        let names = self.globals_that(|global| matches!(global, Global::Param(_)));
        names.into_iter().filter_map(value).collect()
    }

    /// Enters the constants or variants of a type.
    pub(super) fn add_constants(&mut self, id: TypeId, shape: &Shape) {
        let mut add = |name: &str| {
            let types = self.constants.entry(name.to_owned()).or_default();
            if !types.contains(&id) {
                types.push(id);
            }
        };
        match shape {
            Shape::Enum { names, .. } => names.iter().for_each(|name| add(name)),
            Shape::Union(variants) => variants.iter().for_each(|(name, _)| add(name)),
            _ => {}
        }
    }

    /// Names of one kind, to suggest.
    pub(super) fn globals_that(&self, wanted: impl Fn(&Global) -> bool) -> Vec<&str> {
        let globals = self.globals.iter().filter(|(_, global)| wanted(global));
        let mut names: Vec<&str> = globals.map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        names
    }
}

/// The names in a map, in order.
pub(super) fn sorted<T>(map: &HashMap<String, T>) -> Vec<&str> {
    let mut names: Vec<&str> = map.keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

/// Positions by id, then by labels that are no ids and that only one has.
fn names<'a>(nodes: impl Iterator<Item = (&'a str, Option<&'a str>)> + Clone) -> HashMap<String, usize> {
    let mut labels: HashMap<&str, Option<usize>> = HashMap::new();
    for (position, (_, label)) in nodes.clone().enumerate() {
        if let Some(label) = label {
            labels.entry(label).and_modify(|first| *first = None).or_insert(Some(position));
        }
    }
    let unique = labels.into_iter().filter_map(|(label, position)| Some((label.to_owned(), position?)));
    let mut found: HashMap<String, usize> = unique.collect();
    found.extend(nodes.enumerate().map(|(position, (id, _))| (id.to_owned(), position)));
    found
}
