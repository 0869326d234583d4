//! What a question can learn of a thread's state alone: where it is, its registers, whether it has ended. Thread states that agree in all of
//! that are of one class, worked out once for each.

use super::numbers::Numbers;
use crate::values::Value;
use crate::world::World;
use program::Program;
use program::typed::{Expr, ExprKind};
use rustc_hash::FxHashMap;

/// Not worked out yet.
const UNKNOWN: u32 = u32::MAX;

/// Of one question.
pub(crate) struct Atoms<'p> {
    /// All expressions in it that say something of a thread.
    exprs: Vec<&'p Expr>,
    /// The class of each thread state; and each class by the thread and all that is said of it.
    classes: Vec<u32>,
    known: FxHashMap<(usize, Vec<Value>), u32>,
}

impl<'p> Atoms<'p> {
    pub(crate) fn new(program: &'p Program, condition: &'p Expr) -> Self {
        let (mut exprs, classes, known) = Default::default();
        let graphs = program.graphs.values().filter_map(|graph| graph.condition.as_ref());
        graphs.chain([condition]).for_each(|condition| collect(condition, &mut exprs));
        Atoms { exprs, classes, known }
    }

    /// The class of a thread state.
    pub(crate) fn class(&mut self, world: &World<'_>, numbers: &Numbers, state: u32) -> u32 {
        let at = state as usize;
        if self.classes.len() <= at {
            self.classes.resize(at + 1, UNKNOWN);
        }
        if self.classes[at] == UNKNOWN {
            let thread = &numbers.threads[at];
            let own = world.code[thread.id].thread;
            let about = self.exprs.iter().filter(|expr| thread_of(expr) == Some(own));
            let said = about.map(|expr| world.says(expr, thread)).collect();
            let new = self.known.len() as u32;
            self.classes[at] = *self.known.entry((thread.id, said)).or_insert(new);
        }
        self.classes[at]
    }
}

fn thread_of(expr: &Expr) -> Option<program::typed::ThreadId> {
    match &expr.kind {
        ExprKind::Register(of, _) | ExprKind::At(of, _) | ExprKind::Ended(of) | ExprKind::Performed(of) => {
            Some(of.thread)
        }
        _ => None,
    }
}

fn collect<'p>(expr: &'p Expr, exprs: &mut Vec<&'p Expr>) {
    exprs.extend(thread_of(expr).map(|_| expr));
    expr.operands().into_iter().for_each(|operand| collect(operand, exprs));
}
