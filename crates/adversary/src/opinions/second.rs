//! The second opinion, which shares no rule with the machine.

use crate::opinion::{Answer, Opinion};
use crate::setting::Setting;
use crate::subject::Subject;
use memory::{Conflicts, Locks};
use second::{Limits, Options, opinion};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// The most states that are visited.
const MAX_STATES: usize = 5_000;

/// Longer than it may take.
const MOST: Duration = Duration::from_millis(1_000);

/// The second opinion.
pub struct Second;

impl Opinion for Second {
    fn name(&self) -> String {
        "the second opinion".into()
    }

    fn answer(&self, subject: &Subject, setting: &Setting) -> Option<Answer> {
        let elides = setting.memory.locks == Locks::Elided && subject.automata.has_elidable_locks();
        if elides || setting.memory.conflicts == Conflicts::Lazy {
            return None;
        }
        let options = Options {
            queue_bound: setting.queue_bound,
            buffer: setting.buffer,
            check_deadlock: true,
            properties: None,
        };
        let limits = Limits { max_states: MAX_STATES, deadline: Some(Instant::now() + MOST) };
        let said = opinion(&subject.program, &setting.memory, &options, limits).ok()?;
        let violated = said.properties.iter().filter(|(_, answer)| matches!(answer, second::Answer::Violated(_)));
        let violated: BTreeSet<String> = violated.map(|(name, _)| name.clone()).collect();
        let is_violated = !violated.is_empty();
        let unreached = || said.covers.iter().filter(|(_, is_reached)| !is_reached).map(|(name, _)| name.clone());
        let uncovered = (!is_violated).then(|| unreached().collect());
        Some(Answer { is_violated: Some(is_violated), violated: Some(violated), uncovered, ..Answer::default() })
    }
}
