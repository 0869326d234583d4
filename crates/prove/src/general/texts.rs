//! What the text says at a place: typed statements and expressions by their spans, and whether a step may evaluate them in the smaller state.

use super::kept::{Sort, Sorts};
use base::Span;
use program::indices::{Holder, Home};
use program::typed::{BinaryOp, Body, Expr, ExprKind, Program, Stmt, StmtKind};
use program::types::Type;
use program::walk::all_stmts;
use rustc_hash::FxHashMap;

/// A statement or expression, with where it stands.
#[derive(Clone, Copy)]
pub(crate) enum Text<'p> {
    Stmt(&'p Stmt, Home),
    Expr(&'p Expr, Home),
}

/// All statements and expressions of threads and procedures.
pub(crate) struct Texts<'p>(FxHashMap<Span, Vec<Text<'p>>>);

/// What a step needs besides its registers, to evaluate an expression.
#[derive(Clone, Default, Debug)]
pub(crate) struct Needs {
    /// It asks whether these are empty or equal: an element tells.
    pub(crate) witnesses: Vec<Sort>,
    pub(crate) pushes: bool,
    pub(crate) pops: bool,
    pub(crate) tops: bool,
}

impl<'p> Texts<'p> {
    pub(crate) fn new(program: &'p Program) -> Self {
        let mut texts = Texts(FxHashMap::default());
        for (id, thread) in program.threads.iter() {
            texts.add(&thread.body, Home::Thread(id));
        }
        for (id, proc) in program.procs.iter() {
            texts.add(&proc.body, Home::Proc(id));
        }
        texts
    }

    fn add(&mut self, body: &'p Body, home: Home) {
        for stmt in all_stmts(&body.block) {
            self.0.entry(stmt.span).or_default().push(Text::Stmt(stmt, home));
            let mut rest = stmt.exprs();
            while let Some(expr) = rest.pop() {
                self.0.entry(expr.span).or_default().push(Text::Expr(expr, home));
                rest.extend(expr.operands());
            }
        }
    }

    pub(crate) fn at(&self, span: Span) -> &[Text<'p>] {
        self.0.get(&span).map_or(&[], Vec::as_slice)
    }

    /// Whether an element is chosen there.
    pub(crate) fn chooses(&self, span: Span) -> bool {
        let is_choice = |expr: &Expr| matches!(expr.kind, ExprKind::Choose | ExprKind::ChooseIn(_));
        self.at(span).iter().any(|text| matches!(text, Text::Expr(expr, _) if is_choice(expr)))
    }

    /// Whether `self` stands there.
    pub(crate) fn is_self(&self, span: Span) -> bool {
        self.at(span).iter().any(|text| matches!(text, Text::Expr(Expr { kind: ExprKind::SelfIndex, .. }, _)))
    }

    /// What the evaluation of all that stands there needs; an error if it is not understood.
    pub(crate) fn needs(&self, sorts: &Sorts<'_>, span: Span) -> Result<Needs, String> {
        let mut needs = Needs::default();
        let mut is_known = false;
        for text in self.at(span) {
            match text {
                Text::Expr(expr, home) => look(sorts, *home, expr, &mut needs)?,
                Text::Stmt(stmt, home) => match &stmt.kind {
                    StmtKind::Store(_, value)
                    | StmtKind::Assert(_, value)
                    | StmtKind::Assume(value)
                    | StmtKind::Discard(value)
                    | StmtKind::Cover(_, Some(value)) => look(sorts, *home, value, &mut needs)?,
                    StmtKind::Lock | StmtKind::Unlock => {}
                    _ => continue,
                },
            }
            is_known = true;
        }
        if is_known { Ok(needs) } else { Err("a part of the step that is not understood".into()) }
    }
}

fn look(sorts: &Sorts<'_>, home: Home, expr: &Expr, needs: &mut Needs) -> Result<(), String> {
    if sorts.names_elements(expr) {
        return Err("a step names an object or thread".into());
    }
    if matches!(expr.ty, Type::Word(_)) {
        return Err("a step computes with words".into());
    }
    match &expr.kind {
        ExprKind::Binary(op, left, right) => look_at_both(sorts, home, *op, (left, right), needs)?,
        ExprKind::Size(_) => return Err("a step counts elements (`size`)".into()),
        ExprKind::Quantified(_, local, _) => {
            let is_sorted = |ty: Type| matches!(ty, Type::Ref { .. });
            let body = match home {
                Home::Thread(id) => &sorts.program.threads[id].body,
                Home::Proc(id) => &sorts.program.procs[id].body,
                _ => return Err("a step that is not understood".into()),
            };
            let is_copy = sorts.indices.of(Holder::Local(home, *local)).is_some();
            if is_copy || is_sorted(body.locals[*local].ty) {
                return Err("a step looks at all objects or threads".into());
            }
        }
        ExprKind::Part(..) | ExprKind::Build(..) => return Err("a step takes words apart".into()),
        ExprKind::Push(..) => needs.pushes = true,
        ExprKind::Pop(_) => needs.pops = true,
        ExprKind::Top(_) => needs.tops = true,
        kind if kind.is_of_properties() => return Err("a step that is not understood".into()),
        _ => {}
    }
    for operand in expr.operands() {
        if !is_compared_size(expr, operand) {
            look(sorts, home, operand, needs)?;
        }
    }
    Ok(())
}

/// `size(q) > 0` asks only whether it is empty.
fn is_compared_size(expr: &Expr, operand: &Expr) -> bool {
    match (&expr.kind, &operand.kind) {
        (ExprKind::Binary(BinaryOp::Greater | BinaryOp::Equal | BinaryOp::NotEqual, _, right), ExprKind::Size(_)) => {
            right.constant() == Some(0)
        }
        _ => false,
    }
}

fn look_at_both(
    sorts: &Sorts<'_>,
    home: Home,
    op: BinaryOp,
    (left, right): (&Expr, &Expr),
    needs: &mut Needs,
) -> Result<(), String> {
    use BinaryOp::{And, Equal, Greater, Implies, In, Minus, NotEqual, Or, Union, With, Without};
    if let (ExprKind::Size(held), Greater | Equal | NotEqual, Some(0)) = (&left.kind, op, right.constant()) {
        needs.witnesses.extend(sorts.of_elements(home, held));
        return Ok(());
    }
    let is_sorted = |expr: &Expr| sorts.of(home, expr).is_some() || sorts.is_held(expr.ty);
    match op {
        And | Or | Implies | In | With | Without | Union | Minus => Ok(()),
        Equal | NotEqual => {
            if sorts.is_held(left.ty) {
                needs.witnesses.extend(sorts.of_elements(home, left).or_else(|| sorts.of_elements(home, right)));
            }
            let is_number = |expr: &Expr| matches!((&expr.kind, expr.ty), (ExprKind::Const(_), Type::Int(_)));
            match (sorts.of(home, left), sorts.of(home, right)) {
                (Some(Sort::Copies(_)), _) if is_number(right) => Err("a step names a thread".into()),
                (_, Some(Sort::Copies(_))) if is_number(left) => Err("a step names a thread".into()),
                _ => Ok(()),
            }
        }
        _ if is_sorted(left) || is_sorted(right) => Err("a step computes with elements or sets".into()),
        _ => Ok(()),
    }
}
