//! What one command may use: the time since the program began, and memory by what was typed and what the system allows.

use crate::exit::Error;
use crate::progress::STOP;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use system::Budget;

/// When the program began.
static BEGUN: OnceLock<Instant> = OnceLock::new();

/// Notes that the program begins.
pub(crate) fn begin() {
    BEGUN.get_or_init(Instant::now);
}

/// What the whole command may use, once that is known.
static COMMAND: OnceLock<Budget> = OnceLock::new();

/// Notes what the whole command may use.
pub(crate) fn set_command(timeout: Option<Duration>, max_bytes: Option<u64>) {
    COMMAND.get_or_init(|| budget(timeout, max_bytes));
}

/// The budget of one part of the command, for what is done before there are runs; without limits where none are known.
pub(crate) fn command() -> Budget {
    COMMAND.get().map_or_else(Budget::default, |budget| budget.part(None))
}

/// The budget of a command that may take so long from its beginning.
pub(crate) fn budget(timeout: Option<Duration>, max_bytes: Option<u64>) -> Budget {
    Budget::new(time_left(timeout), max_bytes.map(less_margin), &STOP)
        .in_address_space(address_space().map(|max| max / 10 * 9))
}

/// What is left of a time that began with the program.
pub(crate) fn time_left(timeout: Option<Duration>) -> Option<Duration> {
    let elapsed = BEGUN.get_or_init(Instant::now).elapsed();
    timeout.map(|timeout| timeout.saturating_sub(elapsed))
}

/// Where to stop so that what is under way still fits: the process has not more than the limit when it ends.
fn less_margin(max: u64) -> u64 {
    max - max / 64 - (max / 32).min(2_000_000)
}

/// A time limit in seconds.
pub(crate) fn timeout(seconds: Option<f64>) -> Result<Option<Duration>, Error> {
    match seconds {
        Some(seconds) if !(seconds.is_finite() && seconds >= 0.0) => {
            Err(Error::input(format!("the timeout cannot be {seconds}")).hint("it takes seconds, such as 2.5"))
        }
        seconds => Ok(seconds.map(|s| Duration::from_secs_f64(s.min(1e9)))),
    }
}

/// How many processes share the memory of this machine.
static SHARERS: AtomicU64 = AtomicU64::new(1);

/// Notes that so many processes of one command share what it may use.
pub(crate) fn share(n_processes: usize) {
    SHARERS.store(n_processes.max(1) as u64, Ordering::Relaxed);
}

/// A limit on memory: what was typed, or most of what is free, and in no case more than most of what the process may have.
pub(crate) fn max_bytes(typed: Option<&str>) -> Result<Option<u64>, Error> {
    let wanted = typed.map(size).transpose()?.or_else(most_of_free_memory);
    let allowed = group_limit(Path::new("/sys/fs/cgroup"), &read("/proc/self/cgroup")).map(|max| max / 20 * 19);
    let all = [wanted, allowed].into_iter().flatten().min();
    Ok(all.map(|max| max / SHARERS.load(Ordering::Relaxed)))
}

/// Four fifths of the memory that is free now: better an inconclusive run than a dead one. None where the
/// system does not tell.
fn most_of_free_memory() -> Option<u64> {
    let text = read("/proc/meminfo");
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().trim_end_matches(" kB").trim().parse().ok()?;
    Some(kilobytes * 1024 / 5 * 4)
}

/// The address space that the process may have (`ulimit -v`).
fn address_space() -> Option<u64> {
    let text = read("/proc/self/limits");
    let line = text.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

fn read(path: impl AsRef<Path>) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

/// The least limit of the process's control groups and of those above, by what `/proc/self/cgroup` says. In version 2 one
/// hierarchy has all; in version 1 memory has its own.
fn group_limit(root: &Path, groups: &str) -> Option<u64> {
    let limits = groups.lines().filter_map(|line| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next()?, parts.next()?);
        match controllers {
            "" => least(root, path, &["memory.max", "memory.high"]),
            _ if controllers.split(',').any(|controller| controller == "memory") => {
                least(&root.join("memory"), path, &["memory.limit_in_bytes"])
            }
            _ => None,
        }
    });
    limits.min()
}

/// The least number in files of these names, from the group at `path` up to the root. Within a container the path may be
/// one of the host: then only the root is there.
fn least(root: &Path, path: &str, names: &[&str]) -> Option<u64> {
    let group = root.join(path.trim_start_matches('/'));
    let groups = group.ancestors().take_while(|group| group.starts_with(root));
    let files = groups.flat_map(|group| names.iter().map(move |name| group.join(name)));
    // Without a limit there is a word, or a number that no machine has.
    files.filter_map(|file| read(file).trim().parse().ok()).filter(|max| *max < 1 << 60).min()
}

fn size(text: &str) -> Result<u64, Error> {
    let (digits, factor) = match text.trim().to_ascii_uppercase() {
        t if t.ends_with('K') => (t[..t.len() - 1].to_string(), 1_000),
        t if t.ends_with('M') => (t[..t.len() - 1].to_string(), 1_000_000),
        t if t.ends_with('G') => (t[..t.len() - 1].to_string(), 1_000_000_000),
        t => (t, 1),
    };
    let wrong = || Error::input(format!("`{text}` is no size")).hint("write bytes, or a number with K, M or G");
    digits.parse::<u64>().ok().and_then(|n| n.checked_mul(factor)).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with these files, removed at the end.
    struct Groups(std::path::PathBuf);

    impl Groups {
        fn new(name: &str, files: &[(&str, &str)]) -> Self {
            let root = std::env::temp_dir().join(format!("lacuna-groups-{name}-{}", std::process::id()));
            for (path, text) in files {
                let path = root.join(path);
                std::fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
                std::fs::write(path, text).expect("it can be written");
            }
            Groups(root)
        }
    }

    impl Drop for Groups {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn the_least_limit_of_a_group_and_those_above_counts() {
        let files = [("memory.max", "max\n"), ("a/memory.max", "3000\n"), ("a/b/memory.max", "max\n")];
        let groups = Groups::new("v2", &files);
        assert_eq!(group_limit(&groups.0, "0::/a/b\n"), Some(3000));
        assert_eq!(group_limit(&groups.0, "0::/\n"), None);
        assert_eq!(group_limit(&groups.0, "0::/a/unknown\n"), Some(3000));
        assert_eq!(group_limit(&groups.0, ""), None);
    }

    #[test]
    fn memory_has_its_own_hierarchy_in_version_1() {
        let files =
            [("memory/memory.limit_in_bytes", "9223372036854771712\n"), ("memory/a/memory.limit_in_bytes", "700\n")];
        let groups = Groups::new("v1", &files);
        assert_eq!(group_limit(&groups.0, "5:cpu,cpuacct:/a\n4:memory:/a\n"), Some(700));
        assert_eq!(group_limit(&groups.0, "5:cpu:/a\n4:memory:/\n"), None);
    }
}
