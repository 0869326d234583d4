//! What leaves the queue by itself, and what comes to light there (rules 4.6, 5.1 to 5.5).

use crate::local::passes;
use crate::state::{Assumption, Cell, Entry, Thread, Violation};
use crate::world::{End, Path, World, within};
use memory::Fence;

/// What becomes of an entry.
enum Fate {
    Stays,
    Leaves(i64),
    Passes(i64),
    Located(Cell),
    /// Its operands become values.
    Evaluated(Vec<i64>),
    Violates(Violation),
    Discards,
}

impl World<'_> {
    /// Retires from the queue, oldest first, until nothing more does.
    pub(crate) fn retire(&self, path: &mut Path, t: usize) {
        let mut place = 0;
        while place < path.state.threads[t].queue.len() {
            match self.fate(&path.state.threads[t], place) {
                Fate::Stays => {
                    place += 1;
                    continue;
                }
                Fate::Leaves(result) => path.state.thread(t).leave(place, result),
                Fate::Passes(value) => {
                    let entry = path.state.threads[t].queue[place].clone();
                    passes(path, t, &entry, value);
                    path.state.thread(t).leave(place, 0);
                }
                Fate::Located(cell) => {
                    if let Entry::Access(queued) = &mut path.state.thread(t).queue[place] {
                        queued.cell = cell;
                        queued.assumed.retain(|(assumption, _)| !matches!(assumption, Assumption::Elsewhere(_)));
                    }
                }
                Fate::Evaluated(values) => {
                    if let Entry::Access(queued) = &mut path.state.thread(t).queue[place] {
                        queued.operands = values.into_iter().map(crate::term::Term::Const).collect();
                    }
                }
                Fate::Violates(violation) => return path.fail(t, violation),
                Fate::Discards => path.end = End::Discarded,
            }
            if path.end != End::State || path.state.threads[t].failed.is_some() {
                return;
            }
            place = 0;
        }
    }

    fn fate(&self, thread: &Thread, place: usize) -> Fate {
        // A violation, an `assert` and a `cover` wait for guesses and for other assumptions.
        let is_certain = !thread.guesses_before(place) && !thread.assumes_beside(place);
        let certainly = |fate: Fate| if is_certain { fate } else { Fate::Stays };
        match &thread.queue[place] {
            Entry::Compute(term, limits) => {
                match self.eval(term, thread).and_then(|v| v.map(|v| within(v, *limits)).transpose()) {
                    Ok(None) => Fate::Stays,
                    Ok(Some(value)) => Fate::Leaves(value),
                    Err(fault) => certainly(Fate::Violates(fault.into())),
                }
            }
            Entry::Assert(_, term) | Entry::Cover(_, term) => match self.eval(term, thread) {
                Ok(None) => Fate::Stays,
                Ok(Some(value)) => certainly(Fate::Passes(value)),
                Err(fault) => certainly(Fate::Violates(fault.into())),
            },
            Entry::Guess(guess) => match self.eval(&guess.condition, thread) {
                Ok(None) => Fate::Stays,
                Ok(Some(value)) if (value != 0) == guess.value => Fate::Leaves(0),
                Ok(Some(_)) => Fate::Discards,
                Err(fault) => certainly(Fate::Violates(fault.into())),
            },
            Entry::Fence(fence) => {
                let older = thread.queue[..place].iter().filter_map(Entry::access);
                let is_needed = older.map(|older| older.operation()).any(|older| match fence {
                    Fence::Full | Fence::Release => true,
                    Fence::Acquire => older.reads,
                    Fence::StoreStore => older.writes,
                });
                if is_needed { Fate::Stays } else { Fate::Leaves(0) }
            }
            Entry::Access(queued) => {
                if let Cell::ToCome(address) = &queued.cell {
                    match self.locate(address, &[]) {
                        Ok(None) => {}
                        Ok(Some(cell)) => {
                            let is_wrong =
                                |(assumption, _): &(Assumption, bool)| *assumption == Assumption::Elsewhere(cell);
                            if queued.assumed.iter().any(is_wrong) {
                                return Fate::Discards;
                            }
                            return Fate::Located(Cell::Known(cell));
                        }
                        Err(crate::values::Fault::Reference) => return Fate::Located(Cell::None),
                        Err(fault) => return certainly(Fate::Violates(fault.into())),
                    }
                }
                if queued.cell == Cell::None && is_certain {
                    return Fate::Violates(Violation::ValidReference);
                }
                if queued.is_ready() {
                    return Fate::Stays;
                }
                let values: Result<Option<Vec<i64>>, _> =
                    queued.operands.iter().map(|o| self.eval(o, thread)).collect();
                match values {
                    Ok(None) => Fate::Stays,
                    Ok(Some(values)) => Fate::Evaluated(values),
                    Err(fault) => certainly(Fate::Violates(fault.into())),
                }
            }
        }
    }
}
