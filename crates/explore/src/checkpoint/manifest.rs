//! The manifest of a checkpoint: how much of the journal counts, and all that changes from checkpoint to checkpoint.

use super::journal::Extent;
use super::{Unusable, checksum};
use crate::breadth::Violation;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use system::Reached;

/// The first bytes of the file; a number for its form.
const MAGIC: [u8; 8] = *b"lacuna 2";

/// What is known at a checkpoint, besides what the journal has.
#[derive(Clone, Debug, Default)]
pub(crate) struct Manifest {
    pub(crate) identity: u64,
    pub(crate) phase: u32,
    pub(crate) extent: Extent,
    pub(crate) states: u64,
    pub(crate) transitions: u64,
    pub(crate) depth: u64,
    pub(crate) peak_bytes: u64,
    pub(crate) seconds: f64,
    /// Of the chunks of the level in the journal, how many are expanded.
    pub(crate) n_taken: u64,
    pub(crate) reached: Reached,
    pub(crate) violations: Vec<Violation>,
    /// For each level, its first epoch; and the epoch that begins now.
    pub(crate) levels: Vec<usize>,
    pub(crate) epoch: u64,
    /// Where the system's notes end.
    pub(crate) noted: Vec<usize>,
}

impl Manifest {
    /// Replaces the manifest of a folder.
    pub(crate) fn write(&self, folder: &Path) -> io::Result<()> {
        let bytes = self.bytes();
        let beside = folder.join(".manifest.new");
        let mut file = File::create(&beside)?;
        file.write_all(&MAGIC)?;
        file.write_all(&checksum(0, &bytes).to_le_bytes())?;
        file.write_all(&bytes)?;
        file.sync_all()?;
        fs::rename(&beside, folder.join("manifest"))
    }

    /// The manifest of a folder; none if there is none.
    pub(crate) fn read(folder: &Path, identity: u64) -> Result<Option<Self>, Unusable> {
        let path = folder.join("manifest");
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Unusable::unread(&path, &error)),
        };
        let Some((head, rest)) = bytes.split_at_checked(16) else {
            return Err(Unusable::damaged(&path, "it is too short"));
        };
        if head[..8] != MAGIC {
            return Err(Unusable(format!("`{}` is of another version of Lacuna, or no checkpoint", path.display())));
        }
        if head[8..] != checksum(0, rest).to_le_bytes() {
            return Err(Unusable::damaged(&path, "its checksum is wrong"));
        }
        let manifest = Self::parse(&mut &rest[..]).ok_or_else(|| Unusable::damaged(&path, "it says nothing"))?;
        if manifest.identity != identity {
            return Err(Unusable(format!("`{}` is of another search", path.display())));
        }
        Ok(Some(manifest))
    }

    fn bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let numbers = [
            self.identity,
            u64::from(self.phase),
            self.extent.bytes,
            self.extent.frames,
            self.states,
            self.transitions,
            self.depth,
            self.peak_bytes,
            self.seconds.to_bits(),
            self.n_taken,
        ];
        numbers.into_iter().for_each(|number| put(number, &mut out));
        self.reached.write(&mut out);
        put(self.violations.len() as u64, &mut out);
        for violation in &self.violations {
            put(u64::from(violation.property), &mut out);
            put_all(&[violation.level], &mut out);
            put_all(&violation.state.iter().map(|word| *word as usize).collect::<Vec<_>>(), &mut out);
        }
        put_all(&self.levels, &mut out);
        put(self.epoch, &mut out);
        put_all(&self.noted, &mut out);
        out
    }

    fn parse(bytes: &mut &[u8]) -> Option<Self> {
        let mut number = || take(bytes);
        Some(Manifest {
            identity: number()?,
            phase: number()?.try_into().ok()?,
            extent: Extent { bytes: number()?, frames: number()? },
            states: number()?,
            transitions: number()?,
            depth: number()?,
            peak_bytes: number()?,
            seconds: f64::from_bits(number()?),
            n_taken: number()?,
            reached: Reached::read(bytes)?,
            violations: (0..take(bytes)?).map(|_| violation(bytes)).collect::<Option<_>>()?,
            levels: take_all(bytes)?,
            epoch: take(bytes)?,
            noted: take_all(bytes)?,
        })
    }
}

fn violation(bytes: &mut &[u8]) -> Option<Violation> {
    let property = take(bytes)?.try_into().ok()?;
    let level = *take_all(bytes)?.first()?;
    Some(Violation { property, level, state: take_all(bytes)?.into_iter().map(|word| word as u32).collect() })
}

fn put(number: u64, out: &mut Vec<u8>) {
    out.extend_from_slice(&number.to_le_bytes());
}

fn put_all(numbers: &[usize], out: &mut Vec<u8>) {
    put(numbers.len() as u64, out);
    numbers.iter().for_each(|number| put(*number as u64, out));
}

fn take(bytes: &mut &[u8]) -> Option<u64> {
    bytes.split_off(..8)?.try_into().ok().map(u64::from_le_bytes)
}

fn take_all(bytes: &mut &[u8]) -> Option<Vec<usize>> {
    (0..take(bytes)?).map(|_| take(bytes).map(|number| number as usize)).collect()
}
