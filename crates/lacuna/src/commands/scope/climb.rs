//! Runs the scopes, the smallest first. What is beyond a violated scope is violated too, as a rule, and what is beyond one that was too
//! large is too large, so neither is run.

use super::super::check::watched;
use super::grid::{Range, grid, is_beyond, ranges};
use super::json::{GrowthReport, Row};
use super::show::Show;
use crate::args::GrowthArgs;
use crate::exit::Error;
use crate::limits;
use crate::progress::listen;
use crate::session::{self, Protocol, Scope};
use memory::MemoryModel;
use program::Settings;
use std::time::Instant;
use workbench::{Question, RunOptions, System, Verdict};

struct Climb<'a> {
    args: &'a GrowthArgs,
    protocol: Protocol,
    variant: String,
    scenarios: Vec<String>,
    memory: MemoryModel,
    ranges: Vec<Range>,
}

/// All scopes with their results.
pub(super) fn climb(args: &GrowthArgs, show: &mut Show<'_>) -> Result<GrowthReport, Error> {
    let protocol = session::open(&args.file)?;
    let variant = protocol.variants(args.variant.as_deref())?;
    if variant.len() != 1 {
        return Err(Error::input("`scope` takes one variant").hint("name it with `--variant`"));
    }
    let climb = Climb {
        args,
        variant: variant[0].clone(),
        scenarios: protocol.scenarios(args.scenario.as_deref())?,
        memory: session::memories(std::slice::from_ref(&args.memory), &args.scope.switches.switches())?.swap_remove(0),
        ranges: ranges(&protocol, &args.vary, &args.scope.set)?,
        protocol,
    };
    listen();
    climb.run(show)
}

impl Climb<'_> {
    fn run(&self, show: &mut Show<'_>) -> Result<GrowthReport, Error> {
        let grid = grid(&self.ranges)?;
        let mut report = GrowthReport {
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
            let row = self.row(values, &report.rows)?;
            let is_program = row.verdict != "no program";
            report.rows.push(row);
            if is_shown {
                show.last(&report)?;
            } else if is_program {
                // Only now is it clear that there is something to show.
                is_shown = true;
                self.show_all(&grid, &mut report, show)?;
            }
        }
        if !is_shown {
            // Says what is wrong with it.
            let (scope, _) = self.scope(&grid[0])?;
            session::system(&self.protocol, &self.variant, &self.scenarios[0], &scope.set)?;
        }
        Ok(report)
    }

    /// The head of the table, and all rows so far.
    fn show_all(&self, grid: &[Vec<i64>], report: &mut GrowthReport, show: &mut Show<'_>) -> Result<(), Error> {
        let names: Vec<String> = grid.iter().map(|values| self.name(values, " ")).collect();
        show.begin(report, &names)?;
        for row in std::mem::take(&mut report.rows) {
            report.rows.push(row);
            show.last(report)?;
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
        let scope = self.args.scope.scope_with(&set)?.suited(std::slice::from_ref(&self.memory));
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
        if beyond("inconclusive") {
            return Ok(Row { verdict: "not run", ..row });
        }
        if let Some(limit) = limits::command().look() {
            return Ok(Row { verdict: "inconclusive", by: Some(limit.name().into()), ..row });
        }
        let (scope, options) = self.scope(values)?;
        let systems: Option<Vec<System>> =
            self.scenarios.iter().map(|name| self.system(name, &scope, &options)).collect();
        Ok(match systems {
            None => Row { verdict: "no program", ..row },
            Some(systems) => self.searched(row, &systems, &options),
        })
    }

    fn system(&self, scenario: &str, scope: &Scope, options: &RunOptions) -> Option<System> {
        let (variant, scenario) = (Some(self.variant.clone()), Some(scenario.to_string()));
        let settings = Settings { variant, scenario, set: scope.set.clone() };
        let system = System::of(&self.protocol.loaded, &settings).ok()?;
        // Without an initial state there is nothing to search.
        let begins = session::refuse_without_run(&system.automata, &self.memory, &options.machine);
        (begins.is_ok() && machine::refused(&system.automata, &self.memory).is_none()).then_some(system)
    }

    /// All scenarios, up to the first that does not hold; the time is for all together.
    fn searched(&self, mut row: Row, systems: &[System], options: &RunOptions) -> Row {
        row.verdict = "holds";
        let begun = Instant::now();
        for System { automata, scenario, .. } in systems {
            let label = format!("{} {scenario}", row.scope);
            let answer = watched(label, self.args.search.quiet, options, |control| {
                Question { automata, memory: &self.memory, options: &options.after(begun.elapsed()), control }.answer()
            });
            row.add(&answer.statistics);
            match answer.verdict {
                Verdict::Holds => {
                    if answer.is_vacuous() && row.verdict == "holds" {
                        row.verdict = "vacuous";
                        row.by = Some(answer.vacuous_because());
                        row.scenario = Some(scenario.clone());
                    }
                    continue;
                }
                Verdict::Violated(trace) => {
                    row.verdict = "violated";
                    row.by = answer.property;
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
