//! Rule 2 of the memory machine: what a move does, given the value that shared memory holds for its cell.

use crate::rules::effect::{Effect, Narrow, effect};
use crate::rules::local::{Demand, Local, Mode, Part};
use crate::rules::moves::Move;
use crate::rules::permission::Permission;
use crate::rules::touch::{AfterTouch, Touch};
use crate::rules::{Event, Rules, SettlePath, Settled};
use automata::{Action, Automata, Cause, CellId, Op, PointId, Region, Value};

/// Where a value read came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// Shared memory.
    Memory,
    /// A store of the own queue (store-to-load forwarding).
    OwnStore,
}

/// A cell and the value that is written to it.
type Written = (CellId, Value);
/// A cell and how other threads see that it is accessed.
type Touched = (CellId, Touch);

/// The result of a move: a store, how other threads see it, and the ways in which the thread settled after it.
pub(crate) struct Applied {
    pub(crate) write: Option<Written>,
    pub(crate) touch: Option<Touched>,
    pub(crate) settled: Settled,
}

impl Rules<'_> {
    /// Does `a_move`, `read` being what shared memory holds for its cell (if it reads); none if,
    /// with that value, the move is not enabled after all.
    pub(crate) fn apply(&self, local: &Local, a_move: Move, read: Value) -> Option<Applied> {
        self.apply_to(SettlePath::of(local.clone()), local, a_move, read)
    }

    /// As `apply`, continuing from `before`.
    pub(crate) fn apply_after(&self, before: &SettlePath, a_move: Move, read: Value) -> Option<Applied> {
        let path = SettlePath { bound_hit: None, ..before.clone() };
        self.apply_to(path, &before.local, a_move, read)
    }

    /// Does a move of the thread at `local`, where `path` is too.
    fn apply_to(&self, mut path: SettlePath, local: &Local, a_move: Move, read: Value) -> Option<Applied> {
        if self.refutes(local, a_move, read) {
            let settled = Settled { discarded: true, ..Settled::default() };
            return Some(Applied { write: None, touch: None, settled });
        }
        if a_move == Move::Proceed {
            return Some(self.proceed(path));
        }
        let (write, touch) = self.take(&mut path, a_move, read)?;
        if let (Move::Direct(_), Some((cell, _))) = (a_move, write) {
            if matches!(self.after_touch(local, cell, Touch::Store), AfterTouch::Discarded) {
                // A younger load of the own queue went first, and the older one must still see the same.
                return Some(Applied { write, touch, settled: Settled { discarded: true, ..Settled::default() } });
            }
            self.keep_from(&mut path.local, cell);
        }
        let settled = if self.options.reductions.eager_closure || path.local.mode == Mode::Region {
            self.settle(path.local, path.events)
        } else {
            Settled { paths: vec![path], ..Settled::default() }
        };
        Some(Applied { write, touch, settled })
    }

    /// The move itself, before the thread settles: the store, and how other threads see it. None if it cannot be taken.
    fn take(&self, path: &mut SettlePath, a_move: Move, read: Value) -> Option<(Option<Written>, Option<Touched>)> {
        let store = |write: Option<Written>, otherwise: Option<CellId>| {
            let touch = write.map(|(cell, _)| (cell, Touch::Store));
            let otherwise = otherwise.filter(|_| !self.is_weakly_isolated());
            (write, touch.or_else(|| otherwise.map(|cell| (cell, Touch::Load))))
        };
        Some(match a_move {
            Move::Perform(index, cell) => store(self.perform(path, index, cell, read, Source::Memory)?, Some(cell)),
            Move::Forward(index, cell, value) => store(self.perform(path, index, cell, value, Source::OwnStore)?, None),
            Move::Direct(cell) => store(self.access_directly(path, cell, read)?, cell),
            Move::Commit => store(self.commit(path), None),
            Move::Track(cell) => (None, self.track(path, cell, read)),
            _ => {
                self.take_silently(path, a_move)?;
                (None, None)
            }
        })
    }

    /// A move that writes nothing, and that no other thread sees.
    fn take_silently(&self, path: &mut SettlePath, a_move: Move) -> Option<()> {
        match a_move {
            Move::FailConditional(index, cell) => self.fail_conditional(path, index, cell)?,
            Move::Safepoint | Move::Fence => {
                let point = path.local.point;
                path.local.trail.clear();
                self.pass(path, point);
            }
            Move::Enter(_) => self.enter_region(path),
            Move::Abort(cause) => {
                let point = path.local.point;
                self.abort(path, point, cause);
            }
            Move::Resume => {
                if let Mode::Aborted(point) = path.local.mode {
                    path.events.push(Event::Abort { point, cause: Cause::Conflict });
                }
                path.local.mode = Mode::Running;
            }
            Move::Perform(..) | Move::Forward(..) | Move::Direct(_) | Move::Commit | Move::Track(_) | Move::Proceed => {
                unreachable!("others see these, or they settle by themselves")
            }
        }
        Some(())
    }

    /// The store-conditional at `index` fails: it is performed, and writes nothing.
    fn fail_conditional(&self, path: &mut SettlePath, index: usize, cell: CellId) -> Option<()> {
        path.local.unlink(cell);
        let (point, passed) = (path.local.queue[index].point, self.n_accesses(&path.local.queue[..index]));
        let source = Source::Memory;
        path.events.push(Event::Perform { point, cell, read: None, wrote: None, source, passed, is_half: false });
        path.local.forget_before(index);
        path.local.remove(index, 0);
        self.enter_own_region(path, point)
    }

    /// The operation at `point` has been performed: if a block goes with it, that is entered. None if it cannot be, so that the
    /// operation cannot be performed yet either (semantics 3.9).
    fn enter_own_region(&self, path: &mut SettlePath, point: PointId) -> Option<()> {
        if self.code.own_region[point] != Some(Region::Then) || matches!(path.local.mode, Mode::Failed(_)) {
            return Some(());
        }
        let enter = path.local.point;
        self.region_is_ready(&path.local, enter, Region::Then).then(|| self.enter_region(path))
    }

    /// Whether a CAS that is assumed to fail would succeed, or the other way round: then the path is discarded.
    fn refutes(&self, local: &Local, a_move: Move, read: Value) -> bool {
        let (index, read) = match a_move {
            Move::Perform(index, _) => (index, read),
            Move::Forward(index, _, value) => (index, value),
            _ => return false,
        };
        let entry = &local.queue[index];
        if entry.part != Part::Whole {
            return self.refutes_assumption(local, index, read);
        }
        let Action::Access(access) = self.code.action(entry.point) else { return false };
        entry.demand == Demand::Fail && effect(&access.op, read, |expr| self.eval(entry, expr)).wrote.is_some()
    }

    fn perform(
        &self,
        path: &mut SettlePath,
        index: usize,
        cell: CellId,
        read: Value,
        source: Source,
    ) -> Option<Option<(CellId, Value)>> {
        let entry = &path.local.queue[index];
        let point = entry.point;
        let Action::Access(access) = self.code.action(point) else { unreachable!("only accesses are performed") };
        let part = entry.part;
        let Effect { wrote, result } = self.effect_of(&path.local, index, access, read);
        let op = match (part, &access.op, &wrote) {
            (Part::Whole, Op::Cas { .. }, None) => self.memory.failed(access.operation(), access.failure_order),
            (Part::Whole, ..) => access.operation(),
            _ => self.operation(entry)?,
        };
        let overtaken = match (self.permission(&path.local, index, cell, op), source) {
            (Permission::Memory(overtaken), Source::Memory) => overtaken,
            (Permission::Forward(_, overtaken), Source::OwnStore) => overtaken,
            _ => return None,
        };
        let dst = self.receives(&path.local, index, access);
        let Some(Narrow { wrote, result }) = self.narrow(dst, cell, (wrote, result)) else {
            let is_uncertain = path.local.is_uncertain_at(index) || overtaken.is_an_assumption();
            return (!is_uncertain).then(|| {
                path.local.trail.clear();
                self.fail(path, point, Automata::IN_RANGE);
                None
            });
        };
        overtaken.note(&mut path.local, cell);
        path.local.rely_on(index);
        self.link(&mut path.local, index, cell, source);
        let reads = op.reads.then_some(read);
        let passed = self.n_accesses(&path.local.queue[..index]);
        path.local.forget_before(index);
        let is_half = part == Part::Read && self.after_read(path, index, read)?;
        path.events.push(Event::Perform { point, cell, read: reads, wrote, source, passed, is_half });
        path.local.remove(index, if part == Part::Read && dst.is_none() { read } else { result });
        if !is_half {
            self.enter_own_region(path, point)?;
        }
        Some(wrote.map(|value| (cell, value)))
    }
}

impl Rules<'_> {
    /// What the entry at `index`, performed on `cell`, does to the thread's reservations.
    fn link(&self, local: &mut Local, index: usize, cell: CellId, source: Source) {
        let Action::Access(access) = self.code.action(local.queue[index].point) else { return };
        let part = local.queue[index].part;
        let add = |cells: &mut Vec<CellId>| {
            if let Err(at) = cells.binary_search(&cell) {
                cells.insert(at, cell);
            }
        };
        let is_open = part != Part::Read && self.memory.splits_rmw();
        if is_open && matches!(access.op, Op::LoadLinked) && source == Source::OwnStore {
            self.note_link(local, index, cell);
        }
        match access.op {
            Op::LoadLinked if part == Part::Read || self.links_ahead(local, index, cell, source) => {}
            Op::LoadLinked if source == Source::OwnStore => add(&mut local.reserved_ahead),
            Op::LoadLinked => add(&mut local.reserved),
            _ if self.memory.splits_rmw() && access.op.is_write() => self.link_store(local, index, cell),
            Op::Store(_) if local.reserved_ahead.contains(&cell) => add(&mut local.reserved),
            Op::StoreConditional(_) if part == Part::Whole => local.unlink(cell),
            _ => {}
        }
    }
}

impl Local {
    /// A store-conditional, whether it stores or not, ends the reservation.
    pub(crate) fn unlink(&mut self, cell: CellId) {
        self.reserved.retain(|c| *c != cell);
        self.reserved_ahead.retain(|c| *c != cell);
    }
}
