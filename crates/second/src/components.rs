//! Strongly connected components, by two searches in depth: one forwards, one backwards.

/// The components of a graph, each sorted.
pub(crate) fn components(next: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut before = vec![Vec::new(); next.len()];
    for (at, all) in next.iter().enumerate() {
        all.iter().for_each(|to| before[*to].push(at));
    }
    let (mut seen, mut order) = (vec![false; next.len()], Vec::new());
    (0..next.len()).for_each(|start| walk(next, start, &mut seen, &mut order));
    let (mut seen, mut found) = (vec![false; next.len()], Vec::new());
    for start in order.into_iter().rev() {
        let mut component = Vec::new();
        walk(&before, start, &mut seen, &mut component);
        component.sort_unstable();
        found.push(component);
    }
    found.retain(|component| !component.is_empty());
    found
}

/// All that is reached from a start and was not seen, each after what follows it.
fn walk(next: &[Vec<usize>], start: usize, seen: &mut [bool], out: &mut Vec<usize>) {
    let mut calls = Vec::new();
    if !std::mem::replace(&mut seen[start], true) {
        calls.push((start, 0));
    }
    while let Some((at, turn)) = calls.pop() {
        let Some(to) = next[at].get(turn) else {
            out.push(at);
            continue;
        };
        calls.push((at, turn + 1));
        if !std::mem::replace(&mut seen[*to], true) {
            calls.push((*to, 0));
        }
    }
}
