//! The stored states that follow a state, without those that were given not long ago.
//!
//! Four things make this fast. Of threads that are interchangeable and in the same state, only the first one's writes are taken:
//! those of the others lead to the same states up to names. Writes that do the same to cells are taken together. Choices of other
//! threads are found once for each such effect (`choices`). And states after one effect are looked up together (`given`).

use crate::late::choices::{KeptChoices, Other};
use crate::late::fresh::{Fresh, Order, order_of_choice, order_of_write};
use crate::late::given::{BLANK, EachChoice, FIRST, Given, MAX_STATES, N_OTHERS, Place};
use crate::late::progress::Alike;
use crate::late::system::Late;
use crate::late::writes::{Known, Threads};
use crate::symmetry::canonical::MAX_WORDS;
use crate::tabulated::scratch::Scratch;
use crate::tabulated::tables::OverTables;
use system::{Pace, Successors};

/// So few states are not looked up together.
const FEW: usize = 1;

/// What the states after writes are given to.
struct Gives<'a> {
    given: &'a mut Given,
    fresh: &'a mut Fresh,
    /// How many states there are, those that were given before included.
    n_states: u64,
    pace: Pace<'a>,
    /// Room for the bits of the states of a thread.
    bits: &'a mut [u64; MAX_STATES],
}

/// A thread that is in several states after an effect: the writer, or one that chooses.
#[derive(Clone, Copy)]
struct Differs<'a> {
    /// The first thread that is interchangeable with it.
    alike: usize,
    /// Where its number is.
    place: usize,
    numbers: &'a [u32],
    /// A number that only equal lists of states have.
    list: u32,
    by: By<'a>,
}

/// What a thread's states differ by.
#[derive(Clone, Copy)]
enum By<'a> {
    /// The thread's writes.
    Writes(usize, &'a [u32]),
    /// The choices of a thread: its position among those that choose.
    Choices(usize),
}

impl Differs<'_> {
    /// Where its state at `index` puts a state in the order.
    fn order(&self, index: usize) -> Order {
        match self.by {
            By::Writes(thread, writes) => order_of_write(thread, writes[index]),
            By::Choices(position) => order_of_choice(position, index),
        }
    }
}

impl Late<'_> {
    /// Appends the stored states that follow `from`, where each thread may come as far as `threads` says.
    pub(crate) fn new_writes(&self, from: &[u32], threads: &Threads, scratch: &mut Scratch, out: &mut Successors) {
        let Scratch { findings, recent, given, fresh, .. } = scratch;
        findings.choices.forget_much();
        fresh.clear();
        let mut n_states = [0; MAX_WORDS];
        let mut others = Vec::new();
        let pace = self.tables().options.budget.pace();
        let mut gives = Gives { given, fresh, n_states: 0, pace, bits: &mut [0; MAX_STATES] };
        let mut words = [0; MAX_WORDS];
        let words = &mut words[..from.len()];
        for (thread, progress) in threads.iter().enumerate() {
            if let Some(twin) = self.system.twin_before(from, thread) {
                n_states[thread] = n_states[twin];
                gives.n_states += n_states[twin];
                continue;
            }
            let n_before = gives.n_states;
            for alike in &progress.alike {
                if gives.pace.is_over() {
                    break;
                }
                let at = alike.first;
                words.copy_from_slice(from);
                self.apply(progress, (thread, at), words);
                if !self.others(threads, (thread, at), findings, words, &mut others) {
                    continue;
                }
                let kept = &findings.choices;
                if others.iter().all(|other| kept.of(other).is_plain) {
                    self.give_together(kept, (thread, alike), &others, 0, words, &mut gives);
                } else {
                    self.give_each((threads, kept), (thread, alike), &others, words, &mut gives);
                }
            }
            n_states[thread] = gives.n_states - n_before;
        }
        let n_states = gives.n_states;
        let n_before = out.len();
        fresh.give(from.len(), |words| self.system.make_canonical(words), recent, out);
        out.n_repeated += n_states - (out.len() - n_before) as u64;
    }

    /// Gives a state for each of the writes and each choice of `others`, of which more than their states may differ.
    fn give_each(
        &self,
        known: Known<'_>,
        (thread, alike): (usize, &Alike),
        others: &[Other],
        words: &mut [u32],
        gives: &mut Gives<'_>,
    ) {
        let needs_bus = known.0[thread].writes[alike.first].needs_bus;
        for (write, number) in alike.writes.iter().zip(&alike.numbers) {
            words[self.place(thread)] = *number;
            let mut order = order_of_write(thread, *write);
            self.with_others(known, others, needs_bus, words, &mut |words| {
                if !gives.pace.is_over() {
                    gives.n_states += 1;
                    gives.fresh.add(order, words);
                    order += 1;
                }
            });
        }
    }

    /// Gives a state for each of the writes and each choice of `others`, of which nothing but their states differs. These states begin at `order`.
    fn give_together(
        &self,
        kept: &KeptChoices,
        writer: (usize, &Alike),
        others: &[Other],
        order: Order,
        words: &mut [u32],
        gives: &mut Gives<'_>,
    ) {
        match others.split_last() {
            Some((last, rest)) if others.len() > N_OTHERS => {
                for (at, number) in kept.of(last).numbers.iter().enumerate() {
                    words[self.place(last.thread)] = *number;
                    self.give_together(kept, writer, rest, order + order_of_choice(rest.len(), at), words, gives);
                }
            }
            _ => self.give_group(kept, writer, others, order, words, gives),
        }
    }

    /// Gives the states of a group.
    fn give_group(
        &self,
        kept: &KeptChoices,
        (thread, alike): (usize, &Alike),
        others: &[Other],
        order: Order,
        words: &mut [u32],
        gives: &mut Gives<'_>,
    ) {
        let by = By::Writes(thread, &alike.writes);
        let writer = self.differs(thread, (&alike.numbers, alike.list), by);
        let mut differ = [writer; N_OTHERS + 1];
        for (at, other) in others.iter().enumerate() {
            let choices = kept.of(other);
            differ[at + 1] = self.differs(other.thread, (&choices.numbers, choices.list), By::Choices(at));
        }
        let differ = &mut differ[..=others.len()];
        let n_states: usize = differ.iter().map(|differs| differs.numbers.len()).product();
        gives.n_states += n_states as u64;
        if n_states <= FEW || others.is_empty() {
            return give_all(differ, order, words, gives);
        }
        let fits = |at: &usize| differ[*at].numbers.len() <= MAX_STATES;
        let first = (0..differ.len()).filter(fits).max_by_key(|at| differ[*at].numbers.len()).unwrap_or(0);
        differ.swap(0, first);
        // Of interchangeable threads it does not matter which is in which state.
        differ[1..].sort_unstable_by_key(|differs| (differs.alike, differs.list));
        let (first, rest) = (&differ[0], &differ[1..]);
        words[first.place] = FIRST;
        rest.iter().for_each(|differs| words[differs.place] = BLANK);
        let mut key = [0; MAX_WORDS];
        let key = &mut key[..words.len()];
        key.copy_from_slice(words);
        self.system.sort(key);
        let place = gives.given.place(key);
        let mut lists = [0; N_OTHERS + 1];
        lists.iter_mut().zip(&*differ).for_each(|(list, differs)| *list = differs.list);
        if !gives.given.has_whole(place, lists) {
            give_rows(place, (first, rest), order, words, gives);
        }
    }

    fn differs<'a>(&self, thread: usize, (numbers, list): (&'a [u32], u32), by: By<'a>) -> Differs<'a> {
        Differs { alike: self.alike[thread], place: self.place(thread), numbers, list, by }
    }

    /// Where the number of a thread is.
    fn place(&self, thread: usize) -> usize {
        self.tables().layout.n_words + thread
    }
}

/// Gives all states, whether they were given before or not.
fn give_all(differ: &[Differs<'_>], order: Order, words: &mut [u32], gives: &mut Gives<'_>) {
    let Some((last, rest)) = differ.split_last() else { return gives.fresh.add(order, words) };
    for (at, number) in last.numbers.iter().enumerate() {
        words[last.place] = *number;
        give_all(rest, order + last.order(at), words, gives);
    }
}

/// Gives the states of the group at `place` that were not given before, row by row.
fn give_rows(
    place: Place,
    (first, rest): (&Differs<'_>, &[Differs<'_>]),
    order: Order,
    words: &mut [u32],
    gives: &mut Gives<'_>,
) {
    let group = gives.given.bits(place, first.numbers, gives.bits);
    let all = gives.bits[..first.numbers.len()].iter().fold(0, |all, bit| all | bit);
    let states = std::array::from_fn(|i| rest.get(i).map_or(&[0][..], |differs| differs.numbers));
    let (mut each, mut n_before) = (EachChoice::new(states), 0);
    loop {
        let n_rows = gives.given.find_rows(group, &mut each);
        if n_rows == 0 {
            return;
        }
        for index in 0..n_rows {
            if gives.pace.is_over() {
                return;
            }
            let (new, others) = gives.given.give(index, group, all);
            if new != 0 {
                rest.iter().zip(others).for_each(|(differs, number)| words[differs.place] = number);
                give_row((first, new), order + order_of_row(rest, n_before + index), words, gives);
            }
        }
        n_before += n_rows;
    }
}

/// Where the choices at `index`, counted as `EachChoice` has them, put a state in the order.
fn order_of_row(differ: &[Differs<'_>], index: usize) -> Order {
    let mut left = index;
    let order = |differs: &Differs<'_>| {
        let n_states = differs.numbers.len();
        let order = differs.order(left % n_states);
        left /= n_states;
        order
    };
    differ.iter().map(order).sum()
}

/// Gives the states of a row whose bits are `new`.
fn give_row((first, mut new): (&Differs<'_>, u64), order: Order, words: &mut [u32], gives: &mut Gives<'_>) {
    for (at, number) in first.numbers.iter().enumerate() {
        if new & gives.bits[at] != 0 {
            new &= !gives.bits[at];
            words[first.place] = *number;
            gives.fresh.add(order + first.order(at), words);
        }
    }
}
