//! Abstract state that changes in the step before it.

use crate::local::{Local, Mode};
use crate::rules::{Rules, Settled};
use automata::{Action, Region};

impl Rules<'_> {
    /// The outcomes after every `then` that they have come to: it is part of the same step.
    pub(crate) fn with_then(&self, settled: Settled) -> Settled {
        let mut all = Settled { outcomes: Vec::new(), discarded: settled.discarded };
        for mut path in settled.outcomes {
            if self.is_at_then(&path.local) {
                let point = path.local.point;
                path.local.trail.clear();
                self.pass(&mut path, point);
                path.local.mode = Mode::Region;
                let after = self.with_then(self.settle_from(path));
                all.outcomes.extend(after.outcomes);
                all.discarded |= after.discarded;
            } else {
                all.outcomes.push(path);
            }
        }
        all
    }

    /// Whether the thread is to enter a `then` at once.
    fn is_at_then(&self, local: &Local) -> bool {
        local.mode == Mode::Running
            && matches!(self.code.action(local.point), Action::Enter(Region::Then))
            && self.region_is_ready(local, Region::Then)
    }
}
