//! The ordering map: which of a protocol's own fences and orders are needed, and the trace that shows it.

use crate::atoms::{AtomId, covers};
use crate::edits::{put_fence, put_order};
use crate::marked::{Own, on_failure, stronger};
use crate::places::{Extent, PlaceId, Site, Strength, bodies};
use crate::problem::{Checked, Failure, Problem, Question};
use crate::synthesis::{Found, Synthesis};
use base::Span;
use memory::Order;
use patch::{Edit, Patched};
use syntax::parts::stmts;
use syntax::tree::StmtKind;
use system::Limit;
use workbench::{System, Trace, Verdict};

/// What a row is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// A fence, or the order of an access.
    Place(PlaceId),
    /// The world stopped, which is a fence for all threads at once; with the span of the statement.
    StoppedWorld(Span),
}

/// The trace that appears when an order is weakened, in the system of the changed text.
#[derive(Clone, Debug)]
pub struct Witness {
    /// What fails. Its trace is that of the changed text.
    pub failure: Failure,
    /// The overtakings, in words, that the order as it was forbids.
    pub reasons: Vec<String>,
}

/// A weaker order in place of one that the text has.
#[derive(Clone, Debug)]
pub struct Weaker {
    /// What is put there instead; nothing if it is empty.
    pub strengths: Vec<Strength>,
    /// The edits that do it.
    pub edits: Vec<Edit>,
    /// The changed text.
    pub patched: Patched,
    /// What fails then; none if all holds.
    pub witness: Option<Witness>,
}

/// One fence, order, or stopped world, all others being as they are.
#[derive(Clone, Debug)]
pub struct Row {
    /// What it is about.
    pub subject: Subject,
    /// What the text has there.
    pub now: Vec<Strength>,
    /// Every weaker one, the weakest first.
    pub weaker: Vec<Weaker>,
}

impl Row {
    /// The weakest that are enough; none if it is needed as it is.
    pub fn enough(&self) -> Vec<&Weaker> {
        let holds: Vec<&Weaker> = self.weaker.iter().filter(|weaker| weaker.witness.is_none()).collect();
        let is_least =
            |a: &&&Weaker| !holds.iter().any(|b| b.strengths != a.strengths && is_weaker(&b.strengths, &a.strengths));
        holds.iter().filter(is_least).copied().collect()
    }
}

/// All orders of the text weakened together as far as goes.
#[derive(Clone, Debug)]
pub struct Least {
    /// What is kept, and what fails without it.
    pub kept: Vec<(AtomId, Box<Failure>)>,
    /// The cost, in hundredths.
    pub cost: u64,
}

/// The ordering map of a protocol under a memory model.
#[derive(Clone, Debug)]
pub enum Map {
    /// It is violated as it is, so there is nothing to weaken.
    Violated(Box<Failure>),
    /// A limit was hit.
    Inconclusive(Limit),
    /// The map.
    Rows {
        /// One for each fence, order and stopped world, in the order of the text.
        rows: Vec<Row>,
        /// The least costly assignments of which none covers another.
        least: Vec<Least>,
        /// What the text as it is costs, in hundredths.
        cost: u64,
    },
}

/// A problem whose atoms are the orders that the text has, and weaker ones.
pub fn own_orders(question: Question<'_>) -> Problem<'_> {
    Problem::new(question, Own::Stripped, Extent::Existing)
}

/// Sets of atoms that are not enough, each with what fails.
type Failed = Vec<(Vec<AtomId>, Box<Failure>)>;

/// The ordering map, with up to `n` assignments of all orders together.
pub fn orders(problem: &Problem<'_>, n: usize) -> Map {
    let now = now(problem);
    match problem.check(&now, 0) {
        Checked::Holds => {}
        Checked::Violated(failure) => return Map::Violated(failure),
        Checked::Inconclusive(limit) => return Map::Inconclusive(limit),
    }
    let mut places: Vec<PlaceId> = now.iter().map(|atom| problem.atoms[*atom].place).collect();
    places.dedup();
    let mut failed = Vec::new();
    let rows = places.into_iter().map(|place| row(problem, &now, place, &mut failed));
    let rows: Result<Vec<Row>, Limit> = rows.chain(stopped_worlds(problem)).collect();
    match rows.and_then(|rows| Ok((rows, least(problem, &now, failed, n)?))) {
        Ok((mut rows, least)) => {
            rows.sort_by_key(|row| span(problem, row.subject));
            let cost = now.iter().map(|atom| problem.atoms[*atom].cost).sum();
            Map::Rows { rows, least, cost }
        }
        Err(limit) => Map::Inconclusive(limit),
    }
}

/// Where a subject stands.
fn span(problem: &Problem<'_>, subject: Subject) -> (u32, u32) {
    let span = match subject {
        Subject::Place(place) => problem.places.table[place].span,
        Subject::StoppedWorld(span) => span,
    };
    (span.file.0, span.start)
}

/// The atoms that the text has.
fn now(problem: &Problem<'_>) -> Vec<AtomId> {
    let has = |place: PlaceId, strength: Strength| match &problem.places.table[place].site {
        Site::Access(span) => parts(problem.orders[span].0).contains(&strength),
        _ => problem.fences.get(&place).is_some_and(|fence| strength == Strength::Fence(*fence)),
    };
    problem.atoms.iter().filter(|(_, atom)| has(atom.place, atom.strength)).map(|(id, _)| id).collect()
}

/// What an order is made of.
fn parts(order: Order) -> Vec<Strength> {
    if order == Order::SeqCst {
        return vec![Strength::SeqCst];
    }
    let acquire = order.is_acquire().then_some(Strength::Acquire);
    acquire.into_iter().chain(order.is_release().then_some(Strength::Release)).collect()
}

/// Whether all of `a` is covered by `b`.
fn is_weaker(a: &[Strength], b: &[Strength]) -> bool {
    a.iter().all(|a| b.iter().any(|b| b.covers(*a)))
}

/// One place's row: each weaker strength is tried, all other orders being as they are. Sets that are not enough are added to `failed`.
fn row(problem: &Problem<'_>, now: &[AtomId], place: PlaceId, failed: &mut Failed) -> Result<Row, Limit> {
    let at = |atom: &&AtomId| problem.atoms[**atom].place == place;
    let own: Vec<AtomId> = now.iter().filter(at).copied().collect();
    let strengths: Vec<Strength> = own.iter().map(|atom| problem.atoms[*atom].strength).collect();
    let rest: Vec<AtomId> = now.iter().filter(|atom| !at(atom)).copied().collect();
    let mut weaker = Vec::new();
    for option in options(problem, place, &own) {
        let strengths: Vec<Strength> = option.iter().map(|atom| problem.atoms[*atom].strength).collect();
        let edits = weakening(problem, place, &strengths);
        let patched = Patched::new(problem.question.loaded, &edits);
        let chosen: Vec<AtomId> = rest.iter().chain(&option).copied().collect();
        let witness = match problem.check(&chosen, 0) {
            Checked::Holds => None,
            Checked::Inconclusive(limit) => return Err(limit),
            Checked::Violated(failure) => {
                let witness = witness(problem, &patched, &failure, &own)?;
                failed.push((chosen, failure));
                Some(witness)
            }
        };
        weaker.push(Weaker { strengths, edits, patched, witness });
    }
    Ok(Row { subject: Subject::Place(place), now: strengths, weaker })
}

/// All sets of atoms at a place that are weaker than `own`, the weakest first.
fn options(problem: &Problem<'_>, place: PlaceId, own: &[AtomId]) -> Vec<Vec<AtomId>> {
    let is_covered = |atom: AtomId| own.iter().any(|o| covers(&problem.atoms[*o], &problem.atoms[atom]));
    let at_place = problem.atoms.iter().filter(|(_, atom)| atom.place == place).map(|(id, _)| id);
    let weaker: Vec<AtomId> = at_place.filter(|atom| is_covered(*atom) && own != [*atom]).collect();
    let is_seq_cst = own.iter().any(|atom| problem.atoms[*atom].strength == Strength::SeqCst);
    let both = (is_seq_cst && weaker.len() > 1).then(|| weaker.clone());
    std::iter::once(Vec::new()).chain(weaker.into_iter().map(|atom| vec![atom])).chain(both).collect()
}

/// The edits that put `strengths` where the text has more.
fn weakening(problem: &Problem<'_>, place: PlaceId, strengths: &[Strength]) -> Vec<Edit> {
    let (question, spelling) = (&problem.question, &problem.spelling);
    let edits = match &problem.places.table[place].site {
        Site::Access(span) => {
            let order = strengths.iter().fold(Order::Relaxed, |order, strength| stronger(order, *strength));
            let failure = on_failure(order, problem.orders[span].1);
            put_order(spelling, *span, problem.written[span].writing, order, failure)
        }
        site => {
            let fence = strengths.first().and_then(|strength| match strength {
                Strength::Fence(fence) => Some(*fence),
                _ => None,
            });
            put_fence(question.loaded, spelling, question.variant, site, fence)
        }
    };
    spelling.declared(edits)
}

/// The failure as the changed text shows it, with what was forbidden before.
fn witness(problem: &Problem<'_>, patched: &Patched, failure: &Failure, own: &[AtomId]) -> Result<Witness, Limit> {
    let reasons = own.iter().flat_map(|atom| problem.reasons(failure, *atom)).collect();
    match in_text(problem, patched, failure.instance)? {
        Some(failure) => Ok(Witness { failure, reasons }),
        None => panic!("the text and the system with marks differ:\n{}", patched.diff()),
    }
}

/// What fails in an instance of the changed text.
fn in_text(problem: &Problem<'_>, patched: &Patched, instance: usize) -> Result<Option<Failure>, Limit> {
    let question = &problem.question;
    let of = &problem.instances[instance].0;
    let Some(System { automata, .. }) = question.system(&patched.load(), of) else {
        panic!("the changed text is no program:\n{}", patched.diff())
    };
    let answer = question.answer(&automata, question.memory, &question.options_of(of));
    match answer.verdict {
        Verdict::Holds => Ok(None),
        Verdict::Inconclusive(limit) => Err(limit),
        Verdict::Violated(trace) => {
            let (trace, property): (Trace, String) = (*trace, answer.property.unwrap_or_default());
            Ok(Some(Failure { instance, property, trace, automata }))
        }
    }
}

/// A row for each statement that stops the world: what if the world continued meanwhile?
fn stopped_worlds<'p>(problem: &'p Problem<'_>) -> impl Iterator<Item = Result<Row, Limit>> + use<'p> {
    const KEYWORD: &str = "stop_the_world";
    let loaded = problem.question.loaded;
    let all = bodies(loaded).into_iter().flat_map(stmts);
    let stopped = all.filter(|stmt| matches!(stmt.kind, StmtKind::StopTheWorld(_)));
    stopped.map(move |stmt| {
        let start = stmt.span.start + loaded.sources.text(stmt.span).find(KEYWORD).unwrap_or(0) as u32;
        let keyword = Span { start, end: start + KEYWORD.len() as u32, ..stmt.span };
        let edits = vec![Edit { span: keyword, text: "if true".into() }];
        let patched = Patched::new(loaded, &edits);
        let mut failure = None;
        for instance in 0..problem.instances.len() {
            failure = failure.or(in_text(problem, &patched, instance)?);
        }
        let witness = failure.map(|failure| Witness { failure, reasons: Vec::new() });
        let weaker = vec![Weaker { strengths: Vec::new(), edits, patched, witness }];
        Ok(Row { subject: Subject::StoppedWorld(stmt.span), now: Vec::new(), weaker })
    })
}

/// The least costly assignments that hold, no order being stronger than the text has it, and none being part of what has `failed`.
fn least(problem: &Problem<'_>, now: &[AtomId], failed: Failed, n: usize) -> Result<Vec<Least>, Limit> {
    let is_banned = |_, atom: &_| !now.iter().any(|own| covers(&problem.atoms[*own], atom));
    let mut synthesis = Synthesis::new(problem, is_banned);
    for (set, failure) in failed {
        synthesis.learn(&set, failure);
    }
    let mut found = Vec::new();
    while found.len() < n {
        match synthesis.next_set() {
            Found::Set(set) => {
                let least = kept(problem, &synthesis, set)?;
                let set: Vec<AtomId> = least.kept.iter().map(|(atom, _)| *atom).collect();
                found.push(least);
                if set.is_empty() {
                    break;
                }
                synthesis.accept(set);
            }
            Found::None(_) => break,
            Found::Inconclusive(limit) => return Err(limit),
        }
    }
    found.sort_by_key(|least| least.cost);
    Ok(found)
}

/// What is kept of a set that holds, and what fails without each of it. A search that a bound cuts short (guesses, the queue) may
/// not find again what it
/// found with more orders in place; then the failure that it learned from counts.
fn kept(problem: &Problem<'_>, synthesis: &Synthesis<'_, '_>, mut set: Vec<AtomId>) -> Result<Least, Limit> {
    let mut kept = Vec::new();
    while let Some(atom) = set.get(kept.len()).copied() {
        let rest: Vec<AtomId> = set.iter().filter(|other| **other != atom).copied().collect();
        let failure = match problem.check(&rest, 0) {
            Checked::Violated(failure) => Some(failure),
            Checked::Inconclusive(limit) => return Err(limit),
            Checked::Holds => synthesis.failure_without(&set, atom),
        };
        match failure {
            Some(failure) => kept.push((atom, failure)),
            None => (set, kept) = (rest, Vec::new()),
        }
    }
    Ok(Least { kept, cost: set.iter().map(|atom| problem.atoms[*atom].cost).sum() })
}
