//! Places, changes and reasons in words.

use crate::atoms::AtomId;
use crate::marked::stronger;
use crate::overtakings::{Overtaking, overtakings};
use crate::places::{PlaceId, Site, Strength, Target};
use crate::problem::{Failure, Problem};
use automata::{Action, PointId, ThreadId};
use base::Span;
use memory::Fence;
use std::path::Path;
use workbench::Verdict;

impl Problem<'_> {
    /// `stopless.lac:51`
    pub fn line(&self, span: Span) -> String {
        let Some((source, place)) = self.question.loaded.sources.place(span) else { return String::new() };
        let name = Path::new(&source.name).file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        format!("{name}:{}", place.line)
    }

    /// The text of a span, on one line and not too long.
    pub fn code(&self, span: Span) -> String {
        const MAX: usize = 60;
        let text = self.question.loaded.sources.text(span);
        let line = text.lines().next().unwrap_or("").trim();
        match line.char_indices().nth(MAX) {
            Some((at, _)) => format!("{} ..", line[..at].trim_end()),
            None => line.trim_end_matches('{').trim_end().to_string(),
        }
    }

    /// What a set of atoms puts at its places, in words: one change for each atom, or in Rust's words for each place.
    pub fn changes(&self, set: &[AtomId]) -> Vec<String> {
        if !self.speaks_rust() {
            return set.iter().map(|atom| self.change(*atom)).collect();
        }
        let mut places: Vec<PlaceId> = set.iter().map(|atom| self.atoms[*atom].place).collect();
        places.sort();
        places.dedup();
        let at = |place: PlaceId| set.iter().map(|atom| &self.atoms[*atom]).filter(move |atom| atom.place == place);
        places.iter().map(|place| self.change_at(*place, &at(*place).map(|a| a.strength).collect::<Vec<_>>())).collect()
    }

    /// What is put at a place, in words.
    pub fn change(&self, atom: AtomId) -> String {
        let atom = &self.atoms[atom];
        self.change_at(atom.place, &[atom.strength])
    }

    fn change_at(&self, place: PlaceId, strengths: &[Strength]) -> String {
        let place = &self.places.table[place];
        let (line, code) = (self.line(place.span), self.code(place.span));
        let word = self.word(strengths, place.target == Target::Fence);
        let fence = if self.speaks_rust() { word.clone() } else { format!("fence {word}") };
        match &place.site {
            Site::Before(_) => format!("{fence} before `{code}` ({line})"),
            Site::After(_) => format!("{fence} after `{code}` ({line})"),
            Site::Flag(flag) => format!("{flag} = {} for `{code}` ({line})", self::strengths(strengths)),
            Site::Fence(_) | Site::Access(_) => format!("{word} for `{code}` ({line})"),
        }
    }

    /// Whether words are those of Rust: the memory model is that of a language.
    pub fn speaks_rust(&self) -> bool {
        self.question.memory.histories.is_some()
    }

    /// Strengths at a fence's place or an access: `acq_rel`, or in Rust's words `Ordering::AcqRel`.
    pub fn word(&self, of: &[Strength], is_fence: bool) -> String {
        if self.speaks_rust() { in_rust(of, is_fence).into() } else { strengths(of).into() }
    }

    /// What stands at a place: `fence data_fence (stopless.lac:50)`
    pub fn site(&self, place: PlaceId) -> String {
        let place = &self.places.table[place];
        format!("`{}` ({})", self.code(place.span), self.line(place.span))
    }

    /// The overtakings of a failure that `atom` forbids, in words, each once. If it is enough that one of the younger
    /// operations overtakes nothing, only those of that one are given.
    pub fn reasons(&self, failure: &Failure, atom: AtomId) -> Vec<String> {
        let all = overtakings(&self.instances[failure.instance].1, &failure.automata, &failure.trace);
        let memory = self.question.memory;
        let forbids = |o: &&Overtaking| o.is_forbidden_by(&self.atoms[atom], &self.places, &failure.automata, memory);
        let mut forbidden: Vec<&Overtaking> = all.iter().filter(forbids).collect();
        let mut younger: Vec<PointId> = forbidden.iter().map(|o| o.younger).collect();
        younger.sort();
        younger.dedup();
        let decisive = younger.iter().filter(|_| younger.len() > 1).find(|point| {
            let thread = forbidden.iter().find(|o| o.younger == **point).map(|o| o.thread);
            thread.is_some_and(|thread| self.is_decisive(failure, thread, **point))
        });
        if let Some(decisive) = decisive {
            forbidden.retain(|o| o.younger == *decisive);
        }
        let mut words: Vec<String> = forbidden.into_iter().map(|o| self.overtaking(failure, o)).collect();
        words.dedup();
        words
    }

    /// Whether the instance holds if the operation at a point overtakes nothing.
    fn is_decisive(&self, failure: &Failure, thread: ThreadId, point: PointId) -> bool {
        let mut automata = failure.automata.clone();
        let span = automata.threads[thread].automaton.points[point].span;
        for thread in automata.threads.values_mut() {
            for point in thread.automaton.points.values_mut().filter(|point| point.span == span) {
                if let Action::Access(access) = &mut point.action {
                    access.order = stronger(access.order, Strength::Release);
                }
            }
        }
        let question = &self.question;
        let options = question.options_of(&self.instances[failure.instance].0);
        question.answer(&automata, question.memory, &options).verdict == Verdict::Holds
    }

    fn overtaking(&self, failure: &Failure, overtaking: &Overtaking) -> String {
        let thread = &failure.automata.threads[overtaking.thread];
        let of = |point| {
            let span = thread.automaton.points[point].span;
            format!("`{}` ({})", self.code(span), self.line(span))
        };
        let (older, younger) = (of(overtaking.older), of(overtaking.younger));
        format!("{}'s {older} is performed after its {younger}", thread.name)
    }
}

/// Strengths in the words of Rust.
fn in_rust(of: &[Strength], is_fence: bool) -> &'static str {
    match of {
        [] if is_fence => "no fence",
        [] => "Ordering::Relaxed",
        [Strength::Fence(Fence::Full)] => "fence(SeqCst)",
        [Strength::Fence(Fence::Acquire)] => "fence(Acquire)",
        [Strength::Fence(Fence::Release | Fence::StoreStore)] => "fence(Release)",
        [Strength::SeqCst] => "Ordering::SeqCst",
        [Strength::Acquire] => "Ordering::Acquire",
        [Strength::Release] => "Ordering::Release",
        _ => "Ordering::AcqRel",
    }
}

/// Strengths as an order or a fence: `acq_rel`, `full`, `none`.
pub fn strengths(strengths: &[Strength]) -> &'static str {
    match strengths {
        [] => "none",
        [one] => one.name(),
        _ => "acq_rel",
    }
}
