//! Whether rows are closed under all steps, and good: what `write` and `verify` have in common.

use super::judge::Judge;
use super::tabulated::Tabulated;
use crate::values::Violation;
use crate::world::World;

/// What is wrong with a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    /// A step of it leads to a row that is missing.
    Open,
    Violated(Violation),
    /// With threads put back to points that they pass it violates this.
    Suspected(Violation),
}

pub(crate) struct Check<'w, 'p> {
    pub(crate) of: Tabulated<'w, 'p>,
    judge: Judge<'p>,
    worlds: &'w [World<'p>; 2],
    next: Vec<u32>,
}

impl<'w, 'p> Check<'w, 'p> {
    pub(crate) fn new(worlds: &'w [World<'p>; 2]) -> Self {
        let of = Tabulated::new(worlds);
        let judge = Judge::new(&of);
        Check { of, judge, worlds, next: Vec::new() }
    }

    pub(crate) fn n_words(&self) -> usize {
        self.of.form.n_words()
    }

    /// Whether a thread did more in one step than is looked at.
    pub(crate) fn has_given_up(&self) -> bool {
        self.worlds.iter().any(|world| world.has_given_up.get())
    }

    /// Takes every step of a row, and judges it. Whether a row that is led to is there, or is added, the caller says.
    pub(crate) fn row(&mut self, row: &[u32], mut is_there: impl FnMut(&[u32]) -> bool) -> Option<Fault> {
        let mut is_stuck = true;
        for t in 0..self.of.form.n_threads {
            for effect in self.of.steps(row, t).iter() {
                is_stuck = false;
                if effect.leads_on {
                    effect.apply(&self.of.form, row, &mut self.next);
                    if !is_there(&self.next) {
                        return Some(Fault::Open);
                    }
                }
            }
        }
        if let Some(violation) = self.judge.judge(&self.of, row, is_stuck) {
            return Some(Fault::Violated(violation));
        }
        self.next.clear();
        self.next.extend_from_slice(row);
        self.judge.judge_passing(&self.of, &mut self.next).map(Fault::Suspected)
    }
}
