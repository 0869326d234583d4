//! Orders weakened: a weaker fence, a weaker order of an access, a world that continues.

use crate::derive::{Context, Draft};
use crate::mutant::Kind;
use crate::text::snippet;
use base::Span;
use patch::Edit;
use syntax::parts;
use syntax::tree::{Argument, Expr, ExprKind, Stmt, StmtKind};

/// Each weaker order that could stand in the statement.
pub(crate) fn weaken(context: &Context<'_>, stmt: &Stmt) -> Vec<Draft> {
    match &stmt.kind {
        StmtKind::Fence(kind) => {
            let now = context.value(&kind.text);
            let weaker = weaker_fences(now).iter();
            weaker.filter_map(|word| put(context, Kind::WeakenFence, stmt.span, (kind.span, now, word))).collect()
        }
        StmtKind::StopTheWorld(_) => world(context, stmt).into_iter().collect(),
        _ => parts::exprs(stmt).into_iter().flat_map(parts::parts).flat_map(|expr| access(context, expr)).collect(),
    }
}

fn weaker_fences(fence: &str) -> &'static [&'static str] {
    match fence {
        "full" => &["release", "acquire", "store_store"],
        "release" => &["store_store"],
        _ => &[],
    }
}

fn access(context: &Context<'_>, expr: &Expr) -> Vec<Draft> {
    let ExprKind::Method { name, arguments, .. } = &expr.kind else { return Vec::new() };
    let mut drafts = Vec::new();
    for argument in arguments {
        let Argument::Expr(Expr { kind: ExprKind::Name(order), .. }) = argument else { continue };
        let now = context.value(&order.text);
        for word in weaker_orders(&name.text, now) {
            drafts.extend(put(context, Kind::WeakenOrder, expr.span, (order.span, now, word)));
        }
    }
    drafts
}

fn weaker_orders(method: &str, order: &str) -> &'static [&'static str] {
    match (method, order) {
        ("load" | "ll", "seq_cst") => &["acquire", "relaxed"],
        ("store" | "sc", "seq_cst") => &["release", "relaxed"],
        (_, "seq_cst") => &["acq_rel", "relaxed"],
        (_, "acq_rel") => &["acquire", "release", "relaxed"],
        (_, "acquire" | "release") => &["relaxed"],
        _ => &[],
    }
}

/// None where a flag of the word's name says something else.
fn put(context: &Context<'_>, kind: Kind, span: Span, (at, now, word): (Span, &str, &str)) -> Option<Draft> {
    let what = format!("{}: {now} -> {word}", snippet(context.sources, span));
    (context.value(word) == word).then(|| Draft::new(kind, span, what, vec![Edit::replace(at, word)]))
}

/// The world continues meanwhile.
fn world(context: &Context<'_>, stmt: &Stmt) -> Option<Draft> {
    const KEYWORD: &str = "stop_the_world";
    let start = stmt.span.start + context.text(stmt.span).find(KEYWORD)? as u32;
    let keyword = Span { start, end: start + KEYWORD.len() as u32, ..stmt.span };
    let edits = vec![Edit::replace(keyword, "if true")];
    Some(Draft::new(Kind::WeakenWorld, stmt.span, "stop_the_world: the world goes on".into(), edits))
}
