//! What packed states rely on, as bytes: which thread state and which state of the memory each number stands for, and what steps have shown.
//!
//! Numbers are written once, in their order. What steps have shown is little, and is written whole each time.

use crate::options::Bound;
use crate::rules::local::Local;
use crate::tabulated::bytes::Portable;
use crate::tabulated::locals::{FAILED, Locals};
use crate::tabulated::tables::Tabulated;
use history::Histories;
use std::sync::atomic::Ordering::Relaxed;
use system::Reached;

impl Tabulated<'_> {
    /// Appends what was numbered since then, table by table, and what steps have shown. Gives how much is numbered.
    pub(crate) fn write_numbers(&self, since: &[usize], out: &mut Vec<u8>) -> Vec<usize> {
        let from = |table: usize| since.get(table).copied().unwrap_or(0);
        let mut ends = Vec::new();
        for (table, locals) in self.locals.iter().enumerate() {
            ends.push(locals.write_numbers(from(table), out));
            locals.write_shown(out);
        }
        if let Some(numbered) = &self.histories {
            let end = numbered.n_states();
            ((end - from(self.locals.len())) as u32).write(out);
            (from(self.locals.len())..end).for_each(|number| numbered.state(number as u32).numbers().write(out));
            numbered.is_cut.load(Relaxed).write(out);
            ends.push(end);
        }
        ends
    }

    /// Takes over what `write_numbers` has written. None if a number does not come out as it was.
    pub(crate) fn read_numbers(&self, bytes: &mut &[u8]) -> Option<()> {
        for locals in &self.locals {
            for _ in 0..u32::read(bytes)? {
                let (next, local) = (locals.n_numbers(), Local::read(bytes)?);
                let is_named = self.names(&locals.code, &local);
                (is_named && (locals.number(local) & !FAILED) as usize == next).then_some(())?;
            }
            locals.read_shown(bytes)?;
        }
        if let Some(numbered) = &self.histories {
            for _ in 0..u32::read(bytes)? {
                let mut numbers = Vec::<u32>::read(bytes)?.into_iter();
                numbered.number(Histories::from_numbers(&numbered.room.profile, &mut numbers)?);
            }
            numbered.is_cut.fetch_or(bool::read(bytes)?, Relaxed);
        }
        Some(())
    }
}

impl Locals {
    /// How many states are numbered.
    fn n_numbers(&self) -> usize {
        self.infos.count()
    }

    /// Appends the thread states from the number `from` on; gives how many there are.
    fn write_numbers(&self, from: usize, out: &mut Vec<u8>) -> usize {
        let end = self.n_numbers();
        ((end - from) as u32).write(out);
        (from..end).for_each(|number| self.info(number as u32).local.write(out));
        end
    }

    /// Appends what steps have shown: bounds that were hit, where threads have been, what was reached.
    pub(crate) fn write_shown(&self, out: &mut Vec<u8>) {
        Bound::OF_THREADS.iter().for_each(|bound| self.hit(*bound).load(Relaxed).write(out));
        self.been.iter().for_each(|been| been.load(Relaxed).write(out));
        self.reached().write(out);
    }

    pub(crate) fn read_shown(&self, bytes: &mut &[u8]) -> Option<()> {
        for bound in Bound::OF_THREADS {
            self.hit(bound).fetch_or(bool::read(bytes)?, Relaxed);
        }
        for been in &self.been {
            been.fetch_or(bool::read(bytes)?, Relaxed);
        }
        self.counted.add_all(&Reached::read(bytes)?);
        Some(())
    }
}
