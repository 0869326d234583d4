//! Automata as text, one line per point: `write` prints them, `read` reads them back.
//!
//! `read(&write(&automata))` is `automata` without its spans: a text has no source to point into, so what is read has
//! `Span::none()` everywhere, and no parts of properties. Everything else is in the text. Two things have one form only: a negated constant is a
//! negative constant, and a point that names its successors itself (`if`, `choose`, `abort`, `halt`) has itself as `next`.
//!
//! ```text
//! cell x: 0..3 = 0                      bus, cell or abstract: name, domain, first value
//! graph0                                a graph, and an object of it on each line below:
//!   n0: n0.next if marked == 1          its references, and when paths may step to it
//! invariant small level 2: x < 3        also forbid, assert, unchecked
//! ltl answered: always atom_0 fairly    with the atoms on the lines below
//!   x == 0
//! cover reached: x == 3
//! defined in_range of property small: y != 0
//! thread t
//!   register r: 0..3 = 1 observed
//!   entry p1                            unless p0
//!   keeps p0<p1
//!   p0: @label r = x.load() -> p2       -> unless the next line
//!   p1: [n0.data + r*3 of 2].store(1, release)  // procedures > inlined
//!   p2: halt
//! ```
//!
//! What no run depends on comes last: the parts of a cell's name where its dots do not say
//! them (`place`), the names of values (`names x: 0 "Idle"`), guarantees, and what a symmetry may permute
//! (`sort`, `standing`, `shapes`).

mod read;
mod write;

pub use read::{ReadError, read};
pub use write::{action, program, state, write};
