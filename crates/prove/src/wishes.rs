//! What one would like a counterexample to be like.

use crate::layout::Layout;
use crate::snapshot::Snapshot;
use crate::state::State;
use automata::Automata;
use sat::{Answer, Budget, Graph, Lit, Solver};

/// How hard a core is made smaller, and a counterexample plainer. Conflicts and not seconds, so that the same is found
/// on every machine.
pub(crate) const POLISH: u64 = 300;

/// Nothing buffered, then each cell, thread and register as at the start.
pub(crate) fn wishes(automata: &Automata, layout: &Layout, graph: &mut Graph, state: &State) -> Vec<Lit> {
    let initial = Snapshot::initial(automata);
    let slots = state.threads.iter().rev().flat_map(|thread| thread.buffer.iter().rev());
    let mut wishes: Vec<Lit> = slots.map(|slot| !slot.is_used).collect();
    for (bits, value) in state.cells.iter().zip(&initial.cells) {
        wishes.push(graph.is(bits, *value));
    }
    for (index, (thread, at_start)) in state.threads.iter().zip(&initial.threads).enumerate() {
        let entry = layout.threads[index].place(at_start.point);
        wishes.extend(entry.map(|place| graph.is(&thread.place, place as i32)));
        for (bits, value) in thread.registers.iter().zip(&at_start.registers) {
            wishes.push(graph.is(bits, *value));
        }
    }
    wishes.retain(|wish| wish.value().is_none());
    wishes
}

/// An answer as plain as can be: one wish after the other is granted if it can be.
pub(crate) fn granted<'b>(
    solver: &mut Solver<'b>,
    graph: &Graph,
    mut assumptions: Vec<Lit>,
    wishes: &[Lit],
    mut inputs: Vec<bool>,
    budget: impl Fn(u64) -> Budget<'b>,
) -> Vec<bool> {
    for wish in wishes {
        let is_granted = graph.evaluate(&inputs, &[*wish])[0];
        assumptions.push(*wish);
        if !is_granted {
            match solver.solve(graph, &assumptions, budget(POLISH)) {
                Answer::Sat(better) => inputs = better,
                _ => {
                    assumptions.pop();
                }
            }
        }
    }
    inputs
}
