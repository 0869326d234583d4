//! Certificates: files that let `holds` be checked again by the second opinion's rules.
//!
//! `file` is the whole file and its seal, `claim` what each part of it says it is of, `write` what `check --certificate` does,
//! `verify` the command.

mod claim;
mod file;
pub(crate) mod verify;
pub(crate) mod write;
