//! Results by what was looked at to find them: the same looks with the same values give the same result.

use rustc_hash::FxHashMap;

/// So many values of a look are kept in a list.
const FEW: usize = 8;

/// A place in the table: what is looked at next, with where some of the values lead to, or the result.
enum Node<L, T> {
    Unknown,
    Look(L, Vec<(u32, u32)>),
    Result(T),
}

pub(crate) struct Decisions<L, T> {
    nodes: Vec<Node<L, T>>,
    /// Where further values lead to.
    next: FxHashMap<(u32, u32), u32>,
}

impl<L: Copy, T> Decisions<L, T> {
    pub(crate) fn new() -> Self {
        Decisions { nodes: Vec::new(), next: FxHashMap::default() }
    }

    /// The beginning of one question.
    pub(crate) fn root(&mut self) -> u32 {
        self.nodes.push(Node::Unknown);
        self.nodes.len() as u32 - 1
    }

    /// The result, if one is known for these values.
    pub(crate) fn find(&self, root: u32, mut value: impl FnMut(L) -> u32) -> Option<&T> {
        let mut at = root;
        loop {
            match &self.nodes[at as usize] {
                Node::Unknown => return None,
                Node::Result(result) => return Some(result),
                Node::Look(look, few) => at = self.follow(at, few, value(*look))?,
            }
        }
    }

    fn follow(&self, at: u32, few: &[(u32, u32)], value: u32) -> Option<u32> {
        let found = few.iter().find(|(known, _)| *known == value).map(|(_, to)| *to);
        if found.is_some() || few.len() < FEW { found } else { self.next.get(&(at, value)).copied() }
    }

    /// Keeps a result with all that was looked at.
    pub(crate) fn keep(&mut self, root: u32, looks: &[L], mut value: impl FnMut(L) -> u32, result: T) {
        let mut at = root;
        for look in looks {
            // The rules are deterministic: after equal looks with equal values comes the same look.
            if let Node::Unknown = self.nodes[at as usize] {
                self.nodes[at as usize] = Node::Look(*look, Vec::new());
            }
            let (value, new) = (value(*look), self.nodes.len() as u32);
            let Node::Look(_, few) = &self.nodes[at as usize] else { return };
            if let Some(to) = self.follow(at, few, value) {
                at = to;
                continue;
            }
            self.nodes.push(Node::Unknown);
            match &mut self.nodes[at as usize] {
                Node::Look(_, few) if few.len() < FEW => few.push((value, new)),
                _ => _ = self.next.insert((at, value), new),
            }
            at = new;
        }
        self.nodes[at as usize] = Node::Result(result);
    }
}
