//! Small models: how many elements a counterexample to one obligation needs.

use super::General;
use super::cores::OfStep;
use super::groups::{Group, all_conjuncts, conjuncts, families, typed_of};
use super::kept::{Kept, Registers, Sort};
use super::transfer::{Bound, Direction, Moment, Transfer};
use super::walk::{self, Way};
use crate::step::{StepKind, StepOf};
use automata::scalars::SortId;
use base::table::Id;
use program::indices::{Holder, Home};
use program::typed::{self, Expr, LocalId};
use std::collections::{BTreeMap, BTreeSet};

/// A conjunct of a row, and what its names stand for.
struct Conjunct<'a> {
    id: typed::PropertyId,
    property: &'a typed::Property,
    conjunct: &'a Expr,
    names: BTreeMap<LocalId, Bound>,
    is_buffered: bool,
}

/// A way through a step that may break a conjunct, with what is kept so far and the families that the conjunct reads.
struct Broken<'w> {
    way: &'w Way,
    kept: Kept,
    read: Vec<u32>,
}

/// How many elements of each sort.
pub(crate) type Counts = BTreeMap<Sort, usize>;

impl General<'_> {
    /// How many elements of each sort a counterexample needs, or why that is not known; none if the step touches no conjunct of the row.
    pub(crate) fn small_model(
        &self,
        of: &mut OfStep<'_>,
        row: usize,
        used: &[usize],
    ) -> Result<Option<Counts>, String> {
        let found = of.ways.clone()?;
        let Some((id, property)) = typed_of(self.program, &self.problem.rows[row].name) else {
            return Err("it states where another row has a value, or an outcome".into());
        };
        let condition = property.kind.of_states().ok_or("it states no condition")?;
        let mut broken = Vec::new();
        for way in &found {
            for (conjunct, bound) in all_conjuncts(condition) {
                for names in self.cases(of.step, (id, property), &bound) {
                    let conjunct = Conjunct { id, property, conjunct, names, is_buffered: of.footprint.buffer };
                    broken.extend(self.broken(of.step, way, conjunct)?);
                }
            }
        }
        if broken.is_empty() {
            return Ok(None);
        }
        let groups = self.hypotheses.iter().enumerate().filter(|(_, group)| used.contains(&group.row));
        let core = of.core(row, &groups.map(|(group, _)| group).collect::<Vec<_>>())?;
        let mut most = Counts::new();
        for broken in broken {
            for (sort, count) in self.with_hypotheses(of.step, &core, broken)?.counts() {
                let most = most.entry(sort).or_default();
                *most = count.max(*most);
            }
        }
        Ok(Some(most))
    }

    /// What the names of the row's conjunct stand for: of those for threads, the acting one or another.
    fn cases(
        &self,
        step: &StepOf,
        (id, property): (typed::PropertyId, &typed::Property),
        bound: &[LocalId],
    ) -> Vec<BTreeMap<LocalId, Bound>> {
        let (acting, copy) = self.declaration(step);
        let name = |local: LocalId| Bound::One(format!("{local} of the row"));
        let mut cases = vec![BTreeMap::new()];
        for local in bound {
            let ways = |case: &BTreeMap<LocalId, Bound>| match self.sort_of_local((id, property), *local) {
                None => {
                    let range = self.program.types.range(property.locals[*local].ty);
                    range.values().map(Bound::Number).collect()
                }
                Some(Sort::Copies(thread)) if thread == acting => {
                    // Of two copies, one acts and the other does not. A further name may stand for a third one at a greater scope.
                    let other = Bound::One(format!("{thread} {}", 1usize.wrapping_sub(copy)));
                    let is_other = self.size(Sort::Copies(thread)) == 2 && !case.values().any(|bound| *bound == other);
                    vec![Bound::Acting, if is_other { other } else { name(*local) }]
                }
                Some(_) => vec![name(*local)],
            };
            let longer = |case: &BTreeMap<LocalId, Bound>| {
                let with = |way: Bound| {
                    let mut case = case.clone();
                    case.insert(*local, way);
                    case
                };
                ways(case).into_iter().map(with).collect::<Vec<_>>()
            };
            cases = cases.iter().flat_map(longer).collect();
        }
        cases
    }

    /// The declaration of the acting thread, and which copy it is.
    fn declaration(&self, step: &StepOf) -> (typed::ThreadId, usize) {
        let mut left = step.thread.index();
        for (id, thread) in self.program.threads.iter() {
            let count = thread.count.unwrap_or(1) as usize;
            if left < count {
                return (id, left);
            }
            left -= count;
        }
        (typed::ThreadId(0), 0)
    }

    /// What a smaller state keeps, so that the step can be taken there and the conjunct is broken after it; none if the step cannot break it.
    fn broken<'w>(&self, step: &StepOf, way: &'w Way, of: Conjunct<'_>) -> Result<Option<Broken<'w>>, String> {
        let Conjunct { id, property, conjunct, names, is_buffered } = of;
        let mut kept = way.kept.clone();
        let (acting, _) = self.declaration(step);
        if self.program.threads[acting].count.is_some() {
            kept.keep(Sort::Copies(acting), "the acting thread");
        }
        for (local, bound) in &names {
            if let (Bound::One(name), Some(sort)) = (bound, self.sort_of_local((id, property), *local)) {
                kept.keep(sort, name.clone());
            }
        }
        let automaton = &self.problem.automata.threads[step.thread].automaton;
        let (start, nothing) = (self.start(step), BTreeSet::new());
        let before = self.before(step, &start, &nothing);
        let point = before.point.and(way.end);
        let after = Moment { acting, automaton, point, registers: &way.registers, written: &way.written, is_buffered };
        let (sorts, home, locals, mut unused) = (self.sorts, Home::Property(id), &property.locals, Kept::default());
        let earlier = Transfer { sorts, home, locals, moment: &before, bound: names.clone(), kept: &mut unused };
        let mut later = Transfer { sorts, home, locals, moment: &after, bound: names, kept: &mut kept };
        if !later.is_touched(conjunct, &earlier) {
            return Ok(None);
        }
        later.condition(conjunct, Direction::Lose)?;
        let mut read = Vec::new();
        families(self.sorts, conjunct, &mut read);
        Ok(Some(Broken { way, kept, read }))
    }

    /// What it keeps besides, so that the hypotheses hold before the step.
    fn with_hypotheses(&self, step: &StepOf, core: &[usize], broken: Broken<'_>) -> Result<Kept, String> {
        let Broken { way, mut kept, mut read } = broken;
        let (start, nothing) = (self.start(step), BTreeSet::new());
        let before = self.before(step, &start, &nothing);
        let (_, copy) = self.declaration(step);
        for group in core.iter().map(|group| &self.hypotheses[*group]) {
            self.hypothesis(group, copy, &before, &mut kept, &mut read)?;
        }
        match way.reads_what_it_pops(&read) {
            true => Err("a step takes a queue's oldest element away, which may be in it twice".into()),
            false => Ok(kept),
        }
    }

    /// The state before a step.
    fn before<'m>(&'m self, step: &StepOf, registers: &'m Registers, nothing: &'m BTreeSet<u32>) -> Moment<'m> {
        let (acting, _) = self.declaration(step);
        let automaton = &self.problem.automata.threads[step.thread].automaton;
        let point = match step.kind {
            StepKind::Point(point) => Some(point),
            StepKind::Commit { .. } | StepKind::Interference { .. } => None,
        };
        Moment { acting, automaton, point, registers, written: nothing, is_buffered: false }
    }

    fn start(&self, step: &StepOf) -> Registers {
        let sort_of = |sort: SortId| self.sort_of(sort);
        walk::start(self.problem, &sort_of, step.thread)
    }

    /// A group of hypotheses stays true.
    fn hypothesis(
        &self,
        group: &Group,
        copy: usize,
        before: &Moment<'_>,
        kept: &mut Kept,
        read: &mut Vec<u32>,
    ) -> Result<(), String> {
        let name = &self.problem.rows[group.row].name;
        let stated =
            typed_of(self.program, name).and_then(|(id, property)| Some((id, property, property.kind.of_states()?)));
        let Some((id, property, condition)) = stated else {
            return Err("it uses a row that states where another has a value, or an outcome".into());
        };
        let to = if group.violating { Direction::Lose } else { Direction::Gain };
        let found = match group.span {
            Some(span) => conjuncts(condition, span),
            None => vec![(condition, Vec::new())],
        };
        for (conjunct, bound) in found {
            let names = bound.into_iter().map(|local| {
                let of_name = |(name, _): &&(String, String)| *name == property.locals[local].name;
                let which = group.threads.iter().find(of_name);
                let which = which.filter(|_| group.threads.iter().filter(of_name).count() == 1);
                let of_thread = self.sorts.indices.of(Holder::Local(Home::Property(id), local));
                let bound = match (which, of_thread) {
                    (Some((_, value)), Some(thread)) if thread == before.acting && *value == copy.to_string() => {
                        Bound::Acting
                    }
                    (Some((_, value)), Some(thread)) => Bound::One(format!("{thread} {value}")),
                    _ => Bound::Each,
                };
                (local, bound)
            });
            let (home, locals) = (Home::Property(id), &property.locals);
            families(self.sorts, conjunct, read);
            let bound = names.collect();
            let mut transfer = Transfer { sorts: self.sorts, home, locals, moment: before, bound, kept };
            transfer.condition(conjunct, to)?;
        }
        Ok(())
    }
}
