//! What leaves the queue by itself, and what comes to light there (rules 4.6, 5.1 to 5.5).

use crate::state::{Assumption, Cell, Entry};
use crate::term::Term;
use crate::values::{Violation, within};
use crate::world::{End, Path, World};
use memory::Fence;

impl World<'_> {
    /// Retires from the queue, oldest first, until nothing more does.
    pub(crate) fn retire(&self, path: &mut Path, t: usize) {
        let mut place = 0;
        while !path.is_over(t) && place < path.state.threads[t].queue.len() {
            // A violation waits for guesses and for other assumptions.
            let has_moved = self.moves(path, t, place).unwrap_or_else(|violation| {
                let is_certain = path.state.threads[t].is_certain_at(place);
                if is_certain {
                    path.fail(t, violation);
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
                    let check = *check;
                    path.pass(t, check, value);
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

    /// Whether the cell of a queued access comes, or its operands do.
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
        let Some(cell) = cell else {
            if queued.values().is_some() {
                return Ok(false);
            }
            let Some(values) = self.eval_all(&queued.operands, thread)? else { return Ok(false) };
            if let Some(queued) = path.state.thread(t).queue[place].access_mut() {
                queued.operands = values.into_iter().map(Term::Const).collect();
            }
            return Ok(true);
        };
        if let Cell::Known(cell) = cell
            && queued.is_assumed(Assumption::Elsewhere(cell))
        {
            path.end = End::Discarded;
        }
        if let Some(queued) = path.state.thread(t).queue[place].access_mut() {
            queued.cell = cell;
            queued.assumed.retain(|(assumption, _)| !matches!(assumption, Assumption::Elsewhere(_)));
        }
        Ok(true)
    }
}
