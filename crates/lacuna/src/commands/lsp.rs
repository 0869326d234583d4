//! `lacuna lsp`: an editor is served on standard input and output.

use crate::exit::{Ended, Exit};
use crate::protocols;
use crate::session::Disk;
use std::path::{Path, PathBuf};
use std::sync::Arc;

impl lsp::Disk for Disk {
    fn texts(&self, folder: &Path) -> Vec<PathBuf> {
        protocols::texts(folder).unwrap_or_default()
    }
}

/// Runs the command. It ends with 1 if the editor went away without a word.
pub(crate) fn run() -> Ended {
    let (connection, writing) = lsp::connect();
    let is_proper = lsp::serve(&connection, Arc::new(Disk));
    // The thread that writes ends when nobody can send any more.
    drop(connection);
    let is_written = writing.join().is_ok();
    Ok(if is_proper && is_written { Exit::Holds } else { Exit::Violated })
}
