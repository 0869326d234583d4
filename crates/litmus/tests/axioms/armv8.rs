//! The axioms of ARMv8: external visibility (`ob` is acyclic), internal visibility, atomicity.
//!
//! Written from the published axioms (Pulte et al., POPL 2018, and the Arm Architecture Reference Manual, B2.3). Acquire loads are LDAPR or
//! LDAR, the acquiring reads of read-modify-writes and seq_cst loads are always of the kind of LDAR. Read-modify-writes are single instructions
//! (LSE); `ll` and `sc` are exclusives. Fences are DMB: `full` and `rel` SY, `acq` LD, `ww` ST, as compilers translate C11.

use crate::axioms::candidates::{Candidate, Event};
use crate::axioms::relation::Relation;
use litmus::{FenceName, OrderName};

/// How acquire loads are compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AcquireLoad {
    Ldapr,
    Ldar,
}

/// How read-modify-writes are compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ReadModifyWrite {
    Lse,
    Exclusives,
}

/// Whether the axioms allow the candidate.
pub(crate) fn allows(c: &Candidate, acquire: AcquireLoad, rmw: ReadModifyWrite) -> bool {
    is_coherent(c) && is_atomic(c) && is_ordered(c, acquire, rmw)
}

/// Internal visibility: each cell by itself is sequentially consistent within a thread.
fn is_coherent(c: &Candidate) -> bool {
    c.same_cell(&c.po).or(&c.rf).or(&c.co).or(&c.fr()).is_acyclic()
}

/// No other thread writes between the two halves of a read-modify-write.
fn is_atomic(c: &Candidate) -> bool {
    c.rmw.and(&c.external(&c.fr()).then(&c.external(&c.co))).is_empty()
}

/// External visibility.
fn is_ordered(c: &Candidate, acquire: AcquireLoad, rmw: ReadModifyWrite) -> bool {
    let observed = c.external(&c.rf.or(&c.co).or(&c.fr()));
    let local = dependency_ordered(c, rmw).or(&atomic_ordered(c)).or(&barrier_ordered(c, acquire, rmw));
    // Writes of a thread to one cell follow one another.
    let successor = c.set(Event::writes);
    let successor = successor.then(&c.same_cell(&c.po)).then(&successor);
    observed.or(&local).or(&successor).is_acyclic()
}

/// `dob`.
fn dependency_ordered(c: &Candidate, rmw: ReadModifyWrite) -> Relation {
    let (reads, writes) = (c.set(Event::reads), c.set(Event::writes));
    // The status of a store-exclusive is known before its write is visible: nothing depends on that.
    let from_read = |relation: &Relation| reads.then(relation);
    let (addr, data, ctrl) = (from_read(&c.addr), from_read(&c.data), from_read(&c.ctrl));
    let ctrl = match rmw {
        ReadModifyWrite::Lse => ctrl,
        // The loop of exclusives of a CAS leaves by a branch on what was read.
        ReadModifyWrite::Exclusives => ctrl.or(&c.set(|e| e.is_cas && e.reads()).then(&c.po)),
    };
    let forwarded = addr.or(&data).then(&c.internal(&c.rf));
    addr.or(&data).or(&ctrl.then(&writes)).or(&addr.then(&c.po).then(&writes)).or(&forwarded)
}

/// `aob`.
fn atomic_ordered(c: &Candidate) -> Relation {
    let written = Relation::identity(c.events.len(), |e| c.rmw.0.iter().any(|row| row >> e & 1 == 1));
    c.rmw.or(&written.then(&c.internal(&c.rf)).then(&c.set(Event::acquires)))
}

/// `bob`.
fn barrier_ordered(c: &Candidate, acquire: AcquireLoad, rmw: ReadModifyWrite) -> Relation {
    let is_strong = |e: &Event| e.is_rmw || e.order == OrderName::Sc || acquire == AcquireLoad::Ldar;
    let strong = c.set(|e| e.acquires() && is_strong(e));
    let (acquires, releases) = (c.set(Event::acquires), c.set(Event::releases));
    let (reads, writes) = (c.set(Event::reads), c.set(Event::writes));
    let through = |older: &Relation, fence: &Relation, younger: &Relation| {
        older.then(&c.po).then(fence).then(&c.po).then(younger)
    };
    let all = c.set(|_| true);
    let full = c.set(|e| e.is_fence(FenceName::Full) || e.is_fence(FenceName::Rel));
    let mut bob = through(&all, &full, &all)
        .or(&through(&reads, &c.set(|e| e.is_fence(FenceName::Acq)), &all))
        .or(&through(&writes, &c.set(|e| e.is_fence(FenceName::Ww)), &writes))
        .or(&acquires.then(&c.po))
        .or(&c.po.then(&releases))
        .or(&releases.then(&c.po).then(&strong));
    if rmw == ReadModifyWrite::Lse {
        let both = strong.then(&c.amo).then(&releases);
        let is_written = |e: usize| both.0.iter().any(|row| row >> e & 1 == 1);
        bob = bob.or(&Relation::identity(c.events.len(), is_written).then(&c.po));
    }
    bob
}
