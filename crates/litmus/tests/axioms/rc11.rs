//! The axioms of RC11: coherence, atomicity, `psc` is acyclic, nothing out of thin air.
//!
//! Written from the published axioms (Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing Sequential Consistency in C/C++11, PLDI 2017). A full
//! fence is a seq_cst one; a store-store fence is a release fence.

use crate::axioms::candidates::{Candidate, Event, Kind};
use crate::axioms::relation::Relation;
use litmus::{FenceName, OrderName};

/// Whether two accesses of different threads race: to one cell, one of them a write and one of them not atomic, and none happens before the other.
pub(crate) fn races(c: &Candidate) -> bool {
    let hb = c.po.or(&synchronizes(c)).closure();
    let is_racy = |a: &Event, b: &Event| {
        let are_accesses = !is_fence(a) && !is_fence(b) && a.cell == b.cell;
        let are_apart = a.thread.is_some() && b.thread.is_some() && a.thread != b.thread;
        let conflict = (a.writes() || b.writes()) && (a.order == OrderName::Na || b.order == OrderName::Na);
        are_accesses && are_apart && conflict
    };
    let conflicts = Relation::of(c.events.len(), |a, b| is_racy(&c.events[a], &c.events[b]));
    !conflicts.minus(&hb.or(&hb.inverse())).is_empty()
}

/// Whether the axioms allow the candidate.
pub(crate) fn allows(c: &Candidate) -> bool {
    if !c.po.or(&c.rf).is_acyclic() {
        return false;
    }
    let rb = c.fr().minus(&c.set(|_| true));
    let eco = c.rf.or(&c.co).or(&rb).closure();
    let hb = c.po.or(&synchronizes(c)).closure();
    let irreflexive = |relation: &Relation| relation.and(&c.set(|_| true)).is_empty();
    let coheres = irreflexive(&hb) && irreflexive(&hb.then(&eco));
    coheres && c.rmw.and(&rb.then(&c.co)).is_empty() && psc(c, &rb, &eco, &hb).is_acyclic()
}

fn is_fence(event: &Event) -> bool {
    matches!(event.kind, Kind::Fence(_))
}

/// `relation?`
fn maybe(c: &Candidate, relation: &Relation) -> Relation {
    relation.or(&c.set(|_| true))
}

/// `sw`.
fn synchronizes(c: &Candidate) -> Relation {
    let releases = |e: &Event| match e.kind {
        Kind::Fence(fence) => fence != FenceName::Acq,
        _ => e.releases(),
    };
    let acquires = |e: &Event| match e.kind {
        Kind::Fence(fence) => matches!(fence, FenceName::Acq | FenceName::Full),
        _ => e.acquires(),
    };
    let is_atomic = |e: &Event| e.order != OrderName::Na;
    let (reads, fences) = (c.set(|e| e.reads() && is_atomic(e)), c.set(is_fence));
    let writes = c.set(|e| e.writes() && is_atomic(e));
    let continued = maybe(c, &c.rf.then(&c.rmw).closure());
    let sequence = c.set(Event::writes).then(&maybe(c, &c.same_cell(&c.po))).then(&writes).then(&continued);
    let released = c.set(releases).then(&maybe(c, &fences.then(&c.po)));
    let acquired = maybe(c, &c.po.then(&fences)).then(&c.set(acquires));
    released.then(&sequence).then(&c.rf).then(&reads).then(&acquired)
}

/// `psc`.
fn psc(c: &Candidate, rb: &Relation, eco: &Relation, hb: &Relation) -> Relation {
    let fences = c.set(|e| e.is_fence(FenceName::Full));
    let all = fences.or(&c.set(|e| !is_fence(e) && e.order == OrderName::Sc));
    let elsewhere = c.po.minus(&c.same_cell(&c.po));
    let scb = c.po.or(&elsewhere.then(hb).then(&elsewhere)).or(&c.same_cell(hb)).or(&c.co).or(rb);
    let hb_or_same = maybe(c, hb);
    let base = all.or(&fences.then(&hb_or_same)).then(&scb).then(&all.or(&hb_or_same.then(&fences)));
    base.or(&fences.then(&hb.or(&hb.then(eco).then(hb))).then(&fences))
}
