//! A system in which states that differ only by names are one: of all images of a state, the one with the least words is stored.
//!
//! A permutation that carries every step to a step, and that no property notices, carries runs to runs; so nothing is lost if only
//! one state of each orbit is expanded. Each state is made canonical as soon as a step has led to it.

use crate::options::Options;
use crate::rules::code::Code;
use crate::rules::interpreter::PlainState;
use crate::symmetry::canonical::{MAX_WORDS, Moves};
use crate::symmetry::image::Image;
use crate::symmetry::{group, interchangeable};
use crate::tabulated::layout::Layout;
use crate::tabulated::scratch::Scratch;
use crate::tabulated::tables::{OverTables, Sharing, Tabulated};
use automata::{Automata, StateExpr};
use memory::MemoryModel;
use std::cell::RefCell;
use std::cmp::Ordering;
use system::{Successors, TransitionSystem};

/// What is verified of a system: which names do not matter.
struct Symmetries {
    /// Threads whose numbers are sorted in a canonical state.
    interchangeable: Vec<Vec<usize>>,
    /// Permutations whose images are compared for a canonical state.
    permutations: Vec<Moves>,
    /// How many there are, those that cannot be used included.
    n_permutations: usize,
}

/// A system in which one state stands for all its images.
pub struct Symmetric<'a> {
    pub(crate) tables: Tabulated<'a>,
    symmetries: Symmetries,
}

impl Symmetries {
    fn new(automata: &Automata, options: &Options, layout: &Layout, codes: &[Code]) -> Self {
        let reductions = &options.reductions;
        let interchangeable = if reductions.symmetry { interchangeable(automata, &[]) } else { Vec::new() };
        // A permutation knows no names for what dead registers hold, so images of one state would differ there.
        let is_allowed = reductions.symmetry && reductions.dead_registers && layout.n_words + codes.len() <= MAX_WORDS;
        let group = match is_allowed {
            true => group::permutations(automata, codes, &interchangeable, &options.budget),
            false => Vec::new(),
        };
        let n_permutations = group.len();
        let moves = group.into_iter().enumerate().filter_map(|(i, p)| Moves::new(automata, layout, i, p));
        Symmetries { interchangeable, permutations: moves.collect(), n_permutations }
    }

    /// Those that `atoms` do not notice either.
    fn unnoticed_by(self, automata: &Automata, options: &Options, atoms: &[StateExpr]) -> Self {
        let is_allowed = options.reductions.symmetry;
        let interchangeable = if is_allowed { interchangeable(automata, atoms) } else { Vec::new() };
        let is_unnoticed = group::unnoticed(automata, atoms, &options.budget);
        let permutations = self.permutations.into_iter().filter(|moves| is_unnoticed(&moves.permutation));
        Symmetries { interchangeable, permutations: permutations.collect(), ..self }
    }
}

impl<'a> Symmetric<'a> {
    /// Prepares `automata` under `memory`.
    pub fn new(automata: &'a Automata, memory: &'a MemoryModel, options: &'a Options) -> Self {
        Symmetric::build(automata, memory, options, |symmetries| symmetries)
    }

    /// As `new`, where only names are exchanged that `atoms` do not notice.
    pub(crate) fn unnoticed_by(
        automata: &'a Automata,
        memory: &'a MemoryModel,
        options: &'a Options,
        atoms: &[StateExpr],
    ) -> Self {
        Symmetric::build(automata, memory, options, |symmetries| symmetries.unnoticed_by(automata, options, atoms))
    }

    fn build(
        automata: &'a Automata,
        memory: &'a MemoryModel,
        options: &'a Options,
        choose: impl FnOnce(Symmetries) -> Symmetries,
    ) -> Self {
        let (layout, codes) = (Layout::new(automata), Code::of_threads(automata));
        // Histories name threads and cells, and no permutation knows how.
        let symmetries = match memory.histories {
            None => choose(Symmetries::new(automata, options, &layout, &codes)),
            Some(_) => Symmetries { interchangeable: Vec::new(), permutations: Vec::new(), n_permutations: 0 },
        };
        let system = (automata, memory, options);
        let tables = Tabulated::with_images(system, layout, codes, symmetries.n_permutations);
        Symmetric { tables, symmetries }
    }

    /// How many permutations, the identity included, the search identifies states by, besides those of threads with equal
    /// programs.
    pub fn n_permutations(&self) -> usize {
        self.symmetries.permutations.len() + 1
    }

    /// Whether every state stands for itself alone.
    pub(crate) fn keeps_names(&self) -> bool {
        self.symmetries.interchangeable.is_empty() && self.symmetries.permutations.is_empty()
    }

    /// The canonical words of a plain state.
    pub fn pack(&self, state: &PlainState) -> Vec<u32> {
        let mut words = self.tables.pack(state);
        self.make_canonical(&mut words);
        words
    }

    /// Appends the states that the steps of some threads lead to.
    pub(crate) fn steps_of(
        &self,
        from: &[u32],
        is_wanted: impl Fn(usize) -> bool,
        scratch: &mut Scratch,
        out: &mut Successors,
    ) {
        let Scratch { regions, orbits, .. } = scratch;
        let orbits = RefCell::new(orbits);
        let finish = |state: &mut [u32]| self.make_canonical_with(&mut orbits.borrow_mut(), state);
        self.tables.stepping(0, finish).steps_of(from, is_wanted, regions, out);
    }

    /// Permutations whose images are compared for a canonical state.
    pub(crate) fn permutations(&self) -> &[Moves] {
        &self.symmetries.permutations
    }
}

impl Symmetric<'_> {
    /// Puts the canonical form in place of a state.
    pub(crate) fn make_canonical(&self, words: &mut [u32]) {
        self.sort(words);
        if self.symmetries.permutations.is_empty() {
            return;
        }
        let mut least = [0; MAX_WORDS];
        let mut image = [0; MAX_WORDS];
        let (least, image) = (&mut least[..words.len()], &mut image[..words.len()]);
        least.copy_from_slice(words);
        for moves in &self.symmetries.permutations {
            if self.is_less(moves, words, least, image) {
                least.copy_from_slice(image);
            }
        }
        words.copy_from_slice(least);
    }

    /// Whether the image of `words` is less than `least`; only then is it all put into `image`.
    fn is_less(&self, moves: &Moves, words: &[u32], least: &[u32], image: &mut [u32]) -> bool {
        let n_words = self.tables.layout.n_words;
        let mut order = Ordering::Equal;
        for at in 0..n_words {
            image[at] = moves.word(words, at);
            order = order.then(image[at].cmp(&least[at]));
            if order == Ordering::Greater {
                return false;
            }
        }
        self.put_threads(moves, words, image);
        order.then_with(|| image[n_words..].cmp(&least[n_words..])) == Ordering::Less
    }

    /// Puts the numbers of the images of all threads into `image`.
    pub(crate) fn put_threads(&self, moves: &Moves, words: &[u32], image: &mut [u32]) {
        let n_words = self.tables.layout.n_words;
        for (thread, origin) in moves.origins.iter().enumerate() {
            image[n_words + thread] = self.image(moves, *origin, words[n_words + origin]);
        }
        self.sort(image);
    }

    /// The number of the image of a state of `thread`.
    fn image(&self, moves: &Moves, thread: usize, number: u32) -> u32 {
        let info = self.tables.locals[self.tables.table[thread]].info(number);
        let Sharing { position, n_alike } = self.tables.sharing[thread];
        info.image(moves.index * n_alike + position, || {
            let codes: Vec<&Code> = self.tables.table.iter().map(|table| &*self.tables.locals[*table].code).collect();
            let local = Image::new(&moves.permutation, self.tables.automata, &codes, thread).of(&info.local);
            let table = self.tables.table[moves.permutation.threads[thread]];
            self.tables.locals[table].number(local)
        })
    }

    /// All thread states that a state of a thread may become by what names do not matter, each with its thread; itself included.
    pub(crate) fn orbit(&self, thread: usize, number: u32) -> Vec<(usize, u32)> {
        let mut all = vec![(thread, number)];
        let mut next = 0;
        while let Some((thread, number)) = all.get(next).copied() {
            next += 1;
            let group = self.symmetries.interchangeable.iter().find(|group| group.contains(&thread));
            let others = group.into_iter().flatten().map(|other| (*other, number));
            let image = |moves: &Moves| (moves.permutation.threads[thread], self.image(moves, thread, number));
            for found in others.chain(self.symmetries.permutations.iter().map(image)) {
                if !all.contains(&found) {
                    all.push(found);
                }
            }
        }
        all
    }

    /// A thread before this one that is interchangeable with it and in the same state.
    pub(crate) fn twin_before(&self, words: &[u32], thread: usize) -> Option<usize> {
        let numbers = &words[self.tables.layout.n_words..];
        let group = self.symmetries.interchangeable.iter().find(|group| group.contains(&thread))?;
        group.iter().copied().find(|other| *other < thread && numbers[*other] == numbers[thread])
    }

    /// The first of the threads that are interchangeable with this one.
    pub(crate) fn first_alike(&self, thread: usize) -> usize {
        let group = self.symmetries.interchangeable.iter().find(|group| group.contains(&thread));
        group.map_or(thread, |group| group[0])
    }

    /// Sorts the numbers of interchangeable threads.
    pub(crate) fn sort(&self, words: &mut [u32]) {
        for group in &self.symmetries.interchangeable {
            for i in 1..group.len() {
                let mut j = i;
                while j > 0
                    && words[self.tables.layout.n_words + group[j - 1]] > words[self.tables.layout.n_words + group[j]]
                {
                    words.swap(self.tables.layout.n_words + group[j - 1], self.tables.layout.n_words + group[j]);
                    j -= 1;
                }
            }
        }
    }
}

impl<'a> system::Over for Symmetric<'a> {
    type Inner = Tabulated<'a>;

    fn inner(&self) -> &Tabulated<'a> {
        &self.tables
    }

    fn initial(&self, out: &mut Successors) {
        self.tables.initial_states(|state| self.make_canonical(state), out);
    }

    fn successors(&self, from: &[u32], scratch: &mut Scratch, out: &mut Successors) {
        // Where a thread has violated a property the run ends.
        if !self.tables.has_failed(from) {
            self.steps_of(from, |_| true, scratch, out);
        }
    }

    fn read_state(&self, bytes: &mut &[u8]) -> Option<Vec<u32>> {
        // Which image is least depends on the numbers that thread states have here.
        let mut words = self.tables.read_state(bytes)?;
        self.make_canonical(&mut words);
        Some(words)
    }
}

impl OverTables for Symmetric<'_> {
    fn tables(&self) -> &Tabulated<'_> {
        &self.tables
    }
}
