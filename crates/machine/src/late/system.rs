//! A system that puts off steps which write nothing that others see.
//!
//! The argument is in the header of `writes`; the long form in `docs/internals/reductions.md`.

use crate::late::progress::Cells;
use crate::rules::touch::Watching;
use crate::symmetry::canonical::MAX_WORDS;
use crate::symmetry::symmetric::Symmetric;
use crate::tabulated::scratch::Scratch;
use crate::tabulated::tables::{OverTables, Tabulated};
use automata::{Action, CellId, Op, Region};
use base::table::Id;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use system::{Reached, SharedReached, Successors, TransitionSystem};

/// A system of which only states after writes are stored.
pub struct Late<'a> {
    pub(crate) system: Symmetric<'a>,
    /// For each thread, the cells that no other thread touches, and their bits, word by word.
    pub(crate) private: Vec<Cells>,
    pub(crate) private_mask: Vec<Vec<u32>>,
    /// For each thread, the first of those that are interchangeable with it.
    pub(crate) alike: Vec<usize>,
    /// Cover properties that states which are left out have reached.
    pub(crate) reached: SharedReached,
    /// Whether something may be performed on an assumption that turns out wrong, so that a state need not exist.
    pub(crate) may_be_refuted: bool,
    /// Bytes of what workers keep.
    kept_bytes: Arc<AtomicU64>,
}

/// Whether branches are guessed, or a thread's step changes the states of others.
fn is_guessing(tables: &Tabulated<'_>) -> bool {
    tables.memory.speculate > 0 || tables.watching != Watching::Nothing
}

/// Whether reads can be put off where branches are guessed: if nothing is judged but what steps violate, and others change a thread's state by
/// writes to cells alone, not by taking reservations or aborting transactions.
fn may_guess(tables: &Tabulated<'_>) -> bool {
    let reserves = |action: &Action| matches!(action, Action::Access(access) if matches!(access.op, Op::LoadLinked | Op::StoreConditional(_)));
    let automata = tables.automata;
    let mut points = automata.threads.values().flat_map(|thread| thread.automaton.points.values());
    tables.watching != Watching::Accesses
        && automata.bus.is_none()
        && !tables.judges_states
        && !points.any(|point| reserves(&point.action))
}

/// Whether reads can be put off: not where one thread's step asks for the state of others, nor where a property speaks of several threads.
pub(crate) fn is_suitable(tables: &Tabulated<'_>) -> bool {
    let automata = tables.automata;
    let stops = |action: &Action| matches!(action, Action::Enter(Region::StopTheWorld));
    let mut points = automata.threads.values().flat_map(|thread| thread.automaton.points.values());
    automata.cells.len() <= Cells::BITS as usize
        && tables.layout.n_words + automata.threads.len() <= MAX_WORDS
        && (!is_guessing(tables) || may_guess(tables))
        && tables.memory.histories.is_none()
        && tables.of_quiescence.is_empty()
        && tables.judges.speaks_of_threads_apart()
        && !points.any(|point| stops(&point.action))
}

/// For each thread, the cells that no other thread's program touches.
fn private(tables: &Tabulated<'_>) -> Vec<Cells> {
    let touches = |table: &usize| {
        let code = &tables.locals[*table].code;
        let touched = tables.automata.cells.ids().filter(|cell| code.futures[code.automaton.entry].has(*cell));
        touched.fold(0, |cells, cell| cells | 1 << cell.index())
    };
    let touched: Vec<Cells> = tables.table.iter().map(touches).collect();
    let bus = tables.automata.bus.map_or(0, |bus| 1 << bus.index());
    let others = |thread: usize| {
        let others = touched.iter().enumerate().filter(|(other, _)| *other != thread);
        others.fold(bus, |cells, (_, touched)| cells | touched)
    };
    touched.iter().enumerate().map(|(thread, touched)| touched & !others(thread)).collect()
}

/// The bits of these cells, word by word.
pub(crate) fn mask(tables: &Tabulated<'_>, cells: Cells) -> Vec<u32> {
    let mut mask = vec![0; tables.layout.n_words];
    for cell in (0..Cells::BITS as usize).filter(|cell| cells >> cell & 1 == 1) {
        let (word, bits) = tables.layout.slot(CellId::new(cell)).place();
        mask[word] |= bits;
    }
    mask
}

impl<'a> Late<'a> {
    /// The same system with steps put off; as it was if that cannot be.
    pub fn new(system: Symmetric<'a>) -> Result<Self, Box<Symmetric<'a>>> {
        if !is_suitable(&system.tables) {
            return Err(Box::new(system));
        }
        let private = private(&system.tables);
        let private_mask = private.iter().map(|cells| mask(&system.tables, *cells)).collect();
        let alike = (0..private.len()).map(|thread| system.first_alike(thread)).collect();
        let may_be_refuted = is_guessing(&system.tables);
        let reached = SharedReached::default();
        Ok(Late { system, private, private_mask, alike, reached, may_be_refuted, kept_bytes: Arc::default() })
    }

    /// The system whose steps are put off.
    pub fn system(&self) -> &Symmetric<'a> {
        &self.system
    }
}

impl<'a> system::Over for Late<'a> {
    type Inner = Symmetric<'a>;

    fn inner(&self) -> &Symmetric<'a> {
        &self.system
    }

    fn scratch(&self) -> Scratch {
        Scratch::new(self.kept_bytes.clone())
    }

    fn successors(&self, from: &[u32], scratch: &mut Scratch, out: &mut Successors) {
        self.writes(from, false, scratch, out);
    }

    fn new_successors(&self, from: &[u32], scratch: &mut Scratch, out: &mut Successors) {
        self.writes(from, true, scratch, out);
    }

    fn write_notes(&self, since: &[usize], out: &mut Vec<u8>) -> Vec<usize> {
        self.reached.get().write(out);
        TransitionSystem::write_notes(&self.system, since, out)
    }

    fn read_notes(&self, bytes: &mut &[u8]) -> Option<()> {
        self.reached.add_all(&Reached::read(bytes)?);
        TransitionSystem::read_notes(&self.system, bytes)
    }

    fn reached(&self) -> Reached {
        let mut reached = self.reached.get();
        reached.add_all(&TransitionSystem::reached(&self.system));
        reached
    }

    fn own_bytes(&self) -> u64 {
        TransitionSystem::own_bytes(&self.system) + self.kept_bytes.load(Relaxed)
    }
}

impl OverTables for Late<'_> {
    fn tables(&self) -> &Tabulated<'_> {
        &self.system.tables
    }
}
