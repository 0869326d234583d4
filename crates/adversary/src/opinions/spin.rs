//! SPIN, on the exported model.

use crate::opinion::{Answer, Opinion};
use crate::opinions::machine::states_first;
use crate::setting::Setting;
use crate::subject::Subject;
use promela::Options;
use promela::spin::{Failure, Limits, Verdict, ask};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What SPIN may spend on one search.
const LIMITS: Limits = Limits { seconds: 20, megabytes: 500 };

/// SPIN, which shares neither the machine nor its search.
#[derive(Default)]
pub struct Spin {
    /// How many it was asked about: each has a folder of its own.
    n_asked: AtomicU64,
}

impl Opinion for Spin {
    fn name(&self) -> String {
        "SPIN".into()
    }

    fn answer(&self, subject: &Subject, setting: &Setting) -> Option<Answer> {
        // Labels that are passed are compared in `tests/spin` only.
        if subject.text.contains("at(") {
            return None;
        }
        let options = Options { queue_bound: setting.queue_bound, buffer: setting.buffer, check_deadlock: true };
        let number = self.n_asked.fetch_add(1, Relaxed);
        let folder = std::env::temp_dir().join(format!("lacuna-adversary-{}-{number}", std::process::id()));
        let asked = ask(&subject.automata, &setting.memory, &options, LIMITS, &folder);
        let _ = std::fs::remove_dir_all(&folder);
        let said = match asked {
            Ok(said) => said,
            Err(Failure::Refused(_)) => return None,
            Err(Failure::Broken(text)) => panic!("SPIN fails: {text}"),
        };
        let mut all = said.properties.iter().chain(&said.covers);
        if all.any(|(_, verdict)| *verdict == Verdict::Inconclusive) {
            return None;
        }
        let named = |verdict: Verdict, of: &[(String, Verdict)]| -> BTreeSet<String> {
            of.iter().filter(|(_, said)| *said == verdict).map(|(name, _)| name.clone()).collect()
        };
        let violated = states_first(&subject.automata, named(Verdict::Violated, &said.properties));
        let is_violated = !violated.is_empty();
        let uncovered = (!is_violated).then(|| named(Verdict::Unreached, &said.covers));
        Some(Answer { is_violated: Some(is_violated), violated: Some(violated), uncovered, ..Answer::default() })
    }
}
