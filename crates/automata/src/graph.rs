//! Graphs of objects: who refers to whom, and who may be stepped to. What is reached is a set, a bit for each object.

use crate::collection::CellId;
use crate::expr::{StateExpr, Value, Wide};

base::id_type! {
    /// A graph.
    pub struct GraphId("graph");
}

/// The objects of one type, at most 30, and how paths go through them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Graph {
    /// The objects by their references' values.
    pub nodes: Vec<GraphNode>,
}

/// One object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphNode {
    /// Its name, for people.
    pub name: String,
    /// The cells that hold its references to objects of the graph.
    pub fields: Vec<CellId>,
    /// What must be true for a path to step to it; none if any path may.
    pub condition: Option<StateExpr>,
}

impl Graph {
    /// All objects on paths from those of `from`, these included; none if a condition that matters has no value.
    ///
    /// `cell` gives the values of cells, `judge` those of conditions; each condition is judged at most once.
    pub fn reached(
        &self,
        from: Wide,
        mut cell: impl FnMut(CellId) -> Value,
        mut judge: impl FnMut(&StateExpr) -> Option<bool>,
    ) -> Option<Wide> {
        let all = (1u32 << self.nodes.len()) - 1;
        let mut reached = from as u32 & all;
        let (mut open, mut refused) = (reached, 0u32);
        while open != 0 {
            let node = &self.nodes[open.trailing_zeros() as usize];
            open &= open - 1;
            for field in &node.fields {
                // `null`, -1, shifts every bit out.
                let bit = 1u32.checked_shl(cell(*field) as u32).unwrap_or(0) & all;
                if bit & !(reached | refused) == 0 {
                    continue;
                }
                let condition = &self.nodes[bit.trailing_zeros() as usize].condition;
                let is_open = condition.as_ref().map_or(Some(true), &mut judge)?;
                reached |= if is_open { bit } else { 0 };
                open |= if is_open { bit } else { 0 };
                refused |= if is_open { 0 } else { bit };
            }
        }
        Some(Wide::from(reached))
    }
}
