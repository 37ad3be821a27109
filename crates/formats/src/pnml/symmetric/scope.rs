//! The variables that a term may use, and where they are.

use std::collections::{BTreeSet, HashMap};

use sweepnet_colour::term::{Slot, Sort, Term};
use sweepnet_colour::{TypeId, Types};

use super::declarations::Declarations;

/// Words of all variables of a transition.
const LARGEST_FRAME: usize = 1 << 20;

/// Variables with their slots: first those of a transition, then those inside terms. No slot is used twice, because a
/// term may be moved into another after it was read.
pub(super) struct Scope {
    slots: HashMap<usize, Slot>,
    /// What stands for the parameters of operators; the last one counts.
    arguments: Vec<(usize, Term)>,
    frame: Slot,
}

impl Scope {
    /// Without variables.
    pub(super) fn constant() -> Self {
        Self { slots: HashMap::new(), arguments: Vec::new(), frame: 0 }
    }

    /// With these variables.
    pub(super) fn new(declared: &Declarations<'_>, used: &BTreeSet<usize>) -> Self {
        let mut this = Self::constant();
        for variable in used {
            this.slots.insert(*variable, this.frame);
            this.frame += declared.types.width(declared.variable_list[*variable].type_);
        }
        this
    }

    /// The variables of a transition, in the order of their declarations.
    pub(super) fn variables(&self, declared: &Declarations<'_>) -> Vec<sweepnet_colour::Variable> {
        let variable = |(number, slot): (&usize, &Slot)| {
            let variable = &declared.variable_list[*number];
            sweepnet_colour::Variable { name: variable.name.into(), type_: variable.type_, slot: *slot }
        };
        let mut variables: Vec<_> = self.slots.iter().map(variable).collect();
        variables.sort_by_key(|variable| variable.slot);
        variables
    }

    /// What a variable or parameter stands for here.
    pub(super) fn find(&self, declared: &Declarations<'_>, number: usize) -> Option<Term> {
        let argument = self.arguments.iter().rev().find(|(parameter, _)| *parameter == number);
        let sort = Sort::Of(declared.variable_list[number].type_);
        let variable = || self.slots.get(&number).map(|slot| Term::variable(*slot, sort));
        argument.map(|(_, term)| term.clone()).or_else(variable)
    }

    /// The slot of a new variable of a type; nothing if there are too many.
    pub(super) fn bind(&mut self, types: &Types, type_: TypeId) -> Option<Slot> {
        let slot = self.frame;
        self.frame += types.width(type_);
        (self.frame <= LARGEST_FRAME).then_some(slot)
    }

    /// Lets parameters stand for terms, until as many are given up.
    pub(super) fn pass(&mut self, parameter: usize, argument: Term) {
        self.arguments.push((parameter, argument));
    }

    /// Gives up the arguments that were passed last.
    pub(super) fn forget(&mut self, count: usize) {
        self.arguments.truncate(self.arguments.len() - count);
    }

    /// Words of all variables.
    pub(super) fn frame(&self) -> usize {
        self.frame
    }
}
