//! Where each variant breaks: the weakest memory models under which it is safe, the strongest under which it is not, and the
//! reordering that makes the difference.

use super::Run;
use crate::args::OutputArgs;
use report::table::wrap;
use workbench::Verdict;

/// Below the table of runs, if several memory models were asked for and some are enough and some not.
pub(super) fn breaks_at(args: &OutputArgs, runs: &[Run<'_>]) -> String {
    let mut out = String::new();
    for runs in runs.chunk_by(|a, b| std::ptr::eq(a.system, b.system)) {
        let safe: Vec<&Run<'_>> = runs.iter().filter(|run| run.answer.verdict == Verdict::Holds).collect();
        let broken: Vec<&Run<'_>> = runs.iter().filter(|run| run.is_violated()).collect();
        if runs.len() > 1 && !broken.is_empty() && !args.no_explain {
            out.push_str(&of_system(&safe, &broken));
        }
    }
    if out.is_empty() { out } else { format!("\nbreaks at:\n{out}") }
}

/// Whether a violated run is shown with its explanation: several memory models were asked for, and none of the stronger ones breaks its system.
pub(super) fn is_shown(runs: &[Run<'_>], n: usize) -> bool {
    let same: Vec<&Run<'_>> = runs.iter().filter(|run| std::ptr::eq(run.system, runs[n].system)).collect();
    let broken: Vec<&Run<'_>> = same.iter().filter(|run| run.is_violated()).copied().collect();
    same.len() > 1 && !has_stronger(&runs[n], &broken)
}

fn of_system(safe: &[&Run<'_>], broken: &[&Run<'_>]) -> String {
    let system = broken[0].system;
    let weakest: Vec<&str> =
        safe.iter().filter(|run| !has_weaker(run, safe)).map(|run| run.memory.name.as_str()).collect();
    let safe_under = match weakest.is_empty() {
        true => "safe under none".to_string(),
        false => format!("safe under {}", weakest.join(", ")),
    };
    let variant = broken[0].request.variant(system);
    let mut out = format!("  {variant} {}: {safe_under}\n", system.scenario);
    for run in broken.iter().filter(|run| !has_stronger(run, broken)) {
        out.push_str(&format!("    {} breaks it:\n", run.memory.name));
        let sentences = run.explanation().map_or(&[][..], |explanation| &explanation.sentences);
        sentences.iter().for_each(|sentence| out.push_str(&wrap("      ", sentence, 114)));
    }
    out
}

fn has_weaker(run: &Run<'_>, among: &[&Run<'_>]) -> bool {
    among.iter().any(|other| other.memory.is_weaker_than(run.memory))
}

fn has_stronger(run: &Run<'_>, among: &[&Run<'_>]) -> bool {
    among.iter().any(|other| run.memory.is_weaker_than(other.memory))
}
