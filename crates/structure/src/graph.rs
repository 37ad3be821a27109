//! The net as a graph: places and transitions as nodes, arcs as edges. Weak components, strong connectivity and
//! reachability by iterative traversals, linear in nodes and arcs.
//!
//! Input and output arcs are edges. Read and inhibitor arcs count as edges in both directions of sight: they
//! tie nodes together (weak connectivity), and tokens of the place matter to the transition (an edge from the
//! place). A reset arc leads from the transition to the place.

use sweepnet_net::Net;

/// Nodes are places, then transitions.
pub(crate) struct Graph {
    forward: Adjacency,
    backward: Adjacency,
    nodes: usize,
}

struct Adjacency {
    starts: Vec<usize>,
    targets: Vec<u32>,
}

impl Adjacency {
    fn new(nodes: usize, edges: impl Iterator<Item = (usize, usize)> + Clone) -> Self {
        let mut starts = vec![0; nodes + 1];
        for (from, _) in edges.clone() {
            starts[from + 1] += 1;
        }
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let mut targets = vec![0; starts[nodes]];
        for (from, to) in edges {
            targets[next[from]] = to as u32;
            next[from] += 1;
        }
        Self { starts, targets }
    }

    fn of(&self, node: usize) -> &[u32] {
        &self.targets[self.starts[node]..self.starts[node + 1]]
    }
}

impl Graph {
    pub(crate) fn of(net: &Net) -> Self {
        let places = net.places().len();
        let nodes = places + net.transitions().len();
        let edges = net.transition_ids().flat_map(|t| {
            let node = places + t.index();
            let tests = net.inputs().of(t).iter().chain(net.reads().of(t)).chain(net.inhibitors().of(t));
            let effects = net.outputs().of(t).iter().chain(net.resets().of(t));
            tests
                .map(move |arc| (arc.place.index(), node))
                .chain(effects.map(move |arc| (node, arc.place.index())))
        });
        let forward = Adjacency::new(nodes, edges.clone());
        let backward = Adjacency::new(nodes, edges.map(|(from, to)| (to, from)));
        Self { forward, backward, nodes }
    }

    /// How many pieces the net falls into.
    pub(crate) fn components(&self) -> usize {
        let mut seen = vec![false; self.nodes];
        let mut stack = Vec::new();
        let mut components = 0;
        for start in 0..self.nodes {
            if std::mem::replace(&mut seen[start], true) {
                continue;
            }
            components += 1;
            stack.push(start);
            while let Some(node) = stack.pop() {
                for next in self.forward.of(node).iter().chain(self.backward.of(node)) {
                    if !std::mem::replace(&mut seen[*next as usize], true) {
                        stack.push(*next as usize);
                    }
                }
            }
        }
        components
    }

    /// Whether every node reaches every node.
    pub(crate) fn is_strongly_connected(&self) -> bool {
        self.nodes > 0 && self.all_on_paths(0, 0)
    }

    /// Whether every node lies on a path between the two.
    pub(crate) fn all_on_paths(&self, from: usize, to: usize) -> bool {
        reaches_all(&self.forward, from, self.nodes) && reaches_all(&self.backward, to, self.nodes)
    }
}

fn reaches_all(edges: &Adjacency, start: usize, nodes: usize) -> bool {
    let mut seen = vec![false; nodes];
    seen[start] = true;
    let mut stack = vec![start];
    let mut count = 1;
    while let Some(node) = stack.pop() {
        for next in edges.of(node) {
            if !std::mem::replace(&mut seen[*next as usize], true) {
                count += 1;
                stack.push(*next as usize);
            }
        }
    }
    count == nodes
}
