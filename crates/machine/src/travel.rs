//! The machine's states on their way to other processes: what the numbers of thread states and of histories stand for there.
//!
//! A canonical state has the least cells of all its images, and of those the least numbers; numbers differ between processes. So the hash of a thread
//! state is that of its whole orbit, and what is made of it and of the cells is the same wherever a state is made canonical.

use crate::compiled::Compiled;
use crate::rules::local::Local;
use crate::tabulated::bytes::Portable;
use history::Histories;
use std::hash::Hasher;
use std::sync::atomic::Ordering::Relaxed;
use system::{Reached, Travelling};

impl Compiled<'_> {
    /// The table of the states of memories that are histories.
    fn table_of_histories(&self) -> usize {
        self.tables().locals.len()
    }
}

impl Travelling for Compiled<'_> {
    fn numbered(&self) -> Vec<Option<usize>> {
        let tables = self.tables();
        let cells = std::iter::repeat_n(None, tables.layout.n_words);
        let memory = tables.histories.iter().map(|_| Some(self.table_of_histories()));
        cells.chain(tables.table.iter().map(|table| Some(*table))).chain(memory).collect()
    }

    fn write_number(&self, table: usize, number: u32, out: &mut Vec<u8>) {
        match &self.tables().histories {
            Some(numbered) if table == self.table_of_histories() => numbered.state(number).numbers().write(out),
            _ => self.tables().locals[table].info(number).local.write(out),
        }
    }

    fn read_number(&self, table: usize, mut bytes: &[u8]) -> Option<u32> {
        let tables = self.tables();
        let bytes = &mut bytes;
        let number = match &tables.histories {
            Some(numbered) if table == self.table_of_histories() => {
                let mut numbers = Vec::<u32>::read(bytes)?.into_iter();
                numbered.number(Histories::from_numbers(&numbered.room.profile, &mut numbers)?)
            }
            _ => {
                let (locals, local) = (tables.locals.get(table)?, Local::read(bytes)?);
                tables.names(&locals.code, &local).then(|| locals.number(local))?
            }
        };
        bytes.is_empty().then_some(number)
    }

    fn hash_of_number(&self, word: usize, number: u32) -> u64 {
        let tables = self.tables();
        let thread = word - tables.layout.n_words;
        let mut content = Vec::new();
        let mut hash = |table: usize, number: u32| {
            content.clear();
            self.write_number(table, number, &mut content);
            let mut hasher = rustc_hash::FxHasher::default();
            hasher.write_usize(table);
            hasher.write(&content);
            hasher.finish()
        };
        if thread >= tables.table.len() {
            return hash(self.table_of_histories(), number);
        }
        let orbit = self.symmetric().orbit(thread, number).into_iter();
        orbit.map(|(thread, number)| hash(tables.table[thread], number)).min().unwrap_or_default()
    }

    fn make_canonical(&self, state: &mut [u32]) {
        self.symmetric().make_canonical(state);
    }

    fn write_shown(&self, out: &mut Vec<u8>) {
        let tables = self.tables();
        tables.locals.iter().for_each(|locals| locals.write_shown(out));
        tables.histories.iter().for_each(|numbered| numbered.is_cut.load(Relaxed).write(out));
        self.late().iter().for_each(|late| late.reached.get().write(out));
    }

    fn read_shown(&self, bytes: &mut &[u8]) -> Option<()> {
        let tables = self.tables();
        tables.locals.iter().try_for_each(|locals| locals.read_shown(bytes))?;
        if let Some(numbered) = &tables.histories {
            numbered.is_cut.fetch_or(bool::read(bytes)?, Relaxed);
        }
        if let Some(late) = self.late() {
            late.reached.add_all(&Reached::read(bytes)?);
        }
        Some(())
    }
}
