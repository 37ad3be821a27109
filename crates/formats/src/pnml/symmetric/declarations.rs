//! What a net declares: sorts, variables, constants, partitions and operators, in any order.

use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;
use std::rc::Rc;

use sweepnet_colour::{TypeId, Types};

use super::partitions::Partition;
use crate::error::clip;
use crate::pnml::tree::Element;
use crate::{ErrorKind, Position, ReadError};

/// The most terms that are read of a net, those of expanded operators and tuples included.
const MOST_TERMS: usize = 1 << 22;

/// Everything a net declares, by its ids.
pub(super) struct Declarations<'e> {
    pub(super) types: Types,
    pub(super) sorts: HashMap<&'e str, Sort<'e>>,
    pub(super) partitions: HashMap<&'e str, Rc<Partition>>,
    pub(super) variables: HashMap<&'e str, usize>,
    pub(super) operators: HashMap<&'e str, Operator<'e>>,
    pub(super) variable_list: Vec<Variable<'e>>,
    pub(super) terms: usize,
}

/// A named sort, or a partition, which is a sort as well.
#[derive(Clone, Copy)]
pub(super) enum Sort<'e> {
    /// Not looked at so far.
    Declared(&'e Element),
    /// Being looked at.
    Open,
    /// Made a type.
    Made(TypeId),
}

/// Something with arguments or without.
#[derive(Clone, Copy)]
pub(super) enum Operator<'e> {
    /// A constant of an enumeration, by its number.
    Constant(TypeId, u64),
    /// An element of a partition, by its number.
    Element(&'e str, u64),
    /// An operator with parameters, by its declaration.
    Named(&'e Element),
}

/// A variable.
pub(super) struct Variable<'e> {
    pub(super) name: &'e str,
    pub(super) type_: TypeId,
    /// Of an operator, and known in its definition only.
    is_parameter: bool,
}

impl<'e> Declarations<'e> {
    /// Reads the trees of all declarations.
    pub(super) fn new(structures: &'e [Element]) -> Result<Self, ReadError> {
        let mut this = Self {
            types: Types::default(),
            sorts: HashMap::new(),
            partitions: HashMap::new(),
            variables: HashMap::new(),
            operators: HashMap::new(),
            variable_list: Vec::new(),
            terms: 0,
        };
        let mut sorts = Vec::new();
        let (mut variables, mut all_parameters) = (Vec::new(), Vec::new());
        let blocks = structures.iter().flat_map(Element::content);
        for declaration in blocks.flat_map(|block| match &*block.name {
            "declarations" => block.content().collect(),
            _ => vec![block],
        }) {
            match &*declaration.name {
                "namedsort" => sorts.push(id(declaration, "namedsort")?),
                "partition" => sorts.push(id(declaration, "partition")?),
                "variabledecl" => {
                    id(declaration, "variabledecl")?;
                    variables.push(declaration);
                    continue;
                }
                "namedoperator" => {
                    let id = id(declaration, "namedoperator")?;
                    let operator = Operator::Named(declaration);
                    new(&mut this.operators, id, operator, "operator", declaration.at)?;
                    all_parameters.extend(parameters(declaration));
                    continue;
                }
                other => {
                    let name = clip(other);
                    return Err(ErrorKind::Unsupported { kind: "declaration", name }.at(declaration.at));
                }
            }
            let id = sorts[sorts.len() - 1];
            new(&mut this.sorts, id, Sort::Declared(declaration), "sort", declaration.at)?;
        }
        for id in sorts {
            this.named_sort(id, structures[0].at)?;
        }
        this.types.set_name(TypeId::UNIT, "dot");
        for declaration in variables {
            this.variable(declaration, false)?;
        }
        for declaration in all_parameters {
            this.variable(declaration, true)?;
        }
        Ok(this)
    }

    fn variable(&mut self, declaration: &'e Element, is_parameter: bool) -> Result<(), ReadError> {
        let id = id(declaration, "variabledecl")?;
        let name = declaration.get("name").unwrap_or(id);
        let type_ = self.sort(declaration.only("the sort of the variable")?)?;
        new(&mut self.variables, id, self.variable_list.len(), "variable", declaration.at)?;
        self.variable_list.push(Variable { name, type_, is_parameter });
        Ok(())
    }

    /// The variable that an element refers to.
    pub(super) fn find_variable(&self, element: &'e Element) -> Result<usize, ReadError> {
        let id = element.require("variable", "refvariable", "the id of a variable")?;
        let found = self.variables.get(id).copied();
        found.ok_or_else(|| ErrorKind::Undeclared { kind: "variable", id: clip(id) }.at(element.at))
    }

    /// Adds the variables that occur in a term.
    pub(super) fn variables_in(
        &self,
        element: &'e Element,
        used: &mut BTreeSet<usize>,
    ) -> Result<(), ReadError> {
        let mut open = vec![element];
        while let Some(element) = open.pop() {
            if &*element.name == "variable" {
                let number = self.find_variable(element)?;
                if self.variable_list[number].is_parameter {
                    let id = clip(self.variable_list[number].name);
                    return Err(ErrorKind::Undeclared { kind: "variable", id }.at(element.at));
                }
                used.insert(number);
            }
            open.extend(element.content());
        }
        Ok(())
    }

    /// Counts a term; operators that expand to more and more of them come to an end here.
    pub(super) fn count_term(&mut self, at: Position) -> Result<(), ReadError> {
        self.terms += 1;
        if self.terms > MOST_TERMS { Err(ErrorKind::TooMuch.at(at)) } else { Ok(()) }
    }
}

/// The declarations of an operator's parameters.
pub(super) fn parameters(operator: &Element) -> impl Iterator<Item = &Element> {
    let lists = operator.content().filter(|part| &*part.name == "parameter");
    lists.flat_map(Element::content).filter(|part| &*part.name == "variabledecl")
}

/// The id of a declaration.
pub(super) fn id<'e>(declaration: &'e Element, element: &'static str) -> Result<&'e str, ReadError> {
    declaration.require(element, "id", "a name to refer to it by")
}

/// Adds a declaration under a new id.
pub(super) fn new<K: AsRef<str> + Eq + Hash, V>(
    map: &mut HashMap<K, V>,
    id: K,
    value: V,
    kind: &'static str,
    at: Position,
) -> Result<(), ReadError> {
    let twice = ErrorKind::DeclaredTwice { kind, id: clip(id.as_ref()) };
    match map.insert(id, value) {
        Some(_) => Err(twice.at(at)),
        None => Ok(()),
    }
}
