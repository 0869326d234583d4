//! What tests of `orders` and `repair` share: a question with default options and costs about all scenarios of a file.

use memory::MemoryModel;
use program::Loaded;
use repair::{Costs, Question};
use workbench::RunOptions;

/// What `look` makes of the question about a variant, given the names of its scenarios too.
pub(crate) fn ask<T>(
    loaded: &Loaded,
    variant: &str,
    memory: &MemoryModel,
    look: impl FnOnce(Question<'_>, &[String]) -> T,
) -> T {
    let (options, costs, control) = (RunOptions::default(), Costs::built_in(), explore::Control::quiet());
    let scenarios: Vec<String> = program::outline(loaded).scenarios.into_iter().map(|scenario| scenario.name).collect();
    let question = Question {
        loaded,
        variant,
        scenarios: &scenarios,
        set: &[],
        memory,
        options: &options,
        begun: std::time::Instant::now(),
        costs: &costs[0],
        control: &control,
    };
    look(question, &scenarios)
}
