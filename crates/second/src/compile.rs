//! The typed tree to instructions: the state of the translation, calls and registers.

use crate::code::{Code, Instr};
use crate::layout::Layout;
use crate::term::Term;
use crate::values::Limits;
use base::Span;
use base::table::Id;
use program::Program;
use program::typed::{Body, Expr, LocalId, LocalKind, ProcId, RegisterId, ThreadId};
use program::types::Type;
use rustc_hash::FxHashMap;

/// What stands for a local.
#[derive(Clone, Copy)]
pub(crate) enum Slot {
    Register(usize),
    /// A constant of a quantifier.
    Const(i64),
}

/// Jumps that are not known yet when they are written.
#[derive(Default)]
pub(crate) struct Loop {
    pub(crate) breaks: Vec<usize>,
    pub(crate) continues: Vec<usize>,
}

/// The body that is translated: a thread's, or that of a procedure in place of a call.
pub(crate) struct Frame {
    pub(crate) locals: Vec<Slot>,
    pub(crate) types: Vec<Type>,
    /// Where the result goes, and its values.
    pub(crate) result: Option<(usize, Limits)>,
    pub(crate) returns: Vec<usize>,
    pub(crate) loops: Vec<Loop>,
    /// What is put before labels.
    pub(crate) prefix: String,
}

/// Translates one thread.
pub(crate) struct Compiler<'p> {
    pub(crate) program: &'p Program,
    pub(crate) layout: &'p Layout,
    pub(crate) code: Code,
    pub(crate) frame: Frame,
    pub(crate) copy: usize,
    pub(crate) is_in_region: bool,
    /// The text of the statement says that its region is unordered.
    pub(crate) is_unordered: bool,
    /// The span of the statement that is translated.
    pub(crate) span: Span,
    items: FxHashMap<RegisterId, usize>,
    procs: FxHashMap<ProcId, Vec<Slot>>,
    /// Registers for results within one statement, and how many are in use.
    scratch: Vec<usize>,
    pub(crate) n_scratch: usize,
}

/// The instructions of one copy of a thread.
pub(crate) fn compile(program: &Program, layout: &Layout, id: ThreadId, copy: u32) -> Code {
    let thread = &program.threads[id];
    let empty = Frame {
        locals: Vec::new(),
        types: Vec::new(),
        result: None,
        returns: Vec::new(),
        loops: Vec::new(),
        prefix: String::new(),
    };
    let mut compiler = Compiler {
        program,
        layout,
        code: Code { name: thread.copy_name(copy), ..Code::default() },
        frame: empty,
        copy: copy as usize,
        is_in_region: false,
        is_unordered: false,
        span: thread.span,
        items: FxHashMap::default(),
        procs: FxHashMap::default(),
        scratch: Vec::new(),
        n_scratch: 0,
    };
    compiler.frame.locals = compiler.slots(&thread.body);
    compiler.frame.types = thread.body.locals.values().map(|local| local.ty).collect();
    let of = |slot: &Slot| match slot {
        Slot::Register(register) => Some(*register),
        Slot::Const(_) => None,
    };
    compiler.code.locals = compiler.frame.locals.iter().map(of).collect();
    compiler.block(&thread.body.block);
    compiler.emit(Instr::End);
    let named: Vec<usize> = thread.observed.iter().filter_map(|local| compiler.code.locals[local.index()]).collect();
    compiler.code.find_kept(&named);
    compiler.code
}

impl Compiler<'_> {
    pub(crate) fn emit(&mut self, instr: Instr) -> usize {
        self.code.instrs.push(instr);
        self.code.spans.push(self.span);
        self.code.labels.push(Vec::new());
        self.code.instrs.len() - 1
    }

    pub(crate) fn here(&self) -> usize {
        self.code.instrs.len()
    }

    /// Lets jumps written before come here.
    pub(crate) fn land(&mut self, jumps: Vec<usize>) {
        let here = self.here();
        for jump in jumps {
            match &mut self.code.instrs[jump] {
                Instr::Goto(target) | Instr::Branch(_, target) => *target = here,
                _ => {}
            }
        }
    }

    pub(crate) fn limits(&self, ty: Type) -> Limits {
        self.program.types.range(ty).into()
    }

    /// A register that holds this at first (rule 2.7).
    fn register(&mut self, first: i64) -> usize {
        self.code.first.push(first);
        self.code.first.len() - 1
    }

    /// The registers of a body's locals.
    fn slots(&mut self, body: &Body) -> Vec<Slot> {
        let mut slots = Vec::new();
        for local in body.locals.values() {
            let register = match local.kind {
                LocalKind::Item(id) => self.item(id),
                _ => {
                    let least = self.limits(local.ty).low;
                    self.register(least)
                }
            };
            slots.push(Slot::Register(register));
        }
        slots
    }

    fn item(&mut self, id: RegisterId) -> usize {
        if let Some(register) = self.items.get(&id) {
            return *register;
        }
        let first = self.program.registers[id].first_value(self.copy);
        let register = self.register(first.into());
        self.items.insert(id, register);
        register
    }

    /// Whether a term reads a register that a call may change.
    fn reads_item(&self, term: &Term) -> bool {
        let mut registers = Vec::new();
        term.registers(&mut registers);
        self.items.values().any(|item| registers.contains(item))
    }

    pub(crate) fn scratch(&mut self) -> usize {
        if self.n_scratch == self.scratch.len() {
            let register = self.register(0);
            self.scratch.push(register);
        }
        self.n_scratch += 1;
        self.scratch[self.n_scratch - 1]
    }

    /// Gives back the registers used since.
    pub(crate) fn drop_scratch(&mut self, mark: usize) {
        while self.n_scratch > mark {
            self.n_scratch -= 1;
            let register = self.scratch[self.n_scratch];
            self.emit(Instr::Clear(register, register + 1));
        }
    }

    pub(crate) fn local(&self, local: LocalId) -> Slot {
        self.frame.locals[local.index()]
    }

    pub(crate) fn local_limits(&self, local: LocalId) -> Limits {
        self.limits(self.frame.types[local.index()])
    }

    /// A register gets a value.
    pub(crate) fn set(&mut self, to: usize, term: Term, from: Limits, limits: Limits) {
        let is_copy = matches!(term, Term::Register(_)) && limits.includes(from);
        self.emit(Instr::Set { to, term, limits, is_copy });
    }

    /// The operands from left to right. What a call may change is kept before it.
    pub(crate) fn operands(&mut self, operands: &[&Expr]) -> Vec<Term> {
        let mut terms = Vec::new();
        for (i, operand) in operands.iter().enumerate() {
            let term = self.expr(operand);
            terms.push(self.kept(term, operand, &operands[i + 1..]));
        }
        terms
    }

    /// A term that later operands do not change.
    fn kept(&mut self, term: Term, operand: &Expr, later: &[&Expr]) -> Term {
        if !later.iter().any(|later| later.takes_steps()) || !self.reads_item(&term) {
            return term;
        }
        let kept = self.scratch();
        let limits = self.limits(operand.ty);
        self.set(kept, term, limits, limits);
        Term::Register(kept)
    }

    /// The body of a procedure in place of its call.
    pub(crate) fn call(&mut self, id: ProcId, arguments: &[Expr], to: Option<(usize, Limits)>, prefix: Option<String>) {
        let proc = &self.program.procs[id];
        let mut terms = Vec::new();
        for (i, argument) in arguments.iter().enumerate() {
            let term = self.region_around(argument, |c| c.expr(argument));
            let later: Vec<&Expr> = arguments[i + 1..].iter().collect();
            terms.push(self.kept(term, argument, &later));
        }
        let slots = match self.procs.get(&id) {
            Some(slots) => slots.clone(),
            None => {
                let slots = self.slots(&proc.body);
                self.procs.insert(id, slots.clone());
                slots
            }
        };
        for ((i, term), argument) in terms.into_iter().enumerate().zip(arguments) {
            let limits = self.limits(proc.body.locals[LocalId::new(i)].ty);
            if let Slot::Register(to) = slots[i] {
                let from = self.limits(argument.ty);
                self.set(to, term, from, limits);
            }
        }
        let frame = Frame {
            locals: slots.clone(),
            types: proc.body.locals.values().map(|local| local.ty).collect(),
            result: to.or_else(|| {
                let result = proc.result?;
                Some((self.scratch(), self.limits(result)))
            }),
            returns: Vec::new(),
            loops: Vec::new(),
            prefix: prefix.unwrap_or_else(|| self.frame.prefix.clone()),
        };
        let outer = std::mem::replace(&mut self.frame, frame);
        self.block(&proc.body.block);
        let inner = std::mem::replace(&mut self.frame, outer);
        self.land(inner.returns);
        for (slot, local) in slots.iter().zip(proc.body.locals.values()) {
            if let (Slot::Register(register), false) = (slot, matches!(local.kind, LocalKind::Item(_))) {
                self.emit(Instr::Clear(*register, *register + 1));
            }
        }
    }
}
