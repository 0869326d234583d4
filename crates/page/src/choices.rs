//! What steps choose: the value or the branch that tells apart steps of one thread which otherwise do the same.

use crate::subject::Subject;
use crate::threads::register_value;
use crate::walk::Visit;
use automata::{Automaton, RegId, ThreadId};
use base::table::Id;
use machine::{Event, Interpreter, Local, PlainStep};
use report::words::source_line;

/// For each enabled step of a state what it chooses; none for steps that nothing else is like.
pub(crate) fn chosen(subject: &Subject<'_>, interpreter: &Interpreter<'_>, visit: &Visit) -> Vec<Option<String>> {
    let alike = |n: usize| -> Vec<usize> {
        (0..visit.enabled.len()).filter(|other| is_alike(&visit.enabled[n], &visit.enabled[*other])).collect()
    };
    let groups: Vec<Vec<usize>> = (0..visit.enabled.len()).map(alike).collect();
    if groups.iter().all(|group| group.len() < 2) {
        return vec![None; groups.len()];
    }
    let after = interpreter.run_successors(&visit.state).steps;
    let said = |(n, group): (usize, &Vec<usize>)| {
        let thread = visit.enabled[n].thread;
        let local = |n: usize| after.get(n).map(|(_, state)| &state.locals[thread.index()]);
        let others: Vec<&Local> = group.iter().filter(|other| **other != n).filter_map(|other| local(*other)).collect();
        tell_apart(subject, thread, local(n)?, &others)
    };
    groups.iter().enumerate().map(said).collect()
}

/// Whether two steps look the same: one thread does the same in both, but for what only it can see.
fn is_alike(one: &PlainStep, other: &PlainStep) -> bool {
    let visible = |step: &PlainStep| -> Vec<Event> {
        step.events.iter().filter(|event| !matches!(event, Event::Compute(_))).cloned().collect()
    };
    one.thread == other.thread && visible(one) == visible(other)
}

/// The registers in which the thread differs from `others`, and where it goes on if it goes on elsewhere.
fn tell_apart(subject: &Subject<'_>, thread: ThreadId, local: &Local, others: &[&Local]) -> Option<String> {
    let automaton = &subject.automata.threads[thread].automaton;
    let differs = |register: &RegId| {
        let value = |local: &Local| local.register(*register).value();
        others.iter().any(|other| value(other) != value(local))
    };
    let registers = automaton.registers.ids().filter(|id| !automaton.registers[*id].name.starts_with('%'));
    let values = registers.filter(differs).filter_map(|id| value(automaton, local, id));
    let is_elsewhere = others.iter().any(|other| other.point != local.point);
    let (line, text) = source_line(subject.sources, automaton.points[local.point].span);
    let way = line.filter(|_| is_elsewhere).map(|line| format!("{line}: {text}"));
    let said: Vec<String> = values.chain(way).collect();
    (!said.is_empty()).then(|| said.join(", "))
}

fn value(automaton: &Automaton, local: &Local, id: RegId) -> Option<String> {
    let register = &automaton.registers[id];
    Some(format!("{} = {}", register.name, register_value(register, local.register(id).value()?)))
}
