//! A search for a way to one state by threads that are interrupted at few places only.

use crate::interrupted::InTurns;
use explore::SearchOptions;
use machine::{Interruptions, PlainState, Turns};
use system::{Limit, PropertyIndex, Reached, Successors, TransitionSystem};

/// In place of a property: the state that is sought.
const HERE: PropertyIndex = 0;

/// Threads that take turns, until a state is reached.
struct Until<'s, 't, 'a> {
    turns: &'s Turns<'t, 'a>,
    goal: Vec<u32>,
}

impl<'t, 'a> system::Over for Until<'_, 't, 'a> {
    type Inner = Turns<'t, 'a>;

    fn inner(&self) -> &Turns<'t, 'a> {
        self.turns
    }

    fn successors(
        &self,
        from: &[u32],
        scratch: &mut <Turns<'t, 'a> as TransitionSystem>::Scratch,
        out: &mut Successors,
    ) {
        self.turns.successors(from, scratch, out);
        // What a run violates on its way is no matter here.
        out.violated = None;
    }

    fn inspect(
        &self,
        state: &[u32],
        _: &mut <Turns<'t, 'a> as TransitionSystem>::Scratch,
        _: &mut Reached,
    ) -> Option<PropertyIndex> {
        (self.turns.plain(state) == self.goal).then_some(HERE)
    }

    fn inspect_all(
        &self,
        state: &[u32],
        scratch: &mut <Turns<'t, 'a> as TransitionSystem>::Scratch,
        reached: &mut Reached,
        violated: &mut Vec<PropertyIndex>,
    ) {
        let found = TransitionSystem::inspect(self, state, scratch, reached);
        violated.extend(found.filter(|property| !violated.contains(property)));
    }

    fn stuck(&self, _: &[u32], _: &mut <Turns<'t, 'a> as TransitionSystem>::Scratch) -> Option<PropertyIndex> {
        None
    }
}

impl InTurns<'_> {
    /// The states of a way to `goal` by threads that are interrupted only so, with the fewest interruptions or shortest; none if there is no way. And how many
    /// states the search took.
    pub fn way(
        &self,
        goal: &PlainState,
        how: Interruptions,
        options: &SearchOptions,
    ) -> (Result<Option<Vec<PlainState>>, Limit>, u64) {
        let tables = self.compiled.tables();
        let turns = Turns::new(tables, how);
        let until = Until { turns: &turns, goal: tables.pack(goal) };
        let (found, states) = self.search(&until, turns.interruptions(), options);
        let way = match found {
            system::Verdict::Holds => Ok(None),
            system::Verdict::Inconclusive(limit) => Err(limit),
            system::Verdict::Violated { path, .. } => {
                Ok(Some(path.iter().map(|state| tables.unpack(turns.plain(state))).collect()))
            }
        };
        (way, states)
    }
}
