//! How far the other threads may have come before a write.
//!
//! Only a thread that reads what is written has a choice: it stays where it is, or it has come as far as such a read. What it
//! chooses from depends on its progress before the write and on what the write does, so it is found once for each such pair.

use crate::late::findings::Findings;
use crate::late::given::MAX_STATES;
use crate::late::progress::{Alike, Cells, Change, InvisibleProgress, Reached, Write};
use crate::late::system::Late;
use crate::late::writes::Threads;
use crate::rules::touch::{Touch, Watching};
use crate::symmetry::canonical::MAX_WORDS;
use crate::tabulated::locals::DISCARDED;
use crate::tabulated::tables::OverTables;
use automata::CellId;
use base::table::Id;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// For so many pairs of progress and effect, choices are kept at most.
const MAX_KEPT: usize = 1 << 18;

/// How far a thread may have come before a write: positions among its progress.
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Choices {
    /// Where it has read last what is written, with the bus and without.
    pub(crate) reads_it: Vec<usize>,
    /// Those without the bus that it does not come to after the write too.
    pub(crate) kept: Vec<usize>,
    /// Its states after the write: as it is, if it may stay, then those at `kept`.
    pub(crate) numbers: Vec<u32>,
    /// Whether the write leaves it where it is: else the path on which it stays is discarded.
    pub(crate) stays: bool,
    /// A number that only equal lists of states have.
    pub(crate) list: u32,
    /// Whether nothing but its state differs: no cell, nor who has the bus.
    pub(crate) is_plain: bool,
}

/// A thread that reads what another one writes, and the number of its choices.
#[derive(Clone, Copy)]
pub(crate) struct Other {
    pub(crate) thread: usize,
    pub(crate) choices: usize,
}

/// What a write does: the cells that may differ after it and what they hold then, and whether it needs the bus.
type Effect = (Cells, Box<[Change]>, bool);

/// The numbers of a progress and of an effect, and that of the progress after it if the thread's state is another then.
type Pair = (u64, u32, Option<u64>);

/// The choices that a worker keeps.
#[derive(Default)]
pub(crate) struct KeptChoices {
    /// The numbers of what writes do to cells.
    effects: FxHashMap<Effect, u32>,
    lists: Lists,
    /// By the number of the progress and that of the effect.
    numbers: FxHashMap<Pair, usize>,
    /// Equal ones have one number.
    equal: FxHashMap<Rc<Choices>, usize>,
    all: Vec<Rc<Choices>>,
}

/// The numbers of lists of thread states.
#[derive(Default)]
struct Lists {
    numbers: FxHashMap<Vec<u32>, u32>,
    next: u32,
}

impl Lists {
    /// The number of a list, which no other has. A list that was forgotten gets another.
    fn number(&mut self, list: &[u32]) -> u32 {
        if let Some(number) = self.numbers.get(list) {
            return *number;
        }
        self.next += 1;
        self.numbers.insert(list.to_vec(), self.next);
        self.next
    }
}

impl KeptChoices {
    /// Forgets all if there is much.
    pub(crate) fn forget_much(&mut self) {
        if self.numbers.len() > MAX_KEPT {
            self.numbers.clear();
            self.equal.clear();
            self.all.clear();
        }
        if self.lists.numbers.len() > MAX_KEPT {
            self.lists.numbers.clear();
        }
    }

    /// Gives the writes of `progress` the numbers of their effects.
    pub(crate) fn number_effects(&mut self, progress: &mut InvisibleProgress) {
        for write in &mut progress.writes {
            let changes = progress.changes[write.changes.clone()].into();
            let next = self.effects.len() as u32;
            write.effect = *self.effects.entry((write.cells, changes, write.needs_bus)).or_insert(next);
        }
        self.group_alike(progress);
    }

    /// Puts together the writes of `progress` that have the same effect.
    fn group_alike(&mut self, progress: &mut InvisibleProgress) {
        let InvisibleProgress { writes, alike, .. } = progress;
        let mut open: FxHashMap<u32, usize> = FxHashMap::default();
        for (at, write) in writes.iter().enumerate() {
            let place = *open.entry(write.effect).or_insert(alike.len());
            let is_full = alike.get(place).is_none_or(|alike: &Alike| alike.numbers.len() == MAX_STATES);
            if is_full {
                open.insert(write.effect, alike.len());
                alike.push(Alike { first: at, writes: Vec::new(), numbers: Vec::new(), list: 0 });
            }
            let Alike { writes, numbers, .. } = &mut alike[open[&write.effect]];
            writes.push(at as u32);
            numbers.push(write.number);
        }
        for alike in alike {
            alike.list = self.lists.number(&alike.numbers);
        }
    }

    /// Keeps the choices of a pair of progress and effect; their number.
    fn keep(&mut self, pair: Pair, choices: Choices) -> usize {
        let choices = Rc::new(choices);
        let number = *self.equal.entry(choices.clone()).or_insert(self.all.len());
        if number == self.all.len() {
            self.all.push(choices);
        }
        self.numbers.insert(pair, number);
        number
    }

    /// The choices of one that reads what is written.
    pub(crate) fn of(&self, other: &Other) -> &Choices {
        &self.all[other.choices]
    }
}

impl Late<'_> {
    /// Puts into `others` the threads that read what the `writer` writes at position `at`, after which the words are these. Whether each other
    /// thread can be somewhere.
    pub(crate) fn others(
        &self,
        threads: &Threads,
        (writer, at): (usize, usize),
        findings: &mut Findings,
        words: &[u32],
        others: &mut Vec<Other>,
    ) -> bool {
        others.clear();
        let n_words = self.tables().layout.n_words;
        let Write { cells, effect, .. } = threads[writer].writes[at];
        for (thread, progress) in threads.iter().enumerate() {
            let number = words[n_words + thread];
            if thread == writer {
                continue;
            }
            if progress.reads & cells == 0 {
                match number {
                    DISCARDED => return false,
                    _ => continue,
                }
            }
            let is_touched = number != progress.all[0].number && number != DISCARDED;
            let after = is_touched.then(|| self.progress(words, thread, findings).number);
            let pair = (progress.number, effect, after);
            let choices = findings.choices.numbers.get(&pair).copied().unwrap_or_else(|| {
                let choices = self.find_choices((thread, progress), (writer, threads, at), findings, words);
                findings.choices.keep(pair, choices)
            });
            others.push(Other { thread, choices });
        }
        true
    }

    fn find_choices(
        &self,
        (thread, progress): (usize, &InvisibleProgress),
        (writer, threads, at): (usize, &Threads, usize),
        findings: &mut Findings,
        words: &[u32],
    ) -> Choices {
        let write = &threads[writer].writes[at];
        let reads_it = |at: &usize| progress.all[*at].reads & write.cells != 0;
        let reads_it: Vec<usize> = (1..progress.all.len()).filter(reads_it).collect();
        let stays = words[self.tables().layout.n_words + thread];
        let stays = Some(stays).filter(|number| *number != DISCARDED);
        let after = stays.map(|_| self.progress(words, thread, findings));
        let touched = |at: usize| self.touched(thread, progress.all[at].number, write.cells);
        let is_kept = |at: &usize| {
            let again = || match &after {
                Some(after) => self.comes_again((progress, &progress.all[*at], touched(*at)), after, words),
                None => false,
            };
            touched(*at) != DISCARDED && !progress.has_bus(*at) && !again()
        };
        let kept: Vec<usize> = reads_it.iter().copied().filter(is_kept).collect();
        let numbers: Vec<u32> = stays.into_iter().chain(kept.iter().map(|at| touched(*at))).collect();
        let list = findings.choices.lists.number(&numbers);
        let may_hold = |at: &usize| !write.needs_bus && progress.has_bus(*at);
        let is_plain = kept.iter().all(|at| progress.all[*at].variant == 0) && !reads_it.iter().any(may_hold);
        Choices { reads_it, kept, numbers, stays: stays.is_some(), list, is_plain }
    }

    /// The state of a thread after another one has written `cells`; `DISCARDED` if there is none.
    pub(crate) fn touched(&self, thread: usize, number: u32, cells: Cells) -> u32 {
        let tables = self.tables();
        if tables.watching == Watching::Nothing {
            return number;
        }
        let (mut number, mut rest) = (number, cells);
        while rest != 0 && number != DISCARDED {
            let cell = CellId::new(rest.trailing_zeros() as usize);
            rest &= rest - 1;
            number = tables.locals[tables.table[thread]].after_touch(&tables.around(), number, (cell, Touch::Store));
        }
        number
    }

    /// Whether a thread that has this progress `after` a write comes to the state again that it has `reached` before, and whose number is
    /// this one after the write: then it need not be there before.
    fn comes_again(
        &self,
        (before, reached, number): (&InvisibleProgress, &Reached, u32),
        after: &InvisibleProgress,
        words: &[u32],
    ) -> bool {
        let is_same = |variant: usize| {
            let mut varied = [[0; MAX_WORDS]; 2];
            let [one, two] = &mut varied;
            let (one, two) = (&mut one[..words.len()], &mut two[..words.len()]);
            one.copy_from_slice(words);
            two.copy_from_slice(words);
            before.vary(reached.variant, one);
            after.vary(variant, two);
            one == two
        };
        after
            .all
            .iter()
            .any(|again| again.number == number && (again.variant + reached.variant == 0 || is_same(again.variant)))
    }
}
