//! Checkpoints of a cluster: each worker writes its own states, and the first one says when all have.
//!
//! They are written between two levels, when no state is under way. A worker's journal has its states as parcels, as another worker would get them, so it
//! means the same in every process. What else the worker knows is in a file for each generation. The first worker writes the number of the
//! generation once all have written theirs. Whoever is killed, and whenever, the last generation that all have written is whole.
//!
//! A generation has the number of its level. What a worker owns of a level is the same in every run of a search, so parts of one generation
//! fit together even if some come from a backup.

use crate::member::{Member, Place};
use crate::parcel::{Incoming, Outgoing, pack, unpack};
use crate::task::{Saved, Violation};
use explore::{Extent, Frames, Journal, ROWS, Unusable, checksum};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use system::{PropertyIndex, Reached, Travelling, hash};

/// The first bytes of a file; a number for its form.
const MAGIC: [u8; 8] = *b"cluster1";
/// So many words make a frame.
const FRAME: usize = 1 << 16;
/// The generation that all have written.
const GENERATION: &str = "generation";

/// Writes the checkpoints of one worker.
pub(crate) struct Saver {
    folder: PathBuf,
    identity: u64,
    every: Duration,
    place: Place,
    journal: Option<Journal>,
    outgoing: Outgoing,
    /// Where the states begin that the journal does not have.
    end: usize,
    generation: u64,
    /// The generation before this one.
    before: u64,
    last: Instant,
}

/// The generation that can be continued in a folder; 0 if there is none.
///
/// # Errors
/// If what is there is damaged, or of another search.
pub fn generation_in(folder: &Path, identity: u64) -> Result<u64, Unusable> {
    let path = folder.join(GENERATION);
    if !path.exists() {
        return Ok(0);
    }
    let bytes = read_sealed(&path)?;
    match (take(&mut &bytes[..]), take(&mut bytes.get(8..).unwrap_or_default())) {
        (Some(of), Some(generation)) if of == identity => Ok(generation),
        (Some(_), Some(_)) => Err(Unusable(format!("`{}` is of another search", path.display()))),
        _ => Err(damaged(&path)),
    }
}

impl Saver {
    pub(crate) fn new<S: Travelling + ?Sized>(saved: &Saved, place: Place, system: &S) -> Self {
        Saver {
            folder: saved.folder.clone(),
            identity: saved.identity,
            every: saved.every,
            place,
            journal: None,
            outgoing: Outgoing::new(system, false),
            end: 0,
            generation: saved.generation,
            before: 0,
            last: Instant::now(),
        }
    }

    /// Whether it is time for the next checkpoint.
    pub(crate) fn is_due(&self) -> bool {
        self.last.elapsed() >= self.every
    }

    fn journal_path(&self) -> PathBuf {
        self.folder.join(format!("journal-of-{}", self.place.index))
    }

    fn part_path(&self, generation: u64) -> PathBuf {
        self.folder.join(format!("part-{}-{generation}", self.place.index))
    }

    /// Writes a checkpoint, which counts once all have.
    pub(crate) fn save<S: Travelling + ?Sized>(&mut self, member: &Member<'_, S>) -> io::Result<()> {
        let path = self.journal_path();
        let journal = match &mut self.journal {
            Some(journal) => journal,
            none => none.insert(Journal::open(&path, Extent::default())?),
        };
        let (system, table) = (member.task.system, &member.part.table);
        let mut state = vec![0; system.state_len()];
        let mut write = |outgoing: &mut Outgoing| match outgoing.take(0) {
            Some(parcel) => journal.append(ROWS, Some(0), &bytes_of(&parcel)),
            None => Ok(()),
        };
        for position in table.positions(self.end..table.end()) {
            table.read(position, &mut state);
            self.outgoing.push(system, &state, table.mark(position));
            if self.outgoing.len() >= FRAME {
                write(&mut self.outgoing)?;
            }
        }
        write(&mut self.outgoing)?;
        self.end = table.end();
        journal.sync()?;
        let extent = journal.extent;
        let older = std::mem::replace(&mut self.before, self.generation);
        self.generation = member.part.levels.len() as u64;
        write_sealed(&self.part_path(self.generation), &self.part(member, extent))?;
        self.last = Instant::now();
        // The generation before this one counts until all have written this one.
        let _ = fs::remove_file(self.part_path(older));
        Ok(())
    }

    /// All have written this generation; whether that could be said.
    pub(crate) fn commit(&mut self) -> bool {
        let mut bytes = self.identity.to_le_bytes().to_vec();
        bytes.extend_from_slice(&self.generation.to_le_bytes());
        write_sealed(&self.folder.join(GENERATION), &bytes).is_ok()
    }

    /// What a worker knows besides its states.
    fn part<S: Travelling + ?Sized>(&self, member: &Member<'_, S>, extent: Extent) -> Vec<u8> {
        let (system, part) = (member.task.system, &member.part);
        let mut out = Vec::new();
        let workers = [self.place.n_workers as u64, self.place.per_process as u64];
        put([self.identity].into_iter().chain(workers), &mut out);
        let seconds = (member.seconds_before + member.watch.seconds()).to_bits();
        put([extent.bytes, extent.frames, member.states, member.transitions, seconds], &mut out);
        // Positions may leave some out, and those that are restored leave out others.
        let levels = (0..part.levels.len()).map(|level| part.table.positions(part.level(level)).count() as u64);
        put([part.levels.len() as u64].into_iter().chain(levels), &mut out);
        put([member.violations.len() as u64], &mut out);
        for violation in &member.violations {
            let mut outgoing = Outgoing::new(system, false);
            outgoing.push(system, &violation.state, 0);
            let bytes = bytes_of(&outgoing.take(0).unwrap_or_default());
            put([violation.property.into(), violation.level as u64, bytes.len() as u64], &mut out);
            out.extend_from_slice(&bytes);
        }
        member.reached.write(&mut out);
        system.reached().write(&mut out);
        system.write_shown(&mut out);
        out
    }

    /// Takes over a generation; false if the search begins.
    ///
    /// # Errors
    /// If it is not there, damaged, or of another search.
    pub(crate) fn restore<S: Travelling + ?Sized>(&mut self, member: &mut Member<'_, S>) -> Result<bool, Unusable> {
        if self.generation == 0 {
            return Ok(false);
        }
        let path = self.part_path(self.generation);
        let bytes = read_sealed(&path)?;
        self.take_part(&mut &bytes[..], member, &path)?;
        self.end = member.part.table.end();
        Ok(true)
    }

    fn take_part<S: Travelling + ?Sized>(
        &mut self,
        bytes: &mut &[u8],
        member: &mut Member<'_, S>,
        path: &Path,
    ) -> Result<(), Unusable> {
        let broken = || damaged(path);
        let number = |bytes: &mut &[u8]| take(bytes).ok_or_else(broken);
        let of = [number(bytes)?, number(bytes)?, number(bytes)?];
        if of != [self.identity, self.place.n_workers as u64, self.place.per_process as u64] {
            return Err(Unusable(format!("`{}` is of another search, or of other workers", path.display())));
        }
        let extent = Extent { bytes: number(bytes)?, frames: number(bytes)? };
        (member.states, member.transitions) = (number(bytes)?, number(bytes)?);
        member.seconds_before = f64::from_bits(number(bytes)?);
        let levels = (0..number(bytes)?).map(|_| number(bytes)).collect::<Result<Vec<u64>, _>>()?;
        if levels.len() as u64 != self.generation {
            return Err(Unusable(format!("`{}` is of another level", path.display())));
        }
        let system = member.task.system;
        for _ in 0..number(bytes)? {
            let (property, level) = (number(bytes)? as PropertyIndex, number(bytes)? as usize);
            let n_bytes = number(bytes)? as usize;
            let words = words_of(bytes.split_off(..n_bytes).ok_or_else(broken)?);
            let rest = words.get(1..).unwrap_or_default();
            let note = |state: &[u32], _| member.violations.push(Violation { property, level, state: state.into() });
            Incoming::new(system, false).read(system, rest, note).ok_or_else(broken)?;
        }
        member.reached = Reached::read(bytes).ok_or_else(broken)?;
        member.reached.add_all(&Reached::read(bytes).ok_or_else(broken)?);
        system.read_shown(bytes).filter(|()| bytes.is_empty()).ok_or_else(broken)?;
        self.take_states(member, extent, &levels)
    }

    fn take_states<S: Travelling + ?Sized>(
        &mut self,
        member: &mut Member<'_, S>,
        extent: Extent,
        levels: &[u64],
    ) -> Result<(), Unusable> {
        let (system, part) = (member.task.system, &mut member.part);
        let mut frames = Frames::open(&self.journal_path(), extent)?;
        let mut incoming = Incoming::new(system, false);
        let (mut begun, mut n_states, mut hit) = (0, 0, None);
        part.levels.clear();
        while let Some(frame) = frames.next()? {
            let words = words_of(frame.bytes);
            let read = incoming.read(system, words.get(1..).unwrap_or_default(), |state, mark| {
                while part.levels.len() < levels.len() && n_states == begun {
                    begun += levels[part.levels.len()];
                    part.levels.push(part.table.end());
                }
                n_states += 1;
                hit = hit.or(part.table.insert(state, hash(state), mark, system.budget()).err());
            });
            if read.is_none() || hit.is_some() {
                break;
            }
        }
        if let Some(limit) = hit {
            return Err(Unusable(format!("the checkpoint cannot be read within the limits: {}", limit.name())));
        }
        part.levels.resize(levels.len(), part.table.end());
        if n_states != member.states || part.table.len() as u64 != n_states {
            return Err(frames.damaged("its content does not fit together"));
        }
        member.level = levels.len() - 1;
        let journal = Journal::open(&self.journal_path(), extent);
        let path = self.journal_path();
        self.journal = Some(journal.map_err(|e| Unusable(format!("cannot write to `{}`: {e}", path.display())))?);
        Ok(())
    }
}

fn damaged(path: &Path) -> Unusable {
    Unusable(format!("`{}` is damaged", path.display()))
}

fn take(bytes: &mut &[u8]) -> Option<u64> {
    bytes.split_off(..8)?.try_into().ok().map(u64::from_le_bytes)
}

fn put(numbers: impl IntoIterator<Item = u64>, out: &mut Vec<u8>) {
    numbers.into_iter().for_each(|number| out.extend_from_slice(&number.to_le_bytes()));
}

fn bytes_of(words: &[u32]) -> Vec<u8> {
    unpack(words, 4 * words.len())
}

fn words_of(bytes: &[u8]) -> Vec<u32> {
    let mut words = Vec::with_capacity(bytes.len() / 4);
    pack(bytes, &mut words);
    words
}

/// Replaces a file by these bytes and their checksum.
fn write_sealed(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let beside = path.with_extension("new");
    let mut file = File::create(&beside)?;
    file.write_all(&MAGIC)?;
    file.write_all(&checksum(0, bytes).to_le_bytes())?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&beside, path)
}

/// The bytes that were so written.
fn read_sealed(path: &Path) -> Result<Vec<u8>, Unusable> {
    let bytes = fs::read(path).map_err(|e| Unusable(format!("cannot read `{}`: {e}", path.display())))?;
    let (head, rest) = bytes.split_at_checked(16).ok_or_else(|| damaged(path))?;
    let is_whole = head[..8] == MAGIC && head[8..] == checksum(0, rest).to_le_bytes();
    is_whole.then(|| rest.to_vec()).ok_or_else(|| damaged(path))
}
