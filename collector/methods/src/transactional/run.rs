//! Originals that lie side by side and so do their replicas: copied and compared as one stretch of words.
//!
//! A collector transaction reads nothing about single objects but what they hold: their shapes are in their headers, which
//! never change. So the read set is the originals and the shadow, and no table beside them.

use crate::access::Access;
use crate::stop_the_world::by_table;
use crate::world::World;
use heap::{Addr, BODY, Header, Ref, Shape};
use std::ops::Range;

/// Words of a run, at most, if its first object is not longer: what a wrong hash makes copied again.
const MAX_WORDS: u64 = 512;

/// A run of originals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Run {
    pub(super) original: Addr,
    pub(super) replica: Addr,
    pub(super) n_words: u64,
    /// Of the originals' words as they were copied.
    pub(super) hash: u64,
}

/// An object of a run.
#[derive(Clone, Copy)]
struct Member {
    /// Words before it.
    offset: u64,
    shape: Shape,
}

impl Run {
    /// The moves, as few runs as possible.
    pub(super) fn all(world: &World, moves: &[(Ref, Ref)]) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        for (original, replica) in moves {
            let (original, replica) = (original.header(), replica.header());
            let n_words = world.heap.shape(Ref(original.0)).words();
            match runs.last_mut().filter(|run| run.takes(original, replica, n_words)) {
                Some(run) => run.n_words += n_words,
                None => runs.push(Run { original, replica, n_words, hash: 0 }),
            }
        }
        runs
    }

    fn takes(&self, original: Addr, replica: Addr, n_words: u64) -> bool {
        let is_next = original == self.original.plus(self.n_words) && replica == self.replica.plus(self.n_words);
        is_next && self.n_words + n_words <= MAX_WORDS
    }

    /// Where its originals are.
    pub(super) fn originals(&self) -> Range<u64> {
        self.original.0..self.original.0 + self.n_words
    }

    /// Copies every object; `note` is told each word of the originals.
    pub(super) fn copy<'h, A: Access<'h>>(
        &self,
        access: &mut A,
        world: &World,
        moving: &Range<u64>,
        mut note: impl FnMut(u64),
    ) -> Result<(), A::Abort> {
        let mut offset = 0;
        while offset < self.n_words {
            let member = self.member(access, offset)?;
            for field in 0..member.shape.words() {
                let value = access.load(self.original.plus(offset + field))?;
                note(value);
                let translated = self.translate(world, moving, member, field, value);
                access.store(self.replica.plus(offset + field), translated)?;
            }
            offset += member.shape.words();
        }
        Ok(())
    }

    /// Writes one word of a replica anew, because the original's is `value` by now.
    #[cold]
    pub(super) fn repair<'h, A: Access<'h>>(
        &self,
        access: &mut A,
        world: &World,
        moving: &Range<u64>,
        at: u64,
        value: u64,
    ) -> Result<(), A::Abort> {
        let mut member = self.member(access, 0)?;
        while member.offset + member.shape.words() <= at {
            member = self.member(access, member.offset + member.shape.words())?;
        }
        let translated = self.translate(world, moving, member, at - member.offset, value);
        access.store(self.replica.plus(at), translated)
    }

    #[inline(always)]
    fn member<'h, A: Access<'h>>(&self, access: &mut A, offset: u64) -> Result<Member, A::Abort> {
        let shape = Header(access.load(self.original.plus(offset))?).shape();
        Ok(Member { offset, shape })
    }

    /// What the replica holds for a word of the original: itself as its replica, replicas for references into the batch.
    #[inline(always)]
    fn translate(&self, world: &World, moving: &Range<u64>, member: Member, field: u64, value: u64) -> u64 {
        match field {
            1 => self.replica.plus(member.offset).0,
            _ if field >= BODY && field < BODY + u64::from(member.shape.n_slots) && moving.contains(&value) => {
                by_table(world, Ref(value)).0
            }
            _ => value,
        }
    }
}
