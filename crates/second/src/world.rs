//! What stays the same during a search: instructions, memory model, bounds; and a step on its way.

use crate::certificate::cells::Cells;
use crate::code::{Access, Check, Code, Instr, Layout};
use crate::compile::compile;
use crate::state::{Entry, Queued, State, Thread};
use crate::values::{Term, Value, Violation};
use memory::{Fence, MemoryModel, Operation};
use program::Program;
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
    pub(crate) model: &'p MemoryModel,
    pub(crate) options: &'p Options,
    /// Whether threads are seen at labels that they only pass (rule 8.2).
    pub(crate) sees_passing: bool,
    /// Whose labels conditions name.
    pub(crate) asked: Asked,
    /// A thread did more in one step than is looked at.
    pub(crate) has_given_up: std::cell::Cell<bool>,
}

/// For each property and cover property, and each thread, whether its condition names a label of the thread.
#[derive(Default)]
pub(crate) struct Asked {
    pub(crate) properties: Vec<Vec<bool>>,
    pub(crate) covers: Vec<Vec<bool>>,
}

/// A step so far: the state, and what was passed on the way.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Path {
    pub(crate) state: State,
    pub(crate) passed: Vec<Check>,
    pub(crate) end: End,
}

/// How a step ends: in a state, because a guess or assumption was wrong, or by `discard unless` (rule 3.4).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum End {
    State,
    Discarded,
    Cut,
}

impl Path {
    pub(crate) fn new(state: &State) -> Self {
        Path { state: state.clone(), passed: Vec::new(), end: End::State }
    }

    /// Whether the step ends here, because of this thread.
    pub(crate) fn is_over(&self, t: usize) -> bool {
        self.end != End::State || self.state.threads[t].failed.is_some()
    }

    pub(crate) fn with(&self, t: usize, change: impl FnOnce(&mut Thread)) -> Self {
        let mut path = self.clone();
        change(path.state.thread(t));
        path
    }

    /// An `assert` or `cover` is passed with this value.
    pub(crate) fn passing(mut self, t: usize, check: Check, value: i64) -> Self {
        let counts = matches!(check, Check::Assert(_)) || value != 0;
        if counts && !self.passed.contains(&check) {
            self.passed.push(check);
        }
        if let (Check::Assert(property), 0) = (check, value) {
            self.state.thread(t).failed = Some(Violation::Property(property));
        }
        self
    }
}

impl<'p> World<'p> {
    pub(crate) fn new(program: &'p Program, model: &'p MemoryModel, options: &'p Options) -> Self {
        let layout = Layout::new(program);
        let mut code = Vec::new();
        for (id, thread) in program.threads.iter() {
            code.extend((0..thread.count.unwrap_or(1)).map(|copy| compile(program, &layout, id, copy)));
        }
        let (asked, has_given_up) = Default::default();
        World { program, layout, code, model, options, sees_passing: false, asked, has_given_up }
    }

    /// The state before any thread has done anything.
    pub(crate) fn unstarted(&self) -> State {
        let thread = |(id, code): (usize, &Code)| Thread { id, registers: code.first.clone(), ..Thread::default() };
        let threads = self.code.iter().enumerate().map(thread).map(Rc::new).collect();
        State { memory: Cells::new(self.layout.first.clone()), bus: None, threads }
    }

    pub(crate) fn instr(&self, thread: &Thread) -> &Instr {
        &self.code[thread.id].points[thread.pc].instr
    }

    pub(crate) fn has_ended(&self, t: usize, pc: usize) -> bool {
        matches!(self.code[t].points[pc].instr, Instr::End)
    }

    pub(crate) fn access(&self, thread: &Thread, queued: &Queued) -> &Access {
        &self.code[thread.id].accesses[queued.access]
    }

    pub(crate) fn eval(&self, term: &Term, thread: &Thread) -> Value {
        term.eval(&self.program.types, &thread.registers)
    }

    pub(crate) fn locate(&self, access: &Access, place: &[Term], thread: &Thread) -> Value {
        access.address.locate(place.iter().map(|term| self.eval(term, thread)))
    }

    /// The values of all terms; none while one is to come.
    pub(crate) fn eval_all(&self, terms: &[Term], thread: &Thread) -> Result<Option<Vec<i64>>, Violation> {
        terms.iter().map(|term| self.eval(term, thread)).collect()
    }

    /// What a queued access counts as for those behind it: a CAS may fail or not (rule 4.5).
    pub(crate) fn queued(&self, thread: &Thread, queued: &Queued) -> Operation {
        let access = self.access(thread, queued);
        if access.is_cas() { self.model.undecided(access.operation(), access.orders.1) } else { access.operation() }
    }

    /// Whether something is queued that nothing may overtake (rule 4.4).
    pub(crate) fn has_wall(&self, thread: &Thread) -> bool {
        thread.queue.iter().any(|entry| match entry {
            Entry::Access(queued) => self.model.is_never_overtaken(self.queued(thread, queued)),
            Entry::Fence(fence) => self.model.fence(*fence) == Fence::Full,
            _ => false,
        })
    }

    /// Whether the queue has a place, and nothing is queued that nothing may be issued behind (rules 4.1, 4.4).
    pub(crate) fn has_place(&self, thread: &Thread) -> bool {
        !self.has_wall(thread) && thread.queue.len() < self.options.queue_bound
    }

    /// Whether there is a place for an access.
    pub(crate) fn may_issue(&self, thread: &Thread, access: &Access) -> bool {
        let n_stores = thread.accesses().filter(|queued| self.access(thread, queued).is_store()).count();
        let is_full = access.is_store() && self.options.buffer.is_some_and(|most| n_stores >= most);
        !is_full && self.has_place(thread)
    }

    /// Whether a fence orders a queued operation with anything that the model would let pass (rule 4.1).
    pub(crate) fn orders_anything(&self, fence: Fence, thread: &Thread) -> bool {
        thread.accesses().any(|older| {
            let older = self.queued(thread, older);
            let mut younger = [Operation::LOAD, Operation::STORE].into_iter();
            younger.any(|it| self.model.fence(fence).orders(older, it) && self.model.may_overtake(older, it))
        })
    }
}
