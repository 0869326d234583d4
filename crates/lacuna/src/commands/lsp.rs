//! `lacuna lsp`: an editor is served on standard input and output.

use crate::exit::{Ended, Error, Exit};
use crate::protocols;
use crate::session::Disk;
use lsp_server::Connection;
use std::path::{Path, PathBuf};
use std::sync::Arc;

impl lsp::Disk for Disk {
    fn texts(&self, folder: &Path) -> Vec<PathBuf> {
        protocols::texts(folder).unwrap_or_default()
    }
}

/// Runs the command. It ends with 1 if the editor went away without a word.
pub(crate) fn run() -> Ended {
    let (connection, threads) = Connection::stdio();
    let is_proper = lsp::serve(&connection, Arc::new(Disk));
    // The thread that writes ends when nobody can send any more.
    drop(connection);
    let ended = threads.join().map_err(|error| Error::input(format!("cannot speak with the editor: {error}")));
    if is_proper { Ok(Exit::Holds) } else { ended.map(|()| Exit::Violated) }
}
