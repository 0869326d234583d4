//! Conditions on whole states, judged plainly: the reference for `judges`.

use crate::properties::by_point::is_located;
use crate::properties::conjuncts::threads;
use crate::properties::specialise::Binding;
use crate::properties::trail::Snapshot;
use crate::properties::view::View;
use crate::rules::Rules;
use crate::rules::interpreter::{Interpreter, PlainState};
use crate::rules::local::Local;
use automata::{Graph, NO_VALUE, StateExpr, StateLeaf, ThreadId, Wide};
use base::table::Id;

impl Interpreter<'_> {
    /// Whether a condition on whole states is true; none while a register that it needs has no value.
    pub fn judge(&self, state: &PlainState, condition: &StateExpr) -> Option<bool> {
        self.judge_as(state, &self.views_now(state), condition)
    }

    /// The threads as properties see them where they are.
    fn views_now<'s>(&'s self, state: &'s PlainState) -> Vec<View<'s>> {
        state.locals.iter().enumerate().map(|(thread, local)| self.rules(thread).view(local)).collect()
    }

    /// The value of an expression over a whole state; none while a register that it needs has no value.
    pub fn value(&self, state: &PlainState, expr: &StateExpr) -> Option<Wide> {
        let views = self.views_now(state);
        expr.eval(&mut |leaf| self.leaf(state, &views, leaf))
    }

    /// Where threads are when a condition is true, or false: for each thread the location that it has passed, or none if
    /// it is where it is. No answer if the condition is so nowhere.
    pub fn places<'s>(
        &self,
        state: &'s PlainState,
        condition: &StateExpr,
        truth: bool,
    ) -> Option<Vec<Option<&'s Snapshot>>> {
        self.places_of(state, condition, truth, condition)
    }

    /// As `places`, for a part of `whole`: threads are seen as its labels say.
    pub(crate) fn places_of<'s>(
        &self,
        state: &'s PlainState,
        condition: &StateExpr,
        truth: bool,
        whole: &StateExpr,
    ) -> Option<Vec<Option<&'s Snapshot>>> {
        let rules: Vec<Rules<'_>> = (0..state.locals.len()).map(|thread| self.rules(thread)).collect();
        let views = rules.iter().zip(&state.locals).map(|(rules, local)| rules.views(local).collect());
        let views: Vec<Vec<View<'_>>> = views.collect();
        let located = |thread: &ThreadId| is_located(self.automata(), whole, *thread);
        let named = threads(self.automata(), condition).into_iter().filter(located);
        let named: Vec<usize> = named.map(|thread| thread.index()).collect();
        let mut chosen = vec![0; views.len()];
        loop {
            let now: Vec<View<'_>> = chosen.iter().zip(&views).map(|(i, views)| views[*i]).collect();
            if self.judge_as(state, &now, condition) == Some(truth) {
                let passed = |(view, local): (&View<'_>, &'s Local)| view.passed.map(|i| &local.trail[i]);
                return Some(now.iter().zip(&state.locals).map(passed).collect());
            }
            // The next choice, as one counts: the first thread that has another takes it, those before begin again.
            let next = named.iter().position(|thread| chosen[*thread] + 1 < views[*thread].len())?;
            named[..next].iter().for_each(|thread| chosen[*thread] = 0);
            chosen[named[next]] += 1;
        }
    }

    fn judge_as(&self, state: &PlainState, views: &[View<'_>], condition: &StateExpr) -> Option<bool> {
        condition.decide(&mut |leaf| self.leaf(state, views, leaf))
    }

    fn leaf(&self, state: &PlainState, views: &[View<'_>], leaf: &StateLeaf) -> Option<Wide> {
        match leaf {
            StateLeaf::Cell(cell) => Some(state.cells[cell.index()].into()),
            StateLeaf::CellAt { base, stride, count, index } => {
                let index = index.eval(&mut |leaf| self.leaf(state, views, leaf))?;
                let inside = index >= 0 && index < Wide::from(*count);
                Some(if inside {
                    state.cells[base.index() + index as usize * *stride as usize].into()
                } else {
                    NO_VALUE
                })
            }
            StateLeaf::Pending { thread, place, value, nth } => {
                let value_of = |expr: &StateExpr| expr.eval(&mut |leaf| self.leaf(state, views, leaf));
                let cell = place.cell(value_of(&place.index)?);
                let wanted = match value {
                    Some(value) => Some(value_of(value)?),
                    None => None,
                };
                Some(self.rules(thread.index()).count_pending(views[thread.index()].queue, cell, wanted, *nth).into())
            }
            StateLeaf::Oldest { thread, place } => {
                let index = place.index.eval(&mut |leaf| self.leaf(state, views, leaf))?;
                let Some(cell) = place.cell(index) else { return Some(-1) };
                let pending = self.rules(thread.index()).oldest_pending(views[thread.index()].queue, cell);
                Some(pending.unwrap_or(state.cells[cell.index()]).into())
            }
            StateLeaf::Reached { graph, from } => {
                let from = from.eval(&mut |leaf| self.leaf(state, views, leaf))?;
                self.reached(state, views, &self.automata().graphs[*graph], from)
            }
            leaf => {
                let thread = leaf.thread()?.index();
                match self.rules(thread).seen(views[thread], leaf) {
                    Binding::Is(expr) => expr.eval(&mut |leaf| self.leaf(state, views, leaf)),
                    Binding::Open | Binding::ToCome => None,
                }
            }
        }
    }

    /// The set of what is reached from `from`, plainly: steps are added until none is new.
    fn reached(&self, state: &PlainState, views: &[View<'_>], graph: &Graph, from: Wide) -> Option<Wide> {
        let n_nodes = graph.nodes.len();
        let mut reached: Vec<bool> = (0..n_nodes).map(|node| from >> node & 1 == 1).collect();
        loop {
            let before = reached.clone();
            for field in (0..n_nodes).filter(|node| before[*node]).flat_map(|node| &graph.nodes[node].fields) {
                let target = usize::try_from(state.cells[field.index()]).ok().filter(|target| *target < n_nodes);
                let Some(target) = target.filter(|target| !before[*target]) else { continue };
                let condition = graph.nodes[target].condition.as_ref();
                reached[target] = condition.map_or(Some(true), |condition| self.judge_as(state, views, condition))?;
            }
            if reached == before {
                return Some((0..n_nodes).fold(0, |set, node| set | Wide::from(reached[node]) << node));
            }
        }
    }
}
