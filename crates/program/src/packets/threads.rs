//! The threads that work packets become: workers, and the releaser.

use super::Pools;
use super::build::Build;
use super::pool::{Kind, declare, is_open};
use syntax::tree::{Bucket, ItemKind, Name, Param, Releaser, Signature, Stmt, StmtKind, ThreadDecl, TypeKind};

/// The variable that is true when the releaser has ended.
pub(super) const RELEASER_ENDED: &str = "releaser.ended";
/// The name of a claimed unit, which no text can say.
const UNIT: &str = "unit.";

/// The procedure by which a worker claims a unit of an open bucket, any that waits; or ends, once the releaser has.
pub(super) fn claim(pools: &Pools, kind: &Kind) -> ItemKind {
    let build = kind.build();
    let holds = |bucket: &&Bucket| bucket.kinds.iter().any(|k| k.text == kind.name());
    let open = pools.buckets.iter().filter(holds).map(|bucket| build.var(is_open(bucket)));
    let mut claims = vec![build.assume(build.any(open))];
    claims.extend(kind.claim(UNIT));
    claims.push(build.stmt(StmtKind::Return(Some(build.var(UNIT)))));
    let ends = vec![build.assume(build.var(RELEASER_ENDED)), build.stmt(StmtKind::Stop)];
    let signature = Signature {
        name: build.name(claims_name(kind)),
        params: Vec::new(),
        result: Some(kind.unit_type()),
        heat: None,
        refines: None,
    };
    ItemKind::Proc { signature, body: build.block(vec![kind.step(build.one_of(vec![claims, ends]))]) }
}

/// The procedure that a worker runs for a unit.
pub(super) fn process(kind: &Kind) -> ItemKind {
    let build = kind.build();
    let (name, ty): (Name, _) = kind.work.unit.clone().unwrap_or_else(|| (build.name(UNIT), kind.unit_type()));
    let unit = Param { is_place: false, name, ty };
    let name = build.name(process_name(kind));
    let signature = Signature { name, params: vec![unit], result: None, heat: None, refines: None };
    ItemKind::Proc { signature, body: kind.work.body.clone() }
}

/// The workers: each claims, processes, and says that it is done.
pub(super) fn workers(pools: &Pools, kind: &Kind) -> ItemKind {
    let build = kind.build();
    let unit = build.stmt(StmtKind::Let {
        name: build.name(UNIT),
        ty: Some(kind.unit_type()),
        value: build.call(claims_name(kind), Vec::new()),
    });
    let process = build.stmt(StmtKind::Expr(build.call(process_name(kind), vec![build.var(UNIT)])));
    let mut done = vec![build.add(kind.claimed(build), -1)];
    done.extend(pools.counted(kind.name()).map(|counted| kind.count(build, counted)));
    let turn = build.block(vec![unit, process, kind.step(build.atomic(done))]);
    let body = build.block(vec![build.stmt(StmtKind::Loop(turn))]);
    ItemKind::Thread(ThreadDecl { name: kind.work.name.clone(), count: Some(kind.n_workers()), body, heat: None })
}

fn claims_name(kind: &Kind) -> String {
    format!("{}.claim", kind.name())
}

fn process_name(kind: &Kind) -> String {
    format!("{}.process", kind.name())
}

/// The releaser: in one step it finds a guard true and opens or closes a bucket, or ends. Where it ends, all buckets close.
pub(super) fn releaser(pools: &Pools, releaser: &Releaser) -> Vec<ItemKind> {
    let build = Build { span: releaser.name.span };
    let mut ways: Vec<Vec<Stmt>> = Vec::new();
    for bucket in &pools.buckets {
        ways.extend(bucket.opens.as_ref().map(|guard| {
            let build = Build { span: guard.span };
            let open = build.var(is_open(bucket));
            let is_due = build.all([build.not(open.clone()), guard.clone()]);
            vec![build.assume(is_due), build.assign(open, build.bool(true))]
        }));
        ways.extend(bucket.closes.as_ref().map(|guard| {
            let build = Build { span: guard.span };
            let is_due = build.all([build.var(is_open(bucket)), guard.clone()]);
            let mut way = vec![build.assume(is_due)];
            way.extend(closed(pools, build, bucket));
            way
        }));
    }
    let mut end = vec![Build { span: releaser.ends.span }.assume(releaser.ends.clone())];
    end.extend(pools.buckets.iter().flat_map(|bucket| closed(pools, build, bucket)));
    end.push(build.assign(build.var(RELEASER_ENDED), build.bool(true)));
    end.push(build.stmt(StmtKind::Stop));
    ways.push(end);
    let turn = build.block(vec![build.one_of(ways)]);
    let body = build.block(vec![build.stmt(StmtKind::Loop(turn))]);
    vec![
        declare(build, RELEASER_ENDED.to_string(), None, build.ty(TypeKind::Bool), build.bool(false)),
        ItemKind::Thread(ThreadDecl { name: releaser.name.clone(), count: None, body, heat: None }),
    ]
}

/// A bucket closes; what was done in it counts no more.
fn closed(pools: &Pools, build: Build, bucket: &Bucket) -> Vec<Stmt> {
    let counted = bucket.kinds.iter().filter(|kind| pools.counted(&kind.text).is_some());
    let kinds = counted.filter_map(|kind| pools.kind(&kind.text));
    let mut stmts = vec![build.assign(build.var(is_open(bucket)), build.bool(false))];
    stmts.extend(kinds.map(|kind| build.assign(kind.done(build), build.int(0))));
    stmts
}
