//! How far units that are done are counted.
//!
//! Where a count is only ever compared with constants, no one can tell counts beyond all of them apart: it stops one above the greatest, and every
//! comparison is as if it continued. Else it is counted as far as `pool` says, and more violates `in_range`.

use super::build::Build;
use super::rewrite::declared;
use crate::Loaded;
use std::collections::BTreeSet;
use syntax::parts;
use syntax::tree::{BinaryOp, Expr, ExprKind, ItemKind, StmtKind};

/// What the units of a kind that are done are compared with.
#[derive(Default)]
pub(super) struct Counted {
    n_uses: usize,
    n_compared: usize,
    /// The greatest number, or -1.
    greatest: i64,
    /// Names of constants.
    names: BTreeSet<String>,
}

impl Counted {
    /// A count that is greater than all it is compared with; none if it is compared with more than constants.
    pub(super) fn enough(&self, build: Build) -> Option<Expr> {
        if self.n_compared < self.n_uses {
            return None;
        }
        // The value of a name is not known yet; its square is at least as great, and not negative.
        let square = |name: &String| build.binary(BinaryOp::Multiply, build.var(name), build.var(name));
        let enough = build.int(self.greatest + 1);
        Some(self.names.iter().map(square).fold(enough, |sum, more| build.binary(BinaryOp::Add, sum, more)))
    }

    fn compared_with(&mut self, other: &Expr, constants: &BTreeSet<String>) {
        match &other.kind {
            ExprKind::Int(value) => self.greatest = self.greatest.max(*value),
            ExprKind::Name(name) if constants.contains(&name.text) => drop(self.names.insert(name.text.clone())),
            _ => return,
        }
        self.n_compared += 1;
    }
}

/// The kinds of work whose number of done units something uses.
pub(super) fn counted(loaded: &Loaded) -> Vec<(String, Counted)> {
    let declared = declared(&loaded.modules);
    if declared.iter().any(|name| name == "done") {
        return Vec::new();
    }
    let constants = constants(loaded);
    let mut all: Vec<(String, Counted)> = Vec::new();
    for item in loaded.modules.iter().flat_map(|module| &module.items) {
        for expr in parts::item_exprs(item) {
            if let Some(kind) = done(expr) {
                of(&mut all, kind).n_uses += 1;
            }
            if let ExprKind::Binary(op, left, right) = &expr.kind
                && is_comparison(*op)
            {
                for (side, other) in [(left, right), (right, left)] {
                    if let Some(kind) = done(side) {
                        of(&mut all, kind).compared_with(other, &constants);
                    }
                }
            }
        }
    }
    all
}

fn of<'a>(all: &'a mut Vec<(String, Counted)>, kind: &str) -> &'a mut Counted {
    let index = all.iter().position(|(name, _)| name == kind).unwrap_or_else(|| {
        all.push((kind.to_string(), Counted { greatest: 0, ..Counted::default() }));
        all.len() - 1
    });
    &mut all[index].1
}

/// The kind in `done(kind)`.
fn done(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Call(word, arguments) if word.text == "done" => match &arguments[..] {
            [Expr { kind: ExprKind::Name(kind), .. }] => Some(&kind.text),
            _ => None,
        },
        _ => None,
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    matches!(op, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual)
}

/// The names of constants and parameters that nothing in a body or property is called like.
fn constants(loaded: &Loaded) -> BTreeSet<String> {
    let (mut constants, mut bound) = (BTreeSet::new(), BTreeSet::new());
    for item in loaded.modules.iter().flat_map(|module| &module.items) {
        match &item.kind {
            ItemKind::Const { name, .. } | ItemKind::Param { name, .. } => drop(constants.insert(name.text.clone())),
            ItemKind::Proc { signature, .. } => {
                bound.extend(signature.params.iter().map(|param| param.name.text.clone()));
            }
            ItemKind::Predicate { params, .. } => bound.extend(params.iter().map(|(name, _)| name.text.clone())),
            ItemKind::Work(work) => bound.extend(work.unit.iter().map(|(name, _)| name.text.clone())),
            _ => {}
        }
        for stmt in parts::item_stmts(item) {
            if let StmtKind::Let { name, .. } | StmtKind::Each { name, .. } = &stmt.kind {
                bound.insert(name.text.clone());
            }
        }
        bound.extend(parts::item_exprs(item).into_iter().filter_map(quantified));
    }
    constants.difference(&bound).cloned().collect()
}

/// The name that a quantifier binds.
fn quantified(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Quantified { name, .. } => Some(name.text.clone()),
        _ => None,
    }
}
