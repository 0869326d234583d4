//! What a condition on states speaks of, within indices, sets and graphs too.

use crate::collection::{Automata, CellId};
use crate::expr::{StateExpr, StateLeaf};
use base::table::Id;

impl Automata {
    /// Calls `visit` with every leaf of a condition, and with every leaf of the conditions that these hold.
    pub fn leaves<'a>(&'a self, condition: &'a StateExpr, visit: &mut dyn FnMut(&'a StateLeaf)) {
        let mut open = vec![condition];
        while let Some(condition) = open.pop() {
            condition.leaves(&mut |leaf| {
                visit(leaf);
                open.extend(self.held(leaf));
            });
        }
    }

    /// The conditions and values that a leaf is made of.
    pub fn held<'a>(&'a self, leaf: &'a StateLeaf) -> Vec<&'a StateExpr> {
        match leaf {
            StateLeaf::CellAt { index, .. } => vec![index],
            StateLeaf::Old(value) => vec![value],
            StateLeaf::Reached { graph, from } => {
                let conditions = self.graphs[*graph].nodes.iter().filter_map(|node| node.condition.as_ref());
                std::iter::once(&**from).chain(conditions).collect()
            }
            StateLeaf::Pending { place, value, .. } => std::iter::once(&*place.index).chain(value.as_deref()).collect(),
            StateLeaf::Oldest { place, .. } => vec![&place.index],
            StateLeaf::Cell(_)
            | StateLeaf::Register(..)
            | StateLeaf::At(..)
            | StateLeaf::Ended(_)
            | StateLeaf::Performed(_) => Vec::new(),
        }
    }

    /// The cells whose values a leaf itself may speak of.
    pub fn cells_of(&self, leaf: &StateLeaf) -> Vec<CellId> {
        match leaf {
            StateLeaf::Cell(cell) => vec![*cell],
            StateLeaf::CellAt { base, stride, count, .. } => {
                (0..*count).map(|i| CellId::new(base.index() + (i * stride) as usize)).collect()
            }
            StateLeaf::Reached { graph, .. } => {
                self.graphs[*graph].nodes.iter().flat_map(|node| node.fields.iter().copied()).collect()
            }
            StateLeaf::Oldest { place, .. } => place.cells(),
            StateLeaf::Register(..)
            | StateLeaf::At(..)
            | StateLeaf::Ended(_)
            | StateLeaf::Performed(_)
            | StateLeaf::Old(_)
            | StateLeaf::Pending { .. } => Vec::new(),
        }
    }
}
