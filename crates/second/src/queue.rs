//! What leaves the queue by itself, and which operations may be performed from it (rules 4.2, 4.3, 4.6, 5.1 to 5.5).

use crate::state::{Assumption, Cell, Entry, Queued, Thread};
use crate::values::{Violation, within};
use crate::world::{End, Path, World};
use memory::{FailedCas, Fence, Operation, SameCellLoads};

/// How an operation is performed before older ones: it counts as `younger`, and these fences are between them.
pub(crate) struct Plan {
    younger: Operation,
    fences: Vec<Fence>,
    /// The place and value of the queued store that it takes its value from.
    pub(crate) forward: Option<(usize, i64)>,
    /// What it assumes of older operations, by their places.
    pub(crate) assumes: Vec<(usize, Assumption)>,
}

impl World<'_> {
    /// Retires from the queue, oldest first, until nothing more does.
    pub(crate) fn retire(&self, path: &mut Path, t: usize) {
        let mut place = 0;
        while !path.is_over(t) && place < path.state.threads[t].queue.len() {
            // A violation waits for guesses and for other assumptions.
            let has_moved = self.moves(path, t, place).unwrap_or_else(|violation| {
                let is_certain = path.state.threads[t].is_certain_at(place);
                if is_certain {
                    path.state.thread(t).failed = Some(violation);
                }
                is_certain
            });
            place = if has_moved { 0 } else { place + 1 };
        }
    }

    /// Whether an entry leaves, or more becomes known of it.
    fn moves(&self, path: &mut Path, t: usize, place: usize) -> Result<bool, Violation> {
        let thread = &path.state.threads[t];
        let result = match &thread.queue[place] {
            Entry::Access(_) => return self.comes(path, t, place),
            Entry::Compute(term, range) => self.eval(term, thread)?.map(|value| within(value, *range)).transpose()?,
            Entry::Check(check, term) => match self.eval(term, thread)? {
                Some(value) if thread.is_certain_at(place) => {
                    *path = path.clone().passing(t, *check, value);
                    Some(0)
                }
                _ => None,
            },
            Entry::Guess(guess) => match self.eval(&guess.condition, thread)? {
                Some(value) if (value != 0) != guess.value => {
                    path.end = End::Discarded;
                    None
                }
                value => value,
            },
            Entry::Fence(fence) => {
                let mut older = thread.queue[..place].iter().filter_map(Entry::access);
                let is_needed = older.any(|older| match fence {
                    Fence::Full | Fence::Release => true,
                    Fence::Acquire => self.access(thread, older).operation().reads,
                    Fence::StoreStore => self.access(thread, older).operation().writes,
                });
                (!is_needed).then_some(0)
            }
        };
        if let Some(result) = result {
            path.state.thread(t).leave(place, result);
        }
        Ok(result.is_some())
    }

    /// Whether the cell of a queued access comes.
    fn comes(&self, path: &mut Path, t: usize, place: usize) -> Result<bool, Violation> {
        let thread = &path.state.threads[t];
        let Some(queued) = thread.queue[place].access() else { return Ok(false) };
        let cell = match &queued.cell {
            Cell::Known(_) => None,
            Cell::None => return Err(Violation::ValidReference),
            Cell::ToCome(terms) => match self.locate(self.access(thread, queued), terms, thread) {
                Ok(cell) => cell.map(|cell| Cell::Known(cell as usize)),
                Err(Violation::ValidReference) => Some(Cell::None),
                Err(other) => return Err(other),
            },
        };
        let Some(cell) = cell else { return self.eval_all(&queued.operands, thread).map(|_| false) };
        if matches!(cell, Cell::Known(it) if queued.assumed.contains_key(&Assumption::Elsewhere(it))) {
            path.end = End::Discarded;
        }
        if let Some(queued) = path.state.thread(t).queue[place].access_mut() {
            queued.assumed.retain(|it, _| matches!((it, &cell), (Assumption::Unwritten(a), Cell::Known(b)) if a == b));
            queued.cell = cell;
        }
        Ok(true)
    }

    /// How the operation at `place`, on `cell`, may be performed before every older one that is queued.
    pub(crate) fn plan(&self, thread: &Thread, place: usize, cell: usize, younger: Operation) -> Option<Plan> {
        let mut plan = Plan { younger, fences: Vec::new(), forward: None, assumes: Vec::new() };
        let is_plain_load = |it: Operation| !it.writes && !it.linked;
        for (i, entry) in thread.queue[..place].iter().enumerate().rev() {
            match entry {
                Entry::Fence(fence) => plan.fences.push(self.model.fence(*fence)),
                Entry::Guess(_) if !is_plain_load(younger) => return None,
                Entry::Access(older) => {
                    let operation = self.queued(thread, older);
                    let are_loads = is_plain_load(operation) && is_plain_load(younger);
                    let is = |loads: SameCellLoads| self.model.same_cell_loads == loads;
                    match older.cell {
                        Cell::Known(other) if other == cell => self.same_cell(&mut plan, thread, (i, cell), older)?,
                        _ if self.are_ordered(operation, &plan) => return None,
                        Cell::Known(_) | Cell::None => {}
                        _ if self.model.waits_for_address(younger) => return None,
                        // What may be passed on the same cell, or is behind the store forwarded from, is no assumption.
                        _ if is(SameCellLoads::Free) && are_loads => {}
                        _ if plan.forward.is_some() && (!operation.reads || is(SameCellLoads::Coherent)) => {}
                        _ if is(SameCellLoads::Coherent) && are_loads => {
                            plan.assumes.push((i, Assumption::Unwritten(cell)))
                        }
                        _ => plan.assumes.push((i, Assumption::Elsewhere(cell))),
                    }
                }
                _ => {}
            }
        }
        Some(plan)
    }

    /// Whether the operation is ordered with an older one wherever they go.
    fn are_ordered(&self, older: Operation, plan: &Plan) -> bool {
        let is_fenced = plan.fences.iter().any(|fence| fence.orders(older, plan.younger));
        is_fenced || !self.model.may_overtake(older, plan.younger)
    }

    /// Rule 4.3. None if it may not pass.
    fn same_cell(&self, plan: &mut Plan, thread: &Thread, (place, cell): (usize, usize), older: &Queued) -> Option<()> {
        let access = self.access(thread, older);
        let (operation, loads) = (self.queued(thread, older), self.model.same_cell_loads);
        let is_linked = plan.younger.linked || operation.linked;
        if operation.is_rmw() {
            // It passes a CAS that will fail, if that is a load.
            let fails_as_load = access.is_cas() && self.model.failed_cas == FailedCas::Load;
            let passes = fails_as_load && loads == SameCellLoads::Free && !self.are_ordered(operation, plan);
            plan.assumes.push((place, Assumption::Fails));
            return (passes && !plan.younger.writes && !is_linked).then_some(());
        }
        if plan.younger.writes || self.are_ordered(operation, plan) {
            return None;
        }
        if operation.writes && plan.forward.is_none() {
            let values = self.eval_all(&older.operands, thread).ok().flatten().filter(|_| access.is_store())?;
            plan.forward = Some((place, within(values[0], access.cell).ok()?));
        } else if !operation.writes {
            let is_assumed = loads == SameCellLoads::Coherent && plan.forward.is_none();
            plan.assumes.extend(is_assumed.then_some((place, Assumption::Unwritten(cell))));
            let waits = loads == SameCellLoads::Ordered || is_linked && plan.forward.is_none();
            return (!waits).then_some(());
        }
        Some(())
    }
}
