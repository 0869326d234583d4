//! Requests in statements, and the words for the state of the pool in all expressions.

use super::build::Build;
use super::threads::RELEASER_ENDED;
use super::{Pools, complaint, pool, unknown};
use crate::Loaded;
use base::Diagnostic;
use syntax::tree::{BinaryOp, Expr, ExprKind, ItemKind, Name, Request, Stmt, StmtKind};
use syntax::walk;

/// Words that ask for the state of a bucket or of a kind of work.
const OF_BUCKETS: [&str; 2] = ["drained", "is_open"];
const OF_KINDS: [&str; 4] = ["unclaimed", "claimed", "requested", "done"];

/// Rewrites every request and every word for the state of the pool.
pub(super) fn expressions(loaded: &mut Loaded, pools: &Pools) {
    let out = &mut loaded.diagnostics;
    let declared = declared(&loaded.modules);
    for item in loaded.modules.iter_mut().flat_map(|module| &mut module.items) {
        walk::exprs(&mut item.kind, &mut |expr, place| {
            let ExprKind::Call(word, arguments) = &expr.kind else { return };
            if declared.contains(&word.text) {
                return;
            }
            let build = Build { span: expr.span };
            if let Some(meant) = pools.meaning(build, word, arguments, place, out) {
                *expr = meant;
            }
        });
        walk::stmts(&mut item.kind, &mut |stmt| {
            if let StmtKind::Request(request) = &stmt.kind {
                stmt.kind = pools.requested(request, stmt, out);
            }
        });
    }
}

/// The names of procedures and predicates, which come before the words of this module.
pub(super) fn declared(modules: &[syntax::tree::Module]) -> Vec<String> {
    let name = |kind: &ItemKind| match kind {
        ItemKind::Proc { signature, .. } => Some(signature.name.text.clone()),
        ItemKind::Predicate { name, .. } => Some(name.text.clone()),
        _ => None,
    };
    modules.iter().flat_map(|module| &module.items).filter_map(|item| name(&item.kind)).collect()
}

impl Pools {
    /// What `word(arguments)` means, if it is a word for the state of the pool.
    fn meaning(
        &self,
        build: Build,
        word: &Name,
        arguments: &[Expr],
        place: walk::Place,
        out: &mut Vec<Diagnostic>,
    ) -> Option<Expr> {
        let [Expr { kind: ExprKind::Name(name), .. }] = arguments else { return None };
        let text = word.text.as_str();
        if text == "ended" {
            let is_releaser = self.releaser.as_ref().is_some_and(|releaser| releaser.name.text == name.text);
            return (is_releaser && place == walk::Place::Code).then(|| build.var(RELEASER_ENDED));
        }
        if OF_BUCKETS.contains(&text) {
            let Some(bucket) = self.bucket(&name.text) else {
                out.push(unknown("bucket", name, self.buckets.iter().map(|bucket| bucket.name.text.as_str())));
                return Some(build.bool(false));
            };
            let open = build.var(pool::is_open(bucket));
            if text == "is_open" {
                return Some(open);
            }
            let kinds = bucket.kinds.iter().filter_map(|kind| self.kind(&kind.text));
            return Some(build.all(std::iter::once(open).chain(kinds.map(|kind| kind.is_drained(build)))));
        }
        if !OF_KINDS.contains(&text) {
            return None;
        }
        let Some(kind) = self.kind(&name.text) else {
            out.push(unknown("kind of work", name, self.kind_names()));
            return Some(build.int(0));
        };
        Some(match text {
            "unclaimed" => kind.unclaimed(build),
            "claimed" => kind.claimed(build),
            "done" => kind.done(build),
            _ => build.binary(BinaryOp::Add, kind.unclaimed(build), kind.claimed(build)),
        })
    }

    /// What `request kind(unit)` does.
    fn requested(&self, request: &Request, stmt: &Stmt, out: &mut Vec<Diagnostic>) -> StmtKind {
        let build = Build { span: stmt.span };
        let Some(kind) = self.kind(&request.work.text) else {
            out.push(unknown("kind of work", &request.work, self.kind_names()));
            return StmtKind::Error;
        };
        let n_wanted = usize::from(kind.work.unit.is_some());
        if request.units.len() != n_wanted {
            let wanted = if n_wanted == 1 { "one unit" } else { "no unit" };
            let message = format!("a request for `{}` names {wanted}, and {} here", kind.name(), request.units.len());
            out.push(complaint(request.work.span, message, "write what `work` has between its parentheses"));
            return StmtKind::Error;
        }
        let unit = request.units.first().cloned().unwrap_or_else(|| build.int(0));
        build.atomic(kind.request(build, unit)).kind
    }
}
