//! How states are laid out: at which points a thread rests between steps, what its registers may hold, which cells it
//! stores to.

use crate::Memory;
use automata::{Access, Action, Automata, Automaton, CasResult, CellId, CellKind, Domain, Expr, Op, PointId, Region};
use base::table::Id;

/// The layout of all threads.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// By `ThreadId`.
    pub(crate) threads: Vec<ThreadLayout>,
}

/// One thread's.
#[derive(Clone, Debug)]
pub(crate) struct ThreadLayout {
    /// The points between which it steps: all but those inside regions.
    pub(crate) resting: Vec<PointId>,
    /// Where among these it has ended.
    pub(crate) ends: Vec<usize>,
    /// Where among these a stopped world may find it, the ends included.
    pub(crate) parked: Vec<usize>,
    /// Where among these it waits forever: at an `assume` that is part of the step before, and false (semantics 3.2).
    pub(crate) stuck: Vec<(usize, Expr)>,
    /// What each register may hold.
    pub(crate) registers: Vec<Domain>,
    /// The memory cells that it stores to by way of its buffer.
    pub(crate) stored: Vec<CellId>,
    /// The values that it stores there.
    pub(crate) stored_values: Domain,
    /// How many stores its buffer holds.
    pub(crate) n_slots: usize,
}

impl Layout {
    pub(crate) fn new(automata: &Automata, memory: Memory) -> Self {
        let threads = automata.threads.values().map(|t| ThreadLayout::new(automata, &t.automaton, memory));
        Layout { threads: threads.collect() }
    }
}

impl ThreadLayout {
    fn new(automata: &Automata, automaton: &Automaton, memory: Memory) -> Self {
        let resting = resting_points(automaton);
        let stored = match memory {
            Memory::Sc => Vec::new(),
            Memory::Tso { .. } => stored_cells(automata, automaton, &resting),
        };
        let domains = stored.iter().map(|cell| automata.cells[*cell].domain);
        let stored_values = domains.reduce(hull).unwrap_or(Domain::new(0, 0));
        let n_slots = match memory {
            Memory::Tso { buffer } if !stored.is_empty() => buffer,
            _ => 0,
        };
        let registers = register_domains(automata, automaton);
        let places = |is_there: fn(&Action) -> bool| {
            let there = resting.iter().enumerate().filter(|(_, point)| is_there(&automaton.points[**point].action));
            there.map(|(place, _)| place).collect::<Vec<_>>()
        };
        let ends = places(|action| matches!(action, Action::Halt));
        let parked = places(|action| matches!(action, Action::Halt | Action::Safepoint));
        let stuck = |(place, point): (usize, &PointId)| match &automaton.points[*point].action {
            Action::Assume(condition) if is_part_of_step_before(automaton, *point) => Some((place, condition.clone())),
            _ => None,
        };
        let stuck = resting.iter().enumerate().filter_map(stuck).collect();
        ThreadLayout { resting, ends, parked, stuck, registers, stored, stored_values, n_slots }
    }

    /// The number of a point among those where the thread rests.
    pub(crate) fn place(&self, point: PointId) -> Option<usize> {
        self.resting.binary_search(&point).ok()
    }
}

fn hull(a: Domain, b: Domain) -> Domain {
    Domain::new(a.low.min(b.low), a.high.max(b.high))
}

/// Whether what is done at a point is part of the step before it: a `then` or `when issued`, and a local step without a label, which is no
/// location. Where a loop comes back to, a step begins all the same. An `assume` is part of it where it is true; where it is false, the
/// thread comes to it and stays.
pub(crate) fn is_part_of_step_before(automaton: &Automaton, point: PointId) -> bool {
    let comes_back = || automaton.points.ids().any(|from| from >= point && automaton.successors(from).contains(&point));
    !is_location(automaton, point) && point != automaton.entry && !comes_back()
}

/// Whether a thread rests before what it does at a point, however it comes there.
pub(crate) fn is_location(automaton: &Automaton, point: PointId) -> bool {
    let at = &automaton.points[point];
    match at.action {
        Action::Enter(Region::Then | Region::Issued) => false,
        Action::Compute { .. } | Action::Branch { .. } | Action::Choose(_) | Action::Assume(_) | Action::Discard(_) => {
            !at.labels.is_empty()
        }
        _ => true,
    }
}

/// All points that are reached outside regions, but for those that are part of the step before, unless a thread may wait there.
fn resting_points(automaton: &Automaton) -> Vec<PointId> {
    let mut is_inside: Vec<Option<bool>> = vec![None; automaton.points.len()];
    let mut rest = vec![(automaton.entry, false)];
    while let Some((point, inside)) = rest.pop() {
        if is_inside[point.index()].is_some() {
            continue;
        }
        is_inside[point.index()] = Some(inside);
        let after = match automaton.points[point].action {
            Action::Enter(_) => true,
            Action::Leave => false,
            _ => inside,
        };
        rest.extend(automaton.successors(point).into_iter().map(|next| (next, after)));
    }
    let waits = |point: PointId| matches!(automaton.points[point].action, Action::Assume(_));
    let rests = |point: &PointId| {
        is_inside[point.index()] == Some(false) && (waits(*point) || !is_part_of_step_before(automaton, *point))
    };
    automaton.points.ids().filter(rests).collect()
}

/// The memory cells that plain stores outside regions may be to.
fn stored_cells(automata: &Automata, automaton: &Automaton, resting: &[PointId]) -> Vec<CellId> {
    let mut cells: Vec<CellId> = Vec::new();
    for point in resting {
        if let Action::Access(access @ Access { op: Op::Store(_), .. }) = &automaton.points[*point].action {
            cells.extend(cells_of(access).into_iter().filter(|cell| automata.cells[*cell].kind == CellKind::Memory));
        }
    }
    cells.sort();
    cells.dedup();
    cells
}

/// Every cell that an access may be to.
pub(crate) fn cells_of(access: &Access) -> Vec<CellId> {
    let mut cells = vec![access.address.base.index()];
    for term in &access.address.terms {
        let indices = 0..term.count as usize;
        cells = indices.flat_map(|i| cells.iter().map(move |cell| cell + i * term.stride as usize)).collect();
    }
    cells.into_iter().map(CellId::new).collect()
}

/// What registers may hold. Only computed values are held against the declared domain: what is read is in its cell's, and
/// a register begins with any value.
fn register_domains(automata: &Automata, automaton: &Automaton) -> Vec<Domain> {
    let mut domains: Vec<Domain> =
        automaton.registers.values().map(|r| hull(r.domain, Domain::new(r.init, r.init))).collect();
    for point in automaton.points.values() {
        let Action::Access(access) = &point.action else { continue };
        let Some(dst) = access.dst else { continue };
        let results = match access.op {
            Op::Cas { result: CasResult::Success, .. } | Op::StoreConditional(_) | Op::Store(_) => {
                vec![Domain::new(0, 1)]
            }
            _ => cells_of(access).into_iter().map(|cell| automata.cells[cell].domain).collect(),
        };
        domains[dst.index()] = results.into_iter().fold(domains[dst.index()], hull);
    }
    domains
}
