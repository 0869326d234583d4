//! Locations that invariants and temporal properties ask something of, and whether any thread was ever there.
//!
//! A property such as `at(m, marking) implies ..` says nothing if no thread is ever at `marking`. `not at(m, marking)` says
//! just that, so only what is left of `implies` counts.

use crate::tabulated::tables::Tabulated;
use automata::{Automata, BinaryOp, Expr, PointId, PropertyId, PropertyKind, StateExpr, StateLeaf, ThreadId, UnaryOp};
use base::Table;
use base::table::Id;

/// Of so many labels the others are not named.
const NAMED: usize = 4;

/// Points of a thread that a property names.
type Location<'a> = (ThreadId, &'a [PointId]);

/// For each point of a thread, whether it is such a location: of this thread or of one with the same program.
pub(crate) fn guarding(automata: &Automata, same: &[usize], thread: ThreadId) -> Table<PointId, bool> {
    let mut is_guard: Table<PointId, bool> = automata.threads[thread].automaton.points.ids().map(|_| false).collect();
    for guards in automata.properties.values().map(|property| guards_of(automata, &property.kind)) {
        let alike = guards.into_iter().filter(|(of, _)| same[of.index()] == same[thread.index()]);
        alike.flat_map(|(_, points)| points).for_each(|point| is_guard[*point] = true);
    }
    is_guard
}

/// The locations before an `implies` in a property of all states or of runs.
fn guards_of<'a>(automata: &'a Automata, property: &'a PropertyKind) -> Vec<Location<'a>> {
    match property {
        PropertyKind::Invariant(condition) => guards(automata, condition),
        PropertyKind::Ltl(ltl) => {
            let of = |(atom, is_guard)| if is_guard { named(automata, atom) } else { guards(automata, atom) };
            ltl.guarding().into_iter().flat_map(of).collect()
        }
        _ => Vec::new(),
    }
}

impl Tabulated<'_> {
    /// For each invariant and temporal property, the locations before an `implies` at which no thread has been in any step taken so far.
    pub fn never_at(&self) -> Vec<(PropertyId, String)> {
        let mut found = self.automata.absent.clone();
        for (id, property) in self.automata.properties.iter() {
            for (thread, points) in guards_of(self.automata, &property.kind) {
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

/// The locations to the left of an `implies` in a condition on states.
fn guards<'a>(automata: &'a Automata, condition: &'a StateExpr) -> Vec<Location<'a>> {
    match condition {
        Expr::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
            [guards(automata, left), guards(automata, right)].concat()
        }
        Expr::Binary(BinaryOp::Implies, guard, then) => [named(automata, guard), guards(automata, then)].concat(),
        Expr::Unary(UnaryOp::Not, operand) => guards(automata, operand),
        _ => Vec::new(),
    }
}

/// All locations that a condition names.
fn named<'a>(automata: &'a Automata, condition: &'a StateExpr) -> Vec<Location<'a>> {
    let mut found = Vec::new();
    automata.leaves(condition, &mut |leaf| {
        if let StateLeaf::At(thread, points) = leaf {
            found.push((*thread, &points[..]));
        }
    });
    found
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
