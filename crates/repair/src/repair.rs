//! Repair: the least costly changes of orders that make a protocol hold.

use crate::atoms::{Atom, AtomId};
use crate::marked::Own;
use crate::places::{Extent, Strength};
use crate::problem::{Checked, Failure, Instance, Problem, Question};
use crate::render::{FenceEdit, edits};
use crate::synthesis::{Found, Synthesis};
use crate::verify::Verified;
use patch::Patched;
use system::Limit;
use workbench::Verdict;

/// What may be changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Only {
    /// Fences.
    Fences,
    /// Orders of accesses.
    Orders,
    /// What this thread alone comes by.
    Thread(String),
}

/// What is needed of a solution: without it, this fails.
#[derive(Clone, Debug)]
pub struct Need {
    /// The atom.
    pub atom: AtomId,
    /// What fails without it.
    pub failure: Box<Failure>,
}

/// A way to make it hold.
#[derive(Clone, Debug)]
pub struct Solution {
    /// Every atom, and what fails without it.
    pub needs: Vec<Need>,
    /// Its cost, in hundredths.
    pub cost: u64,
    /// The changed files.
    pub patched: Patched,
    /// What was run with the changed files, and holds unless a limit is named.
    pub verified: Vec<Verified>,
}

/// Its result.
#[derive(Clone, Debug)]
pub enum Answer {
    /// It holds as it is.
    Holds,
    /// No order helps. With the failure that none forbids, if that is why, and whether it fails under sequential
    /// consistency too.
    Hopeless(Option<Box<Failure>>, UnderSc),
    /// Ways to make it hold, the least costly first; and whether there are no others.
    Repaired(Vec<Solution>, bool),
    /// A limit was hit.
    Inconclusive(Limit),
}

/// What sequential consistency says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnderSc {
    /// It holds there.
    Holds,
    /// This scenario is violated there, by this property.
    Violated(String, String),
}

/// Up to `n` least costly solutions of which none covers another.
pub fn repair(problem: &mut Problem<'_>, only: &[Only], n: usize) -> Answer {
    match problem.check(&[], 0) {
        Checked::Holds => return Answer::Holds,
        Checked::Inconclusive(limit) => return Answer::Inconclusive(limit),
        Checked::Violated(failure) => {
            if let UnderSc::Violated(scenario, property) = under_sc(problem) {
                return Answer::Hopeless(Some(failure), UnderSc::Violated(scenario, property));
            }
        }
    }
    let own: Vec<Instance> = problem.instances.iter().map(|(instance, _)| instance.clone()).collect();
    let larger = problem.question.larger();
    for instance in &larger {
        problem.add(instance.clone());
    }
    let instances: Vec<Instance> = own.into_iter().chain(larger).collect();
    search(problem, &instances, only, n)
}

/// A problem whose atoms are those of a repair.
pub fn problem(question: Question<'_>) -> Problem<'_> {
    Problem::new(question, Own::Kept, Extent::All)
}

/// The same with fences beside those that flags name, for what no word of a flag repairs. None if no fence names a flag, or if the
/// question sets such a flag: it asks for that fence, and no other.
pub fn problem_beside_flags<'a>(problem: &Problem<'a>) -> Option<Problem<'a>> {
    let flags: Vec<&str> = problem.places.flags().collect();
    let is_set = |flag: &&str| problem.question.set.iter().any(|(name, _)| name == flag);
    let is_asked = !flags.is_empty() && !flags.iter().any(is_set);
    is_asked.then(|| Problem::new(problem.question.clone(), Own::Kept, Extent::BesideFlags))
}

fn search(problem: &Problem<'_>, instances: &[Instance], only: &[Only], n: usize) -> Answer {
    let mut synthesis = Synthesis::new(problem, |_, atom| only.iter().any(|only| !only.allows(problem, atom)));
    let mut solutions = Vec::new();
    while solutions.len() < n {
        let set = match synthesis.next_set() {
            Found::Set(set) => set,
            Found::None(failure) if solutions.is_empty() => return Answer::Hopeless(failure, UnderSc::Holds),
            Found::None(_) => return Answer::Repaired(solutions, true),
            Found::Inconclusive(limit) => return so_far(solutions, limit),
        };
        match confirm(problem, &synthesis, instances, &set) {
            Confirmed::Holds(solution) => {
                solutions.push(*solution);
                synthesis.accept(set);
            }
            Confirmed::Fails(failure) => {
                if let Some(hopeless) = synthesis.learn(&set, failure) {
                    return Answer::Hopeless(Some(hopeless), UnderSc::Holds);
                }
            }
            Confirmed::OnlyByLength => synthesis.accept(set),
            Confirmed::Inconclusive(limit) => return so_far(solutions, limit),
        }
    }
    Answer::Repaired(solutions, false)
}

/// What was found before a limit was hit.
fn so_far(solutions: Vec<Solution>, limit: Limit) -> Answer {
    if solutions.is_empty() { Answer::Inconclusive(limit) } else { Answer::Repaired(solutions, false) }
}

/// The result of putting the changed text to the test.
enum Confirmed {
    Holds(Box<Solution>),
    /// It fails beyond the scope asked for; the failure is that of the system with marks.
    Fails(Box<Failure>),
    /// The system with marks holds, but only because two fences at one place fill its queue sooner than the one in the text.
    OnlyByLength,
    Inconclusive(Limit),
}

fn confirm(problem: &Problem<'_>, synthesis: &Synthesis<'_, '_>, instances: &[Instance], set: &[AtomId]) -> Confirmed {
    let mut failed = 0;
    let mut ways = vec![edits(problem, set, FenceEdit::Replaced), edits(problem, set, FenceEdit::Joined)];
    ways.dedup();
    for edits in ways {
        let patched = Patched::new(problem.question.loaded, &edits);
        match problem.question.verify(&patched, instances) {
            Ok(verified) => return solution(problem, synthesis, set, patched, verified),
            Err(instance) => failed = instance,
        }
    }
    match problem.check_one(set, failed) {
        Checked::Violated(failure) => Confirmed::Fails(failure),
        Checked::Holds => Confirmed::OnlyByLength,
        Checked::Inconclusive(limit) => Confirmed::Inconclusive(limit),
    }
}

fn solution(
    problem: &Problem<'_>,
    synthesis: &Synthesis<'_, '_>,
    set: &[AtomId],
    patched: Patched,
    verified: Vec<Verified>,
) -> Confirmed {
    // Beyond the scope asked for, a limit is reported; within it, nothing is known then.
    let own = verified.iter().filter(|run| run.instance.larger.is_none());
    if let Some(limit) = own.into_iter().find_map(|run| run.limit) {
        return Confirmed::Inconclusive(limit);
    }
    let mut needs = Vec::new();
    for atom in set {
        let rest: Vec<AtomId> = set.iter().filter(|other| *other != atom).copied().collect();
        let failure = match without(problem, &rest) {
            Checked::Violated(failure) => Some(failure),
            Checked::Inconclusive(limit) => return Confirmed::Inconclusive(limit),
            // A search that a bound cuts short may not find again what it found with more orders in place.
            Checked::Holds => synthesis.failure_without(set, *atom),
        };
        needs.extend(failure.map(|failure| Need { atom: *atom, failure }));
    }
    let cost = set.iter().map(|atom| problem.atoms[*atom].cost).sum();
    Confirmed::Holds(Box::new(Solution { needs, cost, patched, verified }))
}

/// Checks a set that is not enough, at the scope asked for and beyond it.
fn without(problem: &Problem<'_>, rest: &[AtomId]) -> Checked {
    let mut limit = None;
    for instance in 0..problem.instances.len() {
        match problem.check_one(rest, instance) {
            Checked::Violated(failure) => return Checked::Violated(failure),
            Checked::Inconclusive(hit) => limit = Some(hit),
            Checked::Holds => {}
        }
    }
    limit.map_or(Checked::Holds, Checked::Inconclusive)
}

/// Whether the protocol, as it is, holds under sequential consistency.
fn under_sc(problem: &Problem<'_>) -> UnderSc {
    let question = &problem.question;
    let Some(sc) = memory::builtin::find("sc") else { return UnderSc::Holds };
    for (instance, _) in &problem.instances {
        if let Some(answer) = question.run(question.loaded, instance, &sc)
            && matches!(answer.verdict, Verdict::Violated(_))
        {
            return UnderSc::Violated(instance.scenario.clone(), answer.property.unwrap_or_default());
        }
    }
    UnderSc::Holds
}

impl Only {
    fn allows(&self, problem: &Problem<'_>, atom: &Atom) -> bool {
        let is_fence = matches!(atom.strength, Strength::Fence(_));
        match self {
            Only::Fences => is_fence,
            Only::Orders => !is_fence,
            Only::Thread(name) => {
                let mut programs = problem.instances.iter().flat_map(|(_, marked)| marked.programs_at(atom.place));
                programs.all(|program| program == name)
            }
        }
    }
}
