//! The files of a run of the laboratory: `--out` for what was found, `--record` for all that is needed to judge it elsewhere.
//!
//! They are written anew whenever a case is done, so that a run that is stopped, or killed, leaves what it has.

use crate::args::HtmArgs;
use crate::exit::{Error, write};
use laboratory::Findings;
use report::laboratory as pages;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where to, and what.
pub(super) struct Record {
    folder: Option<PathBuf>,
    /// Command and commit, if all is wanted.
    origin: Option<String>,
}

impl Record {
    /// Makes the folder, and writes where the run comes from: a folder that takes no file is told at once.
    pub(super) fn new(args: &HtmArgs) -> Result<Record, Error> {
        let folder = args.record.clone().or(args.out.clone());
        if let Some(folder) = &folder {
            let message = |e| Error::input(format!("cannot create the folder `{}`: {e}", folder.display()));
            std::fs::create_dir_all(folder).map_err(message)?;
        }
        let origin = args.record.as_ref().map(|_| origin());
        if let (Some(folder), Some(origin)) = (&folder, &origin) {
            save(folder, "origin.txt", origin)?;
        }
        Ok(Record { folder, origin })
    }

    pub(super) fn is_wanted(&self) -> bool {
        self.folder.is_some()
    }

    /// Keeps what there is so far, which is not all. If that fails, the run continues: its end tells.
    pub(super) fn keep(&self, findings: &Findings) {
        if self.folder.is_some() {
            let _ = self.finish(&Findings { is_cut_short: true, ..findings.clone() });
        }
    }

    /// Writes all files.
    pub(super) fn finish(&self, findings: &Findings) -> Result<(), Error> {
        let Some(folder) = &self.folder else { return Ok(()) };
        save(folder, "htm.csv", &pages::csv(findings))?;
        save(folder, "htm.json", &pages::json(findings))?;
        save(folder, "htm.html", &pages::page(findings))?;
        if self.origin.is_some() {
            save(folder, "repetitions.csv", &pages::raw(&findings.cells))?;
            save(folder, "summary.txt", &pages::summary(findings))?;
        }
        Ok(())
    }
}

fn save(folder: &Path, name: &str, content: &str) -> Result<(), Error> {
    write(&folder.join(name).display().to_string(), content)
}

/// What was run, and from which commit, if the source is at hand.
fn origin() -> String {
    let command: Vec<String> = std::env::args().collect();
    let git = |arguments: &[&str]| {
        let output = Command::new("git").current_dir(env!("CARGO_MANIFEST_DIR")).args(arguments).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_string())
    };
    let commit = git(&["rev-parse", "HEAD"]).unwrap_or_else(|| "unknown".into());
    let changes = match git(&["status", "--porcelain"]) {
        Some(changes) if changes.is_empty() => "none",
        Some(_) => "some: the source differs from the commit",
        None => "unknown",
    };
    let version = env!("CARGO_PKG_VERSION");
    format!("command  {}\nversion  {version}\ncommit   {commit}\nchanges  {changes}\n", command.join(" "))
}
