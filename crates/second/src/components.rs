//! Strongly connected components.

/// The components of a graph, each sorted.
pub(crate) fn components(next: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut search = Search { next, index: vec![None; next.len()], low: vec![0; next.len()], ..Search::default() };
    for start in 0..next.len() {
        if search.index[start].is_none() {
            search.from(start);
        }
    }
    search.found
}

/// Tarjan's algorithm with a stack of its own.
#[derive(Default)]
struct Search<'g> {
    next: &'g [Vec<usize>],
    index: Vec<Option<usize>>,
    low: Vec<usize>,
    stack: Vec<usize>,
    is_on_stack: rustc_hash::FxHashSet<usize>,
    count: usize,
    found: Vec<Vec<usize>>,
}

impl Search<'_> {
    fn enter(&mut self, at: usize) {
        self.index[at] = Some(self.count);
        self.low[at] = self.count;
        self.count += 1;
        self.stack.push(at);
        self.is_on_stack.insert(at);
    }

    fn from(&mut self, start: usize) {
        self.enter(start);
        let mut calls = vec![(start, 0)];
        while let Some((at, turn)) = calls.pop() {
            if let Some(to) = self.next[at].get(turn).copied() {
                calls.push((at, turn + 1));
                match self.index[to] {
                    None => {
                        self.enter(to);
                        calls.push((to, 0));
                    }
                    Some(index) if self.is_on_stack.contains(&to) => self.low[at] = self.low[at].min(index),
                    Some(_) => {}
                }
                continue;
            }
            if let Some((parent, _)) = calls.last() {
                self.low[*parent] = self.low[*parent].min(self.low[at]);
            }
            if Some(self.low[at]) == self.index[at] {
                self.leave(at);
            }
        }
    }

    fn leave(&mut self, root: usize) {
        let mut component = Vec::new();
        while let Some(at) = self.stack.pop() {
            self.is_on_stack.remove(&at);
            component.push(at);
            if at == root {
                break;
            }
        }
        component.sort_unstable();
        self.found.push(component);
    }
}
