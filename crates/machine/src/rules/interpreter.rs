//! Whole states, plainly: the reference that replays every counterexample.
//!
//! No packing, no tables, no symmetry. With `Reductions::NONE` every issue is a step of its own and
//! the machine is the one that the rules describe.

use crate::histories::deed::has_ended;
use crate::histories::room::Room;
use crate::options::Options;
use crate::rules::ahead::Step;
use crate::rules::code::Code;
use crate::rules::local::{Local, Mode};
use crate::rules::perform::{Applied, Move};
use crate::rules::touch::{AfterTouch, Touch};
use crate::rules::{Event, Outcome, Progress, Rules};
use automata::{Automata, CellId, Definedness, Moment, PropertyId, PropertyKind, Region, Stated, ThreadId, Value};
use base::table::Id;
use history::Histories;
use memory::MemoryModel;
use system::{Budget, Reached};

/// A whole state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PlainState {
    /// What shared memory, and abstract state, hold.
    pub cells: Vec<Value>,
    /// The threads.
    pub locals: Vec<Local>,
    /// The memory, if it is histories; then `cells` has what is last in modification order.
    pub memory: Option<Histories>,
}

/// A step, told for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlainStep {
    /// Who steps.
    pub thread: ThreadId,
    /// What happens, in order.
    pub events: Vec<Event>,
    /// What it reached.
    pub reached: Reached,
    /// Whether the oldest memory operation that the thread has pending is performed.
    pub performs_oldest: bool,
}

/// Successors of a state.
#[derive(Default, Debug)]
pub struct PlainSuccessors {
    /// The steps and where they lead, always in the same order.
    pub steps: Vec<(PlainStep, PlainState)>,
    /// Whether a path was discarded: then a state without steps is no deadlock.
    pub discarded: bool,
}

/// Automata under a memory model, executed plainly.
pub struct Interpreter<'a> {
    automata: &'a Automata,
    memory: &'a MemoryModel,
    options: &'a Options,
    codes: Vec<Code>,
    room: Option<Room>,
}

/// What a thread has done since it entered a region, and the states inside that it has come through.
#[derive(Default)]
struct Inside {
    events: Vec<Event>,
    reached: Reached,
    states: Vec<PlainState>,
}

impl<'a> Interpreter<'a> {
    /// Prepares to execute `automata` under `memory`.
    pub fn new(automata: &'a Automata, memory: &'a MemoryModel, options: &'a Options) -> Self {
        let room = Room::new(automata, memory);
        Interpreter { automata, memory, options, codes: Code::of_threads(automata), room }
    }

    pub(crate) fn rules(&self, thread: usize) -> Rules<'_> {
        Rules { code: &self.codes[thread], automata: self.automata, memory: self.memory, options: self.options }
    }

    /// Whether the oldest memory operation that a thread has pending may be performed, be it on a path that is
    /// discarded then.
    pub(crate) fn oldest_is_enabled(&self, state: &PlainState, thread: usize) -> bool {
        let (rules, local) = (self.rules(thread), &state.locals[thread]);
        let is_oldest =
            |a_move: &Move| rules.performs_oldest(local, *a_move) && self.is_allowed(state, thread, *a_move);
        rules.moves(local).into_iter().filter(is_oldest).any(|a_move| {
            let read = rules.reach(local, a_move).filter(|r| r.reads).map_or(0, |r| state.cells[r.cell.index()]);
            let settled = rules.apply(local, a_move, read).map(|applied| applied.settled);
            settled.is_some_and(|settled| settled.discarded || !settled.outcomes.is_empty())
        })
    }

    /// What every long computation keeps to.
    pub(crate) fn budget(&self) -> &Budget {
        &self.options.budget
    }

    /// What is executed.
    pub fn automata(&self) -> &Automata {
        self.automata
    }

    /// The initial states, with the events that led there; several if a thread begins with a choice.
    pub fn initial(&self) -> Vec<(Vec<PlainStep>, PlainState)> {
        let cells = self.automata.cells.values().map(|cell| cell.init).collect();
        let memory = self.room.as_ref().map(Room::start);
        let mut states = vec![(Vec::new(), PlainState { cells, locals: Vec::new(), memory })];
        let mut pace = self.options.budget.pace();
        for thread in 0..self.codes.len() {
            let start = self.codes[thread].start();
            let outcomes = if self.options.reductions.eager_closure {
                self.rules(thread).settle(start, Vec::new()).outcomes
            } else {
                vec![Outcome { local: start, reached: Reached::default(), events: Vec::new(), bound_hit: None }]
            };
            let extend = |(steps, state): (Vec<PlainStep>, PlainState)| {
                let going = outcomes.iter().take_while(|_| !pace.is_over());
                going
                    .map(move |outcome| {
                        let (mut steps, mut state) = (steps.clone(), state.clone());
                        let (events, reached) = (outcome.events.clone(), outcome.reached.clone());
                        steps.push(PlainStep {
                            thread: ThreadId::new(thread),
                            events,
                            reached,
                            performs_oldest: false,
                        });
                        state.locals.push(outcome.local.clone());
                        (steps, state)
                    })
                    .collect::<Vec<_>>()
            };
            states = states.into_iter().flat_map(extend).collect();
        }
        states
    }

    /// The first thread that has no way to begin: then there is no initial state. None where the budget is over before that is known.
    pub fn without_beginning(&self) -> Option<ThreadId> {
        let begins =
            |thread: &usize| !self.rules(*thread).settle(self.codes[*thread].start(), Vec::new()).outcomes.is_empty();
        let found = (0..self.codes.len()).find(|thread| !begins(thread)).map(ThreadId::new);
        found.filter(|_| self.options.budget.hit().is_none())
    }

    /// All steps from `state`, always in the same order.
    pub fn successors(&self, state: &PlainState) -> PlainSuccessors {
        let mut out = PlainSuccessors::default();
        for thread in 0..state.locals.len() {
            let rules = self.rules(thread);
            for step in rules.steps(&state.locals[thread]).0 {
                if self.is_allowed(state, thread, step.a_move) {
                    let first = out.steps.len();
                    match step.a_move {
                        Move::Enter(Region::StopTheWorld) => {
                            self.take(&stopped(state, thread), thread, &step, &mut Inside::default(), &mut out);
                        }
                        _ => self.take(state, thread, &step, &mut Inside::default(), &mut out),
                    }
                    let performs_oldest = rules.step_performs_oldest(&state.locals[thread], &step);
                    out.steps[first..].iter_mut().for_each(|(step, _)| step.performs_oldest = performs_oldest);
                }
            }
            if !self.options.reductions.eager_closure {
                self.advance(state, thread, &mut out);
            }
        }
        out
    }

    /// Without the eager closure: one issue or retirement as a step of its own.
    fn advance(&self, state: &PlainState, thread: usize, out: &mut PlainSuccessors) {
        let local = state.locals[thread].clone();
        let mut path = Outcome { local, reached: Reached::default(), events: Vec::new(), bound_hit: None };
        let outcomes = match self.rules(thread).advance(&mut path) {
            Progress::Forked(forks) => forks,
            Progress::Discarded | Progress::Cut => {
                out.discarded = true;
                return;
            }
            _ if path.local != state.locals[thread] => vec![path],
            _ => return,
        };
        for outcome in outcomes {
            let mut next = state.clone();
            let Outcome { local, events, reached, .. } = outcome;
            next.locals[thread] = local;
            if next.locals[thread].mode == Mode::Region {
                let inner = self.rules(thread).moves(&next.locals[thread])[0];
                self.take(&next, thread, &inner.into(), &mut Inside { events, reached, states: Vec::new() }, out);
                continue;
            }
            let step = PlainStep { thread: ThreadId::new(thread), events, reached, performs_oldest: false };
            out.steps.push((step, next));
        }
    }

    /// Whether the other threads let `thread` do a move.
    fn is_allowed(&self, state: &PlainState, thread: usize, a_move: Move) -> bool {
        if a_move == Move::Enter(Region::StopTheWorld) {
            return self.world_is_stopped(state, thread);
        }
        let holder = self.automata.bus.map_or(Automata::FREE, |bus| state.cells[bus.index()]);
        !a_move.needs_bus() || holder == Automata::FREE || holder == thread as Value
    }

    /// Every other thread is at a safepoint or has ended, with nothing pending.
    fn world_is_stopped(&self, state: &PlainState, thread: usize) -> bool {
        (0..state.locals.len()).all(|other| other == thread || self.rules(other).is_parked(&state.locals[other]))
    }

    /// Takes one move, and all that follows within its region, if it enters one. A way that goes round in the region is no step.
    fn take(&self, state: &PlainState, thread: usize, step: &Step, inside: &mut Inside, out: &mut PlainSuccessors) {
        if !inside.states.is_empty() && self.options.budget.look().is_some() {
            return;
        }
        let rules = self.rules(thread);
        let local = &state.locals[thread];
        if let Some((room, memory)) = self.room.as_ref().zip(state.memory.as_ref()) {
            return self.take_by_history(room, memory, (state, thread), step.a_move, inside, out);
        }
        let read = rules.reach_of(local, step).filter(|r| r.reads).map_or(0, |r| state.cells[r.cell.index()]);
        let Some(applied) = rules.take(local, step, read) else { return };
        self.follow(state, thread, &applied, inside, out);
    }

    /// Takes one move in all ways that a memory of histories allows.
    fn take_by_history(
        &self,
        room: &Room,
        memory: &Histories,
        (state, thread): (&PlainState, usize),
        a_move: Move,
        inside: &mut Inside,
        out: &mut PlainSuccessors,
    ) {
        let (rules, local) = (self.rules(thread), &state.locals[thread]);
        let deed = rules.deed(room, local, a_move);
        let flat = || rules.reach(local, a_move).filter(|r| r.reads).map_or(0, |r| state.cells[r.cell.index()]);
        let reads = match deed.reads(memory, thread) {
            Some(reads) => reads.into_iter().map(|(position, value)| (Some(position), value)).collect(),
            None => vec![(None, flat())],
        };
        for (position, read) in reads {
            let Some(mut applied) = rules.apply(local, a_move, read) else { continue };
            let wrote = applied.write.map(|(_, value)| value);
            for event in deed.events(memory, thread, position, wrote) {
                let Some(next) = memory.after(&room.profile, event) else { continue };
                tell_newer(&mut applied, deed.newer(memory, event));
                self.follow(&PlainState { memory: Some(next.state), ..state.clone() }, thread, &applied, inside, out);
            }
        }
    }

    /// Goes on in each way in which the thread settles after a move.
    fn follow(
        &self,
        state: &PlainState,
        thread: usize,
        applied: &Applied,
        inside: &mut Inside,
        out: &mut PlainSuccessors,
    ) {
        out.discarded |= applied.settled.discarded;
        for outcome in &applied.settled.outcomes {
            let mut next = state.clone();
            next.locals[thread] = outcome.local.clone();
            if let Some((cell, value)) = applied.write {
                next.cells[cell.index()] = value;
            }
            self.show_memory(&mut next, thread);
            if let Some((cell, touch)) = applied.touch
                && !self.tell(&mut next, thread, cell, touch)
            {
                out.discarded = true;
                continue;
            }
            let events: Vec<_> = inside.events.iter().chain(&outcome.events).cloned().collect();
            let mut reached = inside.reached.clone();
            reached.add_all(&outcome.reached);
            if next.locals[thread].is_mid_step() {
                if inside.states.contains(&next) {
                    continue;
                }
                let inner = self.rules(thread).moves(&next.locals[thread])[0];
                let mut states = std::mem::take(&mut inside.states);
                states.push(next.clone());
                let mut further = Inside { events, reached, states };
                self.take(&next, thread, &inner.into(), &mut further, out);
                inside.states = further.states;
                inside.states.pop();
            } else {
                let step = PlainStep { thread: ThreadId::new(thread), events, reached, performs_oldest: false };
                out.steps.push((step, next));
            }
        }
    }

    /// Where memory is histories, cells show what is last in modification order, and a thread that has ended is forgotten.
    fn show_memory(&self, state: &mut PlainState, thread: usize) {
        let PlainState { cells, locals, memory } = state;
        let Some((room, memory)) = self.room.as_ref().zip(memory.as_mut()) else { return };
        if has_ended(&locals[thread]) {
            *memory = memory.end(&room.profile, thread);
        }
        room.shown(memory).for_each(|(cell, value)| cells[cell.index()] = value);
    }

    /// Tells the other threads what one has done. False if the path does not exist.
    fn tell(&self, state: &mut PlainState, thread: usize, cell: CellId, touch: Touch) -> bool {
        for other in (0..state.locals.len()).filter(|other| *other != thread) {
            match self.rules(other).after_touch(&state.locals[other], cell, touch) {
                AfterTouch::Unchanged => {}
                AfterTouch::Changed(local) => state.locals[other] = local,
                AfterTouch::Discarded => return false,
            }
        }
        true
    }

    /// The first property that `state` violates, apart from deadlock. A refuted state violates none (semantics 5.6).
    pub fn violation(&self, state: &PlainState) -> Option<PropertyId> {
        let violation = self.violation_if_real(state)?;
        (!self.is_refuted(state)).then_some(violation)
    }

    fn violation_if_real(&self, state: &PlainState) -> Option<PropertyId> {
        let failed = state.locals.iter().find_map(|local| match local.mode {
            Mode::Failed(property) => Some(property),
            _ => None,
        });
        let is_violated =
            |id: &PropertyId| self.is_false(state, *id) && !self.has_no_value(state, Stated::Property(*id));
        failed.or_else(|| self.automata.properties.ids().find(is_violated))
    }

    /// Whether what is stated has no value in `state`, and is not judged there.
    fn has_no_value(&self, state: &PlainState, stated: Stated) -> bool {
        self.automata.definedness.iter().any(|d| d.of == stated && self.is_undefined(state, d))
    }

    /// Whether `state` violates a property of whole states, or a thread has violated it, whether the path is real or not.
    fn is_false(&self, state: &PlainState, property: PropertyId) -> bool {
        match &self.automata.properties[property].kind {
            PropertyKind::Invariant(condition) => self.places(state, condition, false).is_some(),
            PropertyKind::Forbid(condition) => self.is_quiescent(state) && self.judge(state, condition) == Some(true),
            _ => {
                state.locals.iter().any(|local| local.mode == Mode::Failed(property))
                    || self.automata.definedness.iter().any(|d| d.property == property && self.is_undefined(state, d))
            }
        }
    }

    /// Whether a stated property has no value in `state`.
    fn is_undefined(&self, state: &PlainState, definedness: &Definedness) -> bool {
        match definedness.moment {
            Moment::Always => {
                let whole = self.automata.whole_of(definedness);
                self.places_of(state, &definedness.condition, false, whole).is_some()
            }
            Moment::Quiescent => self.is_quiescent(state) && self.judge(state, &definedness.condition) == Some(false),
        }
    }

    /// Whether `state` violates `property`, whatever else it may violate; apart from deadlock.
    pub fn violates(&self, state: &PlainState, property: PropertyId) -> bool {
        let mut failed = state.locals.iter().filter(|local| matches!(local.mode, Mode::Failed(_))).peekable();
        // Where a thread has failed, nothing else is judged (semantics 8.5).
        let is_violated = match failed.peek() {
            Some(_) => failed.any(|local| local.mode == Mode::Failed(property)),
            None => self.is_false(state, property) && !self.has_no_value(state, Stated::Property(property)),
        };
        is_violated && !self.is_refuted(state)
    }

    /// `deadlock`, if `state`, having no steps and none discarded, is one.
    pub fn stuck(&self, state: &PlainState) -> Option<PropertyId> {
        let waits = |local: &Local| !matches!(local.mode, Mode::Halted | Mode::Spinning) || !local.queue.is_empty();
        let has_failed = state.locals.iter().any(|local| matches!(local.mode, Mode::Failed(_)));
        let is_stuck = self.options.check_deadlock && !has_failed && state.locals.iter().any(waits);
        (is_stuck && !self.is_refuted(state)).then_some(Automata::DEADLOCK)
    }

    /// All threads have ended, and nothing is pending.
    pub fn is_quiescent(&self, state: &PlainState) -> bool {
        state.locals.iter().all(|local| local.mode == Mode::Halted && local.queue.is_empty())
    }
}

/// Tells of newer writes that what was performed has left behind, and of no others.
fn tell_newer(applied: &mut Applied, newer: Vec<Value>) {
    for outcome in &mut applied.settled.outcomes {
        let events = &mut outcome.events;
        events.retain(|event| !matches!(event, Event::Behind { .. }));
        let performed = events.iter().enumerate().find_map(|(at, event)| match event {
            Event::Perform { point, .. } => Some((at + 1, *point)),
            _ => None,
        });
        if let Some((at, point)) = performed.filter(|_| !newer.is_empty()) {
            events.insert(at, Event::Behind { point, newer: newer.clone() });
        }
    }
}

/// The same state with all other threads where they are: a stopped world has found them there.
fn stopped(state: &PlainState, thread: usize) -> PlainState {
    let mut state = state.clone();
    let others = state.locals.iter_mut().enumerate().filter(|(other, _)| *other != thread);
    others.for_each(|(_, local)| local.trail.clear());
    state
}
