//! States on their way from one worker to another.
//!
//! A parcel of states has the numbers that its receiver does not know yet, each with what it stands for, and then states. Of a state it has its mark and
//! the words that differ from those of the state before: steps change little. A number is explained once for each receiver.

use system::Travelling;

/// In place of a number that was never explained: no state has it.
const UNKNOWN: u32 = u32::MAX;

/// Flags of the words that differ: so many are in the first word, beside the mark.
const FIRST_FLAGS: usize = 24;

/// Where a number is in a table: the top bit, which may be a flag, becomes the lowest.
fn place(number: u32) -> usize {
    number.rotate_left(1) as usize
}

/// How many words have the flags of a state besides the first.
fn more_flags(state_len: usize) -> usize {
    state_len.saturating_sub(FIRST_FLAGS).div_ceil(32)
}

/// What one worker has for another.
#[derive(Default)]
pub(crate) struct Outgoing {
    /// For each word its table; no tables if sender and receiver share their numbers.
    numbered: Vec<Option<usize>>,
    /// For each table, the numbers that the receiver knows.
    known: Vec<Vec<bool>>,
    last: Vec<u32>,
    numbers: Vec<u32>,
    states: Vec<u32>,
    bytes: Vec<u8>,
}

impl Outgoing {
    /// For states of this system; for a receiver who shares its numbers or does not.
    pub(crate) fn new<S: Travelling + ?Sized>(system: &S, shares_numbers: bool) -> Self {
        let numbered = if shares_numbers { vec![None; system.state_len()] } else { system.numbered() };
        let mut outgoing = Outgoing { last: vec![0; numbered.len()], numbered, ..Outgoing::default() };
        outgoing.begin();
        outgoing
    }

    /// A parcel begins: its first state has every number.
    fn begin(&mut self) {
        let nothing = |table: &Option<usize>| if table.is_some() { UNKNOWN } else { 0 };
        self.last.iter_mut().zip(&self.numbered).for_each(|(last, table)| *last = nothing(table));
    }

    /// How many words the parcel has so far.
    pub(crate) fn len(&self) -> usize {
        self.states.len() + self.numbers.len()
    }

    /// Adds a state with its mark.
    pub(crate) fn push<S: Travelling + ?Sized>(&mut self, system: &S, state: &[u32], mark: u8) {
        let head = self.states.len();
        self.states.resize(head + 1 + more_flags(state.len()), 0);
        self.states[head] = u32::from(mark);
        for (at, word) in state.iter().copied().enumerate() {
            if word == self.last[at] {
                continue;
            }
            match at.checked_sub(FIRST_FLAGS) {
                None => self.states[head] |= 1 << (8 + at),
                Some(rest) => self.states[head + 1 + rest / 32] |= 1 << (rest % 32),
            }
            self.states.push(word);
            self.last[at] = word;
            if let Some(table) = self.numbered[at] {
                self.explain(system, table, word);
            }
        }
    }

    /// Says what a number stands for, unless the receiver knows.
    fn explain<S: Travelling + ?Sized>(&mut self, system: &S, table: usize, number: u32) {
        if self.known.len() <= table {
            self.known.resize(table + 1, Vec::new());
        }
        let known = &mut self.known[table];
        if known.len() <= place(number) {
            known.resize((place(number) + 1).next_power_of_two(), false);
        }
        if std::mem::replace(&mut known[place(number)], true) {
            return;
        }
        self.bytes.clear();
        system.write_number(table, number, &mut self.bytes);
        self.numbers.extend([table as u32, number, self.bytes.len() as u32]);
        pack(&self.bytes, &mut self.numbers);
    }

    /// The parcel, behind `head`; none if it is empty.
    pub(crate) fn take(&mut self, head: u32) -> Option<Vec<u32>> {
        if self.states.is_empty() {
            return None;
        }
        let mut parcel = Vec::with_capacity(2 + self.len());
        parcel.extend([head, self.numbers.len() as u32]);
        parcel.append(&mut self.numbers);
        parcel.append(&mut self.states);
        self.begin();
        Some(parcel)
    }
}

/// What one worker knows of the numbers of another.
#[derive(Default)]
pub(crate) struct Incoming {
    numbered: Vec<Option<usize>>,
    /// For each table, its own numbers for those of the sender.
    known: Vec<Vec<u32>>,
    /// The words of the state read last, with the numbers that they have here, and the same made canonical.
    here: Vec<u32>,
    state: Vec<u32>,
}

impl Incoming {
    /// For states of this system, from a sender who shares the receiver's numbers or does not.
    pub(crate) fn new<S: Travelling + ?Sized>(system: &S, shares_numbers: bool) -> Self {
        let numbered = if shares_numbers { vec![None; system.state_len()] } else { system.numbered() };
        let here = vec![0; numbered.len()];
        Incoming { numbered, known: Vec::new(), state: here.clone(), here }
    }

    /// Calls `visit` with the states of a parcel, behind its head, and their marks. None if it is no parcel of this system.
    pub(crate) fn read<S: Travelling + ?Sized>(
        &mut self,
        system: &S,
        parcel: &[u32],
        mut visit: impl FnMut(&[u32], u8),
    ) -> Option<()> {
        let (n_numbers, rest) = parcel.split_first()?;
        let (mut numbers, mut states) = rest.split_at_checked(*n_numbers as usize)?;
        while !numbers.is_empty() {
            self.learn(system, &mut numbers)?;
        }
        let is_foreign = self.numbered.iter().any(Option::is_some);
        self.here.fill(0);
        while !states.is_empty() {
            let mark = self.read_state(&mut states)?;
            self.state.copy_from_slice(&self.here);
            if is_foreign {
                system.make_canonical(&mut self.state);
            }
            visit(&self.state, mark);
        }
        Some(())
    }

    /// Takes over what a number stands for.
    fn learn<S: Travelling + ?Sized>(&mut self, system: &S, numbers: &mut &[u32]) -> Option<()> {
        let [table, number, n_bytes] = *numbers.split_off(..3)? else { return None };
        let bytes = unpack(numbers.split_off(..(n_bytes as usize).div_ceil(4))?, n_bytes as usize);
        let table = self.numbered.contains(&Some(table as usize)).then_some(table as usize)?;
        let here = system.read_number(table, &bytes)?;
        if self.known.len() <= table {
            self.known.resize(table + 1, Vec::new());
        }
        let known = &mut self.known[table];
        if known.len() <= place(number) {
            known.resize((place(number) + 1).next_power_of_two(), UNKNOWN);
        }
        known[place(number)] = here;
        Some(())
    }

    /// The word here for a word that was sent.
    fn translate(&self, at: usize, word: u32) -> Option<u32> {
        match self.numbered[at] {
            None => Some(word),
            Some(table) => self.known.get(table)?.get(place(word)).copied().filter(|here| *here != UNKNOWN),
        }
    }

    /// Changes the words that differ from those of the state before; gives the mark.
    fn read_state(&mut self, states: &mut &[u32]) -> Option<u8> {
        let head = *states.split_off_first()?;
        let more = states.split_off(..more_flags(self.here.len()))?;
        for at in 0..self.here.len() {
            let flag = match at.checked_sub(FIRST_FLAGS) {
                None => head >> (8 + at),
                Some(rest) => more[rest / 32] >> (rest % 32),
            };
            if flag & 1 == 1 {
                self.here[at] = self.translate(at, *states.split_off_first()?)?;
            }
        }
        Some(head as u8)
    }
}

/// Appends bytes to words.
pub(crate) fn pack(bytes: &[u8], words: &mut Vec<u32>) {
    for part in bytes.chunks(4) {
        let mut word = [0; 4];
        word[..part.len()].copy_from_slice(part);
        words.push(u32::from_le_bytes(word));
    }
}

/// So many bytes from words.
pub(crate) fn unpack(words: &[u32], n_bytes: usize) -> Vec<u8> {
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes.truncate(n_bytes);
    bytes
}
