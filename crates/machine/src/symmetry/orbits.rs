//! Which permutations give the least cells, remembered by each worker: cells take few values, while threads change with every step.

use crate::symmetry::canonical::MAX_WORDS;
use crate::symmetry::symmetric::Symmetric;
use system::hash;

/// Values of cells that are remembered. A power of two.
const N_ROWS: usize = 1 << 10;
/// So many permutations a row tells apart, the identity included.
const MOST: usize = u64::BITS as usize;

/// What is remembered; a new row takes the place of an old one.
#[derive(Default)]
pub(crate) struct Orbits {
    /// Row by row, the cells and the least cells among their images.
    cells: Vec<u32>,
    /// A bit for each permutation that leads there, the lowest for the identity; 0 where nothing is remembered.
    best: Vec<u64>,
}

impl Orbits {
    /// The least cells among the images of `cells`, and the permutations that lead there.
    #[inline]
    fn of(&mut self, cells: &[u32], symmetric: &Symmetric<'_>) -> (&[u32], u64) {
        // Not before it is needed: most systems are small.
        if self.best.is_empty() {
            self.best.resize(N_ROWS, 0);
            self.cells.resize(N_ROWS * 2 * cells.len(), 0);
        }
        let row = hash(cells) as usize & (N_ROWS - 1);
        let (known, least) = self.cells[row * 2 * cells.len()..][..2 * cells.len()].split_at_mut(cells.len());
        if self.best[row] == 0 || known.iter().zip(cells).any(|(known, cell)| known != cell) {
            known.copy_from_slice(cells);
            self.best[row] = symmetric.least_cells(cells, least);
        }
        (least, self.best[row])
    }
}

impl Symmetric<'_> {
    /// Puts the least cells among all images of `cells` into `least`; gives the permutations that lead there.
    fn least_cells(&self, cells: &[u32], least: &mut [u32]) -> u64 {
        let mut best = 1;
        least.copy_from_slice(cells);
        for (index, moves) in self.permutations().iter().enumerate() {
            let mut image = [0; MAX_WORDS];
            let image = &mut image[..cells.len()];
            (0..cells.len()).for_each(|at| image[at] = moves.word(cells, at));
            match (*image).cmp(least) {
                std::cmp::Ordering::Less => {
                    least.copy_from_slice(image);
                    best = 2 << index;
                }
                std::cmp::Ordering::Equal => best |= 2 << index,
                std::cmp::Ordering::Greater => {}
            }
        }
        best
    }

    /// As `make_canonical`, with what a worker remembers.
    #[inline]
    pub(crate) fn make_canonical_with(&self, orbits: &mut Orbits, words: &mut [u32]) {
        let n_permutations = self.permutations().len();
        if n_permutations == 0 || n_permutations >= MOST {
            return self.make_canonical(words);
        }
        self.sort(words);
        let n_words = self.tables.layout.n_words;
        let (least, mut best) = orbits.of(&words[..n_words], self);
        if best == 1 {
            return;
        }
        let mut copy = [0; MAX_WORDS];
        let from = &mut copy[..words.len()];
        from.copy_from_slice(words);
        words[..n_words].copy_from_slice(least);
        // The identity leads there with the threads as they are.
        let mut has_some = best & 1 != 0;
        best &= !1;
        while best != 0 {
            let moves = &self.permutations()[best.trailing_zeros() as usize - 1];
            best &= best - 1;
            let mut image = [0; MAX_WORDS];
            let image = &mut image[..from.len()];
            self.put_threads(moves, from, image);
            if !has_some || image[n_words..] < words[n_words..] {
                words[n_words..].copy_from_slice(&image[n_words..]);
            }
            has_some = true;
        }
    }
}
