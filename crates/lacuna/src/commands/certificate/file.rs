//! The file of a certificate: a line that says what it is, how many claims follow, each a line with its states behind it, and a seal.
//!
//! The seal is a hash of all before it. It tells a damaged file at once; what a claim says is checked whatever the seal is.

use crate::exit::Error;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// The first line.
const TITLE: &str = "lacuna certificate 1\n";
/// So many bytes a claim's line has at most.
const LINE: u64 = 1 << 16;
/// So many bytes the seal has.
const SEAL: u64 = 32;

/// A certificate that is being written.
pub(super) struct Sealing {
    out: BufWriter<File>,
    hash: Sha256,
}

impl Sealing {
    /// Begins a file with so many claims.
    pub(super) fn begin(file: File, n_claims: usize) -> io::Result<Self> {
        let mut sealing = Sealing { out: BufWriter::new(file), hash: Sha256::new() };
        sealing.write_all(TITLE.as_bytes())?;
        sealing.write_all(format!("{n_claims}\n").as_bytes())?;
        Ok(sealing)
    }

    /// Puts the seal on it.
    pub(super) fn end(self) -> io::Result<()> {
        let Sealing { mut out, hash } = self;
        out.write_all(&hash.finalize())?;
        out.flush()
    }
}

impl Write for Sealing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.hash.update(bytes);
        self.out.write_all(bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A certificate that is being read, without its seal.
pub(super) struct Sealed {
    from: io::Take<BufReader<File>>,
    pub(super) n_claims: usize,
}

impl Sealed {
    /// Opens a file, if its seal is right.
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        let refused = |what: &str| Error::input(format!("`{}` is refused: {what}", path.display()));
        let unread = |e: io::Error| {
            Error::input(format!("cannot read `{}`: {e}", path.display()))
                .hint("give the path of a certificate that `lacuna check --certificate PATH` has written")
        };
        let metadata = std::fs::metadata(path).map_err(unread)?;
        if !metadata.is_file() {
            return Err(refused("it is no regular file"));
        }
        let mut file = File::open(path).map_err(unread)?;
        let Some(length) = metadata.len().checked_sub(SEAL) else { return Err(refused("it is too short")) };
        let mut title = vec![0; TITLE.len()];
        if file.read_exact(&mut title).is_err() || title != TITLE.as_bytes() {
            return Err(refused("it is no certificate of this version"));
        }
        file.seek(SeekFrom::Start(0)).map_err(unread)?;
        if !is_sealed(&mut file, length).map_err(unread)? {
            return Err(refused("it is damaged: its seal is wrong"));
        }
        file.seek(SeekFrom::Start(TITLE.len() as u64)).map_err(unread)?;
        let mut sealed = Sealed { from: BufReader::new(file).take(length - TITLE.len() as u64), n_claims: 0 };
        let n_claims = sealed.line().and_then(|line| line.trim().parse().ok());
        sealed.n_claims = n_claims.ok_or_else(|| refused("it does not say how much is in it"))?;
        Ok(sealed)
    }

    /// The next line; none if there is none that is short enough to be one.
    pub(super) fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let n_read = (&mut self.from).take(LINE).read_line(&mut line).ok()?;
        (n_read > 0 && line.ends_with('\n')).then_some(line)
    }

    /// Whether all of it has been read.
    pub(super) fn is_at_end(&self) -> bool {
        self.from.limit() == 0
    }
}

impl Read for Sealed {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.from.read(bytes)
    }
}

/// Whether the first bytes of a file, so many, have the hash that stands behind them.
fn is_sealed(file: &mut File, length: u64) -> io::Result<bool> {
    let (mut hash, mut left, mut bytes) = (Sha256::new(), length, vec![0; 1 << 16]);
    while left > 0 {
        let n = left.min(bytes.len() as u64) as usize;
        file.read_exact(&mut bytes[..n])?;
        hash.update(&bytes[..n]);
        left -= n as u64;
    }
    let mut seal = [0; SEAL as usize];
    file.read_exact(&mut seal)?;
    Ok(hash.finalize()[..] == seal)
}
