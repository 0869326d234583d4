//! One file per command.

pub(crate) mod certificate;
pub(crate) mod check;
mod cross_check;
pub(crate) mod explain;
pub(crate) mod explore;
pub(crate) mod export;
pub(crate) mod fmt;
pub(crate) mod htm;
pub(crate) mod litmus;
pub(crate) mod lsp;
pub(crate) mod mutants;
pub(crate) mod new;
pub(crate) mod ordering;
pub(crate) mod orders;
pub(crate) mod prove;
pub(crate) mod repair;
pub(crate) mod replay;
pub(crate) mod reproduce;
pub(crate) mod resume;
pub(crate) mod scope;
mod second;
pub(crate) mod shell;
pub(crate) mod show;
pub(crate) mod simulate;
pub(crate) mod watch;
