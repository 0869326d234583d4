//! Checkpoints of a whole command: what was asked, and a folder for each run.
//!
//! `command.json` has the words that were typed and what they meant then: a hash of this program, and one of all texts and memory models.
//! The folder of a run has the checkpoint of its search or, once it has ended, its answer.

use super::finished::Finished;
use super::request::Request;
use crate::args::{CheckArgs, KeepingArgs};
use crate::exit::Error;
use crate::files;
use crate::terminal::complain;
use base::suggest;
use explore::checksum;
use serde::{Deserialize, Serialize};
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use workbench::{Answer, Keeping, Question, Unusable};

/// The form of the files: a checkpoint of another form is refused.
const FORM: u32 = 1;
const COMMAND: &str = "command.json";
const ANSWER: &str = "answer.json";

/// A command as it was typed, and what it meant.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub(crate) struct Command {
    form: u32,
    version: String,
    /// The hash of the program.
    build: u64,
    /// Where it was typed.
    pub(crate) directory: PathBuf,
    /// What was typed after `check`.
    pub(crate) words: Vec<String>,
    /// The hash of all texts and memory models.
    texts: u64,
    /// Of all the above.
    checksum: u64,
}

/// Where a command keeps the states of its runs.
pub(crate) enum Saving {
    /// In memory, or on disk.
    Not(Keeping),
    /// In memory, with checkpoints.
    In(Saved),
}

pub(crate) struct Saved {
    folder: PathBuf,
    every: Duration,
    identity: u64,
    /// Held as long as the command runs: nobody else continues it meanwhile.
    _lock: Arc<File>,
}

/// Where one run keeps its states.
pub(super) struct Place(Saving);

impl Command {
    /// The command that is running.
    fn now(requests: &[Request<'_>]) -> Result<Self, Error> {
        let words = std::env::args_os().skip(2).map(|word| word.into_string());
        let words = words.collect::<Result<_, _>>().map_err(|_| Error::input("checkpoints need names in UTF-8"))?;
        let directory =
            std::env::current_dir().map_err(|e| Error::input(format!("there is no current folder: {e}")))?;
        let (build, texts) = (build()?, texts(requests));
        let version = env!("CARGO_PKG_VERSION").into();
        Ok(Command { form: FORM, version, build, directory, words, texts, checksum: 0 }.sealed())
    }

    /// The command that a folder is of.
    pub(crate) fn read(folder: &Path) -> Result<Self, Error> {
        let path = folder.join(COMMAND);
        let unread = |what: String| {
            let error = Error::input(format!("there is no checkpoint in `{}`: {what}", folder.display()));
            error.hint("`lacuna check FILE --checkpoint DIR` writes one")
        };
        let text = files::read(&path).map_err(|e| unread(format!("cannot read `{COMMAND}`: {e}")))?;
        let command: Command =
            serde_json::from_str(&text).map_err(|e| unread(format!("`{COMMAND}` is damaged: {e}")))?;
        if command.clone().sealed() != command {
            return Err(unread(format!("`{COMMAND}` is damaged: its checksum is wrong")));
        }
        if command.form != FORM || command.build != build()? {
            let message =
                format!("the checkpoint was written by another build of Lacuna (version {})", command.version);
            return Err(Error::input(message).hint("continue it with that build, or begin anew"));
        }
        Ok(command)
    }

    fn sealed(self) -> Self {
        let all = format!("{:?}", Command { checksum: 0, ..self.clone() });
        Command { checksum: checksum(0, all.as_bytes()), ..self }
    }
}

/// The hash of this program.
pub(super) fn build() -> Result<u64, Error> {
    let bytes = std::env::current_exe().and_then(std::fs::read);
    bytes.map(|bytes| checksum(0, &bytes)).map_err(|e| Error::input(format!("cannot read this program: {e}")))
}

/// The hash of all texts and memory models, as they are now.
fn texts(requests: &[Request<'_>]) -> u64 {
    requests.iter().fold(0, |hash, request| {
        let texts = request.sources().iter().map(|(_, source)| source);
        let hash =
            texts.fold(hash, |hash, source| checksum(checksum(hash, source.name.as_bytes()), source.text.as_bytes()));
        checksum(hash, format!("{:?}", request.memories).as_bytes())
    })
}

impl Saving {
    /// What the command asks for: nothing, or checkpoints in a folder that has none.
    pub(super) fn begin(args: &CheckArgs, requests: &[Request<'_>]) -> Result<Self, Error> {
        let Some(folder) = &args.keeping.checkpoint else { return Ok(Saving::Not(store(&args.keeping)?)) };
        let every = every(&args.keeping)?;
        let cannot = |e: std::io::Error| {
            let message = format!("cannot write to `{}`: {e}", folder.display());
            Error::input(message).hint("name a folder that is not there yet, or an empty one")
        };
        std::fs::create_dir_all(folder).map_err(cannot)?;
        let folder = std::fs::canonicalize(folder).map_err(cannot)?;
        if folder.join(COMMAND).exists() {
            let error = Error::input(format!("there is a checkpoint in `{}` already", folder.display()));
            return Err(error.hint(format!("`lacuna resume {}` continues it", folder.display())));
        }
        if std::fs::read_dir(&folder).map_err(cannot)?.next().is_some() {
            return Err(Error::input(format!("`{}` is not empty", folder.display())).hint("name a new folder"));
        }
        let command = Command::now(requests)?;
        files::write(&folder.join(COMMAND), &super::formats::to_json(&command))?;
        let lock = lock(&folder)?;
        Ok(Saving::In(Saved { folder, every, identity: command.checksum, _lock: lock }))
    }

    /// What a command asks for that is continued.
    pub(crate) fn resume(
        folder: PathBuf,
        command: &Command,
        args: &CheckArgs,
        requests: &[Request<'_>],
    ) -> Result<Self, Error> {
        if texts(requests) != command.texts {
            let message = format!("the checkpoint in `{}` is of other texts: a file has changed", folder.display());
            return Err(Error::input(message).hint("begin anew with `lacuna check`"));
        }
        let (every, lock) = (every(&args.keeping)?, lock(&folder)?);
        Ok(Saving::In(Saved { folder, every, identity: command.checksum, _lock: lock }))
    }

    /// Where the run at this position keeps its states.
    pub(super) fn place(&self, run: usize) -> Place {
        Place(match self {
            Saving::Not(keeping) => Saving::Not(keeping.clone()),
            Saving::In(saved) => Saving::In(Saved {
                folder: saved.folder.join(format!("run-{run}")),
                every: saved.every,
                identity: checksum(saved.identity, &run.to_le_bytes()),
                _lock: saved._lock.clone(),
            }),
        })
    }
}

impl Place {
    /// The answer, if the run has ended before.
    pub(super) fn finished(&self, question: &Question<'_>) -> Result<Option<Answer>, Error> {
        let Saving::In(Saved { folder, identity, .. }) = &self.0 else { return Ok(None) };
        let path = folder.join(ANSWER);
        if !path.exists() {
            return Ok(None);
        }
        let text = files::read(&path).map_err(|e| Error::input(format!("cannot read `{}`: {e}", path.display())))?;
        let answer = Finished::read(&text, *identity).and_then(|finished| finished.answer(question));
        answer.map(Some).ok_or_else(|| refused(Unusable(format!("`{}` is damaged", path.display()))))
    }

    /// Where its search keeps states.
    pub(super) fn keeping(&self) -> Result<Keeping, Error> {
        let (folder, every, identity) = match &self.0 {
            Saving::Not(keeping) => return Ok(keeping.clone()),
            Saving::In(Saved { folder, every, identity, .. }) => (folder, every, identity),
        };
        std::fs::create_dir_all(folder)
            .map_err(|e| Error::input(format!("cannot write to `{}`: {e}", folder.display())))?;
        if has_no_manifest(folder) {
            complain(&format!(
                "the run in `{}` begins anew: there is no checkpoint of it yet, or no more",
                folder.display()
            ));
        }
        Ok(Keeping::Saved { folder: folder.clone(), every: *every, identity: *identity })
    }

    /// The run has ended: its answer takes the place of its checkpoint, unless it can be continued.
    pub(super) fn finish(&self, answer: &Answer) -> Result<(), Error> {
        let Saving::In(Saved { folder, identity, .. }) = &self.0 else { return Ok(()) };
        if answer.limit().is_some() {
            return Ok(());
        }
        files::write(&folder.join(ANSWER), &Finished::of(answer).write(*identity))?;
        let rest = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        for path in rest.filter(|path| path.file_name() != Some(ANSWER.as_ref())) {
            // What cannot be removed does no harm.
            let _ = std::fs::remove_file(&path).or_else(|_| std::fs::remove_dir_all(&path));
        }
        Ok(())
    }
}

/// Whether a run was begun in a folder, and nothing says how much of its journal counts.
fn has_no_manifest(folder: &Path) -> bool {
    let mut names = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
    !folder.join("manifest").exists() && names.any(|name| name.to_string_lossy().starts_with("journal-"))
}

/// A checkpoint that cannot be continued.
pub(super) fn refused(unusable: Unusable) -> Error {
    Error::input(unusable.0).hint("begin anew with `lacuna check`, in a folder of its own")
}

/// Keeps others from continuing the same command; a process that is killed holds nothing any more.
fn lock(folder: &Path) -> Result<Arc<File>, Error> {
    let path = folder.join(COMMAND);
    let file = File::open(&path).map_err(|e| Error::input(format!("cannot read `{}`: {e}", path.display())))?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => {
            Err(Error::input(format!("another process is at work in `{}`", folder.display()))
                .hint("wait for it, or stop it"))
        }
        // Where files cannot be locked, checksums still tell what is damaged.
        _ => Ok(Arc::new(file)),
    }
}

/// The store that was typed: memory if none was.
fn store(args: &KeepingArgs) -> Result<Keeping, Error> {
    match &args.store[..] {
        [kind, folder] if kind == "disk" => Ok(Keeping::Disk(folder.into())),
        [kind, ..] => Err(Error::input(format!("there is no store `{kind}`")).hint(suggest::choice(kind, &["disk"]))),
        [] => Ok(Keeping::Memory),
    }
}

/// The time between two checkpoints: `60s`, `5m`, `1h`, or seconds.
fn every(args: &KeepingArgs) -> Result<Duration, Error> {
    let text = args.every.trim();
    let (digits, factor) = match text.chars().last() {
        Some('s') => (&text[..text.len() - 1], 1.0),
        Some('m') => (&text[..text.len() - 1], 60.0),
        Some('h') => (&text[..text.len() - 1], 3600.0),
        _ => (text, 1.0),
    };
    let seconds = digits.parse::<f64>().ok().map(|number| number * factor).filter(|s| (0.0..=1e9).contains(s));
    let seconds = seconds.ok_or_else(|| Error::input(format!("`{text}` is no time")).hint("write 60s, 5m or 1h"))?;
    Ok(Duration::from_secs_f64(seconds))
}
