//! Which memory there is: private mappings that can be written, and which of their pages are there.

use super::gate;
use super::shared::PAGE;

const MAX_MAPPINGS: usize = 4096;
const MAX_TEXT: usize = 1 << 16;
/// Pages that are asked about at once.
pub(super) const WINDOW: usize = 1 << 12;

/// From here on, and where it ends.
pub(super) type Range = (usize, usize);

/// The mappings, and room to read about them.
#[repr(C)]
pub(super) struct Mappings {
    n_ranges: usize,
    ranges: [Range; MAX_MAPPINGS],
    text: [u8; MAX_TEXT],
    pages: [u8; 8 * WINDOW],
}

impl Mappings {
    /// Reads the list of mappings, which nobody can change meanwhile.
    pub(super) fn read(&mut self, file: i32) {
        self.n_ranges = 0;
        let (mut from, mut n_kept) = (0, 0);
        loop {
            let n_read = gate::read_at(file, &mut self.text[n_kept..], from);
            if n_read == 0 {
                return;
            }
            from += n_read;
            let end = n_kept + n_read;
            let n_whole = self.text[..end].iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
            for line in self.text[..n_whole].split(|byte| *byte == b'\n') {
                let Some(range) = writable(line) else { continue };
                if self.n_ranges == MAX_MAPPINGS {
                    gate::die("there are too many mappings");
                }
                self.ranges[self.n_ranges] = range;
                self.n_ranges += 1;
            }
            self.text.copy_within(n_whole..end, 0);
            n_kept = end - n_whole;
        }
    }

    pub(super) fn len(&self) -> usize {
        self.n_ranges
    }

    pub(super) fn get(&self, idx: usize) -> Range {
        self.ranges[idx]
    }

    /// Asks which pages of a window are there: then [`Mappings::is_there`] says so.
    pub(super) fn ask(&mut self, file: i32, from: usize, n_pages: usize) {
        let bytes = &mut self.pages[..8 * n_pages];
        if gate::read_at(file, bytes, from / PAGE * 8) != 8 * n_pages {
            gate::die("the list of pages cannot be read");
        }
    }

    /// Whether a page of the window is in memory, or written out.
    pub(super) fn is_there(&self, idx: usize) -> bool {
        // The entries' top bits: present, swapped.
        self.pages[8 * idx + 7] & 0xc0 != 0
    }
}

/// The range of a line of `/proc/self/maps`, if it is of private memory that can be written.
fn writable(line: &[u8]) -> Option<Range> {
    let number = |text: &[u8]| {
        text.iter().try_fold(0_usize, |number, digit| Some(number << 4 | (*digit as char).to_digit(16)? as usize))
    };
    let dash = line.iter().position(|byte| *byte == b'-')?;
    let space = line.iter().position(|byte| *byte == b' ')?;
    let is_wanted = line.get(space + 2) == Some(&b'w') && line.get(space + 4) == Some(&b'p');
    if !is_wanted {
        return None;
    }
    Some((number(line.get(..dash)?)?, number(line.get(dash + 1..space)?)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_private_memory_that_can_be_written_counts() {
        assert_eq!(writable(b"7f00-8f00 rw-p 00000000 00:00 0  [heap]"), Some((0x7f00, 0x8f00)));
        assert_eq!(writable(b"7f00-8f00 rw-s 00000000 00:00 0"), None);
        assert_eq!(writable(b"7f00-8f00 r-xp 00000000 00:00 0"), None);
        assert_eq!(writable(b""), None);
    }
}
