//! What a step says: source lines and GC words, with issue and perform apart where something overtook.

use automata::{Action, Automata, Cause, CellId, CellKind, PointId, ThreadId, Value, Wide};
use base::{Sources, Span};
use machine::{Event, PlainStep, Source};
use workbench::Trace;

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happening {
    /// An operation was issued, and something younger was performed before it.
    Issued,
    /// An operation was performed.
    Performed {
        /// The cell.
        cell: CellId,
        /// The value read.
        read: Option<Value>,
        /// The value written.
        wrote: Option<Value>,
        /// Whether the value read came from the thread's own queue.
        from_queue: bool,
        /// The step (from 1; 0 is the start) in which it was issued, if something overtook it.
        issued_in: Option<usize>,
        /// What newer writes to the cell wrote that it has not seen, or that come after it.
        newer: Vec<Value>,
    },
    /// A transaction began.
    Begun,
    /// An operation was performed inside a transaction.
    Tracked {
        /// The cell.
        cell: CellId,
        /// The value read.
        read: Option<Value>,
        /// The value written, which memory does not hold before the commit.
        wrote: Option<Value>,
    },
    /// A transaction that commits wrote to memory.
    Published {
        /// The cell.
        cell: CellId,
        /// The value.
        value: Value,
    },
    /// A transaction committed.
    Committed,
    /// A transaction was aborted.
    Aborted(Cause),
    /// Control passed a safepoint or the border of a stopped world.
    Passed,
    /// The thread went on from a label at which it had paused.
    Proceeded,
    /// The thread went round without touching shared state, as it may do for ever.
    Spun,
    /// A branch was guessed.
    Guessed(bool),
    /// A property was violated.
    Failed(String),
    /// The thread is here when the property is violated.
    Stands,
}

/// One thing that a thread did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The step, from 1; 0 is what happened before the first.
    pub step: usize,
    /// Who.
    pub thread: ThreadId,
    /// Where.
    pub point: PointId,
    /// What.
    pub happening: Happening,
    /// Links the issue of an operation that something overtakes with its perform, if that comes: both have the same number.
    pub arc: Option<usize>,
}

/// All that happened in a trace and is worth telling, in order.
pub fn tell(automata: &Automata, trace: &Trace) -> Vec<Told> {
    let mut told = tell_steps(automata, &trace.begun, &trace.told);
    let step = trace.steps.len();
    let stands = trace.stops.iter().map(|(thread, snapshot)| (*thread, snapshot.point));
    told.extend(stands.map(|(thread, point)| Told { step, thread, point, happening: Happening::Stands, arc: None }));
    told
}

/// All that happened and is worth telling, in order, when threads began so and took these steps.
pub fn tell_steps(automata: &Automata, begun: &[PlainStep], steps: &[PlainStep]) -> Vec<Told> {
    let begun = begun.iter().map(|step| (0, step));
    let told = steps.iter().enumerate().map(|(n, step)| (n + 1, step));
    let steps: Vec<(usize, &PlainStep)> = begun.chain(told).collect();
    let mut teller = Teller { automata, pending: vec![Vec::new(); automata.threads.len()], told: Vec::new() };
    for (n, step) in steps {
        for event in &step.events {
            teller.event(n, step.thread, event);
        }
    }
    teller.told.retain(|told| told.is_shown);
    let told: Vec<Told> = teller.told.into_iter().map(|told| told.told).collect();
    let is_news: Vec<bool> = (0..told.len()).map(|i| is_news(automata, &told, i)).collect();
    told.into_iter().zip(is_news).filter(|(_, is_news)| *is_news).map(|(told, _)| told).collect()
}

/// Whether it says something that the rest of its step does not: what a step writes, it need not say to have read, nor
/// anything twice. Of abstract state only, since memory is accessed once at a time.
fn is_news(automata: &Automata, told: &[Told], index: usize) -> bool {
    let what = &told[index];
    let Happening::Performed { cell, wrote: None, .. } = what.happening else { return true };
    if automata.cells[cell].kind != CellKind::Abstract {
        return true;
    }
    let same_step = |other: &&Told| other.step == what.step && other.thread == what.thread;
    let before = told[..index].iter().rev().take_while(same_step);
    let after = told[index + 1..].iter().take_while(same_step);
    let writes =
        |other: &Told| matches!(other.happening, Happening::Performed { cell: c, wrote: Some(_), .. } if c == cell);
    !before.into_iter().any(|other| other.happening == what.happening) && !after.into_iter().any(writes)
}

struct Draft {
    told: Told,
    /// An issue is shown only once something has overtaken it.
    is_shown: bool,
}

struct Teller<'a> {
    automata: &'a Automata,
    /// For each thread, the drafts of what it has issued and not yet performed, oldest first.
    pending: Vec<Vec<usize>>,
    told: Vec<Draft>,
}

impl Teller<'_> {
    fn event(&mut self, step: usize, thread: ThreadId, event: &Event) {
        match event {
            Event::Issue(point) => {
                if matches!(self.action(thread, *point), Action::Access(_)) {
                    self.pending[thread.0 as usize].push(self.told.len());
                    self.draft(step, thread, *point, Happening::Issued, false);
                }
            }
            Event::Compute(_) => {}
            Event::Perform { point, cell, read, wrote, source, passed } => {
                let late = self.performed(thread, *point, *passed);
                let issued_in = late.map(|(_, step)| step);
                let from_queue = *source == Source::OwnStore;
                let (cell, read, wrote, newer) = (*cell, *read, *wrote, Vec::new());
                let happening = Happening::Performed { cell, read, wrote, from_queue, issued_in, newer };
                self.draft(step, thread, *point, happening, true);
                if let Some(last) = self.told.last_mut() {
                    last.told.arc = late.map(|(arc, _)| arc);
                }
            }
            Event::Behind { newer: values, .. } => {
                if let Some(Happening::Performed { newer, .. }) =
                    self.told.last_mut().map(|last| &mut last.told.happening)
                {
                    newer.clone_from(values);
                }
            }
            Event::Track { point, cell, read, wrote } => {
                let happening = Happening::Tracked { cell: *cell, read: *read, wrote: *wrote };
                self.draft(step, thread, *point, happening, true);
            }
            Event::Publish { point, cell, value } => {
                self.draft(step, thread, *point, Happening::Published { cell: *cell, value: *value }, true);
            }
            Event::Abort { point, cause } => self.draft(step, thread, *point, Happening::Aborted(*cause), true),
            Event::Pass(point) if matches!(self.action(thread, *point), Action::Begin(_)) => {
                self.draft(step, thread, *point, Happening::Begun, true);
            }
            Event::Pass(point) if matches!(self.action(thread, *point), Action::Commit) => {
                self.draft(step, thread, *point, Happening::Committed, true);
            }
            Event::Pass(point) => {
                let is_shown = matches!(
                    self.action(thread, *point),
                    Action::Safepoint | Action::Enter(automata::Region::StopTheWorld)
                );
                self.draft(step, thread, *point, Happening::Passed, is_shown);
            }
            Event::Proceed(point) => self.draft(step, thread, *point, Happening::Proceeded, true),
            Event::Spin(point) => self.draft(step, thread, *point, Happening::Spun, true),
            Event::Guess(point, guess) => self.draft(step, thread, *point, Happening::Guessed(*guess), true),
            Event::Fail(point, property) => {
                let name = self.automata.properties[*property].name.clone();
                self.draft(step, thread, *point, Happening::Failed(name), true);
            }
        }
    }

    fn action(&self, thread: ThreadId, point: PointId) -> &Action {
        &self.automata.threads[thread].automaton.points[point].action
    }

    fn draft(&mut self, step: usize, thread: ThreadId, point: PointId, happening: Happening, is_shown: bool) {
        self.told.push(Draft { told: Told { step, thread, point, happening, arc: None }, is_shown });
    }

    /// The operation at `point` is performed: all older ones still pending have been overtaken. If
    /// it was itself overtaken before, its arc and the step in which it was issued.
    fn performed(&mut self, thread: ThreadId, point: PointId, passed: usize) -> Option<(usize, usize)> {
        let pending = &mut self.pending[thread.0 as usize];
        // What a region does at once was never issued.
        pending.get(passed).filter(|draft| self.told[**draft].told.point == point)?;
        let draft = pending.remove(passed);
        for overtaken in &pending[..passed] {
            self.told[*overtaken].is_shown = true;
            self.told[*overtaken].told.arc = Some(*overtaken);
        }
        let issue = &self.told[draft];
        issue.is_shown.then_some((draft, issue.told.step))
    }
}

/// The first line of the source text at `span`, with its line number; a made-up text where there is
/// no source.
pub fn source_line(sources: &Sources, span: Span) -> (Option<usize>, String) {
    match sources.place(span) {
        Some((_, place)) => {
            let text = sources.text(span).lines().next().unwrap_or("").trim().trim_end_matches('{').trim();
            (Some(place.line), text.to_string())
        }
        None => (None, String::from("(no source)")),
    }
}

/// A cell's value in words.
pub fn value_name(automata: &Automata, cell: CellId, value: impl Into<Wide>) -> String {
    let (names, value) = (&automata.cells[cell].names, value.into());
    names.iter().find(|(v, _)| Wide::from(*v) == value).map_or_else(|| value.to_string(), |(_, name)| name.clone())
}

/// What was read and written.
fn access(automata: &Automata, cell: CellId, read: Option<Value>, wrote: Option<Value>) -> String {
    let name = &automata.cells[cell].name;
    let value = |v: Value| value_name(automata, cell, v);
    match (read, wrote) {
        (Some(read), Some(wrote)) => format!("{name}: {} → {}", value(read), value(wrote)),
        (Some(read), None) => format!("{name} is {}", value(read)),
        (None, Some(wrote)) => format!("{name} ← {}", value(wrote)),
        (None, None) => format!("{name}: store-conditional fails"),
    }
}

/// What newer writes were passed over, or come after.
fn behind(automata: &Automata, cell: CellId, writes: bool, newer: &[Value]) -> String {
    let values: Vec<String> = newer.iter().map(|value| value_name(automata, cell, *value)).collect();
    match (values.is_empty(), writes) {
        (true, _) => String::new(),
        (false, true) => format!(", before {}", values.join(", ")),
        (false, false) => format!(", not yet {}", values.join(", ")),
    }
}

/// What happened, as a phrase without the source line.
pub fn phrase(automata: &Automata, told: &Told) -> String {
    match &told.happening {
        Happening::Issued => "issued, waits".into(),
        Happening::Performed { cell, read, wrote, from_queue, issued_in, newer } => {
            let mut phrase = access(automata, *cell, *read, *wrote);
            if *from_queue {
                phrase += " (from own queue)";
            }
            if issued_in.is_some() {
                phrase += ", late";
            }
            phrase += &behind(automata, *cell, wrote.is_some(), newer);
            phrase
        }
        Happening::Begun => "begins".into(),
        Happening::Tracked { cell, read, wrote } => {
            format!("{}, in the transaction", access(automata, *cell, *read, *wrote))
        }
        Happening::Published { cell, value } => format!("publishes {}", access(automata, *cell, None, Some(*value))),
        Happening::Committed => "commits".into(),
        Happening::Aborted(Cause::Explicit(code)) => format!("aborts: explicit, code {code}"),
        Happening::Aborted(cause) => format!("aborts: {}", cause.name().to_lowercase()),
        Happening::Passed => String::new(),
        Happening::Proceeded => {
            let labels = automata.threads[told.thread].automaton.points[told.point].labels.iter();
            format!("goes on at {}", labels.map(|label| format!("@{label}")).collect::<Vec<_>>().join(", "))
        }
        Happening::Spun => "goes round for ever".into(),
        Happening::Guessed(guess) => format!("guessed {guess}"),
        Happening::Failed(property) => format!("✗ violates {property}"),
        Happening::Stands => {
            let labels = &automata.threads[told.thread].automaton.points[told.point].labels;
            if labels.is_empty() { "is here".into() } else { format!("is at {}", labels.join(", ")) }
        }
    }
}
