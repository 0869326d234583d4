//! What paths through a graph of objects reach, over packed words: sets are bits.

use crate::properties::conjuncts::{Conjunct, Owner};
use crate::properties::kernel::{Ground, Kernel, Numbers, translate};
use crate::tabulated::layout::{Layout, Slot};
use automata::{Automata, GraphNode, PropertyId, StateLeaf, Value};
use std::sync::Arc;

/// A graph whose conditions speak of no thread, as code.
#[derive(Debug)]
pub(crate) struct CompiledGraph {
    nodes: Box<[Node]>,
}

#[derive(Debug)]
struct Node {
    /// Where its references are.
    fields: Box<[Slot]>,
    /// What must be true for a path to step to it.
    condition: Option<Kernel>,
}

/// The code of all graphs. (One whose conditions speak of a thread is never used.)
pub(crate) fn translate_all(automata: &Automata, layout: &Layout, numbers: &Numbers) -> Vec<Arc<CompiledGraph>> {
    let mut graphs: Vec<Arc<CompiledGraph>> = Vec::new();
    for graph in automata.graphs.values() {
        // Conditions speak of earlier graphs only.
        let ground = Ground { layout, graphs: &graphs, numbers };
        let nodes = graph.nodes.iter().map(|node| translate_node(node, ground)).collect();
        graphs.push(Arc::new(CompiledGraph { nodes }));
    }
    graphs
}

fn translate_node(node: &GraphNode, ground: Ground<'_>) -> Node {
    let condition = node.condition.as_ref().map(|condition| {
        let conjunct = Conjunct { owner: Owner::Property(PropertyId(0)), condition: condition.clone() };
        translate(std::iter::once(&conjunct), ground, &|_: &StateLeaf| (0, 0))
    });
    Node { fields: node.fields.iter().map(|cell| ground.layout.slot(*cell)).collect(), condition }
}

impl Node {
    fn is_open(&self, words: &[u32]) -> bool {
        let mut is_true = true;
        self.condition.iter().for_each(|condition| condition.run(words, &[], &mut |_| is_true = false));
        is_true
    }
}

impl CompiledGraph {
    /// All objects on paths from those of `from`, these included.
    pub(crate) fn reached(&self, from: Value, words: &[u32]) -> Value {
        let all = (1u32 << self.nodes.len()) - 1;
        let mut reached = from as u32 & all;
        let (mut open, mut refused) = (reached, 0);
        while open != 0 {
            let node = &self.nodes[open.trailing_zeros() as usize];
            open &= open - 1;
            for field in &node.fields {
                // `null`, -1, shifts every bit out.
                let bit = 1u32.checked_shl(field.get(words) as u32).unwrap_or(0) & all;
                if bit & !(reached | refused) == 0 {
                    continue;
                }
                if self.nodes[bit.trailing_zeros() as usize].is_open(words) {
                    reached |= bit;
                    open |= bit;
                } else {
                    refused |= bit;
                }
            }
        }
        reached as Value
    }
}
