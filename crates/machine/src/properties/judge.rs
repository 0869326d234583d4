//! What properties ask of a packed state, without unpacking it.

use crate::properties::clean::Clean;
use crate::properties::conjuncts::Owner;
use crate::properties::specialise::Binding;
use crate::rules::local::Mode;
use crate::tabulated::locals::{FAILED, Locals};
use crate::tabulated::tables::Tabulated;
use automata::{CellId, Moment, NO_VALUE, PropertyId, StateExpr, StateLeaf, StateProperty, Stated, Wide};
use base::table::Id;
use system::{PropertyIndex, Reached};

impl Tabulated<'_> {
    /// Whether a condition on whole states is true; none while a register that it needs has no value.
    pub(crate) fn decide(&self, words: &[u32], condition: &StateExpr) -> Option<bool> {
        condition.decide(&mut |leaf| self.leaf(words, leaf))
    }

    fn leaf(&self, words: &[u32], leaf: &StateLeaf) -> Option<Wide> {
        let cell = |cell: usize| Some(Wide::from(self.layout.slot(CellId::new(cell)).get(words)));
        match leaf {
            StateLeaf::Cell(id) => cell(id.index()),
            StateLeaf::CellAt { base, stride, count, index } => {
                let index = index.eval(&mut |leaf| self.leaf(words, leaf))?;
                let is_inside = index >= 0 && index < Wide::from(*count);
                if is_inside { cell(base.index() + index as usize * *stride as usize) } else { Some(NO_VALUE) }
            }
            StateLeaf::Pending { thread, place, value, nth } => {
                let value_of = |expr: &StateExpr| expr.eval(&mut |leaf| self.leaf(words, leaf));
                let cell = place.cell(value_of(&place.index)?);
                let wanted = match value {
                    Some(value) => Some(value_of(value)?),
                    None => None,
                };
                let rules = self.rules(thread.index());
                let queue = rules.view(self.info(words, thread.index()).local).queue;
                Some(rules.count_pending(queue, cell, wanted, *nth).into())
            }
            StateLeaf::Oldest { thread, place } => {
                let index = place.index.eval(&mut |leaf| self.leaf(words, leaf))?;
                let Some(cell) = place.cell(index) else { return Some(-1) };
                let rules = self.rules(thread.index());
                let pending = rules.oldest_pending(rules.view(self.info(words, thread.index()).local).queue, cell);
                Some(pending.unwrap_or_else(|| self.layout.slot(cell).get(words)).into())
            }
            StateLeaf::Reached { graph, from } => {
                let from = from.eval(&mut |leaf| self.leaf(words, leaf))?;
                let is_true = |condition: &StateExpr| self.decide(words, condition);
                self.automata.graphs[*graph].reached(from, |cell| self.layout.slot(cell).get(words), is_true)
            }
            leaf => {
                let thread = leaf.thread()?.index();
                let rules = self.locals[self.table[thread]].rules(&self.around());
                let view = rules.view(self.info(words, thread).local);
                match rules.seen(view, leaf) {
                    Binding::Is(expr) => expr.eval(&mut |leaf| self.leaf(words, leaf)),
                    Binding::Open | Binding::ToCome => None,
                }
            }
        }
    }

    /// The first property of whole states that this one violates. Adds the cover properties it reaches.
    pub(crate) fn violated(&self, words: &[u32], clean: &mut Clean, reached: &mut Reached) -> Option<PropertyIndex> {
        let mut first: Option<PropertyIndex> = None;
        self.every_violated(words, clean, reached, &mut |property| {
            first = Some(first.map_or(property, |first| first.min(property)));
        });
        first
    }

    /// Calls `violated` with the properties of whole states that this one violates, some perhaps more than once. Adds the
    /// cover properties it reaches.
    pub(crate) fn every_violated(
        &self,
        words: &[u32],
        clean: &mut Clean,
        reached: &mut Reached,
        violated: &mut dyn FnMut(PropertyIndex),
    ) {
        let judged = |thread: usize| &self.info(words, thread).known().judged[self.sharing[thread].position];
        let (mut stated, mut undefined) = (Vec::new(), Vec::new());
        let mut found = |owner: Owner| match owner {
            Owner::Property(id) => stated.push(Stated::Property(id)),
            Owner::Cover(id) if self.automata.definedness.is_empty() => reached.add_cover(id.index()),
            Owner::Cover(id) => stated.push(Stated::Cover(id)),
            Owner::Undefined(i) => undefined.push(&self.automata.definedness[i as usize]),
        };
        self.judges.judge(words, judged, clean, &mut found);
        for conjunct in self.judges.odd() {
            if self.interpreter().places(&self.unpack(words), &conjunct.condition, false).is_some() {
                found(conjunct.owner);
            }
        }
        if !self.of_quiescence.is_empty() && self.is_quiescent(words) {
            for (id, StateProperty { condition, violating, .. }) in &self.of_quiescence {
                reached.add_judged(*id);
                let is_violated = self.decide(words, condition) == Some(*violating);
                stated.extend(is_violated.then_some(Stated::Property(PropertyId(*id))));
            }
            let at_the_end = self.automata.definedness.iter().filter(|d| d.moment == Moment::Quiescent);
            undefined.extend(at_the_end.filter(|d| self.decide(words, &d.condition) == Some(false)));
        }
        let has_value = |stated: &Stated| {
            undefined.iter().all(|d| d.of != *stated) || !self.interpreter().has_no_value(&self.unpack(words), *stated)
        };
        for stated in stated.into_iter().filter(has_value) {
            match stated {
                Stated::Property(id) => violated(id.0),
                Stated::Cover(id) => reached.add_cover(id.index()),
            }
        }
        undefined.into_iter().for_each(|d| violated(d.property.0));
    }

    /// All threads have ended, and nothing is pending.
    pub(crate) fn is_quiescent(&self, state: &[u32]) -> bool {
        (0..self.table.len()).all(|thread| {
            let info = self.info(state, thread);
            info.is_parked && info.local.mode == Mode::Halted
        })
    }

    /// Whether a thread has violated a property: it has no state to continue from.
    pub fn has_failed(&self, state: &[u32]) -> bool {
        state[self.layout.n_words..].iter().any(|number| number & FAILED != 0)
    }

    /// The property that the first thread which has violated one has violated.
    pub(crate) fn failed(&self, state: &[u32]) -> Option<PropertyIndex> {
        self.every_failed(state).next()
    }

    /// The properties that threads have violated; several if they did so before the first step.
    pub(crate) fn every_failed(&self, state: &[u32]) -> impl Iterator<Item = PropertyIndex> {
        let threads = state[self.layout.n_words..].iter().enumerate().filter(|(_, number)| **number & FAILED != 0);
        threads.filter_map(|(thread, _)| match self.info(state, thread).local.mode {
            Mode::Failed(property) => Some(property.0),
            _ => None,
        })
    }

    /// Whether some thread loops forever.
    pub(crate) fn spins(&self, words: &[u32]) -> bool {
        self.has_mode(words, Mode::is_looping)
    }

    /// Whether some thread circles: then only temporal properties see the state.
    pub(crate) fn circles(&self, words: &[u32]) -> bool {
        self.has_mode(words, |mode| mode == Mode::Circling)
    }

    fn has_mode(&self, words: &[u32], is_looping: impl Fn(Mode) -> bool) -> bool {
        let is_it = |thread: usize| is_looping(self.info(words, thread).local.mode);
        self.locals.iter().any(Locals::may_spin) && (0..self.table.len()).any(is_it)
    }

    /// Whether something was performed on an assumption that is still open.
    pub(crate) fn has_assumption(&self, words: &[u32]) -> bool {
        (0..self.table.len()).any(|thread| self.info(words, thread).local.has_assumption())
    }

    /// Whether a thread guesses, or something was performed on an assumption that is still open.
    pub(crate) fn is_uncertain(&self, words: &[u32]) -> bool {
        (0..self.table.len()).any(|thread| self.info(words, thread).local.is_uncertain())
    }

    /// Whether the oldest memory operation that a thread has pending may be performed, even if its path is
    /// discarded later.
    pub(crate) fn oldest_is_enabled(&self, words: &[u32], thread: usize) -> bool {
        let (around, info) = (self.around(), self.info(words, thread));
        let is_locked_out = self.is_locked_out(words, thread);
        let oldest =
            info.moves.iter().enumerate().filter(|(_, m)| m.performs_oldest && !(is_locked_out && m.needs_bus()));
        let mut results = oldest.map(|(index, a_move)| {
            let raw = a_move.reads.map_or(0, |slot| slot.raw(words));
            self.locals[self.table[thread]].step(&around, info, index, raw)
        });
        results.any(|result| result.discarded || !result.ways.is_empty())
    }
}
