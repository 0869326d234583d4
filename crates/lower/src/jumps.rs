//! Loops, and the jumps out of loops, regions, procedures and threads.

use crate::builder::Holes;
use crate::thread::{Loop, Lowering};
use automata::{Action, Expr, PointId};
use base::Span;
use base::table::Id;
use program::indices::Home;
use program::typed::{self, ExprKind, LocalId, Stmt};
use program::types::{Range, Value};

impl<'p> Lowering<'p, '_> {
    /// `loop`, or `while` with its condition.
    pub(crate) fn looped(&mut self, condition: Option<&'p typed::Expr>, body: &'p [Stmt], span: Span) {
        let head = self.out.n_points();
        let mut ends: Holes = Vec::new();
        if let Some(condition) = condition {
            let (yes, no) = self.split(condition);
            self.out.holes = yes;
            ends = no;
        }
        let turn = self.turn(body);
        self.out.holes.extend(turn.continues);
        ends.extend(turn.breaks);
        if self.out.is_reachable() {
            if self.out.n_points() == head {
                // Nothing is done in the loop: the thread loops forever.
                let (yes, no) = self.out.branch(Expr::Const(1), span);
                self.out.holes = yes.into_iter().chain(no).collect();
            }
            let back = self.out.take();
            self.out.fill(back, PointId::new(head));
        }
        self.out.holes = ends;
    }

    /// `each`: one turn for each value.
    pub(crate) fn each(&mut self, local: LocalId, body: &'p [Stmt]) {
        let ty = self.frame().body.locals[local].ty;
        let mut ends = Vec::new();
        for value in self.values(ty) {
            self.bind_constant(local, value);
            let turn = self.turn(body);
            self.out.holes.extend(turn.continues);
            ends.extend(turn.breaks);
        }
        self.out.holes.extend(ends);
    }

    /// The values of a type that is enumerated.
    pub(crate) fn values(&self, ty: program::types::Type) -> impl Iterator<Item = Value> + use<> {
        let range: Range = self.program.types.range(ty);
        range.values()
    }

    fn turn(&mut self, body: &'p [Stmt]) -> Loop {
        let is_in_region = self.region.is_some();
        self.loops.push(Loop { breaks: Vec::new(), continues: Vec::new(), is_in_region });
        self.block(body);
        self.loops.pop().unwrap_or(Loop { breaks: Vec::new(), continues: Vec::new(), is_in_region })
    }

    pub(crate) fn break_loop(&mut self, span: Span) {
        let is_in_region = self.loops.last().is_some_and(|l| l.is_in_region);
        let holes = self.jump_away(is_in_region, span);
        if let Some(around) = self.loops.last_mut() {
            around.breaks.extend(holes);
        }
    }

    pub(crate) fn continue_loop(&mut self, span: Span) {
        let is_in_region = self.loops.last().is_some_and(|l| l.is_in_region);
        let holes = self.jump_away(is_in_region, span);
        if let Some(around) = self.loops.last_mut() {
            around.continues.extend(holes);
        }
    }

    /// `stop`: the end of the thread. One with a label is an end of its own: who ends elsewhere is not at that label.
    pub(crate) fn stop(&mut self, span: Span) {
        self.out.holes = self.jump(false, span);
        if self.out.is_labelled() {
            self.out.halt(span);
        } else {
            self.stops.extend(self.out.take());
        }
    }

    /// `return`: the value goes to where the call wants it.
    pub(crate) fn return_from(&mut self, value: Option<&'p typed::Expr>, span: Span) {
        match (value, self.frame().result) {
            (Some(value), Some((register, range))) => self.return_value(value, register, range, span),
            (Some(value), None) => {
                if let Some(range) = self.result_range() {
                    let unused = self.out.temporary(crate::cells::domain(range));
                    self.return_value(value, unused, range, span);
                }
            }
            (None, _) => {}
        }
        let is_in_region = self.frame().is_in_region;
        let holes = self.jump_away(is_in_region, span);
        self.frame().exits.extend(holes);
    }

    /// The values that the procedure being inlined may give.
    fn result_range(&mut self) -> Option<Range> {
        let Home::Proc(proc) = self.frame().home else { return None };
        self.program.procs[proc].result.map(|ty| self.program.types.range(ty))
    }

    /// Writes the result directly where it goes, unless only a register in between would notice that
    /// it is out of the range of the procedure's result.
    fn return_value(&mut self, value: &'p typed::Expr, register: automata::RegId, range: Range, span: Span) {
        let target = self.out.domain(register);
        let is_sure = range.includes(self.program.types.range(value.ty))
            || range.includes(Range::new(target.low, target.high))
            || matches!(value.kind, ExprKind::Const(_));
        if is_sure {
            return self.eval_into(value, register);
        }
        let checked = self.out.temporary(crate::cells::domain(range));
        self.out.set_shape(checked, self.out.shape(register));
        self.eval_into(value, checked);
        self.out.emit(Action::Compute { dst: register, value: Expr::Leaf(checked) }, span);
    }

    /// As `jump`. The label of a jump is not one of what it leads to; that of a `stop` is one of the end.
    fn jump_away(&mut self, is_in_region: bool, span: Span) -> Holes {
        if self.out.is_labelled() {
            self.out.emit(Action::Assume(Expr::Const(1)), span);
        }
        self.jump(is_in_region, span)
    }

    /// Takes the open holes for a jump to a place that is inside the region or outside of it.
    fn jump(&mut self, is_in_region: bool, span: Span) -> Holes {
        if self.region.is_some() && !is_in_region {
            self.out.emit(Action::Leave, span);
        }
        self.out.take()
    }
}
