//! A thread's text as a list of instructions: procedures in place of their calls, loops as jumps; and where shared state is: one
//! number for each cell, abstract variable and ghost.

use crate::values::{Registers, Term, Value, Violation};
use base::Span;
use base::table::Id;
use memory::{Fence, Operation, Order};
use program::Program;
use program::typed::{self, CoverId, Op, Place, PlaceRoot, PropertyId, ThreadId};
use program::types::{ObjectId, Range, Type};
use std::collections::BTreeSet;

/// The first cell of everything shared; and of each cell what it holds at first, its name and its type.
#[derive(Default)]
pub(crate) struct Layout {
    shared: Vec<usize>,
    objects: Vec<usize>,
    pub(crate) first: Vec<i64>,
    pub(crate) names: Vec<(String, Type)>,
}

/// A place: its first cell, and what each operand adds: its range, the cells between two values, whether it is the index.
#[derive(Clone, Debug)]
pub(crate) struct Address {
    base: usize,
    parts: Vec<(Range, usize, bool)>,
}

impl Address {
    /// The cell, by the values of the operands (rule 1.8).
    pub(crate) fn locate(&self, operands: impl Iterator<Item = Value>) -> Value {
        let mut cell = self.base as i64;
        for ((range, size, is_index), value) in self.parts.iter().zip(operands) {
            let value = value.map_err(|fault| if *is_index { Violation::ValidReference } else { fault })?;
            let Some(value) = value else { return Ok(None) };
            if !range.contains(value) {
                return Err(Violation::ValidReference);
            }
            cell += (value - i64::from(range.low)) * *size as i64;
        }
        Ok(Some(cell))
    }
}

impl Layout {
    pub(crate) fn new(program: &Program) -> Self {
        let mut layout = Layout::default();
        for shared in program.shared.values() {
            layout.shared.push(layout.first.len());
            layout.add(program, &shared.name, shared.index, shared.ty, &shared.init);
        }
        for object in program.types.objects.values() {
            layout.objects.push(layout.first.len());
            for instance in &object.instances {
                for (field, init) in object.fields.iter().zip(&instance.init) {
                    let name = format!("{}.{}", instance.name, field.name);
                    layout.add(program, &name, field.index, field.ty, init);
                }
            }
        }
        layout
    }

    fn add(&mut self, program: &Program, name: &str, index: Option<Type>, ty: Type, init: &[i32]) {
        let all = |index| program.types.range(index).values().map(Some).collect();
        let indices: Vec<Option<i32>> = index.map_or(vec![None], all);
        for (i, index) in indices.into_iter().enumerate() {
            self.first.push(init.get(i).or(init.first()).copied().unwrap_or_default().into());
            let element = index.map(|index| format!("[{index}]")).unwrap_or_default();
            self.names.push((format!("{name}{element}"), ty));
        }
    }

    pub(crate) fn address(&self, program: &Program, place: &Place) -> Address {
        let mut parts = Vec::new();
        let base = match &place.root {
            PlaceRoot::Shared(id) => self.shared[id.index()],
            PlaceRoot::Field(_, id, field) => {
                let object = &program.types.objects[*id];
                parts.push((Range::new(0, object.instances.len() as i32 - 1), object.size, false));
                self.objects[id.index()] + object.fields[*field].offset
            }
        };
        parts.extend(place.index.as_ref().map(|_| (place.index_range, 1, true)));
        Address { base, parts }
    }

    pub(crate) fn field(&self, program: &Program, id: ObjectId, object: usize, field: usize) -> std::ops::Range<usize> {
        let ty = &program.types.objects[id];
        let field = &ty.fields[field];
        let first = self.objects[id.index()] + object * ty.size + field.offset;
        first..first + field.index.map_or(1, |index| program.types.range(index).count() as usize)
    }
}

/// The instructions of one copy of a thread.
pub(crate) struct Code {
    pub(crate) name: String,
    pub(crate) thread: ThreadId,
    pub(crate) copy: i64,
    pub(crate) points: Vec<Point>,
    pub(crate) accesses: Vec<Access>,
    /// What registers hold at first (rule 2.7), those that a property names, and those of the body's locals.
    pub(crate) first: Registers,
    pub(crate) named: BTreeSet<usize>,
    pub(crate) locals: Vec<Term>,
}

pub(crate) struct Point {
    pub(crate) instr: Instr,
    pub(crate) span: Span,
    pub(crate) labels: Vec<String>,
    /// The registers that are read here or later, or that a property names.
    pub(crate) kept: BTreeSet<usize>,
    /// A temporal property names a label of it (rule 8.6); an invariant or cover does (rule 8.2).
    pub(crate) rests: bool,
    pub(crate) is_seen: bool,
}

/// A register that gets a value, and the values that it can have.
pub(crate) type Target = (usize, Range);

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
    /// A transaction begins: its capacity, its handler, and the registers in which that finds cause and code.
    Begin(Option<u32>, usize, [Option<usize>; 2]),
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

pub(crate) struct Access {
    pub(crate) op: Op,
    /// Where, the terms that this is computed from, and the values of the cell.
    pub(crate) address: Address,
    pub(crate) place: Vec<Term>,
    pub(crate) cell: Range,
    pub(crate) operands: Vec<Term>,
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
        let reads = !matches!(self.op, Op::Store(_) | Op::StoreConditional(_));
        let writes = !matches!(self.op, Op::Load | Op::LoadLinked);
        let linked = matches!(self.op, Op::LoadLinked | Op::StoreConditional(_));
        Operation { reads, writes, linked, order: self.orders.0, ..Operation::LOAD }
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

    fn next(&self, pc: usize) -> Vec<usize> {
        match &self.points[pc].instr {
            Instr::Goto(target) => vec![*target],
            Instr::Branch(_, target) => vec![pc + 1, *target],
            Instr::Choose(targets) => targets.clone(),
            Instr::Begin(_, handler, _) => vec![pc + 1, *handler],
            Instr::End | Instr::Abort(_) => Vec::new(),
            _ => vec![pc + 1],
        }
    }

    /// For each point from `start` to `end` the registers that are read from there on before they are written, or named there.
    pub(crate) fn live<'n>(
        &self,
        start: usize,
        end: usize,
        named: &dyn Fn(usize) -> &'n BTreeSet<usize>,
    ) -> Vec<BTreeSet<usize>> {
        let mut live: Vec<BTreeSet<usize>> = (start..end).map(|pc| named(pc).clone()).collect();
        let mut is_stable = false;
        while !is_stable {
            is_stable = true;
            for pc in (start..end).rev() {
                let (reads, writes) = self.uses(&self.points[pc].instr);
                let within = self.next(pc).into_iter().filter(|next| (start..end).contains(next));
                let mut here: BTreeSet<usize> = within.flat_map(|next| live[next - start].iter().copied()).collect();
                writes.into_iter().for_each(|register| _ = here.remove(&register));
                here.extend(reads.iter().chain(named(pc)));
                is_stable &= here == live[pc - start];
                live[pc - start] = here;
            }
        }
        live
    }
}
