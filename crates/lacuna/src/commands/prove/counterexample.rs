//! A counterexample to induction: a state, one step, and the state after it.

use super::json::{StepRow, statement, step_row};
use crate::session::Protocol;
use automata::{Automata, ThreadId, Value};
use base::table::Id;
use machine::Code;
use prove::{Counterexample, Obligation, Owner, Problem, Question, Snapshot, StepKind};
use report::words::value_name;
use serde::Serialize;

/// A counterexample to induction: nobody says that the state before the step can be reached.
#[derive(Serialize)]
pub(super) struct CounterexampleRow {
    pub(super) step: StepRow,
    /// What the step breaks.
    pub(super) broken: String,
    /// The thread whose assertion that is, where threads are looked at one by one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) asserted_by: Option<String>,
    /// Whether the step is not one of the code, but one that the thread's guarantee allows.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_allowed: bool,
    /// What was asked, there.
    #[serde(skip)]
    pub(super) question: Question,
    pub(super) facts: Vec<Fact>,
}

/// What the two states say of one thing.
#[derive(Serialize)]
pub(super) struct Fact {
    pub(super) what: String,
    pub(super) before: String,
    /// None if the step violates the property by itself: then there is no state after it.
    pub(super) after: Option<String>,
    /// Whether it is as at the start, before and after.
    pub(super) is_plain: bool,
}

/// Counterexamples of one proof.
pub(super) struct Counterexamples<'a> {
    pub(super) protocol: &'a Protocol,
    pub(super) problem: &'a Problem<'a>,
    /// Which registers are live where. To know that takes long, so it is asked once.
    codes: Vec<Code>,
}

impl<'a> Counterexamples<'a> {
    pub(super) fn new(protocol: &'a Protocol, problem: &'a Problem<'a>) -> Self {
        Counterexamples { protocol, problem, codes: Code::of_threads(problem.automata) }
    }

    pub(super) fn to_row(&self, step: usize, of: &Obligation, found: &Counterexample) -> CounterexampleRow {
        let row = &self.problem.rows[of.row];
        let asserted_by = match row.owner {
            Owner::Thread(thread) => Some(self.problem.automata.threads[thread].name.clone()),
            Owner::Shared | Owner::Several => None,
        };
        CounterexampleRow {
            step: step_row(self.protocol, self.problem, &self.problem.steps[step], Some(true)),
            broken: row.name.clone(),
            asserted_by,
            is_allowed: matches!(self.problem.steps[step].kind, StepKind::Interference { .. }),
            question: of.question,
            facts: facts(self.protocol, self.problem.automata, &self.codes, found),
        }
    }
}

/// Where the threads are, what they hold and have buffered, and the cells.
fn facts(protocol: &Protocol, automata: &Automata, codes: &[Code], found: &Counterexample) -> Vec<Fact> {
    let (before, after) = (&found.before, found.after.as_ref());
    let fact = |what: String, to_row: &dyn Fn(&Snapshot) -> String, start: Option<String>| {
        let (before, after) = (to_row(before), after.map(to_row));
        let is_plain = Some(&before) == start.as_ref() && after.as_ref().is_none_or(|after| *after == before);
        Fact { what, before, after, is_plain }
    };
    let mut facts = Vec::new();
    for (id, thread) in automata.threads.iter() {
        let place = |state: &Snapshot| place(protocol, automata, id, state);
        facts.push(fact(thread.name.clone(), &place, None));
        let live = &codes[id.index()].live;
        let is_live = |state: &Snapshot, register: usize| live[state.threads[id.index()].point][register];
        for (register, declared) in thread.automaton.registers.iter() {
            let index = register.index();
            let matters = is_live(before, index)
                || after.is_some_and(|after| is_live(after, index))
                || thread.automaton.observed.contains(&register);
            if matters {
                let to_row = |state: &Snapshot| named(&declared.names, state.threads[id.index()].registers[index]);
                let start = named(&declared.names, declared.init);
                facts.push(fact(format!("{}.{}", thread.name, declared.name), &to_row, Some(start)));
            }
        }
        let buffer = |state: &Snapshot| buffer(automata, id, state);
        facts.push(fact(format!("{} buffers", thread.name), &buffer, Some("-".into())));
    }
    for (id, cell) in automata.cells.iter() {
        let to_row = |state: &Snapshot| value_name(automata, id, state.cells[id.index()]);
        facts.push(fact(cell.name.clone(), &to_row, Some(value_name(automata, id, cell.init))));
    }
    facts
}

/// `at store, line 12: x = 1`
fn place(protocol: &Protocol, automata: &Automata, thread: ThreadId, state: &Snapshot) -> String {
    let point = &automata.threads[thread].automaton.points[state.threads[thread.index()].point];
    if matches!(point.action, automata::Action::Halt) {
        return "ended".into();
    }
    let label = point.labels.first().map_or(String::new(), |label| format!("{label}, "));
    match statement(protocol, point.span) {
        (Some(line), code) => format!("at {label}line {line}: {code}"),
        (None, code) => format!("at {label}{code}"),
    }
}

fn buffer(automata: &Automata, thread: ThreadId, state: &Snapshot) -> String {
    let stores = &state.threads[thread.index()].buffer;
    let store = |(cell, value): &(automata::CellId, Value)| {
        format!("{} = {}", automata.cells[*cell].name, value_name(automata, *cell, *value))
    };
    if stores.is_empty() { "-".into() } else { stores.iter().map(store).collect::<Vec<_>>().join(", ") }
}

fn named(names: &[(Value, String)], value: Value) -> String {
    names.iter().find(|(v, _)| *v == value).map_or_else(|| value.to_string(), |(_, name)| name.clone())
}
