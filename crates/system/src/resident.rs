//! How much memory the process has, as the system counts it.

use std::fs::File;
use std::io::Read;
use std::sync::OnceLock;

/// Memory of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// Resident bytes.
    pub resident: u64,
    /// Bytes of address space.
    pub virtual_bytes: u64,
}

/// The memory of the process now; none where the system does not tell. Takes about a microsecond.
pub fn usage() -> Option<Usage> {
    static PAGE: OnceLock<u64> = OnceLock::new();
    let mut text = [0; 128];
    let n_read = read_start(&mut text)?;
    let text = std::str::from_utf8(&text[..n_read]).ok()?;
    let page = PAGE.get_or_init(|| page_bytes().unwrap_or(4096));
    let mut pages = text.split(' ').map(|word| word.parse::<u64>().ok());
    Some(Usage { virtual_bytes: pages.next()?? * page, resident: pages.next()?? * page })
}

/// The start of the file that tells it, which is opened once.
#[cfg(unix)]
fn read_start(text: &mut [u8]) -> Option<usize> {
    use std::os::unix::fs::FileExt;
    static FILE: OnceLock<Option<File>> = OnceLock::new();
    FILE.get_or_init(|| File::open("/proc/self/statm").ok()).as_ref()?.read_at(text, 0).ok()
}

#[cfg(not(unix))]
fn read_start(_: &mut [u8]) -> Option<usize> {
    None
}

/// The size of a page, from what the system tells every program at its start: pairs of a key and a value.
fn page_bytes() -> Option<u64> {
    const PAGE_SIZE: usize = 6;
    let mut bytes = Vec::new();
    File::open("/proc/self/auxv").ok()?.read_to_end(&mut bytes).ok()?;
    let mut words =
        bytes.chunks_exact(size_of::<usize>()).filter_map(|word| Some(usize::from_ne_bytes(word.try_into().ok()?)));
    while let (Some(key), Some(value)) = (words.next(), words.next()) {
        if key == PAGE_SIZE {
            return Some(value as u64);
        }
    }
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn memory_that_is_touched_is_resident() {
        assert!(page_bytes().is_some_and(|page| page >= 4096 && page.is_power_of_two()));
        let before = usage().expect("Linux tells");
        let touched = vec![1u8; 64 << 20];
        let after = usage().expect("Linux tells");
        assert!(touched[12345] == 1 && after.resident >= before.resident + (60 << 20), "{before:?} {after:?}");
        assert!(after.virtual_bytes >= after.resident);
    }
}
