//! A file of frames. A frame is its length, a checksum that depends on its position too, and its bytes, of which the first says what it is.

use super::{Unusable, checksum};
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Some states: four bytes for how many there are, then what is stored of them.
pub const ROWS: u8 = 1;
/// What the system has numbered.
pub(crate) const NOTES: u8 = 2;
/// Some states that wait: four bytes for the level, then words.
pub(crate) const WAITING: u8 = 3;
/// Some states that the level has found, in order: four bytes for the level, then words.
pub(crate) const FOUND: u8 = 4;

/// A longer frame is none.
const LONGEST: u64 = 1 << 36;

/// A journal that grows.
pub struct Journal {
    file: BufWriter<File>,
    /// Its bytes and its frames.
    pub extent: Extent,
}

/// How much of a journal counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Its bytes.
    pub bytes: u64,
    /// Its frames.
    pub frames: u64,
}

impl Journal {
    /// The journal at `path`, of which so much counts; what is behind that is cut off.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn open(path: &Path, extent: Extent) -> io::Result<Self> {
        let mut file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
        file.set_len(extent.bytes)?;
        file.seek(SeekFrom::End(0))?;
        Ok(Journal { file: BufWriter::with_capacity(1 << 20, file), extent })
    }

    /// Appends a frame that has these parts.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, kind: u8, head: Option<u32>, bytes: &[u8]) -> io::Result<()> {
        let head = head.map(u32::to_le_bytes);
        let head = head.as_ref().map_or(&[][..], |head| &head[..]);
        let len = (1 + head.len() + bytes.len()) as u64;
        let sum = checksum(checksum(self.extent.frames, head) ^ u64::from(kind), bytes);
        self.file.write_all(&len.to_le_bytes())?;
        self.file.write_all(&sum.to_le_bytes())?;
        self.file.write_all(&[kind])?;
        self.file.write_all(head)?;
        self.file.write_all(bytes)?;
        self.extent.bytes += 16 + len;
        self.extent.frames += 1;
        Ok(())
    }

    /// Lets the disk have all of it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn sync(&mut self) -> io::Result<()> {
        self.file.flush()?;
        self.file.get_ref().sync_data()
    }
}

/// Reads the frames of a journal, as many as count.
pub struct Frames {
    path: PathBuf,
    file: BufReader<File>,
    extent: Extent,
    read: Extent,
    bytes: Vec<u8>,
}

/// A frame.
pub struct Frame<'a> {
    /// What it is.
    pub kind: u8,
    /// How many states, or the level; 0 for notes.
    pub head: u32,
    /// Its bytes.
    pub bytes: &'a [u8],
}

impl Frames {
    /// The first `extent` of the journal at `path`.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn open(path: &Path, extent: Extent) -> Result<Self, Unusable> {
        let file = File::open(path).map_err(|error| Unusable::unread(path, &error))?;
        let file = BufReader::with_capacity(1 << 20, file);
        Ok(Frames { path: path.into(), file, extent, read: Extent::default(), bytes: Vec::new() })
    }

    /// The next frame; none after the last that counts.
    ///
    /// # Errors
    /// If it is damaged, or cannot be read.
    #[expect(clippy::should_implement_trait, reason = "it lends the frame")]
    pub fn next(&mut self) -> Result<Option<Frame<'_>>, Unusable> {
        if self.read == self.extent {
            return Ok(None);
        }
        let (len, sum) = (self.number()?, self.number()?);
        self.read.bytes = self.read.bytes.saturating_add(16).saturating_add(len);
        if len == 0 || len > LONGEST || self.read.bytes > self.extent.bytes {
            return Err(self.damaged("it ends within a frame"));
        }
        self.bytes.resize(len as usize, 0);
        self.file.read_exact(&mut self.bytes).map_err(|error| Unusable::unread(&self.path, &error))?;
        let kind = self.bytes[0];
        let n_head = if kind == NOTES { 0 } else { 4 };
        let Some((head, bytes)) = self.bytes[1..].split_at_checked(n_head) else {
            return Err(self.damaged("a frame is too short"));
        };
        if sum != checksum(checksum(self.read.frames, head) ^ u64::from(kind), bytes) {
            return Err(self.damaged(&format!("the checksum of frame {} is wrong", self.read.frames)));
        }
        self.read.frames += 1;
        let head = head.try_into().map_or(0, u32::from_le_bytes);
        Ok(Some(Frame { kind, head, bytes }))
    }

    fn number(&mut self) -> Result<u64, Unusable> {
        let mut bytes = [0; 8];
        self.file.read_exact(&mut bytes).map_err(|error| Unusable::unread(&self.path, &error))?;
        Ok(u64::from_le_bytes(bytes))
    }

    /// The journal is damaged in this way.
    pub fn damaged(&self, what: &str) -> Unusable {
        Unusable::damaged(&self.path, what)
    }
}
