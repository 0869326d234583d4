//! What can be proved of the program at all: of every cell, that it never has a value, as far as that is inductive. The
//! search must not find a state that says otherwise.
//!
//! The properties of random programs are seldom inductive, so proofs would hardly be tried by them.

use super::Complaint;
use super::proof::{BUFFER, LIMITS};
use crate::judge::Case;
use crate::opinions::answer_of_every;
use crate::setting::Setting;
use automata::{Automata, BinaryOp, Expr, Property, PropertyId, PropertyKind, StateLeaf};
use base::Span;
use machine::Reductions;
use prove::{Control, Memory, ObligationResult, Problem, RowKind, prove};
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use workbench::Question;

/// More of them take too long.
const MOST: usize = 12;

pub(super) fn proved_of_cells(case: &Case<'_>) -> Complaint {
    let memory = Memory::of(&case.setting.memory, BUFFER)?;
    let mut automata = stripped(&case.subject.automata);
    let mut left = candidates(&mut automata);
    while !left.is_empty() {
        let wrong = not_inductive(&automata, memory)?;
        if wrong.is_empty() {
            return violated(case, &automata, &left);
        }
        for id in &wrong {
            automata.properties[*id].kind = PropertyKind::Unchecked;
        }
        left.retain(|id| !wrong.contains(id));
    }
    None
}

/// The program without what it states about states and runs.
fn stripped(automata: &Automata) -> Automata {
    let mut automata = Automata { definedness: Vec::new(), levels: Vec::new(), ..automata.clone() };
    for property in automata.properties.values_mut().filter(|property| property.kind.is_stated()) {
        property.kind = PropertyKind::Unchecked;
    }
    automata
}

/// Adds invariants: no cell ever has a value that it does not begin with.
fn candidates(automata: &mut Automata) -> Vec<PropertyId> {
    let mut all = Vec::new();
    for (id, cell) in automata.cells.iter().filter(|(_, cell)| cell.domain.bits() <= 2) {
        let others = (cell.domain.low..=cell.domain.high).filter(|value| *value != cell.init);
        all.extend(others.map(|value| (format!("{} is not {value}", cell.name), id, value)));
    }
    let add = |(name, cell, value)| {
        let condition = Expr::binary(BinaryOp::NotEqual, Expr::Leaf(StateLeaf::Cell(cell)), Expr::constant(value));
        automata.properties.push(Property { name, kind: PropertyKind::Invariant(condition), span: Span::none() })
    };
    all.into_iter().take(MOST).map(add).collect()
}

/// The invariants that some step does not preserve, if all others hold before it; none if that is not known, or if it says
/// nothing about the search.
fn not_inductive(automata: &Automata, memory: Memory) -> Option<BTreeSet<PropertyId>> {
    let problem = Problem::new(automata, memory, None, &[]).ok().filter(|problem| problem.liberties.is_empty())?;
    let control = Control { stop: &AtomicBool::new(false), progress: &|_, _| {} };
    let proof = prove(&problem, 1, LIMITS, &control).ok()?;
    let mut wrong = BTreeSet::new();
    for (_, obligation) in proof.obligations() {
        let row = &problem.rows[obligation.row];
        match obligation.outcome {
            ObligationResult::Untouched | ObligationResult::Discharged(_) => {}
            ObligationResult::Counterexample(_) if row.kind == RowKind::Invariant => _ = wrong.insert(row.property),
            // The circuits end where a step violates something by itself; a thread of `check` may issue more before that is seen.
            _ => return None,
        }
    }
    Some(wrong)
}

fn violated(case: &Case<'_>, automata: &Automata, proved: &[PropertyId]) -> Complaint {
    let setting = Setting { queue_bound: 8, buffer: Some(BUFFER), ..case.setting.clone() };
    let options = setting.options(Reductions::ALL);
    let checked = Question::new(automata, &setting.memory, &options).answer_every();
    let violated = answer_of_every(automata, &checked)?.violated?;
    let found = proved.iter().find(|id| violated.contains(&automata.properties[**id].name))?;
    Some(("proved and violated".into(), automata.properties[*found].name.clone()))
}
