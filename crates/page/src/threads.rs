//! Threads in a state: where they are, their registers, what they have pending.

use crate::run::place;
use crate::subject::Subject;
use crate::view::{Pending, Register, Thread};
use automata::{Access, Action, Op, ThreadId, Value};
use base::table::Id;
use machine::{Interpreter, Mode, PlainState};
use report::words::{source_line, value_name};

/// All threads.
pub(crate) fn threads(subject: &Subject<'_>, interpreter: &Interpreter<'_>, state: &PlainState) -> Vec<Thread> {
    let one = |thread: ThreadId| {
        let local = &state.locals[thread.index()];
        let point = &subject.automata.threads[thread].automaton.points[local.point];
        let mode = match local.mode {
            Mode::Running | Mode::Region | Mode::Committing => "running",
            Mode::Aborted(_) => "aborted",
            Mode::Spinning | Mode::Circling => "spinning",
            Mode::Halted => "ended",
            Mode::Failed(_) => "failed",
        };
        Thread {
            mode,
            place: (local.mode != Mode::Halted).then(|| place(subject.sources, point.span)).flatten(),
            registers: registers(subject, interpreter, state, thread),
            queue: queue(subject, interpreter, state, thread),
        }
    };
    subject.automata.threads.ids().map(one).collect()
}

/// The registers that have a name and whose value still matters; the others may have been reset.
fn registers(
    subject: &Subject<'_>,
    interpreter: &Interpreter<'_>,
    state: &PlainState,
    thread: ThreadId,
) -> Vec<Register> {
    let local = &state.locals[thread.index()];
    // All threads that have failed are in one state, whatever their registers held.
    if matches!(local.mode, Mode::Failed(_)) {
        return Vec::new();
    }
    let live = interpreter.live_registers(state, thread);
    let named = subject.automata.threads[thread].automaton.registers.iter();
    let shown = named.filter(|(id, register)| live[id.index()] && !register.name.starts_with('%'));
    shown
        .map(|(id, register)| {
            let value = local.register(id).value();
            Register { name: register.name.clone(), value: value.map(|value| register_value(register, value)) }
        })
        .collect()
}

/// A register's value in words.
pub(crate) fn register_value(register: &automata::Register, value: Value) -> String {
    let named = register.names.iter().find(|(v, _)| *v == value);
    named.map_or_else(|| value.to_string(), |(_, name)| name.clone())
}

pub(crate) fn queue(
    subject: &Subject<'_>,
    interpreter: &Interpreter<'_>,
    state: &PlainState,
    thread: ThreadId,
) -> Vec<Pending> {
    let entry = |pending: machine::Pending| {
        let point = &subject.automata.threads[thread].automaton.points[pending.point];
        let words = match (pending.cell, pending.value) {
            (Some(cell), Some(value)) => {
                format!("{} ← {}", subject.automata.cells[cell].name, value_name(subject.automata, cell, value))
            }
            (Some(cell), None) => subject.automata.cells[cell].name.clone(),
            (None, _) => String::new(),
        };
        let (kind, is_speculative) = (kind(&point.action), pending.is_speculative);
        let text = source_line(subject.sources, point.span).1;
        Pending { kind, place: place(subject.sources, point.span), text, words, is_speculative }
    };
    interpreter.pending(state, thread).into_iter().map(entry).collect()
}

fn kind(action: &Action) -> &'static str {
    match action {
        Action::Access(Access { op: Op::Load | Op::LoadLinked, .. }) => "load",
        Action::Access(Access { op: Op::Store(_) | Op::StoreConditional(_), .. }) => "store",
        Action::Access(_) => "update",
        Action::Fence(_) => "fence",
        _ => "other",
    }
}
