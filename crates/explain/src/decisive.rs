//! Which reorderings a violation needs: found by searches of the same system in which threads keep program order but for a
//! few named pairs of operations.
//!
//! A run is one of the system restricted to the pairs that it reorders. Delays are taken away one by one, then pairs; what is
//! left is needed: with these pairs the property is violated, and without any one of them it holds.

use crate::data::Cause;
use crate::history::History;
use automata::{Automata, Kept, PointId, PropertyId, ThreadId};
use explore::Control;
use machine::Interpreter;
use memory::MemoryModel;
use std::cell::Cell;
use std::collections::BTreeSet;
use workbench::{RunOptions, Trace, Verdict, follow, run_for};

/// Two operations of one program: the younger is performed before the older. Threads `mutator[0]` and `mutator[1]` run one
/// program, so that they stay interchangeable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Pair {
    pub(crate) program: String,
    pub(crate) older: PointId,
    pub(crate) younger: PointId,
}

/// A set of pairs.
pub(crate) type Pairs = BTreeSet<Pair>;

/// What is asked: one property of one system under one memory model.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// The system.
    pub automata: &'a Automata,
    /// The memory model.
    pub memory: &'a MemoryModel,
    /// Scope and limits.
    pub options: &'a RunOptions,
    /// What may stop the searches.
    pub control: &'a Control<'a>,
}

/// What a violation needs, with the run that shows it and needs no more.
pub(crate) struct Decisive {
    pub(crate) cause: Cause,
    pub(crate) pairs: Pairs,
    pub(crate) trace: Trace,
}

/// The program that a thread runs: its name without the index.
pub(crate) fn program(automata: &Automata, thread: ThreadId) -> &str {
    let name = &automata.threads[thread].name;
    name.split_once('[').map_or(name, |(program, _)| program)
}

/// The pairs that a run reorders.
pub(crate) fn pairs(automata: &Automata, history: &History) -> Pairs {
    let of = |id: usize| {
        let older = &history.operations[id];
        let pair = move |younger: &usize| Pair {
            program: program(automata, older.thread).into(),
            older: older.point,
            younger: history.operations[*younger].point,
        };
        older.overtaken_by.iter().map(pair)
    };
    history.delayed().flat_map(of).collect()
}

/// The system whose threads obey `kept`, given the pairs of their program.
pub(crate) fn constrained(automata: &Automata, pairs: &Pairs, kept: fn(Vec<(PointId, PointId)>) -> Kept) -> Automata {
    let mut constrained = automata.clone();
    for thread in automata.threads.ids() {
        let own = pairs.iter().filter(|pair| pair.program == program(automata, thread));
        constrained.threads[thread].automaton.kept = kept(own.map(|pair| (pair.older, pair.younger)).collect());
    }
    constrained
}

/// What the violation that `trace` shows needs.
pub(crate) fn decide(question: Question<'_>, trace: &Trace) -> Decisive {
    Search { question, property: trace.property, is_cut_short: Cell::new(false) }.decide(trace)
}

struct Search<'a> {
    question: Question<'a>,
    property: PropertyId,
    /// Whether a limit stopped some search.
    is_cut_short: Cell<bool>,
}

impl Search<'_> {
    fn decide(&self, trace: &Trace) -> Decisive {
        let all = self.pairs(trace);
        let found = self.violated_with(&Pairs::new()).map(|trace| (Pairs::new(), trace));
        let found = found.or_else(|| self.one_delay(&all)).or_else(|| Some((all.clone(), trace.clone())));
        let (pairs, trace) = found.map(|(pairs, trace)| self.without_needless(pairs, trace)).expect("the run itself");
        let cause = match pairs.is_empty() {
            _ if self.is_cut_short.get() => Cause::Undecided,
            true => Cause::ProgramOrder,
            false => Cause::Reorderings,
        };
        Decisive { cause, pairs, trace }
    }

    fn pairs(&self, trace: &Trace) -> Pairs {
        pairs(self.question.automata, &History::new(self.question.automata, trace))
    }

    /// The violation with only one operation delayed, if that is enough: of all such runs a shortest.
    fn one_delay(&self, all: &Pairs) -> Option<(Pairs, Trace)> {
        let late: BTreeSet<(&str, PointId)> = all.iter().map(|pair| (pair.program.as_str(), pair.older)).collect();
        let delays = late.into_iter().map(|late| {
            all.iter().filter(|pair| (pair.program.as_str(), pair.older) == late).cloned().collect::<Pairs>()
        });
        let found = delays.filter_map(|pairs| self.violated_with(&pairs));
        let shortest = found.min_by_key(|trace| (trace.steps.len(), trace.switches()))?;
        Some((self.pairs(&shortest), shortest))
    }

    /// Takes pairs away, the youngest first, as long as the violation remains.
    fn without_needless(&self, mut pairs: Pairs, mut trace: Trace) -> (Pairs, Trace) {
        let mut needed = Pairs::new();
        while let Some(pair) = pairs.iter().rev().find(|pair| !needed.contains(pair)).cloned() {
            let mut fewer = pairs.clone();
            fewer.remove(&pair);
            match self.violated_with(&fewer) {
                Some(simpler) => {
                    pairs = self.pairs(&simpler);
                    trace = simpler;
                    needed.retain(|pair| pairs.contains(pair));
                }
                None => {
                    needed.insert(pair);
                }
            }
        }
        (pairs, trace)
    }

    /// A run that violates the property though threads keep program order but for `pairs`, as the unconstrained system
    /// executes it.
    fn violated_with(&self, pairs: &Pairs) -> Option<Trace> {
        let Question { automata, memory, options, control } = self.question;
        let constrained = constrained(automata, pairs, Kept::AllBut);
        match run_for(&constrained, memory, options, self.property, control) {
            Verdict::Holds => None,
            Verdict::Violated(trace) => {
                let followed = follow(&Interpreter::new(automata, memory, &options.machine), &trace);
                if followed.is_err() {
                    self.is_cut_short.set(true);
                }
                followed.ok()
            }
            Verdict::Inconclusive(_) => {
                self.is_cut_short.set(true);
                None
            }
        }
    }
}
