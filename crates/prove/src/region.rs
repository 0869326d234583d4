//! A region: all from `Enter` to `Leave` in one step.

use crate::path::{Execution, Path};
use automata::{Action, Automata, Automaton, PointId};
use base::table::Id;
use sat::Lit;
use std::collections::BTreeMap;

/// How often a loop inside a region may loop. One that has not ended by then, whatever the values, is refused.
const MAX_ROUNDS: usize = 64;

/// A loop inside a region that is not seen to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Endless(pub(crate) PointId);

impl Execution<'_> {
    /// All ways through the region that begins at `enter`, each with the point where it comes out.
    pub(crate) fn region(
        &mut self,
        automata: &Automata,
        automaton: &Automaton,
        enter: PointId,
        path: Path,
    ) -> Result<Vec<(Path, PointId)>, Endless> {
        let position = order(automaton, enter);
        let mut waiting: BTreeMap<(usize, usize), (PointId, Path)> = BTreeMap::new();
        let mut out = Vec::new();
        waiting.insert((0, position[enter.index()]), (enter, path));
        while let Some(((round, at), (point, path))) = waiting.pop_first() {
            if matches!(automaton.points[point].action, Action::Leave) {
                out.push((path, automaton.points[point].next));
                continue;
            }
            for (next, path) in self.inside(automata, automaton, point, path) {
                let to = position[next.index()];
                let is_back_edge = to <= at;
                if path.condition == Lit::FALSE || is_back_edge && self.is_never(&path) {
                    continue;
                }
                let round = round + usize::from(is_back_edge);
                if round > MAX_ROUNDS {
                    return Err(Endless(point));
                }
                let merged = match waiting.remove(&(round, to)) {
                    Some((_, other)) => self.merge(path, other),
                    None => path,
                };
                waiting.insert((round, to), (next, merged));
            }
        }
        Ok(out)
    }

    /// What the action at `point` does inside a region, and where each path continues.
    fn inside(
        &mut self,
        automata: &Automata,
        automaton: &Automaton,
        point: PointId,
        mut path: Path,
    ) -> Vec<(PointId, Path)> {
        let next = automaton.points[point].next;
        match &automaton.points[point].action {
            Action::Access(access) => self.act(automata, &mut path, access),
            action => return self.local(automaton, action, next, path),
        }
        vec![(next, path)]
    }

    /// What an action that touches only the thread does; anything else passes.
    pub(crate) fn local(
        &mut self,
        automaton: &Automaton,
        action: &Action,
        next: PointId,
        mut path: Path,
    ) -> Vec<(PointId, Path)> {
        match action {
            Action::Compute { dst, value } => {
                let value = self.value(&mut path, value);
                self.demand_in_range(&mut path, &value, automaton.registers[*dst].domain);
                self.set_register(&mut path, *dst, value);
            }
            Action::Branch { condition, then, otherwise } => {
                let holds = self.holds(&mut path, condition);
                let mut no = path.clone();
                self.assume(&mut path, holds);
                self.assume(&mut no, !holds);
                return vec![(*then, path), (*otherwise, no)];
            }
            Action::Choose(ways) => {
                let paths = self.split(path, ways.len());
                return ways.iter().copied().zip(paths).collect();
            }
            Action::Assert { condition, property } => {
                let holds = self.holds(&mut path, condition);
                self.demand(&mut path, holds, *property);
            }
            Action::Assume(condition) | Action::Discard(condition) => {
                let holds = self.holds(&mut path, condition);
                self.assume(&mut path, holds);
            }
            Action::Cover { condition, .. } => drop(self.holds(&mut path, condition)),
            _ => {}
        }
        vec![(next, path)]
    }
}

/// For each point of the region, a number that grows along every way that is no loop.
fn order(automaton: &Automaton, enter: PointId) -> Vec<usize> {
    let mut position = vec![0; automaton.points.len()];
    let mut is_seen = vec![false; automaton.points.len()];
    let mut n_left = automaton.points.len();
    let mut stack = vec![(enter, false)];
    while let Some((point, is_done)) = stack.pop() {
        if is_done {
            n_left -= 1;
            position[point.index()] = n_left;
        } else if !std::mem::replace(&mut is_seen[point.index()], true) {
            stack.push((point, true));
            if !matches!(automaton.points[point].action, Action::Leave) {
                stack.extend(automaton.successors(point).into_iter().map(|next| (next, false)));
            }
        }
    }
    position
}
