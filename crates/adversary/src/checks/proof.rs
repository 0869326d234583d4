//! What is proved is not violated, and the interpreter confirms every counterexample to induction.

use super::Complaint;
use crate::judge::Case;
use crate::opinions::answer_of_every;
use crate::setting::Setting;
use machine::Reductions;
use prove::{Confirmation, Control, Limits, Memory, ObligationResult, Problem, Proof, prove};
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use workbench::Question;

/// How many stores a buffer of the circuits holds.
pub(super) const BUFFER: usize = 2;

/// How long proofs may take.
pub(super) const LIMITS: Limits =
    Limits { each: Some(Duration::from_millis(100)), timeout: Some(Duration::from_millis(500)) };

pub(super) fn proved(case: &Case<'_>) -> Complaint {
    let memory = Memory::of(&case.setting.memory, BUFFER)?;
    let problem = Problem::new(&case.subject.automata, memory, None, &[]).ok()?;
    let control = Control { stop: &AtomicBool::new(false), progress: &|_, _| {} };
    let proof = prove(&problem, 1, LIMITS, &control).ok()?;
    if let Some(step) = refuted(&proof) {
        let step = &problem.steps[step];
        let thread = &case.subject.automata.threads[step.thread].name;
        return Some(("not confirmed".into(), format!("a counterexample to induction in {thread}")));
    }
    if !proof.is_complete() || !problem.liberties.is_empty() {
        return None;
    }
    let setting = Setting { queue_bound: 8, buffer: Some(BUFFER), ..case.setting.clone() };
    let options = setting.options(Reductions::ALL);
    let checked = Question::new(&case.subject.automata, &setting.memory, &options).answer_every();
    let mut violated = answer_of_every(&case.subject.automata, &checked)?.violated?;
    violated.retain(|name| problem.rows.iter().any(|row| row.name == *name));
    (!violated.is_empty()).then(|| ("proved and violated".into(), format!("{violated:?}")))
}

/// The step of a counterexample that the interpreter does not confirm.
fn refuted(proof: &Proof) -> Option<usize> {
    let is_refuted = |outcome: &ObligationResult| match outcome {
        ObligationResult::Counterexample(found) => found.confirmation == Confirmation::Refuted,
        _ => false,
    };
    proof.obligations().find(|(_, obligation)| is_refuted(&obligation.outcome)).map(|(step, _)| step)
}
