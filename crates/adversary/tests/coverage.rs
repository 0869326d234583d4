//! Every statement, expression and memory operation of the typed tree occurs often.

use adversary::generate::{Profile, generate};
use adversary::subject::Subject;
use program::Program;
use program::typed::{Body, Expr, ExprKind, Formula, PropertyKind};
use program::walk::all_stmts;
use std::collections::BTreeMap;

/// How often each must occur at least, in so many programs of each profile.
const LEAST: usize = 15;
const PROGRAMS: u64 = 150;

/// The variants of an enum of the typed tree, from its text: so a new construct must occur too.
fn variants(of: &str) -> Vec<String> {
    let text =
        concat!(include_str!("../../program/src/typed.rs"), include_str!("../../program/src/typed/statements.rs"));
    let begin = text.find(&format!("pub enum {of} {{")).expect("the enum is there");
    let body = &text[begin..begin + text[begin..].find("\n}").expect("it ends")];
    let names = body.lines().skip(1).map(str::trim).filter(|line| line.starts_with(char::is_uppercase));
    names.map(|line| line.split(|c: char| !c.is_alphanumeric()).next().expect("a name").to_string()).collect()
}

/// The name of a variant, from its debug text.
fn name(value: &impl std::fmt::Debug) -> String {
    let text = format!("{value:?}");
    text.split(|c: char| !c.is_alphanumeric()).next().expect("a name").to_string()
}

type Counts = BTreeMap<String, usize>;

fn count_expr(expr: &Expr, counts: &mut Counts) {
    *counts.entry(format!("ExprKind::{}", name(&expr.kind))).or_default() += 1;
    if let ExprKind::Access(access) = &expr.kind {
        *counts.entry(format!("Op::{}", name(&access.op))).or_default() += 1;
    }
    expr.operands().into_iter().for_each(|operand| count_expr(operand, counts));
}

fn count_body(body: &Body, counts: &mut Counts) {
    for stmt in all_stmts(&body.block) {
        *counts.entry(format!("StmtKind::{}", name(&stmt.kind))).or_default() += 1;
        if let program::typed::StmtKind::Region(region, _) = &stmt.kind {
            *counts.entry(format!("Region::{}", name(region))).or_default() += 1;
        }
        stmt.exprs().into_iter().for_each(|expr| count_expr(expr, counts));
    }
}

fn count_formula(formula: &Formula, counts: &mut Counts) {
    match formula {
        Formula::State(expr) => count_expr(expr, counts),
        Formula::Not(inner) | Formula::Quantified(_, _, inner) => count_formula(inner, counts),
        Formula::Join(_, left, right) => [left, right].into_iter().for_each(|f| count_formula(f, counts)),
        Formula::Temporal(op, inner) => {
            *counts.entry(format!("TemporalOp::{}", name(op))).or_default() += 1;
            inner.iter().for_each(|f| count_formula(f, counts));
        }
    }
}

fn count(program: &Program, counts: &mut Counts) {
    program.threads.values().for_each(|thread| count_body(&thread.body, counts));
    program.procs.values().for_each(|proc| count_body(&proc.body, counts));
    for property in program.properties.values() {
        *counts.entry(format!("PropertyKind::{}", name(&property.kind))).or_default() += 1;
        match &property.kind {
            PropertyKind::Assert => {}
            PropertyKind::Invariant(expr) | PropertyKind::Forbid(expr) => count_expr(expr, counts),
            PropertyKind::Ltl { formula, .. } => count_formula(formula, counts),
        }
    }
    for cover in program.covers.values() {
        cover.condition.iter().for_each(|expr| count_expr(expr, counts));
    }
}

#[test]
fn every_construct_of_the_typed_tree_occurs() {
    let mut counts = Counts::new();
    for profile in Profile::all() {
        for seed in 0..PROGRAMS {
            if let Ok(subject) = Subject::new(&generate(&profile, seed)) {
                count(&subject.program, &mut counts);
            }
        }
    }
    let wanted = ["StmtKind", "ExprKind", "Op", "Region", "PropertyKind"];
    let all = wanted.iter().flat_map(|of| variants(of).into_iter().map(move |name| format!("{of}::{name}")));
    // `old(..)` stands in guarantees only, which no run depends on: `crates/prove/tests/rely.rs` has programs of its own.
    let all = all.filter(|name| name != "ExprKind::Old");
    let seldom = all.map(|name| (counts.get(&name).copied().unwrap_or(0), name)).filter(|(n, _)| *n < LEAST);
    let seldom: Vec<_> = seldom.collect();
    assert!(seldom.is_empty(), "seldom or never: {seldom:?}");
    let temporal = counts.keys().filter(|name| name.starts_with("TemporalOp")).count();
    assert_eq!(temporal, 6, "always, eventually, next, until, weakly_until, release");
}
