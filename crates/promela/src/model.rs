//! What all parts of the model's text share: names, configurations, what properties ask.

use crate::config::{Config, Mode, Plan, Walk};
use crate::term::Term;
use crate::{Memory, Options, conditions, interval, judge, refusal};
use automata::liveness::live_registers;
use automata::{Access, Action, Automata, Automaton, Op, PointId, RegId};
use base::table::Id;
use base::{Sources, Span, Table};
use memory::{MemoryModel, StoreConditional};
use std::collections::BTreeSet;

/// A system, ready to be written.
pub(crate) struct Model<'a> {
    pub(crate) automata: &'a Automata,
    pub(crate) sources: &'a Sources,
    pub(crate) memory: Memory,
    /// How many operations a thread may have issued and not performed.
    pub(crate) bound: usize,
    /// How many stores it may have issued and not performed.
    pub(crate) slots: usize,
    pub(crate) check_deadlock: bool,
    pub(crate) may_fail: bool,
    pub(crate) threads: Vec<ThreadModel<'a>>,
    /// Sets of objects that properties speak of, each once.
    pub(crate) reached: Vec<judge::Reached<'a>>,
}

/// One thread, ready to be written.
pub(crate) struct ThreadModel<'a> {
    pub(crate) automaton: &'a Automaton,
    /// How it is called in the model.
    pub(crate) name: String,
    pub(crate) registers: Vec<String>,
    pub(crate) plan: Plan,
    pub(crate) live: Table<PointId, Vec<bool>>,
    /// Where invariants and covers see it pass.
    pub(crate) seen_at: BTreeSet<PointId>,
    /// For each temporal property by its position, where the thread pauses for it.
    pub(crate) pauses_at: Vec<(usize, BTreeSet<PointId>)>,
    /// Whether it reserves cells.
    pub(crate) reserves: bool,
}

impl<'a> Model<'a> {
    pub(crate) fn new(
        automata: &'a Automata,
        (model, memory): (&MemoryModel, Memory),
        options: &Options,
        sources: &'a Sources,
    ) -> Self {
        let mut names = Names::default();
        let threads = automata.threads.iter().map(|(id, thread)| {
            let (automaton, name) = (&thread.automaton, names.fresh(&format!("t_{}", thread.name)));
            let registers = automaton.registers.values();
            // What belongs to the thread itself has one `_` less.
            let registers = registers.map(|r| names.fresh(&format!("{name}__{}", r.name))).collect();
            let seen_at = conditions::points(automata, id, conditions::of_states(automata));
            let pauses_at = conditions::temporal(automata)
                .map(|(position, ltl)| (position, conditions::points(automata, id, ltl.atoms.iter())))
                .collect::<Vec<_>>();
            let labels = pauses_at.iter().flat_map(|(_, points)| points).chain(&seen_at).copied().collect();
            let observed = automaton.points.ids().map(|_| automaton.observed.clone()).collect();
            let is_linked = |a: &Access| matches!(a.op, Op::LoadLinked | Op::StoreConditional(_));
            let is_reserve = |p: &automata::Point| matches!(&p.action, Action::Access(access) if is_linked(access));
            ThreadModel {
                automaton,
                name,
                registers,
                plan: Plan::new(automaton, memory, &labels),
                live: live_registers(automaton, &observed),
                seen_at,
                pauses_at,
                reserves: automaton.points.values().any(is_reserve),
            }
        });
        let threads = threads.collect();
        Model {
            automata,
            sources,
            memory,
            bound: options.queue_bound,
            slots: options.buffer.unwrap_or(options.queue_bound).min(options.queue_bound),
            check_deadlock: options.check_deadlock,
            may_fail: model.store_conditional == StoreConditional::MayFail,
            threads,
            reached: judge::reached(automata),
        }
    }

    /// The type of a cell's number.
    pub(crate) fn number_type(&self) -> &'static str {
        interval::type_of((0, self.automata.cells.len() as i64))
    }

    /// The type of what cells hold.
    pub(crate) fn cell_type(&self) -> &'static str {
        let all = self.automata.cells.values().map(|cell| interval::of_domain(cell.domain));
        interval::type_of(all.fold((0, 0), |all, one| (all.0.min(one.0), all.1.max(one.1))))
    }

    /// What stores of a thread that go through its buffer may store.
    pub(crate) fn buffered(&self, thread: usize) -> (i64, i64) {
        let automaton = self.threads[thread].automaton;
        let stores = automaton.points.values().filter_map(|point| match &point.action {
            Action::Access(Access { op: Op::Store(value), .. }) => refusal::values(automaton, value),
            _ => None,
        });
        stores.fold((0, 0), |all, one| (all.0.min(one.0), all.1.max(one.1)))
    }

    /// Whether a run may turn out to be none.
    pub(crate) fn may_discard(&self) -> bool {
        let mut actions = self.threads.iter().flat_map(|thread| thread.automaton.points.values());
        actions.any(|point| matches!(point.action, Action::Discard(_)))
    }

    /// Whether no other thread holds the bus.
    pub(crate) fn has_bus(&self, thread: usize) -> Term {
        let Some(bus) = self.automata.bus else { return Term::TRUE };
        let holder = Term::cell(Term::Const(bus.0 as i64));
        let is_free = holder.clone().equals(Term::Const(i64::from(Automata::FREE)));
        is_free.or(holder.equals(Term::Const(thread as i64)))
    }

    /// Whether the thread has ended, or is at a safepoint, with nothing pending.
    pub(crate) fn is_parked(&self, thread: usize) -> Term {
        let model = &self.threads[thread];
        let is_rest = |config: &Config| {
            let action = &model.automaton.points[config.point].action;
            let is_place = matches!(action, Action::Safepoint | Action::Halt);
            config.pending.is_none() && config.mode == Mode::Going && is_place
        };
        model.is_among(&model.plan.numbers(is_rest)).and(model.is_drained())
    }

    /// Where something stands in the source, for comments.
    pub(crate) fn place(&self, span: Span) -> String {
        match self.sources.place(span) {
            Some((source, place)) => {
                let file = source.name.rsplit('/').next().unwrap_or("");
                format!("{file}:{}", place.line)
            }
            None => String::new(),
        }
    }
}

impl ThreadModel<'_> {
    pub(crate) fn walk(&self) -> Walk<'_> {
        Walk { automaton: self.automaton, is_buffered: self.plan.is_buffered }
    }

    /// The variable that says where it is.
    pub(crate) fn at(&self) -> String {
        format!("{}_at", self.name)
    }

    /// Whether it is at one of these configurations.
    pub(crate) fn is_among(&self, numbers: &[usize]) -> Term {
        Term::any(numbers.iter().map(|number| Term::var(self.at()).equals(Term::Const(*number as i64))))
    }

    /// Whether its store buffer is empty.
    pub(crate) fn is_drained(&self) -> Term {
        if self.plan.is_buffered { self.length().equals(Term::Const(0)) } else { Term::TRUE }
    }

    /// How many stores wait in its buffer.
    pub(crate) fn length(&self) -> Term {
        Term::var(format!("{}_length", self.name))
    }

    pub(crate) fn register(&self, register: RegId) -> Term {
        Term::var(self.registers[register.index()].clone())
    }

    /// Whether a register's value matters at a point.
    pub(crate) fn is_live(&self, register: RegId, point: PointId) -> bool {
        self.live[point][register.index()]
    }

    /// The configurations in which a register's value is still to come.
    pub(crate) fn coming(&self, register: RegId) -> Vec<usize> {
        self.plan.numbers(|config| config.coming.contains(&register))
    }
}

/// Names that are used once.
#[derive(Default)]
struct Names {
    used: BTreeSet<String>,
}

impl Names {
    /// A name for Promela that is like `raw`.
    fn fresh(&mut self, raw: &str) -> String {
        let plain: String = raw.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let mut name = plain.trim_end_matches('_').to_string();
        let mut number = 1;
        while !self.used.insert(name.clone()) {
            number += 1;
            name = format!("{plain}__{number}");
        }
        name
    }
}
