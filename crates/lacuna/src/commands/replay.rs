//! `lacuna replay`: a stored trace, executed by the plain interpreter.

use crate::args::ReplayArgs;
use crate::exit::{Ended, Exit, print};
use crate::stored::{self, Bound};
use crate::terminal;
use report::lanes;

/// Runs the command.
pub(crate) fn run(args: &ReplayArgs) -> Ended {
    let bound = Bound::new(stored::read(&args.trace)?, &args.file)?;
    match bound.execute() {
        Ok(trace) => {
            let text = lanes(&bound.system.automata, &bound.protocol.loaded.sources, &trace, args.lanes.options());
            let what = if trace.loop_start.is_some() { "the run that repeats" } else { "the last" };
            print(&format!("{text}\nevery step is enabled, and {what} violates {}\n", bound.property_name()))?;
            Ok(Exit::Holds)
        }
        Err(error) => {
            terminal::complain(&format!("the trace is not one of this file: {error}"));
            Ok(Exit::Violated)
        }
    }
}
