//! Graphs of reachable markings, built the naive way.

use std::collections::{HashMap, VecDeque};

use sweepnet_logic::temporal::{Atoms, answer};
use sweepnet_logic::{Answer, PlainView, Question};
use sweepnet_net::{Marking, Net};
use sweepnet_space::Budget;

/// All reachable markings, the initial one first, and the edges between them.
pub struct Explored {
    pub markings: Vec<Marking>,
    pub edges: Vec<Vec<(u32, u64)>>,
}

/// The graph of a net, unless it has more than so many nodes.
pub fn explored(net: &Net, limit: usize) -> Option<Explored> {
    let initial = net.initial_marking();
    let mut numbers = HashMap::from([(initial.clone(), 0)]);
    let (mut markings, mut edges, mut queue) = (vec![initial], Vec::new(), VecDeque::from([0usize]));
    while let Some(at) = queue.pop_front() {
        let marking = markings[at].clone();
        let mut row = Vec::new();
        for t in net.transition_ids() {
            let Ok(next) = net.fire(&marking, t) else { continue };
            let target = *numbers.entry(next.clone()).or_insert_with(|| {
                markings.push(next);
                queue.push_back(markings.len() - 1);
                markings.len() as u64 - 1
            });
            row.push((t.index() as u32, target));
        }
        edges.push(row);
        if markings.len() > limit {
            return None;
        }
    }
    Some(Explored { markings, edges })
}

impl Explored {
    /// The answers to questions.
    pub fn answers(&mut self, net: &Net, questions: &[Question]) -> Vec<Answer> {
        let budget = Budget::of(4 << 30);
        let mut atoms = Atoms::new(questions, self.edges.len() as u64, &budget).expect("there is memory");
        for (node, marking) in self.markings.iter().enumerate() {
            atoms.look(node as u64, &PlainView { net, marking });
        }
        let one = |question| answer(question, net, &mut self.edges, &atoms, &budget).expect("it is temporal");
        questions.iter().map(one).collect()
    }
}
