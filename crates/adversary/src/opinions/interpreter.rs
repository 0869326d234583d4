//! The plain interpreter, which visits all states one by one.

use crate::opinion::{Answer, Opinion};
use crate::setting::Setting;
use crate::subject::Subject;
use automata::PropertyKind;
use machine::{Interpreter, Mode, PlainState, Reductions};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// The most states that are visited.
const MAX_STATES: usize = 2_000;

/// Longer than it may take: whether a state with guesses is real is a search for each state.
const MOST: Duration = Duration::from_millis(500);

/// The plain interpreter on properties of states.
pub struct Plain;

impl Opinion for Plain {
    fn name(&self) -> String {
        "the plain interpreter".into()
    }

    fn answer(&self, subject: &Subject, setting: &Setting) -> Option<Answer> {
        let options = setting.options(Reductions { eager_closure: true, ..Reductions::NONE }).machine;
        let interpreter = Interpreter::new(&subject.automata, &setting.memory, &options);
        let begun = Instant::now();
        let mut violated = BTreeSet::new();
        let mut stack: Vec<PlainState> = interpreter.initial().into_iter().map(|(_, state)| state).collect();
        let mut seen: FxHashSet<PlainState> = stack.iter().cloned().collect();
        while let Some(state) = stack.pop() {
            let open =
                subject.automata.properties.iter().filter(|(id, p)| !violated.contains(id) && !is_temporal(&p.kind));
            let found: Vec<_> = open.map(|(id, _)| id).filter(|id| interpreter.violates(&state, *id)).collect();
            violated.extend(found);
            if state.locals.iter().any(|local| matches!(local.mode, Mode::Failed(_))) {
                continue;
            }
            let next = interpreter.successors(&state);
            if next.steps.is_empty() && !next.discarded {
                violated.extend(interpreter.stuck(&state));
            }
            stack.extend(next.steps.into_iter().map(|(_, to)| to).filter(|to| seen.insert(to.clone())));
            if seen.len() > MAX_STATES || begun.elapsed() > MOST {
                return None;
            }
        }
        let has_temporal = subject.automata.properties.values().any(|p| is_temporal(&p.kind));
        if violated.is_empty() && has_temporal {
            return None;
        }
        let names: BTreeSet<String> = violated.iter().map(|id| subject.automata.properties[*id].name.clone()).collect();
        Some(Answer { is_violated: Some(!names.is_empty()), violated: Some(names), ..Answer::default() })
    }
}

fn is_temporal(kind: &PropertyKind) -> bool {
    matches!(kind, PropertyKind::Ltl(_))
}
