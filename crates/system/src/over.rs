//! A system over another one: a reduction, or a narrower question.

use crate::{Budget, PropertyIndex, Reached, Successors, TransitionSystem};

/// What a worker keeps for a system over another one: what it keeps for that one.
pub type InnerScratch<O> = <<O as Over>::Inner as TransitionSystem>::Scratch;

/// A system that holds another one, has the same states, and states only what it changes.
///
/// Whoever implements `Over` has a [`TransitionSystem`]. A method that is not given asks the inner system; only
/// `new_successors` and `sufficient_successors` ask for the system's own `successors`: what leaves steps out of the inner
/// system need not do so here. A system that changes `inspect` changes `inspect_all` too.
///
/// The methods have the names of `TransitionSystem`. Write `impl system::Over for ...` without importing it, and a call
/// elsewhere means that of `TransitionSystem`.
pub trait Over: Sync {
    /// The system that it holds.
    type Inner: TransitionSystem + ?Sized;
    /// The system that it holds.
    fn inner(&self) -> &Self::Inner;
    /// See [`TransitionSystem::scratch`].
    fn scratch(&self) -> InnerScratch<Self> {
        self.inner().scratch()
    }
    /// See [`TransitionSystem::initial`].
    fn initial(&self, out: &mut Successors) {
        self.inner().initial(out);
    }
    /// See [`TransitionSystem::successors`].
    fn successors(&self, from: &[u32], scratch: &mut InnerScratch<Self>, out: &mut Successors) {
        self.inner().successors(from, scratch, out);
    }
    /// See [`TransitionSystem::new_successors`].
    fn new_successors(&self, from: &[u32], scratch: &mut InnerScratch<Self>, out: &mut Successors) {
        self.successors(from, scratch, out);
    }
    /// See [`TransitionSystem::sufficient_successors`].
    fn sufficient_successors(&self, from: &[u32], scratch: &mut InnerScratch<Self>, out: &mut Successors) -> bool {
        self.successors(from, scratch, out);
        false
    }
    /// See [`TransitionSystem::inspect`].
    fn inspect(&self, state: &[u32], scratch: &mut InnerScratch<Self>, reached: &mut Reached) -> Option<PropertyIndex> {
        self.inner().inspect(state, scratch, reached)
    }
    /// See [`TransitionSystem::inspect_all`].
    fn inspect_all(
        &self,
        state: &[u32],
        scratch: &mut InnerScratch<Self>,
        reached: &mut Reached,
        violated: &mut Vec<PropertyIndex>,
    ) {
        self.inner().inspect_all(state, scratch, reached, violated);
    }
    /// See [`TransitionSystem::stuck`].
    fn stuck(&self, state: &[u32], scratch: &mut InnerScratch<Self>) -> Option<PropertyIndex> {
        self.inner().stuck(state, scratch)
    }
    /// See [`TransitionSystem::read_state`].
    fn read_state(&self, bytes: &mut &[u8]) -> Option<Vec<u32>> {
        self.inner().read_state(bytes)
    }
    /// See [`TransitionSystem::write_notes`].
    fn write_notes(&self, since: &[usize], out: &mut Vec<u8>) -> Vec<usize> {
        self.inner().write_notes(since, out)
    }
    /// See [`TransitionSystem::read_notes`].
    fn read_notes(&self, bytes: &mut &[u8]) -> Option<()> {
        self.inner().read_notes(bytes)
    }
    /// See [`TransitionSystem::reached`].
    fn reached(&self) -> Reached {
        self.inner().reached()
    }
    /// See [`TransitionSystem::own_bytes`].
    fn own_bytes(&self) -> u64 {
        self.inner().own_bytes()
    }
}

impl<O: Over + ?Sized> TransitionSystem for O {
    type Scratch = InnerScratch<O>;

    fn scratch(&self) -> InnerScratch<O> {
        Over::scratch(self)
    }

    fn state_len(&self) -> usize {
        self.inner().state_len()
    }

    fn initial(&self, out: &mut Successors) {
        Over::initial(self, out);
    }

    fn successors(&self, from: &[u32], scratch: &mut InnerScratch<O>, out: &mut Successors) {
        Over::successors(self, from, scratch, out);
    }

    fn new_successors(&self, from: &[u32], scratch: &mut InnerScratch<O>, out: &mut Successors) {
        Over::new_successors(self, from, scratch, out);
    }

    fn sufficient_successors(&self, from: &[u32], scratch: &mut InnerScratch<O>, out: &mut Successors) -> bool {
        Over::sufficient_successors(self, from, scratch, out)
    }

    fn inspect(&self, state: &[u32], scratch: &mut InnerScratch<O>, reached: &mut Reached) -> Option<PropertyIndex> {
        Over::inspect(self, state, scratch, reached)
    }

    fn inspect_all(
        &self,
        state: &[u32],
        scratch: &mut InnerScratch<O>,
        reached: &mut Reached,
        violated: &mut Vec<PropertyIndex>,
    ) {
        Over::inspect_all(self, state, scratch, reached, violated);
    }

    fn stuck(&self, state: &[u32], scratch: &mut InnerScratch<O>) -> Option<PropertyIndex> {
        Over::stuck(self, state, scratch)
    }

    fn write_state(&self, state: &[u32], out: &mut Vec<u8>) {
        self.inner().write_state(state, out);
    }

    fn read_state(&self, bytes: &mut &[u8]) -> Option<Vec<u32>> {
        Over::read_state(self, bytes)
    }

    fn write_notes(&self, since: &[usize], out: &mut Vec<u8>) -> Vec<usize> {
        Over::write_notes(self, since, out)
    }

    fn read_notes(&self, bytes: &mut &[u8]) -> Option<()> {
        Over::read_notes(self, bytes)
    }

    fn reached(&self) -> Reached {
        Over::reached(self)
    }

    fn own_bytes(&self) -> u64 {
        Over::own_bytes(self)
    }

    fn budget(&self) -> Option<&Budget> {
        self.inner().budget()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts to 9, and can do with its even steps.
    struct Counter;

    impl TransitionSystem for Counter {
        type Scratch = ();
        fn scratch(&self) {}
        fn state_len(&self) -> usize {
            1
        }
        fn initial(&self, out: &mut Successors) {
            out.push(&[0], 0);
        }
        fn successors(&self, from: &[u32], _: &mut (), out: &mut Successors) {
            (from[0] + 1..10).for_each(|to| {
                out.push(&[to], 0);
            });
        }
        fn sufficient_successors(&self, _: &[u32], _: &mut (), _: &mut Successors) -> bool {
            true
        }
        fn inspect(&self, state: &[u32], _: &mut (), _: &mut Reached) -> Option<PropertyIndex> {
            (state[0] == 9).then_some(7)
        }
        fn own_bytes(&self) -> u64 {
            11
        }
    }

    /// The same up to 3.
    struct UpToThree(Counter);

    impl Over for UpToThree {
        type Inner = Counter;
        fn inner(&self) -> &Counter {
            &self.0
        }
        fn successors(&self, from: &[u32], scratch: &mut (), out: &mut Successors) {
            self.0.successors(from, scratch, out);
            out.discard_if(|state| state[0] > 3);
        }
    }

    #[test]
    fn what_is_changed_is_changed_everywhere_and_the_rest_is_passed_on() {
        let system: &dyn TransitionSystem<Scratch = ()> = &UpToThree(Counter);
        let to = |steps: &dyn Fn(&mut Successors)| {
            let mut out = Successors::new(system.state_len());
            steps(&mut out);
            out.iter().map(|(state, _)| state[0]).collect::<Vec<_>>()
        };
        assert_eq!(to(&|out| system.initial(out)), [0]);
        assert_eq!(to(&|out| system.successors(&[1], &mut (), out)), [2, 3]);
        assert_eq!(to(&|out| system.new_successors(&[1], &mut (), out)), [2, 3]);
        assert_eq!(to(&|out| assert!(!system.sufficient_successors(&[1], &mut (), out))), [2, 3]);
        let mut violated = Vec::new();
        for _ in 0..2 {
            system.inspect_all(&[9], &mut (), &mut Reached::default(), &mut violated);
        }
        assert_eq!((violated, system.own_bytes()), (vec![7], 11));
    }
}
