//! The stored states that follow a state, without those that were given not long ago.
//!
//! Three things make this fast. Of threads that are interchangeable and in the same state, only the first one's writes are taken:
//! those of the others lead to the same states up to names. Choices of other threads are found once for each write
//! (`choices`). And states after one write are looked up together (`given`).

use crate::late::choices::{KeptChoices, Other};
use crate::late::given::{BLANK, Given, MAX_STATES};
use crate::late::recent::Recent;
use crate::late::system::Late;
use crate::late::writes::Threads;
use crate::symmetry::canonical::MAX_WORDS;
use crate::tabulated::scratch::Scratch;
use crate::tabulated::tables::OverTables;
use system::{Pace, Successors};

/// So many threads that choose are looked up together: one by its bit, two by their numbers.
const TOGETHER: usize = 3;

/// What the states after a write are given to.
struct Gives<'a> {
    recent: &'a mut Recent,
    given: &'a mut Given,
    out: &'a mut Successors,
    /// The thread that writes.
    writer: u8,
    pace: Pace<'a>,
    /// Room for a state, and for the bits of the states of a thread.
    canonical: &'a mut [u32; MAX_WORDS],
    bits: &'a mut [u64; MAX_STATES],
}

impl Late<'_> {
    /// Appends the stored states that follow `from`, where each thread may come as far as `threads` says.
    pub(crate) fn new_writes(&self, from: &[u32], threads: &Threads, scratch: &mut Scratch, out: &mut Successors) {
        let Scratch { findings, recent, given, .. } = scratch;
        if findings.choices.forgets() {
            given.forget();
        }
        let mut n_steps = [0; MAX_WORDS];
        let mut others = Vec::new();
        let pace = self.tables().options.budget.pace();
        let (canonical, bits) = (&mut [0; MAX_WORDS], &mut [0; MAX_STATES]);
        let mut gives = Gives { recent, given, out, writer: 0, pace, canonical, bits };
        for (thread, progress) in threads.iter().enumerate() {
            if let Some(twin) = self.system.twin_before(from, thread) {
                n_steps[thread] = n_steps[twin];
                gives.out.n_repeated += n_steps[twin];
                continue;
            }
            let n_before = gives.out.n_steps();
            gives.writer = thread as u8;
            self.each_write_of(from, (thread, progress), &mut |words, at| {
                self.others(threads, (thread, at), findings, words, &mut others);
                let kept = &findings.choices;
                if others.iter().all(|other| kept.of(other).is_plain) {
                    self.give_together(kept, &others, words, &mut gives);
                } else {
                    let needs_bus = progress.writes[at].needs_bus;
                    let known = (threads, kept);
                    self.with_others(known, &others, needs_bus, words, &mut |words| self.give(words, &mut gives));
                }
            });
            n_steps[thread] = gives.out.n_steps() - n_before;
        }
    }

    /// Gives a state, unless it was given not long ago.
    fn give(&self, words: &[u32], gives: &mut Gives<'_>) {
        if gives.pace.is_over() {
            return;
        }
        let canonical = &mut gives.canonical[..words.len()];
        canonical.copy_from_slice(words);
        self.system.make_canonical(canonical);
        if gives.recent.has(canonical) {
            gives.out.n_repeated += 1;
        } else {
            gives.out.push(canonical, gives.writer);
        }
    }

    /// Gives a state for each choice of `others`, of which nothing but their states differs. Leaves these states in `words`.
    fn give_together(&self, kept: &KeptChoices, others: &[Other], words: &mut [u32], gives: &mut Gives<'_>) {
        match others {
            [] => self.give(words, gives),
            [first, rest @ ..] if rest.len() < TOGETHER && kept.of(first).numbers.len() <= MAX_STATES => {
                self.give_group(kept, (first, rest), words, gives);
            }
            [rest @ .., last] => {
                for number in &kept.of(last).numbers {
                    words[self.place(last)] = *number;
                    self.give_together(kept, rest, words, gives);
                }
            }
        }
    }

    /// Gives the states of a group, in the order of the choices of the last, then of those before it.
    fn give_group(
        &self,
        kept: &KeptChoices,
        (first, rest): (&Other, &[Other]),
        words: &mut [u32],
        gives: &mut Gives<'_>,
    ) {
        rest.iter().chain([first]).for_each(|other| words[self.place(other)] = BLANK);
        let place = gives.given.place(words);
        let (numbers, choices) = (&kept.of(first).numbers, |i: usize| match rest.get(i) {
            None => (u32::MAX, &[0][..]),
            Some(other) => (other.choices as u32, &kept.of(other).numbers[..]),
        });
        let ((one, ones), (two, twos)) = (choices(0), choices(1));
        if gives.given.has_whole(place, [first.choices as u32, one, two]) {
            gives.out.n_repeated += (numbers.len() * ones.len() * twos.len()) as u64;
            return;
        }
        let group = gives.given.bits(place, numbers, gives.bits);
        let all = gives.bits[..numbers.len()].iter().fold(0, |all, bit| all | bit);
        for two in twos {
            for one in ones {
                if gives.pace.is_over() {
                    return;
                }
                let new = gives.given.give(group, (*one, *two), all);
                gives.out.n_repeated += numbers.len() as u64 - u64::from(new.count_ones());
                if new != 0 {
                    rest.iter().zip([one, two]).for_each(|(other, number)| words[self.place(other)] = *number);
                    self.give_row(numbers, new, (words, self.place(first)), gives);
                }
            }
        }
    }

    /// Gives the states of a row whose bits are `new`.
    fn give_row(&self, numbers: &[u32], new: u64, (words, place): (&mut [u32], usize), gives: &mut Gives<'_>) {
        for (at, number) in numbers.iter().enumerate() {
            if new & gives.bits[at] != 0 {
                words[place] = *number;
                self.give(words, gives);
            }
        }
    }

    /// Where the number of a thread is.
    fn place(&self, other: &Other) -> usize {
        self.tables().layout.n_words + other.thread
    }
}
