//! A permutation as moves of bits, for the canonical form of packed states.
//!
//! A permutation moves bits: each word of an image is made of the bits that stay and of look-ups, one for each few neighbouring
//! cells of the state. Cells come first, so most images are greater after one word and are left at once.

use crate::symmetry::permutation::Permutation;
use crate::tabulated::layout::Layout;
use automata::Automata;

/// States of more words are left as they are.
pub(crate) const MAX_WORDS: usize = 64;
/// Neighbouring cells of so many bits in all are looked up at once.
const CHUNK_BITS: u32 = 9;
/// Above so many values of one cell there is no table for them.
const MAX_VALUES: usize = 1 << 16;

/// A permutation as moves of bits.
pub(crate) struct Moves {
    /// Which permutation: its position among all.
    pub(crate) index: usize,
    pub(crate) permutation: Permutation,
    /// For each word of the cells, how its image is made.
    words: Vec<Word>,
    /// For each thread, the one whose image takes its place.
    pub(crate) origins: Vec<usize>,
}

/// One word of an image.
struct Word {
    /// The bits that stay where they are.
    stays: u32,
    chunks: Vec<Chunk>,
}

/// A few bits of a word of the state, and what they become in one word of the image.
struct Chunk {
    word: usize,
    shift: u32,
    mask: u32,
    table: Box<[u32]>,
}

impl Moves {
    /// Prepares a permutation; none if a cell that it changes has too many values.
    pub(crate) fn new(automata: &Automata, layout: &Layout, index: usize, permutation: Permutation) -> Option<Self> {
        let mut words: Vec<Word> = (0..layout.n_words).map(|_| Word { stays: 0, chunks: Vec::new() }).collect();
        for word in 0..layout.n_words {
            let mut cells: Vec<_> = automata.cells.ids().filter(|cell| layout.slot(*cell).place().0 == word).collect();
            cells.sort_by_key(|cell| layout.slot(*cell).parts().1);
            let is_still = |cell: &automata::CellId| {
                permutation.cells[*cell] == *cell && permutation.fixes(automata.scalars.cell(*cell))
            };
            words[word].stays =
                cells.iter().filter(|c| is_still(c)).fold(0, |mask, c| mask | layout.slot(*c).place().1);
            cells.retain(|cell| !is_still(cell) && layout.slot(*cell).n_values() > 1);
            let mut rest = cells.as_slice();
            while let Some(first) = rest.first() {
                let low = layout.slot(*first).parts().1;
                let end = |cell: &automata::CellId| layout.slot(*cell).parts().1 + layout.slot(*cell).parts().2;
                let n = rest.iter().take_while(|cell| end(cell) - low <= CHUNK_BITS).count().max(1);
                let (chunk, after) = rest.split_at(n);
                rest = after;
                let bits = end(&chunk[n - 1]) - low;
                if 1usize << bits > MAX_VALUES {
                    return None;
                }
                add_chunks(automata, layout, &permutation, (word, low, bits), chunk, &mut words);
            }
        }
        let mut origins = vec![0; permutation.threads.len()];
        permutation.threads.iter().enumerate().for_each(|(thread, image)| origins[*image] = thread);
        Some(Moves { index, permutation, words, origins })
    }

    /// The image's word at `index`.
    pub(crate) fn word(&self, words: &[u32], index: usize) -> u32 {
        let word = &self.words[index];
        word.chunks.iter().fold(words[index] & word.stays, |image, chunk| {
            image | chunk.table[(words[chunk.word] >> chunk.shift & chunk.mask) as usize]
        })
    }
}

/// Adds what neighbouring cells become to the words of the image.
fn add_chunks(
    automata: &Automata,
    layout: &Layout,
    permutation: &Permutation,
    (word, shift, bits): (usize, u32, u32),
    cells: &[automata::CellId],
    words: &mut [Word],
) {
    let mask = ((1u64 << bits) - 1) as u32;
    let mut state = vec![0; layout.n_words];
    for (target, image) in words.iter_mut().enumerate() {
        let here: Vec<_> =
            cells.iter().filter(|cell| layout.slot(permutation.cells[**cell]).place().0 == target).collect();
        if here.is_empty() {
            continue;
        }
        let entry = |raw: u32| {
            state[word] = raw << shift;
            let moved = here.iter().map(|cell| {
                let value = automata.scalars.cell(**cell).map(layout.slot(**cell).get(&state), permutation);
                let slot = layout.slot(permutation.cells[**cell]);
                // A number that stands for no value of the domain never occurs.
                slot.raw_of(value) << slot.parts().1
            });
            moved.fold(0, |all, bits| all | bits)
        };
        let table = (0..=mask).map(entry).collect();
        image.chunks.push(Chunk { word, shift, mask, table });
    }
}
