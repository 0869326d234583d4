//! What a worker has given not long ago, group by group.
//!
//! States after one write differ only by how far other threads have come before it. Such states are a *group*: one key is
//! compared for all of them. A *row* has the states of a group in which all threads but the first one that chooses have chosen alike; one
//! word says which of its states were given, up to 64. So a state that is given again costs less than a comparison of its words.

use system::hash;

/// Groups, rows and calls that are remembered; powers of two. A new one takes the place of an old one.
const N_GROUPS: usize = 1 << 14;
const N_ROWS: usize = 1 << 18;
const N_WHOLE: usize = 1 << 15;

/// States of the first thread that a row tells apart.
pub(crate) const MAX_STATES: usize = 64;

/// In place of the number of a thread that chooses. No thread state has it.
pub(crate) const BLANK: u32 = u32::MAX;

/// What was given.
#[derive(Default)]
pub(crate) struct Given {
    /// Group by group, the words of its states, blank where threads choose.
    keys: Vec<u32>,
    groups: Vec<Group>,
    n_groups: u32,
    rows: Vec<Row>,
    /// Groups with choices of threads, all states of which were given.
    whole: Vec<Whole>,
}

/// A group, and the numbers of the choices that were made.
type Whole = [u32; 4];

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
    others: (u32, u32),
    given: u64,
}

impl Given {
    /// The place of the group of states that have these words, except where they are blank.
    pub(crate) fn place(&mut self, words: &[u32]) -> usize {
        // Not before it is needed: most systems put nothing off.
        if self.keys.is_empty() {
            self.keys.resize(N_GROUPS * words.len(), 0);
            self.groups.resize(N_GROUPS, Group::default());
            self.rows.resize(N_ROWS, Row::default());
            self.whole.resize(N_WHOLE, Whole::default());
        }
        let at = hash(words) as usize & (N_GROUPS - 1);
        let key = &mut self.keys[at * words.len()..][..words.len()];
        if key != words {
            key.copy_from_slice(words);
            self.groups[at].renew(&mut self.n_groups);
        }
        at
    }

    /// Puts the bits of `numbers`, at most 64 states of the first thread that chooses, into `bits`. The number of the group.
    pub(crate) fn bits(&mut self, place: usize, numbers: &[u32], bits: &mut [u64; MAX_STATES]) -> u32 {
        let group = &mut self.groups[place];
        if !group.find(numbers, bits) {
            group.renew(&mut self.n_groups);
            group.find(numbers, bits);
        }
        group.number
    }

    /// Forgets what speaks of choices by number.
    pub(crate) fn forget(&mut self) {
        self.whole.fill(Whole::default());
    }

    /// Whether all states of the group at `place` with these choices were given. From now on they are.
    pub(crate) fn has_whole(&mut self, place: usize, [a, b, c]: [u32; 3]) -> bool {
        let whole = [self.groups[place].number, a, b, c];
        let known = &mut self.whole[hash(&whole) as usize & (N_WHOLE - 1)];
        std::mem::replace(known, whole) == whole
    }

    /// Those of `bits` that were not given in this group with these states of the other threads. From now on they are.
    pub(crate) fn give(&mut self, group: u32, others: (u32, u32), bits: u64) -> u64 {
        let row = &mut self.rows[hash(&[group, others.0, others.1]) as usize & (N_ROWS - 1)];
        if (row.group, row.others) != (group, others) {
            *row = Row { group, others, given: 0 };
        }
        let new = bits & !row.given;
        row.given |= bits;
        new
    }
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
