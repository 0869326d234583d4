//! What becomes of a mutant.

use crate::mutant::Mutant;
use crate::question::{Base, Instance, Original, Question, plain};
use crate::reached::Reached;
use automata::Automata;
use patch::Patched;
use program::Loaded;
use std::time::{Duration, Instant};
use system::Limit;
use workbench::{System, Trace, Verdict};

/// Why a mutant has the same runs as the original, at the scopes asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Same {
    /// Control never comes to what is changed.
    NeverReached,
    /// The automata are the same.
    Automata,
}

/// What a mutant violates.
#[derive(Clone, Debug)]
pub struct Kill {
    /// The first run that shows it.
    pub instance: Instance,
    /// The property.
    pub property: String,
    /// A shortest trace, executed by the interpreter.
    pub trace: Trace,
    /// The mutant's system.
    pub automata: Automata,
}

/// What becomes of a mutant.
#[derive(Clone, Debug)]
pub enum Fate {
    /// A property is violated that the original does not violate.
    Killed(Box<Kill>),
    /// No such property is violated, but a cover that the original reaches is no longer reached.
    Vacuous(Instance, Vec<String>),
    /// Everything holds, though its runs may differ from those of the original.
    Survived,
    /// It has the same runs as the original.
    Equivalent(Same),
    /// A limit was hit, and nothing was violated before.
    Open(Instance, Limit),
    /// It is no program.
    Discarded,
}

impl Fate {
    /// In one word.
    pub fn word(&self) -> &'static str {
        match self {
            Fate::Killed(_) => "killed",
            Fate::Vacuous(..) => "vacuous",
            Fate::Survived => "survived",
            Fate::Equivalent(_) => "equivalent",
            Fate::Open(..) => "open",
            Fate::Discarded => "discarded",
        }
    }
}

/// Judges mutants by what the original does not violate.
pub struct Judge<'a> {
    /// What mutants are asked.
    pub question: &'a Question<'a>,
    /// How the original answers.
    pub original: &'a Original,
    /// How long all runs of one mutant may take.
    pub timeout: Option<Duration>,
}

impl Judge<'_> {
    /// Runs a mutant until something is violated.
    pub fn mutant(&self, mutant: &Mutant, reached: &Reached) -> (Patched, Fate) {
        let Judge { question, original, .. } = self;
        let patched = Patched::new(question.loaded, &mutant.edits);
        let loaded = patched.load();
        if reached.is_idle(mutant) {
            // It may still be no program.
            let is_program = question.system(&loaded, question.variant, original.runs[0].instance).is_some();
            return (patched, if is_program { Fate::Equivalent(Same::NeverReached) } else { Fate::Discarded });
        }
        (patched, self.text(&loaded, question.variant))
    }

    /// What becomes of another variant of the original, or of a changed text.
    pub fn text(&self, loaded: &Loaded, variant: &str) -> Fate {
        let begun = Instant::now();
        let mut evidence = Evidence { is_same: true, vacuous: None, open: None };
        for base in &self.original.runs {
            let Some(system) = self.question.system(loaded, variant, base.instance) else { return Fate::Discarded };
            let rest = self.timeout.map(|timeout| timeout.saturating_sub(begun.elapsed()));
            if let Some(fate) = evidence.ask(self.question, base, system, rest) {
                return fate;
            }
        }
        evidence.fate()
    }
}

/// What the runs so far have shown of a mutant that nothing has killed.
struct Evidence {
    is_same: bool,
    vacuous: Option<(Instance, Vec<String>)>,
    open: Option<(Instance, Limit)>,
}

impl Evidence {
    /// Asks one run more; gives the mutant's fate if that decides it.
    fn ask(&mut self, question: &Question<'_>, base: &Base, system: System, timeout: Option<Duration>) -> Option<Fate> {
        let (instance, automata) = (base.instance, system.automata);
        if workbench::unsuitable(&automata).is_some() {
            return Some(Fate::Discarded);
        }
        if plain(&automata) == base.plain {
            return None;
        }
        self.is_same = false;
        let automata = base.mask.put_on(automata);
        let options = base.mask.options(question.options(instance, timeout));
        let answer = question.answer(instance, &automata, &options);
        match answer.verdict {
            Verdict::Violated(trace) => {
                let property = answer.property.unwrap_or_default();
                return Some(Fate::Killed(Box::new(Kill { instance, property, trace: *trace, automata })));
            }
            Verdict::Inconclusive(limit) => self.open = self.open.or(Some((instance, limit))),
            Verdict::Holds if answer.has_no_run() => return Some(Fate::Discarded),
            Verdict::Holds => {
                let is_idle = answer.has_no_step() && !base.answer.has_no_step();
                let is_new = |name: &String| !base.answer.uncovered.contains(name);
                let idle = is_idle.then(|| "any step".to_string());
                let unreached: Vec<String> = answer.uncovered.into_iter().filter(is_new).chain(idle).collect();
                if !unreached.is_empty() && self.vacuous.is_none() {
                    self.vacuous = Some((instance, unreached));
                }
            }
        }
        None
    }

    fn fate(self) -> Fate {
        match (self.vacuous, self.open) {
            (Some((instance, covers)), _) => Fate::Vacuous(instance, covers),
            (None, Some((instance, limit))) => Fate::Open(instance, limit),
            (None, None) if self.is_same => Fate::Equivalent(Same::Automata),
            (None, None) => Fate::Survived,
        }
    }
}
