//! A language server: what editors ask of texts that are being written, over the language server protocol.
//!
//! Reading order: `pipes` (the editor), `documents` (open texts over the disk), `place` (positions and addresses of the protocol),
//! `server` (messages in, answers out), `shared` and `look` (its other threads).
//! The answers: `diagnostics`, `declarations` with `definition` and `hover`, `accesses` (who reads and writes what), `lens` with `check`.
//! Takes files through a [`Disk`]; knows neither terminals nor options.

mod accesses;
mod check;
mod declarations;
mod definition;
mod diagnostics;
mod documents;
mod hover;
mod lens;
mod look;
mod pipes;
mod place;
mod server;
mod shared;

pub use documents::Disk;
pub use pipes::connect;
pub use server::serve;
