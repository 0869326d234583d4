//! What stays the same during a search: instructions, memory model, bounds.

use crate::code::{Address, Code, Instr};
use crate::compile::compile;
use crate::layout::Layout;
use crate::state::{State, Thread, Violation};
use crate::term::{Content, Term};
use crate::values::{Fault, Limits};
use memory::{Fence, MemoryModel, Operation};
use program::Program;
use program::typed::{CoverId, PropertyId};
use std::cell::Cell;
use std::rc::Rc;

/// Bounds on what threads do.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many entries a queue has at most (K).
    pub queue_bound: usize,
    /// How many stores a queue has at most.
    pub buffer: Option<usize>,
    /// Whether `deadlock` is judged.
    pub check_deadlock: bool,
    /// The stated properties to judge; all if none is named.
    pub properties: Option<Vec<String>>,
}

/// A program under a memory model.
pub(crate) struct World<'p> {
    pub(crate) program: &'p Program,
    pub(crate) layout: Layout,
    pub(crate) code: Vec<Code>,
    pub(crate) model: MemoryModel,
    pub(crate) options: Options,
    /// At which points of each thread it pauses.
    pub(crate) pauses: Vec<Vec<bool>>,
    /// At which points of each thread it rests because a temporal property names them (rule 8.6).
    pub(crate) rests: Vec<Vec<bool>>,
    pub(crate) hit: Hit,
}

/// The bounds that were hit.
#[derive(Default)]
pub(crate) struct Hit {
    pub(crate) queue: Cell<bool>,
    pub(crate) buffer: Cell<bool>,
    pub(crate) guesses: Cell<bool>,
    /// A thread did more local actions in one step than are looked at.
    pub(crate) locals: Cell<bool>,
}

/// A step so far: the state, and what was passed on the way.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    pub(crate) state: State,
    pub(crate) covers: Vec<CoverId>,
    pub(crate) asserts: Vec<PropertyId>,
    pub(crate) end: End,
}

/// How a step ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// In a state.
    State,
    /// A guess or assumption was wrong.
    Discarded,
    /// `discard unless` (rule 3.4).
    Cut,
}

impl Path {
    pub(crate) fn new(state: State) -> Self {
        Path { state, covers: Vec::new(), asserts: Vec::new(), end: End::State }
    }

    pub(crate) fn fail(&mut self, t: usize, violation: Violation) {
        self.state.thread(t).failed = Some(violation);
    }
}

impl From<Fault> for Violation {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Range => Violation::InRange,
            Fault::Reference => Violation::ValidReference,
        }
    }
}

impl<'p> World<'p> {
    pub(crate) fn new(program: &'p Program, model: &MemoryModel, options: &Options) -> Self {
        let layout = Layout::new(program);
        let mut code = Vec::new();
        for (id, thread) in program.threads.iter() {
            for copy in 0..thread.count.unwrap_or(1) {
                code.push(compile(program, &layout, id, copy));
            }
        }
        let pauses: Vec<Vec<bool>> = code.iter().map(|code| vec![false; code.instrs.len()]).collect();
        let rests = pauses.clone();
        let (model, options) = (model.clone(), options.clone());
        World { program, layout, code, model, options, pauses, rests, hit: Hit::default() }
    }

    /// The state before any thread has done anything.
    pub(crate) fn unstarted(&self) -> State {
        let thread = |code: &Code| Thread {
            pc: 0,
            registers: code.first.iter().map(|value| Content::Known(*value)).collect(),
            queue: Vec::new(),
            reserved: Vec::new(),
            transaction: None,
            resumes: None,
            spins: false,
            pauses: false,
            then_due: false,
            failed: None,
        };
        State {
            memory: self.layout.first.clone(),
            bus: None,
            threads: self.code.iter().map(|code| Rc::new(thread(code))).collect(),
        }
    }

    pub(crate) fn instr(&self, state: &State, t: usize) -> &Instr {
        &self.code[t].instrs[state.threads[t].pc]
    }

    pub(crate) fn has_ended(&self, t: usize, pc: usize) -> bool {
        matches!(self.code[t].instrs[pc], Instr::End)
    }

    pub(crate) fn eval(&self, term: &Term, thread: &Thread) -> Result<Option<i64>, Fault> {
        term.eval(&self.program.types, &thread.registers)
    }

    /// The cell at an address; none while it is to come (rule 1.8).
    pub(crate) fn locate(&self, address: &Address, registers: &[Content]) -> Result<Option<usize>, Fault> {
        let types = &self.program.types;
        let mut cell = address.base as i64;
        if let Some((object, count, size)) = &address.object {
            let Some(object) = object.eval(types, registers)? else { return Ok(None) };
            if !(0..*count).contains(&object) {
                return Err(Fault::Reference);
            }
            cell += object * size;
        }
        if let Some((index, limits)) = &address.index {
            let index = index.eval(types, registers).map_err(|_| Fault::Reference)?;
            let Some(index) = index else { return Ok(None) };
            if !limits.contains(index) {
                return Err(Fault::Reference);
            }
            cell += index - limits.low;
        }
        Ok(Some(cell as usize))
    }

    /// Whether nothing may overtake an entry (rule 4.4).
    pub(crate) fn has_wall(&self, thread: &Thread) -> bool {
        use crate::state::Entry;
        thread.queue.iter().any(|entry| match entry {
            Entry::Access(queued) => self.model.is_never_overtaken(queued.operation()),
            Entry::Fence(fence) => *fence == Fence::Full,
            _ => false,
        })
    }

    /// Whether a fence orders a queued operation with anything that the model would let pass (rule 4.1).
    pub(crate) fn orders_anything(&self, fence: Fence, thread: &Thread) -> bool {
        let younger = [Operation::LOAD, Operation::STORE];
        thread.accesses().any(|older| {
            let older = older.operation();
            younger.into_iter().any(|younger| fence.orders(older, younger) && self.model.may_overtake(older, younger))
        })
    }
}

/// The value if it is in range.
pub(crate) fn within(value: i64, limits: Limits) -> Result<i64, Fault> {
    if limits.contains(value) { Ok(value) } else { Err(Fault::Range) }
}
