//! Which steps are one column of the matrix.

use crate::step::{StepKind, StepOf};
use automata::{Automata, ThreadId};

/// One column: steps that belong together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// A guarantee's name, or that of the kind of thread and a label, or what is committed.
    pub name: String,
    /// Its steps, by their positions.
    pub steps: Vec<usize>,
}

/// The columns: the guarantees in the order of the text, then what they leave out, label by label.
pub(crate) fn columns(automata: &Automata, steps: &[StepOf]) -> Vec<Column> {
    let named = automata.guarantees.iter().map(|guarantee| guarantee.name.clone());
    let mut columns: Vec<Column> = named.map(|name| Column { name, steps: Vec::new() }).collect();
    for (index, step) in steps.iter().enumerate() {
        let name = column(automata, step);
        match columns.iter_mut().find(|column| column.name == name) {
            Some(column) => column.steps.push(index),
            None => columns.push(Column { name, steps: vec![index] }),
        }
    }
    columns.retain(|column| !column.steps.is_empty());
    columns
}

fn column(automata: &Automata, step: &StepOf) -> String {
    let kind = kind(automata, step.thread);
    let point = match &step.kind {
        StepKind::Commit { group, .. } => return format!("{kind}: commit {group}"),
        StepKind::Point(point) => *point,
        StepKind::Interference { guarantee } => return automata.guarantees[*guarantee].name.clone(),
    };
    let is_in = |guarantee: &&automata::Guarantee| guarantee.points.contains(&(step.thread, point));
    if let Some(guarantee) = automata.guarantees.iter().find(is_in) {
        return guarantee.name.clone();
    }
    let points = automata.threads[step.thread].automaton.points.iter();
    let label = points.take_while(|(id, _)| *id <= point).filter_map(|(_, p)| p.labels.first()).last();
    format!("{kind}: {}", label.map_or("start", String::as_str))
}

/// `mutator` of `mutator[1]`
pub fn kind(automata: &Automata, thread: ThreadId) -> &str {
    &automata.threads[thread].place.program
}
