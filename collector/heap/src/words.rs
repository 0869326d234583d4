//! The memory: words that any thread may read and write at any time.
//!
//! Every word is atomic, so no access is a data race; loads acquire and stores release, which costs nothing on x86.

use crate::object::MAX_OBJECT_WORDS;
use std::sync::atomic::{AtomicU64, Ordering};

const PAGE_WORDS: usize = 512;

/// A page begins at a multiple of its size, so that lines and pages are where [`Addr`] says they are.
#[repr(align(4096))]
#[allow(dead_code, reason = "read through a pointer to its first word")]
struct Page([AtomicU64; PAGE_WORDS]);

/// The place of a word: its index. Place 0 belongs to nothing, so that 0 can be null.
///
/// It cannot be made up:
/// ```compile_fail,E0423
/// let words = heap::Words::new(4096);
/// words.load(heap::Addr(1 << 40));
/// ```
/// It may be read from a word, and that may hold anything. So every access looks whether its place is in the memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Addr(pub(crate) u64);

/// A memory of a fixed number of words, all 0 and all touched.
///
/// Invariant: beyond the words that may be addressed there is room for one whole object, so that a field of an object
/// that begins inside lies in the memory.
pub struct Words {
    pages: Box<[Page]>,
    n_words: u64,
    /// Those, and the room for one object.
    n_places: u64,
}

impl Addr {
    /// The place that a word names.
    #[inline(always)]
    pub const fn of_word(word: u64) -> Addr {
        Addr(word)
    }

    /// The word that names it.
    #[inline(always)]
    pub const fn word(self) -> u64 {
        self.0
    }

    /// The place `n` words further.
    #[inline(always)]
    pub fn plus(self, n: u64) -> Addr {
        Addr(self.0.wrapping_add(n))
    }
}

/// The words and how many they are. In a loop over the heap the compiler keeps both in registers, which it cannot with what a
/// pointer to [`Words`] leads to: that is two loads less for each access.
#[derive(Clone, Copy)]
pub struct View<'h>(&'h [AtomicU64]);

impl Words {
    /// A memory of at least `n_words`.
    pub fn new(n_words: usize) -> Words {
        let n_pages = (n_words + MAX_OBJECT_WORDS).div_ceil(PAGE_WORDS);
        let page = || Page([const { AtomicU64::new(0) }; PAGE_WORDS]);
        let n_places = (n_words + MAX_OBJECT_WORDS) as u64;
        Words { pages: (0..n_pages).map(|_| page()).collect(), n_words: n_words as u64, n_places }
    }

    /// How many words may be addressed.
    pub fn len(&self) -> u64 {
        self.n_words
    }

    /// Whether there is no word.
    pub fn is_empty(&self) -> bool {
        self.n_words == 0
    }

    /// All words that may be addressed, at hand.
    #[inline(always)]
    #[allow(unsafe_code, reason = "pages seen as words")]
    pub fn view(&self) -> View<'_> {
        // SAFETY: a page is an array of words without padding, pages lie side by side, and `new` makes enough for so many places.
        View(unsafe { std::slice::from_raw_parts(self.pages.as_ptr().cast::<AtomicU64>(), self.n_places as usize) })
    }

    /// The words of `[from, from + n)`, for touching and warming.
    ///
    /// # Panics
    /// If they are not all in the memory.
    pub fn area(&self, from: Addr, n: u64) -> &[AtomicU64] {
        &self.view().0[from.0 as usize..from.0.saturating_add(n) as usize]
    }

    /// Reads a word.
    #[inline(always)]
    pub fn load(&self, at: Addr) -> u64 {
        self.view().load(at)
    }

    /// Writes a word.
    #[inline(always)]
    pub fn store(&self, at: Addr, value: u64) {
        self.view().store(at, value);
    }

    /// Writes `new` if the word is `old`; says what it was otherwise. A full fence.
    #[inline(always)]
    pub fn compare_exchange(&self, at: Addr, old: u64, new: u64) -> Result<(), u64> {
        self.view().word(at).compare_exchange(old, new, Ordering::SeqCst, Ordering::SeqCst).map(|_| ())
    }
}

impl<'h> View<'h> {
    #[inline(always)]
    fn word(self, at: Addr) -> &'h AtomicU64 {
        self.0.get(at.0 as usize).unwrap_or_else(|| outside(at))
    }

    /// Reads a word.
    #[inline(always)]
    pub fn load(self, at: Addr) -> u64 {
        self.word(at).load(Ordering::Acquire)
    }

    /// Writes a word.
    #[inline(always)]
    pub fn store(self, at: Addr, value: u64) {
        self.word(at).store(value, Ordering::Release);
    }
}

#[cold]
#[inline(never)]
fn outside(at: Addr) -> ! {
    panic!("{at:?} is outside the memory")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn words_begin_at_zero_and_keep_what_is_stored() {
        let words = Words::new(1000);
        assert!((0..1000).all(|at| words.load(Addr(at)) == 0));
        words.store(Addr(999), 7);
        assert_eq!(words.compare_exchange(Addr(999), 8, 9), Err(7));
        assert_eq!(words.compare_exchange(Addr(999), 7, 9), Ok(()));
        assert_eq!(words.load(Addr(999)), 9);
    }

    #[test]
    fn a_page_is_a_page() {
        let words = Words::new(2000);
        assert_eq!(words.area(Addr(512), 1).as_ptr() as usize % 4096, 0);
    }

    #[test]
    fn no_address_leaves_the_memory() {
        let words = Words::new(100);
        let beyond = 100 + MAX_OBJECT_WORDS as u64;
        words.store(Addr(beyond - 1), 1);
        for word in [beyond, 100_000, 1 << 40, 1 << 61, u64::MAX] {
            let at = Addr::of_word(word);
            let accesses: [&dyn Fn(); 3] =
                [&|| _ = words.load(at), &|| words.store(at, 1), &|| _ = words.compare_exchange(at, 0, 1)];
            for access in accesses {
                assert!(catch_unwind(AssertUnwindSafe(access)).is_err(), "{at:?}");
            }
            assert!(catch_unwind(|| words.load(Addr(1).plus(word.wrapping_sub(1)))).is_err(), "{at:?}");
        }
    }

    #[test]
    fn no_area_leaves_the_memory() {
        let words = Words::new(100);
        for (from, n) in [(0, u64::MAX), (u64::MAX, 2), (99, 1 << 60), (1 << 60, 0)] {
            assert!(catch_unwind(AssertUnwindSafe(|| words.area(Addr(from), n).len())).is_err(), "{from}, {n}");
        }
    }
}
