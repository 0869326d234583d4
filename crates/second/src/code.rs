//! A thread's text as a list of instructions: procedures in place of their calls, loops as jumps.

use crate::term::Term;
use crate::values::Limits;
use base::Span;
use memory::{Fence, Operation, Order};
use program::typed::{CoverId, PropertyId};

/// The instructions of one thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    pub(crate) name: String,
    pub(crate) instrs: Vec<Instr>,
    pub(crate) spans: Vec<Span>,
    /// The labels of each point.
    pub(crate) labels: Vec<Vec<String>>,
    /// What each register holds at first.
    pub(crate) first: Vec<i64>,
    /// The register of each local of the thread's body.
    pub(crate) locals: Vec<Option<usize>>,
    /// The registers that are read at each point or later, or that a property names.
    pub(crate) kept: Vec<Vec<bool>>,
}

/// An instruction.
#[derive(Clone, Debug)]
pub(crate) enum Instr {
    Nop,
    /// These registers are needed no more.
    Clear(usize, usize),
    Set {
        to: usize,
        term: Term,
        limits: Limits,
        /// The term is one register whose values all fit.
        is_copy: bool,
    },
    Access(Access),
    Fence(Fence),
    /// Goes on if true, else there.
    Branch(Term, usize),
    Goto(usize),
    Choose(Vec<usize>),
    ChooseValue(usize, Limits),
    ChooseIn(usize, Term, Limits),
    Assert(PropertyId, Term),
    Assume(Term),
    Cover(CoverId, Term),
    Discard(Term),
    Region(Region),
    RegionEnd,
    Begin {
        capacity: Option<u32>,
        handler: usize,
        cause: Option<usize>,
        code: Option<usize>,
    },
    Commit,
    Abort(i64),
    Safepoint,
    Perform,
    Lock {
        is_ordered: bool,
    },
    Unlock,
    End,
}

/// A region and where its last instruction is.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    pub(crate) kind: RegionKind,
    pub(crate) is_ordered: bool,
    pub(crate) end: usize,
    /// The registers that it reads before it writes them.
    pub(crate) reads: Vec<usize>,
}

/// What a region waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RegionKind {
    /// `atomic`, `directly`, and statements on abstract state.
    Step,
    /// Part of the step that performs the operation before.
    Then,
    /// Begins with a store that it issues.
    Issued,
    StopTheWorld,
}

/// What is done at a place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum AccessKind {
    Load,
    Store,
    Cas,
    CasOld,
    Swap,
    FetchAdd,
    FetchAnd,
    FetchOr,
    LoadLinked,
    StoreConditional,
}

/// What a region that touches this is ordered by.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Touches {
    Memory,
    Ordered,
    Unordered,
}

/// An access to shared state.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub(crate) kind: AccessKind,
    pub(crate) address: Address,
    /// The values of the cell.
    pub(crate) cell: Limits,
    pub(crate) operands: Vec<Term>,
    pub(crate) order: Order,
    pub(crate) failure_order: Order,
    /// The register that gets the result, and its values.
    pub(crate) to: Option<(usize, Limits)>,
    pub(crate) touches: Touches,
    /// A `then` belongs to it.
    pub(crate) then: bool,
}

/// Where a cell is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Address {
    /// The first cell, of object 0 and index `index.low`.
    pub(crate) base: usize,
    /// The object, the number of objects, and the cells of each.
    pub(crate) object: Option<(Term, i64, i64)>,
    pub(crate) index: Option<(Term, Limits)>,
}

impl AccessKind {
    pub(crate) fn is_cas(self) -> bool {
        matches!(self, AccessKind::Cas | AccessKind::CasOld)
    }

    /// What the ordering rules see of it.
    pub(crate) fn operation(self, order: Order) -> Operation {
        use AccessKind::{Load, LoadLinked, Store, StoreConditional};
        Operation {
            reads: !matches!(self, Store | StoreConditional),
            writes: !matches!(self, Load | LoadLinked),
            linked: matches!(self, LoadLinked | StoreConditional),
            order,
        }
    }
}

impl Instr {
    /// The terms that it evaluates.
    pub(crate) fn terms(&self) -> Vec<&Term> {
        match self {
            Instr::Set { term, .. } | Instr::Branch(term, _) | Instr::ChooseIn(_, term, _) => vec![term],
            Instr::Assert(_, term) | Instr::Assume(term) | Instr::Cover(_, term) | Instr::Discard(term) => vec![term],
            Instr::Access(access) => {
                let object = access.address.object.as_ref().map(|(object, ..)| object);
                let index = access.address.index.as_ref().map(|(index, _)| index);
                object.into_iter().chain(index).chain(&access.operands).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Where control goes from here.
    pub(crate) fn next(&self, pc: usize) -> Vec<usize> {
        match self {
            Instr::Goto(target) => vec![*target],
            Instr::Branch(_, target) => vec![pc + 1, *target],
            Instr::Choose(targets) => targets.clone(),
            Instr::Begin { handler, .. } => vec![pc + 1, *handler],
            Instr::End | Instr::Abort(_) => Vec::new(),
            _ => vec![pc + 1],
        }
    }

    /// The register that it writes.
    pub(crate) fn writes(&self) -> Option<usize> {
        match self {
            Instr::Set { to, .. } | Instr::ChooseValue(to, _) | Instr::ChooseIn(to, ..) => Some(*to),
            Instr::Access(access) => access.to.map(|(to, _)| to),
            _ => None,
        }
    }
}

impl Code {
    /// Finds the registers that count at each point.
    pub(crate) fn find_kept(&mut self, named: &[usize]) {
        let mut always = vec![false; self.first.len()];
        named.iter().for_each(|register| always[*register] = true);
        self.kept = vec![always; self.instrs.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for pc in (0..self.instrs.len()).rev() {
                let instr = &self.instrs[pc];
                let mut kept = vec![false; self.first.len()];
                for next in instr.next(pc) {
                    let later = self.kept.get(next).into_iter().flatten();
                    kept.iter_mut().zip(later).for_each(|(kept, later)| *kept |= later);
                }
                instr.writes().into_iter().for_each(|register| kept[register] = false);
                let mut read = Vec::new();
                instr.terms().into_iter().for_each(|term| term.registers(&mut read));
                read.iter().chain(named).for_each(|register| kept[*register] = true);
                changed |= kept != self.kept[pc];
                self.kept[pc] = kept;
            }
        }
    }
}
