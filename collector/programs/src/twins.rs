//! Two slots that name the same object, which changes and is replaced: as little as can go wrong when an object moves.
//!
//! Its steps are a few accesses long. Where threads take turns, a change of thread falls between any two of them soon.

use crate::random::Random;
use heap::{Ref, Shape};
use methods::{Method, Mutator, Program, Progress, Step};

const PAIR: Shape = Shape { n_slots: 2, n_data: 0 };
/// Its slot names the pair; its data are its number and how often it was changed.
const TWIN: Shape = Shape { n_slots: 1, n_data: 2 };
/// Steps that allocate much would only wait for memory.
const GARBAGE: Shape = Shape { n_slots: 0, n_data: 20 };

/// Register: the pair.
#[derive(Clone, Debug)]
pub(crate) struct Twins {
    random: Random,
    number: u64,
    n_changes: u64,
}

impl Twins {
    pub(crate) fn new(seed: u64) -> Twins {
        Twins { random: Random::new(seed), number: 0, n_changes: 0 }
    }

    fn replace<M: Method>(&mut self, mutator: &mut Mutator<'_, M>) -> Step<(), M> {
        let twin = mutator.alloc(TWIN)?;
        let pair = mutator.register(0);
        (self.number, self.n_changes) = (self.number + 1, 0);
        mutator.set_data(twin, 1, 0, self.number)?;
        mutator.store(twin, 0, pair)?;
        mutator.store(pair, 0, twin)?;
        mutator.store(pair, 1, twin)
    }

    fn change<M: Method>(&mut self, mutator: &mut Mutator<'_, M>) -> Step<(), M> {
        self.n_changes += 1;
        let twin = mutator.load(mutator.register(0), 1)?;
        mutator.set_data(twin, 1, 1, self.n_changes)
    }

    fn is_right<M: Method>(&self, mutator: &mut Mutator<'_, M>) -> Step<bool, M> {
        let pair = mutator.register(0);
        let one = mutator.load(pair, 0)?;
        let other = mutator.load(pair, 1)?;
        let back = mutator.load(one, 0)?;
        Ok(mutator.is_same(one, other)?
            && mutator.is_same(back, pair)?
            && mutator.data(one, 1, 0)? == self.number
            && mutator.data(other, 1, 1)? == self.n_changes)
    }
}

impl Program for Twins {
    fn step<M: Method>(&mut self, mutator: &mut Mutator<'_, M>) -> Step<Progress, M> {
        if mutator.register(0) == Ref::NULL {
            let pair = mutator.alloc(PAIR)?;
            mutator.set_register(0, pair);
            self.replace(mutator)?;
        }
        if !self.is_right(mutator)? {
            return Ok(Progress::Wrong("the twins are not the same object"));
        }
        match self.random.below(4) {
            0 => self.replace(mutator)?,
            1 => drop(mutator.alloc(GARBAGE)?),
            _ => self.change(mutator)?,
        }
        Ok(Progress::More)
    }

    fn check<M: Method>(&mut self, mutator: &mut Mutator<'_, M>) -> Step<Progress, M> {
        let is_right = self.number == 0 || self.is_right(mutator)?;
        Ok(if is_right { Progress::Done } else { Progress::Wrong("the twins are not the same object at the end") })
    }
}
