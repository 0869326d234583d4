//! The points and registers of a thread, each paired with one of the thread's image.
//!
//! Both are walked from their entries. Where a thread chooses, each way is paired with one that begins alike. Loads that follow
//! one another inside a region are one step, so their order does not matter; nor does that of stores to different cells.

use crate::symmetry::isomorphism::{Both, Renamed};
use automata::{Action, Automaton, Op, PointId, RegId};
use base::Table;
use base::table::Id;

/// How far two ways of a choice are compared.
const MAX_AHEAD: usize = 64;

pub(crate) struct Pairing<'a> {
    both: &'a Both<'a>,
    points: Vec<Option<PointId>>,
    is_taken: Vec<bool>,
    names: Names,
    sides: [Side<'a>; 2],
}

/// A thread's points, with what is known of each.
struct Side<'a> {
    automaton: &'a Automaton,
    is_in_region: Vec<bool>,
    n_ways_in: Vec<usize>,
}

#[derive(Clone)]
struct Names {
    images: Vec<Option<RegId>>,
    is_taken: Vec<bool>,
}

impl Renamed for Names {
    fn join(&mut self, both: &Both<'_>, register: RegId, image: RegId) -> bool {
        match self.images[register.index()] {
            Some(known) => known == image,
            None if self.is_taken[image.index()] || !both.are_alike(register, image) => false,
            None => {
                self.images[register.index()] = Some(image);
                self.is_taken[image.index()] = true;
                true
            }
        }
    }

    fn image(&self, register: RegId) -> Option<RegId> {
        self.images[register.index()]
    }
}

impl<'a> Side<'a> {
    fn new(automaton: &'a Automaton) -> Self {
        let mut side = Side {
            automaton,
            is_in_region: vec![false; automaton.points.len()],
            n_ways_in: vec![0; automaton.points.len()],
        };
        let mut open = Vec::new();
        for point in automaton.points.ids() {
            automaton.successors(point).iter().for_each(|next| side.n_ways_in[next.index()] += 1);
            if matches!(automaton.points[point].action, Action::Enter(_)) {
                open.extend(automaton.successors(point));
            }
        }
        while let Some(point) = open.pop() {
            let is_new = !std::mem::replace(&mut side.is_in_region[point.index()], true);
            if is_new && !matches!(automaton.points[point].action, Action::Leave) {
                open.extend(automaton.successors(point));
            }
        }
        side
    }

    /// The accesses from `point` on that are done in any order: inside a region, loads of which none uses what another gives,
    /// or stores to different cells.
    fn unordered(&self, point: PointId) -> Vec<PointId> {
        let loads = self.loads(point);
        if loads.is_empty() { self.stores(point) } else { loads }
    }

    fn stores(&self, point: PointId) -> Vec<PointId> {
        let mut stores: Vec<PointId> = Vec::new();
        let mut cells = Vec::new();
        let mut at = point;
        while self.is_in_region[at.index()] && (stores.is_empty() || self.n_ways_in[at.index()] == 1) {
            let Action::Access(access) = &self.automaton.points[at].action else { break };
            let is_known = matches!(access.op, Op::Store(_)) && access.address.terms.is_empty();
            if !is_known || cells.contains(&access.address.base) {
                break;
            }
            cells.push(access.address.base);
            stores.push(at);
            at = self.automaton.points[at].next;
        }
        stores
    }

    fn loads(&self, point: PointId) -> Vec<PointId> {
        let mut loads: Vec<PointId> = Vec::new();
        let mut given: Vec<RegId> = Vec::new();
        let mut at = point;
        while self.is_in_region[at.index()] && (loads.is_empty() || self.n_ways_in[at.index()] == 1) {
            let action = &self.automaton.points[at].action;
            let Action::Access(access) = action else { break };
            let mut is_apart = matches!(access.op, Op::Load) && access.dst.is_some_and(|dst| !given.contains(&dst));
            action.uses(&mut |r| is_apart &= !given.contains(&r));
            if !is_apart {
                break;
            }
            given.extend(access.dst);
            loads.push(at);
            at = self.automaton.points[at].next;
        }
        loads
    }
}

impl<'a> Pairing<'a> {
    pub(crate) fn new(both: &'a Both<'a>) -> Self {
        let (a, b) = (&both.codes().0.automaton, &both.codes().1.automaton);
        Pairing {
            both,
            points: vec![None; a.points.len()],
            is_taken: vec![false; b.points.len()],
            names: Names { images: vec![None; a.registers.len()], is_taken: vec![false; b.registers.len()] },
            sides: [Side::new(a), Side::new(b)],
        }
    }

    /// The pairs of points and registers; none if the threads differ.
    pub(crate) fn run(mut self) -> Option<(Table<PointId, PointId>, Table<RegId, RegId>)> {
        let [a, b] = [self.sides[0].automaton, self.sides[1].automaton];
        if a.points.len() != b.points.len() || a.registers.len() != b.registers.len() {
            return None;
        }
        let mut open = vec![(a.entry, b.entry)];
        while let Some((point, image)) = open.pop() {
            match self.points[point.index()] {
                Some(known) if known == image => {}
                Some(_) => return None,
                None => open.extend(self.pair(point, image)?),
            }
        }
        self.finish()
    }

    /// Pairs two points, and gives the pairs that follow.
    fn pair(&mut self, point: PointId, image: PointId) -> Option<Vec<(PointId, PointId)>> {
        let (block, others) = (self.sides[0].unordered(point), self.sides[1].unordered(image));
        if block.len() > 1 && block.len() == others.len() {
            return self.pair_unordered(&block, others);
        }
        self.join(point, image)?;
        let [a, b] = [self.sides[0].automaton, self.sides[1].automaton];
        let (action, other) = (&a.points[point].action, &b.points[image].action);
        if !self.both.same_action(action, other, &mut self.names) {
            return None;
        }
        match (action, other) {
            (Action::Choose(ways), Action::Choose(others)) => self.pair_ways(ways, others),
            _ => Some(a.successors(point).into_iter().zip(b.successors(image)).collect()),
        }
    }

    fn join(&mut self, point: PointId, image: PointId) -> Option<()> {
        let is_free = self.points[point.index()].is_none() && !self.is_taken[image.index()];
        self.points[point.index()] = Some(image);
        self.is_taken[image.index()] = true;
        is_free.then_some(())
    }

    fn pair_unordered(&mut self, block: &[PointId], mut others: Vec<PointId>) -> Option<Vec<(PointId, PointId)>> {
        let [a, b] = [self.sides[0].automaton, self.sides[1].automaton];
        let next = |automaton: &Automaton, block: &[PointId]| block.last().map(|last| automaton.points[*last].next);
        let after = next(a, block)?;
        let after_others = next(b, &others)?;
        for access in block {
            let is_same = |other: &PointId| {
                let mut names = self.names.clone();
                let (access, other) = (&a.points[*access].action, &b.points[*other].action);
                self.both.same_action(access, other, &mut names).then_some(names)
            };
            let (at, names) = others.iter().enumerate().find_map(|(i, other)| Some((i, is_same(other)?)))?;
            self.names = names;
            self.join(*access, others.remove(at))?;
        }
        Some(vec![(after, after_others)])
    }

    /// Pairs each way of a choice with one that begins alike, by preference the one at the same place.
    fn pair_ways(&self, ways: &[PointId], others: &[PointId]) -> Option<Vec<(PointId, PointId)>> {
        let mut is_used = vec![false; others.len()];
        let mut pairs = Vec::new();
        for (i, way) in ways.iter().enumerate() {
            let mut candidates = std::iter::once(i).chain(0..others.len());
            let at = candidates.find(|j| !is_used[*j] && self.begin_alike(*way, others[*j]))?;
            is_used[at] = true;
            pairs.push((*way, others[at]));
        }
        Some(pairs)
    }

    /// Whether two ways are the same up to where they branch or meet others.
    fn begin_alike(&self, way: PointId, other: PointId) -> bool {
        let [a, b] = [&self.sides[0], &self.sides[1]];
        let mut names = self.names.clone();
        let (mut point, mut image) = (way, other);
        for ahead in 0..MAX_AHEAD {
            if let Some(known) = self.points[point.index()] {
                return known == image;
            }
            let is_met = |side: &Side<'_>, point: PointId| ahead > 0 && side.n_ways_in[point.index()] > 1;
            if is_met(a, point) || is_met(b, image) {
                return is_met(a, point) && is_met(b, image);
            }
            let (action, its) = (&a.automaton.points[point].action, &b.automaton.points[image].action);
            if a.unordered(point).len() > 1 {
                return b.unordered(image).len() == a.unordered(point).len();
            }
            if self.is_taken[image.index()] || !self.both.same_action(action, its, &mut names) {
                return false;
            }
            if matches!(action, Action::Branch { .. } | Action::Choose(_) | Action::Halt) {
                return true;
            }
            (point, image) = (a.automaton.points[point].next, b.automaton.points[image].next);
        }
        true
    }

    fn finish(mut self) -> Option<(Table<PointId, PointId>, Table<RegId, RegId>)> {
        let points: Table<PointId, PointId> =
            self.points.iter().copied().collect::<Option<Vec<_>>>()?.into_iter().collect();
        for register in self.sides[0].automaton.registers.ids() {
            if self.names.image(register).is_none() {
                // It is never used: any that is left will do.
                let mut free = self.sides[1].automaton.registers.ids().filter(|r| !self.names.is_taken[r.index()]);
                let image = free.find(|image| self.both.are_alike(register, *image))?;
                self.names.join(self.both, register, image);
            }
        }
        let registers: Table<RegId, RegId> = self.names.images.iter().flatten().copied().collect();
        let (a, b) = self.both.codes();
        let lives_alike = |(point, image): (PointId, &PointId)| {
            let mut observed: Vec<RegId> = a.observed_registers(point).iter().map(|r| registers[*r]).collect();
            let mut observed_of_image = b.observed_registers(*image).to_vec();
            observed.sort();
            observed_of_image.sort();
            let is_live = |(r, s): (RegId, &RegId)| a.live[point][r.index()] == b.live[*image][s.index()];
            let pause_alike = a.pauses[point] == b.pauses[*image];
            pause_alike && observed == observed_of_image && registers.iter().all(is_live)
        };
        (registers.len() == a.automaton.registers.len() && points.iter().all(lives_alike))
            .then_some((points, registers))
    }
}
