//! Where a thread pauses: at points with a label that an atom of a temporal property names (rule 8.6).
//!
//! It rests there, and continuing is a step. Where it rests anyway (at a safepoint, at a region) or has ended, no step is added.
//!
//! It does not continue while a guess is open: properties see it at the branch until then, and would never see it here.

use crate::rules::local::{Local, Mode};
use crate::rules::perform::Applied;
use crate::rules::{Event, Rules, SettlePath, SettleStep, Settled};
use automata::{Action, Automata, PointId, PropertyKind, StateLeaf};
use base::Table;
use base::table::Id;

/// For each thread, the points at which it is to be seen: there it pauses, unless it rests anyway.
pub(crate) fn pauses(automata: &Automata) -> Vec<Table<PointId, bool>> {
    let nowhere = automata.threads.values().map(|thread| thread.automaton.points.ids().map(|_| false).collect());
    let mut pauses: Vec<Table<PointId, bool>> = nowhere.collect();
    for property in automata.properties.values() {
        let PropertyKind::Ltl(ltl) = &property.kind else { continue };
        for atom in &ltl.atoms {
            automata.leaves(atom, &mut |leaf| {
                let StateLeaf::At(thread, points) = leaf else { return };
                points.iter().for_each(|point| pauses[thread.index()][*point] = true);
            });
        }
    }
    pauses
}

fn is_local(action: &Action) -> bool {
    !matches!(
        action,
        Action::Safepoint | Action::Enter(_) | Action::Leave | Action::Halt | Action::Commit | Action::Abort(_)
    )
}

impl Rules<'_> {
    /// Whether the thread rests at its point until it continues by a step.
    pub(crate) fn pauses(&self, local: &Local) -> bool {
        let action = self.code.action(local.point);
        let rests_anyway = || !is_local(action) || local.transaction.is_some() && matches!(action, Action::Access(_));
        local.mode == Mode::Running && self.code.pauses[local.point] && !rests_anyway()
    }

    /// Rests at a point where the thread pauses. Reports the bound, if one keeps it from continuing.
    pub(crate) fn pause(&self, path: &mut SettlePath) -> SettleStep {
        let mut trial = path.clone();
        if matches!(self.issue(&mut trial), SettleStep::Stalled) {
            path.bound_hit = trial.bound_hit;
        }
        SettleStep::Stalled
    }

    /// Whether the thread is at a point where it is to be seen, and a guess hides it.
    pub(crate) fn is_hidden(&self, local: &Local) -> bool {
        self.code.pauses[local.point] && local.is_guessing()
    }

    /// Whether a thread that pauses may continue now.
    pub(crate) fn may_proceed(&self, local: &Local) -> bool {
        if !self.pauses(local) || self.is_hidden(local) {
            return false;
        }
        let mut trial = SettlePath::of(local.clone());
        !matches!(self.issue(&mut trial), SettleStep::Stalled) || trial.local != *local
    }

    /// Goes on from a pause.
    pub(crate) fn proceed(&self, mut path: SettlePath) -> Applied {
        path.local.trail.clear();
        path.events.push(Event::Proceed(path.local.point));
        let mut settled = Settled::default();
        let paths = match self.issue(&mut path) {
            SettleStep::Moved | SettleStep::Stalled => vec![path],
            SettleStep::Forked(forks) => forks,
            SettleStep::Discarded => {
                settled.discarded = true;
                Vec::new()
            }
            SettleStep::Cut => {
                settled.cut(&path);
                Vec::new()
            }
            SettleStep::Disabled => Vec::new(),
        };
        for path in paths {
            if self.options.reductions.eager_closure {
                let after = self.settle_from(path);
                settled.paths.extend(after.paths);
                settled.discarded |= after.discarded;
                after.cut.iter().for_each(|cut| settled.cut.get_or_insert_default().add_all(cut));
            } else {
                settled.paths.push(path);
            }
        }
        Applied { write: None, touch: None, settled }
    }
}
