//! What places with values and transitions with bindings are called.

use crate::net::ColouredNet;
use crate::types::{Shape, TypeId};

impl ColouredNet {
    /// A place with a value: `sent(1,2)`; the place alone if there is only one value.
    pub fn place_name(&self, id: &str, type_: TypeId, value: &[u64]) -> String {
        match self.types.shape(type_) {
            Shape::Unit => id.to_owned(),
            Shape::Struct(fields) if !fields.is_empty() => format!("{id}{}", self.types.show(type_, value)),
            _ => format!("{id}({})", self.types.show(type_, value)),
        }
    }

    /// A transition with the words of its variables: `receive(s=1,r=2)`.
    pub fn event_name(&self, transition: usize, binding: &[u64]) -> String {
        let id = &self.transitions[transition].id;
        let binding = self.binding(transition, binding);
        let values: Vec<String> = binding.iter().map(|(name, value)| format!("{name}={value}")).collect();
        if values.is_empty() { id.to_string() } else { format!("{id}({})", values.join(",")) }
    }

    /// The variables of a transition with their values, as they are shown.
    pub fn binding(&self, transition: usize, binding: &[u64]) -> Vec<(String, String)> {
        let mut at = 0;
        let value = |variable: &crate::Variable| {
            let from = at;
            at += self.types.width(variable.type_);
            (variable.name.to_string(), self.types.show(variable.type_, &binding[from..at]))
        };
        self.transitions[transition].variables.iter().map(value).collect()
    }
}
