//! Strongly connected components of a small graph, by Tarjan's algorithm without recursion.

/// The component of each of `n` nodes, numbered so that no edge leads to a component with a greater number.
///
/// `successors` appends the nodes that the edges of a node lead to.
pub fn components(n: usize, mut successors: impl FnMut(usize, &mut Vec<usize>)) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let mut component = vec![NONE; n];
    let mut found = vec![NONE; n];
    let mut low = vec![0; n];
    let (mut n_found, mut n_components) = (0, 0);
    let mut open = Vec::new();
    // A node, and where its successors begin in the pool of those still to look at.
    let mut path: Vec<(usize, usize)> = Vec::new();
    let mut pool: Vec<usize> = Vec::new();
    for root in 0..n {
        if found[root] != NONE {
            continue;
        }
        let mut entering = Some(root);
        loop {
            if let Some(node) = entering.take() {
                found[node] = n_found;
                low[node] = n_found;
                n_found += 1;
                open.push(node);
                path.push((node, pool.len()));
                successors(node, &mut pool);
            }
            let Some(&(node, start)) = path.last() else { break };
            if pool.len() > start {
                let next = pool.pop().expect("there are some left");
                if found[next] == NONE {
                    entering = Some(next);
                } else if component[next] == NONE {
                    low[node] = low[node].min(found[next]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent] = low[parent].min(low[node]);
            }
            if low[node] == found[node] {
                while let Some(member) = open.pop() {
                    component[member] = n_components;
                    if member == node {
                        break;
                    }
                }
                n_components += 1;
            }
        }
    }
    component
}
