//! What the emulation has counted.

use crate::forbidden::Forbidden;
use htm::Tally;
use std::fmt;

/// Transactions and instructions since the emulation began.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Outermost transactions: begun, committed, aborted by cause.
    pub tally: Tally,
    /// Instructions that were looked at before they were executed.
    pub n_stepped: u64,
    /// Forbidden instructions that were met, each of which aborted its transaction.
    pub n_forbidden: u64,
}

/// A forbidden instruction, and where it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offence {
    /// What is wrong with it.
    pub forbidden: Forbidden,
    /// Its address.
    pub address: u64,
    /// The file it comes from, as the system lists it.
    pub file: String,
    /// Where it is in the file's image: what `addr2line -e FILE` wants to know.
    pub offset: u64,
}

impl Counts {
    /// What has been counted since `earlier`.
    pub fn since(&self, earlier: &Counts) -> Counts {
        let mut aborts = self.tally.aborts;
        aborts.iter_mut().zip(earlier.tally.aborts).for_each(|(now, then)| *now -= then);
        Counts {
            tally: Tally {
                attempts: self.tally.attempts - earlier.tally.attempts,
                commits: self.tally.commits - earlier.tally.commits,
                aborts,
            },
            n_stepped: self.n_stepped - earlier.n_stepped,
            n_forbidden: self.n_forbidden - earlier.n_forbidden,
        }
    }
}

impl Offence {
    /// The instruction at an address, found in a listing of the process' mappings.
    pub(crate) fn new(forbidden: Forbidden, address: u64, mappings: &str) -> Offence {
        let hex = |text: &str| u64::from_str_radix(text, 16).unwrap_or(0);
        // Of a file all mappings lie side by side, and the image begins with the first.
        let rows = mappings.lines().filter_map(|line| {
            let (start, end) = line.split_whitespace().next()?.split_once('-')?;
            Some((hex(start), hex(end), line.split_whitespace().nth(5).unwrap_or("")))
        });
        let rows: Vec<_> = rows.collect();
        let file = rows.iter().find(|(start, end, _)| (*start..*end).contains(&address)).map_or("", |row| row.2);
        let base = rows.iter().find(|row| row.2 == file).map_or(0, |row| row.0);
        Offence { forbidden, address, file: file.to_string(), offset: address - base }
    }
}

impl fmt::Display for Offence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {:#x}: addr2line -fCie {} {:#x}", self.forbidden, self.address, self.file, self.offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_named_by_its_file_and_offset() {
        let mappings =
            "1000-2000 r--p 0 00:00 5 /bin/x\n2000-3000 r-xp 1000 00:00 5 /bin/x\n4000-5000 rw-p 0 00:00 0\n";
        let offence = Offence::new(Forbidden::Pause, 0x2010, mappings);
        assert_eq!(offence.to_string(), "pause at 0x2010: addr2line -fCie /bin/x 0x1010");
    }
}
