//! The opinions that are compared.

mod interpreter;
mod machine;
mod second;
mod spin;

pub use interpreter::Plain;
pub use machine::{Every, Run, answer_of_every, answer_of_run};
pub use second::Second;
pub use spin::Spin;

use crate::opinion::Opinion;
use ::machine::{LateReads, Reductions};

/// Reductions but for one, with the name of what is left out.
fn without() -> Vec<(&'static str, Reductions)> {
    let all = Reductions::ALL;
    vec![
        ("without symmetry", Reductions { symmetry: false, ..all }),
        ("without dead registers", Reductions { dead_registers: false, ..all }),
        ("without walls", Reductions { walls: false, ..all }),
        ("without partial order", Reductions { partial_order: false, ..all }),
        ("without late decisions", Reductions { late_decisions: false, ..all }),
        ("without ending runs", Reductions { ending_runs: false, ..all }),
        ("with late reads", Reductions { late_reads: LateReads::Always, ..all }),
        ("without reductions", Reductions { eager_closure: true, ..Reductions::NONE }),
    ]
}

/// Those that end with the first violation.
pub fn of_runs() -> Vec<Box<dyn Opinion>> {
    let run = |(name, reductions)| Box::new(Run { name, reductions, workers: 1 }) as Box<dyn Opinion>;
    let mut all: Vec<Box<dyn Opinion>> = without().into_iter().map(run).collect();
    all.push(Box::new(Run { name: "with two workers", reductions: Reductions::ALL, workers: 2 }));
    all
}

/// Those that look for every property.
pub fn of_every() -> Vec<Box<dyn Opinion>> {
    let every = |(name, reductions)| Box::new(Every { name, reductions }) as Box<dyn Opinion>;
    let mut all: Vec<Box<dyn Opinion>> =
        without().into_iter().filter(|(name, _)| *name != "with late reads").map(every).collect();
    all.push(Box::new(Plain));
    all.push(Box::new(Second));
    all
}
