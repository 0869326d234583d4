//! A thread's text as a list of instructions: procedures in place of their calls, loops as jumps.

use crate::layout::Address;
use crate::values::{Registers, Term};
use base::Span;
use memory::{Fence, Operation, Order};
use program::typed::{self, CoverId, Op, PropertyId, ThreadId};
use program::types::Range;
use std::collections::BTreeSet;

/// The instructions of one copy of a thread.
pub(crate) struct Code {
    pub(crate) name: String,
    pub(crate) thread: ThreadId,
    pub(crate) copy: i64,
    pub(crate) points: Vec<Point>,
    pub(crate) accesses: Vec<Access>,
    /// What registers hold at first (rule 2.7).
    pub(crate) first: Registers,
    /// The registers that a property names.
    pub(crate) named: BTreeSet<usize>,
    /// The register of each local of the thread's body.
    pub(crate) locals: Vec<Term>,
}

/// A point of a thread.
pub(crate) struct Point {
    pub(crate) instr: Instr,
    pub(crate) span: Span,
    pub(crate) labels: Vec<String>,
    /// The registers that are read here or later, or that a property names.
    pub(crate) kept: BTreeSet<usize>,
    /// A temporal property names a label of it: the thread rests here (rule 8.6).
    pub(crate) rests: bool,
    /// An invariant or cover does: the thread is seen here (rule 8.2).
    pub(crate) is_seen: bool,
}

/// A register that gets a value, and the values that it can have.
pub(crate) type Target = (usize, Range);

/// An instruction.
pub(crate) enum Instr {
    Nop,
    /// A register gets a value; whether that is another one's, which always fits.
    Set(Target, Term, bool),
    /// The access of that number.
    Access(usize),
    Fence(Fence),
    /// Goes on if true, else there.
    Branch(Term, usize),
    Goto(usize),
    Choose(Vec<usize>),
    /// A register gets any value of its range; with a set, one that is in it.
    Pick(Target, Option<Term>),
    Check(Check, Term),
    Assume(Term),
    Discard(Term),
    Region(Region),
    Begin(Begin),
    Commit,
    Abort(i64),
    Safepoint,
    Perform,
    Lock,
    Unlock,
    End,
}

/// A statement that properties know by its name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Check {
    Assert(PropertyId),
    Cover(CoverId),
}

/// A region, where its last instruction is, and the registers that it reads before it writes them.
pub(crate) struct Region {
    pub(crate) kind: typed::Region,
    pub(crate) is_ordered: bool,
    pub(crate) end: usize,
    pub(crate) reads: BTreeSet<usize>,
}

/// The beginning of a transaction, and the registers that its handler finds cause and code in.
pub(crate) struct Begin {
    pub(crate) capacity: Option<u32>,
    pub(crate) handler: usize,
    pub(crate) told: [Option<usize>; 2],
}

/// An access to shared state.
pub(crate) struct Access {
    pub(crate) op: Op,
    pub(crate) address: Address,
    /// The terms that the address is computed from.
    pub(crate) place: Vec<Term>,
    pub(crate) operands: Vec<Term>,
    /// The values of the cell.
    pub(crate) cell: Range,
    /// Its order; and that of a CAS that fails.
    pub(crate) orders: (Order, Order),
    /// The register that gets the result.
    pub(crate) to: Option<Target>,
    pub(crate) is_memory: bool,
    /// A region that touches it is ordered (rule 3.6).
    pub(crate) is_ordered: bool,
    /// A `then` belongs to it.
    pub(crate) then: bool,
    pub(crate) span: Span,
}

impl Access {
    pub(crate) fn is_store(&self) -> bool {
        matches!(self.op, Op::Store(_))
    }

    pub(crate) fn is_cas(&self) -> bool {
        matches!(self.op, Op::Cas(..) | Op::CasOld(..))
    }

    /// What the ordering rules see of it.
    pub(crate) fn operation(&self) -> Operation {
        Operation {
            reads: !matches!(self.op, Op::Store(_) | Op::StoreConditional(_)),
            writes: !matches!(self.op, Op::Load | Op::LoadLinked),
            linked: matches!(self.op, Op::LoadLinked | Op::StoreConditional(_)),
            order: self.orders.0,
        }
    }
}

impl Code {
    /// The registers that an instruction reads, and the one that it writes.
    fn uses(&self, instr: &Instr) -> (Vec<usize>, Option<usize>) {
        match instr {
            Instr::Set((to, _), term, _) => (term.registers(), Some(*to)),
            Instr::Pick((to, _), set) => (set.iter().flat_map(Term::registers).collect(), Some(*to)),
            Instr::Branch(term, _) | Instr::Check(_, term) => (term.registers(), None),
            Instr::Assume(term) | Instr::Discard(term) => (term.registers(), None),
            Instr::Access(access) => {
                let access = &self.accesses[*access];
                let read = access.place.iter().chain(&access.operands).flat_map(Term::registers);
                (read.collect(), access.to.map(|(to, _)| to))
            }
            _ => (Vec::new(), None),
        }
    }

    /// Where control goes from a point.
    fn next(&self, pc: usize) -> Vec<usize> {
        match &self.points[pc].instr {
            Instr::Goto(target) => vec![*target],
            Instr::Branch(_, target) => vec![pc + 1, *target],
            Instr::Choose(targets) => targets.clone(),
            Instr::Begin(begin) => vec![pc + 1, begin.handler],
            Instr::End | Instr::Abort(_) => Vec::new(),
            _ => vec![pc + 1],
        }
    }

    /// For each point from `start` to `end` the registers that are read from there on before they are written, and those
    /// that are named.
    pub(crate) fn live(&self, start: usize, end: usize, named: &BTreeSet<usize>) -> Vec<BTreeSet<usize>> {
        let mut live = vec![named.clone(); end - start];
        let mut is_stable = false;
        while !is_stable {
            is_stable = true;
            for pc in (start..end).rev() {
                let (reads, writes) = self.uses(&self.points[pc].instr);
                let within = self.next(pc).into_iter().filter(|next| (start..end).contains(next));
                let mut here: BTreeSet<usize> = within.flat_map(|next| live[next - start].iter().copied()).collect();
                writes.into_iter().for_each(|register| _ = here.remove(&register));
                here.extend(reads.iter().chain(named));
                is_stable &= here == live[pc - start];
                live[pc - start] = here;
            }
        }
        live
    }
}
