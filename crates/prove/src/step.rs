//! The transition relation: one action for each point and thread, and for each kind of commit.

use crate::Memory;
use crate::layout::{Layout, is_location, is_part_of_step_before};
use crate::path::{Execution, Path};
use crate::region::Endless;
use crate::state::State;
use automata::{Access, Action, Automata, CellId, Op, PointId, PropertyId, Region, ThreadId, Wait};
use base::table::Id;
use memory::{Fence, Operation};
use sat::{Bits, Graph, Lit};

/// What a step is of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StepKind {
    /// What the thread does at this point; a region is one step, by its `Enter`.
    Point(PointId),
    /// The commit of the thread's oldest store, if it is to one of these cells.
    Commit {
        /// What the cells have in common: the name of the field or cell.
        group: String,
        /// The cells.
        cells: Vec<CellId>,
    },
    /// Whatever a guarantee of the thread allows, as the others see it.
    Interference {
        /// Which guarantee, by its position.
        guarantee: usize,
    },
}

/// One step that a thread may take.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StepOf {
    /// The thread.
    pub thread: ThreadId,
    /// What it does.
    pub kind: StepKind,
}

/// What is violated, and when.
pub(crate) type Violations = Vec<(PropertyId, Lit)>;

/// A step as a circuit.
pub(crate) struct Step {
    /// When it is enabled and violates nothing by itself.
    pub(crate) guard: Lit,
    /// What it violates by itself, and when.
    pub(crate) violations: Violations,
    /// The state after it.
    pub(crate) after: State,
    /// Which way it goes, where it may choose.
    pub(crate) choices: Vec<Lit>,
}

/// Automata with what is fixed about their states.
pub(crate) struct Relation<'a> {
    pub(crate) automata: &'a Automata,
    pub(crate) memory: Memory,
    pub(crate) layout: &'a Layout,
    /// What is known of every state: used to see that loops inside regions end.
    pub(crate) typing: Lit,
}

impl Relation<'_> {
    /// The state, known to be one in which `step` may be taken: the thread is there, or has something to commit.
    pub(crate) fn before(&self, state: &State, step: &StepOf) -> State {
        let mut state = state.clone();
        let thread = &mut state.threads[step.thread.index()];
        match &step.kind {
            StepKind::Point(point) => {
                let place = self.layout.threads[step.thread.index()].place(*point).expect("a resting point");
                thread.place = Bits::constant(place as i32);
            }
            StepKind::Commit { .. } => thread.buffer[0].is_used = Lit::TRUE,
            StepKind::Interference { .. } => {}
        }
        state
    }

    /// The circuit of `step` from `before`, as [`Relation::before`] gives it.
    pub(crate) fn step(&self, graph: &mut Graph, before: &State, step: &StepOf) -> Result<Step, Endless> {
        let thread = step.thread.index();
        let path = Path { condition: Lit::TRUE, state: before.clone() };
        let typing = self.typing;
        let mut execution = Execution { graph, thread, typing, violations: Vec::new(), choices: Vec::new() };
        let end = match &step.kind {
            StepKind::Interference { guarantee } => {
                let relation = self.automata.guarantees[*guarantee].of(step.thread).expect("it says something of it");
                return Ok(self.interference(execution.graph, before, relation));
            }
            StepKind::Commit { cells, .. } => {
                let mut path = path;
                let is_free = self.bus_is_free(&mut execution, &path);
                execution.assume(&mut path, is_free);
                execution.commit(&mut path, &self.layout.threads[thread].stored, cells);
                path
            }
            StepKind::Point(point) => {
                let ways = self.at(&mut execution, *point, path)?;
                let ways = self.with_rest(&mut execution, ways)?;
                self.meet(&mut execution, ways)
            }
        };
        let Execution { violations, choices, .. } = execution;
        Ok(Step { guard: end.condition, violations, after: end.state, choices })
    }

    /// The ways on, each after all that it comes to and that is part of the same step.
    fn with_rest(
        &self,
        execution: &mut Execution<'_>,
        ways: Vec<(PointId, Path)>,
    ) -> Result<Vec<(PointId, Path)>, Endless> {
        let automaton = &self.automata.threads[ThreadId::new(execution.thread)].automaton;
        self.while_it(execution, ways, |point| is_part_of_step_before(automaton, point))
    }

    /// The ways on, each after all that it comes to while it `goes_on`.
    fn while_it(
        &self,
        execution: &mut Execution<'_>,
        ways: Vec<(PointId, Path)>,
        goes_on: impl Fn(PointId) -> bool,
    ) -> Result<Vec<(PointId, Path)>, Endless> {
        let mut rest = ways;
        let mut done = Vec::new();
        while let Some((point, path)) = rest.pop() {
            if path.condition != Lit::FALSE && goes_on(point) {
                done.extend(self.waiting(execution, point, &path));
                rest.extend(self.at(execution, point, path)?);
            } else if path.condition != Lit::FALSE || done.is_empty() && rest.is_empty() {
                done.push((point, path));
            }
        }
        done.reverse();
        Ok(done)
    }

    /// The part of a path that waits at `point` forever, if that is an `assume`.
    fn waiting(&self, execution: &mut Execution<'_>, point: PointId, path: &Path) -> Option<(PointId, Path)> {
        let automaton = &self.automata.threads[ThreadId::new(execution.thread)].automaton;
        let Action::Assume(condition) = &automaton.points[point].action else { return None };
        execution.waiting(path, condition).map(|path| (point, path))
    }

    /// The circuit of what `thread` does before its first step, if that is anything: its local actions; and what they violate, and when.
    pub(crate) fn start(
        &self,
        graph: &mut Graph,
        state: State,
        thread: ThreadId,
    ) -> Result<(Path, Violations), Endless> {
        let automaton = &self.automata.threads[thread].automaton;
        let path = Path { condition: Lit::TRUE, state };
        // Nothing is buffered yet, so there is nothing to wait for. With a label it is a location, and seen (semantics 8.2).
        let passes = |point: PointId| {
            let at = &automaton.points[point];
            at.labels.is_empty() && matches!(at.action, Action::Fence(_) | Action::Perform)
        };
        if is_location(automaton, automaton.entry) && !passes(automaton.entry) {
            return Ok((path, Vec::new()));
        }
        let mut execution = Execution {
            graph,
            thread: thread.index(),
            typing: self.typing,
            violations: Vec::new(),
            choices: Vec::new(),
        };
        let waiting = self.waiting(&mut execution, automaton.entry, &path);
        let ways = self.at(&mut execution, automaton.entry, path)?;
        let goes_on = |point: PointId| passes(point) || is_part_of_step_before(automaton, point);
        let mut ways = self.while_it(&mut execution, ways, goes_on)?;
        ways.extend(waiting);
        let path = self.meet(&mut execution, ways);
        Ok((path, execution.violations))
    }

    /// One path of several that continue at different points.
    fn meet(&self, execution: &mut Execution<'_>, ways: Vec<(PointId, Path)>) -> Path {
        let thread = execution.thread;
        let placed = ways.into_iter().map(|(point, mut path)| {
            // Only a way that is never taken ends elsewhere.
            if let Some(place) = self.layout.threads[thread].place(point) {
                path.state.threads[thread].place = Bits::constant(place as i32);
            }
            path
        });
        let paths: Vec<Path> = placed.collect();
        paths.into_iter().rev().reduce(|rest, path| execution.merge(path, rest)).expect("a step has a way on")
    }

    fn at(
        &self,
        execution: &mut Execution<'_>,
        point: PointId,
        mut path: Path,
    ) -> Result<Vec<(PointId, Path)>, Endless> {
        let thread = execution.thread;
        let automaton = &self.automata.threads[ThreadId::new(thread)].automaton;
        let next = automaton.points[point].next;
        let is_committed = path.state.is_committed(thread);
        match &automaton.points[point].action {
            Action::Access(access) => {
                let has_block = matches!(automaton.points[next].action, Action::Enter(Region::Then));
                self.access(execution, &mut path, access, has_block)
            }
            Action::Fence(fence) if waits(*fence) => execution.assume(&mut path, is_committed),
            Action::Perform => execution.assume(&mut path, is_committed),
            Action::Halt => {
                execution.assume(&mut path, Lit::FALSE);
                return Ok(vec![(point, path)]);
            }
            Action::Enter(region) => {
                if matches!(region, Region::Atomic(Wait::Performed) | Region::Direct(Wait::Performed)) {
                    execution.assume(&mut path, is_committed);
                }
                if *region == Region::StopTheWorld {
                    let is_stopped = self.is_stopped(execution, &path);
                    execution.assume(&mut path, is_stopped);
                }
                let ways = execution.region(self.automata, automaton, point, path.clone())?;
                let ways: Vec<_> = ways.into_iter().map(|(path, next)| (next, path)).collect();
                path.condition = Lit::FALSE;
                return Ok(if ways.is_empty() { vec![(point, path)] } else { ways });
            }
            action => return Ok(execution.local(automaton, action, next, path)),
        }
        Ok(vec![(next, path)])
    }

    /// A memory operation outside regions.
    /// A store with a block that is executed when it is performed is not buffered: the thread waits for it anyway.
    fn access(&self, execution: &mut Execution<'_>, path: &mut Path, access: &Access, has_block: bool) {
        let thread = execution.thread;
        let layout = &self.layout.threads[thread];
        let is_free = self.bus_is_free(execution, path);
        match (&access.op, self.memory) {
            (Op::Load, Memory::Tso { .. }) => execution.load(self.automata, path, access, &layout.stored, is_free),
            (Op::Store(_), Memory::Tso { .. }) if !has_block => {
                execution.buffer(self.automata, path, access, &layout.stored)
            }
            _ => {
                let is_committed = path.state.is_committed(thread);
                execution.assume(path, is_committed);
                execution.assume(path, is_free);
                execution.act(self.automata, path, access);
            }
        }
    }

    /// Whether no other thread holds the lock of the bus.
    fn bus_is_free(&self, execution: &mut Execution<'_>, path: &Path) -> Lit {
        let Some(bus) = self.automata.bus else { return Lit::TRUE };
        let holder = &path.state.cells[bus.index()];
        let is_free = execution.graph.is(holder, Automata::FREE);
        let is_own = execution.graph.is(holder, execution.thread as i32);
        execution.graph.or(is_free, is_own)
    }

    /// Whether the thread has nothing pending, and every other one is at a safepoint, or has ended, with nothing pending.
    fn is_stopped(&self, execution: &mut Execution<'_>, path: &Path) -> Lit {
        let mut all = Lit::TRUE;
        for (other, layout) in self.layout.threads.iter().enumerate() {
            let is_committed = path.state.is_committed(other);
            all = execution.graph.and(all, is_committed);
            if other != execution.thread {
                let is_parked = path.state.is_at(execution.graph, other, layout.parked.iter().copied());
                all = execution.graph.and(all, is_parked);
            }
        }
        all
    }
}

/// Whether a fence waits for buffered stores: it does if it keeps a load behind them. Under `sc` there are none.
fn waits(fence: Fence) -> bool {
    fence.orders(Operation::STORE, Operation::LOAD)
}

/// Every step that threads may take: at each point where one rests, then its commits.
pub(crate) fn steps(automata: &Automata, layout: &Layout) -> Vec<StepOf> {
    let mut steps = Vec::new();
    for thread in automata.threads.ids() {
        let layout = &layout.threads[thread.index()];
        let rests_forever =
            |place: usize| layout.ends.contains(&place) || layout.stuck.iter().any(|(p, _)| *p == place);
        let acts = layout.resting.iter().enumerate().filter(|(place, _)| !rests_forever(*place));
        steps.extend(acts.map(|(_, point)| StepOf { thread, kind: StepKind::Point(*point) }));
        if layout.n_slots > 0 {
            let groups = groups(automata, &layout.stored).into_iter();
            steps.extend(groups.map(|(group, cells)| StepOf { thread, kind: StepKind::Commit { group, cells } }));
        }
    }
    steps
}

/// Cells by the field, array or name they belong to: `from.data[0]` is one of `data`.
fn groups(automata: &Automata, cells: &[CellId]) -> Vec<(String, Vec<CellId>)> {
    let mut groups: Vec<(String, Vec<CellId>)> = Vec::new();
    for cell in cells {
        let name = &automata.cells[*cell].place.field;
        match groups.iter_mut().find(|(group, _)| group == name) {
            Some((_, members)) => members.push(*cell),
            None => groups.push((name.to_string(), vec![*cell])),
        }
    }
    groups
}
