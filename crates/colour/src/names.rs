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
        let transition = &self.transitions[transition];
        if transition.variables.is_empty() {
            return transition.id.to_string();
        }
        let mut at = 0;
        let value = |variable: &crate::Variable| {
            let from = at;
            at += self.types.width(variable.type_);
            format!("{}={}", variable.name, self.types.show(variable.type_, &binding[from..at]))
        };
        let values: Vec<String> = transition.variables.iter().map(value).collect();
        format!("{}({})", transition.id, values.join(","))
    }
}
