//! Tables whose rows are printed when they are known, and files that are written meanwhile.

use crate::exit::Error;
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// So long after files were last written, they are written again when something more is known; and when nothing more comes for as long.
pub(crate) const OFTEN: Duration = Duration::from_millis(100);

/// The columns of a table: as wide as is expected, and wider from the first row on that needs it.
pub(crate) struct Rows {
    widths: Vec<usize>,
}

impl Rows {
    /// A table whose columns will have at least these widths.
    pub(crate) fn new(widths: impl IntoIterator<Item = usize>) -> Self {
        Rows { widths: widths.into_iter().collect() }
    }

    /// The line of one row.
    pub(crate) fn line(&mut self, cells: &[String]) -> String {
        self.widths.resize(self.widths.len().max(cells.len()), 0);
        for (width, cell) in self.widths.iter_mut().zip(cells) {
            *width = cell.chars().count().max(*width);
        }
        let pad = |(cell, width): (&String, &usize)| {
            format!("{cell}{}", " ".repeat(width.saturating_sub(cell.chars().count())))
        };
        let padded: Vec<String> = cells.iter().zip(&self.widths).map(pad).collect();
        format!("{}\n", padded.join("  ").trim_end())
    }
}

/// The length of the longest of some texts.
pub(crate) fn longest<'a>(texts: impl IntoIterator<Item = &'a str>) -> usize {
    texts.into_iter().map(|text| text.chars().count()).max().unwrap_or(0)
}

/// What `work` gives. If it takes its time, `write` is done beside it.
pub(crate) fn meanwhile<T>(
    write: Option<impl FnOnce() -> Result<(), Error> + Send>,
    work: impl FnOnce() -> T,
) -> Result<T, Error> {
    std::thread::scope(|scope| {
        let (ended, end) = mpsc::channel::<()>();
        let is_long = move || end.recv_timeout(OFTEN) == Err(mpsc::RecvTimeoutError::Timeout);
        let beside = write.map(|write| scope.spawn(move || if is_long() { write() } else { Ok(()) }));
        let done = work();
        drop(ended);
        beside.map_or(Ok(()), |beside| beside.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))?;
        Ok(done)
    })
}

/// When files were last written, and whether they have all that is known.
pub(crate) struct Written {
    at: Instant,
    is_current: bool,
}

impl Written {
    /// From now on.
    pub(crate) fn now() -> Self {
        Written { at: Instant::now(), is_current: true }
    }

    /// Something more is known: whether to write it now; if so, that counts as done.
    pub(crate) fn is_due(&mut self) -> bool {
        self.is_current = self.at.elapsed() > OFTEN;
        if self.is_current {
            self.at = Instant::now();
        }
        self.is_current
    }

    /// Nothing more comes for a while: whether something is left to write; if so, that counts as done.
    pub(crate) fn is_left(&mut self) -> bool {
        !std::mem::replace(&mut self.is_current, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn files_are_written_beside_work_that_takes_its_time_and_only_then() {
        for (is_long, expected) in [(true, true), (false, false)] {
            let written = AtomicBool::new(false);
            let write = || {
                written.store(true, Ordering::Relaxed);
                Ok(())
            };
            // Long work ends when it sees that the files are written.
            let work = || {
                while is_long && !written.load(Ordering::Relaxed) {
                    std::thread::yield_now()
                }
            };
            meanwhile(Some(write), work).expect("nothing fails");
            assert_eq!(written.load(Ordering::Relaxed), expected);
        }
        let failed = meanwhile(Some(|| Err(Error::input("full"))), || std::thread::sleep(2 * OFTEN));
        assert!(matches!(failed, Err(Error::Input { .. })), "{failed:?}");
    }

    #[test]
    fn columns_grow_with_their_cells() {
        let mut rows = Rows::new([3]);
        let line =
            |rows: &mut Rows, cells: &[&str]| rows.line(&cells.iter().map(|c| c.to_string()).collect::<Vec<_>>());
        assert_eq!(line(&mut rows, &["a", "b"]), "a    b\n");
        assert_eq!(line(&mut rows, &["abcd", "", "c"]), "abcd     c\n");
        assert_eq!(line(&mut rows, &["é", "b", ""]), "é     b\n");
        assert_eq!(longest(["a", "éé", ""]), 2);
    }
}
