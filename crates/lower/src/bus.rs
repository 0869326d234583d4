//! The bus lock: an abstract cell that names its holder, taken and freed in atomic regions.

use crate::simplify::binary;
use crate::thread::Lowering;
use automata::scalars::Shape;
use automata::{Access, Action, Address, Automata, BinaryOp, Cell, CellKind, Domain, Expr, Op, Region, Value, Wait};
use base::Span;
use program::Program;
use program::typed::StmtKind;

/// Declares the cell, if a thread ever locks the bus. It comes after all others.
pub(crate) fn declare(program: &Program, automata: &mut Automata) {
    if !is_locked(program) {
        return;
    }
    let mut names = vec![(Automata::FREE, "free".to_string())];
    for decl in program.threads.values() {
        for copy in 0..decl.count.unwrap_or(1) {
            names.push((names.len() as Value - 1, decl.copy_name(copy)));
        }
    }
    let domain = Domain::new(Automata::FREE, names.len() as Value - 2);
    let cell = Cell { names, ..Cell::new("bus", CellKind::Abstract, domain, Automata::FREE) };
    automata.bus = Some(automata.cells.push(cell));
}

/// Whether a thread, or a procedure that it calls, locks the bus.
pub(crate) fn is_locked(program: &Program) -> bool {
    program.live_stmts().into_iter().any(|stmt| matches!(stmt.kind, StmtKind::Lock | StmtKind::Unlock))
}

impl Lowering<'_, '_> {
    /// `lock`: waits until the bus is free, and takes it.
    pub(crate) fn lock(&mut self, span: Span) {
        let own = self.automata.threads.len() as Value;
        self.pass_bus((Automata::FREE, own), span);
    }

    /// `unlock`: waits until all is performed, and frees the bus.
    pub(crate) fn unlock(&mut self, span: Span) {
        let own = self.automata.threads.len() as Value;
        self.pass_bus((own, Automata::FREE), span);
    }

    /// In one step: waits until `from` holds the bus, and gives it to `to`.
    fn pass_bus(&mut self, (from, to): (Value, Value), span: Span) {
        let Some(bus) = self.automata.bus else { return };
        let holder = self.out.temporary(self.automata.cells[bus].domain);
        self.out.set_shape(holder, Shape::Thread);
        let access = |op| Access::new(op, Address::cell(bus));
        self.enter(Region::Atomic(Wait::Performed), span);
        self.out.emit(Action::Access(Access { dst: Some(holder), ..access(Op::Load) }), span);
        let is_held = binary(BinaryOp::Equal, Expr::Leaf(holder), Expr::constant(from));
        self.out.emit(Action::Assume(is_held), span);
        self.out.emit(Action::Access(access(Op::Store(Expr::constant(to)))), span);
        self.leave(span);
    }
}
