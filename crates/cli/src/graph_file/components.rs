//! Strongly connected components (Tarjan 1972), on a stack of its own.

/// The component of each node, and how many there are. Components are numbered so that edges between them lead
/// to smaller numbers.
pub fn components(nodes: usize, edges: &[(usize, usize)]) -> (Vec<usize>, usize) {
    let mut starts = vec![0usize; nodes + 1];
    for (source, _) in edges {
        starts[source + 1] += 1;
    }
    for node in 0..nodes {
        starts[node + 1] += starts[node];
    }
    let mut targets = vec![0usize; edges.len()];
    let mut next = starts.clone();
    for (source, target) in edges {
        targets[next[*source]] = *target;
        next[*source] += 1;
    }
    const NONE: usize = usize::MAX;
    let mut component = vec![NONE; nodes];
    let mut order = vec![NONE; nodes];
    let mut low = vec![0usize; nodes];
    let mut open = Vec::new();
    let (mut visited, mut count) = (0, 0);
    for root in 0..nodes {
        if order[root] != NONE {
            continue;
        }
        let mut path = vec![(root, starts[root])];
        order[root] = visited;
        low[root] = visited;
        visited += 1;
        open.push(root);
        while let Some((node, at)) = path.last_mut() {
            let node = *node;
            if *at < starts[node + 1] {
                let target = targets[*at];
                *at += 1;
                if order[target] == NONE {
                    order[target] = visited;
                    low[target] = visited;
                    visited += 1;
                    open.push(target);
                    path.push((target, starts[target]));
                } else if component[target] == NONE {
                    low[node] = low[node].min(order[target]);
                }
                continue;
            }
            path.pop();
            if let Some((parent, _)) = path.last() {
                low[*parent] = low[*parent].min(low[node]);
            }
            if low[node] == order[node] {
                while let Some(member) = open.pop() {
                    component[member] = count;
                    if member == node {
                        break;
                    }
                }
                count += 1;
            }
        }
    }
    (component, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_are_components_and_edges_between_them_go_down() {
        let edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 3), (4, 5), (6, 6)];
        let (component, count) = components(7, &edges);
        assert_eq!(count, 4);
        assert!(component[0] == component[1] && component[1] == component[2]);
        assert!(component[3] == component[4] && component[3] != component[5]);
        for (source, target) in edges {
            assert!(component[source] >= component[target]);
        }
    }

    #[test]
    fn a_long_chain_does_not_overflow_the_stack() {
        let edges: Vec<(usize, usize)> = (0..1_000_000).map(|n| (n, n + 1)).collect();
        assert_eq!(components(1_000_001, &edges).1, 1_000_001);
    }
}
