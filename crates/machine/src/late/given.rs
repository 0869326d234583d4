//! What a worker has given not long ago, group by group.
//!
//! States after writes with one effect differ only by the writer's state and by how far other threads have come before. Such states are a
//! *group*: one key is compared for all of them. One of the threads that differ, the one with the most states, is the *first*. A
//! *row* has the states of a group in which all but the first are in the same states; one
//! word says which of its states were given, up to 64. So a state that is given again costs less than a comparison of its words.

use system::hash;

/// Groups, rows and calls that are remembered; powers of two. A new one takes the place of an old one.
const N_GROUPS: usize = 1 << 14;
const N_ROWS: usize = 1 << 18;
const N_WHOLE: usize = 1 << 15;

/// Rows that are read without waiting in between, at most: there may be very many.
const ROWS_AT_ONCE: usize = 64;

/// States of the first thread that a row tells apart.
pub(crate) const MAX_STATES: usize = 64;

/// In place of the number of the first thread, and of another one that differs. No thread state has them.
pub(crate) const FIRST: u32 = u32::MAX;
pub(crate) const BLANK: u32 = u32::MAX - 1;

/// Threads of a group besides the first that may differ.
pub(crate) const N_OTHERS: usize = 3;

/// What was given.
#[derive(Default)]
pub(crate) struct Given {
    /// Group by group, the words of its states, blank where threads choose.
    keys: Vec<u32>,
    groups: Vec<Group>,
    n_groups: u32,
    rows: Vec<Row>,
    /// The rows that are looked at: where they are, and the states of the others.
    found: Vec<(u32, Others)>,
    /// Groups with choices of threads, all states of which were given.
    whole: Vec<Whole>,
}

/// A group, and the numbers of the writer's states and of the choices of others.
type Whole = [u32; N_OTHERS + 2];

/// The states of the threads of a row besides the first.
pub(crate) type Others = [u32; N_OTHERS];

/// Where a group is, and the hash of its words.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    at: usize,
    hash: u64,
}

/// A group: its number, which no other has, and the states of the first thread met so far.
#[derive(Clone, Default)]
pub(crate) struct Group {
    number: u32,
    states: Vec<u32>,
}

/// The group, the states of the other threads, and a bit for each state of the first thread that was given with them.
#[derive(Clone, Copy, Default)]
struct Row {
    group: u32,
    others: Others,
    given: u64,
}

impl Given {
    /// The place of the group of states that have these words, except where they are blank.
    pub(crate) fn place(&mut self, words: &[u32]) -> Place {
        // Not before it is needed: most systems put nothing off.
        if self.keys.is_empty() {
            self.keys.resize(N_GROUPS * words.len(), 0);
            self.groups.resize(N_GROUPS, Group::default());
            self.rows.resize(N_ROWS, Row::default());
            self.whole.resize(N_WHOLE, Whole::default());
        }
        let hash = hash(words);
        let at = hash as usize & (N_GROUPS - 1);
        let key = &mut self.keys[at * words.len()..][..words.len()];
        if !is_same(key, words) {
            key.copy_from_slice(words);
            self.groups[at].renew(&mut self.n_groups);
        }
        Place { at, hash }
    }

    /// Puts the bits of `numbers`, at most 64 states of the first thread that chooses, into `bits`. The number of the group.
    pub(crate) fn bits(&mut self, place: Place, numbers: &[u32], bits: &mut [u64; MAX_STATES]) -> u32 {
        let group = &mut self.groups[place.at];
        if !group.find(numbers, bits) {
            group.renew(&mut self.n_groups);
            group.find(numbers, bits);
        }
        group.number
    }

    /// Whether all states of the group at `place` with these choices were given. From now on they are.
    pub(crate) fn has_whole(&mut self, place: Place, [a, b, c, d]: [u32; N_OTHERS + 1]) -> bool {
        // By the hash, not by the number: so that the processor need not wait for the number.
        let row = hash(&[(place.hash >> 32) as u32, a, b, c, d]) as usize & (N_WHOLE - 1);
        let whole = [self.groups[place.at].number, a, b, c, d];
        let known = &mut self.whole[row];
        std::mem::replace(known, whole) == whole
    }

    /// Finds some of the rows of a group with these states of the others, and reads them without waiting in between. How many there are.
    pub(crate) fn find_rows(&mut self, group: u32, others: impl Iterator<Item = Others>) -> usize {
        self.found.clear();
        let mut read = 0;
        for [a, b, c] in others.take(ROWS_AT_ONCE) {
            let place = hash(&[group, a, b, c]) as usize & (N_ROWS - 1);
            read ^= self.rows[place].group;
            self.found.push((place as u32, [a, b, c]));
        }
        std::hint::black_box(read);
        self.found.len()
    }

    /// Those of `bits` that were not given in the row found at `index`, and the states of the others there. From now on they are given.
    pub(crate) fn give(&mut self, index: usize, group: u32, bits: u64) -> (u64, Others) {
        let (place, others) = self.found[index];
        let row = &mut self.rows[place as usize];
        if (row.group, row.others) != (group, others) {
            *row = Row { group, others, given: 0 };
        }
        let new = bits & !row.given;
        row.given |= bits;
        (new, others)
    }
}

/// All choices of the states of threads, those of the last one outermost.
pub(crate) struct EachChoice<'a> {
    states: [&'a [u32]; N_OTHERS],
    /// The present choice.
    at: [usize; N_OTHERS],
}

impl<'a> EachChoice<'a> {
    /// Of these states, of which every thread has some.
    pub(crate) fn new(states: [&'a [u32]; N_OTHERS]) -> Self {
        EachChoice { states, at: [0; N_OTHERS] }
    }
}

impl Iterator for EachChoice<'_> {
    type Item = Others;

    fn next(&mut self) -> Option<Others> {
        let EachChoice { states: [ones, twos, threes], at: [one, two, three] } = self;
        let others = [ones[*one], twos[*two], *threes.get(*three)?];
        *one += 1;
        if *one == ones.len() {
            *one = 0;
            *two += 1;
        }
        if *two == twos.len() {
            *two = 0;
            *three += 1;
        }
        Some(others)
    }
}

/// Whether two states are the same: they are short, and compared without a branch for each word.
pub(crate) fn is_same(one: &[u32], two: &[u32]) -> bool {
    one.iter().zip(two).fold(0, |differing, (a, b)| differing | (a ^ b)) == 0
}

impl Group {
    /// Begins another group in the place of this one.
    fn renew(&mut self, n_groups: &mut u32) {
        *n_groups += 1;
        self.number = *n_groups;
        self.states.clear();
    }

    /// Finds the bit of each state. False if there are too many of them.
    fn find(&mut self, numbers: &[u32], bits: &mut [u64; MAX_STATES]) -> bool {
        for (bit, number) in bits.iter_mut().zip(numbers) {
            let place = self.states.iter().position(|state| state == number).unwrap_or(self.states.len());
            if place == MAX_STATES {
                return false;
            }
            if place == self.states.len() {
                self.states.push(*number);
            }
            *bit = 1 << place;
        }
        true
    }
}
