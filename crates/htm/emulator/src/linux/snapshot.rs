//! All private memory as it was when the transaction began.
//!
//! Copied while every other thread stands still, and compared when the transaction aborts. Pages that were not there are given back.
//! The handler's own stack is left out.

use super::gate;
use super::mappings::{Mappings, Range, WINDOW};
use super::shared::{Files, MAX_PAGES, PAGE};

type Page = [u8; PAGE];

/// The pages, in the order of their addresses.
#[repr(C, align(4096))]
pub(super) struct Snapshot {
    copies: [Page; MAX_PAGES],
    places: [usize; MAX_PAGES],
    n_pages: usize,
    left_out: Range,
    mappings: Mappings,
}

impl Snapshot {
    /// Copies everything but `left_out`.
    ///
    /// # Safety
    /// No other thread runs.
    pub(super) unsafe fn take(&mut self, files: Files, left_out: Range) {
        self.left_out = left_out;
        self.n_pages = 0;
        self.mappings.read(files.maps);
        self.each(files, |snapshot, place, is_there| {
            if is_there {
                snapshot.keep(place);
            }
        });
    }

    /// Puts everything back.
    ///
    /// # Safety
    /// No other thread runs, and none has run since the snapshot was taken.
    pub(super) unsafe fn restore(&mut self, files: Files) {
        let mut next = 0;
        self.each(files, |snapshot, place, is_there| {
            if next < snapshot.n_pages && snapshot.places[next] == place {
                snapshot.put_back(next);
                next += 1;
            } else if is_there {
                gate::forget_page(place);
            }
        });
        if next != self.n_pages {
            gate::die("memory was unmapped inside a transaction");
        }
    }

    /// Calls `visit` for each page, with whether it is there.
    fn each(&mut self, files: Files, mut visit: impl FnMut(&mut Snapshot, usize, bool)) {
        for idx in 0..self.mappings.len() {
            let (mut from, to) = self.mappings.get(idx);
            while from < to {
                let n_pages = ((to - from) / PAGE).min(WINDOW);
                self.mappings.ask(files.pagemap, from, n_pages);
                for page in 0..n_pages {
                    let place = from + page * PAGE;
                    let is_there = self.mappings.is_there(page);
                    if place + PAGE <= self.left_out.0 || place >= self.left_out.1 {
                        visit(self, place, is_there);
                    }
                }
                from += n_pages * PAGE;
            }
        }
    }

    fn keep(&mut self, place: usize) {
        if self.n_pages == MAX_PAGES {
            gate::die("there is too much memory");
        }
        // SAFETY: a page of a mapping that can be read, and nobody writes it.
        self.copies[self.n_pages].copy_from_slice(unsafe { &*(place as *const Page) });
        self.places[self.n_pages] = place;
        self.n_pages += 1;
    }

    /// Writes only what differs: what the transaction has written.
    fn put_back(&mut self, idx: usize) {
        // SAFETY: a page of a mapping that can be written, and nobody else accesses it; it is not the handler's stack.
        let live = unsafe { &mut *(self.places[idx] as *mut Page) };
        if *live != self.copies[idx] {
            *live = self.copies[idx];
        }
    }
}
