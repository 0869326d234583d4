//! A path to a violation that costs least, and of those one with the fewest steps.
//!
//! The last word of a state is what it has cost so far, which never falls along a step. States that differ in that alone are one: it is
//! expanded once, as it is reached at the least cost.

use std::collections::{BTreeMap, VecDeque};
use system::{
    Control, Limit, Limits, PropertyIndex, Reached, StateTable, Successors, TransitionSystem, Verdict, Watch, hash,
};

/// Expanded states between two looks at the limits.
const LOOK: usize = 64;

/// The best way to a state that is known.
#[derive(Clone, Copy)]
struct Way {
    /// What it costs, and its steps.
    length: (u32, u32),
    /// The state before; none for an initial state.
    from: Option<u32>,
    is_expanded: bool,
}

struct Search<'a, S: TransitionSystem + ?Sized> {
    system: &'a S,
    /// The states without their costs.
    states: StateTable,
    ways: Vec<Option<Way>>,
    /// What is to be expanded, by the length of the way to it.
    open: BTreeMap<(u32, u32), VecDeque<u32>>,
}

/// The first violation by cost, then by steps, and how many states that took.
pub fn cheapest<S: TransitionSystem + ?Sized>(system: &S, limits: &Limits, control: &Control<'_>) -> (Verdict, u64) {
    let states = StateTable::new(system.state_len() - 1);
    let mut search = Search { system, states, ways: Vec::new(), open: BTreeMap::new() };
    let watch = Watch::new(limits, control, system.budget());
    let verdict = search.run(&watch).unwrap_or_else(Verdict::Inconclusive);
    (verdict, search.states.len() as u64)
}

impl<S: TransitionSystem + ?Sized> Search<'_, S> {
    fn run(&mut self, watch: &Watch<'_>) -> Result<Verdict, Limit> {
        let mut scratch = self.system.scratch();
        let mut successors = Successors::new(self.system.state_len());
        self.system.initial(&mut successors);
        self.reach(&successors, None)?;
        let mut state = vec![0; self.system.state_len()];
        for n in 0.. {
            let Some(at) = self.next(&mut state) else { break };
            if n % LOOK == 0
                && let Some(limit) = watch.limit(self.states.len() as u64, self.bytes())
            {
                return Err(limit);
            }
            successors.clear();
            if let Some(property) = self.violated(&state, &mut scratch, &mut successors) {
                return Ok(Verdict::Violated { property, path: self.path(at) });
            }
            self.reach(&successors, Some(at))?;
        }
        Ok(Verdict::Holds)
    }

    fn bytes(&self) -> u64 {
        self.states.bytes() + self.system.own_bytes()
    }

    /// What a state violates, by itself or by having no step; its steps are in `successors` then.
    fn violated(&self, state: &[u32], scratch: &mut S::Scratch, successors: &mut Successors) -> Option<PropertyIndex> {
        let violated = self.system.inspect(state, scratch, &mut Reached::default());
        violated.or_else(|| {
            self.system.successors(state, scratch, successors);
            let is_end = successors.is_end();
            successors.violated.or_else(|| is_end.then(|| self.system.stuck(state, scratch)).flatten())
        })
    }

    /// Notes the ways to some states, from the one at `from`, as far as they are better than those that are known.
    fn reach(&mut self, successors: &Successors, from: Option<u32>) -> Result<(), Limit> {
        let before = from.and_then(|from| self.ways[from as usize]).map_or(0, |way| way.length.1 + 1);
        for (state, _) in successors.iter() {
            let Some((cost, plain)) = state.split_last() else { continue };
            let at = self.states.insert(plain, hash(plain), 0, self.system.budget())?.position;
            if self.ways.len() <= at {
                self.ways.resize(at + 1, None);
            }
            let length = (*cost, before);
            if self.ways[at].is_none_or(|known| length < known.length) {
                self.ways[at] = Some(Way { length, from, is_expanded: false });
                self.open.entry(length).or_default().push_back(at as u32);
            }
        }
        Ok(())
    }

    /// The state with the shortest way of those that are open, and where it is.
    fn next(&mut self, state: &mut [u32]) -> Option<u32> {
        loop {
            let mut first = self.open.first_entry()?;
            let length = *first.key();
            let Some(at) = first.get_mut().pop_front() else {
                first.remove();
                continue;
            };
            let way = self.ways[at as usize].as_mut().filter(|way| way.length == length && !way.is_expanded);
            if let (Some(way), Some((cost, plain))) = (way, state.split_last_mut()) {
                way.is_expanded = true;
                *cost = length.0;
                self.states.read(at as usize, plain);
                return Some(at);
            }
        }
    }

    /// The states on the way to one.
    fn path(&self, to: u32) -> Vec<Vec<u32>> {
        let mut path = Vec::new();
        let mut next = Some(to);
        while let Some(at) = next {
            let Some(way) = self.ways[at as usize] else { break };
            let mut state = vec![0; self.system.state_len()];
            if let Some((cost, plain)) = state.split_last_mut() {
                *cost = way.length.0;
                self.states.read(at as usize, plain);
            }
            path.push(state);
            next = way.from;
        }
        path.reverse();
        path
    }
}
