//! Locations that invariants ask something of, and whether any thread was ever there.
//!
//! An invariant such as `at(m, marking) implies ..` says nothing if no thread is ever at `marking`. `not at(m, marking)` says
//! just that, so only what is left of `implies` counts.

use crate::tabulated::tables::Tabulated;
use automata::{
    Automata, BinaryOp, Expr, Moment, PointId, PropertyId, StateExpr, StateLeaf, StateProperty, ThreadId, UnaryOp,
};
use base::Table;
use base::table::Id;

/// Of so many labels the others are not named.
const NAMED: usize = 4;

/// For each point of a thread, whether it is such a location: of this thread or of one with the same program.
pub(crate) fn guarding(automata: &Automata, same: &[usize], thread: ThreadId) -> Table<PointId, bool> {
    let mut is_guard: Table<PointId, bool> = automata.threads[thread].automaton.points.ids().map(|_| false).collect();
    for condition in invariants(automata).map(|(_, condition)| condition) {
        let guards = guards(automata, condition).into_iter();
        let alike = guards.filter(|(of, _)| same[of.index()] == same[thread.index()]);
        alike.flat_map(|(_, points)| points).for_each(|point| is_guard[*point] = true);
    }
    is_guard
}

/// What is to be true in every state.
fn invariants(automata: &Automata) -> impl Iterator<Item = (PropertyId, &StateExpr)> {
    automata.properties.iter().filter_map(|(id, property)| match property.kind.state_property() {
        Some(StateProperty { condition, moment: Moment::Always, .. }) => Some((id, condition)),
        _ => None,
    })
}

impl Tabulated<'_> {
    /// For each invariant, the locations before an `implies` at which no thread has been in any step taken so far.
    pub fn never_at(&self) -> Vec<(PropertyId, String)> {
        let mut found = self.automata.absent.clone();
        for (id, condition) in invariants(self.automata) {
            for (thread, points) in guards(self.automata, condition) {
                let locals = &self.locals[self.table[thread.index()]];
                let location = (id, location(self.automata, thread, points));
                if !points.iter().any(|point| locals.was_at(*point)) && !found.contains(&location) {
                    found.push(location);
                }
            }
        }
        found
    }
}

/// The locations in conditions to the left of an `implies`.
fn guards<'a>(automata: &'a Automata, condition: &'a StateExpr) -> Vec<(ThreadId, &'a [PointId])> {
    match condition {
        Expr::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
            [guards(automata, left), guards(automata, right)].concat()
        }
        Expr::Binary(BinaryOp::Implies, guard, then) => {
            let mut found = Vec::new();
            automata.leaves(guard, &mut |leaf| {
                if let StateLeaf::At(thread, points) = leaf {
                    found.push((*thread, &points[..]));
                }
            });
            [found, guards(automata, then)].concat()
        }
        Expr::Unary(UnaryOp::Not, operand) => guards(automata, operand),
        _ => Vec::new(),
    }
}

/// A location for people: `at(mutator[0], marking)`.
fn location(automata: &Automata, thread: ThreadId, points: &[PointId]) -> String {
    let thread = &automata.threads[thread];
    let mut labels: Vec<&str> = Vec::new();
    for label in points.iter().flat_map(|point| &thread.automaton.points[*point].labels) {
        if !labels.contains(&label.as_str()) {
            labels.push(label);
        }
    }
    let rest = if labels.len() > NAMED { ", .." } else { "" };
    labels.truncate(NAMED);
    format!("at({}, {}{rest})", thread.name, labels.join(", "))
}
