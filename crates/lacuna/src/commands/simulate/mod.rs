//! `lacuna simulate`: random walks where a search of everything does not fit. It finds violations, and never says that something holds.
//!
//! `walk` is one walk, `shrink` makes the way to a violation shorter. Walks go in rounds: those of a round are made at the same time and know
//! what the rounds before have seen. So what is found depends on the seed, not on the number of workers.

mod json;
mod shrink;
mod walk;

use crate::args::{SearchArgs, SimulateArgs};
use crate::exit::{Ended, Error, Exit, print, write};
use crate::parallel;
use crate::session::{self, Protocol, Scope, System};
use automata::PropertyId;
use machine::{Compiled, LateReads};
use memory::MemoryModel;
use report::table::thousands;
use report::{LaneOptions, lanes};
use system::{Limit, TransitionSystem, hash};
use walk::{Plan, Seen, Starts, Walk, walk};
use workbench::{RunOptions, Trace, retrace};

/// Walks of a round.
const ROUND: u64 = 64;
/// So many states are remembered; beyond that, walks are guided by these alone.
const MOST_SEEN: usize = 1 << 23;

/// What the walks of one system have done.
struct Simulated {
    walks: u64,
    steps: u64,
    /// Distinct states, by hash; at least so many if memory for them ran out.
    states: u64,
    depth: u64,
    violations: Vec<Violation>,
    limit: Option<Limit>,
}

/// A property with a trace that the interpreter has executed.
struct Violation {
    property: String,
    trace: Trace,
    /// Steps that the walk had taken.
    found_after: usize,
}

/// What is simulated.
struct Subject<'a> {
    protocol: &'a Protocol,
    scope: &'a Scope,
    system: &'a System,
    memory: &'a MemoryModel,
    named: &'a str,
}

/// Runs the command.
pub(crate) fn run(args: &SimulateArgs) -> Ended {
    let scope = args.scope.scope()?;
    let memories = session::memories(&args.memory, &scope.switches)?;
    let (scope, names) = (scope.suited(&memories), session::memory_names(&args.memory));
    let protocol = session::open(&args.file)?;
    let search = SearchArgs { limits: args.limits.clone(), ..SearchArgs::default() };
    let mut options = session::run_options(&scope, !args.scope.no_deadlock, &search)?;
    options.machine.reductions.symmetry = false;
    options.machine.reductions.late_reads = LateReads::Never;
    let (mut runs, mut exit) = (Vec::new(), Exit::Inconclusive);
    for variant in protocol.variants(args.choice.variant.as_deref())? {
        for scenario in protocol.scenarios(args.choice.scenario.as_deref())? {
            let system = session::system(&protocol, &variant, &scenario, &scope.set)?;
            for (memory, named) in memories.iter().zip(&names) {
                session::refuse_without_run(&system.automata, memory, &options.machine)?;
                session::refuse_for_memory(&protocol.loaded.sources, &system.automata, memory)?;
                let subject = Subject { protocol: &protocol, scope: &scope, system: &system, memory, named };
                let found = simulate(args, &subject, &options)?;
                if args.json.as_deref() != Some("-") {
                    print(&words(args, &subject, &found))?;
                }
                exit = if found.violations.is_empty() { exit } else { Exit::Violated };
                runs.push(json::run(args, &subject, &found));
            }
        }
    }
    args.json.as_ref().map_or(Ok(()), |path| write(path, &super::check::formats::to_json(&runs)))?;
    Ok(exit)
}

/// Walks in rounds, up to the round that shows a violation.
fn simulate(args: &SimulateArgs, subject: &Subject<'_>, options: &RunOptions) -> Result<Simulated, Error> {
    let mut options = options.clone();
    options.machine.budget = options.machine.budget.part(options.search.limits.timeout);
    let compiled = Compiled::new(&subject.system.automata, subject.memory, &options.machine);
    let (mut seen, mut starts) = (Seen::default(), Starts::default());
    let mut done = Simulated { walks: 0, steps: 0, states: 0, depth: 0, violations: Vec::new(), limit: None };
    while done.walks < args.walks && done.violations.is_empty() && done.limit.is_none() {
        let numbers: Vec<u64> = (done.walks..(done.walks + ROUND).min(args.walks)).collect();
        let plan = Plan { seed: args.seed, depth: args.depth, seen: &seen, starts: &starts };
        let walks = parallel::map(&numbers, |number| walk(&compiled, &plan, *number));
        done.limit = options.machine.budget.look();
        if done.limit.is_some() && compiled.cut().is_some() {
            // What was cut counts for nothing.
            break;
        }
        for walk in walks {
            done.walks += 1;
            // The first state of a path is no step.
            done.steps += walk.path.len().saturating_sub(walk.begun_at.max(1)) as u64;
            done.depth = done.depth.max(walk.path.len().saturating_sub(1) as u64);
            done.states += remember(&walk, &mut seen, &mut starts);
            done.note(&compiled, subject, walk)?;
        }
    }
    Ok(done)
}

/// Remembers the states of a walk, and those that are new as places to begin at. How many these are.
fn remember(walk: &Walk, seen: &mut Seen, starts: &mut Starts) -> u64 {
    let states = walk.path.iter().enumerate();
    let new: Vec<usize> =
        states.filter(|(_, s)| seen.len() < MOST_SEEN && seen.insert(hash(s))).map(|(at, _)| at).collect();
    let n_new = new.len() as u64;
    if let (Some(last), None) = (new.last(), walk.violated) {
        starts.keep(walk.path[..=*last].to_vec(), new.into_iter());
    }
    n_new
}

impl Simulated {
    /// Notes the violation that a walk has shown, unless another has shown one of the same property.
    fn note(&mut self, compiled: &Compiled<'_>, subject: &Subject<'_>, walk: Walk) -> Result<(), Error> {
        let Some(id) = walk.violated.map(PropertyId) else { return Ok(()) };
        let property = subject.system.automata.properties[id].name.clone();
        if self.violations.iter().any(|violation| violation.property == property) {
            return Ok(());
        }
        let found_after = walk.path.len() - 1;
        let path = shrink::shrink(compiled, walk.path);
        match retrace(compiled, &path, id) {
            Ok(trace) => self.violations.push(Violation { property, trace, found_after }),
            Err(_) if compiled.cut().is_some() => self.limit = compiled.cut(),
            Err(error) => panic!("the interpreter does not confirm a walk that violates {property}: {error}"),
        }
        Ok(())
    }
}

/// What is said to people.
fn words(args: &SimulateArgs, subject: &Subject<'_>, found: &Simulated) -> String {
    let Subject { protocol, system, memory, .. } = subject;
    let verdict: Vec<&str> = found.violations.iter().map(|violation| violation.property.as_str()).collect();
    let verdict =
        if verdict.is_empty() { "no violation found".into() } else { format!("violated: {}", verdict.join(", ")) };
    let limit = found.limit.map_or(String::new(), |limit| format!(" ({})", limit.name()));
    let mut out = format!(
        "{} {} {} {}: {verdict}{limit}; seed {}, {} walks, {} steps, {} distinct states seen, deepest {}\n",
        protocol.outline.name,
        system.variant,
        system.scenario,
        memory.name,
        args.seed,
        thousands(found.walks),
        thousands(found.steps),
        thousands(found.states),
        found.depth,
    );
    for Violation { property, trace, found_after } in &found.violations {
        out.push_str(&format!(
            "\n{property} is violated under {} in scenario {} ({} steps, found after {found_after}; need not be a shortest):\n\n{}",
            memory.name,
            system.scenario,
            trace.steps.len(),
            lanes(&system.automata, &protocol.loaded.sources, trace, LaneOptions { width: 0, ..args.lanes.options() }),
        ));
    }
    out
}
