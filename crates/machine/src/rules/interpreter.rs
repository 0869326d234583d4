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
use crate::rules::moves::Move;
use crate::rules::perform::Applied;
use crate::rules::touch::{AfterTouch, Touch};
use crate::rules::{Event, Rules, SettlePath, SettleStep};
use automata::{
    Automata, BinaryOp, CellId, Definedness, Expr, Moment, PropertyId, Region, StateProperty, Stated, ThreadId,
    UnaryOp, Value,
};
use base::table::Id;
use history::Histories;
use memory::MemoryModel;
use rustc_hash::FxHashSet;
use std::sync::Arc;
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

/// A step, described for people.
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
    codes: Vec<Arc<Code>>,
    room: Option<Room>,
}

/// What a thread has done in its step before a move.
#[derive(Default)]
struct Before {
    events: Vec<Event>,
    reached: Reached,
}

/// Where one path of a move ends: before the next move inside a region, or where the thread rests.
pub(crate) struct MoveEnd {
    pub(crate) state: PlainState,
    /// Whether the move only read an old write again: to fairness it has performed nothing.
    pub(crate) stays_behind: bool,
    pub(crate) events: Vec<Event>,
    pub(crate) reached: Reached,
}

/// Where a step is inside a region: the ends still to be continued, what came before them, and the state there.
struct RegionFrame {
    ways: Vec<MoveEnd>,
    n_events: usize,
    reached: Reached,
    state: Option<PlainState>,
}

impl<'a> Interpreter<'a> {
    /// Prepares to execute `automata` under `memory`.
    pub fn new(automata: &'a Automata, memory: &'a MemoryModel, options: &'a Options) -> Self {
        let codes = Code::of_threads(automata).into_iter().map(Arc::new).collect();
        Interpreter::with_codes((automata, memory, options), codes)
    }

    /// As `new`, with code that is shared.
    pub(crate) fn with_codes(
        (automata, memory, options): (&'a Automata, &'a MemoryModel, &'a Options),
        codes: Vec<Arc<Code>>,
    ) -> Self {
        Interpreter { automata, memory, options, codes, room: Room::new(automata, memory) }
    }

    pub(crate) fn rules(&self, thread: usize) -> Rules<'_> {
        Rules { code: &self.codes[thread], automata: self.automata, memory: self.memory, options: self.options }
    }

    /// Whether the oldest memory operation that a thread has pending may be performed, even if its path is
    /// discarded later.
    pub(crate) fn oldest_is_enabled(&self, state: &PlainState, thread: usize) -> bool {
        let (rules, local) = (self.rules(thread), &state.locals[thread]);
        let is_oldest =
            |a_move: &Move| rules.performs_oldest(local, *a_move) && self.is_allowed(state, thread, *a_move);
        rules.moves(local).into_iter().filter(is_oldest).any(|a_move| {
            let read =
                rules.move_footprint(local, a_move).filter(|r| r.reads).map_or(0, |r| state.cells[r.cell.index()]);
            let settled = rules.apply(local, a_move, read).map(|applied| applied.settled);
            settled.is_some_and(|settled| settled.discarded || !settled.paths.is_empty())
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
            let paths = if self.options.reductions.eager_closure {
                self.rules(thread).settle(start, Vec::new()).paths
            } else {
                vec![SettlePath::of(start)]
            };
            let extend = |(steps, state): (Vec<PlainStep>, PlainState)| {
                let going = paths.iter().take_while(|_| !pace.is_over());
                going
                    .map(move |path| {
                        let (mut steps, mut state) = (steps.clone(), state.clone());
                        let (events, reached) = (path.events.clone(), path.reached.clone());
                        steps.push(PlainStep {
                            thread: ThreadId::new(thread),
                            events,
                            reached,
                            performs_oldest: false,
                        });
                        state.locals.push(path.local.clone());
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
            |thread: &usize| !self.rules(*thread).settle(self.codes[*thread].start(), Vec::new()).paths.is_empty();
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
                            self.take(&stopped(state, thread), thread, &step, Before::default(), &mut out);
                        }
                        _ => self.take(state, thread, &step, Before::default(), &mut out),
                    }
                    let performs_oldest = rules.step_performs_oldest(&state.locals[thread], &step);
                    out.steps[first..].iter_mut().for_each(|(step, _)| step.performs_oldest &= performs_oldest);
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
        let mut path = SettlePath::of(local);
        let paths = match self.rules(thread).advance(&mut path) {
            SettleStep::Forked(forks) => forks,
            SettleStep::Discarded | SettleStep::Cut => {
                out.discarded = true;
                return;
            }
            _ if path.local != state.locals[thread] => vec![path],
            _ => return,
        };
        for path in paths {
            let mut next = state.clone();
            let SettlePath { local, events, reached, .. } = path;
            next.locals[thread] = local;
            if next.locals[thread].mode == Mode::Region {
                let inner = self.rules(thread).moves(&next.locals[thread])[0];
                let first = out.steps.len();
                self.take(&next, thread, &inner.into(), Before { events, reached }, out);
                out.steps[first..].iter_mut().for_each(|(step, _)| step.performs_oldest = false);
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

    /// Takes one move, and all that follows within its region, if it enters one. A path that loops in the region is no step.
    fn take(&self, state: &PlainState, thread: usize, step: &Step, before: Before, out: &mut PlainSuccessors) {
        let Before { mut events, reached } = before;
        let mut counts = true;
        // The states inside that the way so far has come through. A region may be long: nothing here is recursive.
        let mut inside: FxHashSet<PlainState> = FxHashSet::default();
        let ways = self.ways(state, thread, step, out);
        let mut open = vec![RegionFrame { ways, n_events: events.len(), reached, state: None }];
        while let Some(last) = open.last_mut() {
            events.truncate(last.n_events);
            let Some(way) = last.ways.pop() else {
                open.pop().and_then(|left| left.state).map(|state| inside.remove(&state));
                continue;
            };
            let mut reached = last.reached.clone();
            reached.add_all(&way.reached);
            if last.state.is_none() {
                counts = !way.stays_behind;
            }
            events.extend(way.events);
            if !way.state.locals[thread].is_mid_step() {
                let events = events.clone();
                let step = PlainStep { thread: ThreadId::new(thread), events, reached, performs_oldest: counts };
                out.steps.push((step, way.state));
            } else if inside.insert(way.state.clone()) {
                if self.options.budget.look().is_some() {
                    return;
                }
                let inner = self.rules(thread).moves(&way.state.locals[thread])[0];
                let ways = self.ways(&way.state, thread, &inner.into(), out);
                open.push(RegionFrame { ways, n_events: events.len(), reached, state: Some(way.state) });
            }
        }
    }

    /// All ways to take one move, last first.
    fn ways(&self, state: &PlainState, thread: usize, step: &Step, out: &mut PlainSuccessors) -> Vec<MoveEnd> {
        let (rules, local) = (self.rules(thread), &state.locals[thread]);
        let mut ways = Vec::new();
        if let Some((room, memory)) = self.room.as_ref().zip(state.memory.as_ref()) {
            self.ways_by_history(room, memory, (state, thread), step.a_move, (&mut ways, out));
        } else {
            let read = rules.step_footprint(local, step).filter(|r| r.reads).map_or(0, |r| state.cells[r.cell.index()]);
            if let Some(applied) = rules.apply_step(local, step, read) {
                self.settled(state, thread, &applied, (&mut ways, out));
            }
        }
        ways.reverse();
        ways
    }

    /// The ways in which the thread settles after a move.
    pub(crate) fn settled(
        &self,
        state: &PlainState,
        thread: usize,
        applied: &Applied,
        (ways, out): (&mut Vec<MoveEnd>, &mut PlainSuccessors),
    ) {
        out.discarded |= applied.settled.discarded;
        for path in &applied.settled.paths {
            let mut next = state.clone();
            next.locals[thread] = path.local.clone();
            if let Some((cell, value)) = applied.write {
                next.cells[cell.index()] = value;
            }
            self.show_memory(&mut next, thread);
            if let Some((cell, touch)) = applied.touch
                && !self.notify(&mut next, thread, cell, touch)
            {
                out.discarded = true;
                continue;
            }
            let (events, reached) = (path.events.clone(), path.reached.clone());
            ways.push(MoveEnd { state: next, stays_behind: false, events, reached });
        }
    }

    /// Where memory is histories, cells show what is last in modification order, and a thread that has ended is forgotten.
    pub(crate) fn show_memory(&self, state: &mut PlainState, thread: usize) {
        let PlainState { cells, locals, memory } = state;
        let Some((room, memory)) = self.room.as_ref().zip(memory.as_mut()) else { return };
        if has_ended(&locals[thread]) {
            *memory = memory.end(&room.profile, thread);
        }
        room.shown(memory).for_each(|(cell, value)| cells[cell.index()] = value);
    }

    /// Tells the other threads what one has done. False if the path does not exist.
    fn notify(&self, state: &mut PlainState, thread: usize, cell: CellId, touch: Touch) -> bool {
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
        if circles(state) {
            return None;
        }
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

    /// Whether what is stated has no value in `state` where it would be violated or reached, and so is not judged.
    pub(crate) fn has_no_value(&self, state: &PlainState, stated: Stated) -> bool {
        let mut undefined = self.automata.definedness.iter().filter(|d| d.of == stated && self.is_undefined(state, d));
        undefined.next().is_some() && !self.has_value_somewhere(state, stated)
    }

    /// Whether threads can be seen somewhere (semantics 8.2) so that what is stated is violated or reached there, and all its parts
    /// have values.
    fn has_value_somewhere(&self, state: &PlainState, stated: Stated) -> bool {
        let (condition, found) = match stated {
            Stated::Cover(id) => (self.automata.covers[id].condition.as_ref(), true),
            Stated::Property(id) => match self.automata.properties[id].kind.state_property() {
                Some(StateProperty { condition, moment: Moment::Always, violating }) => (Some(condition), violating),
                _ => (None, false),
            },
        };
        let Some(condition) = condition else { return false };
        let is_not_found = if found { Expr::unary(UnaryOp::Not, condition.clone()) } else { condition.clone() };
        let parts = self.automata.definedness.iter().filter(|d| d.of == stated);
        let has_none = parts.map(|d| Expr::unary(UnaryOp::Not, d.condition.clone()));
        let whole = has_none.fold(is_not_found, |any, none| Expr::binary(BinaryOp::Or, any, none));
        self.places_of(state, &whole, false, condition).is_some()
    }

    /// Whether `state` violates a property of whole states, or a thread has violated it, whether the path is real or not.
    fn is_false(&self, state: &PlainState, property: PropertyId) -> bool {
        match self.automata.properties[property].kind.state_property() {
            Some(StateProperty { condition, moment: Moment::Always, violating }) => {
                self.places(state, condition, violating).is_some()
            }
            Some(StateProperty { condition, moment: Moment::Quiescent, violating }) => {
                self.is_quiescent(state) && self.judge(state, condition) == Some(violating)
            }
            None => {
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
        is_violated && !circles(state) && !self.is_refuted(state)
    }

    /// `deadlock`, if `state`, having no steps and none discarded, is one.
    pub fn stuck(&self, state: &PlainState) -> Option<PropertyId> {
        let waits = |local: &Local| !matches!(local.mode, Mode::Halted | Mode::Spinning) || !local.queue.is_empty();
        let has_failed = state.locals.iter().any(|local| matches!(local.mode, Mode::Failed(_)));
        let is_stuck = self.options.check_deadlock && !has_failed && state.locals.iter().any(waits);
        (is_stuck && !circles(state) && !self.is_refuted(state)).then_some(Automata::DEADLOCK)
    }

    /// All threads have ended, and nothing is pending.
    pub fn is_quiescent(&self, state: &PlainState) -> bool {
        state.locals.iter().all(|local| local.mode == Mode::Halted && local.queue.is_empty())
    }
}

/// Whether some thread circles: then only temporal properties see the state.
fn circles(state: &PlainState) -> bool {
    state.locals.iter().any(|local| local.mode == Mode::Circling)
}

/// The same state with all other threads where they are: a stopped world has found them there.
fn stopped(state: &PlainState, thread: usize) -> PlainState {
    let mut state = state.clone();
    let others = state.locals.iter_mut().enumerate().filter(|(other, _)| *other != thread);
    others.for_each(|(_, local)| local.trail.clear());
    state
}
