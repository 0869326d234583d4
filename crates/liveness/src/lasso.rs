//! A short run that shows what the search found.
//!
//! Depth-first search finds long ways round. So the pairs near the initial ones are looked at first, breadth-first, in
//! two sizes; if a component with every mark lies there, the lasso is taken from it. Otherwise it is taken from the
//! component that the search found, with a shortest stem through the pairs it has seen. Of the places where the cycle may
//! begin, many are tried; a cycle goes from each to the nearest mark that is missing, and at last back.

use crate::fair::FairSystem;
use crate::graph::EdgeNumber;
use crate::numbering::Numbering;
use crate::product::{Marks, Pair, Product, system_state};
use crate::result::{Lasso, Step};
use rustc_hash::FxHashMap;

/// How many pairs near the initial ones are looked at, in turn.
const NEAR: [usize; 2] = [1_000, 30_000];
/// How many moves may be looked at in order to find a shorter lasso than the one at hand.
const PATIENCE: usize = 2_000_000;

/// How many places to begin the cycle at are wanted.
const PLACES: usize = 256;

/// A run through pairs: each with the step by which it is left.
type Path = Vec<(Pair, EdgeNumber)>;

/// A short lasso; `component` is one that the search has found to have every mark.
pub(crate) fn shortest_lasso<S: FairSystem + ?Sized>(
    product: &mut Product<'_, S>,
    numbering: &Numbering,
    component: &[Pair],
) -> Lasso {
    for most in NEAR {
        let reached = Reached::breadth_first(product, |_, n| n < most, |_| false);
        if let Some(lasso) = Region::new(reached.order.clone()).best_lasso(product, &reached) {
            return lasso;
        }
    }
    let region = Region::new(component.to_vec());
    let mut n_places = 0;
    let reached = Reached::breadth_first(
        product,
        |pair, _| numbering.get(pair).is_some(),
        |pair| {
            n_places += usize::from(region.index.contains_key(&pair));
            n_places >= PLACES
        },
    );
    region.best_lasso(product, &reached).expect("the component has every mark")
}

/// Pairs in the order in which a breadth-first search comes to them.
struct Reached {
    order: Vec<Pair>,
    /// For each: its distance, and the pair and step before it.
    before: FxHashMap<Pair, (u32, Option<(Pair, EdgeNumber)>)>,
}

impl Reached {
    /// Goes to the pairs that `may` allows, given how many there are already, until `enough` says so of a pair.
    fn breadth_first<S: FairSystem + ?Sized>(
        product: &mut Product<'_, S>,
        may: impl Fn(Pair, usize) -> bool,
        mut enough: impl FnMut(Pair) -> bool,
    ) -> Self {
        let order = product.initial();
        let before = order.iter().map(|pair| (*pair, (0, None))).collect();
        let mut reached = Reached { order, before };
        let mut next = 0;
        while let Some(at) = reached.order.get(next).copied() {
            next += 1;
            if enough(at) {
                break;
            }
            let distance = reached.before[&at].0 + 1;
            let mut cursor = product.enter(at);
            while let Some(step) = product.advance(at, &mut cursor) {
                if !reached.before.contains_key(&step.to) && may(step.to, reached.order.len()) {
                    reached.before.insert(step.to, (distance, Some((at, step.edge))));
                    reached.order.push(step.to);
                }
            }
        }
        reached
    }

    /// The path to a pair.
    fn path_to(&self, pair: Pair) -> Path {
        let mut path = Path::new();
        let mut at = pair;
        while let Some((_, Some((before, edge)))) = self.before.get(&at) {
            path.push((*before, *edge));
            at = *before;
        }
        path.reverse();
        path
    }
}

/// Pairs among which a cycle is looked for.
struct Region {
    pairs: Vec<Pair>,
    index: FxHashMap<Pair, usize>,
}

/// A move within a region.
struct Inner {
    to: usize,
    marks: Marks,
    edge: EdgeNumber,
}

impl Region {
    fn new(pairs: Vec<Pair>) -> Self {
        let index = pairs.iter().enumerate().map(|(at, pair)| (*pair, at)).collect();
        Region { pairs, index }
    }

    fn moves<S: FairSystem + ?Sized>(&self, product: &mut Product<'_, S>, at: usize) -> Vec<Inner> {
        let mut moves = Vec::new();
        let mut cursor = product.enter(self.pairs[at]);
        while let Some(step) = product.advance(self.pairs[at], &mut cursor) {
            if let Some(to) = self.index.get(&step.to) {
                moves.push(Inner { to: *to, marks: step.marks & product.all_marks, edge: step.edge });
            }
        }
        moves
    }

    /// The shortest lasso found, if a component within the region has every mark.
    fn best_lasso<S: FairSystem + ?Sized>(&self, product: &mut Product<'_, S>, reached: &Reached) -> Option<Lasso> {
        let component = ltl::components(self.pairs.len(), |at, out| {
            out.extend(self.moves(product, at).iter().map(|inner| inner.to));
        });
        let mut marks: Vec<Option<Marks>> = vec![None; self.pairs.len()];
        for at in 0..self.pairs.len() {
            for inner in self.moves(product, at).iter().filter(|inner| component[inner.to] == component[at]) {
                *marks[component[at]].get_or_insert(0) |= inner.marks;
            }
        }
        let all_marks = product.all_marks;
        let inside = |pair: &Pair| self.index.get(pair).filter(|at| marks[component[**at]] == Some(all_marks));
        let mut rounds =
            Rounds { region: self, component: &component, came: vec![(0, 0, 0); self.pairs.len()], round: 0, work: 0 };
        let mut best: Option<Lasso> = None;
        for at in reached.order.iter().filter_map(inside).copied() {
            // The automaton may be late by a few steps: folding makes up for them.
            let most = best.as_ref().map_or(usize::MAX, |best| best.len() + product.n_automaton_states());
            let distance = reached.before[&self.pairs[at]].0 as usize;
            if distance >= most || best.is_some() && rounds.work > PATIENCE {
                break;
            }
            if let Some(cycle) = rounds.cycle(product, at, most - distance) {
                let found = lasso(product, &reached.path_to(self.pairs[at]), &cycle);
                if best.as_ref().is_none_or(|best| found.len() < best.len()) {
                    best = Some(found);
                }
            }
        }
        best
    }
}

/// Breadth-first searches within a component, one after the other.
struct Rounds<'r> {
    region: &'r Region,
    component: &'r [usize],
    /// For each pair: the round that last came to it, and the pair and step before it.
    came: Vec<(u32, usize, EdgeNumber)>,
    round: u32,
    work: usize,
}

impl Rounds<'_> {
    /// A cycle of at most `most` steps through `start` on which every mark is.
    fn cycle<S: FairSystem + ?Sized>(
        &mut self,
        product: &mut Product<'_, S>,
        start: usize,
        most: usize,
    ) -> Option<Path> {
        let mut cycle = Path::new();
        let mut missing = product.all_marks;
        let mut at = start;
        while missing != 0 || at != start || cycle.is_empty() {
            let room = most.checked_sub(cycle.len())?;
            // Missing marks first; of equal ones, better back than elsewhere.
            let value = |inner: &Inner| {
                let n_marks = (inner.marks & missing).count_ones();
                if n_marks > 0 || missing == 0 { 2 * n_marks + u32::from(inner.to == start) } else { 0 }
            };
            let (path, last) = self.nearest(product, at, room, value)?;
            // The moves before the last have none of the missing marks: it would have been nearer.
            missing &= !last.marks;
            cycle.extend(path);
            at = last.to;
        }
        Some(cycle)
    }

    /// A shortest path from `start`, of at most `room` moves, whose last move has a value; and that move. Of the
    /// last moves of equally short ways, it is one of the greatest value.
    fn nearest<S: FairSystem + ?Sized>(
        &mut self,
        product: &mut Product<'_, S>,
        start: usize,
        room: usize,
        value: impl Fn(&Inner) -> u32,
    ) -> Option<(Path, Inner)> {
        self.round += 1;
        self.came[start] = (self.round, start, 0);
        let mut level = vec![start];
        for _ in 0..room {
            if level.is_empty() {
                break;
            }
            let mut best: Option<(u32, usize, Inner)> = None;
            for at in std::mem::take(&mut level) {
                for inner in self.region.moves(product, at) {
                    self.work += 1;
                    if self.component[inner.to] != self.component[start] {
                        continue;
                    }
                    if self.came[inner.to].0 != self.round {
                        self.came[inner.to] = (self.round, at, inner.edge);
                        level.push(inner.to);
                    }
                    let value = value(&inner);
                    if value > best.as_ref().map_or(0, |best| best.0) {
                        best = Some((value, at, inner));
                    }
                }
            }
            if let Some((_, at, last)) = best {
                return Some((self.path(start, at, last.edge), last));
            }
        }
        None
    }

    /// The path of this round from `start` to `end`, and on by `edge`.
    fn path(&self, start: usize, end: usize, edge: EdgeNumber) -> Path {
        let mut path = vec![(self.region.pairs[end], edge)];
        let mut at = end;
        while at != start {
            let (_, before, edge) = self.came[at];
            path.push((self.region.pairs[before], edge));
            at = before;
        }
        path.reverse();
        path
    }
}

fn lasso<S: FairSystem + ?Sized>(
    product: &Product<'_, S>,
    stem: &[(Pair, EdgeNumber)],
    cycle: &[(Pair, EdgeNumber)],
) -> Lasso {
    let step = |(pair, edge): &(Pair, EdgeNumber)| Step {
        state: product.graph.words(system_state(*pair)),
        label: product.graph.label(*edge),
    };
    let mut lasso = Lasso { stem: stem.iter().map(step).collect(), cycle: cycle.iter().map(step).collect() };
    fold(&mut lasso);
    lasso
}

/// The shortest form of the same run: the cycle loops once only, and begins as early as it can.
fn fold(lasso: &mut Lasso) {
    let n = lasso.cycle.len();
    let repeats = |len: &usize| n.is_multiple_of(*len) && (0..n).all(|i| lasso.cycle[i] == lasso.cycle[i % len]);
    if let Some(len) = (1..n).find(repeats) {
        lasso.cycle.truncate(len);
    }
    while lasso.stem.last().is_some_and(|last| lasso.cycle.last() == Some(last)) {
        lasso.stem.pop();
        lasso.cycle.rotate_right(1);
    }
}
