//! No procedure calls itself: procedures are inlined.

use super::Checker;
use crate::codes;
use crate::typed::{ProcId, Stmt};
use crate::walk::live_stmts;
use base::table::Id;
use base::{Span, Table};

/// Procedures that may be inside one another when inlined.
const MAX_DEPTH: usize = 64;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    Open,
    Done(usize),
}

impl Checker<'_> {
    /// Reports procedures that call themselves, or that are inlined too deep. True if there are none.
    pub(super) fn check_recursion(&mut self) -> bool {
        let before = self.out.len();
        let mut marks: Table<ProcId, Mark> = self.procs.values().map(|_| Mark::New).collect();
        for id in self.procs.ids() {
            self.visit(id, &mut marks, 0);
        }
        self.out.len() == before
    }

    /// The depth of what `id` calls, itself included.
    fn visit(&mut self, id: ProcId, marks: &mut Table<ProcId, Mark>, depth: usize) -> usize {
        if let Mark::Done(depth) = marks[id] {
            return depth;
        }
        marks[id] = Mark::Open;
        let mut below = 0;
        for (callee, span) in calls_of(&self.procs[id].body.block) {
            if marks[callee] == Mark::Open {
                self.recursive(callee, span);
            } else if depth >= MAX_DEPTH {
                self.too_deep(span);
            } else {
                below = below.max(self.visit(callee, marks, depth + 1));
            }
        }
        if below >= MAX_DEPTH {
            self.too_deep(self.procs[id].span);
        }
        marks[id] = Mark::Done(below + 1);
        below + 1
    }

    fn recursive(&mut self, callee: ProcId, span: Span) {
        let proc = &self.procs[callee];
        let (message, declared) = (format!("`{}` calls itself, and procedures are inlined", proc.name), proc.span);
        let diagnostic = self.error(codes::RECURSION, span, message);
        diagnostic.hint = Some("use a loop".into());
        diagnostic.notes.push(base::diagnostic::Note { span: declared, message: "it is declared here".into() });
    }

    fn too_deep(&mut self, span: Span) {
        let message = format!("more than {MAX_DEPTH} procedures are inlined inside one another");
        self.error(codes::TOO_LARGE, span, message);
    }
}

/// All calls that are not left out, in the order of the text.
pub(super) fn calls_of(block: &[Stmt]) -> Vec<(ProcId, Span)> {
    live_stmts(block).into_iter().flat_map(Stmt::calls).collect()
}

/// Every procedure, callees before their callers.
pub(super) fn callees_first(procs: &Table<ProcId, crate::typed::Proc>) -> Vec<ProcId> {
    let mut order: Vec<ProcId> = Vec::new();
    let mut is_seen = vec![false; procs.len()];
    for root in procs.ids() {
        let mut stack = vec![(root, false)];
        while let Some((id, is_left)) = stack.pop() {
            if is_left {
                order.push(id);
            } else if !is_seen[id.index()] {
                is_seen[id.index()] = true;
                stack.push((id, true));
                stack.extend(calls_of(&procs[id].body.block).into_iter().map(|(callee, _)| (callee, false)));
            }
        }
    }
    order
}
