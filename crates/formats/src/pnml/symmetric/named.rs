//! Operators that the net defines: their definitions are read anew wherever they are used.

use sweepnet_colour::term::{Node, Slot, Term};
use sweepnet_colour::{Bag, TypeId};

use super::declarations::parameters;
use super::terms::Terms;
use crate::error::clip;
use crate::pnml::tree::Element;
use crate::{ErrorKind, ReadError};

/// An operator in use.
struct Call<'e> {
    definition: &'e Element,
    arguments: usize,
    /// Arguments that are more than a name or constant are kept in variables, so that they do not multiply.
    lets: Vec<(Slot, Term)>,
}

/// What makes a multiset of a term.
pub(super) type Then<'t, 'd, 'e> = &'t mut dyn FnMut(&mut Terms<'d, 'e>, Term) -> Result<Bag, ReadError>;

impl<'d, 'e> Terms<'d, 'e> {
    /// An operator that stands for a value.
    pub(super) fn call(
        &mut self,
        term: &'e Element,
        operator: &'e Element,
        wanted: Option<TypeId>,
    ) -> Result<Term, ReadError> {
        let call = self.begin(term, operator)?;
        let body = self.term(call.definition, wanted)?;
        self.scope.forget(call.arguments);
        Ok(call.lets.into_iter().rev().fold(body, |body, (slot, argument)| {
            let sort = body.sort;
            Term::new(Node::Let(slot, Box::new(argument), Box::new(body)), sort)
        }))
    }

    /// An operator that stands for a multiset, or may do so.
    pub(super) fn call_bag(
        &mut self,
        term: &'e Element,
        operator: &'e Element,
        wanted: TypeId,
        then: Then<'_, 'd, 'e>,
    ) -> Result<Bag, ReadError> {
        let call = self.begin(term, operator)?;
        let body = self.spread(call.definition, wanted, then)?;
        self.scope.forget(call.arguments);
        let around = |body, (slot, argument)| Bag::Let(slot, Box::new(argument), Box::new(body));
        Ok(call.lets.into_iter().rev().fold(body, around))
    }

    fn begin(&mut self, term: &'e Element, operator: &'e Element) -> Result<Call<'e>, ReadError> {
        let operands = term.operands()?;
        let parameters: Vec<&Element> = parameters(operator).collect();
        if operands.len() != parameters.len() {
            let name = clip(operator.get("name").or(operator.get("id")).unwrap_or_default());
            let found = format!("the operator '{name}' with {} arguments", operands.len());
            return Err(ErrorKind::unexpected(found, parameters.len().to_string()).at(term.at));
        }
        let definition = operator.content().find(|part| &*part.name == "def").ok_or_else(|| {
            ErrorKind::unexpected("an operator without <def>", "its definition").at(operator.at)
        })?;
        let [definition] = definition.exactly()?;
        let mut lets = Vec::new();
        let mut passed = Vec::new();
        for (operand, parameter) in operands.into_iter().zip(parameters) {
            let id = parameter.get("id").unwrap_or_default();
            let Some(number) = self.declared.variables.get(id).copied() else {
                return Err(ErrorKind::Undeclared { kind: "variable", id: clip(id) }.at(parameter.at));
            };
            let type_ = self.declared.variable_list[number].type_;
            let argument = self.value(operand, type_)?;
            if matches!(argument.node, Node::Variable(_) | Node::Constant(_)) {
                passed.push((number, argument));
            } else {
                let slot = self.bind(type_, operand.at)?;
                passed.push((number, Term::variable(slot, argument.sort)));
                lets.push((slot, argument));
            }
        }
        let arguments = passed.len();
        for (number, argument) in passed {
            self.scope.pass(number, argument);
        }
        Ok(Call { definition, arguments, lets })
    }
}
