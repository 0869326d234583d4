//! Results by what was looked at to find them: the same looks with the same values give the same result.

use crate::cells::Look;
use rustc_hash::FxHashMap;

/// A place in the table: what is looked at next, or the result.
enum Node<T> {
    Unknown,
    Look(Look),
    Result(T),
}

pub(crate) struct Decisions<T> {
    nodes: Vec<Node<T>>,
    /// Where a value leads to.
    next: FxHashMap<(u32, u32), u32>,
}

impl<T> Decisions<T> {
    pub(crate) fn new() -> Self {
        Decisions { nodes: Vec::new(), next: FxHashMap::default() }
    }

    /// The beginning of one question.
    pub(crate) fn root(&mut self) -> u32 {
        self.nodes.push(Node::Unknown);
        self.nodes.len() as u32 - 1
    }

    /// The result, if one is known for these values.
    pub(crate) fn find(&self, root: u32, value: impl Fn(Look) -> u32) -> Option<&T> {
        let mut at = root;
        loop {
            match &self.nodes[at as usize] {
                Node::Unknown => return None,
                Node::Result(result) => return Some(result),
                Node::Look(look) => at = *self.next.get(&(at, value(*look)))?,
            }
        }
    }

    /// Keeps a result with all that was looked at.
    pub(crate) fn keep(&mut self, root: u32, looks: &[Look], value: impl Fn(Look) -> u32, result: T) {
        let mut at = root;
        for look in looks {
            // The rules are deterministic: after equal looks with equal values comes the same look.
            if let Node::Unknown = self.nodes[at as usize] {
                self.nodes[at as usize] = Node::Look(*look);
            }
            let nodes = &mut self.nodes;
            at = *self.next.entry((at, value(*look))).or_insert_with(|| {
                nodes.push(Node::Unknown);
                nodes.len() as u32 - 1
            });
        }
        self.nodes[at as usize] = Node::Result(result);
    }
}
