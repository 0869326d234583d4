//! The explorer page: a protocol's states in a browser, live or as a report in one file.
//!
//! Reading order: `subject` (what a page speaks of), `walk` (steps to states, by the plain interpreter), `view` (the JSON that
//! the page is given), `run` (a walk to that JSON) with `lanes`, `steps`, `choices`, `threads`, `heap`, `colours`, `freed` and `judge`; `seek` (the first
//! state where something is so); `why` (a violation explained); `assets` (the page itself) and `policy` (what it may load),
//! `document` (a report), `server` (the page, live).
//! What the browser does with the JSON is in `assets/`.

mod assets;
mod choices;
mod colours;
mod document;
mod freed;
mod heap;
mod judge;
mod lanes;
mod policy;
mod run;
mod seek;
mod server;
mod steps;
mod subject;
mod threads;
pub mod view;
mod walk;
mod why;

pub use document::document;
pub use run::run;
pub use seek::{Effort, Sought, first_violation, first_where};
pub use server::{Caps, Server, Site};
pub use subject::{Opened, Subject, WATCH};
pub use walk::{Visit, Walk, walk};
pub use why::{because, why};
