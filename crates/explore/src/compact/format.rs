//! How a state becomes one short number, its token, and a token the state again.
//!
//! The words of a state are in *columns*. A word that stays small, such as the number of a thread state, is a column as it is. One that has
//! large values, such as packed cells, is numbered: it has few values. If all columns together have too many bits, two neighbours become one,
//! numbered together. Formats change while states are found; a token is of one format.
//!
//! The lower eight bits of the last word are not in a column: combined with a hash of all else they say the shard, and are had again from it.

use super::dictionary::{Dictionary, Near, Values};
use super::table::WIDTHS;
use std::ops::Range;
use std::sync::{Arc, RwLockReadGuard};
use system::Limit;

/// Bits that say the shard, the lowest of a token.
pub(crate) const SHARD_BITS: u32 = 8;
/// A word of more bits is numbered.
const WIDEST: u32 = 20;
/// One of more bits is numbered if it grows at once by more than the other number, as no number does that is counted up.
const SUSPECT: (u32, u32) = (7, 2);

/// What tokens mean.
pub(crate) struct Format {
    /// How many formats there were before.
    pub(crate) version: u32,
    columns: Vec<Column>,
    /// For each word a factor of the hash that says the shard.
    factors: Arc<[u64]>,
    /// Bits of a token besides those of the shard.
    pub(crate) width: u32,
}

#[derive(Clone)]
struct Column {
    words: Range<usize>,
    /// Numbers for the words, if they are numbered.
    numbers: Option<Arc<Dictionary>>,
    /// Bits that it has, and those that it has needed.
    width: u32,
    needed: u32,
}

/// Why a state has no token: the column that is too narrow and the bits it needs, or a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Misfit {
    Narrow { column: usize, needed: u32 },
    Limit(Limit),
}

impl From<Limit> for Misfit {
    fn from(limit: Limit) -> Self {
        Misfit::Limit(limit)
    }
}

/// What a worker remembers of the columns of a format.
pub(crate) struct NearColumns {
    columns: Vec<Option<Near>>,
    /// Room for the words of a column.
    words: Vec<u32>,
}

/// Turns tokens of one format into those of another.
pub(crate) struct Change<'a> {
    from: &'a Format,
    to: &'a Format,
    /// If only widths differ: for each column its bits in a token, and how far they move.
    moves: Option<Vec<(u64, u32)>>,
    near: NearColumns,
    state: Vec<u32>,
}

/// Turns many tokens into states.
pub(crate) struct Reader<'a> {
    format: &'a Format,
    values: Vec<Option<RwLockReadGuard<'a, Values>>>,
}

impl Format {
    /// For states of so many words, all of which are 0.
    pub(crate) fn new(state_len: usize) -> Self {
        let column = |word| Column { words: word..word + 1, numbers: None, width: 0, needed: 0 };
        let factor = |word: u64| ((word + 1).wrapping_mul(0xD6E8_FEB8_6659_FD93) ^ word << 50).rotate_left(17) | 1;
        let factors = (0..state_len as u64).map(factor).collect();
        Format { version: 0, columns: (0..state_len).map(column).collect(), factors, width: *WIDTHS.start() }
    }

    /// Words of a state.
    pub(crate) fn state_len(&self) -> usize {
        self.factors.len()
    }

    /// Nothing remembered yet.
    pub(crate) fn near(&self) -> NearColumns {
        let near = |column: &Column| column.numbers.as_ref().map(|_| Near::new(column.words.len()));
        NearColumns { columns: self.columns.iter().map(near).collect(), words: Vec::new() }
    }

    /// The bits that words give for the shard; the last word comes without its lower bits.
    #[inline]
    fn hash(&self, words: impl Iterator<Item = u32>) -> u64 {
        let product = |(factor, word): (&u64, u32)| factor.wrapping_mul(u64::from(word) + 1);
        let sum = self.factors.iter().zip(words).map(product).fold(0, u64::wrapping_add);
        (sum ^ sum >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - SHARD_BITS)
    }

    /// The token of a state.
    ///
    /// # Errors
    /// If it does not fit.
    #[inline]
    pub(crate) fn token(&self, state: &[u32], near: &mut NearColumns) -> Result<u64, Misfit> {
        let last = state.len().wrapping_sub(1);
        let word = |at: usize| if at == last { state[at] >> SHARD_BITS } else { state[at] };
        let (mut token, mut shift) = (0u64, SHARD_BITS);
        for (index, column) in self.columns.iter().enumerate() {
            let value = match &column.numbers {
                None => word(column.words.start),
                Some(numbers) => near.number(index, column.words.clone().map(word), numbers)?,
            };
            if u64::from(value) >> column.width != 0 {
                return Err(Misfit::Narrow { column: index, needed: 32 - value.leading_zeros() });
            }
            token |= u64::from(value) << shift;
            shift += column.width;
        }
        let low = state.last().map_or(0, |word| word & ((1 << SHARD_BITS) - 1));
        Ok(token | self.hash((0..state.len()).map(word)) ^ u64::from(low))
    }

    /// What turns tokens into those of another format, which came later.
    pub(crate) fn change_to<'a>(&'a self, to: &'a Format) -> Change<'a> {
        let is_same = |(own, other): (&Column, &Column)| match (&own.numbers, &other.numbers) {
            (None, None) => own.words == other.words,
            (Some(own), Some(other)) => Arc::ptr_eq(own, other),
            _ => false,
        };
        let columns = || self.columns.iter().zip(&to.columns);
        let (mut at, mut target) = (SHARD_BITS, SHARD_BITS);
        let mut moved = |(own, other): (&Column, &Column)| {
            let bits = ((1 << own.width) - 1) << at;
            let by = target - at;
            (at, target) = (at + own.width, target + other.width);
            (bits, by)
        };
        // Columns that become narrower have needed less.
        let only_widths = self.columns.len() == to.columns.len()
            && columns().all(is_same)
            && columns().all(|(own, other)| own.width <= other.width);
        let moves = only_widths.then(|| columns().map(&mut moved).collect());
        Change { from: self, to, moves, near: to.near(), state: vec![0; self.state_len()] }
    }

    /// What reads the states of tokens.
    pub(crate) fn reader(&self) -> Reader<'_> {
        let numbers = self.columns.iter().map(|column| column.numbers.as_ref());
        Reader { format: self, values: numbers.map(|numbers| numbers.map(|numbers| numbers.values())).collect() }
    }

    /// The format after this one, in which what did not fit fits.
    pub(crate) fn widened(&self, column: usize, needed: u32) -> Self {
        let mut columns = self.columns.clone();
        columns[column].widen(needed);
        while width(&columns) > *WIDTHS.end() {
            narrow(&mut columns);
        }
        let width = width(&columns).max(*WIDTHS.start());
        Format { version: self.version + 1, columns, factors: self.factors.clone(), width }
    }

    /// Bytes held by what numbers stand for.
    pub(crate) fn bytes(&self) -> u64 {
        self.columns.iter().filter_map(|column| column.numbers.as_ref()).map(|numbers| numbers.bytes()).sum()
    }
}

fn width(columns: &[Column]) -> u32 {
    columns.iter().map(|column| column.width).sum()
}

/// Makes columns need fewer bits: what they have and have not needed is taken away; then the widest word is numbered; then two neighbours
/// become one.
fn narrow(columns: &mut Vec<Column>) {
    if columns.iter().any(|column| column.width > column.needed) {
        columns.iter_mut().for_each(|column| column.width = column.needed);
    } else if let Some(widest) =
        columns.iter_mut().filter(|c| c.numbers.is_none() && c.needed > SUSPECT.0).max_by_key(|c| c.needed)
    {
        *widest = Column::numbered(widest.words.clone());
    } else {
        let sum = |at: &usize| columns[*at].needed + columns[at + 1].needed;
        let at = (0..columns.len() - 1).min_by_key(sum).unwrap_or(0);
        let words = columns[at].words.start..columns[at + 1].words.end;
        columns.splice(at..at + 2, [Column::numbered(words)]);
    }
}

impl Column {
    fn numbered(words: Range<usize>) -> Self {
        Column { numbers: Some(Arc::new(Dictionary::new(words.len()))), words, width: 0, needed: 0 }
    }

    /// Makes it so wide, with one bit more.
    fn widen(&mut self, needed: u32) {
        let (many, jump) = SUSPECT;
        if self.numbers.is_none() && (needed > WIDEST || needed > many && needed > self.width + jump) {
            *self = Column::numbered(self.words.clone());
        } else {
            (self.width, self.needed) = ((needed + 1).min(32), needed);
        }
    }
}

impl NearColumns {
    /// The number of the words of a column.
    #[inline]
    fn number(&mut self, column: usize, words: impl Iterator<Item = u32>, numbers: &Dictionary) -> Result<u32, Misfit> {
        self.words.clear();
        self.words.extend(words);
        let near = self.columns[column].as_mut().expect("what is numbered is remembered");
        Ok(near.number(&self.words, numbers)?)
    }
}

impl Change<'_> {
    /// The token of the same state.
    ///
    /// # Errors
    /// If the state does not fit.
    #[inline]
    pub(crate) fn token(&mut self, token: u64) -> Result<u64, Misfit> {
        if let Some(moves) = &self.moves {
            let shard = token & ((1 << SHARD_BITS) - 1);
            return Ok(moves.iter().fold(shard, |all, (bits, by)| all | (token & bits) << by));
        }
        // Values are not held while numbers are given.
        self.from.reader().read(token, &mut self.state);
        self.to.token(&self.state, &mut self.near)
    }
}

impl Reader<'_> {
    /// Puts the words of the state with this token into `state`.
    #[inline]
    pub(crate) fn read(&self, token: u64, state: &mut [u32]) {
        let mut rest = token >> SHARD_BITS;
        for (column, values) in self.format.columns.iter().zip(&self.values) {
            let value = (rest & ((1 << column.width) - 1)) as u32;
            rest >>= column.width;
            match values {
                None => state[column.words.start] = value,
                Some(values) => state[column.words.clone()].copy_from_slice(values.value(value)),
            }
        }
        let low = (token ^ self.format.hash(state.iter().copied())) & ((1 << SHARD_BITS) - 1);
        if let Some(last) = state.last_mut() {
            *last = *last << SHARD_BITS | low as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The token in a format that has become wide enough.
    fn token(format: &mut Format, near: &mut NearColumns, state: &[u32]) -> u64 {
        loop {
            match format.token(state, near) {
                Ok(token) => return token,
                Err(Misfit::Narrow { column, needed }) => *format = format.widened(column, needed),
                Err(Misfit::Limit(limit)) => panic!("{limit:?}"),
            }
            *near = format.near();
        }
    }

    /// States of few and of many words, small and large, with equal and with different words.
    #[test]
    fn a_token_has_its_state() {
        for (len, factor, modulus) in
            [(0, 1, 1), (1, 1, u32::MAX), (3, 77, 1 << 11), (5, 0x9E37_79B9, u32::MAX), (40, 0x51_7CC1, 1 << 30)]
        {
            let state =
                |i: u32| (0..len).map(|at| (i / (at % 3 + 1)).wrapping_mul(factor) % modulus).collect::<Vec<u32>>();
            let mut format = Format::new(len as usize);
            let mut near = format.near();
            // What is numbered anew has no numbers yet, so all states are asked until none changes the format.
            while {
                let version = format.version;
                for i in 0..3000 {
                    token(&mut format, &mut near, &state(i));
                }
                format.version > version
            } {}
            let mut read = vec![0; len as usize];
            for i in 0..3000 {
                let token = format.token(&state(i), &mut near).expect("it has fitted");
                assert!(token >> SHARD_BITS >> format.width == 0 && format.width <= *WIDTHS.end());
                format.reader().read(token, &mut read);
                assert_eq!(read, state(i), "{len} words");
            }
        }
    }
}
