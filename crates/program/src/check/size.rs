//! How large a program becomes when procedures are inlined and `each` is unrolled.
//!
//! Counts one for each operation, statement and branch, which is no less than the points that
//! lowering makes of them, up to a small factor.

use super::Checker;
use super::recursion::callees_first;
use crate::codes;
use crate::typed::{BinaryOp, Body, Expr, ExprKind, Formula, ProcId, PropertyKind, Stmt, StmtKind};
use crate::types::Types;
use base::{Span, Table};

/// Points in all threads together; also parts of all properties together.
const MAX_POINTS: u64 = 20_000;

struct Measure<'p> {
    types: &'p Types,
    procs: Table<ProcId, u64>,
}

impl Checker<'_> {
    /// Reports a program that is too large to lower.
    pub(super) fn check_size(&mut self) {
        let n_procs = self.procs.values().map(|_| 0).collect();
        let mut measure = Measure { types: &self.types, procs: n_procs };
        for id in callees_first(&self.procs) {
            measure.procs[id] = measure.body(&self.procs[id].body);
        }
        let mut total: u64 = 0;
        let mut worst: Option<(Span, String)> = None;
        for thread in self.threads.values() {
            let size = measure.body(&thread.body).saturating_mul(u64::from(thread.count.unwrap_or(1)));
            total = total.saturating_add(size);
            if total > MAX_POINTS && worst.is_none() {
                worst = Some((thread.span, thread.name.clone()));
            }
        }
        let properties = self.property_sizes(&measure);
        if let Some((span, name)) = worst {
            let message =
                format!("with the thread `{name}` the program has about {total} points; {MAX_POINTS} are the most");
            self.error(codes::TOO_LARGE, span, message).hint =
                Some("procedures are inlined and `each` is unrolled: use `loop`, or smaller parameters".into());
        }
        for span in properties {
            let message = format!("this property has more than {MAX_POINTS} parts when its quantifiers are unrolled");
            self.error(codes::TOO_LARGE, span, message);
        }
    }

    /// The places of properties that are too large.
    fn property_sizes(&self, measure: &Measure) -> Vec<Span> {
        let stated = self.properties.values().map(|p| match &p.kind {
            PropertyKind::Ltl { formula, .. } => (p.span, measure.formula(formula, &p.locals)),
            kind => (p.span, kind.of_states().map_or(0, |e| measure.expr(e, &p.locals))),
        });
        let conditions = self.covers.values().filter_map(|c| c.condition.as_ref().map(|e| (c.span, e, &c.locals)));
        let covers = conditions.map(|(span, e, locals)| (span, measure.expr(e, locals)));
        let graphs = self.graphs.values().filter_map(|graph| {
            let size = measure.expr(graph.condition.as_ref()?, &graph.locals);
            let n_objects = self.types.objects[graph.object].instances.len() as u64;
            Some((graph.condition.as_ref()?.span, size.saturating_mul(n_objects)))
        });
        stated.chain(covers).chain(graphs).filter(|(_, size)| *size > MAX_POINTS).map(|(span, _)| span).collect()
    }
}

type Locals = Table<crate::typed::LocalId, crate::typed::Local>;

impl Measure<'_> {
    fn body(&self, body: &Body) -> u64 {
        self.block(&body.block, &body.locals)
    }

    fn block(&self, block: &[Stmt], locals: &Locals) -> u64 {
        block.iter().fold(0, |sum, stmt| sum.saturating_add(self.stmt(stmt, locals)))
    }

    fn stmt(&self, stmt: &Stmt, locals: &Locals) -> u64 {
        let own = stmt.exprs().into_iter().fold(1u64, |sum, e| sum.saturating_add(self.expr(e, locals)));
        let inner = stmt.live_blocks().into_iter().fold(0u64, |sum, b| sum.saturating_add(self.block(b, locals)));
        let turns = match stmt.kind {
            StmtKind::Each(local, _) => self.types.range(locals[local].ty).count(),
            _ => 1,
        };
        own.saturating_add(inner.saturating_mul(turns))
    }

    fn formula(&self, formula: &Formula, locals: &Locals) -> u64 {
        let sum = |parts: &[&Formula]| parts.iter().fold(1u64, |sum, f| sum.saturating_add(self.formula(f, locals)));
        match formula {
            Formula::State(expr) => self.expr(expr, locals),
            Formula::Not(f) => sum(&[f]),
            Formula::Join(_, f, g) => sum(&[f, g]),
            Formula::Temporal(_, operands) => sum(&operands.iter().collect::<Vec<_>>()),
            Formula::Quantified(_, local, f) => sum(&[f]).saturating_mul(self.types.range(locals[*local].ty).count()),
        }
    }

    fn expr(&self, expr: &Expr, locals: &Locals) -> u64 {
        let operands = expr.operands().into_iter().fold(0u64, |sum, e| sum.saturating_add(self.expr(e, locals)));
        match &expr.kind {
            ExprKind::Const(_) | ExprKind::Local(_) | ExprKind::SelfIndex => 0,
            ExprKind::Call(id, _) => operands.saturating_add(self.procs[*id]).saturating_add(1),
            ExprKind::Choose => self.types.range(expr.ty).count(),
            // Two points for each element.
            ExprKind::ChooseIn(_) => operands.saturating_add(2 * self.types.range(expr.ty).count()),
            ExprKind::Size(set) => {
                let n_values = u64::from(self.types.range(set.ty).bits());
                operands.saturating_add(1).saturating_mul(n_values)
            }
            ExprKind::Push(queue, _) | ExprKind::Binary(BinaryOp::In, _, queue) => {
                let n_copies = self.types.queue(queue.ty).map_or(1, |queue| u64::from(queue.length) + 1);
                operands.saturating_add(1).saturating_mul(n_copies)
            }
            ExprKind::Quantified(_, local, _) => {
                operands.saturating_add(1).saturating_mul(self.types.range(locals[*local].ty).count())
            }
            _ => operands.saturating_add(1),
        }
    }
}
