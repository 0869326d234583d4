//! Systems all of whose runs end: one depth-first pass that asks for no fairness, and so may be of a quotient.
//!
//! A pair is a state of the system and a state of the monitor that has read the state's letter. While no cycle is met,
//! every run is a path to a state without steps, which repeats forever; the monitor tells whether that is accepted. At
//! the first cycle the pass gives up, unless the monitor tells all runs.
//!
//! What this pass says to hold does hold. A *suspicion* is for the search that knows fairness: `check`.

use crate::fair::{FairSystem, letter};
use crate::monitor::{LOST, LetterNumber, Monitor, SetNumber, WON};
use crate::property::{ENDED, Property};
use crate::states::{StateNumber, States};
use crate::watch::{LOOK_EVERY, Watch};
use system::{Control, Limit, Limits, Reached, StateTable, Statistics, Successors, hash};

/// What the pass has found and done.
#[derive(Clone, Debug, PartialEq)]
pub struct Ending {
    /// What it says of the formula.
    pub verdict: EndingVerdict,
    /// Whether a state violates a property of states, or has no step and should. Only if states are inspected.
    pub is_broken: bool,
    /// What was reached. Only if states are inspected.
    pub reached: Reached,
    /// What was done.
    pub statistics: Statistics,
}

/// What the pass says of the formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndingVerdict {
    /// Every run makes the formula true.
    Holds,
    /// Some path may be part of a run of which the formula is false.
    Suspicion,
    /// Some run may not end, or the monitor is too large: the pass has nothing to say.
    GivenUp,
    /// A limit stopped the pass.
    Inconclusive(Limit),
}

/// Goes through all pairs of `system` and the monitor of `property`. With `inspect`, it looks at every state and
/// continues after a suspicion; otherwise it stops there.
pub fn check_ending<S: FairSystem + ?Sized>(
    system: &S,
    property: &Property,
    inspect: bool,
    limits: &Limits,
    control: &Control<'_>,
) -> Ending {
    let mut pass = Pass::new(system, property, inspect, Watch::new(limits, control, system.budget()));
    let speaks_of_ends = property.formula().atoms().is_none_or(|atoms| atoms >> ENDED & 1 == 1);
    let verdict = if speaks_of_ends { EndingVerdict::GivenUp } else { pass.run() };
    let verdict = system.cut().map_or(verdict, EndingVerdict::Inconclusive);
    pass.measure();
    let mut reached = pass.reached;
    reached.add_all(&system.reached());
    Ending { verdict, is_broken: pass.is_broken, reached, statistics: pass.statistics }
}

type PairNumber = u32;
const NONE: PairNumber = u32::MAX;
/// More pairs or states than this are not numbered.
const MOST: usize = StateTable::CAPACITY - (1 << 20);

struct Pair {
    state: StateNumber,
    set: SetNumber,
    /// Another pair of the same state.
    next: PairNumber,
    is_on_path: bool,
}

struct Frame {
    pair: PairNumber,
    /// Where its successors begin among those that wait.
    start: usize,
    cursor: usize,
    /// Whether some successors were left out.
    is_reduced: bool,
}

struct Pass<'a, S: FairSystem + ?Sized> {
    system: &'a S,
    scratch: S::Scratch,
    monitor: Monitor<'a>,
    inspect: bool,
    watch: Watch<'a>,
    states: States,
    /// By state: its letter and the last of its pairs.
    letter: Vec<LetterNumber>,
    pair: Vec<PairNumber>,
    pairs: Vec<Pair>,
    path: Vec<Frame>,
    /// The successors of the pairs on the path.
    waiting: Vec<StateNumber>,
    successors: Successors,
    hashes: Vec<u64>,
    from: Vec<u32>,
    is_suspected: bool,
    is_broken: bool,
    reached: Reached,
    statistics: Statistics,
}

/// Why the pass ends before all is seen.
type Stop = EndingVerdict;

impl<'a, S: FairSystem + ?Sized> Pass<'a, S> {
    fn new(system: &'a S, property: &'a Property, inspect: bool, watch: Watch<'a>) -> Self {
        Pass {
            system,
            scratch: system.scratch(),
            monitor: Monitor::new(property.negation(), system.undecidable()),
            inspect,
            watch,
            states: States::new(system.state_len()),
            letter: Vec::new(),
            pair: Vec::new(),
            pairs: Vec::new(),
            path: Vec::new(),
            waiting: Vec::new(),
            successors: Successors::new(system.state_len()),
            hashes: Vec::new(),
            from: vec![0; system.state_len()],
            is_suspected: false,
            is_broken: false,
            reached: Reached::default(),
            statistics: Statistics::default(),
        }
    }

    fn run(&mut self) -> EndingVerdict {
        match self.go() {
            Err(stop) => stop,
            Ok(()) if self.is_suspected => EndingVerdict::Suspicion,
            Ok(()) => EndingVerdict::Holds,
        }
    }

    fn go(&mut self) -> Result<(), Stop> {
        let before = self.monitor.initial();
        let mut initial = Successors::new(self.system.state_len());
        self.system.initial(&mut initial);
        for (state, _) in initial.iter() {
            let state = self.number(state, hash(state));
            self.come_to(state, before)?;
            while let Some(frame) = self.path.last_mut() {
                let set = self.pairs[frame.pair as usize].set;
                match self.waiting.get(frame.cursor) {
                    None => self.leave(),
                    Some(&state) => {
                        frame.cursor += 1;
                        self.statistics.moves += 1;
                        self.come_to(state, set)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Makes a step to `state`; the monitor has read all before it.
    fn come_to(&mut self, state: StateNumber, before: SetNumber) -> Result<(), Stop> {
        // Nothing else that the pass might say counts.
        if self.is_broken {
            return Err(EndingVerdict::GivenUp);
        }
        let set = self.monitor.step(before, self.letter[state as usize]);
        if set == LOST && !self.inspect {
            return Ok(());
        }
        let mut pair = self.pair[state as usize];
        // Where no way to accept is left, states are inspected and nothing else: one pair is enough.
        while pair != NONE && set != LOST && self.pairs[pair as usize].set != set {
            pair = self.pairs[pair as usize].next;
        }
        if pair == NONE {
            return self.enter(state, set);
        }
        if self.pairs[pair as usize].is_on_path { self.close_cycle(set) } else { Ok(()) }
    }

    /// The last pair of the path has a successor on the path.
    fn close_cycle(&mut self, set: SetNumber) -> Result<(), Stop> {
        if set != LOST && !self.monitor.is_safety() {
            return Err(EndingVerdict::GivenUp);
        }
        // What was left out may be left out all along the cycle.
        let Some(frame) = self.path.last_mut().filter(|frame| frame.is_reduced) else { return Ok(()) };
        frame.is_reduced = false;
        let state = self.pairs[frame.pair as usize].state;
        self.expand(state, false);
        Ok(())
    }

    fn enter(&mut self, state: StateNumber, set: SetNumber) -> Result<(), Stop> {
        if !self.watch.has_room(self.pairs.len()) {
            return Err(EndingVerdict::Inconclusive(Limit::States));
        }
        if self.pairs.len().max(self.states.end()) >= MOST {
            return Err(EndingVerdict::Inconclusive(Limit::Memory));
        }
        if self.pairs.len().is_multiple_of(LOOK_EVERY) {
            self.look()?;
        }
        if set == WON {
            self.suspect()?;
        }
        let pair = self.pairs.len() as PairNumber;
        let start = self.waiting.len();
        self.pairs.push(Pair { state, set, next: self.pair[state as usize], is_on_path: true });
        self.pair[state as usize] = pair;
        let is_reduced = self.expand(state, true);
        self.path.push(Frame { pair, start, cursor: start, is_reduced });
        self.statistics.depth = self.statistics.depth.max(self.path.len() as u64);
        if self.successors.is_end() && self.monitor.accepts_repeated(set, self.letter[state as usize]) {
            self.suspect()?;
        }
        let changes = |label| !self.system.changes_nothing(label);
        let is_end = !self.successors.discarded && !self.successors.iter().any(|(_, label)| changes(label));
        self.is_broken |= is_end && self.inspect && self.system.stuck(&self.from, &mut self.scratch).is_some();
        Ok(())
    }

    fn suspect(&mut self) -> Result<(), Stop> {
        self.is_suspected = true;
        if self.inspect { Ok(()) } else { Err(EndingVerdict::Suspicion) }
    }

    /// Adds the successors of a state to those that wait: those that suffice, or all. Whether some are left out.
    fn expand(&mut self, state: StateNumber, suffice: bool) -> bool {
        let mut from = std::mem::take(&mut self.from);
        self.states.read(state, &mut from);
        let mut successors = std::mem::replace(&mut self.successors, Successors::new(0));
        successors.clear();
        let is_reduced = if suffice {
            self.system.sufficient_successors(&from, &mut self.scratch, &mut successors)
        } else {
            self.system.successors(&from, &mut self.scratch, &mut successors);
            false
        };
        let changes = |(_, label): &(&[u32], u8)| !self.system.changes_nothing(*label);
        self.statistics.transitions += successors.iter().filter(changes).count() as u64;
        let mut hashes = std::mem::take(&mut self.hashes);
        self.states.hashes(&successors, &mut hashes);
        for ((to, _), hash) in successors.iter().zip(&hashes) {
            let to = self.number(to, *hash);
            self.waiting.push(to);
        }
        (self.from, self.successors, self.hashes) = (from, successors, hashes);
        is_reduced
    }

    fn number(&mut self, state: &[u32], hash: u64) -> StateNumber {
        let (number, is_new) = self.states.number(state, hash);
        if is_new {
            // Some numbers are left out.
            let letter = self.monitor.letter_number(letter(self.system, state, false));
            self.letter.resize(number as usize + 1, letter);
            self.pair.resize(number as usize + 1, NONE);
            if self.inspect {
                self.is_broken |= self.system.inspect(state, &mut self.scratch, &mut self.reached).is_some();
            }
        }
        number
    }

    /// All successors of the last pair of the path have been come to.
    fn leave(&mut self) {
        let Some(frame) = self.path.pop() else { return };
        self.pairs[frame.pair as usize].is_on_path = false;
        self.waiting.truncate(frame.start);
    }

    fn look(&mut self) -> Result<(), Stop> {
        self.measure();
        if self.monitor.is_too_large() {
            return Err(EndingVerdict::GivenUp);
        }
        self.watch.look(&self.statistics).map_or(Ok(()), |limit| Err(EndingVerdict::Inconclusive(limit)))
    }

    fn measure(&mut self) {
        let own = self.pairs.capacity() * size_of::<Pair>()
            + (self.letter.capacity() + self.pair.capacity() + self.waiting.capacity()) * 4
            + self.path.capacity() * size_of::<Frame>();
        let bytes = own as u64 + self.states.bytes() + self.system.own_bytes();
        let statistics = &mut self.statistics;
        statistics.states = self.states.len() as u64;
        statistics.pairs = self.pairs.len() as u64;
        statistics.seconds = self.watch.seconds();
        statistics.peak_bytes = statistics.peak_bytes.max(bytes);
    }
}
