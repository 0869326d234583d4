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

/// All reductions but one, and none, each with its name.
fn settings() -> Vec<(String, Reductions)> {
    let named = |(name, reductions)| (format!("without {name}"), reductions);
    // A random program is too small for late reads, so without them nothing changes.
    let mut settings: Vec<_> =
        Reductions::without_each().filter(|(name, _)| *name != "late-reads").map(named).collect();
    settings.push(("without reductions".into(), Reductions { eager_closure: true, ..Reductions::NONE }));
    settings
}

/// Those that end with the first violation.
pub fn of_runs() -> Vec<Box<dyn Opinion>> {
    let run = |(name, reductions)| Box::new(Run { name, reductions, workers: 1 }) as Box<dyn Opinion>;
    let mut all: Vec<Box<dyn Opinion>> = settings().into_iter().map(run).collect();
    let late = Reductions { late_reads: LateReads::Always, ..Reductions::ALL };
    all.push(run(("with late reads".into(), late)));
    all.push(Box::new(Run { name: "with two workers".into(), reductions: Reductions::ALL, workers: 2 }));
    all
}

/// Those that look for every property.
pub fn of_every() -> Vec<Box<dyn Opinion>> {
    let every = |(name, reductions)| Box::new(Every { name, reductions }) as Box<dyn Opinion>;
    let mut all: Vec<Box<dyn Opinion>> = settings().into_iter().map(every).collect();
    all.push(Box::new(Plain));
    all.push(Box::new(Second));
    all
}
