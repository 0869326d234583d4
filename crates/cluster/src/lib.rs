//! Several processes, on one machine or many, search one system together. Knows only the seam, and timely dataflow.
//!
//! Reading order: `task` (what is searched, and the outcome), `flow` (the dataflow), `member` (one worker: level by level) with `limits`, `owner` (which worker has a state),
//! `part` (the states of a worker), `parcel` (states under way) with `recent`, `news` (what else is told), `trace` (the way to a violation), `checkpoint`,
//! `run` (the workers of a process), `hosts`, `greeting` and `meeting` (how processes find one another, and what they compare before they begin).
//!
//! Processes trust one another: see the book's chapter "From a laptop to a cluster".

mod checkpoint;
mod flow;
mod greeting;
mod hosts;
mod limits;
mod meeting;
mod member;
mod news;
mod owner;
mod parcel;
mod part;
mod recent;
mod run;
mod task;
mod trace;

pub use checkpoint::generation_in;
pub use greeting::Identity;
pub use hosts::read_hosts;
pub use meeting::{Guest, Host, NoMeeting, Told};
pub use run::{Failure, search};
pub use task::{Goal, Outcome, Saved, Task};
