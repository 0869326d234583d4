//! Originals that lie side by side and so do their replicas: copied, compared and forwarded as one stretch of words.
//!
//! A collector transaction reads nothing about single objects but what they hold: their shapes are in their headers, which
//! never change, and where they go follows from where their run goes. So the read set is the originals and the shadow, and no
//! table beside them.

use crate::access::Access;
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

/// The runs of a batch, in the order of their addresses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Runs {
    pub(super) list: Vec<Run>,
    /// From the first original to the end of the last. No other live object is there.
    pub(super) range: Range<u64>,
}

/// An object of a run.
#[derive(Clone, Copy)]
struct Member {
    /// Words before it.
    offset: u64,
    shape: Shape,
}

impl Runs {
    /// As few runs as possible for these moves.
    pub(super) fn new(world: &World, moves: &[(Ref, Ref)]) -> Runs {
        let mut list: Vec<Run> = Vec::new();
        for (original, replica) in moves {
            let n_words = world.heap.shape(*original).words();
            let next = Run { original: original.header(), replica: replica.header(), n_words, hash: 0 };
            match list.last_mut().filter(|run| run.takes(&next)) {
                Some(run) => run.n_words += n_words,
                None => list.push(next),
            }
        }
        let start = list.first().map_or(0, |run| run.original.word());
        let end = list.last().map_or(0, |run| run.originals().end);
        Runs { list, range: start..end }
    }

    /// Where an object of the batch goes; others stay where they are.
    #[inline(always)]
    pub(super) fn forward(&self, object: u64) -> u64 {
        if !self.range.contains(&object) {
            return object;
        }
        let n_before = self.list.partition_point(|run| run.original.word() <= object);
        match n_before.checked_sub(1).map(|idx| &self.list[idx]) {
            Some(run) if run.originals().contains(&object) => run.replica.word() + (object - run.original.word()),
            _ => object,
        }
    }

    /// Copies a run; `note` is called with each word of the originals.
    pub(super) fn copy<'h, A: Access<'h>>(
        &self,
        run: &Run,
        access: &mut A,
        mut note: impl FnMut(u64),
    ) -> Result<(), A::Abort> {
        let mut offset = 0;
        while offset < run.n_words {
            let member = run.member(access, offset)?;
            for field in 0..member.shape.words() {
                let value = access.load(run.original.plus(offset + field))?;
                note(value);
                let translated = self.translate(run, member, field, value);
                access.store(run.replica.plus(offset + field), translated)?;
            }
            offset += member.shape.words();
        }
        Ok(())
    }

    /// Writes one word of a replica anew, because the original's is `value` by now.
    #[cold]
    pub(super) fn repair<'h, A: Access<'h>>(
        &self,
        run: &Run,
        access: &mut A,
        at: u64,
        value: u64,
    ) -> Result<(), A::Abort> {
        let mut member = run.member(access, 0)?;
        while member.offset + member.shape.words() <= at {
            member = run.member(access, member.offset + member.shape.words())?;
        }
        access.store(run.replica.plus(at), self.translate(run, member, at - member.offset, value))
    }

    /// What the replica holds for a word of the original: itself as its replica, replicas for references into the batch.
    #[inline(always)]
    fn translate(&self, run: &Run, member: Member, field: u64, value: u64) -> u64 {
        match field {
            1 => run.replica.plus(member.offset).word(),
            _ if field >= BODY && field < BODY + u64::from(member.shape.n_slots) => self.forward(value),
            _ => value,
        }
    }
}

impl Run {
    fn takes(&self, next: &Run) -> bool {
        next.original == self.original.plus(self.n_words)
            && next.replica == self.replica.plus(self.n_words)
            && self.n_words + next.n_words <= MAX_WORDS
    }

    fn originals(&self) -> Range<u64> {
        self.original.word()..self.original.word() + self.n_words
    }

    #[inline(always)]
    fn member<'h, A: Access<'h>>(&self, access: &mut A, offset: u64) -> Result<Member, A::Abort> {
        let shape = Header(access.load(self.original.plus(offset))?).shape();
        Ok(Member { offset, shape })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;
    use heap::Size;

    /// Objects of 4 words at 0, 4, a gap, 12 and 16; replicas side by side but for the last.
    fn runs() -> (Runs, u64) {
        let world = World::new(Options { size: Size { n_regions: 4, region_shift: 9 }, ..Options::default() }, 1);
        let regions = &world.heap.regions;
        let [from, to] = [(), ()].map(|()| regions.start(regions.take(0, 0).expect("free")).word());
        let shape = Shape { n_slots: 1, n_data: 1 };
        let places = [(0, 0), (4, 4), (12, 8), (16, 40)];
        let moves = places.map(|(original, replica)| {
            (world.heap.create(Addr::of_word(from + original), shape, original), Ref(to + replica))
        });
        (Runs::new(&world, &moves), from)
    }

    #[test]
    fn neighbours_with_neighbouring_replicas_are_one_run() {
        let (runs, from) = runs();
        let places: Vec<_> = runs.list.iter().map(|run| (run.original.word() - from, run.n_words)).collect();
        assert_eq!(places, [(0, 8), (12, 4), (16, 4)]);
        assert_eq!(runs.range, from..from + 20);
    }

    #[test]
    fn objects_of_the_batch_are_forwarded_and_no_others() {
        let (runs, from) = runs();
        let to = runs.list[0].replica.word();
        let forwarded: Vec<u64> = [0, 4, 12, 16].map(|at| runs.forward(from + at) - to).into();
        assert_eq!(forwarded, [0, 4, 8, 40]);
        for other in [0, from - 4, from + 8, from + 20] {
            assert_eq!(runs.forward(other), other);
        }
    }
}
