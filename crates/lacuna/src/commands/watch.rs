//! `lacuna watch`: checks again whenever one of the files changes.
//!
//! Each check is a process of its own, `lacuna check` with the same words: it has its own limits, and is ended when its files change.
//! Files are looked at by their names, so it does not matter whether an editor writes into a file or puts a new one in its place.

use crate::args::CheckArgs;
use crate::exit::{Ended, Error, Exit};
use crate::progress::{self, STOP};
use crate::session::Disk;
use crate::{files, protocols, terminal};
use program::World;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant, SystemTime};

/// How often files are looked at. What has not changed for so long is written completely, as far as one can tell.
const TICK: Duration = Duration::from_millis(100);
/// How long a check may still speak after Ctrl-C.
const GRACE: Duration = Duration::from_millis(900);

/// Runs the command. It ends as the last check did.
pub(crate) fn run(args: &CheckArgs) -> Ended {
    if args.keeping.checkpoint.is_some() {
        return Err(Error::input("`watch` begins anew whenever a file changes, so it writes no checkpoints"));
    }
    progress::listen();
    loop {
        let files = Files::of(args);
        let seen = files.look();
        let mut check = begin()?;
        let mut ended = None;
        while files.look() == seen {
            if STOP.load(Ordering::SeqCst) {
                return Ok(ended.unwrap_or_else(|| last_words(&mut check)));
            }
            if ended.is_none() {
                ended = check.try_wait().ok().flatten().map(|status| Exit::of(status.code()));
                ended.inspect(|_| files.wait());
            }
            std::thread::sleep(TICK);
        }
        end(&mut check);
        files.settle();
        terminal::complain("\nchanged: checking again");
    }
}

/// Begins a check with the words that were typed.
fn begin() -> Result<Child, Error> {
    let words = std::env::args_os().skip(2);
    let child = std::env::current_exe().and_then(|own| Command::new(own).arg("check").args(words).spawn());
    child.map_err(|error| Error::input(format!("cannot begin a check: {error}")))
}

/// Ends a check, if it has not ended.
fn end(check: &mut Child) {
    // Fails only if it has ended.
    let _ = check.kill();
    let _ = check.wait();
}

/// How a check ends that Ctrl-C has reached too. If it continues, nothing has stopped it.
fn last_words(check: &mut Child) -> Exit {
    let begun = Instant::now();
    while begun.elapsed() < GRACE {
        if let Ok(Some(status)) = check.try_wait() {
            return Exit::of(status.code());
        }
        std::thread::sleep(TICK);
    }
    end(check);
    terminal::complain("interrupted");
    Exit::Inconclusive
}

/// The files that a check depends on, there or not.
struct Files {
    folders: Vec<PathBuf>,
    files: BTreeSet<PathBuf>,
}

/// What tells a file from the one that was there before.
type Stamp = Option<(SystemTime, u64, Option<files::Identity>)>;

impl Files {
    /// The files named, every file they use or would use if it were there, and memory models in files.
    fn of(args: &CheckArgs) -> Self {
        let tried = RefCell::new(BTreeSet::new());
        let world = |path: &Path| {
            tried.borrow_mut().insert(path.to_path_buf());
            Disk.read(path)
        };
        let folders: Vec<PathBuf> = args.files.iter().filter(|path| path.is_dir()).cloned().collect();
        let in_folders = folders.iter().flat_map(|folder| protocols::texts(folder).unwrap_or_default());
        for file in args.files.iter().filter(|path| !path.is_dir()).cloned().chain(in_folders) {
            program::load(&world, &file);
        }
        let mut files = tried.into_inner();
        // A folder may give way to a file of its name.
        files.extend(args.memory.iter().map(PathBuf::from).chain(args.files.iter().cloned()));
        Files { folders, files }
    }

    /// What is there now.
    fn look(&self) -> (Vec<PathBuf>, Vec<Stamp>) {
        let texts = self.folders.iter().flat_map(|folder| protocols::texts(folder).unwrap_or_default());
        (texts.collect(), self.files.iter().map(|file| stamp(file)).collect())
    }

    /// Waits until nothing changes: an editor may still be writing, or have taken the old file away.
    fn settle(&self) {
        let mut seen = self.look();
        loop {
            std::thread::sleep(TICK);
            let now = self.look();
            if now == seen || STOP.load(Ordering::SeqCst) {
                return;
            }
            seen = now;
        }
    }

    /// Says that it waits, and for how many files that are there.
    fn wait(&self) {
        let n_files = self.files.iter().filter(|file| file.is_file()).count();
        terminal::complain(&format!("\nwatching {n_files} file{}", if n_files == 1 { "" } else { "s" }));
    }
}

fn stamp(file: &Path) -> Stamp {
    let metadata = std::fs::metadata(file).ok().filter(std::fs::Metadata::is_file)?;
    Some((metadata.modified().ok()?, metadata.len(), files::identity(&metadata)))
}
