//! The store on disk: a run of states for each level, sorted by hash; duplicates are found when a level ends.
//!
//! While a level is expanded, what is found is gathered in a table, which is written as a sorted run whenever it is full. When the level
//! ends, these runs are read together, and so are the runs of all levels before: what is in none of those is new, and is the run of the
//! next level. So memory has one table and a buffer for each run, whatever the number of states, and each level reads all levels once.

mod merge;
mod run;

use crate::seen::mark;
use crate::store::{Put, Store};
use merge::Merge;
use run::{Run, RunReader, RunWriter};
use std::cmp::Ordering;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard};
use system::{Budget, Limit, StateTable, Successors, hash};

/// States that a worker takes at once.
const CHUNK: u64 = 512;

/// A store on disk.
pub struct Disk<'a> {
    folder: PathBuf,
    state_len: usize,
    /// So large may the table be.
    table_bytes: u64,
    budget: Option<&'a Budget>,
    found: Mutex<Found>,
    /// For each level, its states.
    levels: Mutex<Vec<Run>>,
    /// Reads the level that is expanded.
    level: Mutex<Option<RunReader>>,
    n_waiting: AtomicU64,
    has_failed: AtomicBool,
}

/// What was found on the level that is expanded.
struct Found {
    table: StateTable,
    runs: Vec<Run>,
    n_runs: usize,
}

/// What one worker has gathered: words, and marks of the parents.
#[derive(Default)]
pub struct Gathered {
    words: Vec<u32>,
    parents: Vec<u8>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|e| e.into_inner())
}

impl<'a> Disk<'a> {
    /// An empty store that keeps its files in a folder of its own below `folder`, which is made, and removed at the end.
    ///
    /// # Errors
    /// If that cannot be made.
    pub fn new(folder: &Path, state_len: usize, table_bytes: u64, budget: Option<&'a Budget>) -> io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        let own = |n: u32| folder.join(format!("states-{}-{n}", std::process::id()));
        let mut n = 0;
        while let Err(error) = std::fs::create_dir(own(n)) {
            if error.kind() != io::ErrorKind::AlreadyExists {
                return Err(error);
            }
            n += 1;
        }
        let found = Found { table: StateTable::new(state_len), runs: Vec::new(), n_runs: 0 };
        Ok(Disk {
            folder: own(n),
            state_len,
            table_bytes,
            budget,
            found: Mutex::new(found),
            levels: Mutex::default(),
            level: Mutex::default(),
            n_waiting: AtomicU64::new(0),
            has_failed: AtomicBool::new(false),
        })
    }

    /// Its result; a failure is remembered, since nothing that is read or written after it can be relied on.
    fn checked<T>(&self, result: io::Result<T>) -> Option<T> {
        self.has_failed.fetch_or(result.is_err(), Relaxed);
        result.ok()
    }

    fn failure(&self) -> Option<Limit> {
        self.has_failed.load(Relaxed).then_some(Limit::Disk)
    }

    /// Writes the table as a run and empties it.
    fn spill(&self, found: &mut Found) -> io::Result<()> {
        let table = std::mem::replace(&mut found.table, StateTable::new(self.state_len));
        if table.is_empty() {
            return Ok(());
        }
        let path = self.folder.join(format!("found-{}", found.n_runs));
        found.n_runs += 1;
        let mut writer = RunWriter::new(path, table.widths())?;
        let (mut state, mut other) = (vec![0; self.state_len], vec![0; self.state_len]);
        let mut order: Vec<(u64, usize)> = Vec::with_capacity(table.len());
        for position in table.positions(0..table.end()) {
            table.read(position, &mut state);
            order.push((hash(&state), position));
        }
        order.sort_unstable_by(|a, b| {
            a.0.cmp(&b.0).then_with(|| {
                table.read(a.1, &mut state);
                table.read(b.1, &mut other);
                state.cmp(&other)
            })
        });
        for (_, position) in order {
            table.read(position, &mut state);
            writer.push(&state, table.mark(position))?;
        }
        found.runs.push(writer.finish()?);
        Ok(())
    }

    /// Writes the run of the next level: what was found and is on no level.
    fn next_run(&self, visit: &mut dyn FnMut(&[u32])) -> io::Result<Option<Limit>> {
        let mut found = locked(&self.found);
        self.spill(&mut found)?;
        let mut levels = locked(&self.levels);
        let mut widths = vec![0; self.state_len];
        for run in &found.runs {
            widths.iter_mut().zip(run.widths()).for_each(|(width, other)| *width = (*width).max(*other));
        }
        let mut writer = RunWriter::new(self.folder.join(format!("level-{}", levels.len())), widths)?;
        let (mut new, mut old) = (Merge::new(found.runs.iter())?, Merge::new(levels.iter())?);
        let mut pace = self.budget.map(Budget::pace);
        let mut last: Option<Vec<u32>> = None;
        while let Some(reader) = new.least() {
            if pace.as_mut().is_some_and(|pace| pace.is_over()) {
                return Ok(self.budget.and_then(Budget::hit));
            }
            while old.least().is_some_and(|seen| seen.order(reader) == Ordering::Less) {
                old.advance()?;
            }
            let is_seen = old.least().is_some_and(|seen| seen.order(reader) == Ordering::Equal);
            if !is_seen && last.as_ref() != Some(&reader.state) {
                writer.push(&reader.state, reader.mark())?;
                visit(&reader.state);
            }
            last.get_or_insert_default().clone_from(&reader.state);
            new.advance()?;
        }
        for run in found.runs.drain(..) {
            std::fs::remove_file(run.path())?;
        }
        levels.push(writer.finish()?);
        Ok(None)
    }

    fn read_chunk(&self, reader: &mut RunReader) -> io::Result<Vec<u32>> {
        let mut words = Vec::new();
        for _ in 0..CHUNK {
            if !reader.advance()? {
                break;
            }
            words.extend_from_slice(&reader.state);
        }
        Ok(words)
    }

    /// The first state of a level of which `is_it` is true.
    fn find(&self, level: usize, mut is_it: impl FnMut(&RunReader) -> bool) -> io::Result<Option<RunReader>> {
        let Some(mut reader) = locked(&self.levels).get(level).map(Run::reader).transpose()? else { return Ok(None) };
        while reader.advance()? {
            if is_it(&reader) {
                return Ok(Some(reader));
            }
        }
        Ok(None)
    }
}

impl Store for Disk<'_> {
    type Batch = Gathered;

    fn batch(&self) -> Gathered {
        Gathered::default()
    }

    fn gather(&self, parent: Option<&[u32]>, states: &Successors, batch: &mut Gathered) {
        let parent = parent.map_or(0, |parent| mark(hash(parent)));
        for (state, _) in states.iter() {
            batch.words.extend_from_slice(state);
            batch.parents.push(parent);
        }
    }

    fn n_gathered(batch: &Gathered) -> usize {
        batch.parents.len()
    }

    /// Nothing is known to be new before the level ends.
    fn put(&self, batch: &mut Gathered, _: impl FnMut(&[u32])) -> Put {
        let mut found = locked(&self.found);
        let mut limit = None;
        for (state, parent) in batch.words.chunks_exact(self.state_len.max(1)).zip(batch.parents.drain(..)) {
            limit = limit.or(found.table.insert(state, hash(state), parent, self.budget).err());
        }
        batch.words.clear();
        // What sorts the table takes as much again.
        if found.table.bytes() + 16 * found.table.len() as u64 >= self.table_bytes {
            self.checked(self.spill(&mut found));
        }
        Put { n_new: 0, limit: limit.or(self.failure()) }
    }

    fn settle(&self, mut visit: impl FnMut(&[u32])) -> Put {
        let mut n_new = 0;
        let limit = self.checked(self.next_run(&mut |state| {
            n_new += 1;
            visit(state);
        }));
        Put { n_new, limit: limit.flatten().or(self.failure()) }
    }

    fn hand_in(&self, _: &mut Gathered) {}

    fn next_level(&self) -> bool {
        let levels = locked(&self.levels);
        let Some(run) = levels.last().filter(|run| run.n_states > 0 && self.failure().is_none()) else { return false };
        self.n_waiting.store(run.n_states, Relaxed);
        *locked(&self.level) = self.checked(run.reader());
        true
    }

    fn take(&self) -> Option<Vec<u32>> {
        let mut level = locked(&self.level);
        let words = self.checked(self.read_chunk(level.as_mut()?))?;
        let n_states = words.len() as u64 / self.state_len.max(1) as u64;
        self.n_waiting.fetch_sub(n_states, Relaxed);
        (n_states > 0).then_some(words)
    }

    fn n_waiting(&self) -> u64 {
        self.n_waiting.load(Relaxed)
    }

    fn parent(&self, state: &[u32], level: usize, mut is_it: impl FnMut(&[u32]) -> bool) -> Option<Vec<u32>> {
        let own = self.checked(self.find(level + 1, |reader| reader.state == state))??;
        let is_parent = |reader: &RunReader| mark(reader.hash) == own.mark() && is_it(&reader.state);
        self.checked(self.find(level, is_parent))?.map(|reader| reader.state)
    }

    fn bytes(&self) -> u64 {
        locked(&self.found).table.bytes()
    }

    fn failed(&self) -> Option<Limit> {
        self.failure()
    }
}

impl Drop for Disk<'_> {
    fn drop(&mut self) {
        // What is left behind is named by the process that made it.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
