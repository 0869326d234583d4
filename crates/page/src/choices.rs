//! What steps choose: the value or the branch by which steps of one thread differ that otherwise do the same.

use crate::subject::Subject;
use crate::threads::{queue, register_value};
use crate::walk::Visit;
use automata::{RegId, ThreadId};
use base::table::Id;
use machine::{Event, Interpreter, PlainState, PlainStep};
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
    let after: Vec<PlainState> =
        interpreter.run_successors(&visit.state).steps.into_iter().map(|(_, state)| state).collect();
    let apart = Apart { subject, interpreter };
    let said = |(n, group): (usize, &Vec<usize>)| {
        let others: Vec<&PlainState> =
            group.iter().filter(|other| **other != n).filter_map(|n| after.get(*n)).collect();
        apart.difference(visit.enabled[n].thread, after.get(n)?, &others)
    };
    groups.iter().enumerate().map(said).collect()
}

/// For each initial state, what threads chose before their first steps; none if there is but one.
pub(crate) fn chosen_at_first(subject: &Subject<'_>, interpreter: &Interpreter<'_>) -> Vec<Option<String>> {
    let states: Vec<PlainState> = interpreter.initial().into_iter().map(|(_, state)| state).collect();
    let apart = Apart { subject, interpreter };
    let said = |n: usize| {
        let others: Vec<&PlainState> =
            states.iter().enumerate().filter(|(other, _)| *other != n).map(|(_, state)| state).collect();
        let threads = subject.automata.threads.iter().filter_map(|(id, thread)| {
            Some(format!("{} chooses {}", thread.name, apart.difference(id, &states[n], &others)?))
        });
        let said: Vec<String> = threads.collect();
        (!said.is_empty()).then(|| said.join("; "))
    };
    (0..states.len()).map(said).collect()
}

/// Whether two steps look the same: one thread does the same in both, but for what only it can see.
fn is_alike(one: &PlainStep, other: &PlainStep) -> bool {
    let visible = |step: &PlainStep| -> Vec<Event> {
        step.events.iter().filter(|event| !matches!(event, Event::Compute(_))).cloned().collect()
    };
    one.thread == other.thread && visible(one) == visible(other)
}

/// What tells states apart.
struct Apart<'s, 'a> {
    subject: &'s Subject<'a>,
    interpreter: &'s Interpreter<'a>,
}

impl Apart<'_, '_> {
    /// In what a thread differs from itself in `others`: registers, what it is about to do, and where it continues.
    fn difference(&self, thread: ThreadId, state: &PlainState, others: &[&PlainState]) -> Option<String> {
        let differs = |said: &String, all: fn(&Self, ThreadId, &PlainState) -> Vec<String>| {
            others.iter().any(|other| !all(self, thread, other).contains(said))
        };
        let registers = self.registers(thread, state).into_iter().filter(|said| differs(said, Self::registers));
        let pending = self.pending(thread, state).into_iter().filter(|said| differs(said, Self::pending));
        let way = self.way(thread, state).into_iter().filter(|said| differs(said, Self::way));
        let mut said: Vec<String> = registers.chain(pending).chain(way).collect();
        said.dedup();
        (!said.is_empty()).then(|| said.join(", "))
    }

    fn registers(&self, thread: ThreadId, state: &PlainState) -> Vec<String> {
        let automaton = &self.subject.automata.threads[thread].automaton;
        let named = automaton.registers.ids().filter(|id| !automaton.registers[*id].name.starts_with('%'));
        let value = |id: RegId| {
            let (register, value) = (&automaton.registers[id], state.locals[thread.index()].register(id).value()?);
            Some(format!("{} = {}", register.name, register_value(register, value)))
        };
        named.filter_map(value).collect()
    }

    fn pending(&self, thread: ThreadId, state: &PlainState) -> Vec<String> {
        let entries = queue(self.subject, self.interpreter, state, thread).into_iter();
        entries.map(|entry| entry.words).filter(|words| !words.is_empty()).collect()
    }

    fn way(&self, thread: ThreadId, state: &PlainState) -> Vec<String> {
        let point = &self.subject.automata.threads[thread].automaton.points[state.locals[thread.index()].point];
        let (line, text) = source_line(self.subject.sources, point.span);
        line.map(|line| format!("{line}: {text}")).into_iter().collect()
    }
}
