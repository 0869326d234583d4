//! Which statements are executed at all: asked of the original by covers put before them. A cover counts where control passes it, also on a run that
//! is cut afterwards.

use crate::mutant::Mutant;
use crate::question::{Base, Original, Question};
use base::Span;
use patch::{Edit, Patched};
use rustc_hash::FxHashSet;
use workbench::Verdict;

/// The statements that are never executed, in any run of the question.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    idle: FxHashSet<Span>,
}

impl Reached {
    /// Whether control never comes to what the mutant changes. Then it has the same runs as the original.
    pub fn is_idle(&self, mutant: &Mutant) -> bool {
        mutant.site.is_some_and(|site| self.idle.contains(&site))
    }
}

/// Asks the original which of the mutants' statements are executed.
pub fn reached(question: &Question<'_>, original: &Original, mutants: &[Mutant]) -> Reached {
    let mut sites: Vec<Span> = Vec::new();
    for site in mutants.iter().filter_map(|mutant| mutant.site) {
        if !sites.contains(&site) {
            sites.push(site);
        }
    }
    let mut idle = sites;
    for run in &original.runs {
        let visited = visited(question, run, &idle);
        idle.retain(|site| !visited.contains(site));
    }
    Reached { idle: idle.into_iter().collect() }
}

/// The sites that one run of the original comes to.
fn visited(question: &Question<'_>, run: &Base, sites: &[Span]) -> Vec<Span> {
    if sites.is_empty() { Vec::new() } else { covered(question, run, sites) }
}

/// Those of `batch` that the run comes to; all of them where nobody can tell.
fn covered(question: &Question<'_>, base: &Base, batch: &[Span]) -> Vec<Span> {
    let name = |n: usize| format!("is_reached_{n}");
    let cover = |(n, site): (usize, &Span)| Edit::insert(*site, site.start, format!("cover {}; ", name(n)));
    let edits: Vec<Edit> = batch.iter().enumerate().map(cover).collect();
    let loaded = Patched::new(question.loaded, &edits).load();
    let Some(system) = question.system(&loaded, question.variant, base.instance) else {
        // There is a statement that no cover can stand before; the others can still be asked about.
        let (left, right) = batch.split_at(batch.len() / 2);
        if left.is_empty() {
            return batch.to_vec();
        }
        return [left, right].map(|half| covered(question, base, half)).concat();
    };
    let automata = base.mask.put_on(system.automata);
    let options = base.mask.options(question.scopes[base.instance.scope].options.clone());
    let answer = question.answer(base.instance, &automata, &options);
    if answer.verdict != Verdict::Holds {
        return batch.to_vec();
    }
    // A statement that was left out with its branch has no cover at all.
    let is_stated = |name: &str| automata.covers.values().any(|cover| cover.name == name);
    let is_reached = |n: usize| is_stated(&name(n)) && !answer.uncovered.contains(&name(n));
    batch.iter().enumerate().filter(|(n, _)| is_reached(*n)).map(|(_, site)| *site).collect()
}
