//! The hypotheses in small groups: one conjunct of an invariant for certain threads, and all objects.

use crate::problem::{Problem, RowKind};
use crate::values::Conditions;
use automata::PropertyPart;
use base::Span;
use program::indices::{Holder, Home, Indices};
use program::typed::{self, Expr, ExprKind, LocalId, Program};
use sat::{Graph, Lit};

/// A property with more parts than are listed is taken as a whole.
const MAX_PARTS: usize = 2_048;

/// One group.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// The row.
    pub(crate) row: usize,
    /// Where the conjunct stands; none for a row as a whole.
    pub(crate) span: Option<Span>,
    /// Which truth of the conjunct violates the row.
    pub(crate) violating: bool,
    /// The threads that names stand for.
    pub(crate) threads: Vec<(String, String)>,
    /// The condition, of the state before.
    pub(crate) condition: Lit,
}

/// All groups; their conditions are built in `graph`, which begins as the problem's.
pub(crate) fn groups(problem: &Problem<'_>, program: &Program, indices: &Indices, graph: &mut Graph) -> Vec<Group> {
    let of_state = Conditions { automata: problem.automata, state: &problem.state, old: None, layout: &problem.layout };
    let mut groups: Vec<Group> = Vec::new();
    for (row, stated) in problem.rows.iter().enumerate().filter(|(_, row)| row.kind == RowKind::Invariant) {
        let of_row = problem.automata.parts.iter().filter(|part| part.property == stated.property);
        let parts: Vec<&PropertyPart> = of_row.collect();
        let typed = typed_of(program, &stated.name);
        let (false, Some((id, property)), true) = (parts.is_empty(), typed, parts.len() < MAX_PARTS) else {
            groups.push(Group {
                row,
                span: None,
                violating: false,
                threads: Vec::new(),
                condition: problem.conditions[row],
            });
            continue;
        };
        let is_thread = |name: &str| {
            let mut of_name = property.locals.iter().filter(|(_, local)| local.name == name);
            of_name.any(|(local, _)| indices.of(Holder::Local(Home::Property(id), local)).is_some())
        };
        for part in parts {
            let truth = of_state.holds(graph, &part.condition);
            let violating = part.violating == Some(true);
            let holds = if violating { !truth } else { truth };
            let threads: Vec<_> = part.bindings.iter().filter(|(name, _)| is_thread(name)).cloned().collect();
            let is_same = |group: &&mut Group| {
                group.row == row
                    && group.span == Some(part.span)
                    && group.threads == threads
                    && group.violating == violating
            };
            match groups.iter_mut().find(is_same) {
                Some(group) => group.condition = graph.and(group.condition, holds),
                None => {
                    groups.push(Group { row, span: Some(part.span), violating, threads, condition: holds });
                }
            }
        }
    }
    groups
}

/// The typed property that a row states as a whole.
pub(crate) fn typed_of<'p>(program: &'p Program, name: &str) -> Option<(typed::PropertyId, &'p typed::Property)> {
    let is_it = |(_, property): &(typed::PropertyId, &typed::Property)| {
        property.name == name && matches!(property.kind, typed::PropertyKind::Invariant(_))
    };
    program.properties.iter().find(is_it)
}

/// The conjuncts at `span` in a condition, each with the names that are bound there.
pub(crate) fn conjuncts(expr: &Expr, span: Span) -> Vec<(&Expr, Vec<LocalId>)> {
    let mut found = Vec::new();
    let mut rest = vec![(expr, Vec::new())];
    while let Some((expr, bound)) = rest.pop() {
        if expr.span == span {
            found.push((expr, bound.clone()));
        }
        let mut inner = bound;
        if let ExprKind::Quantified(_, local, _) = expr.kind {
            inner.push(local);
        }
        rest.extend(expr.operands().into_iter().map(|operand| (operand, inner.clone())));
    }
    found
}

/// The conjuncts that a condition is made of, each with the names that `all` binds.
pub(crate) fn all_conjuncts(expr: &Expr) -> Vec<(&Expr, Vec<LocalId>)> {
    let mut found = Vec::new();
    let mut rest = vec![(expr, Vec::new())];
    while let Some((expr, mut bound)) = rest.pop() {
        match &expr.kind {
            ExprKind::Quantified(typed::Quantifier::All, local, body) => {
                bound.push(*local);
                rest.push((body, bound));
            }
            ExprKind::Binary(typed::BinaryOp::And, left, right) => {
                rest.push((right, bound.clone()));
                rest.push((left, bound));
            }
            _ => found.push((expr, bound)),
        }
    }
    found
}

/// How deep quantifiers over the names that `is_meant` are nested, conditions of paths included.
pub(crate) fn depth(program: &Program, expr: &Expr, is_meant: &dyn Fn(LocalId) -> bool) -> usize {
    let own = usize::from(matches!(expr.kind, ExprKind::Quantified(_, local, _) if is_meant(local)));
    let inner = expr.operands().into_iter().map(|operand| depth(program, operand, is_meant)).max().unwrap_or(0);
    let path = condition_of_path(program, expr).map_or(0, |condition| 1 + depth(program, condition, &|_| true));
    own + inner + path
}

/// Whether it compares what names stand for with one another, or names an element: then it matters which are the same.
pub(crate) fn compares(program: &Program, expr: &Expr) -> bool {
    let own = match &expr.kind {
        ExprKind::Binary(_, left, right) => {
            let is_name = |expr: &Expr| matches!(expr.kind, ExprKind::Local(_));
            let is_element = |expr: &Expr| matches!(expr.kind, ExprKind::Const(value) if value != program::types::NULL);
            is_name(left) && (is_name(right) || is_element(right)) || is_element(left) && is_name(right)
        }
        _ => false,
    };
    let mut parts = expr.operands().into_iter().chain(condition_of_path(program, expr));
    own || parts.any(|part| compares(program, part))
}

fn condition_of_path<'p>(program: &'p Program, expr: &Expr) -> Option<&'p Expr> {
    match expr.kind {
        ExprKind::Reaches(graph, ..) => program.graphs[graph].condition.as_ref(),
        _ => None,
    }
}

/// The families that a condition reads.
pub(crate) fn families(sorts: &super::kept::Sorts<'_>, expr: &Expr, read: &mut Vec<u32>) {
    match &expr.kind {
        ExprKind::Load(place) | ExprKind::Oldest(_, place) | ExprKind::Pending(_, place, _) => {
            read.push(sorts.family(&place.root));
        }
        ExprKind::Reaches(graph, ..) => {
            if let Some(condition) = &sorts.program.graphs[*graph].condition {
                families(sorts, condition, read);
            }
        }
        _ => {}
    }
    expr.operands().into_iter().for_each(|operand| families(sorts, operand, read));
}
