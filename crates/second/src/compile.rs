//! The typed tree to instructions: the state of the translation, registers, calls and regions.

use crate::code::{Code, Instr, Layout, Point, Region, Target};
use crate::values::Term;
use base::Span;
use base::table::Id;
use program::Program;
use program::typed::{self, Body, Expr, LocalId, LocalKind, ProcId, RegisterId, ThreadId};
use program::types::{Range, Type};
use std::collections::{BTreeMap, BTreeSet};

/// The body that is translated: a thread's, or that of a procedure in place of a call.
pub(crate) struct Frame<'p> {
    pub(crate) body: &'p Body,
    /// The register of each local; and what stands for it: that, or a constant (rule 1.11).
    registers: Vec<Term>,
    pub(crate) locals: Vec<Term>,
    pub(crate) result: Option<Target>,
    pub(crate) prefix: String,
    /// Jumps to the end of the body; and for each loop those that leave it, and those to its next turn.
    pub(crate) returns: Vec<usize>,
    pub(crate) loops: Vec<(Vec<usize>, Vec<usize>)>,
}

pub(crate) struct Compiler<'p> {
    pub(crate) program: &'p Program,
    pub(crate) layout: &'p Layout,
    pub(crate) code: Code,
    pub(crate) frame: Frame<'p>,
    pub(crate) is_in_region: bool,
    /// The text of the statement says that its region is unordered.
    pub(crate) is_unordered: bool,
    pub(crate) span: Span,
    items: BTreeMap<RegisterId, usize>,
}

/// The instructions of one copy of a thread.
pub(crate) fn compile(program: &Program, layout: &Layout, id: ThreadId, copy: u32) -> Code {
    let thread = &program.threads[id];
    let name = thread.copy_name(copy);
    let (points, accesses, first, named, registers, locals, returns, loops, prefix) = Default::default();
    let mut compiler = Compiler {
        program,
        layout,
        code: Code { name, thread: id, copy: copy.into(), points, accesses, first, named, locals: Vec::new() },
        frame: Frame { body: &thread.body, registers, locals, result: None, prefix, returns, loops },
        is_in_region: false,
        is_unordered: false,
        span: thread.span,
        items: BTreeMap::new(),
    };
    compiler.frame.registers = compiler.registers(&thread.body);
    compiler.frame.locals.clone_from(&compiler.frame.registers);
    compiler.block(&thread.body.block);
    compiler.emit(Instr::End);
    let Compiler { mut code, frame, .. } = compiler;
    code.named = thread.observed.iter().flat_map(|local| frame.registers[local.index()].registers()).collect();
    let live = code.live(0, code.points.len(), &|_| &code.named);
    code.points.iter_mut().zip(live).for_each(|(point, kept)| point.kept = kept);
    code.locals = frame.registers;
    code
}

impl<'p> Compiler<'p> {
    pub(crate) fn emit(&mut self, instr: Instr) -> usize {
        let (labels, kept) = Default::default();
        self.code.points.push(Point { instr, span: self.span, labels, kept, rests: false, is_seen: false });
        self.code.points.len() - 1
    }

    /// Lets jumps written before come here.
    pub(crate) fn land(&mut self, jumps: &[usize]) {
        let here = self.code.points.len();
        for jump in jumps {
            if let Instr::Goto(target) | Instr::Branch(_, target) = &mut self.code.points[*jump].instr {
                *target = here;
            }
        }
    }

    pub(crate) fn range(&self, ty: Type) -> Range {
        self.program.types.range(ty)
    }

    pub(crate) fn register(&mut self, first: i32) -> usize {
        let register = self.code.first.len();
        self.code.first.insert(register, Term::Const(first.into()));
        register
    }

    /// The registers of a body's locals (rule 2.7). Those of items are the same in all bodies.
    fn registers(&mut self, body: &Body) -> Vec<Term> {
        let mut registers = Vec::new();
        for local in body.locals.values() {
            registers.push(Term::Register(match local.kind {
                LocalKind::Item(id) if self.items.contains_key(&id) => self.items[&id],
                LocalKind::Item(id) => {
                    let register = self.register(self.program.registers[id].first_value(self.code.copy as usize));
                    self.items.insert(id, register);
                    register
                }
                _ => self.register(self.range(local.ty).low),
            }));
        }
        registers
    }

    pub(crate) fn target(&self, local: LocalId) -> Option<Target> {
        match self.frame.registers[local.index()] {
            Term::Register(register) => Some((register, self.range(self.frame.body.locals[local].ty))),
            _ => None,
        }
    }

    /// A register gets a value that is in the range `from`.
    pub(crate) fn set(&mut self, to: Target, term: Term, from: Range) {
        let is_copy = matches!(term, Term::Register(_)) && to.1.spans(from);
        self.emit(Instr::Set(to, term, is_copy));
    }

    /// Whether a local only ever gets this, which then stands for it: a constant, or a register of the caller (rules 1.11, 2.8).
    pub(crate) fn is_alias(&mut self, local: LocalId, value: &Expr, term: &Term) -> bool {
        let (decl, types) = (&self.frame.body.locals[local], &self.program.types);
        let fits = match term {
            Term::Const(constant) => value.may_be_constant(types) && types.range(decl.ty).contains(*constant),
            Term::Register(register) if matches!(value.kind, typed::ExprKind::Local(_)) => {
                types.range(decl.ty).spans(types.range(value.ty)) && !self.items.values().any(|item| item == register)
            }
            _ => false,
        };
        if fits && !decl.is_assigned {
            self.frame.locals[local.index()] = term.clone();
        }
        fits && !decl.is_assigned
    }

    /// The operands from left to right. What a call in a later one may change is kept before it.
    pub(crate) fn operands(&mut self, operands: &[&'p Expr]) -> Vec<Term> {
        let mut terms = Vec::new();
        for (i, operand) in operands.iter().enumerate() {
            let mut term = self.region_around(operand, |c| c.expr(operand));
            let may_change = operands[i + 1..].iter().any(|later| later.takes_steps());
            if may_change && term.registers().iter().any(|register| self.items.values().any(|item| item == register)) {
                let (kept, range) = (self.register(0), self.range(operand.ty));
                self.set((kept, range), term, range);
                term = Term::Register(kept);
            }
            terms.push(term);
        }
        terms
    }

    pub(crate) fn call(&mut self, id: ProcId, arguments: &'p [Expr], to: Option<Target>, prefix: String) {
        let body = &self.program.procs[id].body;
        let (registers, returns, loops) = (self.registers(body), Vec::new(), Vec::new());
        let result = to.or_else(|| self.program.procs[id].result.map(|ty| (self.register(0), self.range(ty))));
        let mut inner = Frame { body, locals: registers.clone(), registers, result, prefix, returns, loops };
        for (i, argument) in arguments.iter().enumerate() {
            let term = self.region_around(argument, |c| c.expr(argument));
            std::mem::swap(&mut self.frame, &mut inner);
            if !self.is_alias(LocalId::new(i), argument, &term)
                && let Some(to) = self.target(LocalId::new(i))
            {
                self.set(to, term, self.range(argument.ty));
            }
            std::mem::swap(&mut self.frame, &mut inner);
        }
        let outer = std::mem::replace(&mut self.frame, inner);
        self.block(&body.block);
        let inner = std::mem::replace(&mut self.frame, outer);
        self.land(&inner.returns);
    }

    /// What is emitted for an expression, in a region of its own if it reads abstract state (rule 2.4).
    pub(crate) fn region_around<T>(&mut self, expr: &Expr, emit: impl FnOnce(&mut Self) -> T) -> T {
        if expr.reads_abstract() { self.region(typed::Region::Atomic, emit) } else { emit(self) }
    }

    /// What is emitted, as one region; as part of the outer one if there is one.
    pub(crate) fn region<T>(&mut self, kind: typed::Region, emit: impl FnOnce(&mut Self) -> T) -> T {
        if self.is_in_region {
            return emit(self);
        }
        // `when issued` begins with the store before it (rule 3.10), whose labels it takes.
        let is_issued = kind == typed::Region::Issued;
        let here = self.emit(Instr::Nop);
        let start = here - usize::from(is_issued);
        self.code.points.swap(start, here);
        self.code.points[start].labels = std::mem::take(&mut self.code.points[here].labels);
        self.is_in_region = true;
        let result = emit(self);
        self.is_in_region = false;
        let end = self.emit(Instr::Nop);
        let orders = |point: &Point| match point.instr {
            Instr::Access(access) => Some(self.code.accesses[access].is_ordered),
            _ => matches!(point.instr, Instr::Lock | Instr::Unlock).then_some(true),
        };
        let touched: Vec<bool> = self.code.points[start..end].iter().filter_map(orders).collect();
        let is_ordered = !self.is_unordered && !is_issued && (touched.is_empty() || touched.contains(&true));
        let nothing = BTreeSet::new();
        let live = self.code.live(start + 1 + usize::from(is_issued), end, &|_| &nothing);
        let reads = live.into_iter().next().unwrap_or_default();
        self.code.points[start].instr = Instr::Region(Region { kind, is_ordered, end, reads });
        result
    }
}
