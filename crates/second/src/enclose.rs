//! Regions in the text: which statements are one, and what each reads (rules 2.4, 3.6, 3.9, 3.10).

use crate::code::{AccessKind, Instr, Region, RegionKind, Touches};
use crate::compile::Compiler;
use program::typed::{self, Expr, Stmt};

impl Compiler<'_> {
    pub(crate) fn region_stmt(&mut self, kind: typed::Region, body: &[Stmt]) {
        let kind = match kind {
            typed::Region::Issued if !self.is_in_region => return self.issued(body),
            typed::Region::Issued => RegionKind::Step,
            typed::Region::Atomic | typed::Region::Direct => RegionKind::Step,
            typed::Region::StopTheWorld => RegionKind::StopTheWorld,
            typed::Region::Then => RegionKind::Then,
        };
        if kind == RegionKind::Then && !self.is_in_region {
            self.mark_then();
        }
        self.region(kind, |c| c.block(body));
    }

    /// The store before becomes the beginning of a region (rule 3.10).
    fn issued(&mut self, body: &[Stmt]) {
        let is_store = |instr: &Instr| matches!(instr, Instr::Access(access) if access.kind == AccessKind::Store);
        let Some(start) = self.code.instrs.iter().rposition(is_store) else { return };
        // Between the store and here are at most registers that are cleared.
        let store = self.code.instrs[start].clone();
        self.code.instrs.truncate(start + 1);
        self.code.spans.truncate(start + 1);
        self.code.labels.truncate(start + 1);
        self.emit(store);
        self.is_in_region = true;
        self.block(body);
        self.is_in_region = false;
        let end = self.emit(Instr::RegionEnd);
        self.close_region(RegionKind::Issued, true, start, end);
    }

    /// The last memory operation before belongs to the `then` here.
    fn mark_then(&mut self) {
        let last = self.code.instrs.iter_mut().rev().find_map(|instr| match instr {
            Instr::Access(access) if access.touches == Touches::Memory => Some(access),
            _ => None,
        });
        if let Some(access) = last {
            access.then = true;
        }
    }

    /// What is emitted for an expression, in a region of its own if it reads abstract state.
    pub(crate) fn region_around<T>(&mut self, expr: &Expr, emit: impl FnOnce(&mut Self) -> T) -> T {
        if expr.reads_abstract() { self.region(RegionKind::Step, emit) } else { emit(self) }
    }

    /// What is emitted, as one region; as part of the outer one if there is one.
    pub(crate) fn region<T>(&mut self, kind: RegionKind, emit: impl FnOnce(&mut Self) -> T) -> T {
        if self.is_in_region {
            return emit(self);
        }
        let is_unordered = self.is_unordered;
        let start = self.emit(Instr::Nop);
        self.is_in_region = true;
        let result = emit(self);
        self.is_in_region = false;
        let end = self.emit(Instr::RegionEnd);
        self.close_region(kind, is_unordered, start, end);
        result
    }

    pub(crate) fn close_region(&mut self, kind: RegionKind, is_unordered: bool, start: usize, end: usize) {
        let orders = |instr: &Instr| matches!(instr, Instr::Access(access) if access.touches != Touches::Unordered);
        let is_ordered = !is_unordered && self.code.instrs[start..end].iter().any(orders);
        let first = if kind == RegionKind::Issued { start + 2 } else { start + 1 };
        let reads = self.read_first(first, end);
        self.code.instrs[start] = Instr::Region(Region { kind, is_ordered, end, reads });
    }

    /// The registers that are read between before they are written there.
    fn read_first(&self, start: usize, end: usize) -> Vec<usize> {
        let n = end - start;
        let mut live: Vec<Vec<usize>> = vec![Vec::new(); n + 1];
        loop {
            let mut changed = false;
            for i in (0..n).rev() {
                let instr = &self.code.instrs[start + i];
                let within = |target: usize| target.checked_sub(start).filter(|t| *t < n).unwrap_or(n);
                let successors = instr.next(start + i).into_iter().map(within);
                let mut registers: Vec<usize> = successors.flat_map(|s| live[s].clone()).collect();
                registers.retain(|register| instr.writes() != Some(*register));
                instr.terms().into_iter().for_each(|term| term.registers(&mut registers));
                registers.sort_unstable();
                registers.dedup();
                changed |= registers != live[i];
                live[i] = registers;
            }
            if !changed {
                return live.swap_remove(0);
            }
        }
    }
}
