//! Boolean circuits, numbers in them, and a solver.
//!
//! Reading order: `graph` (and-inverter graphs, shared and folded as they are built), `bits` (numbers as vectors of
//! literals), `arithmetic` and `order` (operations on them), `substitute` (a circuit over other circuits), `solver` (is
//! there an assignment? which assumptions exclude one?). Knows nothing of programs.

mod arithmetic;
mod bits;
mod graph;
mod order;
mod solver;
mod substitute;

pub use bits::Bits;
pub use graph::{Graph, Lit};
pub use solver::{Answer, Budget, Solver};
pub use substitute::Substitution;
