//! The seam between what is checked and how it is searched.
//!
//! `TransitionSystem` is all that the explorer knows of a system; `Verdict` is all that the world
//! knows of a search. States are a few words; a step is its position among the successors.
//!
//! `docs/internals/seam.md` explains it on one page; the header of `explore` has a small system that is searched.

mod budget;
mod control;
mod hash;
mod over;
mod reached;
mod resident;
mod successors;
mod table;
mod travel;
mod verdict;

pub use budget::{Budget, Pace};
pub use control::{Control, Ticker, Watch};
pub use hash::hash;
pub use over::{InnerScratch, Over};
pub use reached::{Reached, SharedReached};
pub use resident::{Usage, usage};
pub use successors::Successors;
pub use table::{Found, Packing, StateTable};
pub use travel::Travelling;
pub use verdict::{Limit, Limits, Statistics, Verdict};

/// A property, by its position in the system's own table.
pub type PropertyIndex = u32;

/// A finite system given by its initial states and its steps.
///
/// `successors` is deterministic: equal states yield equal successors in equal order (given the
/// same history of calls from one worker, states also have equal words). Traces rely on it.
pub trait TransitionSystem: Sync {
    /// What one worker keeps from call to call: room that is used again, and what it remembers. `()` if nothing.
    type Scratch;
    /// What a worker begins with.
    fn scratch(&self) -> Self::Scratch;
    /// Words per state.
    fn state_len(&self) -> usize;
    /// Appends the initial states.
    fn initial(&self, out: &mut Successors);
    /// Appends the states that one step leads to.
    fn successors(&self, from: &[u32], scratch: &mut Self::Scratch, out: &mut Successors);
    /// As `successors`, for one who needs no state twice: states that were given with the same scratch before may be left out,
    /// and are counted in `n_repeated`.
    fn new_successors(&self, from: &[u32], scratch: &mut Self::Scratch, out: &mut Successors) {
        self.successors(from, scratch, out);
    }
    /// Appends successors that suffice in place of all, and says whether some were left out.
    ///
    /// What the system promises: see the page on reductions (`docs/internals/reductions.md`). Whoever asks must ask for all
    /// where a cycle of such states would close.
    fn sufficient_successors(&self, from: &[u32], scratch: &mut Self::Scratch, out: &mut Successors) -> bool {
        self.successors(from, scratch, out);
        false
    }
    /// The first property that `state` violates. Adds the cover properties it reaches to `reached`.
    fn inspect(&self, state: &[u32], scratch: &mut Self::Scratch, reached: &mut Reached) -> Option<PropertyIndex> {
        let _ = (state, scratch, reached);
        None
    }
    /// Adds every property that `state` violates to `violated`, unless it is there, and the cover properties it reaches to `reached`.
    fn inspect_all(
        &self,
        state: &[u32],
        scratch: &mut Self::Scratch,
        reached: &mut Reached,
        violated: &mut Vec<PropertyIndex>,
    ) {
        let found = self.inspect(state, scratch, reached);
        violated.extend(found.filter(|property| !violated.contains(property)));
    }
    /// The property that `state` violates by having no step, if it should have one.
    fn stuck(&self, state: &[u32], scratch: &mut Self::Scratch) -> Option<PropertyIndex> {
        let _ = (state, scratch);
        None
    }
    /// Appends `state` to `out` in a form that another process can read, if it has the same system: its words, unless the system
    /// numbers things on the way. Then it writes what the numbers stand for.
    fn write_state(&self, state: &[u32], out: &mut Vec<u8>) {
        state.iter().for_each(|word| out.extend_from_slice(&word.to_le_bytes()));
    }
    /// The state that `bytes` begin with; they are moved on past it. None if they begin with none.
    fn read_state(&self, bytes: &mut &[u8]) -> Option<Vec<u32>> {
        let words = (0..self.state_len()).map(|_| bytes.split_off(..4)?.try_into().ok().map(u32::from_le_bytes));
        words.collect()
    }
    /// Appends what states rely on besides their words, so that another process can continue with the same words: the numbers that were
    /// given out since the notes that ended at `since`, and what was learnt by steps. Gives where these notes end. No one takes steps
    /// meanwhile.
    fn write_notes(&self, since: &[usize], out: &mut Vec<u8>) -> Vec<usize> {
        let _ = (since, out);
        Vec::new()
    }
    /// Takes over what `write_notes` has written, in the same order, before any step is taken. None if these are no notes of this system.
    fn read_notes(&self, bytes: &mut &[u8]) -> Option<()> {
        let _ = bytes;
        Some(())
    }
    /// Cover properties and assertions reached by the steps taken so far.
    fn reached(&self) -> Reached {
        Reached::default()
    }
    /// Bytes that the system itself keeps, besides the states.
    fn own_bytes(&self) -> u64 {
        0
    }
    /// What the system's own computations keep to. Once it is hit, nothing that the system gives may be relied on.
    fn budget(&self) -> Option<&Budget> {
        None
    }
    /// The limit that cut a computation of the system.
    fn cut(&self) -> Option<Limit> {
        self.budget()?.hit()
    }
}
