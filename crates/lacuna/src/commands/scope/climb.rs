//! Runs the scopes, the smallest first. What is beyond a violated scope is violated too, as a rule, and what is beyond one that was too
//! large is too large, so neither is run.

use super::grid::{Range, grid, is_beyond, ranges};
use super::show::Show;
use super::told::{Row, Told};
use crate::args::GrowthArgs;
use crate::exit::Error;
use crate::limits;
use crate::progress::{Progress, STOP, listen};
use crate::session::{self, Protocol, Scope};
use explore::Control;
use memory::MemoryModel;
use program::{Program, Settings};
use std::time::Instant;
use workbench::{RunOptions, Verdict, run};

struct Climb<'a> {
    args: &'a GrowthArgs,
    protocol: Protocol,
    variant: String,
    scenarios: Vec<String>,
    memory: MemoryModel,
    ranges: Vec<Range>,
}

/// All scopes with what came of them.
pub(super) fn climb(args: &GrowthArgs, show: &mut Show<'_>) -> Result<Told, Error> {
    let protocol = Protocol::load(&args.file)?;
    let variant = protocol.variants(args.variant.as_deref())?;
    if variant.len() != 1 {
        return Err(Error::input("`scope` takes one variant").hint("name it with `--variant`"));
    }
    let climb = Climb {
        args,
        variant: variant[0].clone(),
        scenarios: protocol.scenarios(args.scenario.as_deref())?,
        memory: session::memories(std::slice::from_ref(&args.memory), &args.scope.switches)?.swap_remove(0),
        ranges: ranges(&protocol, &args.vary, &args.scope.set)?,
        protocol,
    };
    listen();
    climb.run(show)
}

impl Climb<'_> {
    fn run(&self, show: &mut Show<'_>) -> Result<Told, Error> {
        let grid = grid(&self.ranges)?;
        let mut told = Told {
            protocol: self.protocol.outline.name.clone(),
            variant: self.variant.clone(),
            memory: self.memory.name.clone(),
            scenarios: self.scenarios.clone(),
            parameters: self.ranges.iter().map(|range| range.name.clone()).collect(),
            rows: Vec::new(),
            forecast: None,
        };
        let mut is_shown = false;
        for values in &grid {
            let row = self.row(values, &told.rows)?;
            let is_program = row.verdict != "no program";
            told.rows.push(row);
            if is_shown {
                show.last(&told)?;
            } else if is_program {
                // Only now is it clear that there is something to show.
                is_shown = true;
                self.show_all(&grid, &mut told, show)?;
            }
        }
        if !is_shown {
            // Says what is wrong with it.
            let (scope, _) = self.scope(&grid[0])?;
            self.protocol.system(&self.variant, &self.scenarios[0], &scope.set)?;
        }
        Ok(told)
    }

    /// The head of the table, and all rows so far.
    fn show_all(&self, grid: &[Vec<i64>], told: &mut Told, show: &mut Show<'_>) -> Result<(), Error> {
        let names: Vec<String> = grid.iter().map(|values| self.name(values, " ")).collect();
        show.begin(told, &names)?;
        for row in std::mem::take(&mut told.rows) {
            told.rows.push(row);
            show.last(told)?;
        }
        Ok(())
    }

    /// `MUTATORS=2 REFS=3`
    fn name(&self, values: &[i64], between: &str) -> String {
        let settings = self.ranges.iter().zip(values).map(|(range, value)| format!("{}={value}", range.name));
        settings.collect::<Vec<_>>().join(between)
    }

    fn scope(&self, values: &[i64]) -> Result<(Scope, RunOptions), Error> {
        let own: Vec<String> = self.name(values, ",").split(',').map(String::from).collect();
        let set = session::joined(&self.args.scope.set, &own);
        let scope = Scope::new(&set, self.args.scope.queue_bound, &self.args.scope.switches)?;
        let scope = scope.suited(std::slice::from_ref(&self.memory));
        let mut options = session::run_options(&scope, !self.args.scope.no_deadlock, &self.args.search)?;
        // What the command may use is in the budget; this is for each scope.
        options.search.limits.timeout = limits::timeout(self.args.each)?;
        Ok((scope, options))
    }

    fn row(&self, values: &[i64], before: &[Row]) -> Result<Row, Error> {
        let row = Row::new(self.name(values, " "), values);
        let beyond = |word: &str| before.iter().any(|row| row.verdict == word && is_beyond(values, &row.values));
        if beyond("violated") {
            return Ok(Row { verdict: "beyond", ..row });
        }
        if beyond("inconclusive") || limits::command().look().is_some() {
            return Ok(Row { verdict: "not run", ..row });
        }
        let (scope, options) = self.scope(values)?;
        let programs: Option<Vec<Program>> =
            self.scenarios.iter().map(|name| self.program(name, &scope, &options)).collect();
        Ok(match programs {
            None => Row { verdict: "no program", ..row },
            Some(programs) => self.searched(row, &programs, &options),
        })
    }

    fn program(&self, scenario: &str, scope: &Scope, options: &RunOptions) -> Option<Program> {
        let (variant, scenario) = (Some(self.variant.clone()), Some(scenario.to_string()));
        let settings = Settings { variant, scenario, set: scope.set.clone() };
        let program = program::check(&self.protocol.loaded, &settings).0?;
        // Without an initial state there is nothing to search.
        let automata = lower::lower(&program);
        let begins = session::refuse_without_run(&automata, &self.memory, &options.machine);
        (begins.is_ok() && machine::refused(&automata, &self.memory).is_none()).then_some(program)
    }

    /// All scenarios, up to the first that does not hold; the time is for all together.
    fn searched(&self, mut row: Row, programs: &[Program], options: &RunOptions) -> Row {
        row.verdict = "holds";
        let begun = Instant::now();
        for (program, scenario) in programs.iter().zip(&self.scenarios) {
            let label = format!("{} {scenario}", row.scope);
            let progress = Progress::new(label, options.search.limits, self.args.search.quiet);
            let control = Control { stop: &STOP, progress: &|now| progress.tell(now), ended: &|_| {} };
            let outcome = run(&lower::lower(program), &self.memory, &options.after(begun.elapsed()), &control);
            progress.clear();
            row.add(&outcome.statistics);
            match outcome.verdict {
                Verdict::Holds => {
                    if outcome.is_vacuous() && row.verdict == "holds" {
                        row.verdict = "vacuous";
                        row.by = Some(outcome.vacuous_because());
                        row.scenario = Some(scenario.clone());
                    }
                    continue;
                }
                Verdict::Violated(trace) => {
                    row.verdict = "violated";
                    row.by = outcome.property;
                    row.steps = Some(trace.steps.len());
                }
                Verdict::Inconclusive(limit) => {
                    row.verdict = "inconclusive";
                    row.by = Some(limit.name().into());
                }
            }
            row.scenario = Some(scenario.clone());
            break;
        }
        row
    }
}
