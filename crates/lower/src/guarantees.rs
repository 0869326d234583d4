//! Guarantees, point by point, and the levels of invariants.

use crate::{Names, thread_id};
use automata::{Automata, Guarantee, PointId, ThreadId};
use program::{Program, typed};

/// Adds the guarantees, and the levels that are not 1.
pub(crate) fn add(program: &Program, names: &Names, automata: &mut Automata) {
    for (id, property) in program.properties.iter().filter(|(_, property)| property.level != 1) {
        automata.levels.extend(names.properties[id].map(|id| (id, property.level)));
    }
    for guarantee in &program.guarantees {
        let n_copies = program.threads[guarantee.thread].count.unwrap_or(1) as i32;
        let threads = (0..n_copies).filter_map(|copy| thread_id(program, guarantee.thread, copy));
        let points = threads.flat_map(|thread| points(automata, guarantee, thread)).collect();
        automata.guarantees.push(Guarantee { name: guarantee.name.clone(), points });
    }
}

/// The points that belong to its labels: those that have one, and those after them that have none.
fn points(automata: &Automata, guarantee: &typed::Guarantee, thread: ThreadId) -> Vec<(ThreadId, PointId)> {
    let mut is_meant = false;
    let mut points = Vec::new();
    for (id, point) in automata.threads[thread].automaton.points.iter() {
        if !point.labels.is_empty() {
            is_meant = point.labels.iter().any(|label| guarantee.labels.iter().any(|pattern| pattern.matches(label)));
        }
        if is_meant {
            points.push((thread, id));
        }
    }
    points
}
