//! Names that a format cannot carry as they are.

use std::collections::HashSet;

use crate::Warning;
use crate::warning::of_net;

/// Names to write, in the order of the nodes; each either the id itself or a replacement that nothing else has.
pub(crate) struct Names {
    names: Vec<Option<String>>,
    examples: Vec<String>,
    changed: usize,
}

impl Names {
    /// How many changes a warning shows.
    const SHOWN: usize = 3;

    /// Keeps ids that are legal and not taken; for others makes one up from their legal characters. `taken`
    /// holds the names of nodes that share a name space, and receives those of these.
    pub(crate) fn new<'n>(
        ids: impl Iterator<Item = &'n str> + Clone,
        taken: &mut HashSet<String>,
        is_legal: impl Fn(&str) -> bool,
        is_legal_char: impl Fn(char) -> bool,
    ) -> Self {
        let mut this = Self { names: Vec::new(), examples: Vec::new(), changed: 0 };
        // Those that can stay have the first choice, so that as few as possible change.
        let keep: Vec<bool> = ids.clone().map(|id| is_legal(id) && taken.insert(id.to_owned())).collect();
        let mut next_number = 1_u64;
        for (id, keep) in ids.zip(keep) {
            if keep {
                this.names.push(None);
                continue;
            }
            let mut base: String = id.chars().map(|c| if is_legal_char(c) { c } else { '_' }).collect();
            // Empty, or illegal for how it begins, whatever follows.
            if base.is_empty() || !is_legal(&format!("{base}_0")) {
                base.insert(0, '_');
            }
            let mut name = base.clone();
            while !is_legal(&name) || !taken.insert(name.clone()) {
                name = format!("{base}_{next_number}");
                next_number += 1;
            }
            if this.examples.len() < Self::SHOWN {
                this.examples.push(format!("'{id}' is written as '{name}'"));
            }
            this.changed += 1;
            this.names.push(Some(name));
        }
        this
    }

    /// The name to write for the node with this number and id.
    pub(crate) fn get<'s>(&'s self, index: usize, id: &'s str) -> &'s str {
        self.names[index].as_deref().unwrap_or(id)
    }

    /// Whether the node's name had to change.
    pub(crate) fn is_changed(&self, index: usize) -> bool {
        self.names[index].is_some()
    }

    /// What changed, if anything did.
    pub(crate) fn warning(&self, format: crate::Format, what: &str) -> Option<Warning> {
        let more = match self.changed - self.examples.len() {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        let examples = self.examples.join(", ");
        let message = || format!("some names of {what} cannot be written in {format}: {examples}{more}");
        (self.changed > 0).then(|| of_net(message()))
    }
}
