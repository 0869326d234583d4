//! Where each variant breaks: the weakest memory models under which it is safe, the strongest under which it is not, and the
//! reordering that makes the difference.

use super::Done;
use report::table::wrap;
use workbench::Verdict;

/// Below the table of runs, if several memory models were asked for and some are enough and some not.
pub(super) fn breaks_at(done: &[Done<'_>]) -> String {
    let mut out = String::new();
    for runs in done.chunk_by(|a, b| std::ptr::eq(a.system, b.system)) {
        let is_safe = |run: &&Done<'_>| run.outcome.verdict == Verdict::Holds;
        let is_broken = |run: &&Done<'_>| matches!(run.outcome.verdict, Verdict::Violated(_));
        let safe: Vec<&Done<'_>> = runs.iter().filter(is_safe).collect();
        let broken: Vec<&Done<'_>> = runs.iter().filter(is_broken).collect();
        if runs.len() > 1 && !broken.is_empty() && runs[0].explain_with.is_some() {
            out.push_str(&of_system(&safe, &broken));
        }
    }
    if out.is_empty() { out } else { format!("\nbreaks at:\n{out}") }
}

fn of_system(safe: &[&Done<'_>], broken: &[&Done<'_>]) -> String {
    let system = broken[0].system;
    let weakest: Vec<&str> =
        safe.iter().filter(|run| !has_weaker(run, safe)).map(|run| run.memory.name.as_str()).collect();
    let safe_under = match weakest.is_empty() {
        true => "safe under none".to_string(),
        false => format!("safe under {}", weakest.join(", ")),
    };
    let mut out = format!("  {} {}: {safe_under}\n", system.variant, system.scenario);
    for run in broken.iter().filter(|run| !has_stronger(run, broken)) {
        out.push_str(&format!("    {} breaks it:\n", run.memory.name));
        let sentences = run.explanation().map_or(&[][..], |explanation| &explanation.sentences);
        sentences.iter().for_each(|sentence| out.push_str(&wrap("      ", sentence, 114)));
    }
    out
}

fn has_weaker(run: &Done<'_>, among: &[&Done<'_>]) -> bool {
    among.iter().any(|other| other.memory.is_weaker_than(run.memory))
}

fn has_stronger(run: &Done<'_>, among: &[&Done<'_>]) -> bool {
    among.iter().any(|other| run.memory.is_weaker_than(other.memory))
}
