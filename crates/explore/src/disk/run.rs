//! A file of states, packed, sorted by hash and then by words; each state is in it once.

use std::cmp::Ordering;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use system::{Packing, hash};

/// Bytes that a reader reads at once.
const BUFFER: usize = 1 << 16;

/// A run that is written.
pub(crate) struct Run {
    path: PathBuf,
    widths: Vec<u32>,
    pub(crate) n_states: u64,
}

/// Writes a run.
pub(crate) struct RunWriter {
    file: BufWriter<File>,
    packing: Packing,
    row: Vec<u8>,
    run: Run,
}

impl RunWriter {
    /// An empty run of states whose words have at most so many bits.
    pub(crate) fn new(path: PathBuf, widths: Vec<u32>) -> io::Result<Self> {
        let file = BufWriter::with_capacity(BUFFER, File::create_new(&path)?);
        let packing = Packing::new(&widths);
        let row = vec![0; packing.padded_bytes()];
        Ok(RunWriter { file, packing, row, run: Run { path, widths, n_states: 0 } })
    }

    /// Appends a state that is greater than all before, with a byte.
    pub(crate) fn push(&mut self, state: &[u32], mark: u8) -> io::Result<()> {
        self.row.fill(0);
        self.row[0] = mark;
        self.packing.put(&mut self.row, state);
        self.run.n_states += 1;
        self.file.write_all(&self.row[..self.packing.row_bytes()])
    }

    pub(crate) fn finish(mut self) -> io::Result<Run> {
        self.file.flush()?;
        Ok(self.run)
    }
}

impl Run {
    /// The states from the least on.
    pub(crate) fn reader(&self) -> io::Result<RunReader> {
        let packing = Packing::new(&self.widths);
        Ok(RunReader {
            file: BufReader::with_capacity(BUFFER, File::open(&self.path)?),
            row: vec![0; packing.padded_bytes()],
            packing,
            n_left: self.n_states,
            state: vec![0; self.widths.len()],
            hash: 0,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// How many bits its words have at most.
    pub(crate) fn widths(&self) -> &[u32] {
        &self.widths
    }
}

/// Reads a run from its least state on.
pub(crate) struct RunReader {
    file: BufReader<File>,
    packing: Packing,
    row: Vec<u8>,
    n_left: u64,
    /// The state that was read last, and its hash.
    pub(crate) state: Vec<u32>,
    pub(crate) hash: u64,
}

impl RunReader {
    /// Reads the next state; false if there is none.
    pub(crate) fn advance(&mut self) -> io::Result<bool> {
        if self.n_left == 0 {
            return Ok(false);
        }
        self.n_left -= 1;
        self.file.read_exact(&mut self.row[..self.packing.row_bytes()])?;
        self.packing.read(&self.row, &mut self.state);
        self.hash = hash(&self.state);
        Ok(true)
    }

    /// The byte beside the state that was read last.
    pub(crate) fn mark(&self) -> u8 {
        self.row[0]
    }

    /// Compares the states that were read last.
    pub(crate) fn order(&self, other: &Self) -> Ordering {
        self.hash.cmp(&other.hash).then_with(|| self.state.cmp(&other.state))
    }
}
