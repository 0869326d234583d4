//! Whose assertion a condition is: that of the one thread whose own state it speaks of, or nobody's.

use crate::layout::Layout;
use automata::{Automata, BinaryOp, Expr, StateExpr, StateLeaf, ThreadId};
use base::table::Id;

/// Whose assertion a condition is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Owner {
    /// Of shared state only: part of the global invariant.
    Shared,
    /// Of the registers, the location or the store buffer of one thread.
    Thread(ThreadId),
    /// Of those of several threads: no single one asserts it.
    Several,
}

/// The conjuncts of a condition, put together by owner.
pub(crate) fn by_owner(automata: &Automata, layout: &Layout, condition: StateExpr) -> Vec<(Owner, StateExpr)> {
    let mut found: Vec<(Owner, StateExpr)> = Vec::new();
    let mut rest = vec![condition];
    while let Some(condition) = rest.pop() {
        match condition {
            Expr::Binary(BinaryOp::And, left, right) => rest.extend([*right, *left]),
            conjunct => {
                let owner = owner(automata, layout, &conjunct);
                match found.iter_mut().find(|(of, _)| *of == owner) {
                    Some((_, all)) => *all = Expr::binary(BinaryOp::And, all.clone(), conjunct),
                    None => found.push((owner, conjunct)),
                }
            }
        }
    }
    found.sort_by_key(|(owner, _)| *owner);
    found
}

fn owner(automata: &Automata, layout: &Layout, condition: &StateExpr) -> Owner {
    let mut owner = Owner::Shared;
    // Where nothing is buffered, what is pending is no state.
    let is_state = |leaf: &StateLeaf, thread: ThreadId| {
        layout.threads[thread.index()].n_slots > 0
            || !matches!(leaf, StateLeaf::Pending { .. } | StateLeaf::Oldest { .. } | StateLeaf::Performed(_))
    };
    automata.leaves(condition, &mut |leaf| {
        if let Some(thread) = leaf.thread().filter(|thread| is_state(leaf, *thread)) {
            owner = match owner {
                Owner::Shared => Owner::Thread(thread),
                Owner::Thread(other) if other == thread => owner,
                _ => Owner::Several,
            };
        }
    });
    owner
}
